import { areFinite } from '../../core/assembly/finite';
import { orderSegments } from '../../core/assembly/order';
import { R_BRUSH, R_CONTENTS, R_DIST, R_NORMAL, R_SIDE } from '../src/block';
import {
  ALL_SOLID,
  CONTENTS,
  COUNTS,
  DISTS,
  END_POSITIONS,
  FRACTIONS,
  LIST,
  MOVE_BRUSH,
  MOVE_SIDE,
  NORMALS,
  ORDER,
  SEGMENT_BYTES,
  SEGMENTS,
  STARTS_SOLID,
  UNSURE_MOVES,
} from '../src/hot-layout';
import { point } from './move';

// Batches: moves, traced so that those near each other follow one another, and their answers as arrays.

/** How many moves of the current batch are unsure: the other kernel has to be asked for them. */
let unsure: i32 = 0;

/** How many moves are to be traced. */
let listed: i32 = 0;

export function beginBatch(): void {
  unsure = 0;
  listed = 0;
}

/** Adds a move to those that are to be traced. */
export function listMove(index: i32): void {
  store<u16>(LIST + (listed << 1), <u16>index);
  listed++;
}

/** Puts the moves that are to be traced in order, and returns how many there are. */
export function orderMoves(): i32 {
  orderSegments(SEGMENTS, LIST, listed, COUNTS, ORDER);
  return listed;
}

/** Lists the first `count` moves, in order. */
export function orderAll(count: i32): void {
  beginBatch();
  for (let k = 0; k < count; k++) listMove(k);
  orderMoves();
}

/** The number of the n-th move to be traced. */
export function moveAt(n: i32): i32 {
  return load<u16>(ORDER + (n << 1));
}

export function addUnsure(index: i32): void {
  clearMove(index);
  store<i32>(UNSURE_MOVES + (unsure << 2), index);
  unsure++;
}

export function countUnsure(): i32 {
  return unsure;
}

export function startOf(index: i32): v128 {
  return point(SEGMENTS + SEGMENT_BYTES * index);
}

export function endOf(index: i32): v128 {
  return point(SEGMENTS + SEGMENT_BYTES * index + 12);
}

/** Where a number stands that takes the place of a move: `at` is one of `MOVE_…`. */
export function numberOf(index: i32, at: usize): usize {
  return <usize>SEGMENTS + <usize>SEGMENT_BYTES * <usize>index + at;
}

/** Has the numbers that take the place of a move say that it hit nothing. */
function clearMove(index: i32): void {
  v128.store(numberOf(index, 0), i32x4(0, 0, -1, -1));
}

/** Puts a move where its walk expects it. */
export function takeMove(index: i32, start: usize, end: usize): void {
  v128.store(start, startOf(index));
  v128.store(end, endOf(index));
}

function storePoint(at: usize, v: v128): void {
  v128.store64_lane(at, v, 0);
  v128.store32_lane(at, v, 2, 8);
}

/** Sets the answers to this many moves to "nothing hit", except for where they end. Most of a player's steps need no more. */
export function clearAnswers(count: i32): void {
  const words = count << 2;
  for (let at = 0; at < words; at += 16) v128.store(at, f32x4.splat(1), FRACTIONS);
  memory.fill(NORMALS, 0, 3 * words);
  for (let at = 0; at < words; at += 16) {
    v128.store(at, i64x2(0, 0), DISTS);
    v128.store(at, i64x2(0, 0), CONTENTS);
  }
  memory.fill(STARTS_SOLID, 0, count);
  memory.fill(ALL_SOLID, 0, count);
}

/** Stores the end of a move that met nothing. */
export function storeEnd(index: i32): void {
  storePoint(END_POSITIONS + 12 * index, endOf(index));
  clearMove(index);
}

/** Stores where a move stopped, and whether it started in solid. */
export function storeStop(index: i32, fraction: f32, end: v128, startsSolid: bool): void {
  store<f32>(FRACTIONS + (index << 2), fraction);
  storePoint(END_POSITIONS + 12 * index, end);
  store<u8>(STARTS_SOLID + index, u8(startsSolid));
}

/** Stores the hit that a record describes. */
export function storeHit(index: i32, record: usize, allSolid: bool): void {
  const at = index << 2;
  store<u8>(ALL_SOLID + index, u8(allSolid));
  storePoint(NORMALS + 12 * index, point(record + 4 * R_NORMAL));
  store<f32>(DISTS + at, load<f32>(record, 4 * R_DIST));
  store<i32>(CONTENTS + at, load<i32>(record, 4 * R_CONTENTS));
  store<i32>(numberOf(index, MOVE_BRUSH), load<i32>(record, 4 * R_BRUSH));
  store<i32>(numberOf(index, MOVE_SIDE), load<i32>(record, 4 * R_SIDE));
}

/** Whether all numbers of the first `count` moves are finite. */
export function finite(count: i32): bool {
  return areFinite(SEGMENTS, count);
}
