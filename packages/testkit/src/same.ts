import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

// Expectations for loops that compare thousands of answers, which would take longer to compare than to compute.

/** What was asked, in words; a function, where there is more to it than a text, as it is rarely needed. */
type Message = string | (() => string);

const textOf = (message: Message | undefined): string | undefined =>
  typeof message === 'function' ? message() : message;

/** What was asked: a move. Its ends are written so that they read back as the same numbers. */
export const moving =
  (start: ArrayLike<number>, end: ArrayLike<number>, who = ''): Message =>
  () =>
    `${who && `${who}, `}${moveText(start, end)}`;

/** The ends of a move, likewise. */
export const moveText = (start: ArrayLike<number>, end: ArrayLike<number>): string =>
  `from ${pointText(start)} to ${pointText(end)}`;

const pointText = (point: ArrayLike<number>): string =>
  `[${Array.from(point, (x) => (Object.is(x, -0) ? '-0' : x)).join(', ')}]`;

/** Has an expectation fail where its helper is called: that line of the source is then shown. */
export function failAt(helper: (...given: never[]) => unknown, expectation: () => void): void {
  try {
    expectation();
  } catch (error) {
    Error.captureStackTrace(error as Error, helper);
    throw error;
  }
}

/** As `expect(actual).toStrictEqual(expected)`, many times as fast where they are equal. */
export function expectSame(actual: unknown, expected: unknown, message?: Message): void {
  if (haveSameElements(actual, expected) || isDeepStrictEqual(actual, expected)) return;
  failAt(expectSame, () => expect(actual, textOf(message)).toStrictEqual(expected));
}

/** Whether both are arrays of the same numbers or texts, as most answers are: that is quickly seen. Holes are for others. */
function haveSameElements(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] === undefined || !Object.is(a[k], b[k])) return false;
  return true;
}

/** As `expect(actual).toBeLessThan(limit)`, the same way. */
export function expectBelow(actual: number, limit: number, message?: Message): void {
  if (actual < limit) return;
  failAt(expectBelow, () => expect(actual, textOf(message)).toBeLessThan(limit));
}

/** As `expect(actual).toMatchObject(expected)`, the same way. */
export function expectFields(actual: object, expected: object, message?: Message): void {
  const fields = actual as Readonly<Record<string, unknown>>;
  const isEqual = Object.entries(expected).every(([name, value]) => isDeepStrictEqual(fields[name], value));
  if (!isEqual) failAt(expectFields, () => expect(actual, textOf(message)).toMatchObject(expected));
}
