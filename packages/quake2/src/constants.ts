import type { FlagNames } from '@bspkit/core';
import { createFlagNames } from '@bspkit/core/format';

/** Versions of files: `IBSP` version 38, or `QBSP`, of the same version, for maps that are too large for it. */
export type Quake2Version = 38 | 'QBSP';

// Contents of a brush or leaf: what it is made of.

/** Walls: stops all moves and shots, and sight. */
export const CONTENTS_SOLID = 0x1;
/** Solid, but seen through: stops all moves and shots. */
export const CONTENTS_WINDOW = 0x2;
/** For games of their own; stops nothing by the usual masks. */
export const CONTENTS_AUX = 0x4;
/** Lava: stops sight (`MASK_OPAQUE`), but no moves or shots. */
export const CONTENTS_LAVA = 0x8;
/** Slime: stops sight (`MASK_OPAQUE`), but no moves or shots. */
export const CONTENTS_SLIME = 0x10;
/** Water: stops nothing by the usual masks but `MASK_WATER`. */
export const CONTENTS_WATER = 0x20;
/** Mist: stops nothing by the usual masks. */
export const CONTENTS_MIST = 0x40;
/** A portal between two areas, which doors open and close; stops nothing by the usual masks. */
export const CONTENTS_AREAPORTAL = 0x8000;
/** An invisible wall for players, not for shots. */
export const CONTENTS_PLAYERCLIP = 0x10000;
/** An invisible wall for monsters, not for shots. */
export const CONTENTS_MONSTERCLIP = 0x20000;
/** Pushes players along +x. */
export const CONTENTS_CURRENT_0 = 0x40000;
/** Pushes players along +y. */
export const CONTENTS_CURRENT_90 = 0x80000;
/** Pushes players along -x. */
export const CONTENTS_CURRENT_180 = 0x100000;
/** Pushes players along -y. */
export const CONTENTS_CURRENT_270 = 0x200000;
/** Pushes players up. */
export const CONTENTS_CURRENT_UP = 0x400000;
/** Pushes players down. */
export const CONTENTS_CURRENT_DOWN = 0x800000;
/** The body of a player or monster, as box entities have; in no map. */
export const CONTENTS_MONSTER = 0x2000000;
/** A dead body, which only shots hit; in no map. */
export const CONTENTS_DEADMONSTER = 0x4000000;
/** A brush that does not split visibility; stops nothing by itself. */
export const CONTENTS_DETAIL = 0x8000000;
/** A brush that is drawn translucent; stops nothing by itself. */
export const CONTENTS_TRANSLUCENT = 0x10000000;
/** Players climb on it; stops nothing by itself. */
export const CONTENTS_LADDER = 0x20000000;

// Masks: what stops a trace.

/** All contents. */
export const MASK_ALL = -1;
/** What is solid to everything: walls and windows. Tracers stop at it by default. */
export const MASK_SOLID: number = CONTENTS_SOLID | CONTENTS_WINDOW;
/** What stops players: solid, player clip and bodies. */
export const MASK_PLAYERSOLID: number = MASK_SOLID | CONTENTS_PLAYERCLIP | CONTENTS_MONSTER;
/** What stops dead players: solid and player clip. */
export const MASK_DEADSOLID: number = MASK_SOLID | CONTENTS_PLAYERCLIP;
/** What stops monsters: solid, monster clip and bodies. */
export const MASK_MONSTERSOLID: number = MASK_SOLID | CONTENTS_MONSTERCLIP | CONTENTS_MONSTER;
/** Liquids: water, lava and slime. */
export const MASK_WATER: number = CONTENTS_WATER | CONTENTS_LAVA | CONTENTS_SLIME;
/** What stops sight: walls, slime and lava, not windows. */
export const MASK_OPAQUE: number = CONTENTS_SOLID | CONTENTS_SLIME | CONTENTS_LAVA;
/** What stops shots: solid, and bodies alive and dead. */
export const MASK_SHOT: number = MASK_SOLID | CONTENTS_MONSTER | CONTENTS_DEADMONSTER;
/** All six currents. */
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

// Surface flags. They are reported, and never decide a collision.

/** Emits light; its texture says how much. */
export const SURFACE_LIGHT = 0x1;
/** Slippery: movement reads it. */
export const SURFACE_SLICK = 0x2;
/** Shows the sky. */
export const SURFACE_SKY = 0x4;
/** Drawn in waves, like liquids. */
export const SURFACE_WARP = 0x8;
/** Drawn with an opacity of a third. */
export const SURFACE_TRANS33 = 0x10;
/** Drawn with an opacity of two thirds. */
export const SURFACE_TRANS66 = 0x20;
/** Its texture scrolls. */
export const SURFACE_FLOWING = 0x40;
/** Not drawn. */
export const SURFACE_NODRAW = 0x80;
/** For compilers: splits the tree here. */
export const SURFACE_HINT = 0x100;
/** For compilers: ignored, like the other sides of hint brushes. */
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
