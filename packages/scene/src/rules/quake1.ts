import type { Bounds, Trace } from '@bspkit/core';
import { type Bodies, ITEM, LINK_MARGIN, MODEL_BODY, SOLID_BODY } from '../bodies.ts';
import type { MoveKind, Query } from '../query.ts';
import { NO_ENTITY, type SceneTrace, WORLD_ENTITY } from '../trace.ts';
import { AreaTree } from './area-tree.ts';
import { belongs, mergeLatest } from './boxes.ts';
import { LinkingRules } from './linking.ts';
import type { SceneRules } from './rules.ts';

// From facts read in WinQuake's world code (world.c), and compared with rows recorded from it.

const f = Math.fround;

/** The box with which moves of missiles meet monsters. */
const MISSILE_BOX: Bounds = { mins: [-15, -15, -15], maxs: [15, 15, 15] };
const MISSILE_CORNERS: Float32Array = Float32Array.of(-15, -15, -15, 15, 15, 15);

/** How much wider items are linked in x and y. */
const ITEM_MARGIN = 15;

/**
 * Quake's server, and QuakeWorld's. Contents play no part. All bodies whose boxes meet that of the whole move are asked in the
 * engine's order, until the answer is all solid. A body that the move starts in becomes the answer, whatever was hit before and
 * however near; so does a nearer hit. Only `startSolid` stays once it was set. `ignore: n` is the engine's passed entity: n is
 * left out, with what it owns and what owns it; and unless n itself is a point, so are bodies without width. With 0, the world,
 * all bodies without an owner are left out, but not the world.
 */
export class Quake1Rules extends LinkingRules {
  readonly name: string = 'quake1';
  override readonly options: SceneRules['options'] = ['move'];

  constructor(bodies: Bodies) {
    super(bodies, new AreaTree(bodies, false));
  }

  override link(body: number): void {
    const { origins, sizes, classes } = this._bodies;
    const { boxes } = this;
    const isItem = (classes[body]! & ITEM) !== 0;
    for (let k = 0; k < 3; k++) {
      const origin = origins[3 * body + k]!;
      const margin = isItem ? (k === 2 ? 0 : ITEM_MARGIN) : LINK_MARGIN;
      boxes[6 * body + k] = f(origin + sizes[6 * body + k]!) - margin;
      boxes[6 * body + 3 + k] = f(origin + sizes[6 * body + 3 + k]!) + margin;
    }
    this._order.link(body);
  }

  override begin(query: Query, out: SceneTrace): number {
    this._setEntity(out);
    return out.allSolid ? 0 : this._collect(query);
  }

  merge(query: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    return mergeLatest(query, trace, body, out);
  }

  override monsterBox(move: MoveKind): Bounds | undefined {
    return move === 'missile' ? MISSILE_BOX : undefined;
  }

  protected override _setEntity(out: SceneTrace): void {
    out.entity = out.fraction < 1 || out.startSolid ? WORLD_ENTITY : NO_ENTITY;
  }

  protected override _boxOf({ move, box }: Query): Float32Array {
    return move === 'missile' ? MISSILE_CORNERS : box;
  }

  /** Whether a solid body takes part in this kind of move. */
  protected _joins({ move }: Query, body: number): boolean {
    return move !== 'no-monsters' || (this._bodies.classes[body]! & MODEL_BODY) !== 0;
  }

  /** To the engine, the world owns whatever has no owner. */
  protected override _passes({ mover }: Query, body: number): boolean {
    const bodies = this._bodies;
    return belongs(bodies, mover, body) || (mover === WORLD_ENTITY && bodies.owners[body] === NO_ENTITY);
  }

  protected override _takesPart(query: Query, body: number): boolean {
    const bodies = this._bodies;
    const { mover } = query;
    if ((bodies.classes[body]! & SOLID_BODY) === 0 || this._passes(query, body)) return false;
    if (!this._joins(query, body) || query.ignores(bodies, body)) return false;
    return mover < 0 || !bodies.has(mover) || !this._hasWidth(mover) || this._hasWidth(body);
  }

  private _hasWidth(body: number): boolean {
    const { sizes } = this._bodies;
    return f(sizes[6 * body + 3]! - sizes[6 * body]!) !== 0;
  }
}
