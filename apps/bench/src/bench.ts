import { cpus } from 'node:os';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { compareAnswers } from './agreement.ts';
import { measureLoad } from './load.ts';
import type { BenchMap } from './maps.ts';
import { bytesPerQuery, type ClockName, median, timeInTurns } from './measure.ts';
import type { Peer } from './peers/peer.ts';
import { createPeers, type PeerName } from './peers/peers.ts';
import { goldenQueriesFor, queriesFor } from './queries/for-map.ts';
import { type MotionName, SHAPES, type ShapeName } from './queries/shapes.ts';
import type { MapResult, Report, Series, Timing } from './result.ts';
import { quake3Triangles } from './triangles/quake3.ts';

/** What to measure and how often. */
export interface BenchOptions {
  readonly shapes: readonly ShapeName[];
  readonly motions: readonly (MotionName | 'golden')[];
  readonly peers: readonly PeerName[];
  /** Distinct queries a series. */
  readonly queries: number;
  /** Timed runs a peer. */
  readonly runs: number;
  readonly seed: number;
  readonly clock: ClockName;
  /** Milliseconds that a fresh process takes to load a map; left out of the report without this. */
  readonly coldLoad?: (map: string) => number;
  /** Called before each map and series with what comes next. */
  readonly onProgress?: (what: string) => void;
}

/** Measures every map in turn. */
export async function runBench(
  maps: readonly string[],
  open: (name: string) => BenchMap,
  options: BenchOptions,
): Promise<Report> {
  const results: MapResult[] = [];
  for (const name of maps) results.push(await measureMap(name, open(name), options));
  const { clock, seed, runs } = options;
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.version,
    clock,
    seed,
    runs,
    maps: results,
  };
}

async function measureMap(argument: string, map: BenchMap, options: BenchOptions): Promise<MapResult> {
  options.onProgress?.(`${map.name}: loading`);
  const file = readQuake3(map.bytes);
  const world = createQuake3World(file);
  const soup = quake3Triangles(file, world);
  const { peers, free } = await createPeers(options.peers, map.bytes, soup);
  try {
    const series: Series[] = [];
    for (const motion of options.motions) {
      if (motion === 'golden' && !map.golden) continue;
      const segments =
        motion === 'golden'
          ? goldenQueriesFor(world, map.golden!, options.queries)
          : queriesFor(file, world, motion, options.queries, options.seed);
      if (segments.length === 0) throw new RangeError(`${map.name} has no open space to begin in`);
      for (const shape of options.shapes) {
        options.onProgress?.(`${map.name}: ${shape}, ${motion}`);
        const measured = measureSeries(peers, shape, motion, segments, options);
        if (measured.timings.length > 0) series.push(measured);
      }
    }
    return {
      map: map.name,
      triangles: soup.triangles,
      load: measureLoad(map.bytes, options.coldLoad?.(argument)),
      builds: peers.map(({ name, buildMs, builtFrom, bytes }) => ({ peer: name, buildMs, builtFrom, bytes })),
      series,
    };
  } finally {
    free();
  }
}

function measureSeries(
  peers: readonly Peer[],
  shape: ShapeName,
  motion: Series['motion'],
  segments: Float32Array,
  { runs, clock }: BenchOptions,
): Series {
  const able = peers.flatMap((peer) => {
    const way = peer.prepare(SHAPES[shape]);
    return way ? [{ name: peer.name, way }] : [];
  });
  const ways = able.map(({ way }) => way);
  const times = timeInTurns(ways, segments, runs, clock);
  const agreements = compareAnswers(ways, segments);
  const timings = able.map(
    ({ name, way }, k): Timing => ({
      peer: name,
      runs: times[k]!,
      median: median(times[k]!),
      least: Math.min(...times[k]!),
      greatest: Math.max(...times[k]!),
      allocated: bytesPerQuery(way, segments),
      ...agreements[k]!,
    }),
  );
  return { shape, motion, queries: segments.length / 6, timings };
}
