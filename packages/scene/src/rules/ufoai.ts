import type { Trace } from '@bspkit/core';
import { setRotation } from '@bspkit/core/format';
import type { Bodies } from '../bodies.ts';
import { turnOut } from '../pose.ts';
import type { Query } from '../query.ts';
import { NO_ENTITY, type SceneTrace, WORLD_ENTITY } from '../trace.ts';
import { T_FRACTION } from '../tree.ts';
import { AreaTree } from './area-tree.ts';
import { belongs } from './boxes.ts';
import type { SceneRules } from './rules.ts';

// From answers of the game's dedicated server (2.5), with which it is compared.

const f = Math.fround;

/** Where the rows of a rotation begin in a pose. */
const ROWS = 3;

/**
 * UFO: Alien Invasion's server. The world comes first; where it stops the move at once, no body is asked. Then all bodies whose
 * boxes meet that of the whole move are asked, in the engine's order, until the answer is all solid. A nearer hit becomes the
 * answer, and so does a body that is all solid, whatever was hit before and however near. `startSolid` stays once it was set.
 * `ignore: n` leaves out n, what n owns, and the owner of n.
 */
export class UfoaiRules implements SceneRules {
  readonly name = 'ufoai';
  readonly options: SceneRules['options'] = [];
  private readonly _bodies: Bodies;
  private readonly _areas: AreaTree;
  /** Of the body that is being linked: its pose, and one of its corners. */
  private readonly _pose: Float32Array = new Float32Array(12);
  private readonly _corner: Float32Array = new Float32Array(3);

  constructor(bodies: Bodies) {
    this._bodies = bodies;
    this._areas = new AreaTree(bodies, true, bodies.world?.linkBounds);
  }

  get boxes(): Float32Array {
    return this._areas.boxes;
  }

  get keys(): Float64Array {
    return this._areas.keys;
  }

  grow(capacity: number): void {
    this._areas.grow(capacity);
  }

  /** A turned body is linked with the box between its turned lowest and highest corners, so parts of it may stick out. */
  link(body: number): void {
    const { _bodies: bodies, _pose: pose, _corner: corner } = this;
    const { boxes } = this._areas;
    const { origins, sizes } = bodies;
    const turned = bodies.isTurned(body) && setRotation(pose, ROWS, bodies.angles, 3 * body);
    for (let side = 0; side < 6; side += 3) {
      for (let k = 0; k < 3; k++) corner[k] = sizes[6 * body + side + k]!;
      if (turned) turnOut(pose, corner);
      for (let k = 0; k < 3; k++) boxes[6 * body + side + k] = f(origins[3 * body + k]! + corner[k]!);
    }
    for (let k = 6 * body; k < 6 * body + 3; k++) {
      const first = boxes[k]!;
      boxes[k] = Math.min(first, boxes[k + 3]!);
      boxes[k + 3] = Math.max(first, boxes[k + 3]!);
    }
    this._areas.link(body);
  }

  begin(query: Query, out: SceneTrace): number {
    out.entity = out.fraction < 1 ? WORLD_ENTITY : NO_ENTITY;
    if (out.fraction === 0 || out.allSolid) return 0;
    query.tree[T_FRACTION] = 1;
    const bodies = this._bodies;
    const near = query.find(bodies);
    const { found, mask, mover } = query;
    let count = 0;
    for (let k = 0; k < near; k++) {
      const body = found[k]!;
      if ((bodies.stopping[body]! & mask) === 0 || belongs(bodies, mover, body)) continue;
      if (!query.ignores(bodies, body)) found[count++] = body;
    }
    return this._areas.order(query, count, query.box);
  }

  merge({ fields }: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    const { startSolid } = out;
    if (trace.allSolid || trace.fraction < out.fraction) {
      fields.copy(trace, out);
      out.entity = body;
    }
    if (startSolid || trace.startSolid) out.startSolid = true;
    if (trace.startSolid && out.startEntity < 0) out.startEntity = body;
    return !out.allSolid;
  }

  finish(): void {}

  monsterBox(): undefined {}
}
