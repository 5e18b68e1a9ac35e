import type { Tracer, Vec3 } from '@bspkit/core';
import { bodyPreset, tracerOf } from '@bspkit/core/format';
import type { OpenMap } from '../app/open-map.ts';

/** The tracer of what the format says a player is; `undefined` where the world has no such shape. */
export function bodyTracer({ format, world }: OpenMap): Tracer | undefined {
  const preset = bodyPreset(format, world);
  return preset && tracerOf(format, world, preset);
}

/**
 * Tells whether a player has room at a place, and can move from there: where a body only touches the floor, some games
 * find it free, but no move that begins there is.
 */
export function roomFinder(map: OpenMap): (origin: Vec3) => boolean {
  const tracer = bodyTracer(map);
  if (!tracer) return () => true;
  const trace = tracer.createTrace();
  const down = new Float32Array(3);
  return (origin) => {
    down.set([origin[0]!, origin[1]!, origin[2]! - 1]);
    return !tracer.trace(origin, origin, trace).startSolid && !tracer.trace(origin, down, trace).startSolid;
  };
}
