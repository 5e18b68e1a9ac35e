import {
  B_GIVEN_END,
  B_GIVEN_START,
  B_STOP,
  R_ALL_SOLID,
  R_BRUSH,
  R_CONTENTS,
  R_DIST,
  R_NORMAL,
  R_SIDE,
  R_START_SOLID,
  R_TILE,
  S_ANY_ALL_SOLID,
  S_ANY_START_SOLID,
} from '../src/kernel/block';
import {
  ALL_SOLID,
  BLOCKED,
  BRUSH_PLACES,
  CONTENTS,
  CROSSINGS,
  DISTS,
  END_POSITIONS,
  FRACTIONS,
  LINE_CROSSING,
  LINE_END,
  LINE_FRACTION,
  LINE_HEAD,
  LINE_HIT,
  LINE_START,
  NORMALS,
  SEGMENT_BYTES,
  SEGMENTS,
  SIDE_PLACES,
  STARTS_SOLID,
  TILE_NUMBERS,
  UNSURE_MOVES,
} from '../src/wasm/layout';
import { NOTHING, traceTiles, UNSURE } from './boxes';
import { placeLine, testLine } from './lines';
import { point } from './move';

// Batches: the walks of lines and boxes, move by move, with the answers of `kernel/box-trace.ts` and
// `kernel/line-trace.ts`. All return how many moves the other kernel has to be asked for.

/** How many moves of the batch at hand are unsure. */
let unsure: i32 = 0;

function addUnsure(index: i32): void {
  store<i32>(UNSURE_MOVES + (unsure << 2), index);
  unsure++;
}

function storePoint(at: usize, v: v128): void {
  v128.store64_lane(at, v, 0);
  v128.store32_lane(at, v, 2, 8);
}

/** Puts a move where its walk looks for it. */
function takeMove(index: i32, start: usize, end: usize): void {
  const segment = SEGMENTS + SEGMENT_BYTES * index;
  v128.store(start, point(segment));
  v128.store(end, point(segment + 12));
}

/** Traces boxes through tiles: see {@link traceTiles}. `engine`: with the engine's flags, and its answer to nothing. */
export function traceMoves(count: i32, only: i32, always: i32, engine: i32): i32 {
  unsure = 0;
  for (let index = 0; index < count; index++) {
    takeMove(index, 4 * B_GIVEN_START, 4 * B_GIVEN_END);
    const record = traceTiles(only, always);
    if (record === UNSURE) addUnsure(index);
    else answerBox(index, record << 2, engine !== 0);
  }
  return unsure;
}

function startsSolid(record: usize, engine: bool): bool {
  return load<i32>(engine ? record + 4 * R_START_SOLID : 4 * S_ANY_START_SOLID) !== 0;
}

function answerBox(index: i32, record: usize, engine: bool): void {
  const zero = i64x2(0, 0);
  const at = index << 2;
  const reached = load<f32>(record);
  let fraction = reached;
  let end = v128.load(4 * B_STOP);
  if (reached === NOTHING) {
    if (!engine) fraction = 1;
    end = engine ? zero : point(4 * B_GIVEN_END);
  }
  const allSolid = load<i32>(engine ? record + 4 * R_ALL_SOLID : 4 * S_ANY_ALL_SOLID) !== 0;
  store<u8>(STARTS_SOLID + index, u8(startsSolid(record, engine)));
  store<u8>(ALL_SOLID + index, u8(allSolid));
  store<f32>(FRACTIONS + at, fraction);
  storePoint(END_POSITIONS + 12 * index, end);
  const brush = load<i32>(record, 4 * R_BRUSH);
  const hit = brush !== 0;
  storePoint(NORMALS + 12 * index, hit ? point(record + 4 * R_NORMAL) : zero);
  store<f32>(DISTS + at, hit ? load<f32>(record, 4 * R_DIST) : 0);
  store<i32>(CONTENTS + at, hit ? load<i32>(record, 4 * R_CONTENTS) : 0);
  store<i32>(BRUSH_PLACES + at, brush);
  store<i32>(SIDE_PLACES + at, load<i32>(record, 4 * R_SIDE));
  store<i32>(TILE_NUMBERS + at, load<i32>(record, 4 * R_TILE));
}

/** Tests whether boxes are blocked. */
export function touchMoves(count: i32, only: i32, always: i32, engine: i32): i32 {
  unsure = 0;
  for (let index = 0; index < count; index++) {
    takeMove(index, 4 * B_GIVEN_START, 4 * B_GIVEN_END);
    const record = traceTiles(only, always);
    if (record === UNSURE) addUnsure(index);
    else {
      const blocked = startsSolid(record << 2, engine !== 0) || load<f32>(record << 2) < 1;
      store<u8>(BLOCKED + index, u8(blocked));
    }
  }
  return unsure;
}

/** Tests whether lines are blocked. */
export function testMoves(count: i32, selection: i32): i32 {
  unsure = 0;
  for (let index = 0; index < count; index++) {
    takeMove(index, LINE_START, LINE_END);
    const blocked = testLine(selection);
    if (blocked < 0) addUnsure(index);
    else store<u8>(BLOCKED + index, blocked);
  }
  return unsure;
}

/** Finds where lines are stopped. */
export function placeMoves(count: i32, selection: i32): i32 {
  unsure = 0;
  for (let index = 0; index < count; index++) {
    takeMove(index, LINE_START, LINE_END);
    const blocked = placeLine(selection);
    if (blocked < 0) addUnsure(index);
    else answerLine(index, blocked !== 0);
  }
  return unsure;
}

function answerLine(index: i32, blocked: bool): void {
  const hit = v128.load(LINE_HIT);
  const crossing = load<i32>(LINE_CROSSING);
  store<u8>(BLOCKED + index, u8(blocked));
  store<u8>(STARTS_SOLID + index, u8(load<i32>(LINE_HEAD) >= 0 && crossing < 0));
  store<f32>(FRACTIONS + (index << 2), load<f32>(LINE_FRACTION));
  storePoint(END_POSITIONS + 12 * index, hit);
  store<i32>(CROSSINGS + (index << 2), blocked ? crossing : -1);
}
