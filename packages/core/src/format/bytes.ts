import type { Bytes } from '../vec.ts';

/** A file's bytes as an array, without a copy. Throws `TypeError` for what holds none. */
export function toBytes(bytes: Bytes): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  // By its tag: a buffer may come from another realm, and SharedArrayBuffer may not exist here.
  const kind = Object.prototype.toString.call(bytes);
  if (kind === '[object ArrayBuffer]' || kind === '[object SharedArrayBuffer]') return new Uint8Array(bytes);
  const found = bytes === null ? 'null' : Array.isArray(bytes) ? 'an array' : typeof bytes;
  throw new TypeError(`bytes must be a Uint8Array or an ArrayBuffer, got ${found}`);
}
