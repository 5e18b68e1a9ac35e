import type { Trace, Vec3 } from '@bspkit/core';
import { type Bodies, LINK_MARGIN, MODEL_BODY, NEVER_TURNS, TRIGGER_BODY } from '../bodies.ts';
import type { Query } from '../query.ts';
import { sortBodies } from '../sort.ts';
import type { SceneTrace } from '../trace.ts';
import { extended } from '../tree.ts';

// What several engines do in the same way. Boxes of bodies are in one array: mins and maxs, six numbers each, float32.

const f = Math.fround;

/**
 * Writes the box of a body as it is linked. For a turned model it is a cube that reaches as far as the model's greatest
 * coordinate, so parts of the model may stick out, or, with `whole`, as far as its farthest corner; then triggers that are models
 * count as such, too.
 */
export function linkTurned(bodies: Bodies, body: number, boxes: Float32Array, whole = false): void {
  const { origins, sizes, classes } = bodies;
  const bits = classes[body]!;
  const isModel =
    (bits & MODEL_BODY) !== 0 || (whole && (bits & (TRIGGER_BODY | NEVER_TURNS)) === TRIGGER_BODY);
  const turned = isModel && bodies.hasAngles(body);
  // Written out: a number that a function returns may be boxed.
  let far = 0;
  if (turned && whole) {
    for (let k = 6 * body; k < 6 * body + 3; k++) {
      const corner = Math.max(Math.abs(sizes[k]!), Math.abs(sizes[k + 3]!));
      far = f(far + f(corner * corner));
    }
    far = f(Math.sqrt(far));
  } else if (turned) {
    for (let k = 6 * body; k < 6 * body + 6; k++) far = Math.max(far, Math.abs(sizes[k]!));
  }
  for (let k = 0; k < 3; k++) {
    const origin = origins[3 * body + k]!;
    boxes[6 * body + k] = f(origin + (turned ? -far : sizes[6 * body + k]!)) - LINK_MARGIN;
    boxes[6 * body + 3 + k] = f(origin + (turned ? far : sizes[6 * body + 3 + k]!)) + LINK_MARGIN;
  }
}

/** Whether a point is in the box of a body. */
export function holdsPoint(boxes: Float32Array, body: number, point: Vec3): boolean {
  for (let k = 0; k < 3; k++) {
    const at = f(point[k]!);
    if (at < boxes[6 * body + k]! || at > boxes[6 * body + 3 + k]!) return false;
  }
  return true;
}

/** Whether a body is ignored because of the mover: it is the mover itself, the mover owns it, or it owns the mover. */
export function belongs(bodies: Bodies, mover: number, body: number): boolean {
  if (mover < 0) return false;
  const { owners } = bodies;
  return body === mover || owners[body] === mover || (bodies.has(mover) && owners[mover] === body);
}

/** Writes the box around a whole move of a box (mins, maxs), plus the margin by which bodies are linked. */
function boundMove({ start, end }: Query, box: Float32Array, move: Float32Array): void {
  for (let k = 0; k < 3; k++) {
    const forward = end[k]! > start[k]!;
    move[k] = f((forward ? start : end)[k]! + box[k]!) - LINK_MARGIN;
    move[3 + k] = f((forward ? end : start)[k]! + box[3 + k]!) + LINK_MARGIN;
  }
}

/** The order in which bodies are asked. */
export interface BodyOrder {
  /** Boxes of the bodies as they were linked. */
  boxes: Float32Array;
  /** By body: lower for those that are asked earlier; left out for the order of numbers. */
  readonly keys?: Float64Array;
  /** Makes room for bodies `0 .. capacity - 1`. */
  grow(capacity: number): void;
  /** A body's box was written. */
  link(body: number): void;
  /**
   * Of the `near` bodies that were found, keeps those whose boxes meet the box around the whole move of a box, one unit wider.
   * Puts them in order, and returns how many there are.
   */
  order(query: Query, near: number, box: Float32Array): number;
}

/** Bodies in the order of their numbers. */
export class NumberOrder implements BodyOrder {
  boxes: Float32Array = new Float32Array(0);
  private readonly _move: Float32Array = new Float32Array(6);

  grow(capacity: number): void {
    this.boxes = extended(this.boxes, new Float32Array(6 * capacity));
  }

  link(): void {}

  order(query: Query, near: number, box: Float32Array): number {
    const count = keepMet(query, near, box, this.boxes, this._move);
    sortBodies(query.found, count);
    return count;
  }
}

/** Of the bodies that were found, keeps those whose boxes meet that of a move, which is written to `move`. */
export function keepMet(
  query: Query,
  near: number,
  box: Float32Array,
  boxes: Float32Array,
  move: Float32Array,
): number {
  if (near === 0) return 0;
  const { found } = query;
  boundMove(query, box, move);
  let count = 0;
  for (let k = 0; k < near; k++) if (meetsMove(boxes, found[k]!, move)) found[count++] = found[k]!;
  return count;
}

/** Whether the box of a body meets that of a move. */
function meetsMove(boxes: Float32Array, body: number, move: Float32Array): boolean {
  const at = 6 * body;
  return !(
    move[0]! > boxes[at + 3]! ||
    move[1]! > boxes[at + 4]! ||
    move[2]! > boxes[at + 5]! ||
    move[3]! < boxes[at]! ||
    move[4]! < boxes[at + 1]! ||
    move[5]! < boxes[at + 2]!
  );
}

/**
 * A body that the move starts in becomes the answer, whatever was hit before and however near; so does a nearer hit. Only
 * `startSolid` stays once it was set. Returns whether more bodies are asked: not once the answer is all solid.
 */
export function mergeLatest({ fields }: Query, trace: Trace, body: number, out: SceneTrace): boolean {
  const { startSolid } = out;
  if (trace.allSolid || trace.startSolid || trace.fraction < out.fraction) {
    fields.copy(trace, out);
    out.entity = body;
    if (startSolid) out.startSolid = true;
    if (trace.startSolid && out.startEntity < 0) out.startEntity = body;
  }
  return !out.allSolid;
}
