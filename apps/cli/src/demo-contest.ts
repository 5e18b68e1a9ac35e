import { showShare, type TracerReport } from '@bspkit/compare';
import { playerPreset, suitedPresets, type TracerPreset, tracerKind } from '@bspkit/core/format';
import { count, presetNotes, show } from '@bspkit/words';
import { figure, millions } from './bench-report.ts';
import { compareEntries } from './comparing.ts';
import { showBytes, showTime } from './numbers.ts';
import { type OpenMap, onlyFile } from './open-map.ts';
import type { Page } from './page.ts';
import { type Preset, presetEntry, presetTracer } from './presets.ts';
import { queriesOf } from './queries.ts';
import type { Session } from './session.ts';
import { bar } from './table.ts';

/** Half a second in all, which needs no progress bar. */
const SETTINGS = { distance: 0.25, rounds: 7, roundTime: 5, worst: 0, onProgress: () => {} };
const QUERIES = { queries: 'open', count: 2000, seed: 1 } as const;

/** Tracers that run the same queries; the first is the baseline for the others. */
interface Contest {
  readonly title: string;
  readonly reports: readonly TracerReport[];
}

/** The results, the size that all bodies have, and what names of other tracers stand for. */
export interface Contests {
  readonly contests: readonly Contest[];
  readonly body: readonly number[];
  readonly names: string;
}

type Entrant = readonly [map: OpenMap, preset: Preset];

/** Runs the same queries through the presets of all maps, by role. The maps are of the same place. */
export function runContests(maps: readonly OpenMap[], session: Session): Contests {
  const queries = queriesOf(maps[0]!, QUERIES, true);
  const body = bodySize(maps);
  const contest = (title: string, entrants: readonly Entrant[]): Contest => {
    const entries = entrants.map(([map, preset]) => {
      const { size } = tracerKind(map.format, preset.kind);
      const own = title === 'body' && size === 'box' ? body : preset.size;
      // The amount of work is not shown.
      return { ...presetEntry(map, preset, `${map.format.name} ${preset.name}`, own), explain: undefined };
    });
    return { title, reports: compareEntries(entries, queries, SETTINGS, session).tracers };
  };
  const players = maps.map((map): Entrant => [map, playerPreset(map.format)]);
  const contests = Object.entries({
    point: withRole(maps, 'point'),
    body: players,
    ball: withRole(maps, 'ball'),
  });
  const run = contests.filter(([, entrants]) => entrants.length > 0);
  const others = run.flatMap(([title, entrants]) => (title === 'body' ? [] : entrants));
  const names = presetNotes(others.map(([, preset]) => preset));
  return { contests: run.map(([title, entrants]) => contest(title, entrants)), body, names };
}

const withRole = (maps: readonly OpenMap[], role: TracerPreset<unknown>['role']): Entrant[] =>
  maps.flatMap((map) => suitedPresets(map.format, map.world, role).map((preset): Entrant => [map, preset]));

/** A size that all bodies can have: that of a player whose format leaves no choice, else the first player's. */
function bodySize(maps: readonly OpenMap[]): number[] {
  const fixed = maps.find(({ format }) => tracerKind(format, playerPreset(format).kind).size !== 'box');
  const map = fixed ?? maps[0]!;
  const { shape } = presetTracer(map, playerPreset(map.format));
  return 'mins' in shape ? [...Array.from(shape.mins), ...Array.from(shape.maxs)] : [0, 0, 0, 0, 0, 0];
}

const BARS = { title: 'speed', least: 6, most: 18 } as const;
const COLOURS = ['yellow', 'cyan', 'green'] as const;

/** What each tracer hit, how far it agrees and how fast it is, as a table. */
export function contestText({ contests, body, names }: Contests, page: Page): string {
  const reports = contests.flatMap((contest) => contest.reports);
  const fastest = Math.max(...reports.map(millions));
  const size = [0, 1, 2].map((k) => show(body[k + 3]! - body[k]!)).join(' x ');
  const rows = contests.flatMap(({ title, reports }, k) => [
    { cells: [title === 'body' ? `body, ${size}` : title], bar: () => '' },
    ...reports.map((report, place) => ({
      cells: [
        `  ${report.name}`,
        report.hits.toLocaleString('en'),
        place === 0 ? page.label('baseline') : showShare(report.agreement.share),
        figure(report.time!.median),
      ],
      bar: (places: number) => page.paint(COLOURS[k]!, bar(millions(report) / fastest, places)),
    })),
  ]);
  const table = page.table(
    [
      { title: 'tracer' },
      { title: 'hits', align: 'right' },
      { title: 'same answers', align: 'right' },
      { title: 'ns/query', align: 'right' },
    ],
    rows.map(({ cells }) => cells),
    { ...BARS, draw: (row, places) => rows[row]!.bar(places) },
  );
  const named = `tracers: ${names}`;
  const notes = `same answers: of all queries, hits and misses, ends within ${SETTINGS.distance} units of the baseline's`;
  const title = `${count(reports.length, 'tracer')}, the same ${count(QUERIES.count, 'query', 'queries')}`;
  return `${page.wrap(`${page.heading(title)} from place to place, on one thread`)}
${table}${page.wrap(page.label(notes))}
${page.wrap(page.label(named))}
`;
}

/** What the maps of one place consist of, as a table. */
export function formatsText(maps: readonly OpenMap[], page: Page): string {
  const rows = maps.map((map) => {
    const { format, world, bytes, readTime, buildTime } = map;
    const { version, lumps, memory } = format.info(onlyFile(map, 'lumps'), world);
    const records = (name: string): string =>
      lumps.find((lump) => lump.name === name)?.records?.toLocaleString('en') ?? '';
    return [
      format.name,
      version,
      showBytes(bytes),
      records('nodes'),
      records('leafs'),
      showBytes(memory.world),
      showTime(readTime + buildTime),
    ];
  });
  const numbers = ['file', 'nodes', 'leafs', 'in memory', 'opened in'];
  return page.table(
    [{ title: 'game' }, { title: 'map' }, ...numbers.map((title) => ({ title, align: 'right' as const }))],
    rows,
  );
}
