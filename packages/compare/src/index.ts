export { type CompareOptions, compare } from './compare.ts';
export type { OpenSpace, OpenTest } from './open-space.ts';
export { type PlayerOptions, playerQueries } from './player-queries.ts';
export {
  type OpenOptions,
  openQueries,
  type PlaneOptions,
  planeQueries,
  type SeedOption,
  type UniformOptions,
  uniformQueries,
} from './queries.ts';
export {
  type Agreement,
  type Answer,
  type CompareEntry,
  type Comparison,
  DIFFERENCE_KINDS,
  type Difference,
  type DifferenceKind,
  type Numbers3,
  type SideRule,
  type Timing,
  type TracerReport,
  type Work,
} from './report.ts';
export type { Clock } from './timing.ts';
export {
  type ComparisonColumn,
  type ComparisonTable,
  comparisonJson,
  comparisonMarkdown,
  comparisonTable,
  differenceText,
  showShare,
} from './write.ts';
