import type { Vec3 } from '@bspkit/core';

/** A number for people: up to `digits` places after the point, without trailing zeros. */
export function show(value: number, digits = 4): string {
  // From here on, toFixed writes all digits before the point, whose zeros must stay.
  if (Math.abs(value) >= 1e21) return String(Number(value.toPrecision(6)));
  const text = value.toFixed(digits);
  const short = digits > 0 ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}

/** A fraction for people: 1 only for all of it, 0 only for nothing. */
export function showFraction(fraction: number): string {
  const text = show(fraction, 6);
  const isRounded = Number(text) !== fraction && ['0', '1'].includes(text);
  // Nine digits distinguish any float32 from the next one.
  return isRounded ? String(Number(fraction.toPrecision(9))) : text;
}

/** A point, direction or size for people. */
export const showVec = (vec: Vec3, digits = 4): string =>
  [0, 1, 2].map((k) => show(vec[k]!, digits)).join(' ');

/** A count with its noun: `1 brush`, `2 brushes`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** A text with its first letter in upper case. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** `leafContents` as `leaf contents`. */
export const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
