// Buffers whose size changes. TypeScript's library of ES2022 does not know them.

/** A buffer with these bytes that can be made smaller. */
export function resizable(bytes: Uint8Array): ArrayBuffer & { resize(length: number): void } {
  const buffer = Reflect.construct(ArrayBuffer, [bytes.length, { maxByteLength: 2 * bytes.length }]);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

/** Shared memory with these bytes that can be made larger. */
export function growable(bytes: Uint8Array): SharedArrayBuffer & { grow(length: number): void } {
  const buffer = Reflect.construct(SharedArrayBuffer, [bytes.length, { maxByteLength: 2 * bytes.length }]);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}
