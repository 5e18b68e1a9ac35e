import type { Bounds, FlagNames } from '@bspkit/core';
import {
  checkNumber,
  checkRadius,
  checkWhole,
  createFlagNames,
  failArgument,
  listNames,
  showValue,
} from '@bspkit/core/format';

/** Distance that hull traces keep from surfaces, in Quake units: the engine's 1/32. */
export const SURFACE_EPSILON = 0.03125;

// Contents of a leaf, or of the end of a clip tree. Quake numbers them downward; they are not bits.

/** Nothing: air. */
export const CONTENTS_EMPTY = -1;
/** Walls: the only contents that stop hull traces. */
export const CONTENTS_SOLID = -2;
/** Water; stops no hull trace. */
export const CONTENTS_WATER = -3;
/** Slime; stops no hull trace. */
export const CONTENTS_SLIME = -4;
/** Lava; stops no hull trace. */
export const CONTENTS_LAVA = -5;
/** Sky: stops no trace of hull 0. Compilers make it solid in hulls 1 and up. */
export const CONTENTS_SKY = -6;
/** Marks the point around which an inline model turns. Only for compilers: found in no leaf. */
export const CONTENTS_ORIGIN = -7;
/** Stops players and monsters, not shots. Compilers make it solid in hulls 1 and up; found in no leaf. */
export const CONTENTS_CLIP = -8;
/** Water that flows along +x. */
export const CONTENTS_CURRENT_0 = -9;
/** Water that flows along +y. */
export const CONTENTS_CURRENT_90 = -10;
/** Water that flows along -x. */
export const CONTENTS_CURRENT_180 = -11;
/** Water that flows along -y. */
export const CONTENTS_CURRENT_270 = -12;
/** Water that flows up. */
export const CONTENTS_CURRENT_UP = -13;
/** Water that flows down. */
export const CONTENTS_CURRENT_DOWN = -14;
/** Half-Life only: see-through; stops no hull trace. */
export const CONTENTS_TRANSLUCENT = -15;

/** The lowest child of a clip node that still means contents; lower 16-bit ones are node numbers above 32767. */
export const LOWEST_CONTENTS = -15;

const CONTENTS = {
  empty: CONTENTS_EMPTY,
  solid: CONTENTS_SOLID,
  water: CONTENTS_WATER,
  slime: CONTENTS_SLIME,
  lava: CONTENTS_LAVA,
  sky: CONTENTS_SKY,
  origin: CONTENTS_ORIGIN,
  clip: CONTENTS_CLIP,
  current0: CONTENTS_CURRENT_0,
  current90: CONTENTS_CURRENT_90,
  current180: CONTENTS_CURRENT_180,
  current270: CONTENTS_CURRENT_270,
  currentUp: CONTENTS_CURRENT_UP,
  currentDown: CONTENTS_CURRENT_DOWN,
  translucent: CONTENTS_TRANSLUCENT,
} as const;

/**
 * Contents by name and back. They are numbers, not bits: `names(-2)` is `['solid']`, `bits('water')` is -3, and `bits`
 * throws `RangeError` for anything but one name or number, which may be without a sign. 0, the contents of a trace that hit
 * nothing, has no name.
 */
export const contentsNames: FlagNames = {
  table: CONTENTS,
  names(contents) {
    checkWhole(contents, 'contents', -0x80000000, 0x7fffffff);
    if (contents === 0) return [];
    const known = Object.entries(CONTENTS).find(([, number]) => number === contents);
    return [known ? known[0] : String(contents)];
  },
  bits(names) {
    const list = listNames(typeof names === 'number' ? String(names) : names);
    if (list.length !== 1) {
      throw new RangeError(
        `contents in Quake are a single value, not a combination: got ${list.length} names`,
      );
    }
    const name = list[0]!.trim().toLowerCase();
    const known = Object.entries(CONTENTS).find(([word]) => word.toLowerCase() === name);
    if (known) return known[1];
    if (/^-?\d+$/.test(name)) {
      const number = Number(name);
      if (number < -(2 ** 31) || number >= 2 ** 32) throw new RangeError(`${name} has more than 32 bits`);
      return number | 0;
    }
    throw new RangeError(
      `unknown name ${showValue(list[0]!.trim())}; known names are ${Object.keys(CONTENTS).join(', ')}`,
    );
  },
};

/** Flags of a surface's texture by name and back: `special` surfaces (liquids and sky) have no lightmap. */
export const surfaceNames: FlagNames = /* @__PURE__ */ createFlagNames({ special: 1 });

const box = (mins: number[], maxs: number[]): Bounds => ({
  mins: Float32Array.from(mins),
  maxs: Float32Array.from(maxs),
});

/**
 * What each hull of a map moves, relative to the mover's origin, in Quake units.
 * @throws RangeError for an unknown version, TypeError for anything but a number or text.
 */
export function hullBounds(version: Quake1Version): readonly Bounds[] {
  checkVersion(version);
  const point = box([0, 0, 0], [0, 0, 0]);
  if (version === 30) {
    return [
      point,
      box([-16, -16, -36], [16, 16, 36]),
      box([-32, -32, -32], [32, 32, 32]),
      box([-16, -16, -18], [16, 16, 18]),
    ];
  }
  return [point, box([-16, -16, -24], [16, 16, 32]), box([-32, -32, -24], [32, 32, 64])];
}

/**
 * The hull that the engine takes for a box of this size (maxs - mins, in Quake units).
 *
 * Quake only looks at the width in x: below 3 the point hull, up to 32 the player's, above that the big monster's. Half-Life
 * takes the point hull up to 8, the standing (1) or crouched (3) player's up to 36, by whether the height is above 36, and the
 * large one (2) beyond. The rules are those of the released engine, and of ReHLDS and Xash3D for Half-Life, described in words
 * and checked against recorded rows; no source was copied.
 */
export function hullForSize(version: Quake1Version, width: number, height: number): number {
  checkVersion(version);
  checkRadius(width, 'width');
  checkRadius(height, 'height');
  if (version === 30) {
    if (width <= 8) return 0;
    if (width > 36) return 2;
    return height <= 36 ? 3 : 1;
  }
  if (width < 3) return 0;
  return width <= 32 ? 1 : 2;
}

/** Hulls by Half-Life's `usehull`. */
const PLAYER_HULLS = [1, 3, 0, 2] as const;

/**
 * The hull that Half-Life's player movement traces: it is chosen by the player's `usehull`, not by size. 0 (standing) takes hull
 * 1, 1 (crouched) hull 3, 2 (point) hull 0, 3 (large) hull 2.
 *
 * @throws RangeError for any other number.
 */
export function playerHull(usehull: number): number {
  checkNumber(usehull, 'usehull', PLAYER_HULLS.length);
  return PLAYER_HULLS[usehull]!;
}

/** The version in a file: 29 (Quake), 30 (Half-Life), `BSP2` or `2PSB` (Quake with wider numbers). */
export type Quake1Version = 29 | 30 | 'BSP2' | '2PSB';

function checkVersion(version: Quake1Version): void {
  const known = version === 29 || version === 30 || version === 'BSP2' || version === '2PSB';
  const isName = typeof version === 'string' || typeof version === 'number';
  if (!known) failArgument('version', "29, 30, 'BSP2' or '2PSB'", version, isName);
}
