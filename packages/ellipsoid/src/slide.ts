import type { Vec3 } from '@bspkit/core';
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
import {
  Q_MOVE,
  Q_NORMAL,
  Q_OVERLAP,
  Q_RADII,
  Q_SCALE,
  Q_START,
  Q_TIME,
  QUERY_NUMBERS,
} from './kernel/query.ts';
import { prepareSweep, sweep } from './kernel/sweep.ts';
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
const OPTIONS: readonly string[] = ['gap', 'maxContacts'] satisfies (keyof SlideOptions)[];
const PUSHED = 9;
/** The most pushes out of overlaps, deepest first. */
const MOST_PUSHES = 8;
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
  private readonly _world: EllipsoidWorld;
  private readonly _query: Float64Array = new Float64Array(QUERY_NUMBERS);
  private readonly _gap: number;
  private readonly _maxContacts: number;
  /** Position, rest of the move, the move as requested; three numbers each. Then how far it was pushed. */
  private readonly _state: Float64Array = new Float64Array(10);
  /** Views of the position, and of the greatest corner of its bounds. */
  private readonly _start: Float64Array = this._state.subarray(0, 3);
  private readonly _maxs: Float64Array = this._query.subarray(Q_RADII, Q_RADII + 3);
  private readonly _mins: Float64Array = new Float64Array(3);
  private readonly _end: Float64Array = new Float64Array(3);
  private readonly _normals: Float64Array = new Float64Array(3 * MOST_CONTACTS);

  constructor(world: EllipsoidWorld, radii: Vec3, options: SlideOptions = {}) {
    checkWorld(world);
    checkRadii(radii);
    checkOptions(options, OPTIONS);
    const { gap = 1 / 32, maxContacts = 5 } = options;
    checkRadius(gap, 'gap');
    if (gap === 0) throw new RangeError('gap must be above 0');
    checkWhole(maxContacts, 'maxContacts', 1, MOST_CONTACTS);
    this._world = world;
    this._gap = gap;
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
    if (
      !(
        isArrayOf(out?.normals, Float32Array) &&
        out.normals.length >= 3 * MOST_CONTACTS &&
        isArrayOf(out.endPos, Float32Array) &&
        out.endPos.length >= 3 &&
        isArrayOf(out.remaining, Float32Array) &&
        out.remaining.length >= 3 &&
        isArrayOf(out.polygons, Int32Array) &&
        out.polygons.length >= MOST_CONTACTS
      )
    ) {
      failArgument('out', 'an answer made by createSlide', out, false);
    }
    const { _state: state } = this;
    for (let k = 0; k < 3; k++) {
      state[k] = start[k]!;
      this._end[k] = end[k]!;
      state[3 + k] = end[k]! - start[k]!;
      state[6 + k] = state[3 + k]!;
    }
    out.contacts = 0;
    state[PUSHED] = 0;
    const isClear = meetsNothing(this._world._memory, this._start, this._end, this._mins, this._maxs);
    if (!isClear) this._pushOut();
    out.pushed = state[PUSHED]!;
    for (;;) {
      const piece = isClear ? -1 : this._sweepRest();
      const { _query: query } = this;
      if (piece < 0) {
        for (let k = 0; k < 3; k++) {
          state[k]! += state[3 + k]!;
          state[3 + k] = 0;
        }
        break;
      }
      // The normal in space, and how far to step back for the gap.
      const x = query[Q_NORMAL]! * query[Q_SCALE]!;
      const y = query[Q_NORMAL + 1]! * query[Q_SCALE + 1]!;
      const z = query[Q_NORMAL + 2]! * query[Q_SCALE + 2]!;
      const length = Math.sqrt(x * x + y * y + z * z);
      const speed = (x * state[3]! + y * state[4]! + z * state[5]!) / -length;
      const time = Math.max(0, query[Q_TIME]! - this._gap / speed);
      const at = 3 * out.contacts;
      for (let k = 0; k < 3; k++) {
        const normal = (query[Q_NORMAL + k]! * query[Q_SCALE + k]!) / length;
        this._normals[at + k] = normal;
        out.normals[at + k] = normal;
        state[k]! += time * state[3 + k]!;
        state[3 + k]! *= 1 - time;
      }
      const { ints, places } = this._world._memory;
      out.polygons[out.contacts] = (ints[piece + PIECE_POLYGON]! - places.polygons.first) / POLYGON_WORDS;
      out.contacts++;
      if (!this._turn(out.contacts) || out.contacts === this._maxContacts) break;
    }
    for (let k = 0; k < 3; k++) {
      out.endPos[k] = state[k]!;
      out.remaining[k] = state[3 + k]!;
    }
    return out;
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

  /** Leaves what it overlaps. */
  private _pushOut(): void {
    const { _query: query, _state: state } = this;
    const { _memory: memory } = this._world;
    for (let k = 0; k < 3; k++) {
      query[Q_START + k] = state[k]!;
      query[Q_MOVE + k] = 0;
    }
    prepareSweep(query);
    query[Q_OVERLAP] = -1;
    for (let count = 0; count < MOST_PUSHES; count++) {
      deepestOverlap(memory, query, this._normals);
      const depth = this._normals[3]!;
      if (depth === 0) break;
      state[PUSHED]! += depth + this._gap;
      for (let k = 0; k < 3; k++) {
        state[k]! += (depth + this._gap) * this._normals[k]!;
        query[Q_START + k] = state[k]!;
      }
    }
  }

  /** Turns the rest of the move along the first `count` normals; returns false if no direction is left. */
  private _turn(count: number): boolean {
    const { _normals: normals, _state: state } = this;
    const last = 3 * (count - 1);
    const before = lengthOf(state[6]!, state[7]!, state[8]!);
    this._clip(last);
    for (let k = 0; k < last; k += 3) {
      if (this._towards(k) >= -NOTHING_LEFT * before) continue;
      // It goes into an earlier surface: along the crease of both, unless that goes into a third.
      const x = normals[last + 1]! * normals[k + 2]! - normals[last + 2]! * normals[k + 1]!;
      const y = normals[last + 2]! * normals[k]! - normals[last]! * normals[k + 2]!;
      const z = normals[last]! * normals[k + 1]! - normals[last + 1]! * normals[k]!;
      const square = x * x + y * y + z * z;
      const along = square > 1e-12 ? (x * state[3]! + y * state[4]! + z * state[5]!) / square : 0;
      state[3] = along * x;
      state[4] = along * y;
      state[5] = along * z;
      for (let other = 0; other < last; other += 3) {
        if (other !== k && this._towards(other) < -NOTHING_LEFT * before) return this._stop();
      }
      break;
    }
    const left = lengthOf(state[3]!, state[4]!, state[5]!);
    const onwards = state[3]! * state[6]! + state[4]! * state[7]! + state[5]! * state[8]!;
    return (left > NOTHING_LEFT * before && onwards > 0) || this._stop();
  }

  /** How fast the rest of the move goes along a normal. */
  private _towards(at: number): number {
    const { _normals: normals, _state: state } = this;
    return normals[at]! * state[3]! + normals[at + 1]! * state[4]! + normals[at + 2]! * state[5]!;
  }

  private _clip(at: number): void {
    const towards = this._towards(at);
    for (let k = 0; k < 3; k++) this._state[3 + k]! -= towards * this._normals[at + k]!;
  }

  private _stop(): false {
    this._state.fill(0, 3, 6);
    return false;
  }

  /** @internal */
  toString(): string {
    return `EllipsoidSlider { radii ${showVec(this._query.subarray(Q_RADII, Q_RADII + 3))} }`;
  }
}
