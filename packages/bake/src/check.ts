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

/** What jobs about points say of them for whoever draws them; answers do not depend on it. */
export interface PointsParameters {
  /** How far apart they are, in Quake units. */
  readonly step: number | undefined;
  /** How far below them the floor is, in Quake units: for points in the middle of who stands there. */
  readonly floor: number | undefined;
}

export const POINTS_NAMES: readonly string[] = ['step', 'floor'] satisfies (keyof PointsParameters)[];

/** The parameters of {@link POINTS_NAMES}. */
export function pointsParameters(parameters: BakeParameters): PointsParameters {
  const { step, floor } = parameters;
  return {
    step: step === undefined ? undefined : numberOf(parameters, 'step', 0, 2 ** -10, 2 ** 24),
    floor: floor === undefined ? undefined : numberOf(parameters, 'floor', 0, -(2 ** 24), 2 ** 24),
  };
}

/** Throws for a parameter that the kind does not have. */
export function checkNames(parameters: BakeParameters, known: readonly string[]): void {
  checkOptions(parameters, known, 'parameters');
}
