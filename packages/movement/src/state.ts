import type { UnsharedBytes } from '@bspkit/core';
import {
  checkArrayOf,
  checkFinite,
  checkMask,
  checkObject,
  checkWhole,
  failArgument,
  isArrayOf,
} from '@bspkit/core/format';
import { checkHolds } from './checks.ts';
import { writtenStates } from './engines/states.ts';
import type { StateFields } from './fields.ts';

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

function readFloat(state: Floats, name: keyof Floats, to: Float64Array, at: number): void {
  switch (name) {
    case 'waterJumpTime':
      to[at] = state.waterJumpTime;
      break;
    case 'gravityFactor':
      to[at] = state.gravityFactor;
      break;
    case 'bounceFactor':
      to[at] = state.bounceFactor;
      break;
    case 'idealYaw':
      to[at] = state.idealYaw;
      break;
    case 'yawSpeed':
      to[at] = state.yawSpeed;
      break;
  }
}

function writeFloat(state: Floats, name: keyof Floats, from: Float64Array, at: number): void {
  switch (name) {
    case 'waterJumpTime':
      state.waterJumpTime = from[at]!;
      break;
    case 'gravityFactor':
      state.gravityFactor = from[at]!;
      break;
    case 'bounceFactor':
      state.bounceFactor = from[at]!;
      break;
    case 'idealYaw':
      state.idealYaw = from[at]!;
      break;
    case 'yawSpeed':
      state.yawSpeed = from[at]!;
      break;
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

/** What is known about the numbers of a state. */
interface Layout {
  readonly fields: StateFields<Fields>;
  /** How many fields there are, counting the kind. */
  readonly count: number;
  /** Of each number, the field that it is in. */
  readonly names: readonly string[];
  /** Of each number, one of the types below. */
  readonly types: Uint8Array;
}

// Single numbers first.
const WHOLE = 0;
const MASK = 1;
const FLOAT = 2;
const ARRAY_INT = 3;
const ARRAY_FLOAT = 4;

const isFloatType = (type: number): boolean => type === FLOAT || type === ARRAY_FLOAT;

/** Room for the numbers of two states; more where a state of another game has more. */
let words: Float64Array = /* @__PURE__ */ new Float64Array(64);
let others: Float64Array = /* @__PURE__ */ new Float64Array(64);

function describe(state: Fields, order: readonly string[], fields: StateFields<Fields>): Layout {
  const names: string[] = [];
  const types: number[] = [];
  for (const name of order) {
    const value = state[name];
    const single = isFloatName(name) ? FLOAT : MASKS.includes(name) ? MASK : WHOLE;
    if (typeof value === 'number') types.push(single);
    else if (isNumbers(value)) for (const _ of value) types.push(isFloats(value) ? ARRAY_FLOAT : ARRAY_INT);
    while (names.length < types.length) names.push(name);
  }
  if (names.length > words.length) {
    words = new Float64Array(names.length);
    others = new Float64Array(names.length);
  }
  return { fields, count: order.length + 1, names, types: Uint8Array.from(types) };
}

/** What is written out about the states of one of this package's games. */
interface Written {
  create(): PlayerState;
  /** A fresh one. */
  readonly made: Fields;
  readonly layout: Layout;
}

/** By the kind; made when it is first needed. */
let written: ReadonlyMap<string, Written> | undefined;

function writtenOf(kind: string): Written | undefined {
  written ??= new Map(
    writtenStates().map(({ create, fields }) => {
      const made = create() as unknown as Fields;
      const names = Object.keys(made).filter((name) => name !== 'kind');
      return [
        made.kind as string,
        { create, made, layout: describe(made, names, fields as StateFields<never>) },
      ];
    }),
  );
  return written.get(kind);
}

/**
 * Fields by their names: of states of other games, and of those that have more fields than a fresh one, arrays of another realm,
 * or numbers that no mover takes.
 */
class NamedFields implements StateFields<Fields> {
  private readonly _like: Fields;
  private readonly _names: readonly string[];

  constructor(like: Fields, names: readonly string[]) {
    // A copy, as fields of a state may change.
    this._like = { ...like };
    this._names = names;
  }

  fit(state: Fields): boolean {
    const like = this._like;
    let count = 0;
    for (const name in state) if (Object.hasOwn(state, name)) count++;
    if (count !== this._names.length + 1) return false;
    for (const name of this._names) if (!isAlike(state[name], like[name])) return false;
    return true;
  }

  read(state: Fields, to: Float64Array): void {
    let at = 0;
    for (const name of this._names) {
      if (isFloatName(name) && hasFloat(state as Floats, name)) {
        readFloat(state as Floats, name, to, at++);
        continue;
      }
      const value = state[name] as number | Numbers;
      if (typeof value === 'number') to[at++] = value;
      else for (let k = 0; k < value.length; k++) to[at++] = value[k]!;
    }
  }

  write(from: Float64Array, state: Fields): void {
    let at = 0;
    for (const name of this._names) {
      const value = state[name] as number | Numbers;
      if (typeof value !== 'number') at += value.length;
      else if (isFloatName(name)) writeFloat(state as Floats, name, from, at++);
      else {
        const number = from[at++]!;
        // Whole numbers stay small integers of V8.
        state[name] = (number | 0) === number ? number | 0 : number;
      }
    }
    at = 0;
    for (const name of this._names) {
      const value = state[name] as number | Numbers;
      if (typeof value === 'number') at++;
      else for (let k = 0; k < value.length; k++) value[k] = from[at++]!;
    }
  }
}

/** Whether a field is of the type that another one has: a number, or an array of as many. */
function isAlike(value: unknown, like: unknown): boolean {
  if (typeof like === 'number' || typeof value === 'number') return typeof like === typeof value;
  return (
    isNumbers(value) &&
    isNumbers(like) &&
    isFloats(value) === isFloats(like) &&
    value.length === like.length &&
    // One that was transferred may seem to have its length still, but has no numbers.
    (value.length === 0 || value[value.length - 1] !== undefined)
  );
}

/** Latest layouts by names, by the kind. */
const named: Map<string, Layout> = new Map();

const isLaidOut = (state: Fields, { fields, count }: Layout): boolean =>
  fields.fit(state) && countOf(state) === count;

/**
 * How the numbers of a state are laid out. Throws `TypeError` unless `state` is a state of any kind, which has only numbers and
 * typed arrays and, if the kind is one of this package's, those of a fresh one.
 */
function layoutOf(state: PlayerState, name = 'state'): Layout {
  const fields = fieldsOf(state, name);
  const own = writtenOf(state.kind);
  if (own && isLaidOut(fields, own.layout)) return own.layout;
  const known = named.get(state.kind);
  if (known?.fields.fit(fields)) return known;
  // With all fields of a fresh one, and no more in number, there are no others to check.
  if (!own || checkFields(fields, own.made, name) !== countOf(fields)) checkFields(fields, fields, name);
  return layoutByNames(fields);
}

/** A layout of a checked state by names, in the order of bytes: that of a fresh state, then any other names by the alphabet. */
function layoutByNames(fields: Fields): Layout {
  const known = named.get(fields.kind as string);
  if (known?.fields.fit(fields)) return known;
  const made = writtenOf(fields.kind as string)?.made ?? {};
  const own = Object.keys(made).filter((name) => name !== 'kind');
  const more = Object.keys(fields).filter((name) => name !== 'kind' && !Object.hasOwn(made, name));
  const names = [...own, ...more.sort()];
  const layout = describe(fields, names, new NamedFields(fields, names));
  named.set(fields.kind as string, layout);
  return layout;
}

/** A layout of two states of one kind. Throws as {@link layoutOf}, and `TypeError` unless both have the same fields. */
function commonLayout(a: PlayerState, b: PlayerState, first: string, second: string): Layout {
  const layout = layoutOf(a, first);
  const other = fieldsOf(b, second);
  if (other.kind === a.kind && isLaidOut(other, layout)) return layout;
  checkSecond(other, second, a as unknown as Fields, first);
  return layoutByNames(a as unknown as Fields);
}

/** Throws `TypeError` for anything but a state, naming a field that is missing or of a wrong type. */
export function checkState(state: PlayerState): void {
  layoutOf(state);
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
    // Methods that old libraries add to all objects are no fields; asking before would take longer than the rest.
    if (isAlike(value, wanted) || !Object.hasOwn(like, field)) continue;
    let what = 'a number, a Float32Array or an Int32Array';
    if (typeof wanted === 'number') what = 'a number';
    else if (isNumbers(wanted))
      what = `${isFloats(wanted) ? 'a Float32Array' : 'an Int32Array'} of ${wanted.length} numbers`;
    failArgument(`${name}.${field}`, what, value, false);
  }
  return count;
}

function countOf(fields: Fields): number {
  let count = 0;
  for (const _ in fields) count++;
  return count;
}

/** Throws `TypeError` unless a second state is of a checked one's kind, with the same fields. */
function checkSecond(other: Fields, name: string, one: Fields, first: string): void {
  if (one.kind !== other.kind)
    throw new TypeError(`${first} is a state of kind '${one.kind}', ${name} of kind '${other.kind}'`);
  if (checkFields(other, one, name) === countOf(other)) return;
  checkFields(other, other, name);
  checkFields(one, other, first);
}

/** Writes what a state has: a number that is read-only throws, before anything has changed. */
function keepNumbers(state: Fields, { fields }: Layout): void {
  fields.read(state, words);
  fields.write(words, state);
}

/**
 * Copies a state into another of the same kind, without allocation, and returns that.
 * @throws TypeError unless both are states of one kind, and naming a field that only one has or that is of a wrong type.
 *   Nothing changes then.
 */
export function copyState<S extends PlayerState>(from: S, to: S): S {
  const layout = commonLayout(from, to, 'from', 'to');
  keepNumbers(to as unknown as Fields, layout);
  return copyNumbers(from, to, layout);
}

function copyNumbers<S extends PlayerState>(from: S, to: S, { fields }: Layout): S {
  fields.read(from as unknown as Fields, words);
  fields.write(words, to as unknown as Fields);
  return to;
}

/** An independent copy of a state. Throws `TypeError` for anything but a state. */
export function cloneState<S extends PlayerState>(state: S): S {
  const layout = layoutOf(state);
  const own = writtenOf(state.kind);
  // One that was made as all others were has V8's layout of these: with several layouts, whatever reads or writes states is slower,
  // and a mover takes a third longer.
  if (own?.layout === layout) return copyNumbers(state, own.create() as S, layout);
  // Spread, which keeps a layout: fields that are added one by one become a table if there are many, and everything that reads them
  // takes several times as long.
  const copy: Record<string, unknown> = { ...(state as unknown as Fields) };
  for (const name in copy) {
    const value = copy[name];
    if (ArrayBuffer.isView(value)) copy[name] = slice(value);
  }
  return copy as unknown as S;
}

/** Copies a typed array. Not by its own `slice`, which copies nothing for a Node Buffer. */
export const slice = (array: ArrayBufferView): unknown => Uint8Array.prototype.slice.call(array);

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
  const { fields, names, types } = commonLayout(a, b, 'a', 'b');
  fields.read(a as unknown as Fields, words);
  fields.read(b as unknown as Fields, others);
  for (let k = 0; k < names.length; k++) if (!isSame(k, types[k]!)) return names[k];
  return undefined;
}

/**
 * Whether the numbers of two states at a place are the same: whole ones have no signed zero, and masks may be written without a
 * sign. They are no arguments, as V8 may put those on the heap.
 */
function isSame(at: number, type: number): boolean {
  const x = words[at]!;
  const y = others[at]!;
  if (isFloatType(type)) return Object.is(Math.fround(x), Math.fround(y));
  if (Object.is(x, y) || x === y) return true;
  return type === MASK && Number.isInteger(x) && Number.isInteger(y) && (x ^ y) === 0;
}

/**
 * How many bytes {@link packState} makes of a state; the same for all states of one kind.
 * @throws TypeError for anything but a state, naming a field that is missing or of a wrong type.
 */
export function stateBytes(state: PlayerState): number {
  return sizeOf(layoutOf(state));
}

const sizeOf = ({ names }: Layout): number => 4 * (1 + names.length);

/** Throws `RangeError` unless a single number fits into 32 bits. */
function checkNumber(value: number, type: number, name: string): void {
  if (type === FLOAT) checkFinite(value, `state.${name}`);
  else if (type === MASK) checkMask(value, `state.${name}`);
  else checkWhole(value, `state.${name}`, -0x80000000, 0x7fffffff);
}

/** A word that identifies the kind of state that bytes are of. */
function tagOf(kind: string): number {
  let tag = 0x811c9dc5 | 0;
  for (let k = 0; k < kind.length; k++) tag = Math.imul(tag ^ kind.charCodeAt(k), 0x01000193);
  return tag;
}

/** One number on its way to bytes or back: a view of the caller's bytes would be an object for each call. */
const single: DataView = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(4));

function putNumber(bytes: Uint8Array, at: number): void {
  for (let k = 0; k < 4; k++) bytes[at + k] = single.getUint8(k);
}

function takeNumber(bytes: Uint8Array, at: number): void {
  for (let k = 0; k < 4; k++) single.setUint8(k, bytes[at + k]!);
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
  const layout = layoutOf(state);
  const { fields, names, types } = layout;
  fields.read(state as unknown as Fields, words);
  // Checked first, then written.
  for (let k = 0; k < names.length; k++) {
    const value = words[k]!;
    if (types[k]! < ARRAY_INT && (value | 0) !== value) checkNumber(value, types[k]!, names[k]!);
  }
  const size = sizeOf(layout);
  const out = bytes === undefined ? new Uint8Array(size) : bytes;
  checkHolds(out, size, 'a state');
  single.setInt32(0, tagOf(state.kind), true);
  putNumber(out, 0);
  for (let k = 0; k < names.length; k++) {
    if (isFloatType(types[k]!)) single.setFloat32(0, words[k]!, true);
    else single.setInt32(0, words[k]!, true);
    putNumber(out, 4 + 4 * k);
  }
  return out;
}

/**
 * Reads what {@link packState} wrote into a state of the same kind, and returns that.
 * @throws RangeError when there are too few bytes, or they are of another kind of state; TypeError for anything but a
 *   state. Nothing changes when it throws.
 */
export function unpackState<S extends PlayerState>(bytes: Uint8Array, state: S): S {
  const layout = layoutOf(state);
  // The kind comes first: other kinds have other lengths too.
  checkArrayOf(bytes, Uint8Array, 'bytes');
  takeNumber(bytes, 0);
  if (bytes.length >= 4 && single.getInt32(0, true) !== tagOf(state.kind)) {
    throw new RangeError(`bytes must be a state of kind '${state.kind}', as packState writes it`);
  }
  checkHolds(bytes, sizeOf(layout), 'a state');
  keepNumbers(state as unknown as Fields, layout);
  const { fields, names, types } = layout;
  for (let k = 0; k < names.length; k++) {
    takeNumber(bytes, 4 + 4 * k);
    words[k] = isFloatType(types[k]!) ? single.getFloat32(0, true) : single.getInt32(0, true);
  }
  fields.write(words, state as unknown as Fields);
  return state;
}
