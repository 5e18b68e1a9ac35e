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
 * @throws (rejects with) Error with the output of a process that failed.
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
  return { ...merged[0]!, maps: merged.flatMap(({ maps }) => maps) };
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
      if (error) return reject(new Error(stderr.trim() || error.message));
      try {
        resolve(JSON.parse(stdout) as T);
      } catch (cause) {
        reject(new Error(`a process printed what is not JSON: ${stdout.slice(0, 200)}`, { cause }));
      }
    });
    // It hears of nothing else while it measures.
    const kill = (): boolean => child.kill('SIGKILL');
    process.once('exit', kill);
  });
}

/**
 * Merges the reports of several processes. Throws an Error for anything that some of them have measured and others have not, such
 * as what could not be compiled in one of them.
 */
export function mergeReports(reports: readonly Report[]): Report {
  const [first] = reports;
  if (!first || reports.length === 1) return first!;
  const maps = together(
    reports.map(({ maps }) => maps),
    ({ map }) => map,
  );
  return { ...first, processes: reports.length, maps: maps.map(mergeMaps) };
}

/** What is about the same in the lists of all processes, by its name. Throws an Error for what some of them lack. */
export function together<T>(lists: readonly (readonly T[])[], nameOf: (item: T) => string): [T, ...T[]][] {
  const names = new Set(lists.flatMap((list) => list.map(nameOf)));
  return [...names].map((name) => {
    const all = lists.map((list, k) => {
      const found = list.find((item) => nameOf(item) === name);
      if (found === undefined)
        throw new Error(`process ${k + 1} of ${lists.length} has not measured ${name}, which others have`);
      return found;
    });
    return all as [T, ...T[]];
  });
}

/** The same for what a process has measured once, or not at all. */
function togetherOnce<T>(items: readonly (T | undefined)[], name: string): [T, ...T[]] | undefined {
  const lists = items.map((item) => (item === undefined ? [] : [item]));
  return together(lists, () => name)[0];
}

function mergeMaps(maps: readonly [MapResult, ...MapResult[]]): MapResult {
  const [first] = maps;
  const loads = maps.map(({ load }) => load);
  const colds = loads.map(({ cold }) => cold).filter((cold) => cold !== undefined);
  const coldMs = (part: keyof ColdStart): number => median(colds.map((cold) => cold[part]));
  const builds = together(
    maps.map(({ builds }) => builds),
    ({ peer }) => `the build of ${peer}`,
  );
  const series = together(
    maps.map(({ series }) => series),
    ({ shape, motion }) => `${shape} ${motion}`,
  );
  const threads = togetherOnce(
    maps.map(({ threads }) => threads),
    'threads',
  );
  const moves = togetherOnce(
    maps.map(({ moves }) => moves),
    'moves',
  );
  return {
    ...first,
    load: {
      ...first.load,
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
    builds: builds.map((all) => {
      const times = all.map(({ buildMs }) => buildMs).filter((ms) => ms !== undefined);
      return { ...all[0], buildMs: times.length > 0 ? median(times) : undefined };
    }),
    series: series.map(mergeSeries),
    threads: threads && mergeThreads(threads),
    moves: moves && mergeMoves(moves),
  };
}

function mergeThreads(all: readonly [ThreadResult, ...ThreadResult[]]): ThreadResult {
  const pools = together(
    all.map(({ pools }) => pools),
    ({ threads }) => `a pool of ${threads}`,
  );
  return {
    ...all[0],
    aloneMs: median(all.map(({ aloneMs }) => aloneMs)),
    pools: pools.map((own) => ({ ...own[0], ms: median(own.map(({ ms }) => ms)) })),
  };
}

function mergeMoves(all: readonly [MoveSeries, ...MoveSeries[]]): MoveSeries {
  const peers = together(
    all.map(({ peers }) => peers),
    ({ name }) => `moves of ${name}`,
  );
  return {
    ...all[0],
    peers: peers.map(
      (own): MovePeer => ({
        ...own[0],
        time: mergeTimes(own.map(({ time }) => time)),
        allocated: median(own.map(({ allocated }) => allocated)),
        same: Math.min(...own.map(({ same }) => same)),
      }),
    ),
  };
}

function mergeSeries(all: readonly [Series, ...Series[]]): Series {
  const [{ shape, motion }] = all;
  const peers = together(
    all.map(({ peers }) => peers),
    ({ name }) => `${shape} ${motion} of ${name}`,
  );
  return {
    ...all[0],
    peers: peers.map(
      (own): TracerReport => ({
        ...own[0],
        time: mergeTimes(own.map(({ time }) => time!)),
        allocated: median(own.map(({ allocated }) => allocated!)),
      }),
    ),
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
