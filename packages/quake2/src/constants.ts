import type { FlagNames } from '@bspkit/core';
import { createFlagNames } from '@bspkit/core/format';

/** Contents of a brush or leaf: what it is made of. */
export const CONTENTS_SOLID = 0x1;
export const CONTENTS_WINDOW = 0x2;
export const CONTENTS_AUX = 0x4;
export const CONTENTS_LAVA = 0x8;
export const CONTENTS_SLIME = 0x10;
export const CONTENTS_WATER = 0x20;
export const CONTENTS_MIST = 0x40;
export const CONTENTS_AREAPORTAL = 0x8000;
export const CONTENTS_PLAYERCLIP = 0x10000;
export const CONTENTS_MONSTERCLIP = 0x20000;
export const CONTENTS_CURRENT_0 = 0x40000;
export const CONTENTS_CURRENT_90 = 0x80000;
export const CONTENTS_CURRENT_180 = 0x100000;
export const CONTENTS_CURRENT_270 = 0x200000;
export const CONTENTS_CURRENT_UP = 0x400000;
export const CONTENTS_CURRENT_DOWN = 0x800000;
export const CONTENTS_MONSTER = 0x2000000;
export const CONTENTS_DEADMONSTER = 0x4000000;
export const CONTENTS_DETAIL = 0x8000000;
export const CONTENTS_TRANSLUCENT = 0x10000000;
export const CONTENTS_LADDER = 0x20000000;

/** Masks: what a trace is stopped by. */
export const MASK_ALL = -1;
export const MASK_SOLID: number = CONTENTS_SOLID | CONTENTS_WINDOW;
export const MASK_PLAYERSOLID: number = MASK_SOLID | CONTENTS_PLAYERCLIP | CONTENTS_MONSTER;
export const MASK_DEADSOLID: number = MASK_SOLID | CONTENTS_PLAYERCLIP;
export const MASK_MONSTERSOLID: number = MASK_SOLID | CONTENTS_MONSTERCLIP | CONTENTS_MONSTER;
export const MASK_WATER: number = CONTENTS_WATER | CONTENTS_LAVA | CONTENTS_SLIME;
export const MASK_OPAQUE: number = CONTENTS_SOLID | CONTENTS_SLIME | CONTENTS_LAVA;
export const MASK_SHOT: number = MASK_SOLID | CONTENTS_MONSTER | CONTENTS_DEADMONSTER;
export const MASK_CURRENT = 0xfc0000;

/** Contents bits and masks by name, both ways. */
export const contentsNames: FlagNames = /* @__PURE__ */ createFlagNames({
  solid: CONTENTS_SOLID,
  window: CONTENTS_WINDOW,
  aux: CONTENTS_AUX,
  lava: CONTENTS_LAVA,
  slime: CONTENTS_SLIME,
  water: CONTENTS_WATER,
  mist: CONTENTS_MIST,
  areaPortal: CONTENTS_AREAPORTAL,
  playerClip: CONTENTS_PLAYERCLIP,
  monsterClip: CONTENTS_MONSTERCLIP,
  current0: CONTENTS_CURRENT_0,
  current90: CONTENTS_CURRENT_90,
  current180: CONTENTS_CURRENT_180,
  current270: CONTENTS_CURRENT_270,
  currentUp: CONTENTS_CURRENT_UP,
  currentDown: CONTENTS_CURRENT_DOWN,
  origin: 0x1000000,
  monster: CONTENTS_MONSTER,
  deadMonster: CONTENTS_DEADMONSTER,
  detail: CONTENTS_DETAIL,
  translucent: CONTENTS_TRANSLUCENT,
  ladder: CONTENTS_LADDER,
  all: MASK_ALL,
  anySolid: MASK_SOLID,
  playerSolid: MASK_PLAYERSOLID,
  deadSolid: MASK_DEADSOLID,
  monsterSolid: MASK_MONSTERSOLID,
  liquid: MASK_WATER,
  opaque: MASK_OPAQUE,
  shot: MASK_SHOT,
  current: MASK_CURRENT,
});

/** Surface flags. They are reported and never decide a collision; movement reads `SURFACE_SLICK`. */
export const SURFACE_LIGHT = 0x1;
export const SURFACE_SLICK = 0x2;
export const SURFACE_SKY = 0x4;
export const SURFACE_WARP = 0x8;
export const SURFACE_TRANS33 = 0x10;
export const SURFACE_TRANS66 = 0x20;
export const SURFACE_FLOWING = 0x40;
export const SURFACE_NODRAW = 0x80;
export const SURFACE_HINT = 0x100;
export const SURFACE_SKIP = 0x200;

/** Surface flags by name, both ways. */
export const surfaceNames: FlagNames = /* @__PURE__ */ createFlagNames({
  light: SURFACE_LIGHT,
  slick: SURFACE_SLICK,
  sky: SURFACE_SKY,
  warp: SURFACE_WARP,
  trans33: SURFACE_TRANS33,
  trans66: SURFACE_TRANS66,
  flowing: SURFACE_FLOWING,
  noDraw: SURFACE_NODRAW,
  hint: SURFACE_HINT,
  skip: SURFACE_SKIP,
});
