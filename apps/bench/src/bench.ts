import { cpus } from 'node:os';
import { compare, measure, type TracerReport } from '@bspkit/compare';
import type { BspWorld } from '@bspkit/core';
import type { MapInfo } from '@bspkit/core/format';
import type { ShapeNames } from './beforehand.ts';
import { CLOCKS, type ClockName, heapUsed, onAllProcessors, onOneProcessor } from './clock.ts';
import type { ColdStart } from './cold.ts';
import { measureLoad } from './load.ts';
import type { BenchMap } from './maps.ts';
import { MOVES, type MoveSeries, measureMoves, playersOf } from './movement/measure.ts';
import type { Isolate } from './peers/isolate.ts';
import { type Peer, runOf } from './peers/peer.ts';
import { createPeers, type PeerName } from './peers/peers.ts';
import { type Asked, askedOf, queriesFor } from './queries/for-map.ts';
import { isTest, type MotionName } from './queries/motions.ts';
import type { MapResult, Report, Series } from './result.ts';
import { measuredShapes, playerTracer } from './shapes.ts';
import { measureThreads } from './threads.ts';
import { soupsOf } from './triangles/soup.ts';
import { buildWorld } from './world.ts';

/** What to measure and how often. */
export interface BenchOptions {
  /** Names of shapes; by default those that a map's format has measured. */
  readonly shapes?: readonly string[] | undefined;
  readonly motions: readonly (MotionName | 'golden')[];
  readonly peers: readonly PeerName[];
  /** Distinct queries per series. */
  readonly queries: number;
  /** Timed rounds per library. */
  readonly rounds: number;
  readonly seed: number;
  readonly clock: ClockName;
  /** Starts a new process with a map and times it; without this, the report lacks those figures. */
  readonly coldStart?: (map: string) => ColdStart;
  /** Opens an isolate for a peer, by a map's name; without this, all are timed in this isolate. */
  readonly openIsolate?: (map: string, peer: PeerName, clock: ClockName) => Promise<Isolate>;
  /** Called before each map and series with what comes next. */
  readonly onProgress?: (what: string) => void;
}

/** Hits this close to each other count as the same, in Quake units. */
const SAME_HIT = 0.25;

/** Measures every map in turn. */
export async function runBench(
  maps: readonly string[],
  open: (name: string) => Promise<BenchMap>,
  options: BenchOptions,
): Promise<Report> {
  const results: MapResult[] = [];
  const date = new Date().toISOString().slice(0, 10);
  for (const name of maps) {
    const map = await open(name);
    results.push(await onOneProcessor(() => measureMap(map, options)));
  }
  const { clock, seed, rounds } = options;
  return {
    date,
    cpu: cpus()[0]?.model.trim() || 'unknown',
    node: process.version,
    clock,
    seed,
    rounds,
    processes: 1,
    maps: results,
  };
}

async function measureMap(map: BenchMap, options: BenchOptions): Promise<MapResult> {
  const { name, bytes, format } = map;
  const { queries: count, seed, rounds, clock, coldStart, onProgress = () => {} } = options;
  onProgress(`${name}: loading`);
  const file = format.read(bytes);
  const world = buildWorld(map);
  const isGolden = options.motions.includes('golden');
  let moves: MoveSeries | undefined;
  if (options.shapes?.includes(MOVES) ?? true) {
    onProgress(`${name}: ${MOVES}`);
    // Before any other library runs in this isolate: see peers/isolate.ts.
    const golden = isGolden ? map.moves : undefined;
    const asked = { peers: options.peers, golden, isGolden, count, seed, rounds, clock };
    moves = measureMoves({ format, file, world }, asked);
  }
  const soups = soupsOf(map, world);
  const { peers, withoutNative, free } = await createPeers(
    options.peers,
    { ...map, world, soups },
    clock,
    options.openIsolate && ((peer) => options.openIsolate!(name, peer, clock)),
  );
  const shapes = measuredShapes(format, world).filter(
    ({ preset }) => options.shapes?.includes(preset.name) ?? true,
  );
  try {
    const series: Series[] = [];
    for (const asked of askedOf(format, world, shapes, options.motions, { count, seed }, map.golden)) {
      onProgress(`${name}: ${asked.shape.preset.name}, ${asked.motion}`);
      series.push(...measureSeries(peers, asked, options));
    }
    const rays = shapes.find(({ shape }) => shape.kind === 'ray');
    const isPooled = options.peers.includes('pool') && rays && !isGolden;
    if (isPooled) onProgress(`${name}: threads`);
    const looks = (): Float32Array =>
      queriesFor(world, playerTracer(format, world), { motion: 'long', count, seed });
    const threads =
      isPooled && (await onAllProcessors(() => measureThreads(format, world, rays.preset, looks(), rounds)));
    // A new process begins as for whoever waits for it: on one processor, V8's threads would take turns with what it does.
    const cold = await onAllProcessors(async () => coldStart?.(name));
    return {
      map: name,
      triangles: soups?.first.triangles ?? 0,
      withoutNative,
      load: measureLoad(map, memoryOf(map, world), cold),
      builds: peers.map(({ name, buildMs, builtFrom, bytes }) => ({
        peer: name,
        buildMs,
        builtFrom,
        bytes,
      })),
      series,
      moves,
      ...(threads && { threads }),
    };
  } finally {
    free();
  }
}

/** Names of what can be measured in a world. */
export const namesIn: ShapeNames = (format, world) => [
  ...measuredShapes(format, world).map(({ preset }) => preset.name),
  ...(playersOf(format) ? [MOVES] : []),
];

/** Sizes of a world and of all the lumps that it is made from. */
function memoryOf({ format, bytes, tiles = [] }: BenchMap, world: BspWorld): MapInfo['memory'] {
  const files = tiles.length > 0 ? tiles.map((tile) => tile.bytes) : [bytes];
  const lumps = files.map((file) => format.info(format.read(file), world).memory.lumps);
  return { world: world.data.byteLength, lumps: lumps.reduce((sum, size) => sum + size, 0) };
}

/** Compares the peers that offer a shape; nothing if none does. */
function measureSeries(
  peers: readonly Peer[],
  { shape, motion, queries }: Asked,
  { rounds, clock }: BenchOptions,
): Series[] {
  const ways = peers.flatMap((peer) => {
    const way = peer.prepare(shape);
    const run = way && runOf(way, motion);
    return run ? [{ ...way, name: peer.name, run }] : [];
  });
  if (ways.length === 0) return [];
  const entries = ways.map(({ name, tracer, run }) => ({ name, tracer, run }));
  const { tracers } = compare(entries, queries, {
    ...{ tolerance: 0, distance: SAME_HIT, sides: 'any', worst: 0, rounds: 0 },
  });
  const count = queries.length / 6;
  const runners = ways.map(({ run }) =>
    Object.assign((first: number, last: number) => run(queries, first, last), { atOnce: run.atOnce }),
  );
  const times = measure(runners, count, { rounds, now: CLOCKS[clock] });
  const found = tracers.map((report, k): TracerReport => {
    const heap = (): number => measure([runners[k]!], count, { rounds: 0, heap: heapUsed })[0]!.allocated;
    return { ...report, ...times[k], allocated: ways[k]!.allocated?.(queries, isTest(motion)) ?? heap() };
  });
  return [{ shape: shape.preset.name, motion, queries: count, peers: found }];
}
