import type { TracerReport } from '@bspkit/compare';
import type { ClockName } from './clock.ts';
import type { ColdStart } from './cold.ts';
import type { MoveSeries } from './movement/measure.ts';
import type { MotionName } from './queries/motions.ts';
import type { ThreadResult } from './threads.ts';

/** One series: a shape moved along one set of queries. */
export interface Series {
  /** Its name among the format's presets. */
  readonly shape: string;
  readonly motion: MotionName | 'golden';
  readonly queries: number;
  /** Answers, times and allocation by library; the first is the baseline. */
  readonly peers: readonly TracerReport[];
}

/** What it costs to have a map ready. */
export interface LoadResult {
  /** Undefined if no process was started for it. */
  readonly cold: ColdStart | undefined;
  /** From bytes to a world in this process, in milliseconds, median of several. */
  readonly warmMs: number;
  /** Bytes of the file's lumps that the world is made from. */
  readonly lumps: number;
  /** Bytes of the world's one buffer. */
  readonly world: number;
}

/** What a library needs to be ready. */
interface PeerBuild {
  readonly peer: string;
  readonly buildMs: number | undefined;
  readonly builtFrom: 'bytes' | 'triangles' | 'world';
  readonly bytes: number | undefined;
}

export interface MapResult {
  readonly map: string;
  /** What triangle libraries get for the first shape; 0 for a format that keeps no brushes to make them from. */
  readonly triangles: number;
  /** Why there is no native yardstick, if one was requested. */
  readonly withoutNative: string | undefined;
  readonly load: LoadResult;
  readonly builds: readonly PeerBuild[];
  readonly series: readonly Series[];
  /** Moves of players; undefined for games without players here. */
  readonly moves?: MoveSeries | undefined;
  /** Batches of rays in pools; undefined if they were not requested. */
  readonly threads?: ThreadResult | undefined;
}

/** Everything that one run of the benchmark found. */
export interface Report {
  /** The day on which it was measured, as `2026-01-31`. */
  readonly date: string;
  readonly cpu: string;
  readonly node: string;
  readonly clock: ClockName;
  readonly seed: number;
  readonly rounds: number;
  /** How many processes measured, one after the other. */
  readonly processes: number;
  readonly maps: readonly MapResult[];
}

/** Whether a value is a report, as far as everything that is written about one needs it. */
export function isReport(value: unknown): value is Report {
  const { cpu, node, maps } = (value ?? {}) as Partial<Report>;
  return (
    typeof cpu === 'string' && typeof node === 'string' && isListOf(maps, isMapResult) && maps.length > 0
  );
}

const isListOf = <T>(list: readonly T[] | undefined, isItem: (item: Partial<T>) => boolean): list is T[] =>
  Array.isArray(list) && list.every((item) => isItem(item ?? {}));

const isMapResult = ({ map, load, builds, series, moves }: Partial<MapResult>): boolean =>
  typeof map === 'string' &&
  typeof load?.warmMs === 'number' &&
  isListOf(builds, ({ peer }) => typeof peer === 'string') &&
  isListOf(series, ({ peers }) => areTimed(peers)) &&
  (moves === undefined || areTimed(moves.peers));

const areTimed = (peers: readonly Pick<TracerReport, 'name' | 'time'>[] | undefined): boolean =>
  isListOf(peers, ({ name, time }) => typeof name === 'string' && typeof time?.median === 'number') &&
  peers.length > 0;

/** How many times as long as the first library another one takes. */
export function ratio({ peers }: Series, { time }: TracerReport): number {
  return time!.median / peers[0]!.time!.median;
}

/** Names of the peers that appear anywhere in a report, in the order they came. */
export function peerNames(report: Report): string[] {
  return [...new Set(report.maps.flatMap(({ builds }) => builds.map(({ peer }) => peer)))];
}
