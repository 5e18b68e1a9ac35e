import { createFlagNames, type FlagNames } from '@bspkit/core';

/**
 * Contents of a brush, in the compiler's own bits; each format's writer turns them into its own.
 * `playerclip` is UFO:AI's actor clip too.
 */
export const CONTENTS = {
  solid: 0x1,
  window: 0x2,
  ladder: 0x4,
  water: 0x8,
  slime: 0x10,
  lava: 0x20,
  sky: 0x40,
  fog: 0x80,
  playerclip: 0x100,
  monsterclip: 0x200,
  weaponclip: 0x400,
  lightclip: 0x800,
  passable: 0x1000,
  terrain: 0x2000,
  areaportal: 0x4000,
  teleporter: 0x8000,
  jumppad: 0x10000,
  clusterportal: 0x20000,
  donotenter: 0x40000,
  botclip: 0x80000,
  nobotclip: 0x100000,
  notteam1: 0x200000,
  notteam2: 0x400000,
  trigger: 0x800000,
  nodrop: 0x1000000,
  origin: 0x2000000,
  detail: 0x4000000,
  structural: 0x8000000,
  translucent: 0x10000000,
} as const;

/** Surface flags of a side, in the compiler's own bits; each format's writer turns them into its own. */
export const SURFACE = {
  nodraw: 0x1,
  sky: 0x2,
  slick: 0x4,
  ladder: 0x8,
  nodamage: 0x10,
  noimpact: 0x20,
  nomarks: 0x40,
  flesh: 0x80,
  hint: 0x100,
  skip: 0x200,
  nolightmap: 0x400,
  pointlight: 0x800,
  metalsteps: 0x1000,
  nosteps: 0x2000,
  nonsolid: 0x4000,
  lightfilter: 0x8000,
  alphashadow: 0x10000,
  nodlight: 0x20000,
  dust: 0x40000,
  light: 0x80000,
  warp: 0x100000,
  blend33: 0x200000,
  blend66: 0x400000,
  flowing: 0x800000,
  phong: 0x1000000,
  burn: 0x2000000,
  footstep: 0x4000000,
  alphatest: 0x8000000,
} as const;

/** Names of {@link CONTENTS}, both ways. */
export const contentsNames: FlagNames = /* @__PURE__ */ createFlagNames(CONTENTS);

/** Names of {@link SURFACE}, both ways. */
export const surfaceNames: FlagNames = /* @__PURE__ */ createFlagNames(SURFACE);

/** Flags as bits, as names with commas, or as a list of names. */
export type Flags = number | string | readonly string[];

/** The bits of {@link Flags}. Throws `RangeError` for a name that is not known. */
export function toBits(names: FlagNames, flags: Flags): number {
  return typeof flags === 'number' ? flags : flags.length === 0 ? 0 : names.bits(flags);
}

/** A format's bits as pairs `[ours, theirs]`. */
export type BitTable = readonly (readonly [ours: number, theirs: number])[];

/** Turns our bits into a format's: bits that the format lacks are dropped. */
export function translateBits(table: BitTable, bits: number): number {
  let out = 0;
  for (const [ours, theirs] of table) if (bits & ours) out |= theirs;
  return out;
}

/** Turns a format's bits into ours: bits that we lack are dropped. */
export function translateBitsBack(table: BitTable, bits: number): number {
  let out = 0;
  for (const [ours, theirs] of table) if ((bits & theirs) !== 0) out |= ours;
  return out;
}
