import type { Bounds, Trace } from '@bspkit/core';
import type { Bodies } from '../bodies.ts';
import type { MoveKind, Query } from '../query.ts';
import { NO_ENTITY, type SceneTrace, WORLD_ENTITY } from '../trace.ts';
import { T_FRACTION } from '../tree.ts';
import { type BodyOrder, belongs, linkTurned } from './boxes.ts';
import type { SceneRules } from './rules.ts';

/**
 * What the engines' servers have in common: bodies are linked with boxes of their own. After the world, those whose boxes meet that
 * of the whole move are asked, in some order; none where the world stops the move at once.
 */
export abstract class LinkingRules implements SceneRules {
  abstract readonly name: string;
  readonly options: SceneRules['options'] = [];
  protected readonly _bodies: Bodies;
  protected readonly _order: BodyOrder;

  constructor(bodies: Bodies, order: BodyOrder) {
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
    this._setEntity(out);
    return out.fraction === 0 || out.allSolid ? 0 : this._collect(query);
  }

  abstract merge(query: Query, trace: Trace, body: number, out: SceneTrace): boolean;

  finish(_query: Query, _out: SceneTrace): void {}

  monsterBox(_move: MoveKind): Bounds | undefined {
    return undefined;
  }

  /** Says whether the world's answer is a hit. */
  protected _setEntity(out: SceneTrace): void {
    out.entity = out.fraction < 1 ? WORLD_ENTITY : NO_ENTITY;
  }

  /** Writes the bodies that are asked. Those beyond the world's hit are, too: a start in one of them counts. */
  protected _collect(query: Query): number {
    query.tree[T_FRACTION] = 1;
    const near = query.find(this._bodies);
    const { found } = query;
    let count = 0;
    for (let k = 0; k < near; k++) if (this._takesPart(query, found[k]!)) found[count++] = found[k]!;
    return this._order.order(query, count, this._boxOf(query));
  }

  /** The box whose whole move others must meet. */
  protected _boxOf({ box }: Query): Float32Array {
    return box;
  }

  protected _takesPart(query: Query, body: number): boolean {
    const bodies = this._bodies;
    if ((bodies.stopping[body]! & query.mask) === 0 || this._passes(query, body)) return false;
    return !query.ignores(bodies, body);
  }

  /** Whether the mover passes through a body. */
  protected _passes({ mover }: Query, body: number): boolean {
    return belongs(this._bodies, mover, body);
  }
}
