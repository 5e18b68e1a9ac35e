/** The types of Quake 3 players: `state.type`. */
export const Quake3Type = {
  normal: 0,
  noclip: 1,
  spectator: 2,
  dead: 3,
  freeze: 4,
  intermission: 5,
  /** The intermission of the single-player game. */
  soloIntermission: 6,
} as const;

/** Bits of `state.flags`. */
export const Quake3Flag = {
  ducked: 1,
  jumpHeld: 2,
  /** The last jump went backwards. */
  backwardsJump: 8,
  backwardsRun: 16,
  /** What `state.timer` counts: time after a landing, a push or a jump out of water. */
  timeLand: 32,
  timeKnockback: 64,
  timeWaterJump: 256,
  /** Just respawned: no jump until the buttons are released. */
  respawned: 512,
  useItemHeld: 1024,
  grapplePull: 2048,
  follow: 4096,
  scoreboard: 8192,
  invulnerabilityExpand: 16384,
} as const;

/** Bits of `command.buttons`. */
export const Quake3Button = { attack: 1, talk: 2, useItem: 4, gesture: 8, walking: 16 } as const;

/** Events: what a player does that others hear or see. A step on a surface without footsteps is event 0. */
export const Quake3Event = {
  none: 0,
  footstep: 1,
  metalFootstep: 2,
  footSplash: 3,
  swim: 5,
  step4: 6,
  step8: 7,
  step12: 8,
  step16: 9,
  fallShort: 10,
  fallMedium: 11,
  fallFar: 12,
  jump: 14,
  waterTouch: 15,
  waterLeave: 16,
  waterUnder: 17,
  waterClear: 18,
} as const;

/** The three flags that `state.timer` serves. */
export const ALL_TIMES: number = Quake3Flag.timeLand | Quake3Flag.timeKnockback | Quake3Flag.timeWaterJump;

// Contents and surface flags that matter to players.
export const CONTENTS_SOLID = 0x1;
export const CONTENTS_PLAYERCLIP = 0x10000;
export const CONTENTS_BODY = 0x2000000;
export const MASK_WATER = 0x38;
export const MASK_PLAYERSOLID: number = CONTENTS_SOLID | CONTENTS_PLAYERCLIP | CONTENTS_BODY;
/** What stops shots: solid, bodies and corpses. */
export const MASK_SHOT: number = CONTENTS_SOLID | CONTENTS_BODY | 0x4000000;
export const SURF_NODAMAGE = 0x1;
export const SURF_SLICK = 0x2;
export const SURF_METALSTEPS = 0x1000;
export const SURF_NOSTEPS = 0x2000;

/** The player's feet: the least z of its box. */
export const FEET = -24;

// Heights of the eyes.
export const VIEW = 26;
export const DUCKED_VIEW = 12;
export const DEAD_VIEW = -16;

/** The part of a velocity that goes into a plane is removed this many times. */
export const OVERCLIP: number = Math.fround(1.001);

/** Floors are planes whose normal has this z or more. */
export const LEAST_FLOOR: number = Math.fround(0.7);

export const STEP_SIZE = 18;
export const STOP_SPEED = 100;
