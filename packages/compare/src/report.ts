import type { Explanation, Shape, Trace, Tracer, Vec3 } from '@bspkit/core';
import type { Measured, MeasureOptions, Perhaps } from './measure.ts';
import type { Asked } from './timing.ts';

/** One of the tracers that are compared. */
export interface CompareEntry {
  /** Its name in the report; each must be different. */
  readonly name: string;
  readonly tracer: Tracer;
  /** Returns the steps to the tracer's answer, which are counted as work, separately from the timing. */
  readonly explain?: ((start: Vec3, end: Vec3) => Pick<Explanation, 'steps'>) | undefined;
  /**
   * What is timed, if that is not `tracer` itself: for libraries with answers of their own, so that converting these to traces is
   * not charged to them. It must answer the same queries.
   */
  readonly run?: QueryRunner | undefined;
}

/**
 * Answers queries `first` to `last - 1` of `queries`, six numbers each. Returns a number that depends on every answer
 * (the sum of the fractions, say), so that no compiler can leave any of them out.
 */
export type QueryRunner = ((queries: Float32Array, first: number, last: number) => number) & Asked;

/** How an answer differs from the first tracer's. */
export type DifferenceKind =
  /** One was stopped on its way and the other was not. */
  | 'hit'
  /** Both or neither were, but at different fractions. */
  | 'fraction'
  /** Both were stopped, by sides that are not the same. */
  | 'side'
  | 'startSolid'
  | 'allSolid';

/** All kinds of differences, in the order of the report. */
export const DIFFERENCE_KINDS: readonly DifferenceKind[] = [
  'hit',
  'fraction',
  'side',
  'startSolid',
  'allSolid',
];

/** Three numbers in a plain array, so that a report is valid JSON. */
export type Numbers3 = readonly [number, number, number];

/** A vector as plain numbers, copied now. */
export const plain = (vector: Vec3): Numbers3 => [vector[0]!, vector[1]!, vector[2]!];

/** A shape with its sizes as plain numbers, copied now. */
export function plainShape(shape: Shape): Shape {
  if (shape.kind === 'box' || shape.kind === 'capsule') {
    return { kind: shape.kind, mins: plain(shape.mins), maxs: plain(shape.maxs) };
  }
  if (shape.kind === 'ellipsoid') return { kind: 'ellipsoid', radii: plain(shape.radii) };
  return { ...shape };
}

/** An answer as reports keep it: with the fields of `Trace` of the same names. */
export type Answer = Omit<Trace, 'endPos' | 'normal'> & {
  readonly endPos: Numbers3;
  readonly normal: Numbers3;
};

/** A query that two tracers answered differently. */
export interface Difference {
  /** Number of the query. */
  readonly query: number;
  /** Where the query's move starts, in Quake units. */
  readonly start: Numbers3;
  /** Where the query's move ends, in Quake units. */
  readonly end: Numbers3;
  /** All ways in which the two answers differ. */
  readonly kinds: readonly DifferenceKind[];
  /**
   * How far apart the two ends are, in Quake units: across the surface when both were stopped by sides that face the
   * same way, otherwise along the move.
   */
  readonly gap: number;
  /** What the first tracer answered. */
  readonly first: Answer;
  /** What this tracer answered. */
  readonly own: Answer;
}

/** How a tracer's answers compare with the first one's. */
export interface Agreement {
  /** Queries with the same answer; `share` is their share of all, 0 to 1. */
  readonly agreed: number;
  readonly share: number;
  /** Queries that differ in each way; one may differ in several. */
  readonly differ: Readonly<Record<DifferenceKind, number>>;
  /** {@link Difference.gap} over all queries, except moves wholly in solid. */
  readonly gap: { readonly mean: number; readonly max: number };
  /** The differences with the widest gaps, widest first; those without a gap by their number. */
  readonly worst: readonly Difference[];
}

/** Nanoseconds per query, over rounds. */
export interface Timing {
  /** Of the median round. */
  readonly median: number;
  /** The lower quartile: a quarter of the rounds were faster. */
  readonly low: number;
  /** The upper quartile: a quarter of the rounds were slower. */
  readonly high: number;
  /** Of the fastest round. */
  readonly min: number;
  /** Of the slowest round. */
  readonly max: number;
  /** How many rounds were timed. */
  readonly rounds: number;
  /** How many times faster than the first tracer: the median of the rounds' ratios. */
  readonly speed: number;
}

/** Average steps per query, as reported by the tracer's `explain`. */
export interface Work {
  /** Queries explained: without those whose explanations would be too long. */
  readonly queries: number;
  readonly nodes: number;
  readonly leafs: number;
  /** Brushes that were tested, except those seen before in the same trace. */
  readonly brushes: number;
  /** Sides of brushes, and planes of facets and polygons. */
  readonly sides: number;
  /** Facets of curved patches. */
  readonly facets: number;
  /** Polygons, by methods that know no brushes. */
  readonly polygons: number;
  /** Faces, edges and corners of polygons. */
  readonly features: number;
}

/** What {@link Work} counts. */
export type WorkKind = Exclude<keyof Work, 'queries'>;

/** All that {@link Work} counts, in the order of the report. */
export const WORK_KINDS: readonly WorkKind[] = [
  'nodes',
  'leafs',
  'brushes',
  'sides',
  'facets',
  'polygons',
  'features',
];

/** What the answers of one tracer show. */
export interface TracerAnswers {
  readonly name: string;
  /** What it moves, its sizes as plain arrays. */
  readonly shape: Shape;
  /** Queries that were stopped on their way: fraction below 1. */
  readonly hits: number;
  readonly startSolid: number;
  readonly allSolid: number;
  /** With the first tracer; the first agrees with itself. */
  readonly agreement: Agreement;
}

interface WorkPart {
  /** Absent without `explain`. */
  readonly work: Work;
}

/** What was found about one tracer. Fields that the types of its entry and of the options require are always there. */
export type TracerReport<
  E extends CompareEntry = CompareEntry,
  O extends MeasureOptions = MeasureOptions,
> = TracerAnswers &
  Measured<O> &
  (E extends { readonly explain: NonNullable<CompareEntry['explain']> } ? WorkPart : Perhaps<WorkPart>);

/** What {@link compare} found: plain data, with a report for each entry. */
export interface Comparison<
  E extends readonly CompareEntry[] = readonly CompareEntry[],
  O extends MeasureOptions = MeasureOptions,
> {
  readonly queries: number;
  readonly tolerance: number;
  readonly distance: number;
  readonly sides: SideRule;
  readonly tracers: { readonly [K in keyof E]: TracerReport<E[K], O> };
}

/**
 * When two sides are the same: when their normals have the same direction, when all their numbers in the file are the
 * same, or always.
 */
export type SideRule = (typeof SIDE_RULES)[number];

/** All rules, the default first. */
export const SIDE_RULES = ['normal', 'number', 'any'] as const;
