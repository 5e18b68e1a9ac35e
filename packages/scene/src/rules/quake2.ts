import type { Trace, Vec3 } from '@bspkit/core';
import type { Bodies } from '../bodies.ts';
import type { Query } from '../query.ts';
import { sortBodies } from '../sort.ts';
import { type SceneTrace, WORLD_ENTITY } from '../trace.ts';
import { extended, T_FRACTION } from '../tree.ts';
import { boundMove, holdsPoint, linkTurned, meetsMove, mergeLatest } from './boxes.ts';
import type { SceneRules } from './rules.ts';

// By facts read from yquake2's server world code, and compared with rows recorded from it.

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
    this._boxes = extended(this._boxes, new Float32Array(6 * capacity));
  }

  link(body: number): void {
    linkTurned(this._bodies, body, this._boxes);
  }

  begin(query: Query, out: SceneTrace): number {
    out.entity = WORLD_ENTITY;
    if (out.fraction === 0 || out.allSolid) return 0;
    query.tree[T_FRACTION] = 1;
    const { _bodies: bodies, _boxes: boxes, _move: move } = this;
    const near = query.find(bodies);
    const { found, mask, mover } = query;
    boundMove(query, query.box, move);
    let count = 0;
    for (let k = 0; k < near; k++) {
      const body = found[k]!;
      if (body === mover || (bodies.stopping[body]! & mask) === 0) continue;
      if (!query.ignores(bodies, body) && meetsMove(boxes, body, move)) found[count++] = body;
    }
    sortBodies(found, count);
    return count;
  }

  merge(query: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    return mergeLatest(query, trace, body, out);
  }

  finish(): void {}

  monsterBox(): undefined {}

  holds(body: number, point: Vec3): boolean {
    return holdsPoint(this._boxes, body, point);
  }
}
