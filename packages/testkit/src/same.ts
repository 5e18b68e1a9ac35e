import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

// Expectations for loops that compare thousands of answers, which would take longer to compare than to compute.

/** As `expect(actual).toStrictEqual(expected)`, many times as fast where they are equal. */
export function expectSame(actual: unknown, expected: unknown, message?: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toStrictEqual(expected);
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
