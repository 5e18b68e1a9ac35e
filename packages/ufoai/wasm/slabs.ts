import { QUAD_MAXS } from '../src/wasm/layout';

// Comparing long moves with bounds. The box around a diagonal move contains most of what is near it, so the move itself is
// compared: the parts of its way after which it comes to the planes of both sides, along each axis. This is known as slabs.

/** Where the move starts, as low sides and high sides see it; the inverse of its way; in all lanes, the part of it that matters. */
let startLow: v128 = i64x2(0, 0);
let startHigh: v128 = i64x2(0, 0);
let inverse: v128 = i64x2(0, 0);
let limit: v128 = i64x2(0, 0);

/**
 * Says which move to compare with bounds. A box comes to low sides with its greatest corner, and to high sides with its least; room
 * for rounding is added to both.
 */
export function aim(greatest: v128, least: v128, way: v128): void {
  startLow = greatest;
  startHigh = least;
  inverse = f32x4.replace_lane(f32x4.div(f32x4.splat(1), way), 3, 1);
  limit = f32x4.splat(1);
}

/** What the move comes to after this part of its way does not matter any more. */
export function limitTo(part: f32): void {
  limit = f32x4.splat(part);
}

export function isWithinLimit(part: f32): bool {
  return part <= f32x4.extract_lane(limit, 0);
}

/** The parts of the way up to the planes of the low sides, and of the high ones. */
function toLows(bounds: usize): v128 {
  return f32x4.mul(f32x4.sub(v128.load(bounds), startLow), inverse);
}

function toHighs(bounds: usize): v128 {
  return f32x4.mul(f32x4.sub(v128.load(bounds, 16), startHigh), inverse);
}

/** Whether the move misses bounds, or comes to them too late to matter. Bounds of nothing, which are inside out, are not missed. */
export function misses(bounds: usize): bool {
  // For a move that stays in the plane of a side, some of these are NaN. Then that axis decides nothing, or the bounds are missed;
  // with the room for rounding, either is right.
  const lows = toLows(bounds);
  const highs = toHighs(bounds);
  const nears = f32x4.pmin(lows, highs);
  const fars = f32x4.pmax(lows, highs);
  // Each axis is compared with both others; the fourth lanes, which are about 0 or infinite, decide nothing either.
  const one = f32x4.gt(nears, v128.shuffle<f32>(fars, fars, 1, 2, 0, 3));
  const other = f32x4.gt(nears, v128.shuffle<f32>(fars, fars, 2, 0, 1, 3));
  const outside = v128.or(f32x4.gt(nears, limit), f32x4.lt(fars, f32x4.splat(0)));
  return v128.any_true(v128.or(v128.or(one, other), outside));
}

/** Which of the four bounds of a record by components the move does not miss, a bit each. */
export function meets(quad: usize): i32 {
  const lowX = f32x4.mul(f32x4.sub(v128.load(quad), splat0(startLow)), splat0(inverse));
  const lowY = f32x4.mul(f32x4.sub(v128.load(quad, 16), splat1(startLow)), splat1(inverse));
  const lowZ = f32x4.mul(f32x4.sub(v128.load(quad, 32), splat2(startLow)), splat2(inverse));
  const highX = f32x4.mul(f32x4.sub(v128.load(quad, QUAD_MAXS), splat0(startHigh)), splat0(inverse));
  const highY = f32x4.mul(f32x4.sub(v128.load(quad, QUAD_MAXS + 16), splat1(startHigh)), splat1(inverse));
  const highZ = f32x4.mul(f32x4.sub(v128.load(quad, QUAD_MAXS + 32), splat2(startHigh)), splat2(inverse));
  // Where these are NaN, pmax and pmin return what was before. See above.
  let near = f32x4.pmax(f32x4.splat(0), f32x4.pmin(lowX, highX));
  near = f32x4.pmax(f32x4.pmax(near, f32x4.pmin(lowY, highY)), f32x4.pmin(lowZ, highZ));
  let far = f32x4.pmin(limit, f32x4.pmax(lowX, highX));
  far = f32x4.pmin(f32x4.pmin(far, f32x4.pmax(lowY, highY)), f32x4.pmax(lowZ, highZ));
  return i32x4.bitmask(f32x4.le(near, far));
}

function splat0(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 0, 0, 0, 0);
}

function splat1(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 1, 1, 1, 1);
}

function splat2(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 2, 2, 2);
}

/** The part of the way up to bounds that the move does not miss. */
export function partTo(bounds: usize): f32 {
  const nears = f32x4.pmax(f32x4.splat(0), f32x4.pmin(toLows(bounds), toHighs(bounds)));
  const two = f32x4.pmax(nears, v128.shuffle<f32>(nears, nears, 1, 2, 0, 3));
  return f32x4.extract_lane(f32x4.pmax(two, v128.shuffle<f32>(nears, nears, 2, 0, 1, 3)), 0);
}
