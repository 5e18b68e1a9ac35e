import { BspError, type Vec3 } from '@bspkit/core';
import {
  checkFlag,
  checkList,
  checkObject,
  checkOptions,
  checkPoint,
  checkRadius,
  checkWhole,
  failArgument,
} from '@bspkit/core/format';
import {
  CONTENTS_CURRENT_0,
  CONTENTS_CURRENT_DOWN,
  CONTENTS_EMPTY,
  CONTENTS_SOLID,
  CONTENTS_WATER,
  LOWEST_CONTENTS,
} from './constants.ts';
import { checkModel, checkWorld } from './given.ts';
import { createNearestWalk, distanceToOutside } from './kernel/nearest.ts';
import { DEPTH_WORD } from './layout.ts';
import type { Quake1Model } from './model.ts';
import type { Quake1World } from './world.ts';

/**
 * Which contents count as inside the map. Solid never does; by default, as in the note, everything else does. Contents set to
 * `false` count as outside too. Currents count as water.
 */
export interface InsideOptions {
  readonly water?: boolean | undefined;
  readonly slime?: boolean | undefined;
  readonly lava?: boolean | undefined;
  readonly sky?: boolean | undefined;
}

const INSIDE_NAMES = ['water', 'slime', 'lava', 'sky'] as const satisfies readonly (keyof InsideOptions)[];
export const INSIDE_OPTIONS: readonly string[] = INSIDE_NAMES;

/** Throws `TypeError` for an unknown option, and for one that is neither true nor false. */
export function checkInside(options: InsideOptions): void {
  checkOptions(options, INSIDE_OPTIONS);
  checkInsideFlags(options);
}

/** The second half of {@link checkInside}, for functions that have other options as well. */
export function checkInsideFlags(options: InsideOptions): void {
  for (let k = 0; k < INSIDE_NAMES.length; k++) checkFlag(options[INSIDE_NAMES[k]!], INSIDE_NAMES[k]!);
}

/** Only solid is outside: bit c of a mask stands for contents -c. */
export const SOLID_MASK: number = 1 << 2;
const WATER_BITS = (1 << 3) | (0x3f << 9);

/** A mask of what is outside, changed by the options that are given. */
export function outsideMask(options: InsideOptions = {}): number {
  checkInside(options);
  let mask = withBits(SOLID_MASK, WATER_BITS, options.water);
  mask = withBits(mask, 1 << 4, options.slime);
  mask = withBits(mask, 1 << 5, options.lava);
  return withBits(mask, 1 << 6, options.sky);
}

function withBits(mask: number, bits: number, inside: boolean | undefined): number {
  if (inside === undefined) return mask;
  return inside ? mask & ~bits : mask | bits;
}

/**
 * Distance in Quake units from a point to the nearest solid, or to what `options` make outside, in double precision: 0 within it,
 * `Infinity` when there is none within `max`.
 *
 * @throws RangeError when the point is not finite, or `max` is below 0 or NaN; BspError (`limit`) when a tree takes far more work
 *   than that of any real map.
 */
export function distanceToSolid(
  world: Quake1World,
  center: Vec3,
  max: number = Number.POSITIVE_INFINITY,
  options?: InsideOptions,
): number {
  checkWorld(world);
  checkPoint(center, 'center');
  if (!(typeof max === 'number' && max >= 0)) failArgument('max', '0 or more', max);
  const memory = world._memory;
  const { trees, ints, places } = memory;
  memory.nearestWalk ??= createNearestWalk(ints[DEPTH_WORD]!);
  const distance = distanceToOutside(
    trees[0],
    places.nodes.first,
    center,
    max,
    outsideMask(options),
    memory.nearestWalk,
  );
  if (Number.isNaN(distance)) {
    const problem = 'the distance to solid takes far more work than in any compiled map';
    throw new BspError('limit', { format: 'quake1' }, problem);
  }
  return distance;
}

/**
 * Whether a sphere stays clear of everything outside, exactly: whether {@link distanceToSolid} is above its radius.
 * {@link Quake1World.sphereInside} is quicker. Throws as {@link distanceToSolid} does.
 */
export function sphereInsideExact(
  world: Quake1World,
  center: Vec3,
  radius: number,
  options?: InsideOptions,
): boolean {
  checkRadius(radius);
  return distanceToSolid(world, center, radius, options) > radius;
}

/** A brush entity of a liquid (`func_water`), which stops moves as little as water in the map does. */
export interface Liquid {
  readonly model: Quake1Model;
  /** Its contents: its entity's `skin`, -3 for water. */
  readonly contents: number;
  /** Its position, in Quake units; 0 0 0 by default. */
  readonly origin?: Vec3 | undefined;
}

/**
 * Contents of a point as the engine's server determines them: those that traces see in hull 0, with the six currents counted as
 * water. QuakeWorld's server leaves currents as they are: there, `hullContents(0, point)` of the world is the answer. In
 * Half-Life, liquids that are entities count too, unless the point is in solid: the first of `liquids` that contains the point
 * gives its contents, whatever the map has there.
 *
 * The rules are those of the released engine, described in words and checked against recorded rows; those of Half-Life are as in
 * ReHLDS, which no recorded row has confirmed. No source was copied.
 *
 * @throws RangeError when the point, or a liquid's origin, is not finite.
 */
export function pointContents(world: Quake1World, point: Vec3, liquids: readonly Liquid[] = []): number {
  checkWorld(world);
  checkList(liquids, 'liquids');
  for (const [k, liquid] of liquids.entries()) {
    checkObject(liquid, `liquids[${k}]`);
    checkModel(liquid.model, `liquids[${k}].model`);
    checkWhole(liquid.contents, `liquids[${k}].contents`, LOWEST_CONTENTS, 0);
    if (liquid.origin !== undefined) checkPoint(liquid.origin, `liquids[${k}].origin`);
  }
  const contents = world.hullContents(0, point);
  if (contents === CONTENTS_SOLID) return contents;
  for (const { model, contents: filled, origin } of liquids) {
    if (model.contents(point, { origin }) !== CONTENTS_EMPTY) return filled;
  }
  return contents <= CONTENTS_CURRENT_0 && contents >= CONTENTS_CURRENT_DOWN ? CONTENTS_WATER : contents;
}
