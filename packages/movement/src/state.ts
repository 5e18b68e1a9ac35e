import { checkObject, failArgument } from '@bspkit/core/format';

// States of players, of any game: plain objects of numbers, all of 32 bits, and typed arrays of such. So they are copied,
// compared and sent by what is in them.

/** What all states have in common: a kind, besides numbers and typed arrays of numbers. */
export interface PlayerState {
  /** The game whose player it is. States of one kind have the same fields. */
  readonly kind: string;
}

type Numbers = Float32Array | Int32Array;
type Fields = Record<string, number | string | Numbers>;

/**
 * Single numbers that are floats, of all kinds of states; all others are whole. A plain object says no types, and its
 * numbers do not show them: a float may be 2.
 */
const FLOATS: readonly string[] = ['waterJumpTime'];

const isNumbers = (value: unknown): value is Numbers =>
  value instanceof Float32Array || value instanceof Int32Array;

/** Throws `TypeError` unless a state is of a kind, with its arrays: one that was made, and not read from JSON, say. */
export function failState(state: unknown, name: string, maker: string): never {
  failArgument(name, `one made by ${maker}`, state, false);
}

/** Throws `TypeError` unless `state` is a state, of whatever kind. */
export function checkState(state: PlayerState, name = 'state'): void {
  checkObject(state, name, 'a state');
  if (typeof state.kind !== 'string') failArgument(name, 'a state', state, false);
}

function fieldsOf(state: PlayerState, name: string): Fields {
  checkState(state, name);
  return state as unknown as Fields;
}

/** Throws `TypeError` unless two states are of one kind. */
function checkPair(one: Fields, other: Fields, first: string, second: string): void {
  if (one.kind === other.kind) return;
  throw new TypeError(`${first} is a state of kind '${one.kind}', ${second} of kind '${other.kind}'`);
}

function failField(name: string): never {
  throw new TypeError(`${name} must have the type that it has in a newly made state`);
}

/**
 * Copies a state into another of the same kind, without allocation, and returns that.
 * @throws TypeError unless both are states of one kind.
 */
export function copyState<S extends PlayerState>(from: S, to: S): S {
  const source = fieldsOf(from, 'from');
  const target = fieldsOf(to, 'to');
  checkPair(source, target, 'from', 'to');
  for (const name in target) {
    const value = source[name];
    const place = target[name];
    if (typeof place === 'number') {
      if (typeof value !== 'number') failField(`from.${name}`);
      target[name] = value;
    } else if (typeof place === 'object') {
      if (!isNumbers(value) || value.length !== place.length) failField(`from.${name}`);
      for (let k = 0; k < place.length; k++) place[k] = value[k]!;
    }
  }
  return to;
}

/**
 * Whether two states are equal bit for bit, signs of zero included.
 * @throws TypeError unless both are states of one kind.
 */
export function equalStates<S extends PlayerState>(a: S, b: S): boolean {
  return firstDifference(a, b) === undefined;
}

/** Name of the first field in which two states differ, for a protocol of corrections; `undefined` when none does. */
export function firstDifference<S extends PlayerState>(a: S, b: S): string | undefined {
  const one = fieldsOf(a, 'a');
  const other = fieldsOf(b, 'b');
  checkPair(one, other, 'a', 'b');
  for (const name in one) {
    const x = one[name];
    const y = other[name];
    if (isNumbers(x)) {
      if (!isNumbers(y) || x.length !== y.length) failField(`b.${name}`);
      for (let k = 0; k < x.length; k++) if (!Object.is(x[k], y[k])) return name;
    } else if (!Object.is(x, y)) return name;
  }
  return undefined;
}

/** How many bytes {@link packState} makes of a state; the same for all states of one kind. */
export function stateBytes(state: PlayerState): number {
  const fields = fieldsOf(state, 'state');
  let count = 1;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'number') count++;
    else if (isNumbers(value)) count += value.length;
  }
  return 4 * count;
}

/** Says in one word what kind of state bytes are of. */
function tagOf(kind: string): number {
  let tag = 0x811c9dc5 | 0;
  for (let k = 0; k < kind.length; k++) tag = Math.imul(tag ^ kind.charCodeAt(k), 0x01000193);
  return tag;
}

/**
 * Writes a state as bytes, for the network or a recording: a word for its kind, then all its numbers in little-endian
 * order. {@link unpackState} reads them back, bit for bit, with the same release of this package.
 *
 * @param bytes - where to write; new ones by default.
 * @throws RangeError when `bytes` is too short for the state, or a number is not what 32 bits hold; TypeError for
 *   anything but a state.
 */
export function packState(state: PlayerState, bytes?: Uint8Array): Uint8Array {
  const fields = fieldsOf(state, 'state');
  const size = stateBytes(state);
  const out = bytes === undefined ? new Uint8Array(size) : bytes;
  const view = viewOf(out, size, 'a state');
  view.setInt32(0, tagOf(state.kind), true);
  let at = 4;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'number') {
      if (FLOATS.includes(name)) view.setFloat32(at, value, true);
      else if ((value | 0) === value) view.setInt32(at, value, true);
      else failArgument(`state.${name}`, 'a whole number of 32 bits', value);
      at += 4;
    } else if (isNumbers(value)) {
      for (let k = 0; k < value.length; k++, at += 4) {
        if (value instanceof Float32Array) view.setFloat32(at, value[k]!, true);
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
  const fields = fieldsOf(state, 'state');
  const view = viewOf(bytes, stateBytes(state), 'a state');
  if (view.getInt32(0, true) !== tagOf(state.kind)) {
    throw new RangeError(`bytes must be a state of kind '${state.kind}', as packState writes it`);
  }
  // Single numbers come first: a frozen state throws at them, but not at its arrays.
  for (const isFirst of [true, false]) {
    let at = 4;
    for (const name in fields) {
      const value = fields[name];
      if (typeof value === 'number') {
        if (isFirst)
          fields[name] = FLOATS.includes(name) ? view.getFloat32(at, true) : view.getInt32(at, true);
        at += 4;
      } else if (isNumbers(value)) {
        for (let k = 0; k < value.length; k++, at += 4) {
          if (isFirst) continue;
          value[k] = value instanceof Float32Array ? view.getFloat32(at, true) : view.getInt32(at, true);
        }
      }
    }
  }
  return state;
}

/** The first bytes of an array, which must be so many. */
export function viewOf(bytes: Uint8Array, size: number, what: string): DataView {
  if (!(bytes instanceof Uint8Array)) failArgument('bytes', 'a Uint8Array', bytes, false);
  if (bytes.length < size) {
    throw new RangeError(`bytes must hold ${size} bytes of ${what}, got ${bytes.length}`);
  }
  return new DataView(bytes.buffer, bytes.byteOffset, size);
}
