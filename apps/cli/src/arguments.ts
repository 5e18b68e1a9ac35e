import { InvalidArgumentError } from 'commander';

/** Parsers of option arguments. They throw commander's `InvalidArgumentError`, which names the option. */

export type Numbers = readonly number[];
export type Point = readonly [number, number, number];

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** A number that is finite as a float32. */
export function parseNumber(text: string): number {
  const number = Number(text);
  if (!NUMBER.test(text.trim()) || !Number.isFinite(Math.fround(number))) {
    throw new InvalidArgumentError(`'${text}' is not a number.`);
  }
  return number;
}

/** A whole number, 0 or more. */
export function parseCount(text: string): number {
  if (!/^\d+$/.test(text.trim())) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** Numbers between commas or spaces, as many as one of `counts`. */
function parseNumbers(text: string, ...counts: number[]): Numbers {
  const numbers = text
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(parseNumber);
  if (!counts.includes(numbers.length)) {
    throw new InvalidArgumentError(`It has ${numbers.length} numbers, but needs ${counts.join(' or ')}.`);
  }
  return numbers;
}

export function parsePoint(text: string): Point {
  return parseNumbers(text, 3) as Point;
}

/** A box by two corners: six numbers. */
export function parseBox(text: string): Numbers {
  return parseNumbers(text, 6);
}

/** A capsule by radius and height, or by the two corners of the box around it. */
export function parseCapsule(text: string): Numbers {
  return parseNumbers(text, 2, 6);
}

/** Some boxes, each by two corners. */
export function parseBoxes(text: string): Numbers {
  return parseNumbers(text, 6, 12, 18, 24);
}
