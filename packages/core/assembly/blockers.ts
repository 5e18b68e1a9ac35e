import {
  BLOCK_BYTES,
  BLOCKS_SEEN,
  CELL_NUMBER_BITS,
  CELL_UNITS,
  CREDIT,
  ENDS,
  FARTHEST,
  FOUR_BYTES,
  FOUR_HIGH,
  FOUR_LOW,
  FOUR_RECORDS,
  LEAST_CREDIT,
  MOST_CREDIT,
  MOST_WANTED,
  NEW_CREDIT,
  NUM_WANTED,
  PART,
  PARTS,
  RECORD_BLOCKS,
  RECORD_CONTENTS,
  RECORD_END,
  RECORD_HIGH,
  SET,
  SET_BYTES,
  SET_CREDIT,
  SET_NEXT,
  SETS,
  SETS_MASK,
  WANTED,
  WANTED_BYTES,
  WANTED_MOVE,
  WITHIN,
  WORDS,
} from '../src/format/blocker-layout';

// How kernels ask blockers: see ../src/format/blockers.ts. Which ones are kept affects nothing but time.

/** As far as most steps go, in Quake units. */
export const STEP: f32 = 64;

/**
 * Whether a move goes no farther than this along any axis, so that asking blockers is not worth it: it is likely to meet nothing.
 */
export function isStep(from: v128, to: v128, farthest: f32): bool {
  return !v128.any_true(f32x4.gt(f32x4.abs(f32x4.sub(to, from)), f32x4.splat(farthest)));
}

// What moves: a point, or a box around one. The size of the type tells which of them, at compile time.
type Point = u8;
type Box = u16;
const POINT = 1;

/** Whether a blocker whose contents have any bit of a mask is in the way of a point's move. The fourth lanes are 0. */
export function blocksPoint(table: usize, mask: i32, from: v128, to: v128): bool {
  return meetsBlocker<Point>(table, mask, from, to, from, from);
}

/** The same for a box around a point, given its corners relative to that point. */
export function blocksBox(table: usize, mask: i32, from: v128, to: v128, mins: v128, maxs: v128): bool {
  return meetsBlocker<Box>(table, mask, from, to, f32x4.add(from, mins), f32x4.add(from, maxs));
}

function meetsBlocker<S>(table: usize, mask: i32, from: v128, to: v128, front: v128, back: v128): bool {
  const most = f32x4.splat(<f32>FARTHEST);
  // NaN is not within reach either.
  const isNear = v128.and(f32x4.le(f32x4.abs(from), most), f32x4.le(f32x4.abs(to), most));
  if (!i32x4.all_true(isNear)) return false;
  const step = f32x4.sub(to, from);
  if (!v128.any_true(f32x4.ne(step, f32x4.splat(0)))) return false;
  const set = setOf(table, from, step);
  const credit = load<i32>(set, SET_CREDIT);
  // The lowest bit says that the set is not asked.
  store<i32>(table, <i32>set | i32(credit < 0), SET);
  store<i32>(set, max(credit - 1, LEAST_CREDIT), SET_CREDIT);
  if (credit < 0) return false;
  const inverse = f32x4.div(f32x4.splat(1), step);
  v128.store(table, from, ENDS);
  v128.store(table, to, ENDS + 16);
  // A box meets low sides with its greatest corner, and high sides with its least.
  const backX = f32x4.splat(f32x4.extract_lane(back, 0));
  const backY = f32x4.splat(f32x4.extract_lane(back, 1));
  const backZ = f32x4.splat(f32x4.extract_lane(back, 2));
  const frontX = f32x4.splat(f32x4.extract_lane(front, 0));
  const frontY = f32x4.splat(f32x4.extract_lane(front, 1));
  const frontZ = f32x4.splat(f32x4.extract_lane(front, 2));
  const ix = f32x4.splat(f32x4.extract_lane(inverse, 0));
  const iy = f32x4.splat(f32x4.extract_lane(inverse, 1));
  const iz = f32x4.splat(f32x4.extract_lane(inverse, 2));
  // If the move stays in the plane of one of the bounds' sides, the numbers along that axis are NaN. pmin and pmax then return
  // their first argument, so that the axis is ignored or the bounds are missed.
  for (let at = set; at < set + SET_NEXT; at += FOUR_BYTES) {
    const lowX = f32x4.mul(f32x4.sub(v128.load(at, FOUR_LOW), backX), ix);
    const lowY = f32x4.mul(f32x4.sub(v128.load(at, FOUR_LOW + 16), backY), iy);
    const lowZ = f32x4.mul(f32x4.sub(v128.load(at, FOUR_LOW + 32), backZ), iz);
    const highX = f32x4.mul(f32x4.sub(v128.load(at, FOUR_HIGH), frontX), ix);
    const highY = f32x4.mul(f32x4.sub(v128.load(at, FOUR_HIGH + 16), frontY), iy);
    const highZ = f32x4.mul(f32x4.sub(v128.load(at, FOUR_HIGH + 32), frontZ), iz);
    let near = f32x4.pmax(f32x4.splat(0), f32x4.pmin(lowX, highX));
    near = f32x4.pmax(f32x4.pmax(near, f32x4.pmin(lowY, highY)), f32x4.pmin(lowZ, highZ));
    let far = f32x4.pmin(f32x4.splat(1), f32x4.pmax(lowX, highX));
    far = f32x4.pmin(f32x4.pmin(far, f32x4.pmax(lowY, highY)), f32x4.pmax(lowZ, highZ));
    let met = i32x4.bitmask(f32x4.gt(f32x4.sub(far, near), f32x4.splat(<f32>PART)));
    if (met === 0) continue;
    if (sizeof<S>() === POINT) {
      v128.store(table, near, PARTS);
      v128.store(table, far, PARTS + 16);
    }
    for (; met !== 0; met &= met - 1) {
      const lane: usize = ctz(met) << 2;
      const record: usize = load<i32>(at + lane, FOUR_RECORDS);
      // A slot without a blocker has bounds of size 0, which a box widens too.
      if (sizeof<S>() !== POINT && record === 0) continue;
      if ((load<i32>(record, RECORD_CONTENTS) & mask) === 0) continue;
      let isBox = false;
      if (sizeof<S>() !== POINT) {
        isBox = load<i32>(record, RECORD_BLOCKS) === load<i32>(record, RECORD_END);
        // Oblique sides that are pushed out by the box's corners enclose places that no corner reaches. So the point itself has
        // to go through the inside.
        if (!isBox) putPart(table, record, lane, from, inverse);
      }
      if (isBox || goesThrough(table, record, lane)) {
        earn(set);
        return true;
      }
    }
  }
  return false;
}

/** Credits a set with a move that one of its blockers is in the way of. */
function earn(set: usize): void {
  store<i32>(set, min(load<i32>(set, SET_CREDIT) + CREDIT, MOST_CREDIT), SET_CREDIT);
}

/** Stores, in a lane, the part of the move in which the point is within a blocker's bounds. */
function putPart(table: usize, record: usize, lane: usize, from: v128, inverse: v128): void {
  const low = f32x4.mul(f32x4.sub(v128.load(record), from), inverse);
  const high = f32x4.mul(f32x4.sub(v128.load(record, RECORD_HIGH), from), inverse);
  // The fourth lanes hold other things.
  const near = f32x4.replace_lane(f32x4.pmax(f32x4.splat(0), f32x4.pmin(low, high)), 3, 0);
  const far = f32x4.replace_lane(f32x4.pmin(f32x4.splat(1), f32x4.pmax(low, high)), 3, 1);
  store<f32>(table + lane, greatest(near), PARTS);
  store<f32>(table + lane, -greatest(f32x4.neg(far)), PARTS + 16);
}

/** The greatest of four numbers. */
function greatest(v: v128): f32 {
  const two = f32x4.pmax(v, i32x4.shuffle(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmax(two, i32x4.shuffle(two, two, 1, 0, 3, 2)), 0);
}

/** Distances of an end of the move from the four sides of a block. */
function distances(end: usize, block: usize): v128 {
  const x = f32x4.mul(v128.load(block), v128.load32_splat(end, ENDS));
  const y = f32x4.mul(v128.load(block, 16), v128.load32_splat(end, ENDS + 4));
  const z = f32x4.mul(v128.load(block, 32), v128.load32_splat(end, ENDS + 8));
  return f32x4.sub(f32x4.add(f32x4.add(x, y), z), f32x4.sub(v128.load(block, 48), f32x4.splat(<f32>WITHIN)));
}

/** Whether a move that goes through the bounds of the blocker in a lane also goes through its inside. */
function goesThrough(table: usize, record: usize, lane: usize): bool {
  const end: usize = load<i32>(record, RECORD_END);
  const zero = f32x4.splat(0);
  let near = v128.load32_splat(table + lane, PARTS);
  let far = v128.load32_splat(table + lane, PARTS + 16);
  for (let block: usize = load<i32>(record, RECORD_BLOCKS); block < end; block += BLOCK_BYTES) {
    const d1 = distances(table, block);
    const d2 = distances(table + 16, block);
    const startsOut = f32x4.gt(d1, zero);
    const endsOut = f32x4.gt(d2, zero);
    if (v128.any_true(v128.and(startsOut, endsOut))) return false;
    const fraction = f32x4.div(d1, f32x4.sub(d1, d2));
    near = f32x4.pmax(near, v128.and(fraction, startsOut));
    far = f32x4.pmin(far, v128.bitselect(fraction, f32x4.splat(1), endsOut));
  }
  // Over all lanes, the last fraction of entering and the first of leaving, both found as a maximum.
  const left = f32x4.neg(far);
  const pairs = f32x4.pmax(i32x4.shuffle(near, left, 0, 1, 4, 5), i32x4.shuffle(near, left, 2, 3, 6, 7));
  const both = f32x4.pmax(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2));
  return -f32x4.extract_lane(both, 2) - f32x4.extract_lane(both, 0) > <f32>PART;
}

/**
 * Notes that the solid with this number blocked a move. Once it has blocked enough moves to be examined, returns where to write
 * what identifies it; else 0.
 */
export function noteBlocker(table: usize, number: i32): usize {
  const word: usize = table + 4 * number;
  const seen = load<i32>(word, WORDS);
  if (seen > BLOCKS_SEEN) ask(table, seen);
  else if (seen >= 0) {
    const wanted = load<i32>(table, NUM_WANTED);
    if (seen < BLOCKS_SEEN) store<i32>(word, seen + 1, WORDS);
    else if (wanted < MOST_WANTED) {
      store<i32>(word, -1, WORDS);
      store<i32>(table, wanted + 1, NUM_WANTED);
      const entry = table + WANTED + WANTED_BYTES * wanted;
      store<i32>(entry, number, 4);
      return entry;
    }
  }
  return 0;
}

/** The same for a cell, which the move helps to find again. `cell` is any number that few others have. */
export function noteMove(table: usize, cell: i32, what: i32, from: v128, to: v128): void {
  // Another set may have been asked since.
  const set = <i32>setOf(table, from, f32x4.sub(to, from));
  if ((load<i32>(table, SET) & ~1) !== set) store<i32>(table, set, SET);
  // D. Knuth's multiplicative hashing.
  const entry = noteBlocker(table, (cell * 0x9e3779b1) >>> (32 - CELL_NUMBER_BITS));
  if (entry === 0) return;
  store<i32>(entry, what);
  v128.store(entry, from, WANTED_MOVE);
  v128.store64_lane(entry, to, 0, WANTED_MOVE + 12);
  v128.store32_lane(entry, to, 2, WANTED_MOVE + 20);
}

/** Whether any solid waits to be examined. */
export function isAnyWanted(table: usize): bool {
  return load<i32>(table, NUM_WANTED) !== 0;
}

/** Where the set of a move begins. */
function setOf(table: usize, from: v128, step: v128): usize {
  const place = f32x4.floor(f32x4.mul(from, f32x4.splat(1 / <f32>CELL_UNITS)));
  const cell = i32x4.mul(i32x4.trunc_sat_f32x4_s(place), i32x4(73856093, 19349663, 83492791, 0));
  const mixed = i32x4.extract_lane(cell, 0) ^ i32x4.extract_lane(cell, 1) ^ i32x4.extract_lane(cell, 2);
  const way = i32x4.bitmask(step) & 7;
  const number = ((mixed << 3) | way) & load<i32>(table, SETS_MASK);
  return <usize>load<i32>(table, SETS) + <usize>SET_BYTES * <usize>number;
}

/** Adds a blocker to the set of the latest move, in place of another, unless it is there already. */
function ask(table: usize, record: i32): void {
  const chosen = load<i32>(table, SET);
  if (chosen === 0) return;
  const set: usize = chosen & ~1;
  const wanted = i32x4.splat(record);
  for (let at = set; at < set + SET_NEXT; at += FOUR_BYTES) {
    if (!v128.any_true(i32x4.eq(v128.load(at, FOUR_RECORDS), wanted))) continue;
    // Asking the set would most likely have been worth it.
    if ((chosen & 1) !== 0) earn(set);
    return;
  }
  store<i32>(set, min(max(load<i32>(set, SET_CREDIT), 0) + NEW_CREDIT, MOST_CREDIT), SET_CREDIT);
  const next = load<i32>(set, SET_NEXT);
  const to: usize = set + FOUR_BYTES * (next >> 2) + 4 * (next & 3);
  store<i32>(set, (next + 1) % ((4 * SET_NEXT) / FOUR_BYTES), SET_NEXT);
  for (let axis: usize = 0; axis < 3; axis++) {
    store<f32>(to + 16 * axis, load<f32>(<usize>record + 4 * axis), FOUR_LOW);
    store<f32>(to + 16 * axis, load<f32>(<usize>record + 4 * axis, RECORD_HIGH), FOUR_HIGH);
  }
  store<i32>(to, record, FOUR_RECORDS);
}
