import {
  addUnsure,
  countUnsure,
  moveAt,
  numberOf,
  orderAll,
  storeHit,
  storeStop,
  takeMove,
} from '../../brushes/assembly/batch';
import { point } from '../../brushes/assembly/move';
import { R_ALL_SOLID, R_LEAF, R_START_SOLID, S_ANY } from '../../brushes/src/block';
import { BLOCKED } from '../../brushes/src/hot-layout';
import {
  B_GIVEN_END,
  B_GIVEN_START,
  B_STOP,
  R_TILE,
  S_ANY_ALL_SOLID,
  S_ANY_START_SOLID,
} from '../src/kernel/block';
import {
  LINE_CROSSING,
  LINE_END,
  LINE_FRACTION,
  LINE_HEAD,
  LINE_HIT,
  LINE_START,
  MOVE_CROSSING,
  MOVE_HEAD,
  MOVE_LEAF,
  MOVE_TILE,
} from '../src/wasm/layout';
import { NOTHING, traceTiles, UNSURE } from './boxes';
import { placeLine, testLine } from './lines';

// Batches: the walks of lines and boxes, move by move, with the answers of `kernel/box-trace.ts` and `kernel/line-trace.ts`. All
// functions return for how many moves the other kernel has to be asked.

/**
 * Traces boxes through tiles: see {@link traceTiles}. `engine`: with the engine's flags, and its answer if there was nothing to
 * trace.
 */
export function traceMoves(count: i32, only: i32, everywhere: i32, engine: i32): i32 {
  store<i32>(4 * S_ANY, 0);
  orderAll(count);
  for (let n = 0; n < count; n++) {
    const index = moveAt(n);
    takeMove(index, 4 * B_GIVEN_START, 4 * B_GIVEN_END);
    const record = traceTiles(only, everywhere);
    if (record === UNSURE) addUnsure(index);
    else answerBox(index, record << 2, engine !== 0);
  }
  return countUnsure();
}

function startsSolid(record: usize, engine: bool): bool {
  return load<i32>(engine ? record + 4 * R_START_SOLID : 4 * S_ANY_START_SOLID) !== 0;
}

function answerBox(index: i32, record: usize, engine: bool): void {
  const reached = load<f32>(record);
  let fraction = reached;
  let end = v128.load(4 * B_STOP);
  if (reached === NOTHING) {
    if (!engine) fraction = 1;
    end = engine ? i64x2(0, 0) : point(4 * B_GIVEN_END);
  }
  storeStop(index, fraction, end, startsSolid(record, engine));
  // If nothing was hit, the rest of the record is 0.
  storeHit(index, record, load<i32>(engine ? record + 4 * R_ALL_SOLID : 4 * S_ANY_ALL_SOLID) !== 0);
  store<i32>(numberOf(index, MOVE_TILE), load<i32>(record, 4 * R_TILE));
  store<i32>(numberOf(index, MOVE_LEAF), load<i32>(record, 4 * R_LEAF));
}

/** Tests whether boxes are blocked. */
export function touchMoves(count: i32, only: i32, everywhere: i32, engine: i32): i32 {
  store<i32>(4 * S_ANY, 1);
  orderAll(count);
  for (let n = 0; n < count; n++) {
    const index = moveAt(n);
    takeMove(index, 4 * B_GIVEN_START, 4 * B_GIVEN_END);
    const record = traceTiles(only, everywhere);
    if (record === UNSURE) addUnsure(index);
    else {
      const blocked = startsSolid(record << 2, engine !== 0) || load<f32>(record << 2) < 1;
      store<u8>(BLOCKED + index, u8(blocked));
    }
  }
  return countUnsure();
}

/** Tests whether lines are blocked. */
export function testMoves(count: i32, selection: i32): i32 {
  orderAll(count);
  for (let n = 0; n < count; n++) {
    const index = moveAt(n);
    takeMove(index, LINE_START, LINE_END);
    const blocked = testLine(selection);
    if (blocked < 0) addUnsure(index);
    else store<u8>(BLOCKED + index, blocked);
  }
  return countUnsure();
}

/** Finds where lines are stopped. */
export function placeMoves(count: i32, selection: i32): i32 {
  orderAll(count);
  for (let n = 0; n < count; n++) {
    const index = moveAt(n);
    takeMove(index, LINE_START, LINE_END);
    const blocked = placeLine(selection);
    if (blocked < 0) addUnsure(index);
    else answerLine(index, blocked !== 0);
  }
  return countUnsure();
}

function answerLine(index: i32, blocked: bool): void {
  const hit = v128.load(LINE_HIT);
  const crossing = load<i32>(LINE_CROSSING);
  const head = load<i32>(LINE_HEAD);
  store<u8>(BLOCKED + index, u8(blocked));
  storeStop(index, load<f32>(LINE_FRACTION), hit, head >= 0 && crossing < 0);
  store<i32>(numberOf(index, MOVE_HEAD), head);
  store<i32>(numberOf(index, MOVE_CROSSING), blocked ? crossing : -1);
}
