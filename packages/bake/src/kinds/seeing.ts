import {
  checkNames,
  givenNumber,
  numberOf,
  POINTS_NAMES,
  type PointsParameters,
  pointsParameters,
} from '../check.ts';
import type { BakeParameters } from '../job.ts';
import { type BakeTracer, checkTracerParameter } from '../tracer.ts';

/** Options of jobs that ask which points see which. */
export interface SightParameters extends PointsParameters {
  /** The tracer; by default the format's line of sight. */
  readonly tracer: BakeTracer | undefined;
  /** Height of the eye above its point, in Quake units; 0 by default. What is looked at is the point itself. */
  readonly eye: number;
  /** How far points see, in Quake units; unlimited by default. */
  readonly distance: number | undefined;
}

/** Checks parameters as {@link SightParameters}. Throws RangeError or TypeError naming what is wrong. */
export function checkSight(parameters: BakeParameters): SightParameters {
  checkNames(parameters, ['tracer', 'eye', 'distance', ...POINTS_NAMES]);
  return {
    tracer: checkTracerParameter(parameters.tracer, 'tracer'),
    eye: numberOf(parameters, 'eye', 0),
    distance: givenNumber(parameters, 'distance', 0, 2 ** 24),
    ...pointsParameters(parameters),
  };
}
