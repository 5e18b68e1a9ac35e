import {
  B_END,
  B_EXTENTS,
  B_HEAD,
  B_MAXS,
  B_MINS,
  B_START,
  S_EVERY,
  S_MASK,
  S_POINT,
  S_STILL,
} from '../src/block';
import {
  BOX_FRAME_BYTES,
  BRUSH_END,
  BRUSH_STAMP,
  BRUSHES,
  BRUSHES_END,
  CHILD_EMPTY,
  CHILD_LEAF,
  CHILD_TYPE,
  NODE_BACK,
  NODE_FRONT,
  NODE_LEAFS,
  NODE_PLANES,
  NODE_SIDES,
  PIECE_END,
  PIECE_START,
  QUANTA,
  SIDE_BYTES,
  SIDE_CONTENTS,
  STACK,
  TRACES,
} from '../src/hot-layout';
import { OBLIQUE } from '../src/layout';
import { POINT, sweepLeaf, touchLeaf } from './brush';

// Walks through trees, as in `walk.ts`, where the comments say what they do and why.

const EPSILON: f32 = 0.03125;
/** The most leafs that the engines' position test looks at. */
const MAX_LEAFS = 1024;
/** Up to this many of them are counted without being visited. */
const SURELY_FEW = MAX_LEAFS / 2;

const FRAME_TO = 4;
const FRAME_CHILD = 8;
const FRAME_A = 16;
const FRAME_B = 32;

function sum3(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2);
}

/**
 * Where along a piece a plane is crossed, from the distance to it and an epsilon. `E` is the type in which epsilons are added.
 */
function part<E>(distance: f32, epsilon: f32, inverse: f32): f32 {
  if (sizeof<E>() === 4) return (distance + epsilon) * inverse;
  return <f32>((<f64>distance + <f64>epsilon) * <f64>inverse);
}

/** Gives a new trace a number, by which the brushes that it has seen are recognised. */
function nextStamp(): void {
  let traces = load<i32>(TRACES);
  if (traces === 0x7fffffff) {
    // Numbers start again; old stamps must not be taken for new ones.
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

/** Whether the move meets something below a child, according to its side. */
function meets(child: i32, side: usize, quanta: v128, mask: i32, every: bool): bool {
  if (v128.any_true(i16x8.gt_s(quanta, v128.load(side)))) return false;
  return every ? (child & CHILD_EMPTY) === 0 : (load<i32>(side, SIDE_CONTENTS) & mask) !== 0;
}

/**
 * Sweeps the box through a tree, nearer children first. Children that the move does not meet are not visited. `E` is the type in
 * which epsilons are added, `S` stands for a point or a box.
 */
function sweepTree<E, S>(root: i32): void {
  nextStamp();
  const mask = load<i32>(4 * S_MASK);
  const every = load<i32>(4 * S_EVERY) !== 0;
  const planes: usize = load<i32>(NODE_PLANES);
  const sides: usize = load<i32>(NODE_SIDES);
  const extents = v128.load(4 * B_EXTENTS);
  let from: f32 = 0;
  let to: f32 = 1;
  let best = load<f32>(4 * B_HEAD);
  let quanta = v128.load(QUANTA);
  let a = v128.load(4 * B_START);
  let b = v128.load(4 * B_END);
  v128.store(PIECE_START, a);
  v128.store(PIECE_END, b);
  let child = root;
  let stack: usize = STACK;
  for (;;) {
    while ((child & (CHILD_LEAF | CHILD_EMPTY)) === 0) {
      const node: usize = child & ~CHILD_TYPE;
      const axis: usize = child & CHILD_TYPE;
      let da: f32;
      let db: f32;
      let offset: f32 = 0;
      if (axis < 4 * OBLIQUE) {
        const dist = load<f32>(node);
        const at = load<f32>(axis, PIECE_START);
        const until = load<f32>(axis, PIECE_END);
        if (sizeof<S>() === POINT) {
          // Comparing is enough here: only nodes that split the piece need the distances. Saves 5 to 8 % of a long ray's time.
          if (at >= dist) {
            if (until >= dist) {
              child = load<i32>(node, NODE_FRONT);
              continue;
            }
          } else if (until < dist) {
            child = load<i32>(node, NODE_BACK);
            continue;
          }
        } else offset = load<f32>(axis, 4 * B_EXTENTS);
        da = at - dist;
        db = until - dist;
      } else {
        const n = v128.load(node + planes);
        const dist = f32x4.extract_lane(n, 3);
        da = sum3(f32x4.mul(n, a)) - dist;
        db = sum3(f32x4.mul(n, b)) - dist;
        if (sizeof<S>() !== POINT) offset = sum3(f32x4.abs(f32x4.mul(n, extents)));
      }
      if (sizeof<S>() !== POINT || axis >= 4 * OBLIQUE) {
        if (da >= offset && db >= offset) {
          child = load<i32>(node, NODE_FRONT);
          continue;
        }
        if (da < -offset && db < -offset) {
          child = load<i32>(node, NODE_BACK);
          continue;
        }
      }
      // To a processor, which child is nearer is as good as chance, so all of this is without branches.
      const upward: i32 = da < db ? 1 : 0;
      let both = f32x4(1, 0, 0, 0);
      if (da !== db) {
        // In float32, which it would not be with a literal within a cast.
        const inverse: f32 = 1 / (da - db);
        const shift = reinterpret<f32>(reinterpret<i32>(offset) ^ (upward << 31));
        const away = reinterpret<f32>(reinterpret<i32>(EPSILON) ^ ((upward ^ 1) << 31));
        // The engines always add the epsilon to the nearer part; symmetry would require it to be subtracted.
        both = f32x4(part<E>(da + shift, EPSILON, inverse), part<E>(da - shift, away, inverse), 0, 0);
        both = f32x4.pmin(f32x4.pmax(both, f32x4.splat(0)), f32x4.splat(1));
      }
      const front = load<i32>(node, NODE_FRONT);
      const back = load<i32>(node, NODE_BACK);
      const side = node + node + sides;
      const meetsFront = meets(front, side, quanta, mask, every);
      const meetsBack = meets(back, side + SIDE_BYTES, quanta, mask, every);
      const nearChild = upward !== 0 ? back : front;
      const farChild = upward !== 0 ? front : back;
      const length = to - from;
      const way = f32x4.sub(b, a);
      const far = i32x4.shuffle(both, both, 1, 1, 1, 1);
      const farFrom = from + length * f32x4.extract_lane(both, 1);
      // A piece that begins at NaN matters: the inverse of a length below 2 ** -128 is infinite.
      const farMatters = (upward !== 0 ? meetsFront : meetsBack) && !(best <= farFrom);
      if (upward !== 0 ? meetsBack : meetsFront) {
        if (farMatters) {
          store<f32>(stack, farFrom);
          store<f32>(stack, to, FRAME_TO);
          store<i32>(stack, farChild, FRAME_CHILD);
          v128.store(stack, f32x4.add(a, f32x4.mul(far, way)), FRAME_A);
          v128.store(stack, b, FRAME_B);
          stack += BOX_FRAME_BYTES;
        }
        to = from + length * f32x4.extract_lane(both, 0);
        b = f32x4.add(a, f32x4.mul(i32x4.shuffle(both, both, 0, 0, 0, 0), way));
        v128.store(PIECE_END, b);
        child = nearChild;
      } else if (farMatters) {
        from = farFrom;
        a = f32x4.add(a, f32x4.mul(far, way));
        v128.store(PIECE_START, a);
        child = farChild;
      } else child = CHILD_EMPTY;
    }
    if ((child & CHILD_LEAF) !== 0) {
      sweepLeaf<E, S>(child ^ CHILD_LEAF);
      best = load<f32>(4 * B_HEAD);
      quanta = v128.load(QUANTA);
    }
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

function leafsBelow(child: i32): i32 {
  if ((child & CHILD_EMPTY) !== 0) return child >> 2;
  return (child & CHILD_LEAF) !== 0 ? 1 : load<i32>(child & ~CHILD_TYPE, NODE_LEAFS);
}

/**
 * Tests the standing box, widened by `margin`, against the leafs that it reaches. Within `epsilon` of a plane it is on both
 * sides; if that is 0, the engine compares exactly. Returns false if there may be too many leafs to tell.
 */
function touchTree(root: i32, margin: f32, epsilon: f64): bool {
  nextStamp();
  const planes: usize = load<i32>(NODE_PLANES);
  const sides: usize = load<i32>(NODE_SIDES);
  const mask = load<i32>(4 * S_MASK);
  const quanta = v128.load(QUANTA);
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
      const node: usize = child & ~CHILD_TYPE;
      const axis: usize = child & CHILD_TYPE;
      let front: bool;
      let back: bool;
      if (axis < 4 * OBLIQUE) {
        const dist = load<f32>(node);
        const highest = load<f32>(axis, PIECE_END);
        const lowest = load<f32>(axis, PIECE_START);
        front = <f64>highest > <f64>dist + epsilon || (epsilon === 0 && lowest >= dist);
        back = <f64>lowest < <f64>dist - epsilon;
      } else {
        const n = v128.load(node + planes);
        const dist = f32x4.extract_lane(n, 3);
        const falls = f32x4.lt(n, zero);
        front = <f64>(sum3(f32x4.mul(n, v128.bitselect(low, high, falls))) - dist) >= epsilon;
        back = <f64>(sum3(f32x4.mul(n, v128.bitselect(high, low, falls))) - dist) < epsilon;
      }
      // Branches, which processors predict; they would have to wait for an address that is selected.
      child = load<i32>(node, NODE_FRONT);
      if (front && !back) continue;
      const behind = load<i32>(node, NODE_BACK);
      if (back && !front) {
        child = behind;
        continue;
      }
      const side = node + node + sides;
      const passed = leafsBelow(behind);
      if (leafs + passed <= SURELY_FEW && !meets(behind, side + SIDE_BYTES, quanta, mask, false))
        leafs += passed;
      else {
        store<i32>(stack, behind);
        stack += 4;
      }
      const ahead = leafsBelow(child);
      if (leafs + ahead <= SURELY_FEW && !meets(child, side, quanta, mask, false)) {
        child = CHILD_EMPTY | (ahead << 2);
      }
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
 * Traces the prepared move through a tree, into the answer: see {@link sweepTree} and {@link touchTree}. Returns false if the
 * other kernel has to be asked.
 */
export function walk<E>(root: i32, margin: f32, epsilon: f64): bool {
  if (load<i32>(4 * S_STILL) !== 0) return touchTree(root, margin, epsilon);
  if (load<f32>(4 * B_HEAD) <= 0) return true;
  if (load<i32>(4 * S_POINT) !== 0) sweepTree<E, u8>(root);
  else sweepTree<E, u16>(root);
  return true;
}
