import type { ContentsTable, SurfaceTable } from '../../flags.ts';

/** Sky and terrain are plain solid in Quake 2, and fog is its mist. */
export const FILE_CONTENTS: ContentsTable = {
  solid: 0x1,
  sky: 0x1,
  terrain: 0x1,
  window: 0x2,
  lava: 0x8,
  slime: 0x10,
  water: 0x20,
  fog: 0x40,
  areaportal: 0x8000,
  playerclip: 0x10000,
  monsterclip: 0x20000,
  origin: 0x1000000,
  detail: 0x8000000,
  translucent: 0x10000000,
  ladder: 0x20000000,
};

/** Position of the six bits of currents in a brush's contents. */
export const CURRENTS = 18;

export const FILE_SURFACE: SurfaceTable = {
  light: 0x1,
  slick: 0x2,
  sky: 0x4,
  warp: 0x8,
  blend33: 0x10,
  blend66: 0x20,
  flowing: 0x40,
  nodraw: 0x80,
  hint: 0x100,
  skip: 0x200,
};
