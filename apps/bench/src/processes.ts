import { execFile } from 'node:child_process';
import type { Timing, TracerReport } from '@bspkit/compare';
import type { BenchOptions } from './bench.ts';
import type { ColdStart } from './cold.ts';
import type { MovePeer, MoveSeries } from './movement/measure.ts';
import type { Command } from './options.ts';
import { median, quantile } from './quantile.ts';
import type { MapResult, Report, Series } from './result.ts';
import type { ThreadResult } from './threads.ts';

// V8 now and then compiles code 30 to 50 % worse in one process than in others, for as long as the process lives. So every figure
// is the median over several processes.

/**
 * Measures maps one after the other, each in as many new processes of a program as a command says.
 *
 * @throws (rejects with) RangeError when no map has any of the requested shapes; Error with the output of a process that
 *   failed.
 */
export async function benchInProcesses(
  program: string,
  maps: readonly string[],
  { options, processes }: Pick<Command, 'options' | 'processes'>,
  onProgress: (what: string) => void,
): Promise<Report> {
  const merged: Report[] = [];
  for (const map of maps) {
    const reports: Report[] = [];
    for (let k = 1; k <= processes; k++) {
      onProgress(`${map}: process ${k} of ${processes}`);
      reports.push(await outputOf<Report>(program, partArguments(map, options)));
    }
    merged.push(mergeReports(reports));
  }
  const results = merged.flatMap(({ maps }) => maps);
  if (options.shapes && results.every(({ series, moves }) => series.length === 0 && !moves)) {
    throw new RangeError(`no map has a shape that is called ${options.shapes.join(' or ')}`);
  }
  return { ...merged[0]!, maps: results };
}

/** The arguments of a process that measures one map and prints its report. */
function partArguments(map: string, options: BenchOptions): string[] {
  const { shapes, motions, peers, queries, rounds, seed, clock } = options;
  return [
    ...['--part', '--maps', map, '--peers', peers.join(), '--queries', `${queries}`, '--rounds', `${rounds}`],
    ...['--seed', `${seed}`, '--clock', clock],
    ...(motions.includes('golden') ? ['--golden'] : ['--motions', motions.join()]),
    ...(shapes ? ['--shapes', shapes.join()] : []),
  ];
}

/** Runs a program in a process of its own, and returns the JSON that it prints. */
export function outputOf<T>(program: string, args: readonly string[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'utf8', maxBuffer: 1 << 30 } as const;
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      process.off('exit', kill);
      if (error) reject(new Error(stderr.trim() || error.message));
      else resolve(JSON.parse(stdout) as T);
    });
    const kill = (): boolean => child.kill();
    process.once('exit', kill);
  });
}

/** Merges the reports of several processes, which have all measured the same. */
export function mergeReports(reports: readonly Report[]): Report {
  const [first] = reports;
  if (!first || reports.length === 1) return first!;
  return {
    ...first,
    processes: reports.length,
    maps: first.maps.map((_, map) => mergeMaps(reports.map(({ maps }) => maps[map]!))),
  };
}

function mergeMaps(maps: readonly MapResult[]): MapResult {
  const [first] = maps;
  const loads = maps.map(({ load }) => load);
  const colds = loads.map(({ cold }) => cold).filter((cold) => cold !== undefined);
  const coldMs = (part: keyof ColdStart): number => median(colds.map((cold) => cold[part]));
  return {
    ...first!,
    load: {
      ...first!.load,
      cold:
        colds.length > 0
          ? {
              loadMs: coldMs('loadMs'),
              firstMs: coldMs('firstMs'),
              compileMs: coldMs('compileMs'),
              instanceMs: coldMs('instanceMs'),
              tracesMs: coldMs('tracesMs'),
            }
          : undefined,
      warmMs: median(loads.map(({ warmMs }) => warmMs)),
    },
    builds: first!.builds.map((build, k) => {
      const times = maps.map(({ builds }) => builds[k]!.buildMs).filter((ms) => ms !== undefined);
      return { ...build, buildMs: times.length > 0 ? median(times) : undefined };
    }),
    series: first!.series.map((_, k) => mergeSeries(maps.map(({ series }) => series[k]!))),
    threads: first!.threads && mergeThreads(maps.map(({ threads }) => threads!)),
    moves: first!.moves && mergeMoves(maps.map(({ moves }) => moves!)),
  };
}

function mergeThreads(all: readonly ThreadResult[]): ThreadResult {
  const [first] = all;
  return {
    ...first!,
    aloneMs: median(all.map(({ aloneMs }) => aloneMs)),
    pools: first!.pools.map((pool, k) => ({ ...pool, ms: median(all.map(({ pools }) => pools[k]!.ms)) })),
  };
}

function mergeMoves(all: readonly MoveSeries[]): MoveSeries {
  const [first] = all;
  return {
    ...first!,
    peers: first!.peers.map((peer, k): MovePeer => {
      const peers = all.map(({ peers }) => peers[k]!);
      return {
        ...peer,
        time: mergeTimes(peers.map(({ time }) => time)),
        allocated: median(peers.map(({ allocated }) => allocated)),
        same: Math.min(...peers.map(({ same }) => same)),
      };
    }),
  };
}

function mergeSeries(all: readonly Series[]): Series {
  const [first] = all;
  return {
    ...first!,
    peers: first!.peers.map((peer, k): TracerReport => {
      const peers = all.map(({ peers }) => peers[k]!);
      return {
        ...peer,
        time: mergeTimes(peers.map(({ time }) => time!)),
        allocated: median(peers.map(({ allocated }) => allocated!)),
      };
    }),
  };
}

/** Quantiles of the processes' medians. */
function mergeTimes(times: readonly Timing[]): Timing {
  const medians = times.map((time) => time.median);
  return {
    median: median(medians),
    low: quantile(medians, 0.25),
    high: quantile(medians, 0.75),
    min: Math.min(...medians),
    max: Math.max(...medians),
    rounds: times.reduce((sum, { rounds }) => sum + rounds, 0),
    speed: median(times.map(({ speed }) => speed)),
  };
}
