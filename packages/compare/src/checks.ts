import type { Bounds, Tracer } from '@bspkit/core';
import {
  checkBounds,
  checkCallback,
  checkKind,
  checkObject,
  checkOptions,
  checkWhole,
  checkWholeFrom,
  failArgument,
  isArrayOf,
} from '@bspkit/core/format';
import type { Asked } from './timing.ts';

// Checks that core does not have.

/** The most queries that one array can hold. */
const MOST_QUERIES = 0x15555555;

/** Throws `RangeError` unless `value` is in `least..most`. */
export function checkRange(value: number, name: string, least: number, most: number): void {
  if (typeof value === 'number' && value >= least && value <= most) return;
  failArgument(name, `a number, ${least} to ${most}`, value);
}

/** Throws `RangeError` unless `count` is a whole number, 0 or more. */
const checkCount = (count: number): void => checkWhole(count, 'count', 0, MOST_QUERIES);

/** Checks the options of every generator. */
export function checkGenerator(
  count: number,
  options: { readonly bounds: Bounds; readonly seed?: number | undefined },
  known: readonly string[],
): void {
  checkCount(count);
  checkOptions(options, ['bounds', 'seed', ...known]);
  const { bounds, seed = 1 } = options;
  checkObject(bounds, 'bounds', 'an object with mins and maxs');
  checkBounds(bounds.mins, bounds.maxs);
  checkWhole(seed, 'seed', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
}

/** Whether a value is a tracer. */
export const isTracer = (value: unknown): value is Tracer =>
  typeof (value as Partial<Tracer> | null | undefined)?.trace === 'function';

/** Throws `TypeError` for a callback that is given but is not a function. */
export function checkOptionalCallback(value: unknown, name: string): void {
  if (value !== undefined) checkCallback(value, name);
}

/** Throws `TypeError` for anything but a function, `RangeError` if its `atOnce` is below 1. */
export function checkRunner(run: Asked, name: string): void {
  checkCallback(run, name);
  const { atOnce } = run;
  if (atOnce !== undefined && atOnce !== Infinity) checkWholeFrom(atOnce, `${name}.atOnce`, 1);
}

/** {@link checkRunner} for one that may be left out. */
export function checkOptionalRunner(run: Asked | undefined, name: string): void {
  if (run !== undefined) checkRunner(run, name);
}

/**
 * The number of queries. Throws `TypeError` for anything but a `Float32Array`, `RangeError` for no queries or an incomplete one.
 */
export function checkQueries(queries: Float32Array): number {
  const wanted = 'a Float32Array of six numbers per query';
  checkKind(isArrayOf(queries, Float32Array), queries, 'queries', wanted);
  if (queries.length === 0 || queries.length % 6 !== 0) {
    throw new RangeError(`queries must hold six numbers per query, got ${queries.length} numbers`);
  }
  return queries.length / 6;
}
