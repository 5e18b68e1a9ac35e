import type { Brush } from '../../brushes.ts';
import { CONTENTS, type ContentsTable, contentsToFile, type SurfaceTable } from '../../flags.ts';

/** Windows and sky are solid in Quake 3. */
export const FILE_CONTENTS: ContentsTable = {
  solid: 1,
  window: 0x20000001,
  sky: 1,
  terrain: 1,
  lava: 8,
  slime: 0x10,
  water: 0x20,
  fog: 0x40,
  notteam1: 0x80,
  notteam2: 0x100,
  nobotclip: 0x200,
  areaportal: 0x8000,
  playerclip: 0x10000,
  monsterclip: 0x20000,
  teleporter: 0x40000,
  jumppad: 0x80000,
  clusterportal: 0x100000,
  donotenter: 0x200000,
  botclip: 0x400000,
  detail: 0x8000000,
  structural: 0x10000000,
  translucent: 0x20000000,
  trigger: 0x40000000,
  nodrop: 0x80000000 | 0,
};

/** What says nothing about what a brush does. */
const QUALIFIERS = CONTENTS.detail | CONTENTS.structural | CONTENTS.translucent;

/** Whether a brush has contents that the game knows. */
export const isKnown = ({ contents }: Brush): boolean =>
  contentsToFile(FILE_CONTENTS, contents & ~QUALIFIERS) !== 0;

export const FILE_SURFACE: SurfaceTable = {
  nodamage: 1,
  slick: 2,
  sky: 4,
  ladder: 8,
  noimpact: 0x10,
  nomarks: 0x20,
  flesh: 0x40,
  nodraw: 0x80,
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
};
