import {
  checkArrayOf,
  checkFinite,
  checkKind,
  checkObject,
  checkOptions,
  checkPoint,
  checkWhole,
  checkWholeFrom,
  failArgument,
  showValue,
} from '@bspkit/core/format';
import { BakeError } from './error.ts';
import type { BakeChunk, BakeParameters } from './job.ts';

// Checks of parameters, points and chunks. They throw RangeError or TypeError naming what is wrong.

/** A number of `least .. most`; if it is left out, `other`, without which it is required. */
export function numberOf(
  parameters: BakeParameters,
  name: string,
  other: number | undefined,
  least: number = -Infinity,
  most: number = Infinity,
): number {
  // A parameter that is null is not left out: it might mean anything.
  const { [name]: value = other } = parameters;
  checkFinite(value as number, name);
  if ((value as number) >= least && (value as number) <= most) return value as number;
  const range = most === Infinity ? `${least} or more` : `from ${least} to ${most}`;
  throw new RangeError(`${name} must be ${range}, got ${value}`);
}

/** A number of `least .. most`; `undefined` if it is left out. */
export const givenNumber = (
  parameters: BakeParameters,
  name: string,
  least: number,
  most: number,
): number | undefined =>
  parameters[name] === undefined ? undefined : numberOf(parameters, name, undefined, least, most);

/** A whole number of `least .. most`; `other` if it is left out. */
export function wholeOf(
  parameters: BakeParameters,
  name: string,
  other: number,
  least: number,
  most: number,
): number {
  const { [name]: value = other } = parameters;
  checkWhole(value as number, name, least, most);
  return value as number;
}

/** Throws unless the value is a finite number above 0. */
export function checkPositive(value: number, name: string): void {
  checkFinite(value, name);
  if (value <= 0) failArgument(name, 'more than 0', value);
}

/** Throws unless the value is an array with three finite numbers for each point. */
export function checkPoints(points: ArrayLike<number>, name: string): void {
  const isList = typeof points === 'object' && typeof points?.length === 'number';
  checkKind(isList, points, name, 'an array of numbers');
  if (ArrayBuffer.isView(points)) checkArrayOf(points, points.constructor as Float32ArrayConstructor, name);
  // A list of points has one entry for each, which is what is wrong with it.
  for (let i = 0; i < points.length; i++) {
    const x = points[i]!;
    // There may be millions: only one that is wrong needs a name.
    if (typeof x !== 'number' || !Number.isFinite(Math.fround(x))) checkFinite(x, `${name}[${i}]`);
  }
  if (points.length % 3 > 0) failArgument(name, 'three numbers each', points.length);
}

/** Three numbers. */
export function vectorOf(parameters: BakeParameters, name: string): readonly number[] {
  const value = parameters[name];
  checkPoint(value as readonly number[], name);
  const numbers = Array.from(value as readonly number[]);
  if (numbers.length !== 3) failArgument(name, 'three numbers', numbers.length);
  return numbers;
}

/** What jobs about points say about these for drawing; answers do not depend on it. */
export interface PointsParameters {
  /** How far apart they are, in Quake units. */
  readonly step: number | undefined;
  /** How far below them the floor is, in Quake units: for points at the middle of a standing player. */
  readonly floor: number | undefined;
}

export const POINTS_NAMES: readonly string[] = ['step', 'floor'] satisfies (keyof PointsParameters)[];

/** The parameters of {@link POINTS_NAMES}. */
export const pointsParameters = (parameters: BakeParameters): PointsParameters => ({
  step: givenNumber(parameters, 'step', 2 ** -10, 2 ** 24),
  floor: givenNumber(parameters, 'floor', -(2 ** 24), 2 ** 24),
});

/** Throws for a parameter that the kind does not have. */
export function checkNames(parameters: BakeParameters, known: readonly string[]): void {
  checkOptions(parameters, known, 'parameters');
}

/** Throws `BakeError` (`format`) for the id of a format that is not among these. */
export function checkFormatId(id: string, formats: readonly { readonly id: string }[]): void {
  if (!formats.some((format) => format.id === id))
    throw new BakeError('format', `no such format: ${showValue(id)}; there are ${idsOf(formats)}`);
}

/** Ids of formats, for errors. */
export const idsOf = (formats: readonly { readonly id: string }[]): string =>
  formats.map(({ id }) => id).join(', ');

/** Throws unless the value is a chunk, and if a number is given, the chunk of that number. */
export function checkChunk(chunk: BakeChunk, asked?: number): void {
  checkObject(chunk, 'chunk');
  const { index, first, count, input } = chunk;
  checkWholeFrom(index, 'chunk.index', 0);
  if (asked !== undefined && index !== asked)
    failArgument('chunk.index', `${asked}, as was asked for`, index);
  checkWholeFrom(first, 'chunk.first', 0);
  checkWholeFrom(count, 'chunk.count', 0);
  if (input !== undefined) checkArrayOf(input, Uint8Array, 'chunk.input');
}
