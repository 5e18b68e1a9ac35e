import { orderSegments } from '../../core/assembly/order';
import { R_BRUSH, R_CONTENTS, R_DIST, R_NORMAL, R_SIDE } from '../src/block';
import {
  ALL_SOLID,
  BRUSH_PLACES,
  CELLS,
  CONTENTS,
  COUNTS,
  DISTS,
  END_POSITIONS,
  FRACTIONS,
  NORMALS,
  ORDER,
  SEGMENT_BYTES,
  SEGMENTS,
  SIDE_PLACES,
  STARTS_SOLID,
  UNSURE_MOVES,
} from '../src/hot-layout';
import { point } from './move';

// Batches: moves, those that are near each other one after the other, and their answers as arrays.

/** How many moves of the batch at hand are unsure: the other kernel has to be asked for them. */
let unsure: i32 = 0;

/** Begins with so many moves, and puts them in order. */
export function beginBatch(count: i32): void {
  unsure = 0;
  orderSegments(SEGMENTS, count, CELLS, COUNTS, ORDER);
}

/** Number of the move that is the n-th to be traced. */
export function moveAt(n: i32): i32 {
  return load<u16>(ORDER + (n << 1));
}

export function addUnsure(index: i32): void {
  store<i32>(UNSURE_MOVES + (unsure << 2), index);
  unsure++;
}

export function countUnsure(): i32 {
  return unsure;
}

/** Puts a move where its walk looks for it. */
export function takeMove(index: i32, start: usize, end: usize): void {
  const segment = SEGMENTS + SEGMENT_BYTES * index;
  v128.store(start, point(segment));
  v128.store(end, point(segment + 12));
}

function storePoint(at: usize, v: v128): void {
  v128.store64_lane(at, v, 0);
  v128.store32_lane(at, v, 2, 8);
}

/** Stores where a move stopped, and whether it started in solid. */
export function storeStop(index: i32, fraction: f32, end: v128, startsSolid: bool): void {
  store<f32>(FRACTIONS + (index << 2), fraction);
  storePoint(END_POSITIONS + 12 * index, end);
  store<u8>(STARTS_SOLID + index, u8(startsSolid));
}

/** Stores what a record says was hit. */
export function storeHit(index: i32, record: usize, allSolid: bool): void {
  const at = index << 2;
  store<u8>(ALL_SOLID + index, u8(allSolid));
  storePoint(NORMALS + 12 * index, point(record + 4 * R_NORMAL));
  store<f32>(DISTS + at, load<f32>(record, 4 * R_DIST));
  store<i32>(CONTENTS + at, load<i32>(record, 4 * R_CONTENTS));
  store<i32>(BRUSH_PLACES + at, load<i32>(record, 4 * R_BRUSH));
  store<i32>(SIDE_PLACES + at, load<i32>(record, 4 * R_SIDE));
}
