/**
 * Whether two cells are the same: numbers as float32, including the sign of zero; lists and objects part by part. Contents are bits
 * of which a float32 keeps 24, so whole numbers of 32 bits are compared exactly, unless they are what rows have for a float32.
 */
export function sameCell(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return (
      Object.is(Math.fround(a), Math.fround(b)) &&
      (a === b || !isBits(a) || !isBits(b) || (isFloat(a) && isFloat(b)))
    );
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

/** Whether a number is a float32, or the nine digits of one. */
function isFloat(value: number): boolean {
  const float = Math.fround(value);
  return value === float || value === Number(float.toPrecision(9));
}
