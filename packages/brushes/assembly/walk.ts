import { B_END, B_EXTENTS, B_HEAD, B_MAXS, B_MINS, B_START, S_STILL } from '../src/block';
import {
  BOX_FRAME_BYTES,
  BRUSH_END,
  BRUSH_STAMP,
  BRUSHES,
  BRUSHES_END,
  CHILD_EMPTY,
  CHILD_LEAF,
  NODE_BACK,
  NODE_BOUNDS,
  NODE_DIST,
  NODE_FRONT,
  NODE_TYPE,
  PIECE_END,
  PIECE_START,
  QUANTA,
  STACK,
  TRACES,
} from '../src/hot-layout';
import { OBLIQUE } from '../src/layout';
import { sweepLeaf, touchLeaf } from './brush';

// Walks through trees, as in `walk.ts`, where the comments say what they do and why.

const EPSILON: f32 = 0.03125;
/** The engines' position test looks at no more leafs. */
const MAX_LEAFS = 1024;

const FRAME_TO = 4;
const FRAME_CHILD = 8;
const FRAME_A = 16;
const FRAME_B = 32;

function sum3(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2);
}

/** How far along a piece lies what is so far from a plane, less or more an epsilon. `E` is what epsilons are added in. */
function part<E>(distance: f32, epsilon: f32, inverse: f32): f32 {
  if (sizeof<E>() === 4) return (distance + epsilon) * inverse;
  return <f32>((<f64>distance + <f64>epsilon) * <f64>inverse);
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

/** Sweeps the box through a tree, nearer children first. What is empty is not visited. `E` is what epsilons are added in. */
function sweepTree<E>(root: i32): void {
  nextStamp();
  let from: f32 = 0;
  let to: f32 = 1;
  let a = v128.load(4 * B_START);
  let b = v128.load(4 * B_END);
  const extents = v128.load(4 * B_EXTENTS);
  v128.store(PIECE_START, a);
  v128.store(PIECE_END, b);
  let quanta = v128.load(QUANTA);
  let child = root;
  let stack: usize = STACK;
  for (;;) {
    while ((child & (CHILD_LEAF | CHILD_EMPTY)) === 0) {
      const node: usize = child;
      // Nothing below it can matter.
      if (v128.any_true(i16x8.gt_s(quanta, v128.load(node, NODE_BOUNDS)))) {
        child = CHILD_EMPTY;
        break;
      }
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
        far = part<E>(da + offset, EPSILON, inverse);
        near = part<E>(da - offset, EPSILON, inverse);
      } else if (da > db) {
        const inverse: f32 = 1 / (da - db);
        far = part<E>(da - offset, -EPSILON, inverse);
        near = part<E>(da + offset, EPSILON, inverse);
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
    if ((child & CHILD_LEAF) !== 0) {
      sweepLeaf<E>(child ^ CHILD_LEAF);
      quanta = v128.load(QUANTA);
    }
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

/**
 * Tests the box where it stands against the leafs that it reaches, `margin` wider, within `epsilon` of a plane on both sides.
 * False: there may be too many of them to tell.
 */
function touchTree(root: i32, margin: f32, epsilon: f64): bool {
  nextStamp();
  const start = v128.load(4 * B_START);
  const mins = v128.load(4 * B_MINS);
  const maxs = v128.load(4 * B_MAXS);
  const room = f32x4.splat(margin);
  const low = f32x4.sub(f32x4.add(start, mins), room);
  const high = f32x4.add(f32x4.add(start, maxs), room);
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
        const highest = load<f32>(axis + PIECE_END);
        const lowest = load<f32>(axis + PIECE_START);
        front = <f64>highest > <f64>dist + epsilon || (epsilon === 0 && lowest >= dist);
        back = <f64>lowest < <f64>dist - epsilon;
      } else {
        const n = v128.load(node);
        const falls = f32x4.lt(n, zero);
        front = <f64>(sum3(f32x4.mul(n, v128.bitselect(low, high, falls))) - dist) >= epsilon;
        back = <f64>(sum3(f32x4.mul(n, v128.bitselect(high, low, falls))) - dist) < epsilon;
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

/**
 * Traces the prepared move through a tree, into the answer: see {@link sweepTree} and {@link touchTree}. False: the other
 * kernel has to be asked.
 */
export function walk<E>(root: i32, margin: f32, epsilon: f64): bool {
  if (load<i32>(4 * S_STILL) !== 0) return touchTree(root, margin, epsilon);
  if (load<f32>(4 * B_HEAD) > 0) sweepTree<E>(root);
  return true;
}
