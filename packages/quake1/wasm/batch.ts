import { ask, CLEAR, miss as missClearing, UNKNOWN } from '../../core/assembly/clearings';
import { areFinite } from '../../core/assembly/finite';
import {
  ADDRESS_MASK,
  ALL_SOLID,
  BLOCKED,
  CONTENTS,
  DISTS,
  END,
  END_POSITIONS,
  FAR_MOVES,
  FLAG_ALL_SOLID,
  FLAG_BACK,
  FLAG_START_SOLID,
  FLAG_STOPPED,
  FRACTIONS,
  FRAMES,
  LANE_BYTES,
  LANE_ENDS,
  LANE_LASTS,
  LANE_LEASTS,
  LANE_NODES,
  LANE_STARTS,
  MODELS,
  MOVE_FRAMES,
  MOVER_CLEARINGS,
  MOVER_COLUMNS,
  MOVER_HEAD,
  MOVER_IS,
  MOVER_MODEL,
  MOVER_OFFSET,
  MOVER_ROWS,
  MOVER_RULES,
  MOVER_STOPS,
  MOVER_TURNED,
  NORMALS,
  PLANE_NUMBERS,
  PLANE_SHIFT,
  PLANES,
  SEGMENT_BYTES,
  SEGMENTS,
  START,
  STARTS_SOLID,
  STOPPED,
  TOO_FAR,
  WALK_PLAYER,
  WALK_QUAKE,
  WALKED_MOVES,
} from '../src/wasm/layout';
import { cutAlongPath, findPath } from './bundle';
import { exitOf, measure, xOf, yOf, zOf } from './treelet';
import { isKnownBlocked, noteStop, walkFrom } from './walk';

// Batches: four moves go down the tree together, each until something cuts it, so that the processor works on one while another
// waits for memory and arithmetic; or, if all begin at one point, coordinate by coordinate: see bundle.ts. What is left is walked
// one by one. The answers are those that ../src/kernel/mover.ts makes of a walk.

/** The contents of solid. */
const SOLID = -2;

/** Loads three numbers: 16 bytes would reach beyond them. */
function point(at: usize): v128 {
  return v128.load32_lane(at, v128.load64_zero(at), 2, 8);
}

function storePoint(at: usize, v: v128): void {
  v128.store64_lane(at, v, 0);
  v128.store32_lane(at, v, 2, 8);
}

/** Three vectors at `rows`, times x, y and z, added in this order. */
function turn(v: v128, rows: usize): v128 {
  const xy = f32x4.add(f32x4.mul(xOf(v), v128.load(rows)), f32x4.mul(yOf(v), v128.load(rows, 16)));
  return f32x4.add(xy, f32x4.mul(zOf(v), v128.load(rows, 32)));
}

/** An end of a move in the frame of the tree. */
function enter(at: usize): v128 {
  const v = f32x4.sub(point(at), v128.load(MOVER_OFFSET));
  return (load<i32>(MOVER_IS) & MOVER_TURNED) !== 0 ? turn(v, MOVER_COLUMNS) : v;
}

/** Puts move `index` into a lane. */
function takeMove(lane: i32, index: i32): void {
  const at = SEGMENTS + SEGMENT_BYTES * index;
  v128.store(LANE_STARTS + lane, f32x4.replace_lane(enter(at), 3, 0));
  v128.store(LANE_ENDS + lane, f32x4.replace_lane(enter(at + 12), 3, 1));
  v128.store(LANE_LEASTS + lane, f32x4.splat(Infinity));
}

/** Where a lane's move goes from a treelet that both of its ends lie below. It stays at a leaf, or at a treelet that cuts it. */
function goDown(lane: i32, node: i32, head: i32): i32 {
  const treelet = node < 0 ? head : node;
  const start = LANE_STARTS + lane;
  const end = LANE_ENDS + lane;
  const db = measure(
    treelet,
    v128.load32_splat(start),
    v128.load32_splat(start, 4),
    v128.load32_splat(start, 8),
  );
  const de = measure(treelet, v128.load32_splat(end), v128.load32_splat(end, 4), v128.load32_splat(end, 8));
  const near = f32x4.pmin(f32x4.abs(db), f32x4.abs(de));
  v128.store(LANE_LEASTS + lane, f32x4.pmin(v128.load(LANE_LEASTS + lane), near));
  const sides = i32x4.bitmask(db);
  const exit = exitOf(treelet, sides);
  const parting = (sides ^ i32x4.bitmask(de)) & exit;
  return select<i32>(exit & ADDRESS_MASK, node, i32(parting === 0) & i32(node >= 0));
}

/** Takes all four lanes down, each until something cuts it. */
function goDownTogether(head: i32): void {
  let a = head;
  let b = head;
  let c = head;
  let d = head;
  let moved = head >= 0 ? 1 : 0;
  while (moved !== 0) {
    const nextA = goDown(0, a, head);
    const nextB = goDown(LANE_BYTES, b, head);
    const nextC = goDown(2 * LANE_BYTES, c, head);
    const nextD = goDown(3 * LANE_BYTES, d, head);
    moved = (nextA ^ a) | (nextB ^ b) | (nextC ^ c) | (nextD ^ d);
    a = nextA;
    b = nextB;
    c = nextC;
    d = nextD;
  }
  store<i32>(LANE_NODES, a);
  store<i32>(LANE_NODES, b, 4);
  store<i32>(LANE_NODES, c, 8);
  store<i32>(LANE_NODES, d, 12);
}

/** The number of the n-th move to be walked. */
function walked(n: i32): i32 {
  return load<u16>(WALKED_MOVES + (n << 1));
}

function listAll(count: i32): i32 {
  for (let k = 0; k < count; k++) store<u16>(WALKED_MOVES + (k << 1), <u16>k);
  return count;
}

/** Answers the moves that stay in a clearing, and lists the others. Returns how many those are. */
function answerClear(count: i32, any: bool): i32 {
  const table = load<i32>(MOVER_CLEARINGS);
  const zero = i32x4.splat(0);
  let left = 0;
  for (let index = 0; index < count; index++) {
    const at = SEGMENTS + SEGMENT_BYTES * index;
    const start = f32x4.replace_lane(enter(at), 3, 0);
    const end = f32x4.replace_lane(enter(at + 12), 3, 0);
    const known = ask(table, start, end, zero, zero);
    if (known !== CLEAR) {
      if (known === UNKNOWN) missClearing(table);
      store<u16>(WALKED_MOVES + (left << 1), <u16>index);
      left++;
    } else if (any) store<u8>(BLOCKED + index, 0);
    else {
      store<u8>(STARTS_SOLID + index, 0);
      store<u8>(ALL_SOLID + index, 0);
      miss(index, false);
    }
  }
  return left;
}

/** Answers those of the listed moves that blockers are in the way of, and lists the others. Returns how many those are. */
function answerBlocked(count: i32, any: i32): i32 {
  let left = 0;
  for (let n = 0; n < count; n++) {
    const index = walked(n);
    const at = SEGMENTS + SEGMENT_BYTES * index;
    const start = f32x4.replace_lane(enter(at), 3, 0);
    const end = f32x4.replace_lane(enter(at + 12), 3, 0);
    if (isKnownBlocked(any, start, end)) store<u8>(BLOCKED + index, 1);
    else {
      store<u16>(WALKED_MOVES + (left << 1), <u16>index);
      left++;
    }
  }
  return left;
}

/**
 * Puts four moves from `first` on into the lanes; if there are fewer, the last of `count` is repeated. Returns true if all begin
 * at one point; then they have been taken to its leaf. `again`: so did those before them, whose path serves again if the point is
 * the same.
 */
function takeMoves(first: i32, count: i32, head: i32, again: bool): bool {
  const last = count - 1;
  const before = v128.load(LANE_STARTS);
  takeMove(0, walked(first));
  takeMove(LANE_BYTES, walked(min<i32>(first + 1, last)));
  takeMove(2 * LANE_BYTES, walked(min<i32>(first + 2, last)));
  takeMove(3 * LANE_BYTES, walked(min<i32>(first + 3, last)));
  const start = v128.load(LANE_STARTS);
  const same = v128.and(
    i32x4.eq(start, v128.load(LANE_STARTS + LANE_BYTES)),
    v128.and(
      i32x4.eq(start, v128.load(LANE_STARTS + 2 * LANE_BYTES)),
      i32x4.eq(start, v128.load(LANE_STARTS + 3 * LANE_BYTES)),
    ),
  );
  if (count - first < 2 || !i32x4.all_true(same)) {
    goDownTogether(head);
    return false;
  }
  if (!(again && i32x4.all_true(i32x4.eq(start, before)))) findPath(head, start);
  cutAlongPath(start);
  return true;
}

/** Walks the move of a lane. */
function walkLane(lane: i32, head: i32, any: bool, isBundle: bool): i32 {
  const at = lane * LANE_BYTES;
  v128.store(START, v128.load(LANE_STARTS + at));
  v128.store(END, v128.load(LANE_ENDS + at));
  const node = load<i32>(LANE_NODES + (lane << 2));
  const rules = load<i32>(MOVER_RULES);
  if (!isBundle) return walkFrom(node, END, FRAMES, v128.load(LANE_LEASTS + at), head, rules, any);
  const end = load<i32>(LANE_LASTS + (lane << 2));
  const least = v128.load32_splat(LANE_LEASTS + (lane << 2));
  return walkFrom(node, end, FRAMES + lane * load<i32>(MOVE_FRAMES), least, head, rules, any);
}

/** Writes the answer of a move that nothing stopped. */
function miss(index: i32, stuck: bool): void {
  const stays = stuck && load<i32>(MOVER_RULES) === WALK_PLAYER;
  store<f32>(FRACTIONS + (index << 2), stuck ? 0 : 1);
  storePoint(END_POSITIONS + 12 * index, point(SEGMENTS + SEGMENT_BYTES * index + (stays ? 0 : 12)));
  storePoint(NORMALS + 12 * index, i64x2(0, 0));
  store<f32>(DISTS + (index << 2), 0);
  store<i32>(CONTENTS + (index << 2), 0);
  store<i32>(MODELS + (index << 2), -1);
  store<i32>(PLANE_NUMBERS + (index << 2), -1);
}

/** Writes the answer of a move that was stopped. */
function hit(index: i32, flags: i32, stuck: bool): void {
  const stop = v128.load(STOPPED);
  const reached = f32x4.extract_lane(stop, 3);
  const fraction: f32 = stuck ? 0 : reached;
  let end = stop;
  if (load<i32>(MOVER_RULES) !== WALK_QUAKE && fraction !== 1) {
    const at = SEGMENTS + SEGMENT_BYTES * index;
    const from = point(at);
    const way = f32x4.mul(f32x4.splat(fraction), f32x4.sub(point(at + 12), from));
    end = stuck ? from : f32x4.add(from, way);
  } else if (reached !== 1) end = f32x4.add(stop, v128.load(MOVER_OFFSET));
  const number = flags >> PLANE_SHIFT;
  const plane = v128.load(load<i32>(PLANES) + (number << 4));
  let normal = plane;
  let dist = f32x4.extract_lane(plane, 3);
  if ((flags & FLAG_BACK) !== 0) {
    normal = f32x4.sub(i64x2(0, 0), plane);
    dist = -dist;
  }
  if ((load<i32>(MOVER_IS) & MOVER_TURNED) !== 0 && fraction !== 1) normal = turn(normal, MOVER_ROWS);
  const model = load<i32>(MOVER_MODEL);
  store<f32>(FRACTIONS + (index << 2), fraction);
  storePoint(END_POSITIONS + 12 * index, end);
  storePoint(NORMALS + 12 * index, normal);
  store<f32>(DISTS + (index << 2), dist);
  store<i32>(CONTENTS + (index << 2), SOLID);
  store<i32>(MODELS + (index << 2), model);
  store<i32>(PLANE_NUMBERS + (index << 2), model < 0 ? -1 : number);
}

/**
 * Traces the moves at SEGMENTS or, unless `asked` is 0, tests whether they are blocked; it is the `any` of {@link walk}. Returns
 * how many of them go too far out and have no answer: their numbers are at FAR_MOVES.
 */
export function walkMoves(all: i32, asked: i32): i32 {
  const any = asked !== 0;
  let count = load<i32>(MOVER_CLEARINGS) === 0 ? listAll(all) : answerClear(all, any);
  if (any) count = answerBlocked(count, asked);
  const head = load<i32>(MOVER_HEAD);
  const stops = (load<i32>(MOVER_IS) & MOVER_STOPS) !== 0;
  let far = 0;
  let isBundle: bool = false;
  for (let first = 0; first < count; first += 4) {
    isBundle = takeMoves(first, count, head, isBundle);
    const end = min<i32>(first + 4, count);
    for (let n = first; n < end; n++) {
      const flags = walkLane(n - first, head, any, isBundle);
      const index = walked(n);
      if (flags === TOO_FAR) {
        store<i32>(FAR_MOVES + (far << 2), index);
        far++;
        continue;
      }
      const startSolid = (flags & FLAG_START_SOLID) !== 0;
      const stopped = (flags & FLAG_STOPPED) !== 0;
      if (any) {
        noteStop(asked, flags);
        store<u8>(BLOCKED + index, u8(startSolid || (stopped && load<f32>(STOPPED, 12) < 1)));
        continue;
      }
      store<u8>(STARTS_SOLID + index, u8(startSolid));
      store<u8>(ALL_SOLID + index, u8((flags & FLAG_ALL_SOLID) !== 0));
      if (stopped) hit(index, flags, stops && startSolid);
      else miss(index, stops && startSolid);
    }
  }
  return far;
}

/** Whether all numbers of the first `count` moves are finite. */
export function finite(count: i32): bool {
  return areFinite(SEGMENTS, count);
}
