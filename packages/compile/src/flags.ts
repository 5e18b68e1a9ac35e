import type { FlagNames } from '@bspkit/core';
import { checkMask, checkObject, checkText, createFlagNames, failArgument } from '@bspkit/core/format';
import { quoted } from './error.ts';

/** Contents of a brush, in the compiler's own bits; each target translates them into its own. */
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

/** Surface flags of a side, in the compiler's own bits; each target translates them into its own. */
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

/** Names of {@link CONTENTS}, in both directions. */
export const contentsNames: FlagNames = /* @__PURE__ */ createFlagNames(CONTENTS);

/** Names of {@link SURFACE}, in both directions. */
export const surfaceNames: FlagNames = /* @__PURE__ */ createFlagNames(SURFACE);

/** Flags as bits, as names separated by commas, or as a list of names. */
export type Flags = number | string | readonly string[];

/** What the compiler's contents are in a target's files, by name; those the target does not have are absent. */
export type ContentsTable = Readonly<Partial<Record<keyof typeof CONTENTS, number>>>;

/** What the compiler's surface flags are in a target's files, by name; those the target does not have are absent. */
export type SurfaceTable = Readonly<Partial<Record<keyof typeof SURFACE, number>>>;

/** Contents that qualify others and do not say on their own what a brush is made of. */
const QUALIFIERS =
  CONTENTS.passable | CONTENTS.terrain | CONTENTS.detail | CONTENTS.structural | CONTENTS.translucent;

/** The bits of {@link CONTENTS} that say what a brush is made of. */
export const kindsOf = (bits: number): number => bits & ~QUALIFIERS;

/** Checks that flags are of a valid kind; names are checked when they are looked up. */
export function checkFlags(flags: Flags, name: string): void {
  if (typeof flags === 'string') return;
  if (typeof flags === 'number') checkMask(flags, name);
  else if (!Array.isArray(flags)) failArgument(name, 'bits or names', flags, false);
  else for (const [k, flag] of flags.entries()) checkText(flag, `${name}[${k}]`);
}

/** The bits of {@link Flags}. Throws `RangeError` for an unknown name or a number of more than 32 bits. */
export function toBits(names: FlagNames, flags: Flags): number {
  if (typeof flags === 'number') {
    checkMask(flags, 'flags');
    return flags | 0;
  }
  return flags.length === 0 ? 0 : names.bits(flags);
}

/** Translates bits of {@link CONTENTS} to a target's; bits the target does not have are dropped. */
export const contentsToFile = (table: ContentsTable, bits: number): number => toFile(CONTENTS, table, bits);

/** Translates bits of {@link SURFACE} to a target's; bits the target does not have are dropped. */
export const surfaceToFile = (table: SurfaceTable, bits: number): number => toFile(SURFACE, table, bits);

/**
 * Translates a target's bits to those of {@link CONTENTS}, such as the contents of a brush in a file; bits that the compiler does
 * not have are dropped. Where names share a bit, as those of walls and sky may, the first one is meant. Contents that are numbers
 * instead of bits, as in Quake, mean the name of that number; others are 0.
 *
 * @param table - `contents` of a target.
 * @throws RangeError or TypeError for anything but such a table and bits.
 */
export const contentsFromFile = (table: ContentsTable, bits: number): number =>
  fromFile(CONTENTS, table, bits);

/**
 * Translates a target's bits to those of {@link SURFACE}; bits that the compiler does not have are dropped.
 *
 * @param table - `surface` of a target.
 * @throws RangeError or TypeError for anything but such a table and bits.
 */
export const surfaceFromFile = (table: SurfaceTable, bits: number): number => fromFile(SURFACE, table, bits);

type Table = Readonly<Record<string, number>>;

/** A table of a target, as what is in it is looked up. */
interface Pairs {
  readonly ours: Table;
  /** Our bits in turn with those that they become. */
  readonly to: readonly number[];
  /** Likewise, but only the first of several names for the same bits. */
  readonly from: readonly number[];
  /** Whether they are numbers, of which a file has one, and not bits: those of several bits and a sign. */
  readonly areNumbers: boolean;
}

const pairsOf = new WeakMap<Table, Pairs>();

/** The highest bit, with its sign. */
const HIGHEST = 0x80000000 | 0;

function findPairs(ours: Table, theirs: Table): Pairs {
  // PERF: called for each side of each brush, where going through the names took a twentieth of the compiler's time.
  const made = pairsOf.get(theirs);
  if (made?.ours === ours) return made;
  const known = new Set([0]);
  const to: number[] = [];
  const from: number[] = [];
  for (const [name, bits] of Object.entries(theirs)) {
    if (!Object.hasOwn(ours, name)) throw new RangeError(`table has an unknown name, ${quoted(name)}`);
    checkMask(bits, `table.${name}`);
    // Signed, as operators give them: the highest bit may be written either way.
    const its = bits | 0;
    to.push(ours[name]!, its);
    if (!known.has(its)) from.push(ours[name]!, its);
    known.add(its);
  }
  const areNumbers = from.some((its, i) => i % 2 === 1 && its < 0 && its !== HIGHEST);
  const pairs = { ours, to, from, areNumbers };
  pairsOf.set(theirs, pairs);
  return pairs;
}

function toFile(ours: Table, theirs: Table, bits: number): number {
  const { to } = findPairs(ours, theirs);
  let out = 0;
  for (let i = 0; i < to.length; i += 2) if (bits & to[i]!) out |= to[i + 1]!;
  return out;
}

/** If several names have the same bits in the file, the first one is meant. Names of several bits need all of them. */
function fromFile(ours: Table, theirs: Table, bits: number): number {
  checkObject(theirs, 'table');
  checkMask(bits, 'bits');
  const { from, areNumbers } = findPairs(ours, theirs);
  let out = 0;
  for (let i = 0; i < from.length; i += 2) {
    const its = from[i + 1]!;
    if ((areNumbers ? bits | 0 : bits & its) === its) out |= from[i]!;
  }
  return out;
}
