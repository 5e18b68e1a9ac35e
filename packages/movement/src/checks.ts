import { checkArrayOf, failArgument, isArrayOf } from '@bspkit/core/format';

// Checks that states and commands share.

/** Arrays of this realm are recognised at once, by a class that does not vary: every move looks at the arrays of players. */
export const isFloats = (value: unknown): value is Float32Array =>
  value instanceof Float32Array || isArrayOf(value, Float32Array);

export const isInts = (value: unknown): value is Int32Array =>
  value instanceof Int32Array || isArrayOf(value, Int32Array);

/** Throws `TypeError` for anything but a state, with its arrays, made by `maker`: for one read from JSON, say. */
export function failState(state: unknown, name: string, maker: string): never {
  failArgument(name, `one made by ${maker}`, state, false);
}

/** The first `size` bytes of an array, which must not be shorter. */
export function viewOf(bytes: Uint8Array, size: number, what: string): DataView {
  checkArrayOf(bytes, Uint8Array, 'bytes');
  // If V8 has met arrays of resizable memory, those that were transferred may seem to have their length still.
  const length = Math.min(bytes.length, bytes.buffer.byteLength);
  if (length < size) {
    throw new RangeError(`bytes must hold ${size} bytes of ${what}, got ${length}`);
  }
  return new DataView(bytes.buffer, bytes.byteOffset, size);
}
