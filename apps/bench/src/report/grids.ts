import { showShare, type TracerReport } from '@bspkit/compare';
import type { ColdStart } from '../cold.ts';
import type { MovePeer } from '../movement/measure.ts';
import { isTest } from '../queries/motions.ts';
import { type MapResult, peerNames, type Report, ratio, type Series } from '../result.ts';
import { meanSpeeds } from './summary.ts';

/** A table as text: a heading, names of the columns, and rows of cells. Cells of the first columns are words. */
export interface Grid {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How many columns on the left contain words; the others contain numbers. */
  readonly words: number;
}

const NONE = '-';

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const kilobytes = (bytes: number | undefined): string => (bytes === undefined ? NONE : whole(bytes / 1000));

/** The report as tables: speeds at a glance, speed and answers of each map, and what loading takes. */
export function reportGrids(report: Report): Grid[] {
  const peers = peerNames(report);
  const traced = report.maps.filter(({ series }) => series.length > 0);
  const tables = traced.flatMap((map) => [speedGrid(map, peers), answerGrid(map, peers)]);
  const rest = [
    ...moveGrid(report),
    ...threadGrid(report),
    loadGrid(report),
    ...coldGrid(report),
    ...buildGrid(report),
  ];
  return [...meanGrids(report, peers), ...tables, ...allocationGrid(traced, peers), ...rest];
}

/** Column heads for tables with a column for each peer, short enough for a terminal. */
const SHORT: Readonly<Record<string, string>> = {
  'bspkit-batch': 'batch',
  'bspkit-js': 'js',
  'three-mesh-bvh': 'bvh',
  'rapier3d-compat': 'rapier',
};

const shortName = (peer: string): string => SHORT[peer] ?? peer;

const SERIES_HEAD = ['shape', 'motion'];

/** Rows of a map's series. Peers that offer none of its shapes have no column. */
function seriesGrid(
  { series }: MapResult,
  peers: readonly string[],
  cells: (series: Series, peer: TracerReport) => string[],
  heads: (peer: string) => string[],
): Pick<Grid, 'head' | 'rows' | 'words'> {
  const here = peers.filter((name) => series.some((one) => one.peers.some((peer) => peer.name === name)));
  return {
    head: [...SERIES_HEAD, ...here.flatMap(heads)],
    words: SERIES_HEAD.length,
    rows: series.map((one) => [
      one.shape,
      one.motion,
      ...here.flatMap((name) => {
        const peer = one.peers.find((found) => found.name === name);
        return peer ? cells(one, peer) : heads(name).map(() => NONE);
      }),
    ]),
  };
}

/** Whether the first peer of all has answered a series; otherwise others were compared with another one. */
const isOffered = ({ peers }: Series, first: string | undefined): boolean => peers[0]!.name === first;

function speedGrid(map: MapResult, peers: readonly string[]): Grid {
  const first = peers[0];
  return {
    title: `${map.map}: ns per query, least and greatest; times as long`,
    ...seriesGrid(
      map,
      peers,
      (series, peer) => {
        const { median, min, max } = peer.time!;
        if (peer.name === first) return [whole(median), `${whole(min)}..${whole(max)}`];
        return [isOffered(series, first) ? ratio(series, peer).toFixed(2) : NONE];
      },
      (peer) => (peer === first ? [peer, ''] : [shortName(peer)]),
    ),
  };
}

function answerGrid(map: MapResult, peers: readonly string[]): Grid {
  const first = peers[0];
  return {
    title: `${map.map}: hits, and agreement within 1/4 unit`,
    ...seriesGrid(
      map,
      peers,
      (series, { name, hits, agreement }) => {
        if (name === first) return [showShare(hits / series.queries)];
        return [isOffered(series, first) ? showShare(agreement.share) : NONE];
      },
      (peer) => [peer === first ? 'hits' : shortName(peer)],
    ),
  };
}

/** Tests of all maps in one table: how long they take, and how many are blocked. */
export function sightGrid(report: Report): Grid {
  const tests = report.maps.map(({ map, series }) => ({
    map,
    series: series.filter(({ motion }) => isTest(motion)),
  }));
  const [first, ...rest] = peerNames(report);
  // Many libraries answer no tests.
  const others = rest.filter((name) =>
    tests.some(({ series }) => series.some(({ peers }) => peers.some((peer) => peer.name === name))),
  );
  const rows = tests.flatMap(({ map, series }) =>
    series.map((one) => {
      const own = isOffered(one, first) ? whole(one.peers[0]!.time!.median) : NONE;
      const times = others.map((name) => {
        const peer = one.peers.find((found) => found.name === name);
        return peer && own !== NONE ? ratio(one, peer).toFixed(2) : NONE;
      });
      const blocked = `${whole((100 * one.peers[0]!.hits) / one.queries)} %`;
      return [map, one.motion, one.shape, own, ...times, blocked];
    }),
  );
  return {
    title: 'Tests: ns per query; times as long; how many are blocked',
    head: ['map', 'motion', 'shape', first ?? NONE, ...others.map(shortName), 'blocked'],
    words: 3,
    rows,
  };
}

/** What speeds are compared with, and its name. */
const REFERENCES: readonly (readonly [peer: string, name: string])[] = [
  ['C', 'C'],
  ['engine', 'the engine itself'],
];

/** How fast each peer is overall in each map, compared with native code; empty without that. */
function meanGrids(report: Report, peers: readonly string[]): Grid[] {
  return REFERENCES.filter(([peer]) => peers.includes(peer) && peer !== peers[0]).map(([reference, name]) => {
    const means = meanSpeeds(report, reference);
    const compared = peers.filter((peer) => peer !== reference && means.some((mean) => mean.peer === peer));
    const maps = report.maps.filter(({ map }) => means.some((mean) => mean.map === map));
    return {
      title: `Times as fast as ${name}: geometric means over shapes and motions`,
      head: ['map', ...compared.map(shortName)],
      words: 1,
      rows: maps.map(({ map }) => [
        map,
        ...compared.map(
          (peer) => means.find((mean) => mean.map === map && mean.peer === peer)?.speed.toFixed(2) ?? NONE,
        ),
      ]),
    };
  });
}

/** What each peer allocates in each map; empty without maps. */
function allocationGrid(maps: readonly MapResult[], peers: readonly string[]): Grid[] {
  if (maps.length === 0) return [];
  return [
    {
      title: 'Bytes allocated per query, the most of any shape and motion',
      head: ['map', ...peers.map(shortName)],
      words: 1,
      rows: maps.map(({ map, series }) => [
        map,
        ...peers.map((name) => {
          const all = series.flatMap((one) => one.peers.filter((peer) => peer.name === name));
          return all.length === 0 ? NONE : whole(Math.max(...all.map(({ allocated }) => allocated!)));
        }),
      ]),
    },
  ];
}

/** Batches in pools; empty if none were measured. */
function threadGrid({ maps }: Report): Grid[] {
  const measured = maps.flatMap(({ map, threads }) => (threads ? [{ map, ...threads }] : []));
  const [first] = measured;
  if (!first) return [];
  return [
    {
      title: 'Threads: ms per million in one batch, and how many times as fast in a pool',
      head: ['map', 'shape', 'alone', ...first.pools.map(({ threads }) => `pool of ${threads}`)],
      words: 2,
      rows: measured.map(({ map, shape, segments, aloneMs, pools }) => [
        map,
        shape,
        whole((1e6 * aloneMs) / segments),
        ...pools.map(({ ms }) => (aloneMs / ms).toFixed(2)),
      ]),
    },
  ];
}

/** Moves of players in all maps; empty if none were measured. */
function moveGrid({ maps }: Report): Grid[] {
  const measured = maps.filter(({ moves }) => moves !== undefined);
  const names = [...new Set(measured.flatMap(({ moves }) => moves!.peers.map(({ name }) => name)))];
  const [first, ...others] = names;
  if (first === undefined) return [];
  const hasNative = others.includes('C');
  return [
    {
      title: 'Players: ns per command, least and greatest; how many times as long; B',
      head: ['map', 'moves', first, '', ...others, ...(hasNative ? [`${first} / C`] : []), 'B'],
      words: 2,
      rows: measured.map(({ map, moves }) => {
        const of = (name: string): MovePeer | undefined => moves!.peers.find((peer) => peer.name === name);
        const own = of(first)!.time;
        const times = (name: string): string => {
          const peer = of(name);
          return peer ? (peer.time.median / own.median).toFixed(2) : NONE;
        };
        const native = of('C');
        return [
          ...[map, moves!.motion, whole(own.median), `${whole(own.min)}..${whole(own.max)}`],
          ...others.map(times),
          ...(hasNative ? [native ? (own.median / native.time.median).toFixed(2) : NONE] : []),
          whole(Math.max(...moves!.peers.map(({ allocated }) => allocated))),
        ];
      }),
    },
  ];
}

function loadGrid(report: Report): Grid {
  return {
    title: 'Loading: kB of lumps and of the world, and ms from bytes to world',
    head: ['map', 'lumps kB', 'world kB', 'world / lumps', 'warm ms'],
    words: 1,
    rows: report.maps.map(({ map, load }) => [
      map,
      kilobytes(load.lumps),
      kilobytes(load.world),
      (load.world / load.lumps).toFixed(2),
      load.warmMs.toFixed(1),
    ]),
  };
}

/** Heads of {@link coldCells}. */
export const COLD_HEAD: readonly string[] = ['load', 'first', 'compiling', 'instances', 'next 1,000'];

export const coldCells = ({ loadMs, firstMs, compileMs, instanceMs, tracesMs }: ColdStart): string[] =>
  [loadMs, firstMs, compileMs, instanceMs, tracesMs].map((ms) => ms.toFixed(1));

/** How new processes start; empty if none was started. */
function coldGrid(report: Report): Grid[] {
  const rows = report.maps.flatMap(({ map, load: { cold } }) => (cold ? [[map, ...coldCells(cold)]] : []));
  if (rows.length === 0) return [];
  return [
    {
      title: 'A new process: ms to load, for the first trace, and for the next 1,000',
      head: ['map', ...COLD_HEAD],
      words: 1,
      rows,
    },
  ];
}

/** What triangle libraries build from their triangles; empty if there are none. */
function buildGrid(report: Report): Grid[] {
  const built = report.maps.flatMap(({ builds }) =>
    builds.filter(({ builtFrom }) => builtFrom === 'triangles'),
  );
  const names = [...new Set(built.map(({ peer }) => peer))];
  if (names.length === 0) return [];
  return [
    {
      title: 'What triangle libraries build',
      head: ['map', 'triangles', ...names.flatMap((name) => [`${shortName(name)} ms`, 'kB'])],
      words: 1,
      rows: report.maps
        .filter(({ triangles }) => triangles > 0)
        .map(({ map, triangles, builds }) => [
          map,
          whole(triangles),
          ...names.flatMap((name) => {
            const build = builds.find(({ peer }) => peer === name);
            return [build?.buildMs?.toFixed(1) ?? NONE, kilobytes(build?.bytes)];
          }),
        ]),
    },
  ];
}

/** The head and the rows with their cells padded to the width of their column: words on the right, numbers on the left. */
export function paddedRows({ head, rows, words }: Grid): { rows: string[][]; widths: number[] } {
  const all = [head, ...rows];
  const widths = head.map((_, k) => Math.max(3, ...all.map((row) => row[k]!.length)));
  const pad = (cell: string, k: number): string =>
    k < words ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!);
  return { rows: all.map((row) => row.map(pad)), widths };
}
