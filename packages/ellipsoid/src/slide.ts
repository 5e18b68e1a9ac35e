import type { MoveEnd, Vec3 } from '@bspkit/core';
import {
  checkMove,
  checkOptions,
  checkRadius,
  checkWhole,
  failArgument,
  isArrayOf,
  printAsString,
  showVec,
} from '@bspkit/core/format';
import { lengthOf } from '@bspkit/geometry';
import { meetsNothing } from './kernel/clearings.ts';
import { Q_GAP, Q_MOVE, Q_OUT, Q_RADII, Q_START, Q_STOP, QUERY_NUMBERS } from './kernel/query.ts';
import { prepareSweep, stopBefore, sweep } from './kernel/sweep.ts';
import { deepestOverlap } from './kernel/walk.ts';
import { PIECE_POLYGON, POLYGON_WORDS } from './layout.ts';
import { checkRadii } from './radii.ts';
import { checkWorld } from './source.ts';
import type { EllipsoidWorld } from './world.ts';

/** How an ellipsoid slides. */
export interface SlideOptions {
  /** Distance to keep from what it slides along, in Quake units, above 0; 1/32 by default. */
  readonly gap?: number | undefined;
  /** Contacts that one slide may have, 1 to 16; 5 by default. */
  readonly maxContacts?: number | undefined;
}

/** The result of a slide. Made by {@link createSlide}, owned by the caller, completely overwritten. */
export interface Slide {
  /** Where it ended. */
  endPos: Float32Array;
  /** What remains of the move, turned along what was hit; zero if the move was completed or cannot continue. */
  remaining: Float32Array;
  /** How many contacts there were. */
  contacts: number;
  /** Their normals, three numbers each, and the polygons. */
  normals: Float32Array;
  polygons: Int32Array;
  /** How far it was pushed out of an overlap before it began, in Quake units. */
  pushed: number;
}

const MOST_CONTACTS = 16;
export const SLIDER_OPTIONS: readonly (keyof SlideOptions)[] = ['gap', 'maxContacts'];
/** A slider's state: where it is, the rest of the move, and the move as requested, three numbers each. Then: */
const REST = 3;
const MOVE = 6;
/** How far it was pushed; the way along a crease; how far a way leads along the move; the length that counts as nothing. */
const PUSHED = 9;
const CREASE = 10;
const ONWARDS = 13;
const LEAST = 14;
/** The most pushes out of overlaps, deepest first. */
const MOST_PUSHES = 32;
/** A share of a move that is left and no larger than this counts as nothing. */
const NOTHING_LEFT = 1e-9;

/** A fresh answer of {@link EllipsoidSlider.slide}. */
export function createSlide(): Slide {
  return {
    endPos: new Float32Array(3),
    remaining: new Float32Array(3),
    contacts: 0,
    normals: new Float32Array(3 * MOST_CONTACTS),
    polygons: new Int32Array(MOST_CONTACTS),
    pushed: 0,
  };
}

/**
 * Moves an ellipsoid along what it meets: exact sweeps, each followed by one along the surfaces met, along the crease of two, and
 * no farther in the corner of three. An overlap at the start is resolved first, by the shortest way out of each polygon; so small
 * rounding errors never add up to a fall through the floor.
 */
export class EllipsoidSlider {
  /** @internal */
  readonly _world: EllipsoidWorld;
  /** @internal What was asked last, and found. */
  readonly _query: Float64Array = new Float64Array(QUERY_NUMBERS);
  private readonly _maxContacts: number;
  /** @internal */
  readonly _state: Float64Array = new Float64Array(15);
  /** Views of the position, and of the greatest corner of its bounds. */
  private readonly _start: Float64Array = this._state.subarray(0, 3);
  private readonly _maxs: Float64Array = this._query.subarray(Q_RADII, Q_RADII + 3);
  private readonly _mins: Float64Array = new Float64Array(3);
  private readonly _end: Float64Array = new Float64Array(3);
  private readonly _normals: Float64Array = new Float64Array(3 * MOST_CONTACTS);
  /** Whether the move is known to meet nothing. */
  private _isClear = false;
  private _pushes = 0;
  /** @internal Why the last round was the last; of a round after which others come, it says nothing. */
  _ended: MoveEnd = 'free';
  /** @internal The contacts whose surfaces the rest leads along, or would lead into, beside the last one; -1 for none. */
  _second = -1;
  /** @internal */
  _third = -1;

  constructor(world: EllipsoidWorld, radii: Vec3, options: SlideOptions = {}) {
    checkWorld(world);
    checkRadii(radii);
    checkOptions(options, SLIDER_OPTIONS);
    const { gap = 1 / 32, maxContacts = 5 } = options;
    checkRadius(gap, 'gap');
    if (gap === 0) throw new RangeError('gap must be above 0');
    checkWhole(maxContacts, 'maxContacts', 1, MOST_CONTACTS);
    this._world = world;
    this._query[Q_GAP] = gap;
    this._maxContacts = maxContacts;
    for (let k = 0; k < 3; k++) {
      this._maxs[k] = Math.fround(radii[k]!);
      this._mins[k] = -this._maxs[k]!;
    }
    printAsString(this);
  }

  /**
   * Slides from `start` towards `end`. With `out` nothing is allocated.
   * @throws RangeError when a coordinate is not finite as a float32, TypeError for ends that are not three numbers, and for an
   *   `out` that has no room for all contacts.
   */
  slide(start: Vec3, end: Vec3, out: Slide = createSlide()): Slide {
    checkMove(start, end);
    const isSlide =
      isArrayOf(out?.normals, Float32Array, 3 * MOST_CONTACTS) &&
      isArrayOf(out.endPos, Float32Array, 3) &&
      isArrayOf(out.remaining, Float32Array, 3) &&
      isArrayOf(out.polygons, Int32Array, MOST_CONTACTS);
    if (!isSlide) failArgument('out', 'an answer made by createSlide', out, false);
    const { _state: state } = this;
    this._begin(start, end, out);
    while (this._push() >= 0);
    out.pushed = state[PUSHED]!;
    while (this._round(out));
    for (let k = 0; k < 3; k++) {
      out.endPos[k] = state[k]!;
      out.remaining[k] = state[3 + k]!;
    }
    return out;
  }

  /** @internal Takes a move. */
  _begin(start: Vec3, end: Vec3, out: Slide): void {
    const { _state: state, _end: goal } = this;
    // All six are read before the first is written: reading them may run a getter that slides.
    const ax = start[0]!;
    const ay = start[1]!;
    const az = start[2]!;
    const bx = end[0]!;
    const by = end[1]!;
    const bz = end[2]!;
    state[0] = ax;
    state[1] = ay;
    state[2] = az;
    goal[0] = bx;
    goal[1] = by;
    goal[2] = bz;
    for (let k = 0; k < 3; k++) {
      state[3 + k] = goal[k]! - state[k]!;
      state[6 + k] = state[3 + k]!;
    }
    out.contacts = 0;
    state[PUSHED] = 0;
    this._pushes = 0;
    this._isClear = meetsNothing(this._world._memory, this._start, this._end, this._mins, this._maxs);
  }

  /**
   * @internal Leaves the piece that it overlaps deepest, and returns its place; -1 if it overlaps none, or was pushed often enough.
   */
  _push(): number {
    if (this._isClear || this._pushes === MOST_PUSHES) return -1;
    const { _query: query, _state: state } = this;
    for (let k = 0; k < 3; k++) {
      query[Q_START + k] = state[k]!;
      query[Q_MOVE + k] = 0;
    }
    prepareSweep(query);
    const piece = deepestOverlap(this._world._memory, query, this._normals);
    if (piece < 0) return piece;
    this._pushes++;
    const way = this._depth + query[Q_GAP]!;
    state[PUSHED]! += way;
    for (let k = 0; k < 3; k++) state[k]! += way * this._normals[k]!;
    return piece;
  }

  /** @internal How deep it overlapped what it was pushed out of last, in Quake units. */
  get _depth(): number {
    return this._normals[3]!;
  }

  /** @internal One sweep, and the turn after it: whether there is another one. */
  _round(out: Slide): boolean {
    const { _query: query, _state: state } = this;
    const piece = this._isClear ? -1 : this._sweepRest();
    if (piece < 0) {
      for (let k = 0; k < 3; k++) {
        state[k]! += state[3 + k]!;
        state[3 + k] = 0;
      }
      this._ended = 'free';
      return false;
    }
    stopBefore(query);
    const time = query[Q_STOP]!;
    const at = 3 * out.contacts;
    for (let k = 0; k < 3; k++) {
      const normal = query[Q_OUT + k]!;
      this._normals[at + k] = normal;
      out.normals[at + k] = normal;
      state[k]! += time * state[3 + k]!;
      state[3 + k]! *= 1 - time;
    }
    const { ints, places } = this._world._memory;
    out.polygons[out.contacts] = (ints[piece + PIECE_POLYGON]! - places.polygons.first) / POLYGON_WORDS;
    out.contacts++;
    if (!this._turn(out.contacts)) return false;
    this._ended = 'limit';
    return out.contacts < this._maxContacts;
  }

  private _sweepRest(): number {
    const { _query: query, _state: state } = this;
    for (let k = 0; k < 3; k++) {
      query[Q_START + k] = state[k]!;
      query[Q_MOVE + k] = state[3 + k]!;
    }
    prepareSweep(query);
    return sweep(this._world._memory, query, false);
  }

  /**
   * Turns the rest of the move along the last of `count` surfaces, or along its crease with an earlier one: of the ways that lead into
   * none of the others, the one that leads farthest along the move as it was requested. The last surface alone would lead back out of
   * many a valley. Returns false if no direction is left.
   */
  private _turn(count: number): boolean {
    const { _normals: normals, _state: state } = this;
    const last = 3 * (count - 1);
    state[LEAST] = NOTHING_LEFT * lengthOf(state[MOVE]!, state[MOVE + 1]!, state[MOVE + 2]!);
    const x = normals[last]!;
    const y = normals[last + 1]!;
    const z = normals[last + 2]!;
    const towards = x * state[REST]! + y * state[REST + 1]! + z * state[REST + 2]!;
    state[REST]! -= towards * x;
    state[REST + 1]! -= towards * y;
    state[REST + 2]! -= towards * z;
    let second = this._entered(REST, last);
    let farthest = second < 0 ? Math.max(0, state[ONWARDS]!) : 0.5 - 0.5;
    for (let k = 0; k < last; k += 3) {
      this._follow(last, k);
      if (this._entered(CREASE, last) >= 0 || !(state[ONWARDS]! > farthest * (1 + NOTHING_LEFT))) continue;
      farthest = state[ONWARDS]!;
      second = k;
    }
    this._second = -1;
    this._third = -1;
    if (second >= 0) {
      this._second = second / 3;
      this._follow(last, second);
      for (let k = 0; k < 3; k++) state[REST + k] = state[CREASE + k]!;
      const third = this._entered(REST, last);
      if (third >= 0) {
        this._third = third / 3;
        return this._stop('corner');
      }
    }
    if (lengthOf(state[REST]!, state[REST + 1]!, state[REST + 2]!) <= state[LEAST]!)
      return this._stop('straight');
    return farthest > 0 || this._stop('back');
  }

  /** Writes the part of the rest that leads along the crease of two surfaces. */
  private _follow(a: number, b: number): void {
    const { _normals: normals, _state: state } = this;
    const x = normals[a + 1]! * normals[b + 2]! - normals[a + 2]! * normals[b + 1]!;
    const y = normals[a + 2]! * normals[b]! - normals[a]! * normals[b + 2]!;
    const z = normals[a]! * normals[b + 1]! - normals[a + 1]! * normals[b]!;
    const square = x * x + y * y + z * z;
    const along =
      square > 1e-12 ? (x * state[REST]! + y * state[REST + 1]! + z * state[REST + 2]!) / square : 0;
    state[CREASE] = along * x;
    state[CREASE + 1] = along * y;
    state[CREASE + 2] = along * z;
  }

  /**
   * Which surface before the last a way leads into; below 0 for none. Writes how far the way leads along the move as it was requested,
   * times the length of that.
   */
  private _entered(way: number, last: number): number {
    const { _normals: normals, _state: state } = this;
    const x = state[way]!;
    const y = state[way + 1]!;
    const z = state[way + 2]!;
    state[ONWARDS] = x * state[MOVE]! + y * state[MOVE + 1]! + z * state[MOVE + 2]!;
    for (let k = 0; k < last; k += 3) {
      if (normals[k]! * x + normals[k + 1]! * y + normals[k + 2]! * z < -state[LEAST]!) return k;
    }
    return -1;
  }

  private _stop(why: MoveEnd): false {
    this._state.fill(0, 3, 6);
    this._ended = why;
    return false;
  }

  /** @internal */
  toString(): string {
    return `EllipsoidSlider { radii ${showVec(this._query.subarray(Q_RADII, Q_RADII + 3))} }`;
  }
}
