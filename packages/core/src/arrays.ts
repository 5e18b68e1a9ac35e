import { failArgument } from './kinds.ts';

/** A class of typed arrays. */
export interface ArrayClass<A> {
  new (length: number): A;
  readonly name: string;
}

/**
 * Whether `value` is a typed array of the given class, with at least `length` numbers, or one of the class of the same name in
 * another realm: that of a frame, of a `node:vm` context, or Node's own in tests with jsdom. Such an array is not an instance of
 * ours, but its tag is the class's name.
 */
export function isArrayOf<A>(value: unknown, Numbers: ArrayClass<A>, length = 0): value is A {
  return (
    (value instanceof Numbers ||
      (ArrayBuffer.isView(value) && (value as Float32Array)[Symbol.toStringTag] === Numbers.name)) &&
    // One that was transferred has none, but may seem to have its length still, if V8 has met arrays of resizable memory.
    (!length || (value as Float32Array)[length - 1] !== undefined)
  );
}

/**
 * Throws `TypeError` unless `value` is a typed array of the given class, from whatever realm, and for one that looks empty because
 * it was transferred, or its buffer made too small for it.
 * @param article - of the class's name.
 */
export function checkArrayOf<A>(
  value: unknown,
  Numbers: ArrayClass<A>,
  name: string,
  article = 'a',
): asserts value is A {
  if (!isArrayOf(value, Numbers)) failArgument(name, `${article} ${Numbers.name}`, value, false);
  try {
    // If V8 has met arrays of resizable memory, those that are gone may seem to have their length still, but no method works. Of
    // Node's buffers, fill() and some others are methods of their own, which do.
    (value as Float32Array).copyWithin(0, 0, 0);
  } catch {
    throw new TypeError(`${name} must not have been transferred or cut off`);
  }
}

/**
 * All bytes of a buffer. Throws `TypeError` for one that was transferred to another thread, whose arrays would look empty.
 * @param name - of what lies in it.
 */
export function bytesOf(buffer: ArrayBufferLike, name: string): Uint8Array {
  try {
    return new Uint8Array(buffer);
  } catch {
    throw new TypeError(`${name} must not have been transferred or cut off`);
  }
}
