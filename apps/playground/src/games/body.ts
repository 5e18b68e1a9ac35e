import type { Tracer, Vec3 } from '@bspkit/core';
import { bodyPreset, tracerOf } from '@bspkit/core/format';
import type { OpenMap } from '../app/open-map.ts';

/** The tracer of what the format says a player is; `undefined` where the world has no such shape. */
export function bodyTracer({ format, world }: OpenMap): Tracer | undefined {
  const preset = bodyPreset(format, world);
  return preset && tracerOf(format, world, preset);
}

/** Tells whether a player has room at a place. */
export function roomFinder(map: OpenMap): (origin: Vec3) => boolean {
  const tracer = bodyTracer(map);
  const trace = tracer?.createTrace();
  return (origin) => !tracer?.trace(origin, origin, trace).startSolid;
}
