import type { LightOptions, LightSampler } from '@bspkit/core';
import { askedLight, checkFileOf, createFaceLight } from '@bspkit/core/format';
import { checks, MAX_DEPTH } from './check.ts';
import type { Quake1File } from './file.ts';
import { BRIGHTNESS, findColors, isUnlit, lightOf, type Quake1LightmapOptions, STEP } from './lightmaps.ts';

/** How light is asked for. */
export interface Quake1LightOptions extends LightOptions, Quake1LightmapOptions {}

/**
 * How light it is at points of a map, as the engine lights monsters, players and items: as light as on the first lit face straight
 * below, down to 2,048 units. Without one it is dark. Only the world counts, not doors and lifts. `brightness` is 2 by default, as
 * for {@link lightmaps}; at 255, numbers are those of the file, 0 to 255 in each style.
 *
 * Source: RecursiveLightPoint of the engine, with float32 arithmetic. Its strength of a light that does not flicker is 264 / 256
 * instead of 1, and it drops fractions of the sum: with such `styles`, and `brightness` 255, `Math.floor` gives its numbers.
 *
 * @throws BspError as {@link lightmaps}; RangeError or TypeError for wrong options.
 */
export function createLightSampler(file: Quake1File, options: Quake1LightOptions = {}): LightSampler {
  checkFileOf(file, 'quake1', 'readQuake1');
  const asked = askedLight(options, BRIGHTNESS, ['lit']);
  const light = lightOf(file, findColors(file, options.lit));
  const { nodes, planes } = file;
  // The engine begins at node 0, whatever the world's model says.
  const depth = checks.depth('nodes', nodes.children, [0], { most: MAX_DEPTH, shared: true });
  const trees = { nodes, planes, heads: [0], depth };
  const isSkipped = (face: number): boolean => isUnlit(file, face);
  return createFaceLight(trees, { light, step: STEP, isSkipped }, asked, checks);
}
