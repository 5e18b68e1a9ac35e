import type { Vec3 } from '@bspkit/core';
import { checkBounds, checkFlag, checkObject, checkPoint, checkWhole } from '@bspkit/core/format';
import { toInt } from '../turns.ts';
import { BY } from '../vectors.ts';
import {
  ANGLES,
  GOAL,
  IDEAL_YAW,
  NEAR_HIGH,
  NEAR_LOW,
  ORIGIN,
  STEP_LENGTH,
  YAW_SPEED,
} from './server-slide.ts';

// How monsters turn and choose where to go. It is nearly the same in both games, down to a direction of 215 degrees where 225 was
// meant.

const f = Math.fround;

/** Angles have 65,536 units per turn. Both factors are doubles. */
const UNITS = 65536 / 360;
const DEGREES = 360 / 65536;

/** A whole distance. The least number of 32 bits stays negative, as in C, so what is beyond 32 bits counts as less than any other. */
const wholeLength = (x: number): number => Math.abs(toInt(x)) | 0;

/** Leaves the angle at a place in whole units, from 0 to less than a turn. */
function wrap(v: Float32Array, at: number): void {
  v[at] = (toInt(v[at]! * UNITS) & 65535) * DEGREES;
}

/** Turns the yaw by the yaw speed at most, towards the ideal one, and leaves it in whole units. */
export function turnToIdeal(v: Float32Array): void {
  v[BY] = v[ANGLES + 1]!;
  wrap(v, BY);
  const current = v[BY]!;
  const ideal = v[IDEAL_YAW]!;
  if (current === ideal) return;
  v[BY] = ideal - current;
  if (ideal > current) {
    if (v[BY]! >= 180) v[BY] = v[BY]! - 360;
  } else if (v[BY]! <= -180) v[BY] = v[BY]! + 360;
  const speed = v[YAW_SPEED]!;
  if (v[BY]! > 0) {
    if (v[BY]! > speed) v[BY] = speed;
  } else if (v[BY]! < -speed) v[BY] = -speed;
  v[ANGLES + 1] = current + v[BY]!;
  wrap(v, ANGLES + 1);
}

/** Whether its yaw is above the ideal one by too much to step there: it has only turned then. Being below does not count. */
export function facesAway(v: Float32Array): boolean {
  const off = f(v[ANGLES + 1]! - v[IDEAL_YAW]!);
  return off > 45 && off < 315;
}

/** What a monster chases, with its box. */
interface Chased {
  readonly origin: Vec3;
  readonly mins: Vec3;
  readonly maxs: Vec3;
  readonly unlinked?: boolean | undefined;
}

/** Throws unless `chased` is something with a place and a box. Its names are whole: putting them together would allocate. */
export function checkChased(chased: Chased, [name, origin, mins, maxs, unlinked]: readonly string[]): void {
  checkObject(chased, name!);
  checkPoint(chased.origin, origin!);
  checkPoint(chased.mins, mins!);
  checkPoint(chased.maxs, maxs!);
  checkBounds(chased.mins, chased.maxs);
  if (chased.unlinked !== undefined) checkFlag(chased.unlinked, unlinked!);
}

/** Entities take part in the world with boxes that are this much larger on each side; items in Quake, level, by more. */
const MARGIN = 1;
const ITEM_MARGIN = 15;

/** Notes the box of what a monster chases. */
export function noteChased(v: Float32Array, chased: Chased, isItem: boolean): void {
  const { origin, mins, maxs, unlinked = false } = chased;
  for (let k = 0; k < 3; k++) {
    const at = f(origin[k]!);
    const margin = unlinked ? 0 : isItem ? (k === 2 ? 0 : ITEM_MARGIN) : MARGIN;
    v[NEAR_LOW + k] = f(at + f(mins[k]!)) - margin;
    v[NEAR_HIGH + k] = f(at + f(maxs[k]!)) + margin;
  }
}

/** Whether the box of a monster at a place comes to the one that was noted by going as far as it steps along each axis. */
export function isClose(v: Float32Array, place: number, mins: Float32Array, maxs: Float32Array): boolean {
  const way = v[STEP_LENGTH]!;
  for (let k = 0; k < 3; k++) {
    const low = f(f(v[place + k]! + mins[k]!) - MARGIN);
    const high = f(f(v[place + k]! + maxs[k]!) + MARGIN);
    if (v[NEAR_LOW + k]! > f(high + way) || v[NEAR_HIGH + k]! < f(low - way)) return false;
  }
  return true;
}

/** Draws a number, of which both games use the lowest two bits at most. */
function draw(random: () => number): number {
  const number = random();
  checkWhole(number, 'random()', 0, 0x7fffffff);
  return number;
}

/** How many directions there are to try, with repetitions; last of all, it goes back. */
const WAYS = 12;
/** The first of the eight that are tried in turn, and how many there are. */
const AROUND = 4;
const TURNS = 8;
const NO_WAY = -1;

/** Turns a monster to its ideal yaw and steps there. Returns whether it could. */
type StepOn<Work, State> = (work: Work, state: State) => boolean;

/** The directions in which a monster tries to go when it cannot go on, in this order; in whole degrees. */
export class Ways {
  private _x = NO_WAY;
  private _y = NO_WAY;
  private _isSteep = false;
  private _isUp = false;
  private readonly _isExact: boolean;

  /** @param isExact - whether fractions count where two distances are compared, as they do in later engines. */
  constructor(isExact: boolean) {
    this._isExact = isExact;
  }

  /**
   * Makes a step of a monster at ORIGIN, with a goal at GOAL: on, or where that is not possible, and sometimes without reason, in
   * another direction, which is its ideal yaw from then on. Returns whether it could.
   */
  step<Work, State>(
    v: Float32Array,
    random: () => number,
    stepOn: StepOn<Work, State>,
    work: Work,
    state: State,
  ): boolean {
    if ((draw(random) & 3) !== 1 && stepOn(work, state)) return true;
    const old = this._begin(v);
    const back = (old + 180) % 360;
    for (let k = 0; k < WAYS; k++) {
      const way = this._way(k, old, random);
      if (way === NO_WAY || way === back) continue;
      v[IDEAL_YAW] = way;
      if (stepOn(work, state)) return true;
    }
    v[IDEAL_YAW] = back;
    if (stepOn(work, state)) return true;
    v[IDEAL_YAW] = old;
    return false;
  }

  /** Returns where it was going, in whole eighths of a turn, in degrees. */
  private _begin(v: Float32Array): number {
    const x = f(v[GOAL]! - v[ORIGIN]!);
    const y = f(v[GOAL + 1]! - v[ORIGIN + 1]!);
    this._x = x > 10 ? 0 : x < -10 ? 180 : NO_WAY;
    this._y = y < -10 ? 270 : y > 10 ? 90 : NO_WAY;
    this._isSteep = this._isExact ? Math.abs(y) > Math.abs(x) : wholeLength(y) > wholeLength(x);
    // Of these angles, whole units are whole degrees.
    v[BY] = v[IDEAL_YAW]! / 45;
    v[BY] = Math.imul(toInt(v[BY]!), 45);
    wrap(v, BY);
    return v[BY]! | 0;
  }

  /** The direction to try as number `k`, each in turn from 0 on. */
  private _way(k: number, old: number, random: () => number): number {
    const { _x: x, _y: y } = this;
    if (k === 0) {
      if (x === NO_WAY || y === NO_WAY) return NO_WAY;
      return x === 0 ? (y === 90 ? 45 : 315) : y === 90 ? 135 : 215;
    }
    if (k === 1 && ((draw(random) & 1) !== 0 || this._isSteep)) {
      this._x = y;
      this._y = x;
    }
    if (k < AROUND) return k === 1 ? this._x : k === 2 ? y : old;
    if (k === AROUND) this._isUp = (draw(random) & 1) !== 0;
    return 45 * (this._isUp ? k - AROUND : AROUND + TURNS - 1 - k);
  }
}
