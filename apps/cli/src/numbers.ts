import { float32Cell } from '@bspkit/core/format';
import { show } from '@bspkit/words';

/** Numbers for programs: with digits that read back as the same float32. */
export function cells(vec: ArrayLike<number>): number[] {
  return Array.from(vec, float32Cell);
}

/** A number of bytes for people, in units of 1,000, as the units' names say. */
export function showBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let unit = 0;
  // What would be rounded to a thousand is shown as one of the next unit.
  while (bytes >= 999.5 && unit < units.length - 1) {
    bytes /= 1000;
    unit++;
  }
  return `${show(bytes, unit === 0 || bytes >= 100 ? 0 : 1)} ${units[unit]}`;
}

/** A duration for people, from milliseconds. What would be rounded to one of the next unit is shown in that. */
export function showTime(milliseconds: number): string {
  if (milliseconds < 0.9995) return `${show(milliseconds * 1000, 0)} µs`;
  if (milliseconds < 99.95) return `${show(milliseconds, 1)} ms`;
  if (milliseconds < 999.5) return `${show(milliseconds, 0)} ms`;
  if (milliseconds < 59_950) return `${show(milliseconds / 1000, 1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A small count in words: `three games`. */
export function countInWords(number: number, one: string): string {
  return `${WORDS[number] ?? number.toLocaleString('en')} ${number === 1 ? one : `${one}s`}`;
}

/** A list as part of a sentence: `a, b and c`. */
export function listed(items: readonly string[], and = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`;
}
