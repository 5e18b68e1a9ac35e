// The order in which a kernel traces the segments of a batch: those that begin near each other one after the other, so that
// processors predict most branches correctly. Answers do not depend on it.

/** Cells along each axis of the box that contains all starts. */
const CELLS: f32 = 16;
const LAST_CELL = 15;
/** Numbers of cells: the bits of the three coordinates interleaved, so that cells with close numbers are close to each other. */
const CELL_NUMBERS = 4096;

/** Bytes that counting the segments in each cell takes. */
const COUNTS_BYTES = 2 * CELL_NUMBERS;
/** Fewer segments than this take longer to put in order than to trace in any order. */
const FEWEST = 256;

/** Where the n-th segment of a list begins; the fourth lane holds some other number. */
function listedStart(segments: usize, list: usize, n: i32): v128 {
  return v128.load(segments + 24 * <usize>load<u16>(list + 2 * n));
}

function cellOf(start: v128, low: v128, scale: v128): i32 {
  const place = f32x4.mul(f32x4.sub(start, low), scale);
  let cell = i32x4.min_s(i32x4.trunc_sat_f32x4_s(place), i32x4.splat(LAST_CELL));
  // Spreads the four bits, so that they are three apart.
  cell = v128.and(v128.or(cell, i32x4.shl(cell, 4)), i32x4.splat(0xc3));
  cell = v128.and(v128.or(cell, i32x4.shl(cell, 2)), i32x4.splat(0x249));
  const xy = i32x4.extract_lane(cell, 0) | (i32x4.extract_lane(cell, 1) << 1);
  return xy | (i32x4.extract_lane(cell, 2) << 2);
}

/**
 * Puts the numbers of `count` segments, of 24 bytes each, from `list` into `order`, in such an order. Numbers have 16 bits;
 * `counts` has room for 8,192 bytes.
 */
export function orderSegments(segments: usize, list: usize, count: i32, counts: usize, order: usize): void {
  memory.copy(order, list, 2 * count);
  if (count < FEWEST) return;
  let before = listedStart(segments, list, 0);
  let low = before;
  let high = before;
  let places = 1;
  for (let n = 1; n < count; n++) {
    const start = listedStart(segments, list, n);
    low = f32x4.pmin(low, start);
    high = f32x4.pmax(high, start);
    places += i32((i32x4.bitmask(f32x4.ne(start, before)) & 7) !== 0);
    before = start;
  }
  // Many begin where the one before them does: there is no need to put those in order.
  if (places < count >> 1) return;
  const scale = f32x4.div(f32x4.splat(CELLS), f32x4.sub(high, low));
  memory.fill(counts, 0, COUNTS_BYTES);
  let changes = 0;
  let last = -1;
  for (let n = 0; n < count; n++) {
    const cell = cellOf(listedStart(segments, list, n), low, scale);
    if (cell !== last) changes++;
    last = cell;
    const counted: usize = counts + 2 * cell;
    store<u16>(counted, load<u16>(counted) + 1);
  }
  // They are in order already.
  if (changes < count >> 1) return;
  let sum = 0;
  for (let at = counts; at < counts + COUNTS_BYTES; at += 2) {
    const here = load<u16>(at);
    store<u16>(at, <u16>sum);
    sum += here;
  }
  for (let n = 0; n < count; n++) {
    const next: usize = counts + 2 * cellOf(listedStart(segments, list, n), low, scale);
    const place: usize = load<u16>(next);
    store<u16>(next, <u16>(place + 1));
    store<u16>(order + 2 * place, load<u16>(list + 2 * n));
  }
}
