import type { Bounds, Vec3 } from '@bspkit/core';
import { checkObject, checkOptions, checkPoint, checkWhole, failArgument } from '@bspkit/core/format';
import type { BodyMove } from '../character/push.ts';
import type { BoxSource } from '../space.ts';

// The scenes of pushers, and the bodies in them that are to move: one, or a team.

const f = Math.fround;

/** The parts of a scene that pushers need: scenes of `@bspkit/scene` with the rules of the game have them. */
export interface PusherScene extends BoxSource {
  /** The rules by which bodies are linked and traced. */
  readonly rules: string;
  has(body: number): boolean;
  /** Writes where a body is. */
  pose(body: number, out: { readonly origin: Float32Array; readonly angles: Float32Array }): unknown;
  /** Writes the box of a body, relative to its origin. */
  ownBounds(body: number, out: { readonly mins: Float32Array; readonly maxs: Float32Array }): unknown;
  /** Writes the box in the world to which a body is linked. */
  linkedBounds(body: number, out: { readonly mins: Float32Array; readonly maxs: Float32Array }): unknown;
  /** Writes the numbers of the bodies whose linked boxes touch a box, in the engine's order, and returns how many there are. */
  linked(area: Bounds, mask: number, out: Int32Array): number;
  move(
    body: number,
    changes: {
      readonly origin?: Vec3 | undefined;
      readonly angles?: Vec3 | undefined;
      readonly bounds?: Bounds | undefined;
      readonly link?: boolean | undefined;
    },
  ): void;
}

/** A body that moves others, and by how much it is to move. What is left out counts as zero. */
export interface PusherPart extends BodyMove {
  /** Its number in the scene. */
  readonly body: number;
}

/** Names of the properties of parts that turn. */
export const PART: readonly string[] = ['body', 'delta', 'turn'] satisfies (keyof PusherPart)[];

/** Where a body is. */
export interface Place {
  readonly origin: Float32Array;
  readonly angles: Float32Array;
}

export const createPlace = (): Place => ({ origin: new Float32Array(3), angles: new Float32Array(3) });

/** A box by its corners. */
export interface Box {
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
}

export const createBox = (): Box => ({ mins: new Float32Array(3), maxs: new Float32Array(3) });

const METHODS = ['has', 'pose', 'ownBounds', 'linkedBounds', 'linked', 'move', 'box'] as const;
const LARGEST = 0x7fffffff;

/** Throws `TypeError` for anything but a scene with the rules of this name. */
export function checkPusherScene(scene: PusherScene, rules: string): void {
  checkObject(scene, 'scene', 'a scene');
  for (const method of METHODS) {
    if (typeof scene[method] !== 'function')
      throw new TypeError(`scene has no ${method}(): pass what createScene makes, with the rules '${rules}'`);
  }
  if (scene.rules !== rules)
    throw new TypeError(`scene must have the rules '${rules}', got '${String(scene.rules)}'`);
}

/** Makes a longer copy of an array. */
export function longer<A extends Float32Array | Float64Array | Int32Array | Uint8Array>(
  array: A,
  length: number,
): A {
  const copy = new (array.constructor as new (length: number) => A)(length);
  copy.set(array);
  return copy;
}

/** The same error about an argument in other words; what a getter has thrown stays what it is. */
export function renamed(error: unknown, rename: (message: string) => string): unknown {
  for (const Class of [TypeError, RangeError])
    if (error instanceof Class && error.constructor === Class) return new Class(rename(error.message));
  return error;
}

/** The bodies that are to move, one or a team, as flat arrays. Only the first {@link PusherParts.count} of them count. */
export class PusherParts {
  count = 0;
  bodies: Int32Array = new Int32Array(1);
  /** By part, three numbers each: by how much it is to move and turn, and where it was before the push. */
  deltas: Float32Array = new Float32Array(3);
  turns: Float32Array = new Float32Array(3);
  /** By part: a bit for each of the marks that it has, in their order. */
  marks: Int32Array = new Int32Array(1);
  origins: Float32Array = new Float32Array(3);
  angles: Float32Array = new Float32Array(3);
  private readonly _known: readonly string[];
  private readonly _marks: readonly string[];
  private readonly _place: Place = createPlace();

  /**
   * @param known - names of the properties that parts can have: {@link PART}, or some of them.
   * @param marks - names of properties that are true or false.
   */
  constructor(known: readonly string[], marks: readonly string[] = []) {
    this._known = marks.length === 0 ? known : [...known, ...marks];
    this._marks = marks;
  }

  /** Takes a part or a list of them. Throws `TypeError` or `RangeError` naming what is wrong; `name` is that of the argument. */
  take(scene: PusherScene, parts: PusherPart | readonly PusherPart[], name: string): void {
    this.count = 0;
    if (!Array.isArray(parts)) {
      checkObject(parts, name);
      this._add(scene, parts as PusherPart);
      return;
    }
    for (let k = 0; k < parts.length; k++) {
      if (typeof parts[k] !== 'object' || !parts[k]) checkObject(parts[k], `${name}[${k}]`);
      try {
        this._add(scene, parts[k]);
      } catch (error) {
        throw this._named(error, `${name}[${k}]`);
      }
    }
  }

  /** Puts a body to where it was before the push. */
  putBack(scene: PusherScene, part: number): void {
    const { origin, angles } = this._place;
    for (let k = 0; k < 3; k++) {
      origin[k] = this.origins[3 * part + k]!;
      angles[k] = this.angles[3 * part + k]!;
    }
    scene.move(this.bodies[part]!, this._place);
  }

  /** Whether a body is one of the parts. */
  has(body: number): boolean {
    for (let k = 0; k < this.count; k++) if (this.bodies[k] === body) return true;
    return false;
  }

  private _add(scene: PusherScene, part: PusherPart): void {
    checkOptions(part, this._known, 'part');
    const { body, delta, turn } = part;
    if (!(Number.isInteger(body) && body >= 1)) checkWhole(body, 'body', 1, LARGEST);
    if (!scene.has(body)) throw new RangeError(`there is no body ${body} in this scene`);
    if (this.has(body)) throw new RangeError(`body must be listed once, got ${body} twice`);
    if (delta !== undefined) checkPoint(delta, 'delta');
    if (turn !== undefined) checkPoint(turn, 'turn');
    const marks = this._marksOf(part as PusherPart & Readonly<Record<string, unknown>>);
    if (this.count === this.bodies.length) this._grow();
    const { count, _place: place } = this;
    scene.pose(body, place);
    this.bodies[count] = body;
    this.marks[count] = marks;
    for (let k = 0; k < 3; k++) {
      const at = 3 * count + k;
      this.deltas[at] = delta === undefined ? 0 : delta[k]!;
      this.turns[at] = turn === undefined ? 0 : turn[k]!;
      this.origins[at] = place.origin[k]!;
      this.angles[at] = place.angles[k]!;
      checkRange(this.origins[at]!, this.deltas[at]!, 'delta');
      checkRange(this.angles[at]!, this.turns[at]!, 'turn');
    }
    this.count++;
  }

  /** An error about one of several parts, with the part's name. */
  private _named(error: unknown, name: string): unknown {
    const isOf = (message: string): boolean => this._known.some((property) => message.startsWith(property));
    return renamed(error, (message) => `${name}${isOf(message) ? '.' : ': '}${message}`);
  }

  private _marksOf(part: Readonly<Record<string, unknown>>): number {
    let bits = 0;
    for (let k = 0; k < this._marks.length; k++) {
      const name = this._marks[k]!;
      const value = part[name];
      if (value !== undefined && typeof value !== 'boolean')
        failArgument(name, 'true or false', value, false);
      if (value === true) bits |= 1 << k;
    }
    return bits;
  }

  private _grow(): void {
    const room = 2 * this.bodies.length;
    this.bodies = longer(this.bodies, room);
    this.marks = longer(this.marks, room);
    this.deltas = longer(this.deltas, 3 * room);
    this.turns = longer(this.turns, 3 * room);
    this.origins = longer(this.origins, 3 * room);
    this.angles = longer(this.angles, 3 * room);
  }
}

/** Throws `RangeError` unless the sum of two numbers is finite as a float32. */
function checkRange(from: number, by: number, name: string): void {
  const sum = f(from + by);
  if (sum - sum !== 0) throw new RangeError(`${name} must not lead beyond the range of float32`);
}
