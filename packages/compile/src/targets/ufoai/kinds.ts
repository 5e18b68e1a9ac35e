import type { Brush } from '../../brushes.ts';
import type { ContentsRule } from '../../csg.ts';
import { CONTENTS, contentsToFile } from '../../flags.ts';
import type { TreeLeaf } from '../../tree.ts';
import { FILE_CONTENTS } from './flags.ts';

// What brushes are for the tree and for drawing.

/** What the game has: brushes with none of these go into no model. */
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
const LIQUID = CONTENTS.water | CONTENTS.slime | CONTENTS.lava;

/**
 * Bits that the game does not use. In passable brushes, they stand for solid and for windows, since a brush that really is one of
 * these hides passable ones.
 */
const OPEN_SOLID = CONTENTS.structural;
const OPEN_WINDOW = CONTENTS.nodrop;
const PASSABLE = CONTENTS.passable | LIQUID | OPEN_SOLID | OPEN_WINDOW;

const OPAQUE = CONTENTS.solid | CONTENTS.sky | CONTENTS.terrain | OPEN_SOLID;

/** The class of solid that lets nothing through: above all bits of contents. */
const BLOCKED = 1 << 30;

/**
 * A leaf's contents are those of all its brushes together, so every combination is a class of its own, except that in solid
 * nothing else matters, and in windows passable brushes do not, as the game's own compiler cuts these away there.
 */
export const MIXES: ContentsRule = {
  classOf: (bits) => {
    if (bits & CONTENTS.solid) return BLOCKED;
    return bits & (hidesPassable(bits) ? KINDS & ~PASSABLE : KINDS | PASSABLE);
  },
  solid: BLOCKED,
};

/** Whether a leaf is solid throughout, so that other brushes may end anywhere in it. */
export const isBlocked = ({ bits }: TreeLeaf): boolean => MIXES.classOf(bits) === BLOCKED;

/** Whether contents hide passable brushes. */
const hidesPassable = (bits: number): boolean =>
  (bits & (CONTENTS.solid | CONTENTS.sky | CONTENTS.window)) !== 0;

/** Whether contents are solid or similar, even if passable. */
export const isWall = (bits: number): boolean => (bits & (OPAQUE | CONTENTS.window | OPEN_WINDOW)) !== 0;

/** Whether a brush lets everyone pass. */
const isPassable = ({ contents }: Brush): boolean => (contents & CONTENTS.passable) !== 0;

/** The brushes that a leaf lists: without those that others hide in it. */
export const listedBrushes = (leaf: TreeLeaf, brushes: readonly Brush[]): readonly number[] =>
  hidesPassable(leaf.bits) ? leaf.brushes.filter((brush) => !isPassable(brushes[brush]!)) : leaf.brushes;

/** The class of what hides everything else. */
export const HIDING: number = 1 << 30;

/** What is drawn: solid hides everything. */
export const DRAWING: ContentsRule = {
  classOf: (bits) => (bits & OPAQUE ? HIDING : bits & (CONTENTS.window | OPEN_WINDOW | LIQUID)),
  solid: HIDING,
};

/** A brush with the contents that trees are made with. All liquids are water in the game, and passable. */
export function treeBrush(brush: Brush): Brush {
  const water = brush.contents & LIQUID ? CONTENTS.water : 0;
  const contents = (brush.contents & ~(LIQUID | OPEN_SOLID | OPEN_WINDOW)) | water;
  if (!(contents & (LIQUID | CONTENTS.passable))) return { ...brush, contents };
  const solid = contents & (CONTENTS.solid | CONTENTS.sky) ? OPEN_SOLID : 0;
  const window = contents & CONTENTS.window ? OPEN_WINDOW : 0;
  const rest = contents & ~(CONTENTS.solid | CONTENTS.sky | CONTENTS.window);
  return { ...brush, contents: rest | CONTENTS.passable | solid | window };
}

/** The contents in the file of such a brush, including its levels. */
export function fileContents({ contents, levels }: Brush): number {
  const open = (contents & OPEN_SOLID ? CONTENTS.solid : 0) | (contents & OPEN_WINDOW ? CONTENTS.window : 0);
  return contentsToFile(FILE_CONTENTS, contents | open) | (levels << 8);
}
