import type { Tracer, Vec3 } from '@bspkit/core';
import { bodyPreset, tracerOf } from '@bspkit/core/format';
import type { OpenMap } from '../app/open-map.ts';

/**
 * The tracer of what the format says a player is; `undefined` where the world has no such shape.
 *
 * @param top - how high it reaches above its origin, if not as high as who stands.
 */
export function bodyTracer({ format, world }: OpenMap, top?: number): Tracer | undefined {
  const preset = bodyPreset(format, world);
  if (!preset) return undefined;
  const { size = [] } = preset;
  return tracerOf(format, world, { ...preset, size: top === undefined ? size : [...size.slice(0, 5), top] });
}

/**
 * Tells whether a player has room at a place, and can move from there: where a body only touches the floor, some games
 * find it free, but no move that begins there is.
 *
 * @param top - as for {@link bodyTracer}.
 */
export function roomFinder(map: OpenMap, top?: number): (origin: Vec3) => boolean {
  const tracer = bodyTracer(map, top);
  if (!tracer) return () => true;
  const trace = tracer.createTrace();
  const down = new Float32Array(3);
  return (origin) => {
    down.set([origin[0]!, origin[1]!, origin[2]! - 1]);
    return !tracer.trace(origin, origin, trace).startSolid && !tracer.trace(origin, down, trace).startSolid;
  };
}
