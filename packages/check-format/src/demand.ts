import { inspect, isDeepStrictEqual } from 'node:util';
import { BspError } from '@bspkit/core';
import { isErrorOf } from '@bspkit/core/format';

// What checks throw: the message alone says what is wrong, as a report shows it with no more than the test's title.

/** Words for a message. What takes work to describe is a function, which is called only when it is needed. */
export type Words = string | (() => string);

/** An error class that a format may be asked for: core's, or one of JavaScript's own. */
type ErrorClass = typeof BspError | ErrorConstructor;

/** A mistake of the format's. Reports show how `actual` and `expected` differ. */
export class Mistake extends Error {
  declare readonly actual?: unknown;
  declare readonly expected?: unknown;

  constructor(message: string, details: { cause?: unknown; actual?: unknown; expected?: unknown } = {}) {
    const { cause, ...values } = details;
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, values, { name: 'Mistake' });
  }
}

/** A value in one line, however much there is of it. */
export const show = (value: unknown): string =>
  inspect(value, { depth: 2, breakLength: Infinity, maxArrayLength: 12, maxStringLength: 80 });

const textOf = (what: Words): string => (typeof what === 'string' ? what : what());

/** Throws an error with these words unless something holds. */
export function demand(holds: boolean, what: Words): asserts holds {
  if (!holds) throw new Mistake(textOf(what));
}

/** Throws an error that shows both values unless they are the same, signs of zero and classes included. */
export function demandSame(actual: unknown, expected: unknown, what: Words): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Mistake(`${textOf(what)}: ${show(actual)}, not ${show(expected)}`, { actual, expected });
}

/** Throws unless a call throws an error of this class, whose message has these words. `call` is what is called. */
export function demandThrows(
  run: () => unknown,
  type: ErrorClass,
  call: Words,
  words: string | RegExp = '',
): Error {
  const error = caught(run);
  if (error === NONE) throw new Mistake(`${textOf(call)} throws nothing; it must throw ${nameOf(type)}`);
  if (!isOf(error, type)) {
    // A `BspError` of another copy is not the one that is asked for.
    const isTwin = (error as Error | undefined)?.name === type.name;
    const why = isTwin ? `, of the same copy of @bspkit/core as here (npm ls @bspkit/core)` : '';
    throw new Mistake(`${textOf(call)} throws ${said(error)}; it must throw ${nameOf(type)}${why}`, {
      cause: error,
    });
  }
  const { message } = error;
  if (typeof words === 'string' ? !message.includes(words) : !words.test(message)) {
    throw new Mistake(`${textOf(call)} says "${message}", not ${show(words)}`, { cause: error });
  }
  return error;
}

/**
 * Whether something that was thrown is an error of a class. JavaScript's own classes are there once more for what Node throws in
 * tests that have a realm of their own.
 */
export const isOf = (thrown: unknown, type: ErrorClass): thrown is Error =>
  type === BspError ? thrown instanceof BspError : isErrorOf(thrown, type as ErrorConstructor);

const nameOf = (type: ErrorClass): string => `${type === Error ? 'an' : 'a'} ${type.name}`;

export const NONE: Error = new Error('nothing was thrown');

/** An error by its name and message, or whatever else was thrown. */
export function said(error: unknown): string {
  if (error === NONE) return NONE.message;
  return isErrorOf(error, Error) ? `${error.name}: ${error.message}` : show(error);
}

/** What a call throws; {@link NONE} when it throws nothing. */
export function caught(run: () => unknown): Error {
  try {
    run();
    return NONE;
  } catch (error) {
    return error as Error;
  }
}

/** The places of what JSON cannot hold, in a value that is written as JSON. Fields that are undefined are left out, as in JSON. */
export function lostAsJson(value: unknown, at: string): string[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${at} is ${value}`];
  const isPlain = Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
  if (typeof value !== 'object' || !isPlain) return [`${at} is ${show(value)}`];
  return Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined && !Array.isArray(value) ? [] : lostAsJson(inner, `${at}.${name}`),
  );
}
