import { isPortal } from '../../areas.ts';
import type { Brush } from '../../brushes.ts';
import type { ContentsRule } from '../../csg.ts';
import { CONTENTS, contentsToFile } from '../../flags.ts';
import type { TreeLeaf } from '../../tree.ts';
import { CURRENTS, FILE_CONTENTS } from './flags.ts';

// What brushes are for the tree, for drawing, and in the file.

const OPAQUE: number = CONTENTS.solid | CONTENTS.sky | CONTENTS.terrain;
const LIQUID = CONTENTS.water | CONTENTS.slime | CONTENTS.lava;
const CLIP = CONTENTS.playerclip | CONTENTS.monsterclip;
/** What divides the tree: leafs give the contents at points, so leafs end where these end. Clips do not divide it. */
const DIVIDING = CONTENTS.window | LIQUID | CONTENTS.fog | CONTENTS.ladder | CONTENTS.areaportal;

/** The six bits that stand for currents in the tree: those of contents that the game does not have. */
const FLOW = 15;
const FLOWS = 0x3f << FLOW;

/** A brush for the tree: with its currents among its contents if leafs have them, so that leafs end where currents do. */
export function withFlow(brush: Brush): Brush {
  const { contents, currents } = brush;
  const flow = contents & DIVIDING ? currents << FLOW : 0;
  return { ...brush, contents: (contents & ~FLOWS) | flow };
}

/** The class of solid. */
const BLOCKED = 1 << 30;

export const STRUCTURE: ContentsRule = {
  classOf: (bits) => (bits & OPAQUE ? BLOCKED : bits & (DIVIDING | FLOWS)),
  solid: BLOCKED,
};

/** What is drawn: solid hides everything. */
export const DRAWING: ContentsRule = {
  classOf: (bits) => (bits & OPAQUE ? BLOCKED : bits & (CONTENTS.window | LIQUID | CONTENTS.fog)),
  solid: BLOCKED,
};

/** Whether a class of {@link DRAWING} is that of something that is also seen from inside. */
export const isLiquid = (kind: number): boolean => kind !== BLOCKED && (kind & LIQUID) !== 0;

export const isSolid = ({ bits }: TreeLeaf): boolean => (bits & OPAQUE) !== 0;

/** Whether a brush only stops players or monsters. Its sides have no texture in the file. */
export const isClip = ({ contents }: Brush): boolean =>
  (contents & CLIP) !== 0 && (contents & (OPAQUE | DIVIDING)) === 0;

/** A brush's contents in the file. */
export function fileContents(brush: Brush): number {
  const { contents, currents } = brush;
  if (isPortal(brush)) return FILE_CONTENTS.areaportal!;
  let bits = contentsToFile(FILE_CONTENTS, contents) | (currents << CURRENTS);
  // Players can only climb what stops them.
  if (contents & CONTENTS.ladder && !(contents & OPAQUE)) bits |= FILE_CONTENTS.playerclip!;
  // The game's own compiler always makes these detail.
  if (contents & (CLIP | CONTENTS.translucent)) bits |= FILE_CONTENTS.detail!;
  return bits;
}

/** Whether a brush has contents that the game knows. */
export const isKnown = (brush: Brush): boolean => (fileContents(brush) & ~FILE_CONTENTS.detail!) !== 0;
