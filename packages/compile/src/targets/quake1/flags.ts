import type { Brush } from '../../brushes.ts';
import { CONTENTS, type ContentsTable } from '../../flags.ts';

/** Classes of Quake 1 contents, weakest first; a point has the greatest of those that it is in. */
export const EMPTY = 0;
const WATER = 1;
/** Water that carries players, in one of six directions. */
const CURRENT = 2;
const SLIME = 8;
const LAVA = 9;
export const SKY = 10;
export const SOLID = 11;

/** Contents in the file by class. */
export const CONTENTS_OF: readonly number[] = [-1, -3, -9, -10, -11, -12, -13, -14, -4, -5, -6, -2];

/** Numbers rather than bits: where brushes overlap, the strongest contents count. */
export const FILE_CONTENTS: ContentsTable = {
  solid: -2,
  window: -2,
  terrain: -2,
  sky: -6,
  lava: -5,
  slime: -4,
  water: -3,
};

const SOLIDS = CONTENTS.solid | CONTENTS.window | CONTENTS.terrain;

/** The six bits that stand for currents in the tree: those of contents that the game does not have. */
const FLOW = 15;
const FLOWS = 0x3f << FLOW;

/** A brush for the tree: with its current, if its material has one, among its contents, so that leafs end where currents do. */
export function withFlow(brush: Brush): Brush {
  const { contents, tool: { current } = {} } = brush;
  const flow = current === undefined ? 0 : 1 << (FLOW + current);
  return { ...brush, contents: (contents & ~FLOWS) | flow };
}

/** The class of contents in the drawn world. */
export function drawnClass(bits: number): number {
  if (bits & SOLIDS) return SOLID;
  if (bits & CONTENTS.sky) return SKY;
  if (bits & CONTENTS.lava) return LAVA;
  if (bits & CONTENTS.slime) return SLIME;
  if (!(bits & CONTENTS.water)) return EMPTY;
  // A leaf has one current at most: the first of those that meet.
  const flow = (bits & FLOWS) >> FLOW;
  return flow === 0 ? WATER : CURRENT + 31 - Math.clz32(flow & -flow);
}

/** The class of contents in a clip hull: solid, sky and clip stop a mover. */
export const clipClass = (bits: number): number =>
  bits & (SOLIDS | CONTENTS.sky | CONTENTS.playerclip) ? SOLID : EMPTY;
