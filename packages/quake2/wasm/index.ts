import {
  addUnsure,
  beginBatch,
  clearAnswers,
  countUnsure,
  endOf,
  finite,
  listMove,
  moveAt,
  orderMoves,
  startOf,
  storeEnd,
  storeHit,
  storeStop,
  takeMove,
} from '../../brushes/assembly/batch';
import { forgetHit, hitBefore } from '../../brushes/assembly/brush';
import { boundMove, isWithinReach, point } from '../../brushes/assembly/move';
import { walk } from '../../brushes/assembly/walk';
import {
  B_END,
  B_HEAD,
  B_MAXS,
  B_MINS,
  B_START,
  R_ALL_SOLID,
  R_START_SOLID,
  S_ANY,
  S_CULL,
  S_MASK,
  S_POINT,
  S_STILL,
} from '../../brushes/src/block';
import { BRUSH_INDEX, BLOCKED as TESTS } from '../../brushes/src/hot-layout';
import { blocksBox, blocksPoint, isAnyWanted, isStep, noteBlocker, STEP } from '../../core/assembly/blockers';
import { ask, CLEAR, miss, UNCLEAR, UNKNOWN } from '../../core/assembly/clearings';
import {
  B_GIVEN_END,
  B_GIVEN_START,
  B_STOP,
  BLOCKED,
  MET,
  NOT_KNOWN,
  NOTED,
  S_BLOCKERS,
  S_CLEARINGS,
  S_INSIDE_OUT,
  UNSURE,
} from '../src/kernel/block';
import { build } from './build';

// Moves through the world and through models, as in `kernel/trace.ts`. Epsilons are floats in the engine, and position tests look
// for leafs one unit around the box and compare exactly.

const TOUCH_MARGIN: f32 = 1;

function clearAnswer(): void {
  v128.store(4 * B_HEAD, f32x4(1, 0, 0, 0));
  v128.store(4 * B_HEAD, i64x2(0, 0), 16);
  v128.store(4 * B_HEAD, i32x4(0, 0, -1, 0), 32);
}

/** What is known about a move before it is traced. */
function askClearings(start: v128, end: v128): i32 {
  const table = load<i32>(4 * S_CLEARINGS);
  return table === 0 ? UNCLEAR : ask(table, start, end, v128.load(4 * B_MINS), v128.load(4 * B_MAXS));
}

/**
 * Traces a move through a tree, into the answer. `placed`: its ends have been brought into a model's frame; otherwise it is
 * traced as given. `asks`: clearings are asked first. Returns bits that say what happened, or UNSURE, or NOT_KNOWN.
 */
export function traceMove(root: i32, placed: i32, asks: i32): i32 {
  const givenStart = point(4 * B_GIVEN_START);
  const givenEnd = point(4 * B_GIVEN_END);
  let start = givenStart;
  let end = givenEnd;
  if (placed !== 0) {
    start = point(4 * B_START);
    end = point(4 * B_END);
  } else if (asks !== 0) {
    const known = askClearings(start, end);
    if (known !== UNCLEAR) return known === CLEAR ? 0 : NOT_KNOWN;
  }
  let blockers = 0;
  if (placed === 0 && load<i32>(4 * S_ANY) !== 0 && !isStep(start, end, STEP))
    blockers = load<i32>(4 * S_BLOCKERS);
  if (blockers !== 0) {
    const mask = load<i32>(4 * S_MASK);
    const isBlocked =
      load<i32>(4 * S_POINT) !== 0
        ? blocksPoint(blockers, mask, start, end)
        : blocksBox(blockers, mask, start, end, v128.load(4 * B_MINS), v128.load(4 * B_MAXS));
    if (isBlocked) return MET | BLOCKED;
    forgetHit();
  }
  if (!isWithinReach(start, end) || load<i32>(4 * S_INSIDE_OUT) !== 0) return UNSURE;
  v128.store(4 * B_START, start);
  v128.store(4 * B_END, end);
  const still = i32x4.bitmask(f32x4.eq(start, end)) === 15;
  store<i32>(4 * S_STILL, still ? 1 : 0);
  store<i32>(4 * S_CULL, 1);
  clearAnswer();
  boundMove();
  if (!walk<f32>(root, TOUCH_MARGIN, 0)) return UNSURE;
  const fraction = load<f32>(4 * B_HEAD);
  let met = fraction < 1 || load<i32>(4 * (B_HEAD + R_START_SOLID)) !== 0 ? MET | BLOCKED : 0;
  if (blockers !== 0 && hitBefore !== 0) {
    const entry = noteBlocker(blockers, load<i32>(hitBefore, BRUSH_INDEX));
    if (entry !== 0) store<i32>(entry, <i32>hitBefore);
    if (isAnyWanted(blockers)) met |= NOTED;
  }
  if (placed === 0 && still) v128.store(4 * B_STOP, givenStart);
  else if (placed === 0 && fraction === 1) {
    v128.store(4 * B_STOP, givenEnd);
    return met;
  } else {
    // Against a model the engine computes the end of every move, which may be off by rounding even if nothing was hit.
    const way = f32x4.mul(f32x4.splat(fraction), f32x4.sub(givenEnd, givenStart));
    v128.store(4 * B_STOP, f32x4.add(givenStart, way));
  }
  return met | MET;
}

/** Whether a move of a batch is known to meet nothing. */
function isKnownClear(index: i32): bool {
  const known = askClearings(startOf(index), endOf(index));
  if (known === UNKNOWN) miss(load<i32>(4 * S_CLEARINGS));
  return known === CLEAR;
}

/** Traces moves through the world. Returns for how many of them the other kernel has to be asked. */
export function traceMoves(count: i32, root: i32): i32 {
  store<i32>(4 * S_ANY, 0);
  clearAnswers(count);
  beginBatch();
  for (let k = 0; k < count; k++) {
    if (isKnownClear(k)) storeEnd(k);
    else listMove(k);
  }
  const listed = orderMoves();
  for (let n = 0; n < listed; n++) {
    const index = moveAt(n);
    takeMove(index, 4 * B_GIVEN_START, 4 * B_GIVEN_END);
    const met = traceMove(root, 0, 0);
    if (met === UNSURE) addUnsure(index);
    else if (met === 0) storeEnd(index);
    else {
      const startsSolid = load<i32>(4 * (B_HEAD + R_START_SOLID)) !== 0;
      storeStop(index, load<f32>(4 * B_HEAD), v128.load(4 * B_STOP), startsSolid);
      storeHit(index, 4 * B_HEAD, load<i32>(4 * (B_HEAD + R_ALL_SOLID)) !== 0);
    }
  }
  return countUnsure();
}

/** Tests whether moves are blocked. */
export function testMoves(count: i32, root: i32): i32 {
  store<i32>(4 * S_ANY, 1);
  beginBatch();
  for (let k = 0; k < count; k++) {
    if (isKnownClear(k)) store<u8>(TESTS + k, 0);
    else listMove(k);
  }
  const listed = orderMoves();
  for (let n = 0; n < listed; n++) {
    const index = moveAt(n);
    takeMove(index, 4 * B_GIVEN_START, 4 * B_GIVEN_END);
    const met = traceMove(root, 0, 0);
    if (met === UNSURE) addUnsure(index);
    else store<u8>(TESTS + index, u8((met & BLOCKED) !== 0));
  }
  return countUnsure();
}

// Not for JavaScript: see there.
export {
  countLeafs as a,
  writeBrushes as b,
  writeLeaf as c,
  writeNode as d,
} from '../../brushes/assembly/build';
export { build, finite };
