import type { Explanation, Shape, Trace, Tracer, Vec3 } from '@bspkit/core';

/** One of the tracers that are compared. */
export interface CompareEntry {
  /** What the report calls it; no two alike. */
  readonly name: string;
  readonly tracer: Tracer;
  /** Tells how the tracer comes to an answer: its steps are counted as work, apart from the timing. */
  readonly explain?: ((start: Vec3, end: Vec3) => Pick<Explanation, 'steps'>) | undefined;
}

/** In what an answer differs from the first tracer's. */
export type DifferenceKind =
  /** One was stopped on its way and the other was not. */
  | 'hit'
  /** Both or neither were, but not as far along. */
  | 'fraction'
  /** Both were stopped, by sides that are not the same. */
  | 'side'
  | 'startSolid'
  | 'allSolid';

/** All of them, in the order of the report. */
export const DIFFERENCE_KINDS: readonly DifferenceKind[] = [
  'hit',
  'fraction',
  'side',
  'startSolid',
  'allSolid',
];

/** Three numbers, plain so that a report is JSON as it stands. */
export type Numbers3 = readonly [number, number, number];

/** An answer as reports keep it: the fields of `Trace` of these names. */
export type Answer = Omit<Trace, 'endPos' | 'normal'> & {
  readonly endPos: Numbers3;
  readonly normal: Numbers3;
};

/** A query that two tracers answered differently. */
export interface Difference {
  /** Number of the query. */
  readonly query: number;
  readonly start: Numbers3;
  readonly end: Numbers3;
  readonly kinds: readonly DifferenceKind[];
  /**
   * How far apart the two ends are, in Quake units: across the surface when both were stopped by sides that look the
   * same way, else along the move.
   */
  readonly gap: number;
  readonly first: Answer;
  readonly own: Answer;
}

/** How a tracer's answers compare with the first one's. */
export interface Agreement {
  /** Queries answered alike, and their share of all: 0 to 1. */
  readonly agreed: number;
  readonly share: number;
  /** Queries that differ in each way; one may differ in several. */
  readonly differ: Readonly<Record<DifferenceKind, number>>;
  /** {@link Difference.gap} of all queries, moves wholly in solid left out. */
  readonly gap: { readonly mean: number; readonly max: number };
  /** The differences with the widest gaps, widest first; those without a gap by their number. */
  readonly worst: readonly Difference[];
}

/** Nanoseconds a query, over rounds: the middle one, the quartiles around it, the fastest and the slowest. */
export interface Timing {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: number;
  /** How many times faster than the first tracer: the middle of the rounds' ratios. */
  readonly speed: number;
}

/** Steps a query on average, as the tracer's `explain` tells them. */
export interface Work {
  /** Queries explained. */
  readonly queries: number;
  readonly nodes: number;
  readonly leafs: number;
  /** Brushes that were tested, those seen before in the same trace left out. */
  readonly brushes: number;
  /** Sides of brushes and planes of facets. */
  readonly sides: number;
  /** Facets of curved patches. */
  readonly facets: number;
}

/** What was found about one tracer. */
export interface TracerReport {
  readonly name: string;
  /** What it moves, its sizes as plain arrays. */
  readonly shape: Shape;
  /** Queries that were stopped on their way: fraction below 1. */
  readonly hits: number;
  readonly startSolid: number;
  readonly allSolid: number;
  /** With the first tracer; the first agrees with itself. */
  readonly agreement: Agreement;
  /** Absent where timing was switched off. */
  readonly time?: Timing;
  /** Absent without `explain`. */
  readonly work?: Work;
}

/** What {@link compare} found: plain data. */
export interface Comparison {
  readonly queries: number;
  readonly tolerance: number;
  readonly distance: number;
  readonly sides: SideRule;
  readonly tracers: readonly TracerReport[];
}

/** By what two sides are the same: the direction of their normals, or all their numbers in the file. */
export type SideRule = 'normal' | 'number';
