import type { PointClassifier, Vec3, VisibilityWorld } from '@bspkit/core';
import { checkKind, checkMask, checkPoint, checkWhole } from '@bspkit/core/format';
import type { Bodies } from './bodies.ts';

/** A world that knows which of its leafs see each other. */
export type SeeingWorld = PointClassifier & VisibilityWorld;

const isSeeing = (world: object): world is SeeingWorld =>
  (['leaf', 'boxLeafs', 'visible'] as const).every(
    (name) => typeof (world as Partial<SeeingWorld>)[name] === 'function',
  );

/** Leafs that a body touches are counted before there is room for them. */
const FIRST_LEAFS = 8;
const NO_LEAFS: Int32Array = new Int32Array(0);
/** More than fit into any map: such a count is a mistake, which would fill the memory. */
const MOST_LEAFS = 2 ** 24;

/** Finds the bodies of a scene that may be seen, by the world's potentially visible set. */
export class Seer {
  private readonly _bodies: Bodies;
  private readonly _world: SeeingWorld | undefined;
  private readonly _mins: Float32Array = new Float32Array(3);
  private readonly _maxs: Float32Array = new Float32Array(3);
  /** By body: the leafs that it touches, how many these are, and the change of the body since which they are right. */
  private readonly _leafs: Int32Array[] = [];
  private _counts: Int32Array = new Int32Array(0);
  private _changes: Float64Array = new Float64Array(0);
  private _isAsking = false;

  constructor(bodies: Bodies) {
    this._bodies = bodies;
    const { world } = bodies;
    if (world && isSeeing(world)) this._world = world;
  }

  /** @throws TypeError when the world has no visibility, RangeError when a number is not finite. */
  visible(eye: Vec3, mask: number, out: Int32Array): number {
    const { _bodies: bodies, _world: world } = this;
    if (world === undefined) {
      throw new TypeError('the world has no visible(), leaf() and boxLeafs(), so nobody knows what is seen');
    }
    checkPoint(eye, 'eye');
    checkMask(mask, 'mask');
    checkKind(out instanceof Int32Array, out, 'out', 'an Int32Array');
    if (this._isAsking) throw new Error('a world cannot ask what is seen in the scene that is asking it');
    this._isAsking = true;
    bodies.busy++;
    try {
      return this._find(world, world.leaf(eye), mask, out);
    } finally {
      this._isAsking = false;
      bodies.busy--;
    }
  }

  private _find(world: SeeingWorld, from: number, mask: number, out: Int32Array): number {
    const { _bodies: bodies } = this;
    const { capacity } = bodies;
    if (this._counts.length < capacity) this._grow(capacity);
    let count = 0;
    for (let body = 1; body < capacity; body++) {
      if (!bodies.has(body) || (bodies.contents[body]! & mask) === 0) continue;
      if (this._changes[body] !== bodies.changes[body]) this._link(world, body);
      if (!this._sees(world, from, body)) continue;
      if (count < out.length) out[count] = body;
      count++;
    }
    return count;
  }

  private _sees(world: SeeingWorld, from: number, body: number): boolean {
    const leafs = this._leafs[body]!;
    const count = this._counts[body]!;
    for (let k = 0; k < count; k++) if (world.visible(from, leafs[k]!)) return true;
    return false;
  }

  /** Finds the leafs that a body touches. */
  private _link(world: SeeingWorld, body: number): void {
    const { _mins: mins, _maxs: maxs } = this;
    this._bodies.readLinked(body, mins, maxs);
    if (this._leafs[body]!.length === 0) this._leafs[body] = new Int32Array(FIRST_LEAFS);
    const count = world.boxLeafs(mins, maxs, this._leafs[body]!);
    checkWhole(count, 'what world.boxLeafs() returns', 0, MOST_LEAFS);
    if (count > this._leafs[body]!.length) {
      this._leafs[body] = new Int32Array(2 * count);
      world.boxLeafs(mins, maxs, this._leafs[body]!);
    }
    this._counts[body] = count;
    this._changes[body] = this._bodies.changes[body]!;
  }

  private _grow(capacity: number): void {
    while (this._leafs.length < capacity) this._leafs.push(NO_LEAFS);
    // What is here is found again: no body's latest change is 0.
    this._counts = new Int32Array(capacity);
    this._changes = new Float64Array(capacity);
  }
}
