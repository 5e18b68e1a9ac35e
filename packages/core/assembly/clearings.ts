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

// How kernels ask clearings: see ../src/format/clearings.ts.

const STEPS_BITS = CELL_BITS + BLOCK_BITS;
/** Shifts a place so that the bit that says which half of the block it is in becomes the sign. */
const HALF_TO_SIGN = 31 - CELL_BITS;
const BLOCK_BYTES_BITS = CELL_BYTES_BITS + 3 * BLOCK_BITS;

/** Keeps a block, if there is room for it. Returns its number among those that are kept, or -1. */
function keep(table: usize, entry: usize): i32 {
  const taken = load<i32>(table, GRID_TAKEN);
  const kept = taken < load<i32>(table, GRID_KEPT) ? taken + 1 : -1;
  store<i16>(entry, <i16>kept, GRID_BLOCKS);
  if (kept > 0) store<i32>(table, kept, GRID_TAKEN);
  return kept;
}

/** What is known about a move: nothing; that it meets nothing; that the clearing where it starts has yet to be looked for. */
export const UNCLEAR = 0;
export const CLEAR = 1;
export const UNKNOWN = 2;

/** Tells the caller of a batch that there is a clearing to look for. */
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
  const way = f32x4.sub(to, from);
  if (v128.any_true(f32x4.ge(f32x4.mul(way, way), f32x4.splat(<f32>(SHORT * SHORT))))) return UNCLEAR;
  if (!v128.any_true(f32x4.ne(start, end))) return UNCLEAR;
  const place = i32x4.trunc_sat_f32x4_s(from);
  const block = i32x4.shr_s(place, STEPS_BITS);
  if (v128.any_true(i32x4.ge_u(block, v128.load(table, GRID_SIZES)))) return UNCLEAR;
  // Axis by axis: on Intel's processors, multiplying four 32-bit integers as a vector takes three times as long.
  const inRow = i32x4.extract_lane(block, 1) * load<i32>(table, GRID_STRIDES + 4);
  const inLayer = i32x4.extract_lane(block, 2) * load<i32>(table, GRID_STRIDES + 8);
  const entry = table + 2 * <usize>(i32x4.extract_lane(block, 0) + inRow + inLayer);
  let kept: i32 = load<i16>(entry, GRID_BLOCKS);
  if (kept === 0) kept = keep(table, entry);
  if (kept < 0) return UNCLEAR;
  // A block is two cells wide, so that the half along each axis is a bit of the cell's number.
  if (BLOCK_BITS !== 1) ERROR('cells of a block have a bit for each axis');
  const cell = i32x4.bitmask(i32x4.shl(place, HALF_TO_SIGN));
  const at: usize =
    load<i32>(table, GRID_CELLS) + ((kept - 1) << BLOCK_BYTES_BITS) + (cell << CELL_BYTES_BITS);
  const clearing = v128.load64_zero(at);
  const corners = i16x8.extend_low_i8x16_s(clearing);
  // Shifted right and left again, as V8 takes three instructions to make a mask of four numbers.
  const corner = f32x4.convert_i32x4_s(i32x4.shl(i32x4.shr_s(place, CELL_BITS), CELL_BITS));
  const low = f32x4.add(corner, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(corners)));
  const high = f32x4.add(corner, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(corners)));
  const first = f32x4.add(f32x4.pmin(to, from), f32x4.mul(mins, scale));
  const last = f32x4.add(f32x4.pmax(from, to), f32x4.mul(maxs, scale));
  // Engines compare the ends' distances from a plane with an epsilon only where a move comes nearer to it.
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
