import type { FlagNames } from '@bspkit/core';
import { createFlagNames } from '@bspkit/core/format';

/** Distance that a trace keeps from surfaces by default, in Quake units: the engine's 1/8. */
export const SURFACE_EPSILON = 0.125;

/** Distance that the two Quake 3 tutorials keep from surfaces: 1/32. */
export const TUTORIAL_EPSILON = 0.03125;

// Contents of a brush or patch: what it is made of.

/** Walls: stops all moves and shots, and sight. */
export const CONTENTS_SOLID = 0x1;
/** Lava: stops sight (`MASK_OPAQUE`), but no moves or shots. */
export const CONTENTS_LAVA = 0x8;
/** Slime: stops sight (`MASK_OPAQUE`), but no moves or shots. */
export const CONTENTS_SLIME = 0x10;
/** Water: stops nothing by the usual masks but `MASK_WATER`. */
export const CONTENTS_WATER = 0x20;
/** Fog: stops nothing by the usual masks. */
export const CONTENTS_FOG = 0x40;
/** An invisible wall for players, not for shots. */
export const CONTENTS_PLAYERCLIP = 0x10000;
/** An invisible wall for monsters, which none of the usual masks has. */
export const CONTENTS_MONSTERCLIP = 0x20000;
/** The body of a player, as box entities have; in no map. */
export const CONTENTS_BODY = 0x2000000;
/** A dead body, which only shots hit; in no map. */
export const CONTENTS_CORPSE = 0x4000000;
/** Glass, grates, and clips for weapons: one sees through them. They stop what their other contents stop. */
export const CONTENTS_TRANSLUCENT = 0x20000000;
/** What entities that touch start something, as `trigger_multiple` does; none of the usual masks has it. */
export const CONTENTS_TRIGGER = 0x40000000;

// Masks: what stops a trace.

/** All contents. */
export const MASK_ALL = -1;
/** What is solid to everything: walls. Tracers stop at it by default. */
export const MASK_SOLID: number = CONTENTS_SOLID;
/** What stops players: solid, player clip and bodies. */
export const MASK_PLAYERSOLID: number = CONTENTS_SOLID | CONTENTS_PLAYERCLIP | CONTENTS_BODY;
/** What stops dead players: solid and player clip. */
export const MASK_DEADSOLID: number = CONTENTS_SOLID | CONTENTS_PLAYERCLIP;
/** Liquids: water, lava and slime. */
export const MASK_WATER: number = CONTENTS_WATER | CONTENTS_LAVA | CONTENTS_SLIME;
/** What stops sight: walls, slime and lava. */
export const MASK_OPAQUE: number = CONTENTS_SOLID | CONTENTS_SLIME | CONTENTS_LAVA;
/** What stops shots: solid, and bodies alive and dead. */
export const MASK_SHOT: number = CONTENTS_SOLID | CONTENTS_BODY | CONTENTS_CORPSE;

/** Contents bits and masks by name, both ways. */
export const contentsNames: FlagNames = /* @__PURE__ */ createFlagNames({
  solid: CONTENTS_SOLID,
  lava: CONTENTS_LAVA,
  slime: CONTENTS_SLIME,
  water: CONTENTS_WATER,
  fog: CONTENTS_FOG,
  notTeam1: 0x80,
  notTeam2: 0x100,
  noBotClip: 0x200,
  areaPortal: 0x8000,
  playerClip: CONTENTS_PLAYERCLIP,
  monsterClip: CONTENTS_MONSTERCLIP,
  teleporter: 0x40000,
  jumpPad: 0x80000,
  clusterPortal: 0x100000,
  doNotEnter: 0x200000,
  botClip: 0x400000,
  mover: 0x800000,
  origin: 0x1000000,
  body: CONTENTS_BODY,
  corpse: CONTENTS_CORPSE,
  detail: 0x8000000,
  structural: 0x10000000,
  translucent: CONTENTS_TRANSLUCENT,
  trigger: CONTENTS_TRIGGER,
  noDrop: 0x80000000,
  all: MASK_ALL,
  playerSolid: MASK_PLAYERSOLID,
  deadSolid: MASK_DEADSOLID,
  liquid: MASK_WATER,
  opaque: MASK_OPAQUE,
  shot: MASK_SHOT,
});

/** Surface flags by name, both ways. They are reported and never decide a collision. */
export const surfaceNames: FlagNames = /* @__PURE__ */ createFlagNames({
  noDamage: 0x1,
  slick: 0x2,
  sky: 0x4,
  ladder: 0x8,
  noImpact: 0x10,
  noMarks: 0x20,
  flesh: 0x40,
  noDraw: 0x80,
  hint: 0x100,
  skip: 0x200,
  noLightmap: 0x400,
  pointLight: 0x800,
  metalSteps: 0x1000,
  noSteps: 0x2000,
  nonSolid: 0x4000,
  lightFilter: 0x8000,
  alphaShadow: 0x10000,
  noDLight: 0x20000,
  dust: 0x40000,
});

// Kinds of drawn surfaces.

/** A flat polygon. */
export const SURFACE_PLANAR = 1;
/** A curved patch, the only kind that takes part in collision. */
export const SURFACE_PATCH = 2;
/** A mesh of triangles, such as a model's. */
export const SURFACE_MESH = 3;
/** A flare: a glow that is drawn at a point. */
export const SURFACE_FLARE = 4;
