// For users who compare a collider of their own, or write down what they pass: the trace interface is part of this one.
export {
  type Bounds,
  defineTracer,
  type Plane,
  type Polygon,
  type Shape,
  type Trace,
  type TraceField,
  type Tracer,
  type TracerParts,
  type Vec3,
} from '@bspkit/core';
export type { HeapMeter } from './allocation.ts';
export { type CompareOptions, type CompareStage, compare } from './compare.ts';
export {
  entityOrigins,
  type MapQueryOptions,
  mapQueries,
  QUERY_KINDS,
  type QueryKind,
} from './map-queries.ts';
export { type Measured, type MeasureOptions, measure } from './measure.ts';
export type { OpenSpace, OpenTest } from './open-space.ts';
export { type PlayerOptions, playerQueries } from './player-queries.ts';
export {
  type OpenQueryOptions,
  openQueries,
  type PlaneOptions,
  planeQueries,
  type SeedOption,
  type StepQueryOptions,
  stepQueries,
  type UniformOptions,
  uniformQueries,
} from './queries.ts';
export {
  type Agreement,
  type Answer,
  type CompareEntry,
  type Comparison,
  type Difference,
  type DifferenceKind,
  type QueryRunner,
  type SideRule,
  type Timing,
  type TracerAnswers,
  type TracerReport,
  WORK_KINDS,
  type Work,
  type WorkKind,
} from './report.ts';
export { type BatchRunnerOptions, batchRunnerOf, runnerOf } from './runners.ts';
export type { Asked, Clock, Runner } from './timing.ts';
export {
  type ComparisonColumn,
  type ComparisonTable,
  comparisonJson,
  comparisonMarkdown,
  comparisonTable,
  differenceText,
  escapeMarkdown,
  showShare,
} from './write.ts';
