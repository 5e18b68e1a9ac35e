import { BRUSH_WORDS, brushSides, SIDE_TEXTURE, SIDE_WORDS, sidePolygon } from '@bspkit/brushes';
import type { Surface, Trace } from '@bspkit/core';
import { checkTrace } from '@bspkit/core/format';
import { checkWorld } from './given.ts';
import type { Quake2World } from './world.ts';

/**
 * The surface that a trace hit: texture, its name and flags, and the face of the brush as a polygon, in the frame of its
 * model. Clip brushes have no texture: -1, with an empty name. Costs one polygon: microseconds.
 *
 * `undefined` for a trace that hit nothing, that hit a box entity, or that was a position test.
 */
export function surfaceAt(world: Quake2World, trace: Trace): Surface | undefined {
  checkWorld(world);
  checkTrace(trace, 'trace');
  const { memory } = world._target;
  const { ints, places } = memory;
  const { brush, side, model } = trace;
  if (model > world.numModels || !(brush >= 0 && brush < places.brushes.count)) return undefined;
  if (!(side >= 0 && side < places.sides.count)) return undefined;
  const at = places.brushes.first + BRUSH_WORDS * brush;
  const sideAt = places.sides.first + SIDE_WORDS * side;
  const texture = Math.max(-1, ints[sideAt + SIDE_TEXTURE]!);
  return {
    texture,
    name: world.textureNames()[texture] ?? '',
    flags: texture < 0 ? 0 : ints[places.textures.first + texture]!,
    polygon: sidePolygon(memory, at, sideAt, brushSides(memory, at)),
  };
}
