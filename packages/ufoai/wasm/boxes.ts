import {
  B_END,
  B_EXTENTS,
  B_FIRST,
  B_GIVEN_END,
  B_GIVEN_MAXS,
  B_GIVEN_MINS,
  B_GIVEN_START,
  B_HEAD,
  B_MAXS,
  B_MINS,
  B_SECOND,
  B_START,
  R_ALL_SOLID,
  R_START_SOLID,
  R_TILE,
  S_ANY_ALL_SOLID,
  S_ANY_START_SOLID,
  S_SELECTION,
  S_STILL,
} from '../src/kernel/block';
import {
  BOX_FRAME_BYTES,
  BRUSH_END,
  BRUSH_STAMP,
  BRUSHES,
  BRUSHES_END,
  CHILD_EMPTY,
  CHILD_LEAF,
  ENTRY_BYTES,
  ENTRY_END,
  ENTRY_FIRST,
  ENTRY_KEY,
  NODE_BACK,
  NODE_DIST,
  NODE_FRONT,
  NODE_TYPE,
  PIECE_END,
  PIECE_START,
  STACK,
  TILE_BYTES,
  TILE_GROUPS,
  TILES,
  TILES_END,
  TRACES,
} from '../src/wasm/layout';
import { sweepLeaf, touchLeaf } from './brush';
import { boundMove, enterWorld, isOutOfWay, point, prepareSweep, stop } from './move';

// Walks of boxes, as in `kernel/box.ts` and `kernel/tiles.ts`, where the comments say what they do and why.

/** Doubles in the engine. */
const EPSILON: f64 = 0.03125;
const TOUCH: f64 = 0.001;
/** The engine's position test looks at no more leafs. */
const MAX_LEAFS = 1024;
/** The fraction of the engine's answer when there was nothing to trace. */
export const NOTHING: f32 = 2;
/** The other kernel has to be asked. */
export const UNSURE = -1;

/** Which plane a node has: axial up to 2. */
const OBLIQUE = 3;

const FRAME_TO = 4;
const FRAME_CHILD = 8;
const FRAME_A = 16;
const FRAME_B = 32;

function sum3(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2);
}

/** A number for a new trace, by which brushes that it has seen are recognised. */
function nextStamp(): void {
  let traces = load<i32>(TRACES);
  if (traces === 0x7fffffff) {
    // Numbers begin again; old stamps must not be taken for new ones.
    const last: usize = load<i32>(BRUSHES_END);
    let brush: usize = load<i32>(BRUSHES);
    while (brush < last) {
      store<i32>(brush, 0, BRUSH_STAMP);
      brush = load<i32>(brush, BRUSH_END);
    }
    traces = 0;
  }
  store<i32>(TRACES, traces + 1);
}

/** Sweeps the box through a tree, nearer children first. What is empty is not visited. */
function sweepTree(root: i32): void {
  nextStamp();
  let from: f32 = 0;
  let to: f32 = 1;
  let a = v128.load(4 * B_START);
  let b = v128.load(4 * B_END);
  const extents = v128.load(4 * B_EXTENTS);
  v128.store(PIECE_START, a);
  v128.store(PIECE_END, b);
  let child = root;
  let stack: usize = STACK;
  for (;;) {
    while ((child & (CHILD_LEAF | CHILD_EMPTY)) === 0) {
      const node: usize = child;
      const type = load<i32>(node, NODE_TYPE);
      const dist = load<f32>(node, NODE_DIST);
      let da: f32;
      let db: f32;
      let offset: f32;
      if (type < OBLIQUE) {
        const axis: usize = type << 2;
        da = load<f32>(axis + PIECE_START) - dist;
        db = load<f32>(axis + PIECE_END) - dist;
        offset = load<f32>(axis + 4 * B_EXTENTS);
      } else {
        const n = v128.load(node);
        da = sum3(f32x4.mul(n, a)) - dist;
        db = sum3(f32x4.mul(n, b)) - dist;
        offset = sum3(f32x4.abs(f32x4.mul(n, extents)));
      }
      if (da >= offset && db >= offset) {
        child = load<i32>(node, NODE_FRONT);
        continue;
      }
      if (da < -offset && db < -offset) {
        child = load<i32>(node, NODE_BACK);
        continue;
      }
      let nearAt: usize = NODE_FRONT;
      let near: f32 = 1;
      let far: f32 = 0;
      if (da < db) {
        nearAt = NODE_BACK;
        // In float32, which a literal within a cast would not be.
        const inverse: f32 = 1 / (da - db);
        far = <f32>((<f64>(da + offset) + EPSILON) * <f64>inverse);
        near = <f32>((<f64>(da - offset) + EPSILON) * <f64>inverse);
      } else if (da > db) {
        const inverse: f32 = 1 / (da - db);
        far = <f32>((<f64>(da - offset) - EPSILON) * <f64>inverse);
        near = <f32>((<f64>(da + offset) + EPSILON) * <f64>inverse);
      }
      near = near < 0 ? 0 : near > 1 ? 1 : near;
      far = far < 0 ? 0 : far > 1 ? 1 : far;
      const length = to - from;
      const way = f32x4.sub(b, a);
      const nearChild = load<i32>(node + nearAt);
      const farChild = load<i32>(node + NODE_FRONT + NODE_BACK - nearAt);
      if ((farChild & CHILD_EMPTY) === 0) {
        const farFrom = from + length * far;
        if (load<f32>(4 * B_HEAD) > farFrom) {
          const middle = f32x4.add(a, f32x4.mul(f32x4.splat(far), way));
          if ((nearChild & CHILD_EMPTY) !== 0) {
            // Nothing is on this side.
            from = farFrom;
            a = middle;
            v128.store(PIECE_START, a);
            child = farChild;
            continue;
          }
          store<f32>(stack, farFrom);
          store<f32>(stack, to, FRAME_TO);
          store<i32>(stack, farChild, FRAME_CHILD);
          v128.store(stack, middle, FRAME_A);
          v128.store(stack, b, FRAME_B);
          stack += BOX_FRAME_BYTES;
        }
      }
      child = nearChild;
      if ((nearChild & CHILD_EMPTY) !== 0) break;
      to = from + length * near;
      b = f32x4.add(a, f32x4.mul(f32x4.splat(near), way));
      v128.store(PIECE_END, b);
    }
    if ((child & CHILD_LEAF) !== 0) sweepLeaf(child ^ CHILD_LEAF);
    const best = load<f32>(4 * B_HEAD);
    do {
      if (stack === STACK) return;
      stack -= BOX_FRAME_BYTES;
      from = load<f32>(stack);
    } while (best <= from);
    to = load<f32>(stack, FRAME_TO);
    child = load<i32>(stack, FRAME_CHILD);
    a = v128.load(stack, FRAME_A);
    b = v128.load(stack, FRAME_B);
    v128.store(PIECE_START, a);
    v128.store(PIECE_END, b);
  }
}

/** Tests the box where it stands against the leafs that it reaches. False: there may be too many of them to tell. */
function touchTree(root: i32): bool {
  nextStamp();
  const start = v128.load(4 * B_START);
  const mins = v128.load(4 * B_MINS);
  const maxs = v128.load(4 * B_MAXS);
  const low = f32x4.add(start, mins);
  const high = f32x4.add(start, maxs);
  v128.store(PIECE_START, low);
  v128.store(PIECE_END, high);
  const zero = i64x2(0, 0);
  let leafs = 0;
  let child = root;
  let stack: usize = STACK;
  // Whether a child waits: the first one does.
  let waits = true;
  while (waits) {
    while ((child & (CHILD_LEAF | CHILD_EMPTY)) === 0) {
      const node: usize = child;
      const type = load<i32>(node, NODE_TYPE);
      const dist = load<f32>(node, NODE_DIST);
      let front: bool;
      let back: bool;
      if (type < OBLIQUE) {
        const axis: usize = type << 2;
        front = <f64>load<f32>(axis + PIECE_END) > <f64>dist + TOUCH;
        back = <f64>load<f32>(axis + PIECE_START) < <f64>dist - TOUCH;
      } else {
        const n = v128.load(node);
        const falls = f32x4.lt(n, zero);
        front = <f64>(sum3(f32x4.mul(n, v128.bitselect(low, high, falls))) - dist) >= TOUCH;
        back = <f64>(sum3(f32x4.mul(n, v128.bitselect(high, low, falls))) - dist) < TOUCH;
      }
      if (front === back) {
        store<i32>(stack, load<i32>(node, NODE_BACK));
        stack += 4;
      }
      child = load<i32>(node + (back && !front ? NODE_BACK : NODE_FRONT));
    }
    if ((child & CHILD_EMPTY) !== 0) leafs += child >> 2;
    else {
      leafs++;
      if (leafs <= MAX_LEAFS && touchLeaf(child ^ CHILD_LEAF)) return true;
    }
    if (leafs > MAX_LEAFS) return false;
    waits = stack !== STACK;
    if (waits) {
      stack -= 4;
      child = load<i32>(stack);
    }
  }
  return true;
}

function walk(root: i32): bool {
  if (load<i32>(4 * S_STILL) !== 0) return touchTree(root);
  if (load<f32>(4 * B_HEAD) > 0) sweepTree(root);
  return true;
}

function clearRecord(at: usize, fraction: f32): void {
  v128.store(at, f32x4(fraction, 0, 0, 0));
  v128.store(at, i64x2(0, 0), 16);
  v128.store(at, i32x4(0, 0, -1, -1), 32);
  v128.store(at, i64x2(0, 0), 48);
}

function copyRecord(from: usize, to: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
}

function rememberSolid(): void {
  const start = load<i32>(4 * S_ANY_START_SOLID) | load<i32>(4 * (B_HEAD + R_START_SOLID));
  store<i32>(4 * S_ANY_START_SOLID, start);
  const all = load<i32>(4 * S_ANY_ALL_SOLID) | load<i32>(4 * (B_HEAD + R_ALL_SOLID));
  store<i32>(4 * S_ANY_ALL_SOLID, all);
}

/** Traces through the selected heads of a tile, into a record. False: unsure. */
function traceTile(tile: usize, number: i32, into: usize): bool {
  const selection = load<i32>(4 * S_SELECTION);
  clearRecord(4 * B_HEAD, 1);
  boundMove();
  const lastGroup: usize = load<i32>(tile, TILE_GROUPS + 4);
  let best = NOTHING;
  for (let group: usize = load<i32>(tile, TILE_GROUPS); group < lastGroup; group += ENTRY_BYTES) {
    if ((load<i32>(group, ENTRY_KEY) & selection) === 0) continue;
    if (isOutOfWay(group)) {
      if (best === NOTHING) {
        copyRecord(4 * B_HEAD, into);
        best = 1;
      }
      continue;
    }
    const last: usize = load<i32>(group, ENTRY_END);
    for (let head: usize = load<i32>(group, ENTRY_FIRST); head < last; head += ENTRY_BYTES) {
      if ((load<i32>(head, ENTRY_KEY) & selection) === 0) continue;
      if (!isOutOfWay(head) && !walk(load<i32>(head, ENTRY_FIRST))) return false;
      const fraction = load<f32>(4 * B_HEAD);
      if (fraction >= best) continue;
      copyRecord(4 * B_HEAD, into);
      best = fraction;
      if (fraction === 0) {
        group = lastGroup;
        break;
      }
    }
  }
  rememberSolid();
  if (best === NOTHING) clearRecord(into, NOTHING);
  store<i32>(into, number, 4 * R_TILE);
  return true;
}

/** Whether a tile's bounds are clear of both ends as given, strictly. */
function isAway(tile: usize): bool {
  const start = point(4 * B_GIVEN_START);
  const end = point(4 * B_GIVEN_END);
  const mins = v128.load(4 * B_GIVEN_MINS);
  const maxs = v128.load(4 * B_GIVEN_MAXS);
  const high = f32x4.pmax(f32x4.add(start, maxs), f32x4.add(end, maxs));
  const low = f32x4.pmin(f32x4.add(start, mins), f32x4.add(end, mins));
  return v128.any_true(v128.or(f32x4.lt(high, v128.load(tile)), f32x4.gt(low, v128.load(tile, 16))));
}

/**
 * Traces the move as given through all tiles that it comes near, or through one of them: gives the place of the record
 * that is the answer, -1 if the other kernel has to be asked. `always`: through that one tile, near or not.
 */
export function traceTiles(only: i32, always: i32): i32 {
  store<i32>(4 * S_ANY_START_SOLID, 0);
  store<i32>(4 * S_ANY_ALL_SOLID, 0);
  let best: usize = 4 * B_FIRST;
  let next: usize = 4 * B_SECOND;
  let fraction = NOTHING;
  let entered = false;
  let number = 0;
  const last: usize = load<i32>(TILES_END);
  for (let tile: usize = load<i32>(TILES); tile < last; tile += TILE_BYTES, number++) {
    if (only >= 0 && number !== only) continue;
    if (always === 0 && isAway(tile)) continue;
    if (!entered && !enterWorld()) return UNSURE;
    entered = true;
    if (!traceTile(tile, number, next)) return UNSURE;
    if (always !== 0) {
      stop(load<f32>(next));
      return <i32>next >> 2;
    }
    if (load<f32>(next) >= fraction) continue;
    fraction = load<f32>(next);
    const worse = best;
    best = next;
    next = worse;
    if (fraction === 0) break;
  }
  if (fraction === NOTHING) clearRecord(best, NOTHING);
  else stop(fraction);
  return <i32>best >> 2;
}

/** Traces the prepared move through a tree, into the head's record. -1 if the other kernel has to be asked. */
export function traceTree(root: i32): i32 {
  prepareSweep();
  boundMove();
  return walk(root) ? 0 : UNSURE;
}
