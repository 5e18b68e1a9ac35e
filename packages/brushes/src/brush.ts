import {
  B_END,
  B_HEAD,
  B_HIGH,
  B_LOW,
  B_MAXS,
  B_MINS,
  B_NUMBER,
  B_START,
  R_ALL_SOLID,
  R_BRUSH,
  R_CONTENTS,
  R_LEAF,
  R_SIDE,
  R_START_SOLID,
  S_ANY,
  S_CULL,
  S_EVERY,
  S_MASK,
  S_POINT,
  S_REJECT,
} from './block.ts';
import { BRUSH_BOUNDS, BRUSH_NUMBER, BRUSH_SIDES, LEAF_WORDS, SIDE_WORDS } from './layout.ts';
import type { BrushMemory } from './memory.ts';

/** Distance that a move keeps from surfaces, in Quake units. */
export const SURFACE_EPSILON = 0.03125;
/** More than rounding can change the distance of a move's end from a plane, where bounds may be trusted. */
export const ROUNDING_ROOM = 0.03125;
/** Room around the move, outside of which nothing matters to it. */
export const CULL_ROOM: number = SURFACE_EPSILON + ROUNDING_ROOM;

const f = Math.fround;

/** Whether the box around brushes at a place in the world's buffer is clear of the move, so that testing them changes nothing. */
export function isOutOfWay(floats: Float32Array, at: number, box: Float32Array): boolean {
  return (
    box[B_LOW]! > floats[at + 3]! ||
    box[B_HIGH]! < floats[at]! ||
    box[B_LOW + 1]! > floats[at + 4]! ||
    box[B_HIGH + 1]! < floats[at + 1]! ||
    box[B_LOW + 2]! > floats[at + 5]! ||
    box[B_HIGH + 2]! < floats[at + 2]!
  );
}

/** Whether the move, up to the best fraction so far, passes by such a box: the box around a slanted move contains much more. */
export function passesBy(floats: Float32Array, at: number, box: Float32Array): boolean {
  const x = box[B_START]!;
  const y = box[B_START + 1]!;
  const z = box[B_START + 2]!;
  const perX = 1 / (box[B_END]! - x);
  const perY = 1 / (box[B_END + 1]! - y);
  const perZ = 1 / (box[B_END + 2]! - z);
  const lowX = (floats[at]! - box[B_MAXS]! - CULL_ROOM - x) * perX;
  const lowY = (floats[at + 1]! - box[B_MAXS + 1]! - CULL_ROOM - y) * perY;
  const lowZ = (floats[at + 2]! - box[B_MAXS + 2]! - CULL_ROOM - z) * perZ;
  const highX = (floats[at + 3]! - box[B_MINS]! + CULL_ROOM - x) * perX;
  const highY = (floats[at + 4]! - box[B_MINS + 1]! + CULL_ROOM - y) * perY;
  const highZ = (floats[at + 5]! - box[B_MINS + 2]! + CULL_ROOM - z) * perZ;
  const enterX = perX > 0 ? lowX : highX;
  const enterY = perY > 0 ? lowY : highY;
  const enterZ = perZ > 0 ? lowZ : highZ;
  const leaveX = perX > 0 ? highX : lowX;
  const leaveY = perY > 0 ? highY : lowY;
  const leaveZ = perZ > 0 ? highZ : lowZ;
  const best = box[B_HEAD]!;
  // Along an axis on which the move does not change, these may be NaN, and every comparison with them is false.
  return (
    enterX > leaveY ||
    enterX > leaveZ ||
    enterX > best ||
    enterY > leaveX ||
    enterY > leaveZ ||
    enterY > best ||
    enterZ > leaveX ||
    enterZ > leaveY ||
    enterZ > best
  );
}

/**
 * Sweeps the box against the brushes of a leaf. The leaf's contents are compared with mask and reject before its brushes' are;
 * with `S_EVERY`, none are.
 */
export function sweepLeaf(memory: BrushMemory, leaf: number, stamp: number): void {
  const { ints, floats, places, box, boxState, brushStamps } = memory;
  const at = places.leafs.first + LEAF_WORDS * leaf;
  const mask = boxState[S_MASK]!;
  const reject = boxState[S_REJECT]!;
  const every = boxState[S_EVERY] !== 0;
  const cull = boxState[S_CULL] !== 0;
  const leafContents = ints[at]!;
  if (!every && ((leafContents & mask) === 0 || (leafContents & reject) !== 0)) return;
  const first = ints[at + 1]!;
  const end = first + ints[at + 2]!;
  for (let ref = first; ref < end; ref++) {
    const brush = ints[ref]!;
    if (cull && isOutOfWay(floats, brush + BRUSH_BOUNDS, box)) continue;
    const number = ints[brush + BRUSH_NUMBER]!;
    if (brushStamps[number] === stamp) continue;
    brushStamps[number] = stamp;
    const contents = ints[brush]!;
    if (!every && ((contents & mask) === 0 || (contents & reject) !== 0)) continue;
    if (cull && passesBy(floats, brush + BRUSH_BOUNDS, box)) continue;
    clipBrush(memory, brush, leaf);
    if (box[B_HEAD] === 0) return;
  }
}

/** Clips the whole move by one brush (tutorial `CheckBrush`) and keeps the hit if it is the nearest so far. */
function clipBrush(memory: BrushMemory, brush: number, leaf: number): void {
  const { ints, floats, rules, box, boxState } = memory;
  const { inDouble } = rules;
  const isPoint = boxState[S_POINT] !== 0;
  const best = box[B_HEAD]!;
  const first = ints[brush + BRUSH_SIDES]!;
  const last = first + SIDE_WORDS * ints[brush + BRUSH_SIDES + 1]!;
  if (first === last) return;
  const room = boxState[S_CULL] !== 0 ? ROUNDING_ROOM : Infinity;
  // The same move of a box that lies evenly around it.
  const middleX = (box[B_MINS]! + box[B_MAXS]!) / 2;
  const middleY = (box[B_MINS + 1]! + box[B_MAXS + 1]!) / 2;
  const middleZ = (box[B_MINS + 2]! + box[B_MAXS + 2]!) / 2;
  const halfX = box[B_MAXS]! - middleX;
  const halfY = box[B_MAXS + 1]! - middleY;
  const halfZ = box[B_MAXS + 2]! - middleZ;
  const ax = box[B_START]! + middleX;
  const ay = box[B_START + 1]! + middleY;
  const az = box[B_START + 2]! + middleZ;
  const bx = box[B_END]! + middleX;
  const by = box[B_END + 1]! + middleY;
  const bz = box[B_END + 2]! + middleZ;
  // The outer loop never comes round: see `sweepHead` on deep loops.
  for (;;) {
    let enter = -1;
    let leave = 1;
    let entered = 0;
    let startsOut = false;
    let endsOut = false;
    for (let side = first; side < last; side += SIDE_WORDS) {
      const x = floats[side]!;
      const y = floats[side + 1]!;
      const z = floats[side + 2]!;
      let dist = floats[side + 3]!;
      // First without rounding, which takes longer than everything else. Most sides are so far from both ends, or crossed so
      // much earlier or later than those that count, that rounding cannot matter.
      const reach = dist + halfX * Math.abs(x) + halfY * Math.abs(y) + halfZ * Math.abs(z);
      const a = ax * x + ay * y + az * z - reach;
      const b = bx * x + by * y + bz * z - reach;
      if (a > room) {
        if (b > SURFACE_EPSILON + room) return;
        startsOut = true;
        if (b < -room && a - SURFACE_EPSILON + 2 * room < enter * (a - b)) continue;
      } else if (a < -room) {
        if (b < -room) continue;
        if (b > room && a + SURFACE_EPSILON + 2 * room < leave * (a - b)) {
          endsOut = true;
          continue;
        }
      }
      if (!isPoint) {
        measureCorner(floats, side, box);
        dist = f(dist - box[B_NUMBER]!);
      }
      const d1 = f(f(f(f(box[B_START]! * x) + f(box[B_START + 1]! * y)) + f(box[B_START + 2]! * z)) - dist);
      const d2 = f(f(f(f(box[B_END]! * x) + f(box[B_END + 1]! * y)) + f(box[B_END + 2]! * z)) - dist);
      if (d2 > 0) endsOut = true;
      if (d1 > 0) {
        startsOut = true;
        if (d2 >= d1) return;
      } else if (d2 <= 0) continue;
      const ahead = d1 > d2 ? d1 - SURFACE_EPSILON : d1 + SURFACE_EPSILON;
      const across = f(d1 - d2);
      const fraction = inDouble ? f(ahead / across) : f(f(ahead) / across);
      if (d1 > d2) {
        if (fraction > enter) {
          enter = fraction;
          entered = side;
          // The start is outside, so the brush can only matter by being entered before it is left, and in time.
          if (enter >= best || enter >= leave) return;
        }
      } else if (fraction < leave) {
        leave = fraction;
        if (startsOut && enter >= leave) return;
      }
    }
    if (!startsOut) {
      boxState[B_HEAD + R_START_SOLID] = 1;
      if (!endsOut) boxState[B_HEAD + R_ALL_SOLID] = 1;
      boxState[B_HEAD + R_LEAF] = leaf;
    } else if (enter < leave && enter > -1 && enter < best) {
      box[B_HEAD] = enter < 0 || boxState[S_ANY] !== 0 ? 0 : enter;
      box[B_HEAD + 1] = floats[entered]!;
      box[B_HEAD + 2] = floats[entered + 1]!;
      box[B_HEAD + 3] = floats[entered + 2]!;
      box[B_HEAD + 4] = floats[entered + 3]!;
      boxState[B_HEAD + R_SIDE] = entered;
      boxState[B_HEAD + R_BRUSH] = brush;
      boxState[B_HEAD + R_CONTENTS] = ints[brush]!;
      boxState[B_HEAD + R_LEAF] = leaf;
    }
    return;
  }
}

/** How far the box's corner that lies deepest behind a side is from its middle, along the normal: into `B_NUMBER`. */
function measureCorner(floats: Float32Array, side: number, box: Float32Array): void {
  const x = floats[side]!;
  const y = floats[side + 1]!;
  const z = floats[side + 2]!;
  const cx = x < 0 ? box[B_MAXS]! : box[B_MINS]!;
  const cy = y < 0 ? box[B_MAXS + 1]! : box[B_MINS + 1]!;
  const cz = z < 0 ? box[B_MAXS + 2]! : box[B_MINS + 2]!;
  box[B_NUMBER] = f(f(cx * x) + f(cy * y)) + f(cz * z);
}

/**
 * Position test against the brushes of a leaf. Unlike sweeps it knows no `S_EVERY`, and does not ask the leaf for the
 * reject. True: the box is in a brush.
 */
export function touchLeaf(memory: BrushMemory, leaf: number, stamp: number): boolean {
  const { ints, floats, places, box, boxState, brushStamps } = memory;
  const at = places.leafs.first + LEAF_WORDS * leaf;
  const mask = boxState[S_MASK]!;
  const reject = boxState[S_REJECT]!;
  const cull = boxState[S_CULL] !== 0;
  if ((ints[at]! & mask) === 0) return false;
  const first = ints[at + 1]!;
  const end = first + ints[at + 2]!;
  for (let ref = first; ref < end; ref++) {
    const brush = ints[ref]!;
    if (cull && isOutOfWay(floats, brush + BRUSH_BOUNDS, box)) continue;
    const number = ints[brush + BRUSH_NUMBER]!;
    if (brushStamps[number] === stamp) continue;
    brushStamps[number] = stamp;
    const contents = ints[brush]!;
    if ((contents & mask) === 0 || (contents & reject) !== 0) continue;
    if (!isInside(memory, brush)) continue;
    box[B_HEAD] = 0;
    boxState[B_HEAD + R_START_SOLID] = 1;
    boxState[B_HEAD + R_ALL_SOLID] = 1;
    boxState[B_HEAD + R_CONTENTS] = contents;
    boxState[B_HEAD + R_BRUSH] = brush;
    return true;
  }
  return false;
}

/** Whether the box reaches into a brush; touching counts. */
function isInside({ ints, floats, box }: BrushMemory, brush: number): boolean {
  const first = ints[brush + BRUSH_SIDES]!;
  const last = first + SIDE_WORDS * ints[brush + BRUSH_SIDES + 1]!;
  if (first === last) return false;
  for (let side = first; side < last; side += SIDE_WORDS) {
    const x = floats[side]!;
    const y = floats[side + 1]!;
    const z = floats[side + 2]!;
    measureCorner(floats, side, box);
    const dist = f(floats[side + 3]! - box[B_NUMBER]!);
    const d = f(f(f(f(box[B_START]! * x) + f(box[B_START + 1]! * y)) + f(box[B_START + 2]! * z)) - dist);
    if (d > 0) return false;
  }
  return true;
}
