import { expect } from 'vitest';

/** What a getter throws. */
class ReadError extends Error {}

/** The same options, of which the read of this number throws, from 1. */
function withFailure<T extends object>(options: T, failing: number): T {
  let reads = 0;
  const made = {};
  for (const [name, value] of Object.entries(options)) {
    const get = (): unknown => {
      if (++reads === failing) throw new ReadError(name);
      return value;
    };
    Object.defineProperty(made, name, { enumerable: true, get });
  }
  return made as T;
}

/**
 * Expects a call to change nothing, as `state` shows, where a getter of its options throws: at the first read of any of them, at the
 * second, and so on, until all are read and the call succeeds. `state` returns plain data.
 */
export function expectAllOrNothing<T extends object>(
  options: T,
  call: (options: T) => unknown,
  state: () => unknown,
): void {
  const before = structuredClone(state());
  for (let failing = 1; ; failing++) {
    try {
      call(withFailure(options, failing));
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      expect(state(), `after read ${failing}, of ${error.message}`).toEqual(before);
      continue;
    }
    expect(failing).toBeGreaterThan(Object.keys(options).length);
    expect(state()).not.toEqual(before);
    return;
  }
}

/** The same options as accessors of a class, as its instances have them: none is their own, and none is enumerable. */
export function accessorsOf<T extends object>(options: T): T {
  class Options {}
  for (const name of Object.keys(options)) {
    Object.defineProperty(Options.prototype, name, { get: () => options[name as keyof T] });
  }
  return new Options() as T;
}
