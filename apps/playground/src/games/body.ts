import type { Tracer, Vec3 } from '@bspkit/core';
import { suitedPresets } from '@bspkit/core/format';
import type { OpenMap } from '../app/open-map.ts';

/** The tracer of what the format says a player is; `undefined` where the world has no such shape. */
export function bodyTracer({ format, world }: OpenMap): Tracer | undefined {
  const { kinds, player } = format.tracers;
  const bodies = suitedPresets(format, world, 'body');
  const preset = bodies.find(({ name }) => name === player) ?? bodies[0];
  const kind = preset && kinds.find(({ name }) => name === preset.kind);
  return kind?.create(world, preset!.size ?? [], preset!.options ?? {});
}

/** Tells whether a player has room at a place. */
export function roomFinder(map: OpenMap): (origin: Vec3) => boolean {
  const tracer = bodyTracer(map);
  const trace = tracer?.createTrace();
  return (origin) => !tracer?.trace(origin, origin, trace).startSolid;
}
