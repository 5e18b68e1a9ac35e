import { bytesOf, checkArrayOf, isArrayOf } from '../arrays.ts';
import { showValue } from '../kinds.ts';
import type { Bytes } from '../vec.ts';

/** The class of an object, from whatever realm, by its tag: `Response`. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Whether a value is a buffer, shared or not. */
const isBuffer = (value: unknown): value is ArrayBufferLike => /^(Shared)?ArrayBuffer$/.test(tagOf(value));

/** Whether a buffer may become larger or smaller. */
const isElastic = (buffer: ArrayBufferLike): boolean => {
  const { resizable, growable } = buffer as { readonly resizable?: boolean; readonly growable?: boolean };
  return !!(resizable || growable);
};

/** What was given in place of bytes: a promise, a response, or what a compiler returned, which has them. */
const shown = (value: unknown): string =>
  showValue(value) + ((value as { bytes?: Uint8Array } | null)?.bytes?.buffer ? ': pass its bytes' : '');

/**
 * A file's bytes as an array, without a copy unless their buffer may change its size: then what is read from them might be gone,
 * and worlds could not be kept in it: see `checkBuffer`. It is a `Uint8Array` even if it was given as one of a class of its own:
 * `slice` of Node's `Buffer` copies nothing, and what files consist of would have that method too.
 * Throws `TypeError`, with `name`, for anything but a buffer or a `Uint8Array`, and for bytes that were transferred or cut off.
 */
export function toBytes(bytes: Bytes, name: string = 'bytes'): Uint8Array {
  const isArray = isArrayOf(bytes, Uint8Array);
  const memory = isArray ? bytes.buffer : bytes;
  if (!isBuffer(memory)) {
    throw new TypeError(`${name} must be a Uint8Array or an ArrayBuffer, got ${shown(bytes)}`);
  }
  const given = isArray ? bytes : bytesOf(memory, name);
  checkArrayOf(given, Uint8Array, name);
  return isElastic(memory)
    ? new Uint8Array(given)
    : new Uint8Array(memory, given.byteOffset, given.byteLength);
}

/** Throws `TypeError` unless `bytes` is an array of bytes. */
export function checkBytes(bytes: Uint8Array): void {
  if (!isArrayOf(bytes, Uint8Array)) throw new TypeError(`bytes must be a Uint8Array, got ${shown(bytes)}`);
}

/**
 * Throws `TypeError` unless `data` is a buffer of a fixed size, as a world needs to keep itself in. If the buffer shrank or was
 * transferred, the world's numbers would be gone, and walks would find nothing. Nor may it grow: V8 compiles code that has met
 * arrays of growable memory so that transferred ones seem to have their length still, and no world could tell that it is gone.
 */
export function checkBuffer(data: ArrayBufferLike): void {
  if (!isBuffer(data) || isElastic(data))
    throw new TypeError(`data must be the buffer of a world, of a fixed size, got ${shown(data)}`);
  try {
    new Uint8Array(data);
  } catch {
    failGone();
  }
}

/**
 * Returns a world's memory, unless it is gone: transferring a world's `data` to another thread gives the world away. Throws
 * `TypeError` then, since walks would read no numbers and might never end.
 */
export function held<M extends { readonly ints: { readonly length: number } }>(memory: M): M {
  if (memory.ints.length === 0) failGone();
  return memory;
}

function failGone(): never {
  throw new TypeError("the world's data was transferred: open it where it is now");
}

/** A buffer for a world's data. Throws `TypeError` for a shared one where the platform has none. */
export function createBuffer(bytes: number, shared: boolean | undefined): ArrayBufferLike {
  if (shared && typeof SharedArrayBuffer === 'undefined') {
    throw new TypeError('shared must be false: there is no SharedArrayBuffer here');
  }
  return new (shared ? SharedArrayBuffer : ArrayBuffer)(bytes);
}
