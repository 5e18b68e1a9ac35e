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

/** Distance before a plane at which a move is cut. */
export const EPSILON: f64 = 0.03125;

/** Distances of a point, given as three vectors, from the planes of a treelet. */
export function measure(treelet: i32, x: v128, y: v128, z: v128): v128 {
  const xy = f32x4.add(f32x4.mul(v128.load(treelet), x), f32x4.mul(v128.load(treelet, TREELET_Y), y));
  const sum = f32x4.add(xy, f32x4.mul(v128.load(treelet, TREELET_Z), z));
  return f32x4.sub(sum, v128.load(treelet, TREELET_DIST));
}

/** A point's x four times; y; z. */
export function xOf(point: v128): v128 {
  return v128.shuffle<f32>(point, point, 0, 0, 0, 0);
}

export function yOf(point: v128): v128 {
  return v128.shuffle<f32>(point, point, 1, 1, 1, 1);
}

export function zOf(point: v128): v128 {
  return v128.shuffle<f32>(point, point, 2, 2, 2, 2);
}

/** The exit of a treelet on these sides. */
export function exitOf(treelet: i32, sides: i32): i32 {
  return load<i32>(treelet + (sides << 2), TREELET_EXITS);
}

/** The number of a vector that a node's bit stands for. */
export function pick(vector: v128, bit: i32): f32 {
  const bytes = i8x16.add(
    i8x16.splat(<i8>(ctz(bit) << 2)),
    i8x16(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3),
  );
  return f32x4.extract_lane(i8x16.swizzle(vector, bytes), 0);
}

/** Where between two ends a node cuts a move, from their distances to its plane: 1/32 before it, and within the move. */
export function cutAt(d1: f32, d2: f32): v128 {
  const before = f64(d1) - copysign<f64>(EPSILON, f64(d1));
  const fraction = f32x4.splat(f32(before / f64(d1 - d2)));
  return f32x4.pmin(f32x4.pmax(fraction, f32x4.splat(0)), f32x4.splat(1));
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

/** Whether a number of two points is so great that others might overflow, or is none. */
export function isFar(a: v128, b: v128): bool {
  const limit = v128.load32_splat(FAR);
  const near = v128.and(f32x4.lt(f32x4.abs(a), limit), f32x4.lt(f32x4.abs(b), limit));
  return !i32x4.all_true(near);
}
