import type { Trace, Vec3 } from '@bspkit/core';
import { type Bodies, SOLID_BODY } from '../bodies.ts';
import type { Query } from '../query.ts';
import { type SceneTrace, WORLD_ENTITY } from '../trace.ts';
import { T_FRACTION } from '../tree.ts';
import { AreaTree } from './area-tree.ts';
import { type BodyOrder, belongs, holdsPoint, linkTurned, mergeLatest, NumberOrder } from './boxes.ts';
import type { SceneRules } from './rules.ts';

// From facts read in yquake2's server world code, and compared with rows recorded from its dedicated server.

/**
 * Quake 2's server. The world comes first, and counts as what was hit even if nothing was; where it stops the move at once, no
 * body is asked. Then all bodies whose boxes meet that of the whole move are asked, in the engine's order, until the answer is
 * all solid. A body that the move starts in becomes the answer, whatever was hit before and however near; so does a nearer hit.
 * Only `startSolid` stays once it was set. `ignore: n` is the engine's passed entity: n is left out, with what it owns and what
 * owns it.
 */
export class Quake2Rules implements SceneRules {
  readonly name: string = 'quake2';
  readonly options: SceneRules['options'] = [];
  protected readonly _bodies: Bodies;
  private readonly _order: BodyOrder;

  constructor(bodies: Bodies, order: BodyOrder = new AreaTree(bodies, false)) {
    this._bodies = bodies;
    this._order = order;
  }

  get boxes(): Float32Array {
    return this._order.boxes;
  }

  get keys(): Float64Array | undefined {
    return this._order.keys;
  }

  grow(capacity: number): void {
    this._order.grow(capacity);
  }

  link(body: number): void {
    linkTurned(this._bodies, body, this._order.boxes);
    this._order.link(body);
  }

  begin(query: Query, out: SceneTrace): number {
    out.entity = WORLD_ENTITY;
    if (out.fraction === 0 || out.allSolid) return 0;
    query.tree[T_FRACTION] = 1;
    const bodies = this._bodies;
    const near = query.find(bodies);
    const { found, mask } = query;
    let count = 0;
    for (let k = 0; k < near; k++) {
      const body = found[k]!;
      if ((bodies.stopping[body]! & mask) === 0 || this._passes(query, body)) continue;
      if (!query.ignores(bodies, body)) found[count++] = body;
    }
    return this._order.order(query, count, query.box);
  }

  merge(query: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    return mergeLatest(query, trace, body, out);
  }

  finish(): void {}

  monsterBox(): undefined {}

  counts(body: number, point: Vec3): boolean {
    return (this._bodies.classes[body]! & SOLID_BODY) !== 0 && holdsPoint(this._order.boxes, body, point);
  }

  /** Whether the mover passes through a body. */
  protected _passes({ mover }: Query, body: number): boolean {
    return belongs(this._bodies, mover, body);
  }
}

/**
 * The same, but bodies are asked in the order of their numbers, and owners play no part: for when the order in which bodies were
 * linked is not known.
 */
export class Quake2ListRules extends Quake2Rules {
  override readonly name = 'quake2-list';

  constructor(bodies: Bodies) {
    super(bodies, new NumberOrder());
  }

  protected override _passes({ mover }: Query, body: number): boolean {
    return body === mover;
  }
}
