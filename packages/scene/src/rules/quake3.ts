import type { Bounds, Trace, Vec3 } from '@bspkit/core';
import { checkPoint } from '@bspkit/core/format';
import { ANY_BODY, BOX_BODY, type Bodies, MODEL_BODY } from '../bodies.ts';
import type { Query } from '../query.ts';
import { sortBodies } from '../sort.ts';
import { NO_ENTITY, type SceneTrace, WORLD_ENTITY } from '../trace.ts';
import { T_FRACTION } from '../tree.ts';
import { AreaTree } from './area-tree.ts';
import { holdsPoint, linkTurned } from './boxes.ts';
import { LinkingRules } from './linking.ts';
import type { SceneRules } from './rules.ts';

// From facts read in ioquake3's server world code (sv_world.c) and its client's prediction, and compared with rows recorded from
// them.

const f = Math.fround;

const CONTENTS_SOLID = 1;
const CONTENTS_BODY = 0x2000000;

/**
 * Quake 3's server. The world comes first: where it stops the move at once, no body is asked. Then all bodies whose boxes meet
 * that of the whole move are asked, in the engine's order, until the answer is all solid. A nearer hit becomes the answer; of
 * equally near ones, the earlier stays. `ignore: n` is the engine's pass entity: n is left out, with everything that it owns and
 * everything that has the same owner, but not its owner.
 *
 * One thing a scene cannot know: the engine does not find entities that are in no leaf of the world, outside the map.
 */
export class Quake3Rules extends LinkingRules {
  readonly name = 'quake3';

  constructor(bodies: Bodies) {
    super(bodies, new AreaTree(bodies, true));
  }

  override link(body: number): void {
    linkTurned(this._bodies, body, this.boxes, true);
    this._order.link(body);
  }

  merge({ fields }: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    if (trace.allSolid) out.allSolid = true;
    // In Quake 3, an all-solid trace has fraction 0, and its answer is copied as a whole below. Other engines may leave its
    // fraction at 1.
    if (trace.startSolid && !(trace.allSolid && trace.fraction === 0)) out.startSolid = true;
    if (trace.fraction < out.fraction) {
      const { startSolid } = out;
      fields.copy(trace, out);
      out.entity = body;
      if (startSolid) out.startSolid = true;
    }
    if (out.startSolid && trace.startSolid && out.startEntity < 0) out.startEntity = body;
    return !out.allSolid;
  }

  /** Triggers count too. */
  counts(body: number, point: Vec3): boolean {
    return (this._bodies.classes[body]! & ANY_BODY) !== 0 && holdsPoint(this.boxes, body, point);
  }

  protected override _passes({ mover }: Query, body: number): boolean {
    if (mover < 0) return false;
    const bodies = this._bodies;
    const owner = bodies.owners[body]!;
    if (body === mover || owner === mover) return true;
    return owner >= 0 && owner === bodies.owners[mover];
  }
}

/**
 * Quake 3's client, as it predicts its own moves: it asks in the order of numbers, knows no owners, and forgets an earlier start
 * in solid at a nearer hit. Models take part, as do boxes whose contents are solid or a body. Boxes reach a client rounded to
 * whole numbers: see {@link clientBox}.
 */
export class Quake3ClientRules implements SceneRules {
  readonly name = 'quake3-client';
  readonly options: SceneRules['options'] = [];
  private readonly _bodies: Bodies;

  constructor(bodies: Bodies) {
    this._bodies = bodies;
  }

  grow(): void {}

  link(): void {}

  begin(query: Query, out: SceneTrace): number {
    out.entity = out.fraction < 1 ? WORLD_ENTITY : NO_ENTITY;
    const bodies = this._bodies;
    query.tree[T_FRACTION] = 1;
    const near = query.find(bodies);
    const { found } = query;
    let count = 0;
    for (let k = 0; k < near; k++) if (this._takesPart(query, found[k]!)) found[count++] = found[k]!;
    sortBodies(found, count);
    // The client stops at an all-solid answer, but only checks for one after a body, wherever that is.
    if (out.allSolid && count > 0 && this._isAnyBefore(query, found[0]!)) return 0;
    return count;
  }

  merge({ fields }: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    if (trace.allSolid || trace.fraction < out.fraction) {
      fields.copy(trace, out);
      out.entity = body;
      out.startEntity = trace.startSolid ? body : NO_ENTITY;
    } else if (trace.startSolid) {
      out.startSolid = true;
      if (out.startEntity < 0) out.startEntity = body;
    }
    return !out.allSolid;
  }

  finish(): void {}

  monsterBox(): undefined {}

  /** The client looks at all models, wherever they are. */
  counts(body: number): boolean {
    return (this._bodies.classes[body]! & MODEL_BODY) !== 0;
  }

  /** Whether a body that the move does not come near, with a number below `first`, takes part. */
  private _isAnyBefore(query: Query, first: number): boolean {
    for (let body = 1; body < first; body++) {
      if (this._bodies.has(body) && this._takesPart(query, body)) return true;
    }
    return false;
  }

  private _takesPart(query: Query, body: number): boolean {
    const { classes, contents } = this._bodies;
    if (body === query.mover || query.ignores(this._bodies, body)) return false;
    if ((classes[body]! & MODEL_BODY) !== 0) return true;
    return (classes[body]! & BOX_BODY) !== 0 && (contents[body]! & (CONTENTS_SOLID | CONTENTS_BODY)) !== 0;
  }
}

/**
 * The box of an entity as a Quake 3 client receives it, coded in 24 bits: whole numbers, square, and centred in x and y. Corners
 * are in Quake units, around the entity's origin. Give bodies such boxes to get the client's answers.
 */
export function clientBox(mins: Vec3, maxs: Vec3): Bounds {
  checkPoint(mins, 'mins');
  checkPoint(maxs, 'maxs');
  const coded = (x: number): number => Math.min(Math.max(Math.trunc(x), 1), 255);
  const side = coded(f(maxs[0]!));
  const down = coded(-f(mins[2]!));
  const up = coded(f(f(maxs[2]!) + 32)) - 32;
  return { mins: [-side, -side, -down], maxs: [side, side, up] };
}
