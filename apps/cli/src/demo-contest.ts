import { showShare, type TracerReport } from '@bspkit/compare';
import type { Tracer } from '@bspkit/core';
import { figure, millions } from './bench-report.ts';
import { compareEntries } from './compare-entries.ts';
import { mapQueries } from './compare-queries.ts';
import { FORMAT_NAMES, type FormatName } from './format-names.ts';
import { adapterOf, createTracer } from './formats/index.ts';
import { count, showBytes, showTime } from './numbers.ts';
import type { OpenMap } from './open-world.ts';
import { heading, label, paint } from './output.ts';
import { bar, formatTable } from './table.ts';
import type { TracerOptions } from './tracer-options.ts';

/** Tracers that are asked the same, the first being the measure of the others. */
interface Class {
  readonly title: string;
  readonly tracers: readonly Entrant[];
}

type Entrant = readonly [name: string, format: FormatName, options: Partial<TracerOptions>];

/** The body is that of hull 1, which Quake 1 maps are compiled for. */
const BODY = [-16, -16, -24, 16, 16, 32];
const RADIUS = 16;

const CLASSES: readonly Class[] = [
  {
    title: 'point',
    tracers: [
      ['Quake 3 ray', 'quake3', {}],
      ['Quake 3 ray, tutorial 1/32', 'quake3', { epsilon: 1 / 32 }],
      ['Quake 1 hull 0', 'quake1', { hull: 0 }],
      ['Quake 1 precise ray', 'quake1', { precise: true }],
      ['UFO:AI line', 'ufoai', {}],
    ],
  },
  {
    title: 'body',
    tracers: [
      ['Quake 3 box', 'quake3', { box: BODY, mask: 'solid,playerClip' }],
      ['Quake 1 hull 1', 'quake1', { hull: 1 }],
      ['UFO:AI box', 'ufoai', { box: BODY }],
    ],
  },
  {
    title: 'ball',
    tracers: [
      ['Quake 3 sphere', 'quake3', { sphere: RADIUS }],
      ['Quake 3 exact sphere', 'quake3', { sphere: RADIUS, exact: true }],
    ],
  },
];
/** Half a second in all, which needs no progress bar. */
const SETTINGS = { distance: 0.25, rounds: 7, roundTime: 5, worst: 0, onProgress: () => {} };
const QUERIES = { queries: 'open', count: 2000, seed: 1 } as const;

/** What came of a class. */
interface Contest {
  readonly title: string;
  readonly reports: readonly TracerReport[];
}

/** Asks all classes the same questions. `maps` has the same place in each format. */
export function runContest(maps: readonly OpenMap[]): Contest[] {
  const mapOf = (format: FormatName): OpenMap => maps.find((map) => map.format === format)!;
  const queries = mapQueries(mapOf('quake3'), QUERIES, true);
  const tracerOf = ([, format, options]: Entrant): Tracer =>
    createTracer(mapOf(format), { curves: true, ...options });
  return CLASSES.map(({ title, tracers }) => {
    const entries = tracers.map((entrant) => ({ name: entrant[0], tracer: tracerOf(entrant) }));
    return { title, reports: compareEntries(entries, queries, SETTINGS).tracers };
  });
}

const BAR_PLACES = 18;
const COLOURS = ['yellow', 'cyan', 'green'] as const;

/** Who hit what, agrees how far and is how fast, as a table. */
export function contestText(contests: readonly Contest[]): string {
  const reports = contests.flatMap((contest) => contest.reports);
  const fastest = Math.max(...reports.map(millions));
  const rows = contests.flatMap(({ title, reports }, k) =>
    reports.map((report, place) => [
      place === 0 ? title : '',
      report.name,
      String(report.hits),
      place === 0 ? label('measure') : showShare(report.agreement.share),
      figure(report.time!.median),
      paint(COLOURS[k]!, bar(millions(report) / fastest, BAR_PLACES)),
    ]),
  );
  const table = formatTable(
    [
      { title: '' },
      { title: 'tracer' },
      { title: 'hits', align: 'right' },
      { title: 'agrees', align: 'right' },
      { title: 'ns/query', align: 'right' },
      { title: 'speed' },
    ],
    rows,
    label,
  );
  return `${heading(`${count(reports.length, 'tracer')}, the same ${count(QUERIES.count, 'question')}`)} from place to place, on one thread
${table}${label(`agrees: with the measure, ends within ${SETTINGS.distance} units; body: 32 x 32 x 56; ball: radius ${RADIUS}`)}
`;
}

/** What the maps of one place are made of, as a table. */
export function formatsText(maps: readonly OpenMap[]): string {
  const rows = maps.map((map) => {
    const { version, lumps, memory } = adapterOf(map).info(map);
    const records = (name: string): string =>
      (lumps.find((lump) => lump.name === name)?.records ?? 0).toLocaleString('en');
    return [
      FORMAT_NAMES[map.format],
      version,
      showBytes(map.bytes),
      records('nodes'),
      records('leafs'),
      showBytes(memory.world),
      showTime(map.readTime + map.buildTime),
    ];
  });
  const numbers = ['file', 'nodes', 'leafs', 'in memory', 'opened in'];
  return formatTable(
    [{ title: 'game' }, { title: 'map' }, ...numbers.map((title) => ({ title, align: 'right' as const }))],
    rows,
    label,
  );
}
