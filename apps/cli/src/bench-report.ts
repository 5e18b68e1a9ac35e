import { cpus } from 'node:os';
import { escapeMarkdown, type TracerReport, WORK_KINDS } from '@bspkit/compare';
import { count, show } from '@bspkit/words';
import { explainedText, hasSteps } from './comparing.ts';
import type { OpenMap } from './open-map.ts';
import type { Page } from './page.ts';
import { escapeLines } from './printable.ts';
import { bar, type Column, dropEmptyColumns } from './table.ts';

/** What was measured. */
export interface Bench {
  readonly map: OpenMap;
  /** The queries, in words. */
  readonly asked: string;
  readonly rounds: number;
  readonly tracers: readonly TracerReport[];
}

interface Cell extends Column {
  show(tracer: TracerReport): string;
}

const number = (title: string, show: Cell['show']): Cell => ({ title, align: 'right', show });

const BARS = { title: 'speed', least: 6, most: 20 } as const;

/** A time or rate with about three digits: measurements are no more precise. */
export const figure = (value: number): string =>
  value < 100 ? show(value, value < 10 ? 2 : 1) : Math.round(value).toLocaleString('en');

/** Queries per second, in millions. */
export const millions = ({ time }: TracerReport): number => 1e3 / time!.median;

const NAME: Cell = { title: 'tracer', show: ({ name }) => name };

const SPEED: readonly Cell[] = [
  number('million/s', (tracer) => millions(tracer).toFixed(2)),
  number('ns/query', ({ time }) => figure(time!.median)),
  number('min', ({ time }) => figure(time!.min)),
  number('max', ({ time }) => figure(time!.max)),
  number('hits', ({ hits }) => hits.toLocaleString('en')),
  number('start solid', ({ startSolid }) => startSolid.toLocaleString('en')),
];

/** One place after the point: means over many queries. */
const mean = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const WORK: readonly Cell[] = WORK_KINDS.map((name) =>
  number(name, ({ work }) => (work?.queries ? mean(work[name]) : '')),
);

interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly string[][];
}

const tableOf = (cells: readonly Cell[], tracers: readonly TracerReport[]): Table =>
  dropEmptyColumns({
    columns: cells,
    rows: tracers.map((tracer) => cells.map((cell) => cell.show(tracer))),
  });

/** The machine of the measurement. */
export const benchMachine = (): { node: string; cpu: string } => ({
  node: process.version,
  cpu: cpus()[0]?.model.trim() || 'unknown',
});

/** How it was measured, in sentences. */
function method({ rounds, tracers }: Bench): string[] {
  const { node, cpu } = benchMachine();
  const explained = hasSteps(tracers) && explainedText(tracers);
  return [
    `Median, minimum and maximum of ${count(rounds, 'round')} in turns, one thread, Node ${node} on ${cpu}.`,
    ...(explained ? [`Work is that of the literal algorithm over ${explained}, untimed.`] : []),
  ];
}

const title = ({ map, asked }: Bench): string => `${map.name}: ${map.format.name}, ${asked}`;

export function benchText(bench: Bench, page: Page): string {
  const { tracers } = bench;
  const { columns, rows } = tableOf([NAME, ...SPEED], tracers);
  const fastest = Math.max(...tracers.map(millions));
  const speedTable = page.table(columns, rows, {
    ...BARS,
    draw: (row, places) => page.paint('cyan', bar(millions(tracers[row]!) / fastest, places)),
  });
  const explained = tracers.filter(({ work }) => work);
  const work = tableOf([{ ...NAME, title: 'work per query' }, ...WORK], explained);
  const workTable = !hasSteps(explained) ? '' : `\n${page.table(work.columns, work.rows)}`;
  const notes = method(bench).map((line) => page.wrap(page.label(line)));
  return `${page.wrap(page.heading(title(bench)))}\n${speedTable}${workTable}\n${notes.join('\n')}\n`;
}

export function benchMarkdown(bench: Bench): string {
  const { columns, rows } = tableOf([NAME, ...SPEED, ...WORK], bench.tracers);
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |\n`;
  const table = [
    line(columns.map((column) => column.title)),
    line(columns.map(({ align }) => (align === 'right' ? '--:' : ':--'))),
    ...rows.map(line),
  ].join('');
  return escapeLines(`# Speed\n\n${escapeMarkdown(title(bench))}.\n\n${table}\n${method(bench).join(' ')}\n`);
}
