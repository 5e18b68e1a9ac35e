import { CONTENTS, type ContentsTable } from '../../flags.ts';

/** Classes of Quake 1 contents, weakest first; a point has the greatest of those that it is in. */
export const EMPTY = 0;
const WATER = 1;
const SLIME = 2;
const LAVA = 3;
export const SKY = 4;
export const SOLID = 5;

/** Contents in the file by class. */
export const CONTENTS_OF: readonly number[] = [-1, -3, -4, -5, -6, -2];

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

/** The class of contents in the drawn world. */
export const drawnClass = (bits: number): number =>
  bits & SOLIDS
    ? SOLID
    : bits & CONTENTS.sky
      ? SKY
      : bits & CONTENTS.lava
        ? LAVA
        : bits & CONTENTS.slime
          ? SLIME
          : bits & CONTENTS.water
            ? WATER
            : EMPTY;

/** The class of contents in a clip hull: solid, sky and clip stop a mover. */
export const clipClass = (bits: number): number =>
  bits & (SOLIDS | CONTENTS.sky | CONTENTS.playerclip) ? SOLID : EMPTY;
