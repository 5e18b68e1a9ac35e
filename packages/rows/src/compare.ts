import type { Cell, Row } from './table.ts';

/** Whether two cells are the same float32 or the same integer, sign of zero included. */
export function sameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Object.is(Math.fround(a), Math.fround(b));
  return a === b;
}

/** The first place among `places` where two rows differ; -1 when they agree. */
export function firstDifference(expected: Row, actual: Row, places: readonly number[]): number {
  for (const place of places) if (!sameCell(expected[place], actual[place])) return place;
  return -1;
}

/** {@link sameCell} for anything that JSON can hold. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') {
    return sameCell(a as Cell, b as Cell);
  }
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key) => sameValue((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}
