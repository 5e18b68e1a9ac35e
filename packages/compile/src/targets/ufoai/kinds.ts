import type { Brush } from '../../brushes.ts';
import type { ContentsRule } from '../../csg.ts';
import { CONTENTS } from '../../flags.ts';
import type { TreeLeaf } from '../../tree.ts';

// What brushes are to the tree and to what is drawn.

/** What the game knows: brushes with none of it go into no model. */
export const KINDS: number =
  CONTENTS.solid |
  CONTENTS.sky |
  CONTENTS.window |
  CONTENTS.ladder |
  CONTENTS.water |
  CONTENTS.slime |
  CONTENTS.lava |
  CONTENTS.passable |
  CONTENTS.terrain |
  CONTENTS.playerclip |
  CONTENTS.weaponclip |
  CONTENTS.lightclip;
const OPAQUE = CONTENTS.solid | CONTENTS.sky | CONTENTS.terrain;
const LIQUID = CONTENTS.water | CONTENTS.slime | CONTENTS.lava;

/** The class of solid that lets nothing through. */
const BLOCKED = 1 << 30;

/**
 * A leaf's contents are those of all its brushes together, so every combination is a class of its own; but in solid the
 * rest does not matter, unless something passable opens it.
 */
export const MIXES: ContentsRule = {
  classOf: (bits) =>
    (bits & (CONTENTS.solid | CONTENTS.passable)) === CONTENTS.solid ? BLOCKED : bits & KINDS,
  // Even blocked space is changed by what is passable.
  solid: -1,
  opens: CONTENTS.passable,
};

/** Whether a leaf is solid throughout, so that other brushes may end anywhere in it. */
export const isBlocked = ({ bits }: TreeLeaf): boolean => MIXES.classOf(bits) === BLOCKED;

/** The class of what hides the rest. */
export const HIDING: number = 1 << 30;

/** What is drawn: solid hides everything. */
export const DRAWING: ContentsRule = {
  classOf: (bits) => (bits & OPAQUE ? HIDING : bits & (CONTENTS.window | LIQUID)),
  solid: HIDING,
};

/** Liquids can be seen through in the game, even where they overlap solid. */
export const openLiquid = (brush: Brush): Brush =>
  brush.contents & LIQUID ? { ...brush, contents: brush.contents | CONTENTS.passable } : brush;
