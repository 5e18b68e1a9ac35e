import type { MotionName, ShapeName } from './queries/shapes.ts';

/** Times of one peer on one series of queries, in nanoseconds a query. */
export interface Timing {
  readonly peer: string;
  /** Every timed run, in order. */
  readonly runs: readonly number[];
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
  /** Bytes allocated a query. */
  readonly allocated: number;
  /** Part of the queries that hit something. */
  readonly hits: number;
  /** Part of the queries on which this peer and the first one agree; 1 for the first. */
  readonly agreement: number;
}

/** One series: a shape moved along one set of queries. */
export interface Series {
  readonly shape: ShapeName;
  readonly motion: MotionName | 'golden';
  readonly queries: number;
  /** By peer; the first is the one that others are compared with. */
  readonly timings: readonly Timing[];
}

/** What it costs to have a map ready. */
export interface LoadResult {
  /** Bytes to world in a fresh process, in milliseconds; undefined where no process was started for it. */
  readonly coldMs: number | undefined;
  /** The same once more, median of many. */
  readonly warmMs: number;
  /** Bytes of the file's lumps that describe brushes and their tree. */
  readonly brushLumps: number;
  /** Those, and the others that an engine reads for collision: entities, visibility, surfaces and vertexes. */
  readonly collisionLumps: number;
  /** Bytes of the world's one buffer. */
  readonly worldBytes: number;
}

/** What a peer needs to be ready. */
export interface PeerBuild {
  readonly peer: string;
  readonly buildMs: number;
  readonly builtFrom: 'bytes' | 'triangles';
  readonly bytes: number | undefined;
}

export interface MapResult {
  readonly map: string;
  readonly triangles: number;
  readonly load: LoadResult;
  readonly builds: readonly PeerBuild[];
  readonly series: readonly Series[];
}

/** Everything one run of the benchmark found. */
export interface Report {
  readonly cpu: string;
  readonly node: string;
  readonly clock: 'cpu' | 'wall';
  readonly seed: number;
  readonly runs: number;
  readonly maps: readonly MapResult[];
}

/** How many times as long as the first peer another takes. */
export function ratio(series: Series, timing: Timing): number {
  return timing.median / series.timings[0]!.median;
}
