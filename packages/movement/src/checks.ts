import { checkArrayOf, failArgument, isArrayOf } from '@bspkit/core/format';

// Checks that states and commands share.

/** Arrays of this realm are told at once, by a class that does not vary: players' are looked at in every move. */
export const isFloats = (value: unknown): value is Float32Array =>
  value instanceof Float32Array || isArrayOf(value, Float32Array);

export const isInts = (value: unknown): value is Int32Array =>
  value instanceof Int32Array || isArrayOf(value, Int32Array);

/** Throws `TypeError` for what is not a state that `maker` has made, with its arrays: one read from JSON, say. */
export function failState(state: unknown, name: string, maker: string): never {
  failArgument(name, `one made by ${maker}`, state, false);
}

/** The first bytes of an array, which must be so many. */
export function viewOf(bytes: Uint8Array, size: number, what: string): DataView {
  checkArrayOf(bytes, Uint8Array, 'bytes');
  if (bytes.length < size) {
    throw new RangeError(`bytes must hold ${size} bytes of ${what}, got ${bytes.length}`);
  }
  return new DataView(bytes.buffer, bytes.byteOffset, size);
}
