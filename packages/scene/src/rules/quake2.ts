import type { Trace, Vec3 } from '@bspkit/core';
import { type Bodies, MODEL_BODY } from '../bodies.ts';
import type { Query } from '../query.ts';
import { sortBodies } from '../sort.ts';
import { type SceneTrace, WORLD_ENTITY } from '../trace.ts';
import { T_FRACTION } from '../tree.ts';
import type { SceneRules } from './rules.ts';

// By facts read from yquake2's server world code, and held against rows recorded from it.

const f = Math.fround;

/** How much wider than itself a body is linked, on all axes. */
const MARGIN = 1;

/**
 * Quake 2's server. The world comes first, and counts as what was hit even where nothing was; where it stops the move at
 * once, no body is asked. Then all bodies whose boxes meet that of the whole move are asked, in the order of their
 * numbers, until the answer is all solid. A body that the move starts in becomes the answer, whatever was hit before and
 * however near, as does a nearer hit; only `startSolid` stays once it was set.
 */
export class Quake2Rules implements SceneRules {
  readonly name = 'quake2';
  readonly options: SceneRules['options'] = [];
  private readonly _bodies: Bodies;
  /** Boxes of the bodies as they were linked: mins and maxs. */
  private _boxes: Float32Array = new Float32Array(0);
  private readonly _move: Float32Array = new Float32Array(6);

  constructor(bodies: Bodies) {
    this._bodies = bodies;
  }

  grow(capacity: number): void {
    const boxes = this._boxes;
    this._boxes = new Float32Array(6 * capacity);
    this._boxes.set(boxes);
  }

  link(body: number): void {
    const { origins, angles, sizes, classes } = this._bodies;
    const boxes = this._boxes;
    const at = 3 * body;
    const turned =
      (classes[body]! & MODEL_BODY) !== 0 &&
      (angles[at] !== 0 || angles[at + 1] !== 0 || angles[at + 2] !== 0);
    // A cube with the farthest coordinate, not the corner: a turned body may stick out.
    let far = 0;
    for (let k = 0; k < 6; k++) far = Math.max(far, Math.abs(sizes[6 * body + k]!));
    for (let k = 0; k < 3; k++) {
      const origin = origins[at + k]!;
      boxes[6 * body + k] = f(origin + (turned ? -far : sizes[6 * body + k]!)) - MARGIN;
      boxes[6 * body + 3 + k] = f(origin + (turned ? far : sizes[6 * body + 3 + k]!)) + MARGIN;
    }
  }

  begin(query: Query, out: SceneTrace): number {
    out.entity = WORLD_ENTITY;
    if (out.fraction === 0 || out.allSolid) return 0;
    query.tree[T_FRACTION] = 1;
    const bodies = this._bodies;
    const near = query.find(bodies);
    const { found, mask, mover } = query;
    this._boundMove(query);
    let count = 0;
    for (let k = 0; k < near; k++) {
      const body = found[k]!;
      if (body === mover || (bodies.stopping[body]! & mask) === 0) continue;
      if (!query.ignores(bodies, body) && this._meetsMove(body)) found[count++] = body;
    }
    sortBodies(found, count);
    return count;
  }

  merge({ fields }: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    const { startSolid } = out;
    if (trace.allSolid || trace.startSolid || trace.fraction < out.fraction) {
      fields.copy(trace, out);
      out.entity = body;
      if (startSolid) out.startSolid = true;
      if (trace.startSolid && out.startEntity < 0) out.startEntity = body;
    }
    return !out.allSolid;
  }

  finish(): void {}

  monsterBox(): undefined {}

  holds(body: number, point: Vec3): boolean {
    const boxes = this._boxes;
    for (let k = 0; k < 3; k++) {
      const at = f(point[k]!);
      if (at < boxes[6 * body + k]! || at > boxes[6 * body + 3 + k]!) return false;
    }
    return true;
  }

  private _boundMove({ start, end, box }: Query): void {
    const move = this._move;
    for (let k = 0; k < 3; k++) {
      const forward = end[k]! > start[k]!;
      move[k] = f((forward ? start : end)[k]! + box[k]!) - MARGIN;
      move[3 + k] = f((forward ? end : start)[k]! + box[3 + k]!) + MARGIN;
    }
  }

  private _meetsMove(body: number): boolean {
    const { _boxes: boxes, _move: move } = this;
    for (let k = 0; k < 3; k++) {
      if (move[k]! > boxes[6 * body + 3 + k]! || move[3 + k]! < boxes[6 * body + k]!) return false;
    }
    return true;
  }
}
