import {
  BRUSH,
  DIST,
  FLAGS_SIDE,
  FRACTION,
  GRID,
  RECORD_FRONT,
  RECORD_LENGTH,
  RECORD_STAMP,
  SET_CENTER,
  SET_EPSILON,
  SET_MAXS,
  SET_MINS,
  SET_MOVES,
  SET_ORIGIN,
  SET_RADIUS,
  SET_RESIDUE,
  SET_ROTATED,
  SET_ROWS,
  SET_SPARE,
  SET_SPHERE,
  STAMPED,
  STAMPED_END,
  TRACES,
} from '../src/wasm/layout';
import {
  END,
  FACET_QUANTA,
  HAS_BOUNDS,
  HAS_REACH,
  IN_END,
  IN_GROW,
  IN_START,
  OUT_END,
  OUT_GROW,
  OUT_START,
  QUANTA,
  REACH_BACK,
  REACH_FRONT,
  SPAN_BACK,
  SPAN_FRONT,
  START,
  UPWARD,
} from './scratch';
import { BOX, CAPSULE, POINT } from './shape';

/** More than rounding in double precision takes off an epsilon, 1 + 2 ** -50: `kernel/trace.ts` has the same. */
const SLIGHTLY_MORE: f64 = 1.0000000000000009;
/** The same for bounds in float32, which only have to be wide enough: 1 + 2 ** -22. */
const SLIGHTLY_MORE_F32: f32 = 1.000000238418579;

/** Starts a trace: no answer yet, and no brush or patch seen. */
export function beginTrace(): void {
  v128.store(FRACTION, f32x4(1, 0, 0, 0));
  v128.store(DIST, i32x4(0, 0, 0, 0));
  v128.store(BRUSH, i32x4(-1, -1, -1, -1));
  store<i32>(FLAGS_SIDE, -1);
  let traces = load<i32>(TRACES);
  if (traces === 0x7fffffff) {
    // After 2^31 traces the numbers start again; old stamps must not be taken for new ones.
    const end = load<i32>(STAMPED_END);
    for (let at = load<i32>(STAMPED); at < end; at += load<i32>(at, RECORD_LENGTH)) {
      store<i32>(at, 0, RECORD_STAMP);
    }
    traces = 0;
  }
  store<i32>(TRACES, traces + 1);
}

/** Loads three numbers one by one: they were written that way, and a load of 16 bytes would wait until all have arrived. */
export function three(at: usize): v128 {
  const x = v128.load32_zero(at);
  return v128.load32_lane(at + 8, v128.load32_lane(at + 4, x, 1), 2);
}

/** The product of the rows and a vector, each summed from left to right. */
function rotate(vector: v128): v128 {
  return f32x4(row(SET_ROWS, vector), row(SET_ROWS + 16, vector), row(SET_ROWS + 32, vector), 0);
}

function row(at: usize, vector: v128): f32 {
  const products = f32x4.mul(v128.load(at), vector);
  return f32x4.extract_lane(products, 0) + f32x4.extract_lane(products, 1) + f32x4.extract_lane(products, 2);
}

/**
 * Moves both ends to the middle of the shape's box, and into the model's frame. Returns whether they are equal, for the world as
 * given, for a model in its frame: then it is a position test.
 */
export function placeMove(from: v128, to: v128): bool {
  const center = v128.load(SET_CENTER);
  let start = f32x4.add(from, center);
  let end = f32x4.add(to, center);
  let still: bool;
  if (load<i32>(SET_MOVES) === 0) still = i32x4.all_true(f32x4.eq(from, to));
  else {
    const origin = v128.load(SET_ORIGIN);
    start = f32x4.sub(start, origin);
    end = f32x4.sub(end, origin);
    if (load<i32>(SET_ROTATED) !== 0) {
      start = rotate(start);
      end = rotate(end);
    }
    still = i32x4.all_true(f32x4.eq(start, end));
    const residue = v128.load(SET_RESIDUE);
    start = f32x4.add(start, residue);
    end = f32x4.add(end, residue);
  }
  v128.store(START, start);
  v128.store(END, end);
  return still;
}

/** The doubles of two vectors, as four float32. */
function demote(low: v128, high: v128): v128 {
  return i32x4.shuffle(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

/** The upper two lanes. */
export function upper(v: v128): v128 {
  return i64x2.shuffle(v, v, 1, 0);
}

/** `v - slack` in double, rounded up: a float32 is above that just when it is above the exact number. */
function subtractUp(v: v128, slack: v128): v128 {
  const low = f64x2.sub(f64x2.promote_low_f32x4(v), slack);
  const high = f64x2.sub(f64x2.promote_low_f32x4(upper(v)), slack);
  const lowRounded = f32x4.demote_f64x2_zero(low);
  const highRounded = f32x4.demote_f64x2_zero(high);
  const rounded = i32x4.shuffle(lowRounded, highRounded, 0, 1, 4, 5);
  const lowBelow = f64x2.lt(f64x2.promote_low_f32x4(lowRounded), low);
  const highBelow = f64x2.lt(f64x2.promote_low_f32x4(highRounded), high);
  const below = i32x4.shuffle(lowBelow, highBelow, 0, 2, 4, 6);
  // The next float32 above: away from zero for positive numbers, towards it for negative ones. -0 cannot be below.
  const step = v128.or(i32x4.shr_s(rounded, 31), i32x4.splat(1));
  const up = i32x4.add(rounded, step);
  // From 0, that is the smallest number that there is.
  return v128.bitselect(up, rounded, below);
}

/** The reach of a capsule along each axis, as the engine rounds it. */
function widen(ends: v128, sphere: v128, radius: f64, sign: f64): v128 {
  const factor = f64x2.splat(sign);
  const around = f64x2.splat(sign * radius);
  const low = f64x2.add(f64x2.promote_low_f32x4(ends), f64x2.mul(factor, f64x2.promote_low_f32x4(sphere)));
  const high = f64x2.add(
    f64x2.promote_low_f32x4(upper(ends)),
    f64x2.mul(factor, f64x2.promote_low_f32x4(upper(sphere))),
  );
  const both = demote(f64x2.add(low, around), f64x2.add(high, around));
  return f32x4.replace_lane(both, 3, 0);
}

/** -32768 for NaN, so that it misses nothing. */
export function quantise(reach: v128, grid: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.pmax(f32x4.splat(-32768), f32x4.mul(reach, grid))));
}

export function pack(back: v128, front: v128): v128 {
  const none = i32x4.splat(-32768);
  return i16x8.narrow_i32x4_s(i32x4.shuffle(back, front, 0, 1, 2, 4), i32x4.shuffle(front, none, 1, 2, 4, 4));
}

/** Works out how far the whole move stays behind axial sides, to be compared with exact bounds. */
function storeReach(low: v128, high: v128, still: bool): void {
  const slack = f64x2.splat(still ? 0 : f64(load<f32>(SET_EPSILON)) * SLIGHTLY_MORE);
  v128.store(SPAN_BACK, f32x4.neg(high));
  v128.store(SPAN_FRONT, low);
  v128.store(REACH_BACK, subtractUp(f32x4.neg(high), slack));
  v128.store(REACH_FRONT, subtractUp(low, slack));
}

/** Works out how far a point's move reaches: points seldom ask, so it is done late. */
function needReach(): void {
  if (load<i32>(HAS_REACH) !== 0) return;
  const start = v128.load(START);
  const end = v128.load(END);
  storeReach(f32x4.pmin(end, start), f32x4.pmax(start, end), false);
  store<i32>(HAS_REACH, 1);
}

/** Whether exact bounds, of a brush or patch, are clear of the whole move. */
export function isApart<S>(record: i32): bool {
  if (sizeof<S>() === POINT) needReach();
  return v128.any_true(
    v128.or(
      f32x4.gt(v128.load(REACH_BACK), v128.load(record)),
      f32x4.gt(v128.load(REACH_FRONT), v128.load(record, RECORD_FRONT)),
    ),
  );
}

/**
 * Whether a brush's bounds are clear of the whole sweep, in the engine's own words. That matters where they are not its own sides;
 * where they are, its sides give the same answer.
 */
export function isApartAsWritten(record: usize): bool {
  needReach();
  return isBeyond(record, load<f32>(SET_EPSILON));
}

/** Whether the span is beyond a record's bounds on any side, to which something is added in double. */
export function isBeyond(record: usize, slack: f32): bool {
  for (let k: usize = 0; k < 2 * RECORD_FRONT; k += 4) {
    if (f64(load<f32>(k, SPAN_BACK)) > f64(load<f32>(record + k)) + f64(slack)) return true;
  }
  return false;
}

/**
 * How the whole move lies relative to bounds and axial sides. For round shapes, the box around it is computed in double and
 * rounded once, as in the engine. A sweep has the epsilon to spare around it, a position test does not.
 */
export function boundMove<S>(still: bool): void {
  store<i32>(HAS_BOUNDS, 1);
  const start = v128.load(START);
  const end = v128.load(END);
  let low = f32x4.pmin(end, start);
  let high = f32x4.pmax(start, end);
  let sphere = f32x4.splat(0);
  let radius: f32 = 0;
  if (sizeof<S>() === CAPSULE) {
    sphere = f32x4.abs(v128.load(SET_SPHERE));
    radius = load<f32>(SET_RADIUS);
    low = widen(low, sphere, f64(radius), -1);
    high = widen(high, sphere, f64(radius), 1);
  }
  if (sizeof<S>() === BOX) {
    low = f32x4.add(low, v128.load(SET_MINS));
    high = f32x4.add(high, v128.load(SET_MAXS));
  }
  if (sizeof<S>() === POINT && !still) store<i32>(HAS_REACH, 0);
  else {
    storeReach(low, high, still);
    store<i32>(HAS_REACH, 1);
  }
  // Rounding here is less than a step of the grid, by which quantised bounds are too wide.
  const grid = v128.load32_splat(GRID);
  const slack = f32x4.splat(still ? 0 : load<f32>(SET_EPSILON) * SLIGHTLY_MORE_F32);
  const back = f32x4.sub(f32x4.neg(high), slack);
  const front = f32x4.sub(low, slack);
  v128.store(QUANTA, pack(quantise(back, grid), quantise(front, grid)));
  if (sizeof<S>() !== POINT) {
    const spare = v128.load32_splat(SET_SPARE);
    v128.store(
      FACET_QUANTA,
      pack(quantise(f32x4.sub(back, spare), grid), quantise(f32x4.sub(front, spare), grid)),
    );
  }
  // Along each axis a move can enter a box only by one side, and leave it only by the other: that halves the work.
  const upward = f32x4.lt(start, end);
  v128.store(UPWARD, upward);
  if (sizeof<S>() === CAPSULE) {
    // A capsule meets an axial side with the nearer end of its middle line.
    const backStart = f32x4.neg(f32x4.add(start, sphere));
    const backEnd = f32x4.neg(f32x4.add(end, sphere));
    const frontStart = f32x4.sub(start, sphere);
    const frontEnd = f32x4.sub(end, sphere);
    v128.store(IN_START, v128.bitselect(backStart, frontStart, upward));
    v128.store(IN_END, v128.bitselect(backEnd, frontEnd, upward));
    v128.store(OUT_START, v128.bitselect(frontStart, backStart, upward));
    v128.store(OUT_END, v128.bitselect(frontEnd, backEnd, upward));
    v128.store(IN_GROW, f32x4.splat(radius));
    v128.store(OUT_GROW, f32x4.splat(radius));
  } else {
    // Sides face the other way along axes on which the move goes up.
    const turn = v128.and(upward, i32x4.splat(-0x80000000));
    const inStart = v128.xor(start, turn);
    const inEnd = v128.xor(end, turn);
    v128.store(IN_START, inStart);
    v128.store(IN_END, inEnd);
    v128.store(OUT_START, f32x4.neg(inStart));
    v128.store(OUT_END, f32x4.neg(inEnd));
    if (sizeof<S>() === BOX) {
      const growBack = v128.load(SET_MAXS);
      const growFront = f32x4.neg(v128.load(SET_MINS));
      v128.store(IN_GROW, v128.bitselect(growBack, growFront, upward));
      v128.store(OUT_GROW, v128.bitselect(growFront, growBack, upward));
    }
  }
}
