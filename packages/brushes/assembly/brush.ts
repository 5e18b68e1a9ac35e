import {
  B_END,
  B_HEAD,
  B_MAXS,
  B_MINS,
  B_START,
  R_ALL_SOLID,
  R_BRUSH,
  R_CONTENTS,
  R_DIST,
  R_LEAF,
  R_NORMAL,
  R_SIDE,
  R_START_SOLID,
  S_ANY,
  S_EVERY,
  S_MASK,
  S_REJECT,
} from '../src/block';
import {
  BLOCK_BYTES,
  BRUSH_BYTES,
  BRUSH_END,
  BRUSH_PLACE,
  BRUSH_SIDE,
  BRUSH_STAMP,
  HIT_BLOCKS,
  LEAF_BYTES,
  LEAF_END,
  LEAF_NUMBER,
  QUANTA,
  REF_BRUSH,
  REF_BYTES,
  SIDE_STEP,
  TRACES,
} from '../src/hot-layout';
import { boundMove } from './move';

// Leafs and brushes, as in `brush.ts`, four sides at a time. Any side that the move stays in front of makes it miss the brush, so
// it does not matter which of them decides; the fraction of entering is a maximum, that of leaving a minimum; and the side that
// is hit is the first, in order, that reaches the maximum. So each lane remembers the block in which it last grew.

/** The size of the type that stands for points; types of any other size stand for boxes. */
export const POINT: usize = 1;

/** The same as a float and as a double. */
const EPSILON: f32 = 0.03125;

/** Distances of an end of the move from four planes. */
function distances(end: usize, nx: v128, ny: v128, nz: v128, dist: v128): v128 {
  const x = f32x4.mul(nx, v128.load_splat<f32>(end));
  const y = f32x4.mul(ny, v128.load_splat<f32>(end, 4));
  const z = f32x4.mul(nz, v128.load_splat<f32>(end, 8));
  return f32x4.sub(f32x4.add(f32x4.add(x, y), z), dist);
}

/** What one axis of four normals adds to the place of the box's deepest corner along them: the lesser of two products. */
function corner(n: v128, mins: usize, maxs: usize): v128 {
  return f32x4.pmin(f32x4.mul(n, v128.load_splat<f32>(mins)), f32x4.mul(n, v128.load_splat<f32>(maxs)));
}

/** Distances of four sides as a sweep meets them: for points they are not pushed out. */
function swept<S>(at: usize, nx: v128, ny: v128, nz: v128): v128 {
  return sizeof<S>() === POINT ? v128.load(at, 48) : pushed(at, nx, ny, nz);
}

/** Distances of four sides, pushed out by the box. */
function pushed(at: usize, nx: v128, ny: v128, nz: v128): v128 {
  const x = corner(nx, 4 * B_MINS, 4 * B_MAXS);
  const y = corner(ny, 4 * B_MINS + 4, 4 * B_MAXS + 4);
  const z = corner(nz, 4 * B_MINS + 8, 4 * B_MAXS + 8);
  return f32x4.sub(v128.load(at, 48), f32x4.add(f32x4.add(x, y), z));
}

/**
 * Where sides are crossed; the sign of the epsilon says on which side of them that counts. `E` is the type in which epsilons are
 * added: double, with the result rounded once, or float.
 */
function fractions<E>(d1: v128, d2: v128, epsilon: v128): v128 {
  const way = f32x4.sub(d1, d2);
  if (sizeof<E>() === 4) return f32x4.div(f32x4.add(d1, epsilon), way);
  const low = f64x2.div(
    f64x2.add(f64x2.promote_low_f32x4(d1), f64x2.promote_low_f32x4(epsilon)),
    f64x2.promote_low_f32x4(way),
  );
  const high = f64x2.div(
    f64x2.add(f64x2.promote_low_f32x4(upper(d1)), f64x2.promote_low_f32x4(upper(epsilon))),
    f64x2.promote_low_f32x4(upper(way)),
  );
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

function upper(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 3, 2, 3);
}

function greatest(v: v128): f32 {
  const w = f32x4.pmax(v, upper(v));
  return max<f32>(f32x4.extract_lane(w, 0), f32x4.extract_lane(w, 1));
}

function least(v: v128): f32 {
  const w = f32x4.pmin(v, upper(v));
  return min<f32>(f32x4.extract_lane(w, 0), f32x4.extract_lane(w, 1));
}

/** Clips the whole move by one brush and keeps the hit if it is the nearest so far. */
function clipBrush<E, S>(brush: usize, leaf: i32): void {
  const first = brush + BRUSH_BYTES;
  const last: usize = load<i32>(brush, BRUSH_END);
  if (first === last) return;
  const zero = i64x2(0, 0);
  let enter = f32x4.splat(-1);
  let enterBlocks = zero;
  let leave = f32x4.splat(1);
  let startsOut = zero;
  let endsOut = zero;
  for (let at = first; at < last; at += BLOCK_BYTES) {
    const nx = v128.load(at);
    const ny = v128.load(at, 16);
    const nz = v128.load(at, 32);
    const dist = swept<S>(at, nx, ny, nz);
    const d1 = distances(4 * B_START, nx, ny, nz, dist);
    const d2 = distances(4 * B_END, nx, ny, nz, dist);
    const startOut = f32x4.gt(d1, zero);
    const endOut = f32x4.gt(d2, zero);
    if (v128.any_true(v128.and(startOut, f32x4.ge(d2, d1)))) return;
    startsOut = v128.or(startsOut, startOut);
    endsOut = v128.or(endsOut, endOut);
    if (!v128.any_true(v128.or(startOut, endOut))) continue;
    const epsilon = v128.bitselect(f32x4.splat(-EPSILON), f32x4.splat(EPSILON), startOut);
    const at4 = fractions<E>(d1, d2, epsilon);
    const later = v128.and(startOut, f32x4.gt(at4, enter));
    enter = v128.bitselect(at4, enter, later);
    enterBlocks = v128.bitselect(i32x4.splat(<i32>at), enterBlocks, later);
    leave = f32x4.pmin(leave, v128.bitselect(at4, f32x4.splat(1), v128.andnot(endOut, startOut)));
  }
  if (!v128.any_true(startsOut)) {
    store<i32>(4 * (B_HEAD + R_START_SOLID), 1);
    if (!v128.any_true(endsOut)) store<i32>(4 * (B_HEAD + R_ALL_SOLID), 1);
    store<i32>(4 * (B_HEAD + R_LEAF), leaf);
    return;
  }
  const entered = greatest(enter);
  if (entered < least(leave) && entered > -1 && entered < load<f32>(4 * B_HEAD)) {
    const lanes = i32x4.bitmask(f32x4.eq(enter, f32x4.splat(entered)));
    hitBrush(brush, leaf, entered, lanes, enterBlocks);
  }
}

/** The brush that was hit last. */
export let hitBefore: usize = 0;

export function forgetHit(): void {
  hitBefore = 0;
}

/**
 * Keeps a hit. Each bit of `lanes` is a lane that reached the greatest fraction, and `blocks` says in which block; the first of
 * these sides counts.
 */
function hitBrush(brush: usize, leaf: i32, entered: f32, lanes: i32, blocks: v128): void {
  v128.store(HIT_BLOCKS, blocks);
  let lane = ctz(lanes);
  let block: usize = load<i32>(HIT_BLOCKS + (lane << 2));
  for (lanes &= lanes - 1; lanes !== 0; lanes &= lanes - 1) {
    const other = ctz(lanes);
    const earlier: usize = load<i32>(HIT_BLOCKS + (other << 2));
    if (earlier >= block) continue;
    lane = other;
    block = earlier;
  }
  const plane = block + (lane << 2);
  const side = <i32>((block - brush - BRUSH_BYTES) >> 4) + lane;
  hitBefore = brush;
  store<f32>(4 * B_HEAD, entered < 0 || load<i32>(4 * S_ANY) !== 0 ? 0 : entered);
  store<f32>(4 * (B_HEAD + R_NORMAL), load<f32>(plane));
  store<f32>(4 * (B_HEAD + R_NORMAL + 1), load<f32>(plane, 16));
  store<f32>(4 * (B_HEAD + R_NORMAL + 2), load<f32>(plane, 32));
  store<f32>(4 * (B_HEAD + R_DIST), load<f32>(plane, 48));
  store<i32>(4 * (B_HEAD + R_SIDE), load<i32>(brush, BRUSH_SIDE) + SIDE_STEP * side);
  store<i32>(4 * (B_HEAD + R_BRUSH), load<i32>(brush, BRUSH_PLACE));
  store<i32>(4 * (B_HEAD + R_CONTENTS), load<i32>(brush));
  store<i32>(4 * (B_HEAD + R_LEAF), leaf);
  boundMove();
}

/** Whether the box reaches into a brush; touching counts. */
function isInside(brush: usize): bool {
  const first = brush + BRUSH_BYTES;
  const last: usize = load<i32>(brush, BRUSH_END);
  if (first === last) return false;
  for (let at = first; at < last; at += BLOCK_BYTES) {
    const nx = v128.load(at);
    const ny = v128.load(at, 16);
    const nz = v128.load(at, 32);
    const dist = pushed(at, nx, ny, nz);
    if (v128.any_true(f32x4.gt(distances(4 * B_START, nx, ny, nz, dist), i64x2(0, 0)))) return false;
  }
  return true;
}

/** Sweeps the box against the brushes of a leaf. */
export function sweepLeaf<E, S>(leaf: usize): void {
  const mask = load<i32>(4 * S_MASK);
  const reject = load<i32>(4 * S_REJECT);
  const every = load<i32>(4 * S_EVERY) !== 0;
  const contents = load<i32>(leaf);
  if (!every && ((contents & mask) === 0 || (contents & reject) !== 0)) return;
  const stamp = load<i32>(TRACES);
  let quanta = v128.load(QUANTA);
  const last: usize = load<i32>(leaf, LEAF_END);
  for (let ref = leaf + LEAF_BYTES; ref < last; ref += REF_BYTES) {
    if (v128.any_true(i16x8.gt_s(quanta, v128.load(ref)))) continue;
    const brush: usize = load<i32>(ref, REF_BRUSH);
    if (load<i32>(brush, BRUSH_STAMP) === stamp) continue;
    store<i32>(brush, stamp, BRUSH_STAMP);
    const own = load<i32>(brush);
    if (!every && ((own & mask) === 0 || (own & reject) !== 0)) continue;
    clipBrush<E, S>(brush, load<i32>(leaf, LEAF_NUMBER));
    if (load<f32>(4 * B_HEAD) === 0) return;
    quanta = v128.load(QUANTA);
  }
}

/** Position test against the brushes of a leaf. Returns whether the box is in one of them. */
export function touchLeaf(leaf: usize): bool {
  const mask = load<i32>(4 * S_MASK);
  const reject = load<i32>(4 * S_REJECT);
  if ((load<i32>(leaf) & mask) === 0) return false;
  const stamp = load<i32>(TRACES);
  const last: usize = load<i32>(leaf, LEAF_END);
  for (let ref = leaf + LEAF_BYTES; ref < last; ref += REF_BYTES) {
    if (v128.any_true(i16x8.gt_s(v128.load(QUANTA), v128.load(ref)))) continue;
    const brush: usize = load<i32>(ref, REF_BRUSH);
    if (load<i32>(brush, BRUSH_STAMP) === stamp) continue;
    store<i32>(brush, stamp, BRUSH_STAMP);
    const own = load<i32>(brush);
    if ((own & mask) === 0 || (own & reject) !== 0 || !isInside(brush)) continue;
    store<f32>(4 * B_HEAD, 0);
    store<i32>(4 * (B_HEAD + R_START_SOLID), 1);
    store<i32>(4 * (B_HEAD + R_ALL_SOLID), 1);
    store<i32>(4 * (B_HEAD + R_CONTENTS), own);
    store<i32>(4 * (B_HEAD + R_BRUSH), load<i32>(brush, BRUSH_PLACE));
    return true;
  }
  return false;
}
