import fc from 'fast-check';
import { expect } from 'vitest';
import { reportProperty } from './packages/testkit/src/properties.ts';
import { SEED } from './packages/testkit/src/seed.ts';

fc.configureGlobal({ seed: SEED, reporter: reportProperty });

/** Kept for the process: setup files run again before each test file, and matchers stay registered. */
const SHARED = globalThis as {
  comparesBytes?: true;
  quickenExports?: (exports: object) => void;
};

const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

// `toEqual` takes 6 µs for each element of a typed array: seconds for a map. Arrays of one kind with the same bytes are
// equal; all others are compared in the usual way.
if (!SHARED.comparesBytes) {
  SHARED.comparesBytes = true;
  expect.addEqualityTesters([
    (a: unknown, b: unknown) =>
      ArrayBuffer.isView(a) &&
      ArrayBuffer.isView(b) &&
      Object.getPrototypeOf(a) === Object.getPrototypeOf(b) &&
      bytes(a).equals(bytes(b))
        ? true
        : undefined,
  ]);
}

// What a module exports are getters of an object, each a call with a `try` in it, and one more for every module that passes it
// on; the object is a hash table to V8 unless others inherit from it and it is used often enough. With values instead, calls
// from one module into another are compiled as in a bundle; without this, a tenth of all time is spent looking up imports.
// Modules call it at their end, when all that they export themselves is there. In a circle of modules, what they pass on may
// not be, and stays a getter.
SHARED.quickenExports ??= (exports) => {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
    const value = get?.call(exports);
    if (value !== undefined)
      Object.defineProperty(exports, name, { value, enumerable: true, configurable: true });
  }
  const heir = Object.create(exports);
  for (let look = 0; look < 100; look++) heir.any;
};
