// Clearings, as the kernels ask them for the moves of a batch: see ../src/format/clearings.ts, which lays out the table.

const SCALE: usize = 16;
const SIZES: usize = 32;
const STRIDES: usize = 48;
const MISSED: usize = 64;
const CELLS: usize = 68;
const TAKEN: usize = 72;
const KEPT: usize = 76;
const BLOCKS: usize = 80;

/** Steps of a cell along each axis, in bits, and of a block. */
const CELL_BITS = 6;
const STEPS_BITS = 7;
const BLOCK_BYTES_BITS = 6;

/** Of a cell, how often it has been asked for; so often nothing is done. */
const ASKED: usize = 3;
const ASKS = 15;

/** Longer moves seldom stay in a clearing. In steps along an axis. */
const SHORT: f32 = 64;

/** A lane for each axis, times what makes them one number. */
function sum(v: v128, strides: v128): i32 {
  const parts = i32x4.mul(v, strides);
  return i32x4.extract_lane(parts, 0) + i32x4.extract_lane(parts, 1) + i32x4.extract_lane(parts, 2);
}

/** Keeps a block, if there is room for it. Returns its number among those that are kept, or -1. */
function keep(table: usize, entry: usize): i32 {
  const taken = load<i32>(table, TAKEN);
  const kept = taken < load<i32>(table, KEPT) ? taken + 1 : -1;
  store<i16>(entry, <i16>kept, BLOCKS);
  if (kept > 0) store<i32>(table, kept, TAKEN);
  return kept;
}

/** What is known of a move: nothing, that it meets nothing, or that nobody has looked for a clearing where it starts. */
export const UNCLEAR = 0;
export const CLEAR = 1;
export const UNKNOWN = 2;

/** Tells who traces a batch that there was something to look for. */
export function miss(table: usize): void {
  store<i32>(table, 1, MISSED);
}

/**
 * Whether a short move stays in the clearing of the cell that it starts in, with a shape that reaches from `mins` to `maxs`
 * around it. The fourth lanes are 0.
 */
export function ask(table: usize, start: v128, end: v128, mins: v128, maxs: v128): i32 {
  const scale = v128.load(table, SCALE);
  const origin = v128.load(table);
  const from = f32x4.mul(f32x4.sub(start, origin), scale);
  const to = f32x4.mul(f32x4.sub(end, origin), scale);
  if (v128.any_true(f32x4.ge(f32x4.abs(f32x4.sub(to, from)), f32x4.splat(SHORT)))) return UNCLEAR;
  if (!v128.any_true(f32x4.ne(start, end))) return UNCLEAR;
  const place = i32x4.trunc_sat_f32x4_s(from);
  const block = i32x4.shr_s(place, STEPS_BITS);
  if (v128.any_true(i32x4.ge_u(block, v128.load(table, SIZES)))) return UNCLEAR;
  const entry = table + 2 * sum(block, v128.load(table, STRIDES));
  let kept: i32 = load<i16>(entry, BLOCKS);
  if (kept === 0) kept = keep(table, entry);
  if (kept < 0) return UNCLEAR;
  const inBlock = v128.and(i32x4.shr_s(place, CELL_BITS), i32x4.splat(1));
  const cell = sum(inBlock, i32x4(1, 2, 4, 0));
  const at: usize = load<i32>(table, CELLS) + ((kept - 1) << BLOCK_BYTES_BITS) + (cell << 3);
  const clearing = v128.load64_zero(at);
  const corners = i16x8.extend_low_i8x16_s(clearing);
  const corner = f32x4.convert_i32x4_s(v128.and(place, i32x4.splat(-1 << CELL_BITS)));
  const low = f32x4.add(corner, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(corners)));
  const high = f32x4.add(corner, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(corners)));
  const least = f32x4.add(f32x4.pmin(to, from), f32x4.mul(mins, scale));
  const most = f32x4.add(f32x4.pmax(from, to), f32x4.mul(maxs, scale));
  // NaN is not inside either.
  if (!i32x4.all_true(v128.and(f32x4.gt(least, low), f32x4.lt(most, high)))) {
    const asked: i32 = i16x8.extract_lane_s(corners, 3);
    if (asked < 0) return UNCLEAR;
    if (asked >= ASKS) return UNKNOWN;
    store<i8>(at, <i8>(asked + 1), ASKED);
    return UNCLEAR;
  }
  return CLEAR;
}
