/** The types of Quake 2 players: `state.type`. */
export const Quake2Type = {
  normal: 0,
  /** Flies through walls. */
  spectator: 1,
  dead: 2,
  gib: 3,
  freeze: 4,
} as const;

/** Bits of `state.flags`. */
export const Quake2Flag = {
  ducked: 1,
  jumpHeld: 2,
  onGround: 4,
  /** What `state.timer` counts: the time after a jump out of water, a landing, or a teleport. */
  timeWaterJump: 8,
  timeLand: 16,
  timeTeleport: 32,
  /** Tells the client not to predict. Movement ignores it. */
  noPrediction: 64,
} as const;

/** The three flags that `state.timer` serves. */
export const ALL_TIMES: number = Quake2Flag.timeWaterJump | Quake2Flag.timeLand | Quake2Flag.timeTeleport;

// Contents and surface flags that matter to players.
export const CONTENTS_SOLID = 0x1;
export const CONTENTS_SLIME = 0x10;
export const CONTENTS_WATER = 0x20;
const CONTENTS_PLAYERCLIP = 0x10000;
const CONTENTS_MONSTERCLIP = 0x20000;
export const CONTENTS_CURRENT_0 = 0x40000;
export const CONTENTS_CURRENT_90 = 0x80000;
export const CONTENTS_CURRENT_180 = 0x100000;
export const CONTENTS_CURRENT_270 = 0x200000;
export const CONTENTS_CURRENT_UP = 0x400000;
export const CONTENTS_CURRENT_DOWN = 0x800000;
export const CONTENTS_MONSTER = 0x2000000;
export const CONTENTS_DEADMONSTER = 0x4000000;
export const CONTENTS_LADDER = 0x20000000;
/** Contents of windows, which players do not walk through. */
const CONTENTS_WINDOW = 0x2;
export const MASK_WATER = 0x38;
export const MASK_SOLID: number = CONTENTS_SOLID | CONTENTS_WINDOW;
export const MASK_MONSTERSOLID: number = MASK_SOLID | CONTENTS_MONSTERCLIP | CONTENTS_MONSTER;
export const MASK_SHOT: number = MASK_SOLID | CONTENTS_MONSTER | CONTENTS_DEADMONSTER;
export const MASK_PLAYERSOLID: number =
  CONTENTS_SOLID | CONTENTS_WINDOW | CONTENTS_PLAYERCLIP | CONTENTS_MONSTER;
export const SURF_SLICK = 0x2;

// Heights of the eyes.
export const VIEW = 22;
export const DUCKED_VIEW = -2;
export const GIB_VIEW = 8;

/** The part of a velocity that goes into a plane is removed this many times. */
export const OVERCLIP: number = Math.fround(1.01);

/** Floors are planes whose normal has this z or more. */
export const LEAST_FLOOR = 0.7;

export const STEP_SIZE = 18;
export const STOP_SPEED = 100;
export const MAX_SPEED = 300;
export const DUCK_SPEED = 100;
export const ACCELERATE = 10;
export const WATER_SPEED = 400;
export const FRICTION = 6;

/** A state's positions and speeds are counted in units of this. */
export const EIGHTH = 0.125;
