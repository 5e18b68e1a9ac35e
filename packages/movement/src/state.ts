import type { UnsharedBytes } from '@bspkit/core';
import {
  checkFinite,
  checkMask,
  checkObject,
  checkWhole,
  failArgument,
  isArrayOf,
} from '@bspkit/core/format';
import { viewOf } from './checks.ts';
import { freshStates } from './engines/states.ts';

// States of players, for any game: plain objects of 32-bit numbers and of typed arrays of such. So they can be copied, compared
// and sent field by field.

/** What all states have: a kind, and otherwise only numbers, `Float32Array`s and `Int32Array`s. */
export interface PlayerState {
  /** The game whose player it is. States of one kind have the same fields. */
  readonly kind: string;
}

type Numbers = Float32Array | Int32Array;
type Fields = Record<string, number | string | Numbers>;

/**
 * Single numbers that are floats, in all kinds of states; all others are whole. A plain object has no types, and its numbers do
 * not show them: a float may be 2. One that is set to 0.1 counts as the float32 nearest to that, as for movers.
 */
const FLOATS: readonly string[] = [
  'waterJumpTime',
  'gravityFactor',
  'bounceFactor',
  'idealYaw',
  'yawSpeed',
] satisfies (keyof Floats)[];

/** No state has all of them. */
type Floats = Record<'waterJumpTime' | 'gravityFactor' | 'bounceFactor' | 'idealYaw' | 'yawSpeed', number>;

const isFloatName = (name: string): name is keyof Floats => FLOATS.includes(name);

// What is done with floats has their names written out: V8 puts one on the heap when it reads it by a name in a variable.

/** Whether a state has a single number of this name that is a float. */
function hasFloat(state: Floats, name: string): name is keyof Floats {
  switch (name) {
    case 'waterJumpTime':
      return typeof state.waterJumpTime === 'number';
    case 'gravityFactor':
      return typeof state.gravityFactor === 'number';
    case 'bounceFactor':
      return typeof state.bounceFactor === 'number';
    case 'idealYaw':
      return typeof state.idealYaw === 'number';
    case 'yawSpeed':
      return typeof state.yawSpeed === 'number';
    default:
      return false;
  }
}

function copyFloat(from: Floats, to: Floats, name: keyof Floats): void {
  switch (name) {
    case 'waterJumpTime':
      to.waterJumpTime = from.waterJumpTime;
      break;
    case 'gravityFactor':
      to.gravityFactor = from.gravityFactor;
      break;
    case 'bounceFactor':
      to.bounceFactor = from.bounceFactor;
      break;
    case 'idealYaw':
      to.idealYaw = from.idealYaw;
      break;
    case 'yawSpeed':
      to.yawSpeed = from.yawSpeed;
      break;
  }
}

function isSameFloat(a: Floats, b: Floats, name: keyof Floats): boolean {
  switch (name) {
    case 'waterJumpTime':
      return Object.is(Math.fround(a.waterJumpTime), Math.fround(b.waterJumpTime));
    case 'gravityFactor':
      return Object.is(Math.fround(a.gravityFactor), Math.fround(b.gravityFactor));
    case 'bounceFactor':
      return Object.is(Math.fround(a.bounceFactor), Math.fround(b.bounceFactor));
    case 'idealYaw':
      return Object.is(Math.fround(a.idealYaw), Math.fround(b.idealYaw));
    case 'yawSpeed':
      return Object.is(Math.fround(a.yawSpeed), Math.fround(b.yawSpeed));
  }
}

/** Single numbers that are masks: 32 bits, written with a sign or without. */
const MASKS: readonly string[] = ['mask'];

// Arrays of this realm are recognised at once; others are only looked at if they are not.

const isFloats = (value: unknown): value is Float32Array =>
  value instanceof Float32Array || (!(value instanceof Int32Array) && isArrayOf(value, Float32Array));

const isNumbers = (value: unknown): value is Numbers =>
  typeof value === 'object' &&
  (value instanceof Float32Array ||
    value instanceof Int32Array ||
    isArrayOf(value, Float32Array) ||
    isArrayOf(value, Int32Array));

/** Fresh states of this package's games, by their kind: made when they are first needed. */
let fresh: ReadonlyMap<string, Fields> | undefined;

/**
 * Throws `TypeError` unless `state` is a state of any kind, which has only numbers and typed arrays and, if the kind is one of
 * this package's, those of a fresh one.
 */
export function checkState(state: PlayerState, name = 'state'): Fields {
  const fields = fieldsOf(state, name);
  fresh ??= new Map(freshStates().map((made) => [made.kind, made as unknown as Fields]));
  const made = fresh.get(state.kind);
  // With all fields of a fresh one, and no more in number, there are no others to check.
  if (!made || checkFields(fields, made, name) !== countOf(fields)) checkFields(fields, fields, name);
  return fields;
}

function fieldsOf(state: PlayerState, name: string): Fields {
  checkObject(state, name, 'a state');
  if (typeof state.kind !== 'string') failArgument(name, 'a state', state, false);
  return state as unknown as Fields;
}

/**
 * Throws `TypeError` unless `state` has the numbers and arrays that `like` has, and `like` has nothing else. Returns how many
 * fields there are, counting the kind.
 */
function checkFields(state: Fields, like: Fields, name: string): number {
  let count = 0;
  for (const field in like) {
    count++;
    if (field === 'kind' || (hasFloat(like as Floats, field) && hasFloat(state as Floats, field))) continue;
    const value = state[field];
    const wanted = like[field];
    let what = 'a number, a Float32Array or an Int32Array';
    if (isNumbers(wanted)) {
      const isFloat = isFloats(wanted);
      const fits = isNumbers(value) && isFloats(value) === isFloat && value.length === wanted.length;
      // One that was transferred may seem to have its length still, but has no numbers.
      if (fits && (value.length === 0 || value[value.length - 1] !== undefined)) continue;
      what = `${isFloat ? 'a Float32Array' : 'an Int32Array'} of ${wanted.length} numbers`;
    } else if (typeof wanted === 'number') {
      if (typeof value === 'number') continue;
      what = 'a number';
    }
    // Methods that old libraries add to all objects are no fields; asking before would take longer than the rest.
    if (Object.hasOwn(like, field)) failArgument(`${name}.${field}`, what, value, false);
  }
  return count;
}

function countOf(fields: Fields): number {
  let count = 0;
  for (const _ in fields) count++;
  return count;
}

/** Names of the fields of fresh states, by their kind. */
const orders: Map<string, readonly string[]> = new Map();

/**
 * Names of a checked state's fields in the order in which they are written as bytes, whatever their order in this object: that of
 * a fresh state, then any others by name.
 */
function namesOf(fields: Fields): readonly string[] {
  const made = fresh!.get(fields.kind as string) ?? {};
  const known = orders.get(fields.kind as string);
  if (known?.length === countOf(fields)) return known;
  const names = Object.keys(made);
  if (!known && names.length > 0) orders.set(fields.kind as string, names);
  const more: string[] = [];
  for (const name of Object.keys(fields)) if (!Object.hasOwn(made, name)) more.push(name);
  return [...names, ...more.sort()];
}

/** {@link checkState} of a second state, which must be of the first one's kind, with the same fields. */
function checkSecond(state: PlayerState, name: string, one: Fields, first: string): Fields {
  const other = fieldsOf(state, name);
  if (one.kind !== other.kind)
    throw new TypeError(`${first} is a state of kind '${one.kind}', ${name} of kind '${other.kind}'`);
  if (checkFields(other, one, name) !== countOf(other)) {
    checkFields(other, other, name);
    checkFields(one, other, first);
  }
  return other;
}

/** Writes all single numbers of a state as they are: one that is read-only throws, before anything has changed. */
function keepNumbers(state: Fields): void {
  for (const name in state) {
    if (!Object.hasOwn(state, name)) continue;
    if (hasFloat(state as Floats, name)) {
      copyFloat(state as Floats, state as Floats, name);
      continue;
    }
    const value = state[name];
    if (typeof value === 'number') state[name] = value;
  }
}

/**
 * Copies a state into another of the same kind, without allocation, and returns that.
 * @throws TypeError unless both are states of one kind, and naming a field that only one has or that is of a wrong type.
 *   Nothing changes then.
 */
export function copyState<S extends PlayerState>(from: S, to: S): S {
  const source = checkState(from, 'from');
  const target = checkSecond(to, 'to', source, 'from');
  keepNumbers(target);
  for (const name in target) {
    // Numbers that a script has added to all objects are none of its own.
    if (hasFloat(source as Floats, name)) {
      if (Object.hasOwn(target, name)) copyFloat(source as Floats, target as Floats, name);
      continue;
    }
    const value = source[name];
    if (typeof value === 'number' && Object.hasOwn(target, name)) target[name] = value;
  }
  for (const name in target) {
    if (hasFloat(source as Floats, name)) continue;
    const value = source[name];
    if (!isNumbers(value)) continue;
    const place = target[name] as Numbers;
    for (let k = 0; k < place.length; k++) place[k] = value[k]!;
  }
  return to;
}

/**
 * Whether two states are equal bit for bit, signs of zero included. A mask written with a sign equals the same without, and
 * `waterJumpTime`, `gravityFactor`, `bounceFactor`, `idealYaw` and `yawSpeed` count as the nearest float32.
 * @throws as {@link copyState}.
 */
export function equalStates<S extends PlayerState>(a: S, b: S): boolean {
  return firstDifference(a, b) === undefined;
}

/**
 * Name of the first field in which two states differ, for a protocol of corrections; `undefined` when none does.
 * @throws as {@link copyState}.
 */
export function firstDifference<S extends PlayerState>(a: S, b: S): string | undefined {
  const one = checkState(a, 'a');
  const other = checkSecond(b, 'b', one, 'a');
  for (const name in one) {
    if (hasFloat(one as Floats, name)) {
      if (!isSameFloat(one as Floats, other as Floats, name)) return name;
      continue;
    }
    const x = one[name];
    const y = other[name];
    if (isNumbers(x)) {
      for (let k = 0; k < x.length; k++) if (!Object.is(x[k], (y as Numbers)[k])) return name;
    } else if (!isSame(x as number, y as number, name)) return name;
  }
  return undefined;
}

/** Whether two whole numbers are the same 32 bits: these have no signed zero, and masks may be written without a sign. */
function isSame(x: number, y: number, name: string): boolean {
  if (Object.is(x, y)) return true;
  if (MASKS.includes(name)) return Number.isInteger(x) && Number.isInteger(y) && (x ^ y) === 0;
  return x === y;
}

/**
 * How many bytes {@link packState} makes of a state; the same for all states of one kind.
 * @throws TypeError for anything but a state, naming a field that is missing or of a wrong type.
 */
export function stateBytes(state: PlayerState): number {
  const fields = checkState(state);
  return sizeOf(fields, namesOf(fields));
}

function sizeOf(fields: Fields, names: readonly string[]): number {
  let count = 1;
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number') count++;
    else if (isNumbers(value)) count += value.length;
  }
  return 4 * count;
}

/** A word that identifies the kind of state that bytes are of. */
function tagOf(kind: string): number {
  let tag = 0x811c9dc5 | 0;
  for (let k = 0; k < kind.length; k++) tag = Math.imul(tag ^ kind.charCodeAt(k), 0x01000193);
  return tag;
}

/**
 * Writes a state as bytes, for the network or a recording: a word for its kind, then all its numbers in little-endian order.
 * {@link unpackState} reads them back, bit for bit, with the same release of this package; a mask comes back with a sign, and
 * `waterJumpTime`, `gravityFactor`, `bounceFactor`, `idealYaw` and `yawSpeed` as the nearest float32, which is what movers take
 * them for.
 *
 * @throws RangeError when a number does not fit into 32 bits: a whole number, or a finite float32 for those five;
 *   TypeError for anything but a state.
 */
export function packState(state: PlayerState): UnsharedBytes;
/**
 * Writes a state to bytes that you have, and returns these.
 *
 * @param bytes - where to write; new ones for `undefined`.
 * @throws RangeError when `bytes` is too short for the state, or a number does not fit into 32 bits; TypeError for anything but
 *   a state.
 */
export function packState<B extends Uint8Array>(state: PlayerState, bytes: B | undefined): B | UnsharedBytes;
export function packState(state: PlayerState, bytes?: Uint8Array): Uint8Array {
  const fields = checkState(state);
  const names = namesOf(fields);
  // Checked first, then written.
  for (const name of names) {
    const value = fields[name];
    if (typeof value !== 'number' || (value | 0) === value) continue;
    if (isFloatName(name)) checkFinite(value, `state.${name}`);
    else if (MASKS.includes(name)) checkMask(value, `state.${name}`);
    else checkWhole(value, `state.${name}`, -0x80000000, 0x7fffffff);
  }
  const size = sizeOf(fields, names);
  const out = bytes === undefined ? new Uint8Array(size) : bytes;
  const view = viewOf(out, size, 'a state');
  view.setInt32(0, tagOf(state.kind), true);
  let at = 4;
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number') {
      if (isFloatName(name)) view.setFloat32(at, value, true);
      else view.setInt32(at, value, true);
      at += 4;
    } else if (isNumbers(value)) {
      const isFloat = isFloats(value);
      for (let k = 0; k < value.length; k++, at += 4) {
        if (isFloat) view.setFloat32(at, value[k]!, true);
        else view.setInt32(at, value[k]!, true);
      }
    }
  }
  return out;
}

/**
 * Reads what {@link packState} wrote into a state of the same kind, and returns that.
 * @throws RangeError when there are too few bytes, or they are of another kind of state; TypeError for anything but a
 *   state. Nothing changes when it throws.
 */
export function unpackState<S extends PlayerState>(bytes: Uint8Array, state: S): S {
  const fields = checkState(state);
  // The kind comes first: other kinds have other lengths too.
  if (bytes?.length >= 4 && viewOf(bytes, 4, 'a state').getInt32(0, true) !== tagOf(state.kind)) {
    throw new RangeError(`bytes must be a state of kind '${state.kind}', as packState writes it`);
  }
  const names = namesOf(fields);
  const view = viewOf(bytes, sizeOf(fields, names), 'a state');
  keepNumbers(fields);
  let at = 4;
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number') {
      fields[name] = isFloatName(name) ? view.getFloat32(at, true) : view.getInt32(at, true);
      at += 4;
    } else if (isNumbers(value)) {
      const isFloat = isFloats(value);
      for (let k = 0; k < value.length; k++, at += 4) {
        value[k] = isFloat ? view.getFloat32(at, true) : view.getInt32(at, true);
      }
    }
  }
  return state;
}
