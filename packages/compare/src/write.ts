import { checkKind, checkList, checkObject, checkText, checkWhole, failArgument } from '@bspkit/core/format';
import { type Comparison, type Difference, type TracerReport, WORK_KINDS, type WorkKind } from './report.ts';

/** A column of a comparison's table. */
export interface ComparisonColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** A comparison as a table: one row per tracer, all cells text. */
export interface ComparisonTable {
  readonly columns: readonly ComparisonColumn[];
  readonly rows: readonly (readonly string[])[];
}

interface Cell {
  readonly title: string;
  readonly align?: 'left';
  show(tracer: TracerReport, isFirst: boolean): string;
}

/** A whole number with separators between thousands. */
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** A number with at least `digits` significant digits, or one less below 1, and without superfluous ones after the point. */
function figure(value: number, digits = 3): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  if (Math.abs(value) < 1e-3) return value.toExponential(1);
  const exponent = Number(value.toExponential().split('e')[1]);
  const places = digits - exponent - (exponent < 0 ? 2 : 1);
  const text = value.toFixed(Math.max(0, places));
  return places > 0 ? text : grouped(text);
}

const CELLS: readonly Cell[] = [
  { title: 'tracer', align: 'left', show: ({ name }) => name },
  { title: 'hits', show: ({ hits }) => grouped(String(hits)) },
  { title: 'start solid', show: ({ startSolid }) => grouped(String(startSolid)) },
  { title: 'all solid', show: ({ allSolid }) => grouped(String(allSolid)) },
  {
    title: 'same answers',
    show: ({ agreement }, isFirst) => (isFirst ? 'baseline' : showShare(agreement.share)),
  },
  { title: 'widest gap', show: ({ agreement }, isFirst) => (isFirst ? '' : figure(agreement.gap.max)) },
];

const TIME_CELLS: readonly Cell[] = [
  { title: 'ns/query', show: ({ time }) => (time ? figure(time.median) : '') },
  { title: 'quartiles', show: ({ time }) => (time ? `${figure(time.low)}–${figure(time.high)}` : '') },
  { title: 'speed', show: ({ time }) => (time ? `${time.speed.toFixed(2)} ×` : '') },
];

const ALLOCATION_CELL: Cell = {
  title: 'bytes/query',
  show: ({ allocated }) => (allocated === undefined ? '' : figure(allocated)),
};

const workCell = (name: WorkKind): Cell => ({
  title: name,
  show: ({ work }) => (work && work.queries > 0 ? figure(work[name]) : ''),
});

/** What few tracers work with. */
const RARE: ReadonlySet<WorkKind> = new Set<WorkKind>(['facets', 'polygons', 'features']);

/** A share in percent, which is 100 only for all of it and 0 only for nothing. */
export function showShare(share: number): string {
  if (!(typeof share === 'number' && share >= 0 && share <= 1)) failArgument('share', '0 to 1', share);
  if (share === 0 || share === 1) return `${100 * share} %`;
  return `${Math.min(99.99, Math.max(0.01, 100 * share)).toFixed(2)} %`;
}

/**
 * A comparison as a table of texts, for terminals and pages. Columns that would be empty are left out.
 * @throws TypeError for anything but a comparison.
 */
export function comparisonTable(comparison: Comparison): ComparisonTable {
  checkComparison(comparison);
  const { tracers } = comparison;
  const cells = [...CELLS];
  if (tracers.some(({ time }) => time)) cells.push(...TIME_CELLS);
  if (tracers.some(({ allocated }) => allocated !== undefined)) cells.push(ALLOCATION_CELL);
  if (tracers.some(({ work }) => work)) {
    const isUsed = (name: WorkKind): boolean => tracers.some(({ work }) => work && work[name] > 0);
    cells.push(...WORK_KINDS.filter((name) => !RARE.has(name) || isUsed(name)).map(workCell));
  }
  return {
    columns: cells.map(({ title, align }) => ({ title, align: align ?? 'right' })),
    rows: tracers.map((tracer, k) => cells.map(({ show }) => show(tracer, k === 0))),
  };
}

/** A comparison in words and a table, as Markdown: the table, then each tracer's worst differences. */
export function comparisonMarkdown(comparison: Comparison): string {
  checkComparison(comparison);
  const { queries, tolerance, distance, sides, tracers } = comparison;
  const { columns, rows } = comparisonTable(comparison);
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  const fractions = tolerance > 0 ? `fractions within ${tolerance}` : 'the same fractions';
  const near = [fractions, ...(distance > 0 ? [`ends within ${distance} units`] : [])];
  const same = [near.join(' or '), ...(sides === 'any' ? [] : [`sides with the same ${sides}`])];
  const rounds = tracers[0]!.time?.rounds;
  const baseline = escapeMarkdown(tracers[0]!.name);
  const speed = rounds ? ` Speed is relative to ${baseline} in the same round: the median of ${rounds}.` : '';
  return `${[
    `${grouped(String(queries))} ${queries === 1 ? 'query' : 'queries'}, hits and misses. Answers are the same as those of ${baseline} when they have ` +
      `${same.join(', ')}, and the same start solid and all solid.${speed}`,
    '',
    line(columns.map(({ title }) => title)),
    line(columns.map(({ align }) => (align === 'right' ? '--:' : ':--'))),
    ...rows.map(line),
    ...tracers.flatMap(differenceLines),
  ].join('\n')}\n`;
}

function checkComparison(comparison: Comparison): void {
  checkObject(comparison, 'comparison');
  checkList(comparison.tracers, 'comparison.tracers');
}

const MARKS = /[\\`*~[\]<&|]/g;
const WORD = /[\p{L}\p{N}]/u;
/** What makes a line a heading, a list, a quotation or a rule, and what numbers the lines of a list. */
const LINE_MARK = /^(?=(?:#{1,6}|[+-])(?: |$)|>|[=-]+$|(?:- *){3,}$)/;
const LINE_NUMBER = /^(\d{1,9})(?=[.)](?: |$))/;

/**
 * A text as Markdown that shows it: without links, pictures, HTML or lists, in one line, and in one cell of a table. For names from
 * outside, as of maps and their tracers, in what is written around {@link comparisonMarkdown}. Bare addresses in it are left as they
 * are: some pages make links of those.
 * @throws TypeError for anything but text.
 */
export function escapeMarkdown(text: string): string {
  checkText(text, 'text');
  const line = text.replace(/\s+/g, ' ').trim().replace(MARKS, '\\$&');
  return line.replace(/_/g, escapeUnderscore).replace(LINE_MARK, '\\').replace(LINE_NUMBER, '$1\\');
}

/** Underscores within words mean nothing, and there are many in names of maps. */
function escapeUnderscore(mark: string, at: number, line: string): string {
  return WORD.test(line[at - 1] ?? '') && WORD.test(line[at + 1] ?? '') ? mark : `\\${mark}`;
}

function differenceLines({ name, agreement }: TracerReport): string[] {
  const { differ, worst } = agreement;
  const counts = Object.entries(differ).filter(([, count]) => count > 0);
  if (counts.length === 0) return [];
  const summary = counts.map(([kind, count]) => `${kind} ${grouped(String(count))}`).join(', ');
  return [
    '',
    `**${escapeMarkdown(name)}** differs in ${summary}.`,
    '',
    ...worst.map((difference) => `- ${differenceText(difference)}`),
  ];
}

/** The shortest decimal that reads back as the same float32. */
function float32Text(value: number): string {
  const digits = [6, 7, 8].find((digits) => Math.fround(Number(value.toPrecision(digits))) === value) ?? 9;
  return String(Number(value.toPrecision(digits)));
}

/** A fraction that says 1 only for all of the way and 0 only for nothing of it, with the sign that zero has. */
function fractionText(fraction: number): string {
  if (Object.is(fraction, -0)) return '-0';
  const text = figure(fraction, 6);
  return Number(text) === 1 && fraction !== 1 ? float32Text(fraction) : text;
}

/** A point as the command takes it. */
export const pointText = (numbers: ArrayLike<number>): string => Array.from(numbers, float32Text).join(',');

/**
 * A difference in one line of text: how the answers differ, the query, and the tracer's own answer instead of the first one's.
 * These parts are two spaces apart: there, a longer text is best broken.
 */
export function differenceText(difference: Difference): string {
  checkObject(difference, 'difference');
  checkKind(Array.isArray(difference.kinds), difference, 'difference', 'one of a comparison');
  const { query, start, end, kinds, gap, first, own } = difference;
  // Fractions that look the same in a few digits are shown in full.
  const show =
    fractionText(first.fraction) === fractionText(own.fraction) && first.fraction !== own.fraction
      ? float32Text
      : fractionText;
  const [a, b] = [first, own].map(({ fraction, normal, startSolid, allSolid }) => {
    const solid = allSolid ? ', all solid' : startSolid ? ', start solid' : '';
    return `${show(fraction)}${fraction < 1 ? ` (normal ${normal.map((x) => figure(x)).join(' ')})` : ''}${solid}`;
  });
  const how = `query ${query}: ${kinds.join(', ')}, ${figure(gap)} units apart;`;
  return `${how}  from ${pointText(start)} to ${pointText(end)}:  ${b}, instead of ${a}`;
}

/**
 * A comparison as JSON: all that {@link compare} found, indented by `indent` spaces per level (2 by default, at most
 * 10).
 */
export function comparisonJson(comparison: Comparison, indent = 2): string {
  checkComparison(comparison);
  checkWhole(indent, 'indent', 0, 10);
  return `${JSON.stringify(comparison, undefined, indent)}\n`;
}
