import {
  checkArrayOf,
  checkBounds,
  checkFinite,
  checkPoint,
  checkRoomOf,
  checkWhole,
  failArgument,
  isArrayOf,
} from '@bspkit/core/format';
import type { PlayerState } from './state.ts';

// Checks that states and commands share.

/**
 * Whether it is an array with room for a vector. One that was transferred has none, but may seem to have its length still, if V8
 * has met arrays of resizable memory. Arrays of this realm are recognised at once, by a class that does not vary: every move looks
 * at the arrays of players.
 */
export const isVector = (value: unknown): value is Float32Array =>
  (value instanceof Float32Array || isArrayOf(value, Float32Array)) && value[2] !== undefined;

export const isInts = (value: unknown, length = 3): value is Int32Array =>
  (value instanceof Int32Array || isArrayOf(value, Int32Array)) && value[length - 1] !== undefined;

/**
 * Throws `TypeError` for anything but a state, with its arrays, that `make` made: for one read from JSON, say. `maker` is what users
 * call that. An array that was replaced, as `state.origin = [0, 0, 0]` does, or was transferred to another thread, is named; so is
 * one with too little room, by a `RangeError`.
 */
export function failState(state: unknown, maker: string, make: () => object): never {
  const given = state as Record<string, unknown>;
  const made = make() as Record<string, Float32Array | Int32Array>;
  for (const field in made) {
    if (given?.kind !== made.kind) break;
    const value = given[field];
    const own = made[field]!;
    if (!ArrayBuffer.isView(own) || !(Array.isArray(value) || ArrayBuffer.isView(value))) continue;
    const article = own instanceof Int32Array ? 'an' : 'a';
    checkRoomOf(value, own.constructor as Float32ArrayConstructor, own.length, `state.${field}`, article);
  }
  failArgument('state', `one made by ${maker}`, state, false);
}

/** Throws unless an array has as many bytes as something takes. */
export function checkHolds(bytes: Uint8Array, size: number, what: string): void {
  checkArrayOf(bytes, Uint8Array, 'bytes');
  if (bytes.length < size) {
    throw new RangeError(`bytes must hold ${size} bytes of ${what}, got ${bytes.length}`);
  }
}

/** Throws `RangeError` naming the number of a state's vectors that is not finite. */
export function checkVectors(
  state: PlayerState,
  origin: Float32Array,
  velocity: Float32Array,
  angles: Float32Array,
): void {
  const sum =
    origin[0]! -
    origin[0]! +
    (origin[1]! - origin[1]!) +
    (origin[2]! - origin[2]!) +
    (velocity[0]! - velocity[0]!) +
    (velocity[1]! - velocity[1]!) +
    (velocity[2]! - velocity[2]!) +
    (angles[0]! - angles[0]!) +
    (angles[1]! - angles[1]!) +
    (angles[2]! - angles[2]!);
  // x - x is 0 only for finite numbers; which one is wrong is looked up only when one is.
  if (sum === 0) return;
  for (const name of ['origin', 'velocity', 'angles'] as const) {
    const vector = (state as unknown as Record<typeof name, Float32Array>)[name];
    for (let k = 0; k < 3; k++) checkFinite(vector[k]!, `state.${name}[${k}]`);
  }
}

/** Throws `RangeError` unless a number is a whole number of 32 bits. */
export function checkInt(value: number, name: string): void {
  if (typeof value !== 'number' || (value | 0) !== value) checkWhole(value, name, -0x80000000, 0x7fffffff);
}

/** What the states of things have in common, in the engines of one family. */
interface ThingState extends PlayerState {
  readonly origin: Float32Array;
  readonly velocity: Float32Array;
  readonly angles: Float32Array;
  readonly angularVelocity: Float32Array;
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  readonly moveType: number;
  readonly gravityFactor: number;
  readonly idealYaw: number;
  readonly yawSpeed: number;
}

/** Throws unless a number is in a table of ours, which users call `known`. */
export function checkOneOf(
  value: number,
  name: string,
  table: Readonly<Record<string, number>>,
  known: string,
): void {
  for (const key in table) if (table[key] === value) return;
  const all = Object.entries(table).map((entry) => entry.join(' '));
  failArgument(name, `one of ${known} (${all.join(', ')})`, value);
}

/** Throws unless a thing's state was made by `make`, which users call `maker`, and its vectors and `moveType` are possible. */
export function checkThing(
  state: ThingState,
  kind: string,
  maker: string,
  make: () => ThingState,
  moveTypes: Readonly<Record<string, number>>,
  known: string,
): void {
  const { origin, velocity, angles, angularVelocity, mins, maxs } = state ?? {};
  if (
    state?.kind !== kind ||
    !isVector(origin) ||
    !isVector(velocity) ||
    !isVector(angles) ||
    !isVector(angularVelocity) ||
    !isVector(mins) ||
    !isVector(maxs)
  ) {
    failState(state, maker, make);
  }
  checkVectors(state, origin, velocity, angles);
  // Which one is wrong is looked up only when one is.
  const turns = angularVelocity[0]! + angularVelocity[1]! + angularVelocity[2]!;
  if (turns - turns !== 0) checkPoint(angularVelocity, 'state.angularVelocity');
  checkBounds(mins, maxs);
  checkOneOf(state.moveType, 'state.moveType', moveTypes, known);
  checkFinite(state.gravityFactor, 'state.gravityFactor');
  checkFinite(state.idealYaw, 'state.idealYaw');
  checkFinite(state.yawSpeed, 'state.yawSpeed');
}
