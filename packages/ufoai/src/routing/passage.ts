import { LEVEL_COUNT, WORLD_CELLS } from '../constants.ts';
import { FEET_HALF_WIDTH, HALF_WIDTHS, middleOf, type Probe } from './probe.ts';
import {
  ACTOR_BYTES,
  CEILINGS,
  CONNECTIONS,
  DIRECTIONS,
  DX,
  DY,
  FLOORS,
  LEVEL_QUANTS,
  NO_STEP,
  QUANT,
  STEP_DOWN,
  STEP_UP,
} from './table.ts';

// The second pass: which steps lead from cell to cell, and how high they are. By the game's rules, as read in its compiler's
// source and confirmed by its tables. Heights are in quants of 4 Quake units.

const f = Math.fround;

/** The least height of an opening, and of one that legs can pass. */
const LEAST_OPENING = 6;
const LEG_ROOM = 4;
/**
 * Up to the first height, what is between the cells need not be examined; the second is the greatest that an actor can step up.
 */
const LEAST_STEP = 2;
const MOST_STEP = 4;
/** The height of the tallest actor. */
const TALLEST = 12;
/** Height of the sky. */
const SKY = 128;
const SKY_UNITS = 512;
/** How far below and above all levels to search, in Quake units. */
const UNDER = -4;
const ABOVE = 516;
/** Distance that traces keep from surfaces, in Quake units. */
const EPSILON = 1 / 32;
/** Into how many pieces the way between two cells is divided to look for steps, and how many lower pieces are stepped over. */
const PIECES = 8;
const MOST_SKIPPED = 2;
/** The height of a piece that has no floor at all. */
const NO_FLOOR = -1;

const HALFWAY: readonly number[] = [0.5];
/** Where along diagonal ways floor and ceiling are looked for. */
const THIRDS: readonly number[] = [f(0.33), f(0.66)];

/** How far inside a slice the searches for its floor and its ceiling begin, in Quake units. */
const INTO = 2;

/** Floor and ceiling of a cell, counted from the bottom of the map. */
interface Place {
  floor: number;
  ceiling: number;
  /** Level of the floor. */
  level: number;
  isUsable: boolean;
}

const createPlace = (): Place => ({ floor: 0, ceiling: 0, level: 0, isUsable: false });

/** Computes the steps of the columns of an actor's table, whose floors and ceilings have been computed. */
export class Passages {
  private readonly _probe: Probe;
  private readonly _bytes: Uint8Array;
  private readonly _floors: Int8Array;
  private readonly _at: number;
  private readonly _size: number;
  private readonly _half: number;
  // The current step: cells, their middles, and what has been found.
  private _x = 0;
  private _y = 0;
  private _ax = 0;
  private _ay = 0;
  private _direction = 0;
  private readonly _from: Place = createPlace();
  private readonly _to: Place = createPlace();
  private readonly _next: Place = createPlace();
  private readonly _heights: Int8Array = new Int8Array(PIECES + 1);
  private _base = 0;
  private _high = 0;
  private _step = 0;
  private _back = 0;

  /** @param size - of the actor, 1 or 2. */
  constructor(probe: Probe, bytes: Uint8Array, size: number) {
    this._probe = probe;
    this._bytes = bytes;
    this._floors = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this._size = size;
    this._half = HALF_WIDTHS[size - 1]!;
    this._at = (size - 1) * ACTOR_BYTES;
  }

  /** Computes the steps of a column in a direction. */
  column(x: number, y: number, direction: number): void {
    this._x = x;
    this._y = y;
    this._ax = x + DX[direction]!;
    this._ay = y + DY[direction]!;
    this._direction = direction;
    const most = WORLD_CELLS - this._size;
    if (this._ax < 0 || this._ay < 0 || this._ax > most || this._ay > most) {
      this._close(0);
      return;
    }
    for (let z = 0; z < LEVEL_COUNT; z++) z = this._connect(z);
  }

  /** Finds what leads from a cell. Returns the highest of the cells that this applies to. */
  private _connect(z: number): number {
    const ceiling = this._ownCeiling(z);
    const other = this._otherCeiling(z);
    const level = LEVEL_QUANTS * z;
    if (ceiling === 0 || (other === 0 && this._otherCeiling(Math.min(z + 1, LEVEL_COUNT - 1)) === 0)) {
      return this._close(z);
    }
    // The neighbour's ceiling is taken to be one level higher, as in the game.
    const end =
      z < LEVEL_COUNT - 1 ? other + level + LEVEL_QUANTS : ceiling + LEVEL_QUANTS * (LEVEL_COUNT - 1);
    if (ceiling + level < this._otherFloor(z) + level || end < this._ownFloor(z) + level)
      return this._close(z);
    this._findPassage(z);
    const base = this._base;
    const top = this._high;
    const last = Math.min(LEVEL_COUNT - 1, Math.ceil(top / LEVEL_QUANTS) - 1);
    if (last < z) return this._close(z);
    for (let i = z; i <= last; i++) this._write(i, top - Math.max(base, LEVEL_QUANTS * i), 0);
    this._bytes[this._stepPlace(z)] = this._step;
    return last === z || this._ownFloor(last) < 0 ? last : last - 1;
  }

  private _close(z: number): number {
    this._write(z, 0, NO_STEP);
    return z;
  }

  private _write(z: number, room: number, step: number): void {
    const at = this._stepPlace(z);
    this._bytes[at + CONNECTIONS] = room;
    this._bytes[at] = step;
  }

  private _stepPlace(z: number): number {
    const cell = (z * WORLD_CELLS + this._y) * WORLD_CELLS + this._x;
    return this._at + DIRECTIONS * cell + this._direction;
  }

  private _ownFloor(z: number): number {
    return this._floors[this._at + FLOORS + (z * WORLD_CELLS + this._y) * WORLD_CELLS + this._x]!;
  }

  private _ownCeiling(z: number): number {
    return this._bytes[this._at + CEILINGS + (z * WORLD_CELLS + this._y) * WORLD_CELLS + this._x]!;
  }

  private _otherFloor(z: number): number {
    return this._floors[this._at + FLOORS + (z * WORLD_CELLS + this._ay) * WORLD_CELLS + this._ax]!;
  }

  private _otherCeiling(z: number): number {
    return this._bytes[this._at + CEILINGS + (z * WORLD_CELLS + this._ay) * WORLD_CELLS + this._ax]!;
  }

  private _setPlace(place: Place, floor: number, ceiling: number, z: number): void {
    place.floor = floor + LEVEL_QUANTS * z;
    place.ceiling = ceiling + LEVEL_QUANTS * z;
    place.level = Math.max(0, Math.trunc(place.floor / LEVEL_QUANTS));
    place.isUsable = ceiling !== 0 && place.floor >= 0 && place.ceiling - place.floor >= LEAST_OPENING;
  }

  /** Leaves the passage between two cells in `_base` and `_high`, and the rise that it takes in `_step`. */
  private _findPassage(z: number): void {
    const { _from: from, _to: to, _next: next } = this;
    this._setPlace(from, this._ownFloor(z), this._ownCeiling(z), z);
    this._setPlace(to, this._otherFloor(z), this._otherCeiling(z), z);
    let target: Place | undefined;
    if (to.isUsable && overlap(from, to)) target = to;
    else if (z < LEVEL_COUNT - 1) {
      this._setPlace(next, this._otherFloor(z + 1), this._otherCeiling(z + 1), z + 1);
      if (next.isUsable && overlap(from, next)) target = next;
    }
    if (target) {
      this._findOpening(z, Math.max(from.floor, target.floor), Math.min(from.ceiling, target.ceiling));
      if (this._high - this._base >= LEG_ROOM) this._findStep(z, target);
      if (this._high - this._base >= LEAST_OPENING) return;
    }
    const isLow = this._otherCeiling(z) === 0 || to.ceiling - from.floor < LEAST_OPENING;
    const above = z < LEVEL_COUNT - 1 ? this._otherCeiling(z + 1) + LEVEL_QUANTS * (z + 1) : to.ceiling;
    this._base = Math.min(from.ceiling, isLow ? above : to.ceiling);
    this._high = this._base;
    this._step = NO_STEP;
  }

  /** Finds the rise that the step onto the base takes, and where it leads. */
  private _findStep(z: number, target: Place): void {
    const { _from: from } = this;
    const { level } = target;
    const floor = this._otherFloor(level) + LEVEL_QUANTS * level;
    const isPlain =
      this._high - this._base >= TALLEST &&
      Math.abs(from.floor - this._base) <= LEAST_STEP &&
      Math.abs(floor - this._base) <= LEAST_STEP;
    if (isPlain) {
      this._step = Math.max(0, this._base - from.floor);
      this._back = Math.max(0, this._base - floor);
    } else this._base -= this._climb(target, Math.max(0, this._otherFloor(level)) + LEVEL_QUANTS * level);
    if (this._step > MOST_STEP) this._step = NO_STEP;
    else if (level < z && this._back <= MOST_STEP) this._step |= STEP_DOWN;
    else if (level > z) this._step |= STEP_UP;
  }

  /** A place on the way between the two cells. */
  private _alongX(part: number): number {
    const start = middleOf(this._x, this._size);
    return f(start + f(part * (middleOf(this._ax, this._size) - start)));
  }

  private _alongY(part: number): number {
    const start = middleOf(this._y, this._size);
    return f(start + f(part * (middleOf(this._ay, this._size) - start)));
  }

  /** Leaves the opening between two heights in `_base` and `_high`, which are equal if there is none. */
  private _findOpening(z: number, lower: number, upper: number): void {
    this._base = 0;
    this._high = 0;
    if (lower === -1) return;
    if (this._from.ceiling >= SKY && this._otherCeiling(z) + LEVEL_QUANTS * z >= SKY) {
      // From the sky down.
      this._moveUpright(0.5, SKY_UNITS, QUANT * lower);
      const base = Math.ceil(this._probe.end[2]! / QUANT);
      if (base <= lower + LEAST_STEP) {
        this._base = base;
        this._high = SKY;
        return;
      }
    }
    if (upper - lower < TALLEST) {
      this._slice(upper - LEAST_OPENING, lower + LEAST_OPENING, lower, upper);
      return;
    }
    for (let low = lower; low <= upper - LEAST_OPENING; low += LEAST_OPENING) {
      if (this._slice(low, low + 1, lower, upper)) return;
    }
  }

  private _moveUpright(part: number, from: number, to: number): void {
    const x = this._alongX(part);
    const y = this._alongY(part);
    this._probe.move(this._half, 0, 0, x, y, from, x, y, to);
  }

  /** Looks for an opening around a slice of the way. Returns whether there is one that leads to a place to land. */
  private _slice(low: number, high: number, lower: number, upper: number): boolean {
    const { _probe: probe } = this;
    const bottom = f(QUANT * low + EPSILON);
    const top = f(QUANT * high - EPSILON);
    probe.move(
      this._half,
      bottom,
      top,
      this._alongX(0),
      this._alongY(0),
      0,
      this._alongX(1),
      this._alongY(1),
      0,
    );
    if (probe.fraction < 1) return false;
    const parts = this._direction < 4 ? HALFWAY : THIRDS;
    let floor = Number.NEGATIVE_INFINITY;
    let ceiling = Number.POSITIVE_INFINITY;
    for (const part of parts) {
      this._moveUpright(part, QUANT * low + INTO, UNDER);
      floor = Math.max(floor, Math.ceil((probe.end[2]! - EPSILON) / QUANT));
    }
    for (const part of parts) {
      this._moveUpright(part, QUANT * high - INTO, ABOVE);
      ceiling = Math.min(ceiling, Math.floor((probe.end[2]! + EPSILON) / QUANT));
    }
    const base = Math.max(lower, floor);
    const end = Math.min(upper, ceiling);
    if (end - base < LEAST_OPENING || base === -1 || !this._canLand(end, upper)) return false;
    this._base = base;
    this._high = end;
    return true;
  }

  /** Whether the neighbour has a floor below an opening, with room for legs. */
  private _canLand(high: number, upper: number): boolean {
    let level = Math.min(LEVEL_COUNT - 1, Math.trunc((high - 1) / LEVEL_QUANTS));
    let floor = this._otherFloor(level) + LEVEL_QUANTS * level;
    if (floor > high) {
      level--;
      floor = this._otherFloor(level) + LEVEL_QUANTS * level;
    }
    return floor >= 0 && upper - floor >= LEG_ROOM;
  }

  /**
   * Looks at the floor between the two cells piece by piece, and leaves the greatest rise on the way there and on the way back.
   * Returns how much lower the base is than previously found.
   */
  private _climb(target: Place, floor: number): number {
    const { _heights: heights, _probe: probe, _from: from, _base: base } = this;
    heights[0] = from.floor;
    heights[PIECES] = floor;
    for (let i = 1; i < PIECES; i++) {
      const x = this._alongX(i / PIECES);
      const y = this._alongY(i / PIECES);
      probe.move(FEET_HALF_WIDTH, 0, 0, x, y, QUANT * base + 1, x, y, UNDER);
      // A search that comes near no tile ends nowhere.
      let height = probe.fraction < 1 ? Math.ceil((probe.end[2]! - EPSILON) / QUANT) : NO_FLOOR;
      if (probe.fraction < 1 && i === PIECES / 2) height = Math.max(height, base - LEAST_STEP);
      heights[i] = height;
    }
    let highest = heights[0]!;
    for (let i = 1; i <= PIECES; i++) highest = Math.max(highest, heights[i]!);
    this._step = greatestRise(heights, 1);
    this._back = greatestRise(heights, -1);
    const areUsable = from.isUsable && target.isUsable;
    const middle = heights[PIECES / 2]!;
    if (areUsable && from.floor < target.floor && from.ceiling < target.ceiling) {
      const isStair = heights[1]! <= middle && heights[2]! <= middle && heights[3]! <= middle;
      return base - (isStair ? middle : highest);
    }
    // Down a stair, only the middle counts, whatever comes before it, as in the game.
    if (areUsable && from.floor > target.floor && from.ceiling > target.ceiling) return base - middle;
    return base - highest;
  }
}

const overlap = (a: Place, b: Place): boolean =>
  Math.min(a.ceiling, b.ceiling) - Math.max(a.floor, b.floor) >= LEAST_OPENING;

/**
 * The greatest rise from piece to piece, from one end of the heights to the other, forward (1) or back (-1); up to two lower
 * pieces are stepped over.
 */
function greatestRise(heights: Int8Array, step: 1 | -1): number {
  const first = step > 0 ? 0 : PIECES;
  const last = PIECES - first;
  let now = heights[first]!;
  let best = -1;
  let bestAt = first + step;
  let skipped = 0;
  let rise = 0;
  for (let i = first + step; i >= 0 && i <= PIECES; i += step) {
    if (heights[i]! >= now || ++skipped > MOST_SKIPPED) {
      if (skipped === MOST_SKIPPED) i = bestAt;
      rise = Math.max(rise, heights[i]! - now);
      now = heights[i]!;
      best = -2;
      bestAt = i + step;
      skipped = 0;
      continue;
    }
    if (heights[i]! > best) {
      best = heights[i]!;
      bestAt = i;
    }
    if (i === last) {
      skipped = MOST_SKIPPED;
      i = bestAt - step;
    }
  }
  return rise;
}
