/**
 * Whether two cells are the same: numbers as float32, including the sign of zero, but whole ones of 32 bits exactly, as contents
 * are bits of which a float32 keeps 24; lists and objects part by part.
 */
export function sameCell(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Object.is(Math.fround(a), Math.fround(b)) && (a === b || !isBits(a) || !isBits(b));
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [parts, others] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(parts);
  return (
    keys.length === Object.keys(others).length &&
    keys.every((key) => Object.hasOwn(others, key) && sameCell(parts[key], others[key]))
  );
}

/** Whether a number is whole, with or without a sign, in 32 bits. */
const isBits = (value: number): boolean => value === (value | 0) || value === value >>> 0;
