import type { Bounds, Tracer } from '@bspkit/core';
import { checkBounds } from '@bspkit/core/format';

// Named errors for what these functions are given. Callers may be plain JavaScript, so types alone do not keep
// arguments in order.

/** Throws `RangeError` unless `value` is a whole number in `least..most`. */
export function checkWhole(value: number, name: string, least: number, most: number = Infinity): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Infinity ? `${least} or more` : `${least} to ${most}`;
  throw new RangeError(`${name} must be a whole number, ${range}, got ${show(value)}`);
}

/** Throws `RangeError` unless `value` is in `least..most`. */
export function checkRange(value: number, name: string, least: number, most: number): void {
  if (value >= least && value <= most) return;
  throw new RangeError(`${name} must be a number, ${least} to ${most}, got ${show(value)}`);
}

/** Throws `RangeError` unless `count` is a whole number, 0 or more. */
export const checkCount = (count: number): void => checkWhole(count, 'count', 0);

/** Throws `TypeError` for options that are no object: arguments in the wrong order, say. */
export function checkOptions(options: object): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`options must be an object, got ${show(options)}`);
  }
}

/** Throws `TypeError` unless there are bounds, and `RangeError` unless they are finite and in order. */
export function checkSpace(bounds: Bounds): void {
  const { mins, maxs } = bounds ?? {};
  if (!mins || !maxs) throw new TypeError(`bounds must have mins and maxs, got ${show(bounds)}`);
  checkBounds(mins, maxs);
}

/** Whether a value can be traced with. */
export const isTracer = (value: unknown): value is Tracer =>
  typeof value === 'object' && value !== null && 'trace' in value && typeof value.trace === 'function';

/** Throws `TypeError` unless `value` is a tracer. */
export function checkTracer(value: unknown, name: string): void {
  if (!isTracer(value)) throw new TypeError(`${name} must be a tracer, got ${show(value)}`);
}

/** The number of queries. Throws `TypeError` for anything but a `Float32Array`, `RangeError` for no or half queries. */
export function checkQueries(queries: Float32Array): number {
  if (!(queries instanceof Float32Array)) {
    throw new TypeError(`queries must be a Float32Array of six numbers per query, got ${show(queries)}`);
  }
  if (queries.length === 0 || queries.length % 6 !== 0) {
    throw new RangeError(`queries must hold six numbers per query, got ${queries.length} numbers`);
  }
  return queries.length / 6;
}

/** What was given, in a word: for error messages. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
