// Clearings, as the kernels ask them for the moves of a batch: see ../src/format/clearings.ts.

// The table: where the grid begins, cells per unit in each lane; cells along each axis, 1; numbers that make a cell's of
// those along the axes, 0; whether a clearing was missed because it had not been looked for; then the clearings.
const SCALE: usize = 16;
const CELLS: usize = 32;
const STRIDES: usize = 48;
const MISSED: usize = 64;
const CLEARINGS: usize = 80;

/** Longer moves seldom stay in a clearing. */
const SHORT: f32 = 64;

/**
 * Whether a short move stays in the clearing of the cell that it starts in, with a shape that reaches from `mins` to `maxs`
 * around it. The fourth lanes are 0.
 */
export function isClear(table: usize, start: v128, end: v128, mins: v128, maxs: v128): bool {
  if (v128.any_true(f32x4.ge(f32x4.abs(f32x4.sub(end, start)), f32x4.splat(SHORT)))) return false;
  const place = f32x4.mul(f32x4.sub(start, v128.load(table)), v128.load(table, SCALE));
  const cell = i32x4.trunc_sat_f32x4_s(place);
  if (v128.any_true(i32x4.ge_u(cell, v128.load(table, CELLS)))) return false;
  const numbers = i32x4.mul(cell, v128.load(table, STRIDES));
  const number =
    i32x4.extract_lane(numbers, 0) + i32x4.extract_lane(numbers, 1) + i32x4.extract_lane(numbers, 2);
  const clearing = v128.load(table + 16 * number, CLEARINGS);
  const low = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(clearing));
  const high = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(clearing));
  const least = f32x4.add(f32x4.pmin(end, start), mins);
  const most = f32x4.add(f32x4.pmax(start, end), maxs);
  // What is no number is no more within than what is outside.
  if (!i32x4.all_true(v128.and(f32x4.gt(least, low), f32x4.lt(most, high)))) {
    if (i16x8.extract_lane_s(clearing, 3) === 0) store<i32>(table, 1, MISSED);
    return false;
  }
  return v128.any_true(f32x4.ne(start, end));
}
