import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

// Expectations for loops that compare thousands of answers, which would take longer to compare than to compute.

/** As `expect(actual).toStrictEqual(expected)`, many times as fast where they are equal. */
export function expectSame(actual: unknown, expected: unknown, message?: string): void {
  if (haveSameElements(actual, expected) || isDeepStrictEqual(actual, expected)) return;
  expect(actual, message).toStrictEqual(expected);
}

/** Whether both are arrays of the same numbers or texts, as most answers are: that is quickly seen. Holes are for others. */
function haveSameElements(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] === undefined || !Object.is(a[k], b[k])) return false;
  return true;
}

/** As `expect(actual).toBeLessThan(limit)`, the same way. */
export function expectBelow(actual: number, limit: number, message?: string): void {
  if (!(actual < limit)) expect(actual, message).toBeLessThan(limit);
}

/** As `expect(actual).toMatchObject(expected)`, the same way. */
export function expectFields(actual: object, expected: object): void {
  const fields = actual as Readonly<Record<string, unknown>>;
  const isEqual = Object.entries(expected).every(([name, value]) => isDeepStrictEqual(fields[name], value));
  if (!isEqual) expect(actual).toMatchObject(expected);
}
