import {
  ASKS,
  BLOCK_BITS,
  CELL_ASKED,
  CELL_BITS,
  CELL_BYTES_BITS,
  CLOSE,
  GRID_BLOCKS,
  GRID_CELLS,
  GRID_KEPT,
  GRID_MISSED,
  GRID_SCALE,
  GRID_SIZES,
  GRID_STRIDES,
  GRID_TAKEN,
  NEAR,
  SHORT,
} from '../src/format/clearing-layout';

// Clearings, as kernels ask them: see ../src/format/clearings.ts.

const STEPS_BITS = CELL_BITS + BLOCK_BITS;
const IN_BLOCK = (1 << BLOCK_BITS) - 1;
const BLOCK_BYTES_BITS = CELL_BYTES_BITS + 3 * BLOCK_BITS;

/** A lane for each axis, times what makes them one number. */
function sum(v: v128, strides: v128): i32 {
  const parts = i32x4.mul(v, strides);
  return i32x4.extract_lane(parts, 0) + i32x4.extract_lane(parts, 1) + i32x4.extract_lane(parts, 2);
}

/** Keeps a block, if there is room for it. Returns its number among those that are kept, or -1. */
function keep(table: usize, entry: usize): i32 {
  const taken = load<i32>(table, GRID_TAKEN);
  const kept = taken < load<i32>(table, GRID_KEPT) ? taken + 1 : -1;
  store<i16>(entry, <i16>kept, GRID_BLOCKS);
  if (kept > 0) store<i32>(table, kept, GRID_TAKEN);
  return kept;
}

/** What is known of a move: nothing, that it meets nothing, or that nobody has looked for a clearing where it starts. */
export const UNCLEAR = 0;
export const CLEAR = 1;
export const UNKNOWN = 2;

/** Tells who traces a batch that there was something to look for. */
export function miss(table: usize): void {
  store<i32>(table, 1, GRID_MISSED);
}

/**
 * Whether a short move stays in the clearing of the cell that it starts in, with a shape that reaches from `mins` to `maxs`
 * around it. The fourth lanes are 0.
 */
export function ask(table: usize, start: v128, end: v128, mins: v128, maxs: v128): i32 {
  const scale = v128.load(table, GRID_SCALE);
  const origin = v128.load(table);
  const from = f32x4.mul(f32x4.sub(start, origin), scale);
  const to = f32x4.mul(f32x4.sub(end, origin), scale);
  if (v128.any_true(f32x4.ge(f32x4.abs(f32x4.sub(to, from)), f32x4.splat(<f32>SHORT)))) return UNCLEAR;
  if (!v128.any_true(f32x4.ne(start, end))) return UNCLEAR;
  const place = i32x4.trunc_sat_f32x4_s(from);
  const block = i32x4.shr_s(place, STEPS_BITS);
  if (v128.any_true(i32x4.ge_u(block, v128.load(table, GRID_SIZES)))) return UNCLEAR;
  const entry = table + 2 * sum(block, v128.load(table, GRID_STRIDES));
  let kept: i32 = load<i16>(entry, GRID_BLOCKS);
  if (kept === 0) kept = keep(table, entry);
  if (kept < 0) return UNCLEAR;
  const inBlock = v128.and(i32x4.shr_s(place, CELL_BITS), i32x4.splat(IN_BLOCK));
  const cell = sum(inBlock, i32x4(1, 1 << BLOCK_BITS, 1 << (2 * BLOCK_BITS), 0));
  const at: usize =
    load<i32>(table, GRID_CELLS) + ((kept - 1) << BLOCK_BYTES_BITS) + (cell << CELL_BYTES_BITS);
  const clearing = v128.load64_zero(at);
  const corners = i16x8.extend_low_i8x16_s(clearing);
  const corner = f32x4.convert_i32x4_s(v128.and(place, i32x4.splat(-1 << CELL_BITS)));
  const low = f32x4.add(corner, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(corners)));
  const high = f32x4.add(corner, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(corners)));
  const first = f32x4.add(f32x4.pmin(to, from), f32x4.mul(mins, scale));
  const last = f32x4.add(f32x4.pmax(from, to), f32x4.mul(maxs, scale));
  // Engines look at how far the ends are from a plane only where a move comes nearer to it.
  const close = f32x4.splat(<f32>CLOSE);
  const near = f32x4.splat(<f32>NEAR);
  const least = f32x4.sub(first, v128.bitselect(close, near, f32x4.ge(end, start)));
  const most = f32x4.add(last, v128.bitselect(close, near, f32x4.le(end, start)));
  // NaN is not inside either.
  if (!i32x4.all_true(v128.and(f32x4.gt(least, low), f32x4.lt(most, high)))) {
    const asked: i32 = i16x8.extract_lane_s(corners, <u8>CELL_ASKED);
    if (asked < 0) return UNCLEAR;
    if (asked >= ASKS) return UNKNOWN;
    store<i8>(at, <i8>(asked + 1), CELL_ASKED);
    return UNCLEAR;
  }
  return CLEAR;
}
