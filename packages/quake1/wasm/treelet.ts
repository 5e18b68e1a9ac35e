import {
  ADDRESS_MASK,
  FAR,
  FLAG_START_SOLID,
  LEAF_FLAGS,
  TREELET_DIST,
  TREELET_EXITS,
  TREELET_Y,
  TREELET_Z,
} from '../src/wasm/layout';

/** How far before a plane a move is cut. */
const EPSILON: f64 = 0.03125;

/** Distances of a point, given as three vectors, from the planes of a treelet. */
export function measure(treelet: i32, x: v128, y: v128, z: v128): v128 {
  const xy = f32x4.add(f32x4.mul(v128.load(treelet), x), f32x4.mul(v128.load(treelet, TREELET_Y), y));
  const sum = f32x4.add(xy, f32x4.mul(v128.load(treelet, TREELET_Z), z));
  return f32x4.sub(sum, v128.load(treelet, TREELET_DIST));
}

/** A point's x in all four lanes; likewise y and z. */
export function xOf(point: v128): v128 {
  return v128.shuffle<f32>(point, point, 0, 0, 0, 0);
}

export function yOf(point: v128): v128 {
  return v128.shuffle<f32>(point, point, 1, 1, 1, 1);
}

export function zOf(point: v128): v128 {
  return v128.shuffle<f32>(point, point, 2, 2, 2, 2);
}

/** The exit of a treelet for these sides of its nodes. */
export function exitOf(treelet: i32, sides: i32): i32 {
  return load<i32>(treelet + (sides << 2), TREELET_EXITS);
}

/** The number of a vector in the lane of a node's bit, in all four lanes. */
export function pick(vector: v128, bit: i32): v128 {
  const bytes = i8x16.add(
    i8x16.splat(<i8>(ctz(bit) << 2)),
    i8x16(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3),
  );
  return i8x16.swizzle(vector, bytes);
}

/** Two distances from the plane, as float64, {@link EPSILON} nearer to it. */
function before(d1: v128): v128 {
  const signs = v128.and(d1, f64x2.splat(-0.0));
  return f64x2.sub(d1, v128.or(signs, f64x2.splat(EPSILON)));
}

/**
 * Where between two ends nodes cut a move, from the ends' distances to their planes: 1/32 before these, and within the move. All
 * four at once, so that the division begins before it is known which of them makes the cut. No cut is beyond the end, as the
 * distance between both ends is not less than that of one, even when rounded.
 */
export function cutsAt(d1: v128, d2: v128): v128 {
  const way = f32x4.sub(d1, d2);
  const low = f64x2.div(before(f64x2.promote_low_f32x4(d1)), f64x2.promote_low_f32x4(way));
  const high = f64x2.div(before(f64x2.promote_low_f32x4(upper(d1))), f64x2.promote_low_f32x4(upper(way)));
  const fraction = v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
  return f32x4.pmax(fraction, f32x4.splat(0));
}

function upper(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 3, 2, 3);
}

/** The point between two others, and its fraction of the move. */
export function between(begin: v128, end: v128, fraction: v128): v128 {
  return f32x4.add(begin, f32x4.mul(fraction, f32x4.sub(end, begin)));
}

/** The leaf at a point. */
export function leafAt(head: i32, point: v128): i32 {
  const x = xOf(point);
  const y = yOf(point);
  const z = zOf(point);
  let node = head;
  while (node >= 0) node = exitOf(node, i32x4.bitmask(measure(node, x, y, z))) & ADDRESS_MASK;
  return node;
}

export function isSolid(leaf: i32): bool {
  return ((leaf >> LEAF_FLAGS) & FLAG_START_SOLID) !== 0;
}

/** Whether a number of two points is NaN, or so great that results might overflow. */
export function isFar(a: v128, b: v128): bool {
  const limit = v128.load32_splat(FAR);
  const near = v128.and(f32x4.lt(f32x4.abs(a), limit), f32x4.lt(f32x4.abs(b), limit));
  return !i32x4.all_true(near);
}
