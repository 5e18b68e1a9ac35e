import type { Trace, Vec3 } from '@bspkit/core';
import { type Bodies, SOLID_BODY } from '../bodies.ts';
import type { Query } from '../query.ts';
import { type SceneTrace, WORLD_ENTITY } from '../trace.ts';
import { AreaTree } from './area-tree.ts';
import { type BodyOrder, holdsPoint, mergeLatest, NumberOrder } from './boxes.ts';
import { LinkingRules } from './linking.ts';

// From facts read in yquake2's server world code, and compared with rows recorded from its dedicated server.

/**
 * Quake 2's server. The world comes first, and counts as what was hit even if nothing was; where it stops the move at once, no
 * body is asked. Then all bodies whose boxes meet that of the whole move are asked, in the engine's order, until the answer is
 * all solid. A body that the move starts in becomes the answer, whatever was hit before and however near; so does a nearer hit.
 * Only `startSolid` stays once it was set. `ignore: n` is the engine's passed entity: n is left out, with what it owns and what
 * owns it.
 */
export class Quake2Rules extends LinkingRules {
  readonly name: string = 'quake2';

  constructor(bodies: Bodies, order: BodyOrder = new AreaTree(bodies, false)) {
    super(bodies, order);
  }

  merge(query: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    return mergeLatest(query, trace, body, out);
  }

  counts(body: number, point: Vec3): boolean {
    return (this._bodies.classes[body]! & SOLID_BODY) !== 0 && holdsPoint(this._order.boxes, body, point);
  }

  protected override _setEntity(out: SceneTrace): void {
    out.entity = WORLD_ENTITY;
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
