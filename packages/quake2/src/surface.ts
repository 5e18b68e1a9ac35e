import { BRUSH_WORDS, SIDE_WORDS, sideSurface } from '@bspkit/brushes';
import type { Surface, Trace } from '@bspkit/core';
import { checkTrace, isNumberIn } from '@bspkit/core/format';
import { checkWorld } from './given.ts';
import type { Quake2World } from './world.ts';

/**
 * The surface that a trace hit: texture, its name and flags, and the face of the brush as a polygon, in the frame of its model.
 * Clip brushes have no texture: -1, with an empty name. Takes microseconds, as one polygon is made.
 *
 * `undefined` for a trace that hit nothing, that hit a box entity, that was a position test, or whose numbers this map does not
 * have.
 */
export function surfaceAt(world: Quake2World, trace: Trace): Surface | undefined {
  checkWorld(world);
  checkTrace(trace, 'trace');
  const { memory } = world._target;
  const { places } = memory;
  const { brush, side, model, plane } = trace;
  if (!isNumberIn(model, world.numModels + 1) || !isNumberIn(brush, places.brushes.count)) return undefined;
  // A file may have a model with the number of box entities, but these have no planes of it.
  if (!isNumberIn(plane, places.planes.count)) return undefined;
  return sideSurface(
    memory,
    places.brushes.first + BRUSH_WORDS * brush,
    places.sides.first + SIDE_WORDS * side,
    world.textureNames(),
    places.textures.first,
  );
}
