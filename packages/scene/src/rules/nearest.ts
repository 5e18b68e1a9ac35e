import type { Trace } from '@bspkit/core';
import { type Bodies, MODEL_BODY } from '../bodies.ts';
import type { Query } from '../query.ts';
import { NO_ENTITY, type SceneTrace, WORLD_ENTITY } from '../trace.ts';
import { T_FRACTION } from '../tree.ts';
import type { SceneRules } from './rules.ts';

/**
 * Our own rules, and the default: the nearest hit is the answer; ties go to the world, then to the body with the lowest number.
 * `startSolid` and `allSolid` stay set whatever comes after. The order in which bodies were added and moved never matters, nor
 * which of them are near: the answer is the same as from tracing against all of them. As in most engines, no body is asked where
 * the world stops the move immediately, not even whether the move starts in it.
 */
export class NearestRules implements SceneRules {
  readonly name = 'nearest';
  readonly options: SceneRules['options'] = [];
  private readonly _bodies: Bodies;

  constructor(bodies: Bodies) {
    this._bodies = bodies;
  }

  grow(): void {}

  link(): void {}

  begin(query: Query, out: SceneTrace): number {
    out.entity = out.fraction < 1 ? WORLD_ENTITY : NO_ENTITY;
    if (out.fraction === 0) return 0;
    // A body beyond the world's hit cannot change the answer.
    query.tree[T_FRACTION] = out.fraction;
    const bodies = this._bodies;
    const near = query.find(bodies);
    const { found, mask, mover, ignoresMore } = query;
    let count = 0;
    for (let k = 0; k < near; k++) {
      const body = found[k]!;
      if (body === mover || (bodies.stopping[body]! & mask) === 0) continue;
      if (!(ignoresMore && query.ignores(bodies, body))) found[count++] = body;
    }
    return count;
  }

  merge({ fields }: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    const { startSolid, allSolid, startEntity } = out;
    if (trace.startSolid && (startEntity < 0 || startEntity > body)) out.startEntity = body;
    // Only hits: where a world has no tile, its fraction may be 2, but what misses is no answer.
    const most = Math.min(out.fraction, 1);
    if (trace.fraction < most || (trace.fraction === out.fraction && body < out.entity)) {
      fields.copy(trace, out);
      out.entity = body;
    }
    if (startSolid || trace.startSolid) out.startSolid = true;
    if (allSolid || trace.allSolid) out.allSolid = true;
    return true;
  }

  finish(): void {}

  monsterBox(): undefined {}

  /** Boxes are no place to be in. */
  counts(body: number): boolean {
    return (this._bodies.classes[body]! & MODEL_BODY) !== 0;
  }
}
