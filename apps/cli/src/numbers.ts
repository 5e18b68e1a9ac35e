import type { Vec3 } from '@bspkit/core';
import { float32Cell } from '@bspkit/core/format';

/** A number for people: up to `digits` places after the point, no tail of zeros. */
export function show(value: number, digits = 4): string {
  // From here on toFixed gives powers of ten, which end in zeros that count.
  if (Math.abs(value) >= 1e21) return String(Number(value.toPrecision(6)));
  const text = value.toFixed(digits);
  const short = digits > 0 ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}

/** A point, direction or size for people. */
export function showVec(vec: Vec3, digits = 4): string {
  return [0, 1, 2].map((k) => show(vec[k]!, digits)).join(' ');
}

/** Numbers for machines: digits that read back as the same float32. */
export function cells(vec: ArrayLike<number>): number[] {
  return Array.from(vec, float32Cell);
}

/** A count with its noun: `1 brush`, `2 brushes`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** A number of bytes for people. */
export function showBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) {
    bytes /= 1024;
    unit++;
  }
  return `${show(bytes, unit === 0 || bytes >= 100 ? 0 : 1)} ${units[unit]}`;
}

/** A duration for people, from milliseconds. */
export function showTime(milliseconds: number): string {
  if (milliseconds < 1) return `${show(milliseconds * 1000, 0)} µs`;
  if (milliseconds < 100) return `${show(milliseconds, 1)} ms`;
  if (milliseconds < 1000) return `${show(milliseconds, 0)} ms`;
  if (milliseconds < 60_000) return `${show(milliseconds / 1000, 1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A small count in words: `three games`. */
export function countInWords(number: number, one: string): string {
  return `${WORDS[number] ?? number.toLocaleString('en')} ${number === 1 ? one : `${one}s`}`;
}

/** A list as a sentence has it: `a, b and c`. */
export function listed(items: readonly string[], and = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`;
}
