import { count } from '@bspkit/words';
import { InvalidArgumentError } from 'commander';
import { listed } from './numbers.ts';
import { printable } from './printable.ts';

/** Parsers of option arguments. They throw commander's `InvalidArgumentError`, to which it adds the option's name. */

export type Numbers = readonly number[];
export type Point = readonly [number, number, number];

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** A number that is finite as a float32. */
export function parseNumber(text: string): number {
  const number = Number(text);
  const quoted = `'${printable(text, 60)}'`;
  if (!NUMBER.test(text.trim())) throw new InvalidArgumentError(`${quoted} is not a number.`);
  if (!Number.isFinite(Math.fround(number))) {
    throw new InvalidArgumentError(`${quoted} is too large: numbers go up to 3.4e38, as float32.`);
  }
  return number;
}

/** A number above 0, finite as a float32. */
export function parsePositive(text: string): number {
  const number = parseNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be more than 0.');
}

/** Makes a parser of numbers from `least` to `most`. */
export const numberBetween =
  (least: number, most: number): ((text: string) => number) =>
  (text) => {
    const number = parseNumber(text);
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most.toLocaleString('en')}.`);
  };

/** Makes a parser of whole numbers from `least` to `most`. */
export const wholeBetween =
  (least: number, most: number): ((text: string) => number) =>
  (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text.trim()) || number < least || number > most) {
      const range = `from ${least} to ${most.toLocaleString('en')}`;
      throw new InvalidArgumentError(`It must be a whole number ${range}.`);
    }
    return number;
  };

/** Makes a parser of whole numbers from 0 to `most`. */
export const wholeUpTo = (most: number): ((text: string) => number) => wholeBetween(0, most);

/** A share of a whole: a number from 0 to 1. */
export const parseShare: (text: string) => number = numberBetween(0, 1);

/** A whole number of 32 bits, 0 or more. */
export const parseCount: (text: string) => number = wholeUpTo(0xffffffff);

/** Numbers between commas or spaces; `isEnough` says whether there are the right number of them. */
function parseNumbers(text: string, needed: string, isEnough: (length: number) => boolean): Numbers {
  const numbers = text
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(parseNumber);
  if (isEnough(numbers.length)) return numbers;
  // Some shells split at commas and make separate words of the parts.
  const advice = numbers.length === 1 ? '; quotes keep them together' : '';
  const problem = `It has ${count(numbers.length, 'number')}, but needs ${needed}`;
  throw new InvalidArgumentError(`${problem}${advice}.`);
}

/** As many numbers as one of `counts` says. */
const parseSome = (text: string, ...counts: number[]): Numbers =>
  parseNumbers(text, listed(counts.map(String), 'or'), (length) => counts.includes(length));

export function parsePoint(text: string): Point {
  return parseSome(text, 3) as Point;
}

/** A point, or one for each of several models; how many is only known with the map. */
export function parsePoints(text: string): Numbers {
  return parseNumbers(text, '3, or 3 for each of several models', (length) => length % 3 === 0);
}

/** A box by two corners: six numbers. */
export function parseBox(text: string): Numbers {
  return parseSome(text, 6);
}

/** A capsule by radius and height, or by the two corners of the box around it. */
export function parseCapsule(text: string): Numbers {
  return parseSome(text, 2, 6);
}

/** Some boxes, each by two corners. */
export function parseBoxes(text: string): Numbers {
  return parseNumbers(text, '6 for each box', (length) => length % 6 === 0);
}
