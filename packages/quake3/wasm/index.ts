import { blocksBox, blocksPoint, isAnyWanted, isStep, noteBlocker, STEP } from '../../core/assembly/blockers';
import { ask, CLEAR, miss, UNCLEAR, UNKNOWN } from '../../core/assembly/clearings';
import { areFinite } from '../../core/assembly/finite';
import { orderSegments } from '../../core/assembly/order';
import {
  ALL_START_SOLID,
  BRUSH_NUMBER,
  COUNTS,
  LIST,
  MOVE,
  NOT_FINITE,
  NOT_KNOWN,
  ORDER,
  SEGMENTS,
  SET_BLOCKERS,
  SET_CENTER,
  SET_CLEARINGS,
  SET_LIST,
  SET_MASK,
  SET_MAXS,
  SET_MINS,
  SET_RADIUS,
  SET_SPHERE,
} from '../src/wasm/layout';
import {
  BLOCKED,
  clearAnswers,
  complete,
  isPlainMiss,
  MET,
  NOTED,
  outcome,
  storeEnd,
  storeHit,
} from './answer';
import { build, writeBlocks, writeBrushes, writeNodeSides, writePlanes, writeSideNumbers } from './build';
import { contents } from './point';
import { HAS_BOUNDS, HIT_BRUSH } from './scratch';
import { beginTrace, boundMove, placeMove, three } from './setup';
import { BOX, CAPSULE, POINT } from './shape';
import { sweepList, sweepWorld, touchWorld } from './walk';

// Types that stand for the shapes; their sizes are those in shape.ts.
type Point = u8;
type Box = u16;
type Capsule = u32;

/** Sweeps the shape along a move; `any` ends it at the first hit of any kind. Returns bits that say what happened. */
function sweep<S>(from: v128, to: v128, any: bool): i32 {
  beginTrace();
  const still = placeMove(from, to);
  // A point's step seldom meets anything that has bounds, so its own are worked out only when it does.
  if (sizeof<S>() === POINT && !still && isStep(from, to, STEP)) store<i32>(HAS_BOUNDS, 0);
  else boundMove<S>(still);
  const list = load<i32>(SET_LIST);
  if (list !== 0) sweepList<S>(list, still, any);
  else if (still) touchWorld<S>();
  else sweepWorld<S>(any);
  return outcome();
}

/** How far a capsule reaches from its middle along each axis. */
function capsuleReach(): v128 {
  return f32x4.add(f32x4.abs(v128.load(SET_SPHERE)), v128.load32_splat(SET_RADIUS));
}

/** What is known about a move before it is traced. */
function askClearings<S>(from: v128, to: v128): i32 {
  const table = load<i32>(SET_CLEARINGS);
  if (table === 0) return UNCLEAR;
  const center = v128.load(SET_CENTER);
  let mins = v128.load(SET_MINS);
  let maxs = v128.load(SET_MAXS);
  if (sizeof<S>() === CAPSULE) {
    // A capsule may be wider than its box.
    maxs = f32x4.replace_lane(f32x4.pmax(maxs, capsuleReach()), 3, 0);
    mins = f32x4.neg(maxs);
  }
  return ask(table, from, to, f32x4.add(center, mins), f32x4.add(center, maxs));
}

/** Whether a blocker is in the way. */
function meetsBlocker<S>(table: usize, from: v128, to: v128): bool {
  const center = v128.load(SET_CENTER);
  const mask = load<i32>(SET_MASK);
  const start = f32x4.add(from, center);
  const end = f32x4.add(to, center);
  if (sizeof<S>() === POINT) return blocksPoint(table, mask, start, end);
  let mins = v128.load(SET_MINS);
  let maxs = v128.load(SET_MAXS);
  if (sizeof<S>() === CAPSULE) {
    // Leafs are found by the box, and axial sides are moved by no more than the capsule's reach.
    const reach = capsuleReach();
    maxs = f32x4.pmin(maxs, reach);
    mins = f32x4.pmax(mins, f32x4.neg(reach));
  }
  return blocksBox(table, mask, start, end, mins, maxs);
}

/**
 * Whether the move is blocked, as bits that say what happened: blockers are asked first. For steps that is not worth it, and
 * brushes would be kept that only steps meet.
 */
function test<S>(from: v128, to: v128): i32 {
  const table = load<i32>(SET_BLOCKERS);
  if (table === 0 || isStep(from, to, STEP)) return sweep<S>(from, to, true);
  if (meetsBlocker<S>(table, from, to)) return MET | BLOCKED;
  store<i32>(HIT_BRUSH, 0);
  const met = sweep<S>(from, to, true);
  const brush = load<i32>(HIT_BRUSH);
  if (brush === 0) return met;
  const entry = noteBlocker(table, load<i32>(brush, BRUSH_NUMBER));
  if (entry !== 0) store<i32>(entry, brush);
  return isAnyWanted(table) ? met | NOTED : met;
}

function traceOne<S>(any: bool, asks: bool): i32 {
  const from = three(MOVE);
  const to = three(MOVE + 12);
  // A finite number less itself is 0.
  if (v128.any_true(v128.or(f32x4.sub(from, from), f32x4.sub(to, to)))) return NOT_FINITE;
  if (asks) {
    const known = askClearings<S>(from, to);
    if (known !== UNCLEAR) return known === CLEAR ? 0 : NOT_KNOWN;
  }
  if (any) return test<S>(from, to);
  const met = sweep<S>(from, to, false);
  if (isPlainMiss(met)) return met;
  complete(MOVE);
  return met | MET;
}

/** Whether a segment is known to meet nothing. */
function isKnownClear<S>(segment: usize): bool {
  const known = askClearings<S>(three(segment), three(segment + 12));
  if (known === UNKNOWN) miss(load<i32>(SET_CLEARINGS));
  return known === CLEAR;
}

/**
 * Puts the first `count` segments in order, except for those that are known to meet nothing: their answers are stored, in tests
 * that they are not blocked. Returns how many are left.
 */
function orderRest<S>(count: i32, any: bool): i32 {
  let rest = 0;
  for (let k = 0; k < count; k++) {
    const segment = SEGMENTS + 24 * k;
    if (!isKnownClear<S>(segment)) {
      store<u16>(LIST + 2 * rest, <u16>k);
      rest++;
    } else if (any) store<u8>(k, 0, ALL_START_SOLID);
    else storeEnd(k, segment);
  }
  orderSegments(SEGMENTS, LIST, rest, COUNTS, ORDER);
  return rest;
}

function traceAll<S>(count: i32): void {
  clearAnswers(count);
  const rest = orderRest<S>(count, false);
  for (let n = 0; n < rest; n++) {
    const k = <i32>load<u16>(ORDER + 2 * n);
    const segment = SEGMENTS + 24 * k;
    if (isPlainMiss(sweep<S>(three(segment), three(segment + 12), false))) storeEnd(k, segment);
    else {
      complete(segment);
      storeHit(k);
    }
  }
}

function testAll<S>(count: i32): void {
  const rest = orderRest<S>(count, true);
  for (let n = 0; n < rest; n++) {
    const k = <i32>load<u16>(ORDER + 2 * n);
    const segment = SEGMENTS + 24 * k;
    const met = test<S>(three(segment), three(segment + 12));
    store<u8>(k, (met & BLOCKED) !== 0 ? 1 : 0, ALL_START_SOLID);
  }
}

/**
 * Traces the move in memory with a shape, given by its size in shape.ts; `any` ends it at the first hit of any kind, and `asks`
 * has clearings asked first. Returns bits that say what happened, or NOT_FINITE, or NOT_KNOWN. Without MET nothing has been hit,
 * and with `any` only the bits count.
 */
export function trace(shape: usize, any: bool, asks: bool): i32 {
  if (shape === POINT) return traceOne<Point>(any, asks);
  return shape === BOX ? traceOne<Box>(any, asks) : traceOne<Capsule>(any, asks);
}

/** Traces the first `count` segments in memory, or with `any` tests them. */
export function batch(shape: usize, any: bool, count: i32): void {
  if (shape === POINT) any ? testAll<Point>(count) : traceAll<Point>(count);
  else if (shape === BOX) any ? testAll<Box>(count) : traceAll<Box>(count);
  else any ? testAll<Capsule>(count) : traceAll<Capsule>(count);
}

/** Whether all numbers of the first `count` segments are finite. */
export function finite(count: i32): bool {
  return areFinite(SEGMENTS, count);
}

// Not for JavaScript, but to keep them functions of their own. V8 optimises a function once it has executed so many bytes of its
// code, loops included: 1.8 MB in Node 20. To build in a few large functions would have it optimise all of them, at just the time
// when the ones that trace should be.
export {
  build,
  contents,
  writeBlocks as a,
  writeBrushes as b,
  writeNodeSides as c,
  writePlanes as d,
  writeSideNumbers as e,
};
