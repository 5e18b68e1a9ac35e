import { checkFinite, checkOptions, checkPoint, checkWhole } from '@bspkit/core/format';
import type { BakeParameters } from './job.ts';

// Checks of parameters. They throw RangeError or TypeError naming the parameter.

/** A number of `least .. most`; `other` when it is left out. */
export function numberOf(
  parameters: BakeParameters,
  name: string,
  other: number,
  least: number = -Infinity,
  most: number = Infinity,
): number {
  const value = parameters[name] ?? other;
  checkFinite(value as number, name);
  if ((value as number) >= least && (value as number) <= most) return value as number;
  const range = most === Infinity ? `${least} or more` : `from ${least} to ${most}`;
  throw new RangeError(`${name} must be ${range}, got ${value}`);
}

/** A whole number of `least .. most`; `other` when it is left out. */
export function wholeOf(
  parameters: BakeParameters,
  name: string,
  other: number,
  least: number,
  most: number,
): number {
  const value = parameters[name] ?? other;
  checkWhole(value as number, name, least, most);
  return value as number;
}

/** Three numbers. */
export function vectorOf(parameters: BakeParameters, name: string): readonly number[] {
  const value = parameters[name];
  checkPoint(value as readonly number[], name);
  return Array.from(value as readonly number[]);
}

/** Throws for a parameter that the kind does not have. */
export function checkNames(parameters: BakeParameters, known: readonly string[]): void {
  checkOptions(parameters, known, 'parameters');
}
