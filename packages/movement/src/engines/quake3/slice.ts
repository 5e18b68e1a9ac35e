import { clear, copy } from '../../vectors.ts';
import { turnView, updateAngles } from './angles.ts';
import { checkDuck, setWaterLevel } from './body.ts';
import { ALL_TIMES, Quake3Button, Quake3Flag, Quake3Type } from './constants.ts';
import { bob, waterEvents } from './events.ts';
import { traceGround } from './ground.ts';
import {
  BUTTONS,
  COMMAND_TIME,
  FLAGS,
  FLIGHT,
  FRAME,
  FRAME_TIME,
  GROUND_NORMAL,
  HAS_PLANE,
  HEALTH,
  MOVE_FORWARD,
  MOVE_RIGHT,
  MOVE_UP,
  MS,
  NUM_TOUCHED,
  OLD_LEVEL,
  OLD_ORIGIN,
  OLD_VELOCITY,
  ORIGIN,
  QVM,
  SERVER_TIME,
  SURFACE,
  TIMER,
  TYPE,
  VELOCITY,
  WALKING,
  WATER_LEVEL,
  WATER_TYPE,
  type Work,
} from './memory.ts';
import {
  airMove,
  deadMove,
  flyMove,
  grappleMove,
  noclipMove,
  walkMove,
  waterJumpMove,
  waterMove,
} from './moves.ts';

const f = Math.fround;

/** The most time that a command catches up with, in milliseconds. */
export const MOST_TIME = 1000;

/** While the jump key is held after a jump, it counts as pressed this much. */
const HELD_JUMP = 20;

/** Milliseconds to seconds. In native code, a double. */
const SECONDS = 0.001;
const SECONDS_QVM: number = f(0.001);

/** Runs a command that is later than the state, in slices of at most this many milliseconds. */
export function runCommand(work: Work, slice: number): void {
  const { ints } = work;
  const end = ints[SERVER_TIME]!;
  if (end > ints[COMMAND_TIME]! + MOST_TIME) ints[COMMAND_TIME] = end - MOST_TIME;
  ints[FRAME] = (ints[FRAME]! + 1) & 63;
  while (ints[COMMAND_TIME] !== end) {
    ints[MS] = Math.min(end - ints[COMMAND_TIME]!, slice);
    runSlice(work);
    if ((ints[FLAGS]! & Quake3Flag.jumpHeld) !== 0) ints[MOVE_UP] = HELD_JUMP;
  }
}

function runSlice(work: Work): void {
  const { floats: v, ints } = work;
  ints[NUM_TOUCHED] = 0;
  ints[WATER_TYPE] = 0;
  ints[WATER_LEVEL] = 0;
  readButtons(work);
  ints[WALKING] = 0;
  ints[HAS_PLANE] = 0;
  ints[SURFACE] = 0;
  clear(v, GROUND_NORMAL);
  ints[COMMAND_TIME] = ints[COMMAND_TIME]! + ints[MS]!;
  v[FRAME_TIME] = ints[MS]! * (ints[QVM] !== 0 ? SECONDS_QVM : SECONDS);
  copy(v, ORIGIN, OLD_ORIGIN);
  copy(v, VELOCITY, OLD_VELOCITY);
  updateAngles(work);
  turnView(work);
  readMoves(ints);
  const type = ints[TYPE]!;
  if (type === Quake3Type.spectator) {
    checkDuck(work);
    flyMove(work);
    dropTimers(ints);
  } else if (type === Quake3Type.noclip) {
    noclipMove(work);
    dropTimers(ints);
  } else if (type === Quake3Type.normal || type === Quake3Type.dead) movePlayer(work);
}

/** Sets the flags that depend on buttons and on being dead. */
function readButtons({ ints }: Work): void {
  const buttons = ints[BUTTONS]!;
  if (Math.abs(ints[MOVE_FORWARD]!) > 64 || Math.abs(ints[MOVE_RIGHT]!) > 64) {
    ints[BUTTONS] = buttons & ~Quake3Button.walking;
  }
  if (ints[HEALTH]! > 0 && (buttons & (Quake3Button.attack | Quake3Button.useItem)) === 0) {
    ints[FLAGS] = ints[FLAGS]! & ~Quake3Flag.respawned;
  }
  if ((buttons & Quake3Button.talk) === 0) return;
  ints[BUTTONS] = Quake3Button.talk;
  stand(ints);
}

/** Clears the command's moves. */
function stand(ints: Int32Array): void {
  ints[MOVE_FORWARD] = 0;
  ints[MOVE_RIGHT] = 0;
  ints[MOVE_UP] = 0;
}

/** Sets the flags that depend on the command's moves. */
function readMoves(ints: Int32Array): void {
  if (ints[MOVE_UP]! < 10) ints[FLAGS] = ints[FLAGS]! & ~Quake3Flag.jumpHeld;
  const forward = ints[MOVE_FORWARD]!;
  if (forward < 0) ints[FLAGS] = ints[FLAGS]! | Quake3Flag.backwardsRun;
  else if (forward > 0 || ints[MOVE_RIGHT] !== 0) ints[FLAGS] = ints[FLAGS]! & ~Quake3Flag.backwardsRun;
  if (ints[TYPE]! >= Quake3Type.dead) stand(ints);
}

/** Moves a player that is not a spectator or frozen. */
function movePlayer(work: Work): void {
  const { floats: v, ints } = work;
  // With the eyes at their previous height.
  setWaterLevel(work);
  ints[OLD_LEVEL] = ints[WATER_LEVEL]!;
  checkDuck(work);
  traceGround(work);
  if (ints[TYPE] === Quake3Type.dead) deadMove(work);
  dropTimers(ints);
  const flags = ints[FLAGS]!;
  if (ints[FLIGHT] !== 0) flyMove(work);
  else if ((flags & Quake3Flag.grapplePull) !== 0) {
    grappleMove(work);
    airMove(work);
  } else if ((flags & Quake3Flag.timeWaterJump) !== 0) waterJumpMove(work);
  else if (ints[WATER_LEVEL]! > 1) waterMove(work);
  else if (ints[WALKING] !== 0) walkMove(work);
  else airMove(work);
  traceGround(work);
  setWaterLevel(work);
  releaseItem(ints);
  bob(work);
  waterEvents(work);
  snapVelocity(v);
}

function dropTimers(ints: Int32Array): void {
  if (ints[TIMER] === 0) return;
  if (ints[MS]! >= ints[TIMER]!) {
    ints[FLAGS] = ints[FLAGS]! & ~ALL_TIMES;
    ints[TIMER] = 0;
  } else ints[TIMER] = ints[TIMER]! - ints[MS]!;
}

function releaseItem(ints: Int32Array): void {
  if ((ints[FLAGS]! & Quake3Flag.respawned) !== 0 || ints[HEALTH]! <= 0) return;
  if ((ints[BUTTONS]! & Quake3Button.useItem) === 0) ints[FLAGS] = ints[FLAGS]! & ~Quake3Flag.useItemHeld;
}

/** Rounds the velocity to whole numbers: halves to even, as the processor's conversion does; never -0. */
function snapVelocity(v: Float32Array): void {
  for (let k = VELOCITY; k < VELOCITY + 3; k++) {
    // Adding a number this large leaves no binary places, and rounds as arithmetic does.
    const whole = v[k]! + 6755399441055744 - 6755399441055744;
    v[k] = whole >= -2147483648 && whole < 2147483648 ? whole : -2147483648;
  }
}
