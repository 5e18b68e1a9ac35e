import type { FlagNames } from '@bspkit/core';
import { createFlagNames } from '@bspkit/core/format';

/** Side of a cell in x and y, in Quake units. */
export const CELL_SIZE = 32;
/** Height of a cell, which is that of a level, in Quake units. */
export const LEVEL_HEIGHT = 64;
/** Cells along x and along y: the world spans -4096 to 4096 Quake units. */
export const WORLD_CELLS = 256;
/** Levels of a map, counted from 1. */
export const LEVEL_COUNT = 8;

/** Models that every map has: one for each set of levels (0 to 255), then the three kinds of clip. */
export const REGULAR_MODELS = 259;
/** Model of the light clip brushes. Sight and shots pass them; the engine's line test never looks at them. */
export const LIGHTCLIP_MODEL = 256;
/** Model of the weapon clip brushes: shots stop at them, sight does not. */
export const WEAPONCLIP_MODEL = 257;
/** Model of the actor clip brushes: walkers stop at them. */
export const ACTORCLIP_MODEL = 258;

/** Distance that boxes and rays keep from surfaces, in Quake units: a double, as in the engine. Lines keep none. */
export const SURFACE_EPSILON: number = 1 / 32;

/** Level mask of all eight levels. */
export const ALL_LEVELS = 0xff;
/** Bit of a line's mask that adds actor clip. In a box's mask the same bit keeps "clip" through level rebuilding. */
export const WITH_ACTORCLIP = 0x100;
/** Bit of a line's mask that adds weapon clip. */
export const WITH_WEAPONCLIP = 0x200;
/** Box mask of all levels and clips, as the game's path finding uses it. */
export const BOX_ALL = 0x1ff;

// Contents of a brush or leaf.

/** Walls: stops all lines, moves and shots. */
export const CONTENTS_SOLID = 0x1;
/** Solid to boxes, rays and shots, but seen through: stops no line. */
export const CONTENTS_WINDOW = 0x2;
/** Marks ladders; stops nothing by itself. */
export const CONTENTS_LADDER = 0x4;
/** Water: stops no line; is in `MASK_VISIBILITY` and `MASK_PASSABLE`. */
export const CONTENTS_WATER = 0x20;
/** The bits of all eight levels, 0x100 for level 1 to 0x8000 for level 8, in which a brush is shown. */
export const CONTENTS_LEVEL_ALL = 0xff00;
/** An invisible wall for walkers: stops boxes, and lines with `WITH_ACTORCLIP`. */
export const CONTENTS_ACTORCLIP = 0x10000;
/** Makes leafs passable: those that contain it stop no line, nor any box that rejects it, which is the default. */
export const CONTENTS_PASSABLE = 0x20000;
/** Marks terrain; stops nothing by itself. */
export const CONTENTS_TERRAIN = 0x40000;
/** Only for light: sight and shots pass it; lines stop at it with `lightClip`. */
export const CONTENTS_LIGHTCLIP = 0x80000;
/** The body of an actor; found in no map. */
export const CONTENTS_ACTOR = 0x800000;
/** Marks the point around which an inline model turns; only for compilers. */
export const CONTENTS_ORIGIN = 0x1000000;
/** An invisible wall for shots: stops `MASK_SHOT`, and lines with `WITH_WEAPONCLIP`. */
export const CONTENTS_WEAPONCLIP = 0x2000000;
/** The body of a dead actor, which only shots hit; found in no map. */
export const CONTENTS_DEADACTOR = 0x4000000;
/** Marks details; stops nothing by itself. */
export const CONTENTS_DETAIL = 0x8000000;
/** A brush that is drawn translucent; stops nothing by itself. */
export const CONTENTS_TRANSLUCENT = 0x10000000;

// Masks: what stops a box or point trace.

/** All contents. A moving box or ray with this mask ignores both contents and `reject`. */
export const MASK_ALL = -1;
/** Walls and windows: what rays stop at by default. */
export const MASK_SOLID: number = CONTENTS_SOLID | CONTENTS_WINDOW;
/** What stops walkers: walls, windows and actor clip. What boxes stop at by default. */
export const MASK_IMPASSABLE: number = MASK_SOLID | CONTENTS_ACTORCLIP;
/** Passable brushes and water: the game's path finding uses this as `reject`. */
export const MASK_PASSABLE: number = CONTENTS_PASSABLE | CONTENTS_WATER;
/** Sight in the game's entity traces: a door must have one of these to hide what is behind it. */
export const MASK_VISIBILITY: number = CONTENTS_SOLID | CONTENTS_WATER;
/** What stops shots: walls, windows, weapon clip, and bodies alive and dead. */
export const MASK_SHOT: number = MASK_SOLID | CONTENTS_ACTOR | CONTENTS_WEAPONCLIP | CONTENTS_DEADACTOR;
/** What stops smoke and fire: walls, windows, water and weapon clip. */
export const MASK_SMOKE_AND_FIRE: number = MASK_SOLID | CONTENTS_WATER | CONTENTS_WEAPONCLIP;
/** All three kinds of clip: actor, light and weapon clip. */
export const MASK_CLIP: number = CONTENTS_ACTORCLIP | CONTENTS_LIGHTCLIP | CONTENTS_WEAPONCLIP;
/** Everything except light clip: the game's path finding measures passages with it. */
export const MASK_NO_LIGHTCLIP: number = ~CONTENTS_LIGHTCLIP;

/** Contents bits and masks by name, both ways. */
export const contentsNames: FlagNames = /* @__PURE__ */ createFlagNames({
  solid: CONTENTS_SOLID,
  window: CONTENTS_WINDOW,
  ladder: CONTENTS_LADDER,
  water: CONTENTS_WATER,
  level1: 0x100,
  level2: 0x200,
  level3: 0x400,
  level4: 0x800,
  level5: 0x1000,
  level6: 0x2000,
  level7: 0x4000,
  level8: 0x8000,
  actorClip: CONTENTS_ACTORCLIP,
  passable: CONTENTS_PASSABLE,
  terrain: CONTENTS_TERRAIN,
  lightClip: CONTENTS_LIGHTCLIP,
  actor: CONTENTS_ACTOR,
  origin: CONTENTS_ORIGIN,
  weaponClip: CONTENTS_WEAPONCLIP,
  deadActor: CONTENTS_DEADACTOR,
  detail: CONTENTS_DETAIL,
  translucent: CONTENTS_TRANSLUCENT,
  all: MASK_ALL,
  levels: CONTENTS_LEVEL_ALL,
  solidMask: MASK_SOLID,
  impassable: MASK_IMPASSABLE,
  passableMask: MASK_PASSABLE,
  shot: MASK_SHOT,
  smokeAndFire: MASK_SMOKE_AND_FIRE,
  visibility: MASK_VISIBILITY,
  clip: MASK_CLIP,
  noLightClip: MASK_NO_LIGHTCLIP,
});

/** Surface flags by name, both ways. They are reported and never change a trace. */
export const surfaceNames: FlagNames = /* @__PURE__ */ createFlagNames({
  light: 0x1,
  slick: 0x2,
  warp: 0x8,
  blend33: 0x10,
  blend66: 0x20,
  flowing: 0x40,
  noDraw: 0x80,
  hint: 0x100,
  skip: 0x200,
  phong: 0x400,
  burn: 0x800,
  footstep: 0x1000,
  origin: 0x2000,
  alphaTest: 0x2000000,
});
