import { point } from '../../brushes/assembly/move';
import { blocksPoint, isStep, noteMove, STEP } from '../../core/assembly/blockers';
import {
  BLOCKERS,
  BRANCH_FIRST,
  BRANCH_SECOND,
  ENTRY_BYTES,
  ENTRY_KEY,
  ENTRY_NUMBER,
  ENTRY_TREE,
  HEAD_CROSSING,
  HEAD_HIT,
  LANES,
  LEAFS_BLOCKED,
  LINE_CROSSING,
  LINE_END,
  LINE_FRACTION,
  LINE_FRAME_BYTES,
  LINE_HEAD,
  LINE_HIT,
  LINE_LIST,
  LINE_ROOM,
  LINE_STACK,
  LINE_START,
  LINK_ADDRESS,
  LINK_BLOCKED,
  LINK_BRANCH,
  LINK_OPEN,
  LIST_BYTES,
  TILE_BYTES,
  TILE_LINE_BOUNDS,
  TILE_LINE_HEADS,
  TILES,
  TILES_END,
  TREELET_LEAFS,
  TREELET_LINKS,
  TREELET_PLACES,
} from '../src/wasm/layout';
import { aim, isWithinLimit, limitTo, misses, partTo } from './slabs';

// The walks of `kernel/line.ts`, whose comments say what they do and why; those here say how they do it with less work.

/**
 * The walk is written once and compiled twice: functions with a type parameter `P` ask for its size, which the compiler knows.
 */
type Test = u8;
type Place = u16;
const PLACE: usize = 2;

/**
 * The engine's 0.1 is a double, between this float32 and the one below. So a distance is below 0.1 if it is below this
 * one, and at least -0.1 if it is above its negative.
 */
const SIDE: f32 = 0.1;
const AT_END: f32 = 0.001;
/** Reach is in float32, and therefore with a little more to spare. */
const ROUNDING: f32 = 0.0625;
/** Up to this length, lines are short: what is near them is near all of them. */
const SHORT: f32 = 32;
/** More than rounding can move the planes of bounds as a line comes to them. */
const SLACK: f32 = 0.03125;
/** Bounds in the trees hold for lines whose coordinates stay within this. */
const CULL_LIMIT: f32 = 8192;
/** Keys of phantoms begin here. */
const PHANTOM = 0x1000000;

/** The greatest number below 1. */
const BELOW_ONE: f32 = 0.99999994;

/** What a frame stands for. */
const FAR = 0;
const SECOND = 1;
const JOIN = 2;
/** Where the fields of a frame are, in bytes; the last two are of three coordinates each. */
const FRAME_NODE = 4;
const FRAME_DECIDED = 8;
const FRAME_CROSSING = 12;
const FRAME_A = 16;
const FRAME_B = 28;

/** Where the bounds of what is listed are, in an entry of a list, in bytes. */
const LIST_BOUNDS = 4;

/**
 * Whether bounds are compared with the line itself, and the nearest walked first. If not, they are compared with the line's, which
 * follow, and walked in the engine's order.
 */
let isLong: bool = false;
let lineLow: v128 = i64x2(0, 0);
let lineHigh: v128 = i64x2(0, 0);
/** The square of the distance within which a piece has to begin to matter. */
let reach: f32 = 0;

function storePoint(at: usize, x: v128, y: v128, z: v128): void {
  v128.store_lane<f32>(at, x, 0);
  v128.store_lane<f32>(at, y, 0, 4);
  v128.store_lane<f32>(at, z, 0, 8);
}

/** A point of three vectors that each have a coordinate in all lanes. The fourth lane repeats z. */
function gather(x: v128, y: v128, z: v128): v128 {
  return v128.shuffle<f32>(v128.shuffle<f32>(x, y, 0, 4, 0, 4), z, 0, 1, 4, 4);
}

/** The distance between two points, rounded. */
function length(start: v128, end: v128): f32 {
  const d = f32x4.sub(start, end);
  const s = f32x4.mul(d, d);
  return sqrt<f32>(f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2));
}

/** Whether the line misses bounds, or comes to them only behind the nearest hit so far. */
function isClear(bounds: usize): bool {
  if (isLong) return misses(bounds);
  const after = f32x4.gt(v128.load(bounds), lineHigh);
  const before = f32x4.lt(v128.load(bounds, 16), lineLow);
  return v128.any_true(v128.or(after, before));
}

function isAtEnd(hit: v128, end: v128): bool {
  return !v128.any_true(f32x4.gt(f32x4.abs(f32x4.sub(hit, end)), f32x4.splat(AT_END)));
}

/** What identifies, more or less, the leaf that last blocked a line: a treelet and one of its nodes. */
let blockedAt: i32 = 0;
/** The table of blockers for the line, or 0. */
let blockers: usize = 0;
let lineLength: f32 = 0;
/** Whether the line crosses the plane x = 0. */
let straddles: bool = false;
/** The nearest hit in the current tile, and among all tiles. */
let tileHit: v128 = i64x2(0, 0);
let tileLength: f32 = 0;
let tileHead: i32 = 0;
let tileCrossing: i32 = 0;
let bestHit: v128 = i64x2(0, 0);
let bestLength: f32 = 0;
let bestTile: usize = 0;

/** 1: blocked, 0: not blocked, -1: too far out for the bounds, or NaN. */
function walkTrees<P>(selection: i32): i32 {
  const start = point(LINE_START);
  const end = point(LINE_END);
  if (sizeof<P>() !== PLACE) {
    blockers = isStep(start, end, STEP) ? 0 : load<i32>(BLOCKERS);
    if (blockers !== 0 && blocksPoint(blockers, selection, start, end)) return 1;
  }
  const most = f32x4.splat(CULL_LIMIT);
  const near = v128.and(f32x4.lt(f32x4.abs(start), most), f32x4.lt(f32x4.abs(end), most));
  if (i32x4.bitmask(near) !== 15) return -1;
  lineLength = length(start, end);
  isLong = lineLength > SHORT;
  if (isLong) {
    const slack = f32x4.splat(SLACK);
    aim(f32x4.add(start, slack), f32x4.sub(start, slack), f32x4.sub(end, start));
  } else {
    lineLow = f32x4.pmin(start, end);
    lineHigh = f32x4.pmax(start, end);
  }
  reach = Infinity;
  const ax = f32x4.extract_lane(start, 0);
  const bx = f32x4.extract_lane(end, 0);
  straddles = min<f32>(ax, bx) <= -SIDE && max<f32>(ax, bx) >= SIDE;
  if (sizeof<P>() === PLACE) {
    bestHit = end;
    bestLength = lineLength;
    bestTile = 0;
    store<i32>(LINE_HEAD, -1);
    store<i32>(LINE_CROSSING, -1);
  }
  const list: usize = load<i32>(LINE_LIST);
  let listEnd = list;
  const last: usize = load<i32>(TILES_END);
  for (let tile: usize = load<i32>(TILES); tile < last; tile += TILE_BYTES) {
    if (isClear(tile + TILE_LINE_BOUNDS)) continue;
    if (isLong) listEnd = add(list, listEnd, tile + TILE_LINE_BOUNDS);
    else if (walkTile<P>(tile, list, selection, start, end)) return 1;
  }
  for (let next = list; next < listEnd && isWithinLimit(load<f32>(next)); next += LIST_BYTES) {
    const tile: usize = <usize>load<i32>(next, LIST_BOUNDS) - TILE_LINE_BOUNDS;
    if (walkTile<P>(tile, listEnd, selection, start, end)) return 1;
  }
  if (sizeof<P>() !== PLACE) return 0;
  v128.store(LINE_HIT, bestHit);
  return isAtEnd(bestHit, end) ? 0 : 1;
}

/**
 * Walks the selected trees of a tile; for a long line the nearest first, so that hits that leave nothing to look for beyond them
 * are found soon. Returns whether a test has its answer.
 */
function walkTile<P>(tile: usize, list: usize, selection: i32, start: v128, end: v128): bool {
  if (sizeof<P>() === PLACE) {
    tileHit = end;
    tileLength = lineLength;
    tileHead = -1;
  }
  let listEnd = list;
  const first: usize = load<i32>(tile, TILE_LINE_HEADS);
  const last: usize = load<i32>(tile, TILE_LINE_HEADS + 4);
  for (let head = first; head < last; head += ENTRY_BYTES) {
    const key = load<i32>(head, ENTRY_KEY);
    if ((key & selection) === 0) continue;
    if (key >= PHANTOM && (load<i32>(first, ENTRY_KEY) & selection) !== 0 && !straddles) break;
    if (!isClear(head)) {
      if (isLong) listEnd = add(list, listEnd, head);
      else if (walkHead<P>(head, start, end)) return true;
    }
    if (key >= PHANTOM) break;
  }
  for (let next = list; next < listEnd && isWithinLimit(load<f32>(next)); next += LIST_BYTES) {
    if (walkHead<P>(load<i32>(next, LIST_BOUNDS), start, end)) return true;
  }
  if (sizeof<P>() !== PLACE || tileHead < 0 || isAtEnd(tileHit, end)) return false;
  // Of equally near hits, the first in the engine's order counts.
  if (tileLength > bestLength || (tileLength === bestLength && tile >= bestTile)) return false;
  bestHit = tileHit;
  bestLength = tileLength;
  bestTile = tile;
  store<i32>(LINE_HEAD, tileHead);
  store<i32>(LINE_CROSSING, tileCrossing);
  return false;
}

/** Walks a head's tree. Returns whether a test has its answer. */
function walkHead<P>(head: usize, start: v128, end: v128): bool {
  if (!walkTree<P>(load<i32>(head, ENTRY_TREE), start, end)) return false;
  const number = load<i32>(head, ENTRY_NUMBER);
  if (sizeof<P>() !== PLACE) {
    // Phantoms depend on more than their selection.
    const isPhantom = load<i32>(head, ENTRY_KEY) >= PHANTOM;
    if (blockers !== 0 && !isPhantom) noteMove(blockers, blockedAt, number, start, end);
    return true;
  }
  const found = v128.load(HEAD_HIT);
  const foundLength = length(start, found);
  if (foundLength > tileLength || (foundLength === tileLength && number >= tileHead)) return false;
  tileHit = found;
  tileLength = foundLength;
  tileHead = number;
  tileCrossing = load<i32>(HEAD_CROSSING);
  return false;
}

/**
 * Adds bounds that a long line meets to a list, the nearest first. Returns the list's new end. There are few: the tiles of a world,
 * or the heads of a tile's regular models and one phantom.
 */
function add(first: usize, end: usize, bounds: usize): usize {
  const distance = partTo(bounds);
  let at = end;
  for (; at > first && load<f32>(at - LIST_BYTES) > distance; at -= LIST_BYTES) {
    store<u64>(at, load<u64>(at - LIST_BYTES));
  }
  store<f32>(at, distance);
  store<i32>(at, <i32>bounds, LIST_BOUNDS);
  return end + LIST_BYTES;
}

function dot(nx: v128, ny: v128, nz: v128, dist: v128, x: v128, y: v128, z: v128): v128 {
  return f32x4.sub(f32x4.add(f32x4.add(f32x4.mul(nx, x), f32x4.mul(ny, y)), f32x4.mul(nz, z)), dist);
}

/** Each coordinate of a point is in all lanes here: a treelet's four nodes are asked at once. */
function walkTree<P>(root: i32, start: v128, end: v128): bool {
  let ax = v128.shuffle<f32>(start, start, 0, 0, 0, 0);
  let ay = v128.shuffle<f32>(start, start, 1, 1, 1, 1);
  let az = v128.shuffle<f32>(start, start, 2, 2, 2, 2);
  let bx = v128.shuffle<f32>(end, end, 0, 0, 0, 0);
  let by = v128.shuffle<f32>(end, end, 1, 1, 1, 1);
  let bz = v128.shuffle<f32>(end, end, 2, 2, 2, 2);
  let link = root;
  let crossing = -1;
  let stack: usize = LINE_STACK;
  // In the current treelet: the nodes whose side is decided, and those sides.
  let known = 0;
  let decided = 0;
  let waits = true;
  let hit = false;
  // What identifies the leaf that the current piece comes to.
  let leaf = 0;
  while (waits) {
    while (link !== LINK_OPEN && link !== LINK_BLOCKED) {
      const at: usize = link & LINK_ADDRESS;
      if ((link & LINK_BRANCH) !== 0) {
        if (isClear(at)) {
          link = LINK_OPEN;
          break;
        }
        const second = load<i32>(at, BRANCH_SECOND);
        if (second !== LINK_OPEN) {
          store<i32>(stack, SECOND);
          store<i32>(stack, second, FRAME_NODE);
          store<i32>(stack, 0, FRAME_DECIDED);
          store<i32>(stack, crossing, FRAME_CROSSING);
          storePoint(stack + FRAME_A, ax, ay, az);
          storePoint(stack + FRAME_B, bx, by, bz);
          stack += LINE_FRAME_BYTES;
        }
        link = load<i32>(at, BRANCH_FIRST);
        continue;
      }
      const nx = v128.load(at);
      const ny = v128.load(at, 16);
      const nz = v128.load(at, 32);
      const dist = v128.load(at, 48);
      let da = dot(nx, ny, nz, dist, ax, ay, az);
      let db = dot(nx, ny, nz, dist, bx, by, bz);
      for (;;) {
        // Nodes that do not have both ends in front, and of these the ones that do not have both behind either: they split the
        // piece.
        const notFront = i32x4.bitmask(f32x4.le(f32x4.pmin(da, db), f32x4.splat(-SIDE)));
        const notBack = i32x4.bitmask(f32x4.ge(f32x4.pmax(da, db), f32x4.splat(SIDE)));
        const sides = (notFront & ~known) | decided;
        link = load<i32>(at + (sides << 2), TREELET_LINKS);
        if (sizeof<P>() !== PLACE) leaf = <i32>at + sides;
        const splits = notFront & notBack & link & ~known;
        if (splits === 0) break;
        const node = ctz(splits);
        const bit = 1 << node;
        const leafs = load<i32>(at, TREELET_LEAFS) >> node;
        if (sizeof<P>() !== PLACE) {
          if ((leafs & (1 << LEAFS_BLOCKED)) !== 0) {
            blockedAt = <i32>at + node;
            return true;
          }
        }
        const t = v128.swizzle(f32x4.div(da, f32x4.sub(da, db)), v128.load(LANES + (node << 4)));
        const mx = f32x4.add(ax, f32x4.mul(t, f32x4.sub(bx, ax)));
        const my = f32x4.add(ay, f32x4.mul(t, f32x4.sub(by, ay)));
        const mz = f32x4.add(az, f32x4.mul(t, f32x4.sub(bz, az)));
        const behind = (i32x4.bitmask(da) >> node) & 1;
        // What is decided above the split stays so for both pieces.
        known = bit | (bit - 1);
        const above = sides & (bit - 1);
        const near = above | (behind << node);
        const far = above | ((behind ^ 1) << node);
        const cross = sizeof<P>() === PLACE ? (load<i32>(at + (node << 2), TREELET_PLACES) << 1) | behind : 0;
        if (((leafs >> (behind << 2)) & 1) !== 0) {
          // The near child is open, so only the far piece is left.
          ax = mx;
          ay = my;
          az = mz;
          da = dot(nx, ny, nz, dist, ax, ay, az);
          decided = far;
          crossing = cross;
          continue;
        }
        if (((leafs >> ((behind ^ 1) << 2)) & 1) === 0) {
          store<i32>(stack, FAR);
          store<i32>(stack, <i32>at, FRAME_NODE);
          store<i32>(stack, far | (known << 4), FRAME_DECIDED);
          if (sizeof<P>() === PLACE) store<i32>(stack, cross, FRAME_CROSSING);
          storePoint(stack + FRAME_A, mx, my, mz);
          storePoint(stack + FRAME_B, bx, by, bz);
          stack += LINE_FRAME_BYTES;
        }
        bx = mx;
        by = my;
        bz = mz;
        db = dot(nx, ny, nz, dist, bx, by, bz);
        decided = near;
      }
      known = 0;
      decided = 0;
      link &= LINK_ADDRESS | LINK_BRANCH;
    }
    hit = link === LINK_BLOCKED;
    if (hit) {
      if (sizeof<P>() !== PLACE) {
        blockedAt = leaf;
        return true;
      }
      const found = f32x4.replace_lane(gather(ax, ay, az), 3, 0);
      v128.store(HEAD_HIT, found);
      store<i32>(HEAD_CROSSING, crossing);
      const far = length(start, found) + load<f32>(LINE_ROOM) + ROUNDING;
      if (far * far < reach) {
        reach = far * far;
        limitTo(far / lineLength);
      }
    }
    // Back up to the latest piece that is still to be walked.
    waits = false;
    while (stack !== LINE_STACK && !waits) {
      stack -= LINE_FRAME_BYTES;
      if (sizeof<P>() === PLACE) {
        const what = load<i32>(stack);
        if (what === JOIN) {
          const first = point(stack + FRAME_B);
          const from = point(stack + FRAME_A);
          if (!hit || length(from, first) < length(from, v128.load(HEAD_HIT))) {
            v128.store(HEAD_HIT, first);
            store<i32>(HEAD_CROSSING, load<i32>(stack, FRAME_CROSSING));
          }
          hit = true;
          continue;
        }
        if (hit && what === FAR) continue;
        const d = f32x4.sub(point(stack + FRAME_A), start);
        const s = f32x4.mul(d, d);
        if (f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2) > reach) continue;
      }
      ax = v128.load_splat<f32>(stack, FRAME_A);
      ay = v128.load_splat<f32>(stack, FRAME_A + 4);
      az = v128.load_splat<f32>(stack, FRAME_A + 8);
      bx = v128.load_splat<f32>(stack, FRAME_B);
      by = v128.load_splat<f32>(stack, FRAME_B + 4);
      bz = v128.load_splat<f32>(stack, FRAME_B + 8);
      link = load<i32>(stack, FRAME_NODE);
      const state = load<i32>(stack, FRAME_DECIDED);
      decided = state & 15;
      known = state >> 4;
      if (sizeof<P>() === PLACE) {
        crossing = load<i32>(stack, FRAME_CROSSING);
        if (hit) {
          store<i32>(stack, JOIN);
          store<i32>(stack, load<i32>(HEAD_CROSSING), FRAME_CROSSING);
          const first = v128.load(HEAD_HIT);
          v128.store_lane<f32>(stack, first, 0, FRAME_B);
          v128.store_lane<f32>(stack, first, 1, FRAME_B + 4);
          v128.store_lane<f32>(stack, first, 2, FRAME_B + 8);
          stack += LINE_FRAME_BYTES;
        }
      }
      waits = true;
    }
  }
  return hit;
}

/** Whether the selected trees block the line at `LINE_START`. */
export function testLine(selection: i32): i32 {
  return walkTrees<Test>(selection);
}

/** Finds where they stop it. */
export function placeLine(selection: i32): i32 {
  const blocked = walkTrees<Place>(selection);
  store<f32>(LINE_FRACTION, blocked === 1 ? measureFraction(v128.load(LINE_HIT)) : 1);
  return blocked;
}

/** How much of the line lies before a point, in double precision. */
function measureFraction(hit: v128): f32 {
  const start = point(LINE_START);
  const whole = squaredWay(start, point(LINE_END));
  return whole > 0 ? min<f32>(f32(sqrt<f64>(squaredWay(start, hit) / whole)), BELOW_ONE) : 0;
}

function squaredWay(a: v128, b: v128): f64 {
  const low = f64x2.sub(f64x2.promote_low_f32x4(b), f64x2.promote_low_f32x4(a));
  const z = f64(f32x4.extract_lane(b, 2)) - f64(f32x4.extract_lane(a, 2));
  const squares = f64x2.mul(low, low);
  return f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1) + z * z;
}
