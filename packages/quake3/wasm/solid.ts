import {
  AXIAL_BIT,
  BLOCK_BYTES,
  BRUSH,
  BRUSH_BLOCKS,
  BRUSH_FIRST_BLOCKS,
  BRUSH_NUMBER,
  BRUSH_SIDE,
  CONTENTS,
  FLAGS_SIDE,
  FRACTION,
  NORMAL_LANE,
  PATCH,
  RECORD_BYTES,
  RECORD_CONTENTS,
  RECORD_FRONT,
  SET_EPSILON,
  SET_MAXS,
  SET_MINS,
  SET_RADIUS,
  SET_SPHERE,
  SIDE,
  SOLID,
} from '../src/wasm/layout';
import {
  END,
  HIT_BRUSH,
  IN_END,
  IN_GROW,
  IN_START,
  LANES,
  OUT_END,
  OUT_GROW,
  OUT_START,
  START,
  UPWARD,
} from './scratch';
import { isApart, isApartAsWritten, upper } from './setup';
import { BOX, CAPSULE, POINT } from './shape';

// A solid is what lies behind all of its sides: a brush, or a facet. Four sides are clipped at once. That gives the engine's
// answers all the same: if the move stays in front of a side, the solid is missed and leaves no trace, so it does not matter
// which such side decides; the last fraction of entering and the first of leaving are a maximum and a minimum; and the side that
// is hit is the first in the file's order to reach that maximum, which is looked up where it is found.

/** Distances of an end of the move (0 the start, 16 the end) from four sides, as the shape meets them. */
export function distances<S>(at: usize, nx: v128, ny: v128, nz: v128, dist: v128): v128 {
  let x = v128.load32_splat(at);
  let y = v128.load32_splat(at + 4);
  let z = v128.load32_splat(at + 8);
  if (sizeof<S>() === CAPSULE) {
    const ox = v128.load32_splat(SET_SPHERE);
    const oy = v128.load32_splat(SET_SPHERE + 4);
    const oz = v128.load32_splat(SET_SPHERE + 8);
    const along = f32x4.add(f32x4.add(f32x4.mul(nx, ox), f32x4.mul(ny, oy)), f32x4.mul(nz, oz));
    // The lower sphere is the first to reach a plane that faces up.
    const lower = v128.and(f32x4.gt(along, f32x4.splat(0)), i32x4.splat(-0x80000000));
    x = f32x4.add(x, v128.xor(ox, lower));
    y = f32x4.add(y, v128.xor(oy, lower));
    z = f32x4.add(z, v128.xor(oz, lower));
  }
  return f32x4.sub(f32x4.add(f32x4.add(f32x4.mul(nx, x), f32x4.mul(ny, y)), f32x4.mul(nz, z)), dist);
}

/** A corner's part along a normal: the smaller of the two products is that of the corner that the engine picks. */
function reach(n: v128, at: usize): v128 {
  return f32x4.min(
    f32x4.mul(n, v128.load32_splat(at, SET_MINS)),
    f32x4.mul(n, v128.load32_splat(at, SET_MAXS)),
  );
}

/** How far the box's rearmost corner along four normals lies from its middle. */
export function corners(nx: v128, ny: v128, nz: v128): v128 {
  return f32x4.add(f32x4.add(reach(nx, 0), reach(ny, 4)), reach(nz, 8));
}

/** Distances of four sides, widened by the shape. */
export function widened<S>(nx: v128, ny: v128, nz: v128, dist: v128): v128 {
  if (sizeof<S>() === BOX) return f32x4.sub(dist, corners(nx, ny, nz));
  if (sizeof<S>() === CAPSULE) return f32x4.add(dist, v128.load32_splat(SET_RADIUS));
  return dist;
}

/** Fractions at which a move comes within a distance of four sides, as float32. `keep` is that distance, as two doubles. */
function fractions(d1: v128, d2: v128, keep: v128): v128 {
  const length = f32x4.sub(d1, d2);
  const low = f64x2.div(f64x2.add(f64x2.promote_low_f32x4(d1), keep), f64x2.promote_low_f32x4(length));
  const high = f64x2.div(
    f64x2.add(f64x2.promote_low_f32x4(upper(d1)), keep),
    f64x2.promote_low_f32x4(upper(length)),
  );
  return i32x4.shuffle(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

/**
 * Fractions at which the move enters sides; -1 for those that it does not begin in front of, and for those so far off that
 * float32 overflows: the engine passes over a fraction that is not a number, and no other side may be lost with it.
 */
export function enterings(d1: v128, d2: v128, inFront: v128, epsilon: f64): v128 {
  const none = f32x4.splat(-1);
  const fraction = f32x4.pmax(fractions(d1, d2, f64x2.splat(-epsilon)), f32x4.splat(0));
  return f32x4.pmax(none, v128.bitselect(fraction, none, inFront));
}

/** The greatest of four numbers, where -1 stands for none. */
export function greatest(v: v128): f32 {
  const two = f32x4.pmax(v, upper(v));
  return f32x4.extract_lane(f32x4.pmax(two, i32x4.shuffle(two, two, 1, 0, 3, 2)), 0);
}

/** The first fraction at which the move leaves sides that it does not begin in front of, 1 at most. */
export function leaving(d1: v128, d2: v128, leaves: v128, epsilon: f64): f32 {
  const fraction = fractions(d1, d2, f64x2.splat(epsilon));
  // NaN means that nothing is left.
  const one = f32x4.splat(1);
  const v = f32x4.pmin(one, v128.bitselect(fraction, one, leaves));
  const two = f32x4.pmin(v, upper(v));
  return f32x4.extract_lane(f32x4.pmin(two, i32x4.shuffle(two, two, 1, 0, 3, 2)), 0);
}

/** The first lane that is equal to `most`. */
export function laneOf(v: v128, most: f32): i32 {
  return i32.ctz(i32x4.bitmask(f32x4.eq(v, f32x4.splat(most))));
}

/** The number in a lane that is known only at run time. */
export function lane(v: v128, number: i32): f32 {
  v128.store(LANES, v);
  return load<f32>(LANES + 4 * number);
}

/** More than the last digits of a fraction, computed in float32, can be off. */
const ROUNDING: f32 = 0.00001;

/** Sweeps the shape against a brush (tutorial `CheckBrush`). */
export function sweepBrush<S>(brush: i32): void {
  const firstBlocks = load<i32>(brush, BRUSH_FIRST_BLOCKS);
  // For a point the axial sides come to the same as the bounds: it stays in front of one of them, by as much.
  if (firstBlocks !== 0) {
    if (isApartAsWritten(brush)) return;
  } else if (sizeof<S>() !== POINT && isApart<S>(brush)) return;
  const zero = f32x4.splat(0);
  const epsilon = load<f32>(SET_EPSILON);
  const keep = f32x4.splat(epsilon);
  const best = load<f32>(FRACTION);
  let enter: f32 = -1;
  let leave: f32 = 1;
  let startsOut = false;
  let endsOut = false;
  let hit = 0;
  let hitLane = 0;
  if (firstBlocks === 0) {
    const upward = v128.load(UPWARD);
    const back = v128.load(brush);
    const front = v128.load(brush, RECORD_FRONT);
    let inDist = v128.bitselect(back, front, upward);
    let outDist = v128.bitselect(front, back, upward);
    if (sizeof<S>() !== POINT) {
      inDist = f32x4.add(inDist, v128.load(IN_GROW));
      outDist = f32x4.add(outDist, v128.load(OUT_GROW));
    }
    const d1 = f32x4.sub(v128.load(IN_START), inDist);
    const d2 = f32x4.sub(v128.load(IN_END), inDist);
    const o1 = f32x4.sub(v128.load(OUT_START), outDist);
    const o2 = f32x4.sub(v128.load(OUT_END), outDist);
    const inFront = f32x4.gt(d1, zero);
    const stays = v128.and(inFront, v128.or(f32x4.ge(d2, keep), f32x4.ge(d2, d1)));
    if (v128.any_true(v128.or(stays, f32x4.gt(o1, zero)))) return;
    const leaves = f32x4.gt(o2, zero);
    // Most moves come into the bounds along one axis only after they leave them along another, or after a hit. Divisions in
    // float32 show that much faster than the exact fractions do: rays across a large map take 0.8 of the time.
    const entry = f32x4.div(f32x4.sub(d1, keep), f32x4.sub(d1, d2));
    const exit = f32x4.div(f32x4.add(o1, keep), f32x4.sub(o1, o2));
    const latest = f32x4.add(v128.bitselect(exit, f32x4.splat(best), leaves), f32x4.splat(ROUNDING));
    const misses = v128.or(
      f32x4.gt(entry, i32x4.shuffle(latest, latest, 1, 2, 0, 3)),
      f32x4.gt(entry, i32x4.shuffle(latest, latest, 2, 0, 1, 3)),
    );
    if (v128.any_true(v128.and(misses, inFront))) return;
    if (v128.any_true(v128.or(leaves, f32x4.gt(d2, zero)))) endsOut = true;
    if (v128.any_true(inFront)) {
      startsOut = true;
      const entered = enterings(d1, d2, inFront, f64(epsilon));
      enter = greatest(entered);
      if (enter >= best) return;
      const axis = laneOf(entered, enter);
      enter = lane(entered, axis);
      const isFront = 1 + load<i32>(UPWARD + 4 * axis);
      hit = 2 * axis + isFront;
      hitLane = (brush + RECORD_FRONT * isFront + 4 * axis) | AXIAL_BIT;
    }
    if (v128.any_true(leaves)) {
      leave = leaving(o1, o2, leaves, f64(epsilon));
      if (startsOut && enter >= leave) return;
    }
  }
  const blocks = brush + RECORD_BYTES;
  const end = blocks + load<i32>(brush, BRUSH_BLOCKS);
  for (let block = blocks; block < end; block += BLOCK_BYTES) {
    const nx = v128.load(block);
    const ny = v128.load(block, 16);
    const nz = v128.load(block, 32);
    const dist = widened<S>(nx, ny, nz, v128.load(block, 48));
    const d1 = distances<S>(START, nx, ny, nz, dist);
    const d2 = distances<S>(END, nx, ny, nz, dist);
    const inFront = f32x4.gt(d1, zero);
    const stays = v128.and(inFront, v128.or(f32x4.ge(d2, keep), f32x4.ge(d2, d1)));
    if (v128.any_true(stays)) return;
    const ends = f32x4.gt(d2, zero);
    if (v128.any_true(ends)) endsOut = true;
    if (v128.any_true(inFront)) {
      startsOut = true;
      const entered = enterings(d1, d2, inFront, f64(epsilon));
      const most = greatest(entered);
      if (most > enter) {
        if (most >= best) return;
        const number = laneOf(entered, most);
        enter = lane(entered, number);
        // The blocks of the first six sides have two spare lanes.
        const place = (block - blocks - firstBlocks) >> 4;
        hit = number + (block - blocks < firstBlocks ? (block - blocks) >> 4 : 6 + place);
        hitLane = block + 4 * number;
      }
    }
    const leaves = v128.andnot(ends, inFront);
    if (v128.any_true(leaves)) {
      const fraction = leaving(d1, d2, leaves, f64(epsilon));
      if (fraction < leave) leave = fraction;
    }
    if (startsOut && enter >= leave) return;
  }
  if (!startsOut) {
    recordInside(brush, !endsOut);
    return;
  }
  // All fractions were NaN.
  if (enter < 0) return;
  store<f32>(FRACTION, enter);
  const side = load<i32>(brush, BRUSH_SIDE) + hit;
  store<i32>(NORMAL_LANE, hitLane);
  store<i32>(FLAGS_SIDE, side);
  recordBrush(brush, side);
}

function recordBrush(brush: i32, side: i32): void {
  store<i32>(HIT_BRUSH, brush);
  store<i32>(CONTENTS, load<i32>(brush, RECORD_CONTENTS));
  store<i32>(BRUSH, load<i32>(brush, BRUSH_NUMBER));
  store<i32>(SIDE, side);
  store<i32>(PATCH, -1);
}

/** The move starts in a brush, and perhaps stays in it. */
function recordInside(brush: i32, stays: bool): void {
  if (!stays) {
    store<i32>(SOLID, load<i32>(SOLID) | 1);
    return;
  }
  store<i32>(SOLID, 3);
  store<f32>(FRACTION, 0);
  recordBrush(brush, -1);
}

/** Position test against one brush: only the sides after the six axial ones, for which the bounds stand. */
export function touchBrush<S>(brush: i32): void {
  if (isApart<S>(brush)) return;
  const blocks = brush + RECORD_BYTES;
  const end = blocks + load<i32>(brush, BRUSH_BLOCKS);
  for (let block = blocks + load<i32>(brush, BRUSH_FIRST_BLOCKS); block < end; block += BLOCK_BYTES) {
    const nx = v128.load(block);
    const ny = v128.load(block, 16);
    const nz = v128.load(block, 32);
    const d1 = distances<S>(START, nx, ny, nz, widened<S>(nx, ny, nz, v128.load(block, 48)));
    if (v128.any_true(f32x4.gt(d1, f32x4.splat(0)))) return;
  }
  recordInside(brush, true);
}
