import type { Bounds } from '@bspkit/core';

/** How far a hull trace stays off a surface, in Quake units: the engine's 1/32. */
export const DIST_EPSILON = 0.03125;

/** Contents of a leaf, or of the far end of a clip tree. Quake numbers them downward; they are not bits. */
export const CONTENTS_EMPTY = -1;
export const CONTENTS_SOLID = -2;
export const CONTENTS_WATER = -3;
export const CONTENTS_SLIME = -4;
export const CONTENTS_LAVA = -5;
export const CONTENTS_SKY = -6;
export const CONTENTS_ORIGIN = -7;
export const CONTENTS_CLIP = -8;
export const CONTENTS_CURRENT_0 = -9;
export const CONTENTS_CURRENT_90 = -10;
export const CONTENTS_CURRENT_180 = -11;
export const CONTENTS_CURRENT_270 = -12;
export const CONTENTS_CURRENT_UP = -13;
export const CONTENTS_CURRENT_DOWN = -14;
/** Half-Life only. */
export const CONTENTS_TRANSLUCENT = -15;

/** The lowest number that a clip node's child can be and still mean contents; lower ones are node numbers above 32767. */
export const LOWEST_CONTENTS = -15;

const NAMES = [
  'empty',
  'solid',
  'water',
  'slime',
  'lava',
  'sky',
  'origin',
  'clip',
  'current0',
  'current90',
  'current180',
  'current270',
  'currentUp',
  'currentDown',
  'translucent',
] as const;

/** The name of contents: `solid` for -2; a number without a name comes as its digits. */
export function contentsName(contents: number): string {
  return NAMES[-1 - contents] ?? String(contents);
}

/** Contents by name, whatever the case, or by number. Throws `RangeError` for a name that Quake does not have. */
export function contentsByName(name: string): number {
  const wanted = name.trim().toLowerCase();
  const index = NAMES.findIndex((known) => known.toLowerCase() === wanted);
  if (index >= 0) return -1 - index;
  if (/^-\d+$/.test(wanted)) return Number(wanted);
  throw new RangeError(`unknown contents '${name}'; known are ${NAMES.join(', ')}`);
}

/**
 * What the engine's point query makes of contents: the six currents count as water, the rest stays.
 * Traces and {@link Quake1World.hullContents} do not fold.
 */
export function foldCurrents(contents: number): number {
  return contents <= CONTENTS_CURRENT_0 && contents >= CONTENTS_CURRENT_DOWN ? CONTENTS_WATER : contents;
}

const box = (mins: number[], maxs: number[]): Bounds => ({
  mins: Float32Array.from(mins),
  maxs: Float32Array.from(maxs),
});

/** Boxes that a map's hulls were grown by, relative to the mover's origin: what is being moved, by hull. */
export function hullBounds(version: Quake1Version): readonly Bounds[] {
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
 * Quake looks at the width in x alone: below 3 the point hull, up to 32 the player's, above that the big monster's.
 * Half-Life takes the point hull up to 8, the standing (1) or crouched (3) player's up to 36 by whether the height is
 * above 36, and the large one (2) beyond; that rule is from memory and not checked against its engine.
 */
export function hullForSize(version: Quake1Version, width: number, height: number): number {
  if (version === 30) {
    if (width <= 8) return 0;
    if (width > 36) return 2;
    return height <= 36 ? 3 : 1;
  }
  if (width < 3) return 0;
  return width <= 32 ? 1 : 2;
}

/** What a file says it is: 29 (Quake), 30 (Half-Life), `BSP2` or `2PSB` (Quake with wider numbers). */
export type Quake1Version = 29 | 30 | 'BSP2' | '2PSB';
