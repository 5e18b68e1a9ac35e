import type { Bounds } from '@bspkit/core';
import { printAsString, showVec } from '@bspkit/core/format';
import {
  ANY_BODY,
  BOX_BODY,
  type Bodies,
  type BodySolid,
  ITEM,
  MODEL_BODY,
  MONSTER,
  MONSTER_CLIP,
  PUSHABLE,
  TRIGGER_BODY,
} from './bodies.ts';
import type { Collider } from './collider.ts';

// Declared as a class, so that TypeScript too knows that a copy has no properties.
/**
 * A body as it is now. Made by a scene; its properties are read on access, as copies. A copy by `{ ...body }` has none of them: take
 * those that you need, `{ origin: body.origin }`, or pass on the body itself, which is a pose.
 * @typeParam D - what `data` is.
 */
export declare class SceneBody<D = unknown> {
  get number(): number;
  get collider(): Collider;
  /** In Quake units. With `angles` it is a pose, so that a body can be passed on as one. */
  get origin(): Float32Array;
  /** Pitch, yaw and roll in degrees. */
  get angles(): Float32Array;
  /** In its own frame, in Quake units. */
  get bounds(): Bounds;
  get contents(): number;
  get solid(): BodySolid;
  /** Number of the body that owns it; -1 for none. */
  get owner(): number;
  /** As it was added or changed; false by default. */
  get monster(): boolean;
  get item(): boolean;
  get pushable(): boolean;
  get monsterClip(): boolean;
  /** Anything of yours; `undefined` for a body that was added without it. */
  get data(): D | undefined;
  set data(value: D | undefined);
}

/** A view of a body in a scene. Throws `RangeError` when there is no such body. */
export const viewBody = (bodies: Bodies, body: number): SceneBody => new BodyView(bodies, body);

/** Reads a body from the scene's arrays. Everything but its number and its text throws `RangeError` once the body was removed. */
class BodyView implements SceneBody {
  // Private, so not among its keys: a body can be passed as a pose, and options with unknown keys are refused.
  readonly #number: number;
  readonly #bodies: Bodies;
  readonly #swap: number;

  constructor(bodies: Bodies, body: number) {
    bodies.check(body);
    this.#bodies = bodies;
    this.#swap = bodies.swaps[body]!;
    this.#number = body;
    printAsString(this);
  }

  get number(): number {
    return this.#number;
  }

  get collider(): Collider {
    return this._live().colliders[this.number]!;
  }

  get origin(): Float32Array {
    return this._live().origins.slice(3 * this.number, 3 * this.number + 3);
  }

  get angles(): Float32Array {
    return this._live().angles.slice(3 * this.number, 3 * this.number + 3);
  }

  get bounds(): Bounds {
    const { sizes } = this._live();
    const at = 6 * this.number;
    return { mins: sizes.slice(at, at + 3), maxs: sizes.slice(at + 3, at + 6) };
  }

  get contents(): number {
    return this._live().contents[this.number]!;
  }

  get solid(): BodySolid {
    const bits = this._live().classes[this.number]! & ANY_BODY;
    if (bits === MODEL_BODY) return 'model';
    if (bits === BOX_BODY) return 'box';
    return bits === TRIGGER_BODY ? 'trigger' : 'none';
  }

  get owner(): number {
    return this._live().owners[this.number]!;
  }

  get monster(): boolean {
    return this._has(MONSTER);
  }

  get item(): boolean {
    return this._has(ITEM);
  }

  get pushable(): boolean {
    return this._has(PUSHABLE);
  }

  get monsterClip(): boolean {
    return this._has(MONSTER_CLIP);
  }

  get data(): unknown {
    return this._live().data[this.number];
  }

  set data(value: unknown) {
    this._live().data[this.number] = value;
  }

  toString(): string {
    const { swaps } = this.#bodies;
    if (!this.#bodies.has(this.number) || swaps[this.number] !== this.#swap) {
      return `SceneBody { number ${this.number}, removed }`;
    }
    return `SceneBody { number ${this.number}, ${this.solid} at ${showVec(this.origin)} }`;
  }

  private _has(bit: number): boolean {
    return (this._live().classes[this.number]! & bit) !== 0;
  }

  private _live(): Bodies {
    const bodies = this.#bodies;
    bodies.check(this.number);
    if (bodies.swaps[this.number] !== this.#swap) {
      throw new RangeError(`body ${this.number} was removed, and another has its number now`);
    }
    return bodies;
  }
}
