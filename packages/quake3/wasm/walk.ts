import {
  ADDRESS_MASK,
  EMPTY_BIT,
  EMPTY_NODE_BIT,
  FRACTION,
  FRAME_BYTES,
  LIST_BRUSH_BYTES,
  LIST_HEADER,
  LIST_PATCH_BYTES,
  NODE_BACK,
  NODE_DIST,
  NODE_FRONT,
  NODE_PLANES,
  NODE_SIDES,
  NODE_TYPE,
  RECORD_CONTENTS,
  RECORD_STAMP,
  REF_ADDRESS,
  REF_BYTES,
  ROOT,
  SET_CLEAR,
  SET_CURVES,
  SET_EPSILON,
  SET_EXTENTS,
  SET_MASK,
  SET_MAXS,
  SET_MINS,
  SIDE_BYTES,
  SIDE_CONTENTS,
  SOLID,
  STACK,
  TRACES,
} from '../src/wasm/layout';
import { sweepPatch } from './patch';
import { BOX_HIGH, BOX_LOW, END, HAS_BOUNDS, PIECE_END, PIECE_START, QUANTA, START } from './scratch';
import { boundMove } from './setup';
import { POINT } from './shape';
import { sweepBrush, touchBrush } from './solid';

/** The most leafs that the engine's position test looks at. */
const MAX_POSITION_LEAFS = 1024;

/** Whether a trace has its answer: nothing can come before fraction 0, and any hit will do for `blocked`. */
function isDecided(any: bool): bool {
  const fraction = load<f32>(FRACTION);
  return fraction === 0 || (any && (fraction < 1 || load<i32>(SOLID) !== 0));
}

/** Sweeps the shape against what the list of a leaf or model holds, or tests its position: brushes, then patches. */
export function sweepList<S>(list: i32, still: bool, any: bool): void {
  if (sizeof<S>() === POINT && load<i32>(HAS_BOUNDS) === 0) boundMove<S>(still);
  const quanta = v128.load(QUANTA);
  const mask = load<i32>(SET_MASK);
  const stamp = load<i32>(TRACES);
  let ref = list + LIST_HEADER;
  const endBrushes = ref + load<i32>(list, LIST_BRUSH_BYTES);
  for (; ref < endBrushes; ref += REF_BYTES) {
    // Quantised bounds are too wide, never too narrow: the exact ones are asked next.
    if (v128.any_true(i16x8.gt_s(quanta, v128.load(ref)))) continue;
    const brush = load<i32>(ref, REF_ADDRESS);
    if (load<i32>(brush, RECORD_STAMP) === stamp) continue;
    store<i32>(brush, stamp, RECORD_STAMP);
    if ((load<i32>(brush, RECORD_CONTENTS) & mask) === 0) continue;
    if (still) touchBrush<S>(brush);
    else sweepBrush<S>(brush);
    if (isDecided(any)) return;
  }
  if (load<i32>(list, LIST_PATCH_BYTES) === 0 || load<i32>(SET_CURVES) === 0) return;
  const endPatches = ref + load<i32>(list, LIST_PATCH_BYTES);
  for (; ref < endPatches; ref += REF_BYTES) {
    if (!still && v128.any_true(i16x8.gt_s(quanta, v128.load(ref)))) continue;
    const patch = load<i32>(ref, REF_ADDRESS);
    if (load<i32>(patch, RECORD_STAMP) === stamp) continue;
    store<i32>(patch, stamp, RECORD_STAMP);
    if ((load<i32>(patch, RECORD_CONTENTS) & mask) === 0) continue;
    sweepPatch<S>(patch, still);
    if (isDecided(any)) return;
  }
}

/** Whether there is anything in a child that the move meets. For points, checking the bounds takes longer than it saves. */
function meets<S>(quanta: v128, side: i32): bool {
  if (sizeof<S>() !== POINT && v128.any_true(i16x8.gt_s(quanta, v128.load(side)))) return false;
  return (load<i32>(side, SIDE_CONTENTS) & load<i32>(SET_MASK)) !== 0;
}

/**
 * Sweeps the shape through the world's tree (tutorial `CheckNode`), nearer children first. The walk's own points drift
 * by rounding; they only decide which leafs are visited, in the engine's order, which decides ties.
 */
export function sweepWorld<S>(any: bool): void {
  const epsilon = f64(load<f32>(SET_EPSILON));
  const quanta = v128.load(QUANTA);
  let node = load<i32>(ROOT);
  let from: f32 = 0;
  let to: f32 = 1;
  let start = v128.load(START);
  let end = v128.load(END);
  v128.store(PIECE_START, start);
  v128.store(PIECE_END, end);
  let frame: usize = STACK;
  let best: f32 = 1;
  while (true) {
    while (node >= 0) {
      const type = load<i32>(node, NODE_TYPE);
      let d1: f32;
      let d2: f32;
      if (type < 12) {
        const dist = load<f32>(node, NODE_DIST);
        d1 = load<f32>(type, PIECE_START) - dist;
        d2 = load<f32>(type, PIECE_END) - dist;
      } else {
        const plane = v128.load(node + load<i32>(NODE_PLANES));
        const dist = f32x4.extract_lane(plane, 3);
        const p1 = f32x4.mul(plane, start);
        const p2 = f32x4.mul(plane, end);
        d1 = f32x4.extract_lane(p1, 0) + f32x4.extract_lane(p1, 1) + f32x4.extract_lane(p1, 2) - dist;
        d2 = f32x4.extract_lane(p2, 0) + f32x4.extract_lane(p2, 1) + f32x4.extract_lane(p2, 2) - dist;
      }
      let clear: f32 = 1;
      if (sizeof<S>() !== POINT) clear = load<f32>(type, SET_CLEAR);
      if (d1 >= clear) {
        if (d2 >= clear) {
          node = load<i32>(node, NODE_FRONT);
          continue;
        }
      } else if (d1 < -clear && d2 < -clear) {
        node = load<i32>(node, NODE_BACK);
        continue;
      }
      let offset: f32 = 0;
      if (sizeof<S>() !== POINT) offset = load<f32>(type, SET_EXTENTS);
      // To a processor, which child is nearer is as good as chance, so all of this is without branches.
      const upward: i32 = d1 < d2 ? 1 : 0;
      let both = f32x4(1, 0, 0, 0);
      // Where one of these is NaN, they count as equal.
      if ((upward | i32(d1 > d2)) !== 0) {
        const inverse = f64(<f32>1 / (d1 - d2));
        const shift = reinterpret<f32>(reinterpret<i32>(offset) ^ (upward << 31));
        const away = reinterpret<f64>(reinterpret<i64>(epsilon) ^ (i64(upward ^ 1) << 63));
        // The engine always adds the epsilon to the nearer piece's end; symmetry would require it to be subtracted on one side.
        const ends = f64x2(f64(d1 + shift) + epsilon, f64(d1 - shift) + away);
        both = f32x4.demote_f64x2_zero(f64x2.mul(ends, f64x2.splat(inverse)));
        // Zero times the inverse of a length below 2 ** -128, which is infinite, is no number. Debian's ioquake3 takes it for 0.
        both = f32x4.pmin(f32x4.pmax(f32x4.splat(0), both), f32x4.splat(1));
      }
      const near = i32x4.shuffle(both, both, 0, 0, 0, 0);
      const far = i32x4.shuffle(both, both, 1, 1, 1, 1);
      const sides = 2 * node + load<i32>(NODE_SIDES);
      const nearChild = node + 4 * upward;
      const farChild = node - 4 * upward;
      const length = to - from;
      const step = f32x4.sub(end, start);
      const farFrom = from + length * f32x4.extract_lane(far, 0);
      // A far piece that begins past the best hit would be dropped when its turn comes. A child with nothing in it that the move
      // meets changes nothing; boxes enter many of those, since the engine widens slanted planes by 2048 units.
      const farMatters = best > farFrom && meets<S>(quanta, sides + SIDE_BYTES * (1 - upward));
      if (meets<S>(quanta, sides + SIDE_BYTES * upward)) {
        if (farMatters) {
          v128.store(frame, f32x4.add(start, f32x4.mul(far, step)));
          v128.store(frame, end, 16);
          store<f32>(frame, farFrom, 32);
          store<f32>(frame, to, 36);
          store<i32>(frame, load<i32>(farChild, NODE_BACK), 40);
          frame += FRAME_BYTES;
        }
        to = from + length * f32x4.extract_lane(near, 0);
        end = f32x4.add(start, f32x4.mul(near, step));
        v128.store(PIECE_END, end);
        node = load<i32>(nearChild, NODE_FRONT);
      } else if (farMatters) {
        from = farFrom;
        start = f32x4.add(start, f32x4.mul(far, step));
        v128.store(PIECE_START, start);
        node = load<i32>(farChild, NODE_BACK);
      } else node = -1;
    }
    if ((node & EMPTY_BIT) === 0) {
      sweepList<S>(node & ADDRESS_MASK, false, any);
      if (isDecided(any)) return;
      best = load<f32>(FRACTION);
    }
    do {
      if (frame === STACK) return;
      frame -= FRAME_BYTES;
      from = load<f32>(frame, 32);
    } while (best <= from);
    start = v128.load(frame);
    end = v128.load(frame, 16);
    v128.store(PIECE_START, start);
    v128.store(PIECE_END, end);
    to = load<f32>(frame, 36);
    node = load<i32>(frame, 40);
  }
}

/** Which sides of a node's plane the box of a position test is on: 1 in front, 2 behind, 3 both. */
function boxSide(node: i32): i32 {
  const type = load<i32>(node, NODE_TYPE);
  const dist = load<f32>(node, NODE_DIST);
  if (type < 12) {
    if (dist <= load<f32>(type, BOX_LOW)) return 1;
    return dist >= load<f32>(type, BOX_HIGH) ? 2 : 3;
  }
  const normal = v128.load(node + load<i32>(NODE_PLANES));
  const backward = f32x4.lt(normal, f32x4.splat(0));
  const low = v128.load(BOX_LOW);
  const high = v128.load(BOX_HIGH);
  const far = f32x4.mul(normal, v128.bitselect(low, high, backward));
  const near = f32x4.mul(normal, v128.bitselect(high, low, backward));
  const farthest = f32x4.extract_lane(far, 0) + f32x4.extract_lane(far, 1) + f32x4.extract_lane(far, 2);
  const nearest = f32x4.extract_lane(near, 0) + f32x4.extract_lane(near, 1) + f32x4.extract_lane(near, 2);
  const sides = (farthest >= dist ? 1 : 0) | (nearest < dist ? 2 : 0);
  return sides === 0 ? 3 : sides;
}

/** Position test in the world: the leafs that the box around the shape touches, with one unit to spare, in tree order. */
export function touchWorld<S>(): void {
  const start = v128.load(START);
  const one = f32x4.splat(1);
  v128.store(BOX_LOW, f32x4.sub(f32x4.add(start, v128.load(SET_MINS)), one));
  v128.store(BOX_HIGH, f32x4.add(f32x4.add(start, v128.load(SET_MAXS)), one));
  let node = load<i32>(ROOT);
  let frame: usize = STACK;
  for (let leafs = 0; leafs < MAX_POSITION_LEAFS; leafs++) {
    // Empty leafs count too, so empty nodes are walked here.
    while (node >= 0 || (node & EMPTY_NODE_BIT) !== 0) {
      node &= ADDRESS_MASK;
      const side = boxSide(node);
      const back = load<i32>(node, NODE_BACK);
      if (side === 3) {
        store<i32>(frame, back);
        frame += 4;
      }
      node = side === 2 ? back : load<i32>(node, NODE_FRONT);
    }
    if ((node & EMPTY_BIT) === 0) {
      sweepList<S>(node & ADDRESS_MASK, true, false);
      if (load<f32>(FRACTION) === 0) return;
    }
    if (frame === STACK) return;
    frame -= 4;
    node = load<i32>(frame);
  }
}
