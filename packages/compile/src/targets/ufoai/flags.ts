import type { ContentsTable, SurfaceTable } from '../../flags.ts';

/** All liquids are water in UFO:AI, and sky is plain solid. `playerclip` is its actor clip. */
export const FILE_CONTENTS: ContentsTable = {
  solid: 0x1,
  sky: 0x1,
  window: 0x2,
  ladder: 0x4,
  water: 0x20,
  slime: 0x20,
  lava: 0x20,
  playerclip: 0x10000,
  passable: 0x20000,
  terrain: 0x40000,
  lightclip: 0x80000,
  origin: 0x1000000,
  weaponclip: 0x2000000,
  detail: 0x8000000,
  translucent: 0x10000000,
};

export const FILE_SURFACE: SurfaceTable = {
  light: 0x1,
  slick: 0x2,
  warp: 0x8,
  blend33: 0x10,
  blend66: 0x20,
  flowing: 0x40,
  nodraw: 0x80,
  hint: 0x100,
  skip: 0x200,
  phong: 0x400,
  burn: 0x800,
  footstep: 0x1000,
  alphatest: 0x2000000,
};
