import type { Comparison, Difference, Numbers3, TracerReport } from './report.ts';

/** A column of a comparison's table. */
export interface ComparisonColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** A comparison as a table: a row a tracer, all cells text. */
export interface ComparisonTable {
  readonly columns: readonly ComparisonColumn[];
  readonly rows: readonly (readonly string[])[];
}

interface Cell {
  readonly title: string;
  readonly align?: 'left';
  show(tracer: TracerReport): string;
}

/** A number with `digits` significant digits at least, and no needless ones after the point. */
function figure(value: number, digits = 3): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  if (Math.abs(value) < 1e-3) return value.toExponential(1);
  const whole = Math.max(1, Math.floor(Math.log10(Math.abs(value))) + 1);
  return value.toFixed(Math.max(0, digits - whole));
}

const CELLS: readonly Cell[] = [
  { title: 'tracer', align: 'left', show: ({ name }) => name },
  { title: 'hits', show: ({ hits }) => String(hits) },
  { title: 'start solid', show: ({ startSolid }) => String(startSolid) },
  { title: 'all solid', show: ({ allSolid }) => String(allSolid) },
  { title: 'agrees', show: ({ agreement }) => showShare(agreement.share) },
  { title: 'widest gap', show: ({ agreement }) => figure(agreement.gap.max) },
];

const TIME_CELLS: readonly Cell[] = [
  { title: 'ns/query', show: ({ time }) => (time ? figure(time.median) : '') },
  { title: 'quartiles', show: ({ time }) => (time ? `${figure(time.low)}–${figure(time.high)}` : '') },
  { title: 'speed', show: ({ time }) => (time ? `${time.speed.toFixed(2)} ×` : '') },
];

const WORK_CELLS: readonly Cell[] = (['nodes', 'leafs', 'brushes', 'sides', 'facets'] as const).map(
  (name) => ({ title: name, show: ({ work }) => (work ? figure(work[name]) : '') }),
);

/** A share in percent that says 100 only when it is all of it, and 0 only when it is nothing. */
export function showShare(share: number): string {
  if (share === 0 || share === 1) return `${100 * share} %`;
  return `${Math.min(99.99, Math.max(0.01, 100 * share)).toFixed(2)} %`;
}

/** A comparison as a table of texts, for terminals and pages. Columns that no tracer has anything for are left out. */
export function comparisonTable({ tracers }: Comparison): ComparisonTable {
  const cells = [...CELLS];
  if (tracers.some(({ time }) => time)) cells.push(...TIME_CELLS);
  if (tracers.some(({ work }) => work)) {
    cells.push(
      ...WORK_CELLS.filter(
        ({ title, show }) => title !== 'facets' || tracers.some((t) => Number(show(t)) > 0),
      ),
    );
  }
  return {
    columns: cells.map(({ title, align }) => ({ title, align: align ?? 'right' })),
    rows: tracers.map((tracer) => cells.map(({ show }) => show(tracer))),
  };
}

/** A comparison in words and a table, as Markdown: the table, then each tracer's worst differences. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { queries, tolerance, distance, sides, tracers } = comparison;
  const { columns, rows } = comparisonTable(comparison);
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  const same = [`fractions within ${tolerance}`, ...(distance > 0 ? [`ends within ${distance} units`] : [])];
  return `${[
    `${queries} queries. Answers agree with those of ${tracers[0]!.name} when they have ${same.join(' or ')}, ` +
      `sides of the same ${sides}, and the same start solid and all solid.`,
    '',
    line(columns.map(({ title }) => title)),
    line(columns.map(({ align }) => (align === 'right' ? '--:' : ':--'))),
    ...rows.map(line),
    ...tracers.flatMap(differenceLines),
  ].join('\n')}\n`;
}

const escapeCell = (text: string): string => text.replace(/[\\|]/g, '\\$&').replace(/\s+/g, ' ');

function differenceLines({ name, agreement }: TracerReport): string[] {
  const { differ, worst } = agreement;
  const counts = Object.entries(differ).filter(([, count]) => count > 0);
  if (counts.length === 0) return [];
  const summary = counts.map(([kind, count]) => `${kind} ${count}`).join(', ');
  return [
    '',
    `**${name}** differs in ${summary}.`,
    '',
    ...worst.map((difference) => `- ${differenceText(difference)}`),
  ];
}

/** The shortest decimal that stands for a float32. */
function float32Text(value: number): string {
  const digits = [6, 7, 8].find((digits) => Math.fround(Number(value.toPrecision(digits))) === value) ?? 9;
  return String(Number(value.toPrecision(digits)));
}

const vector = (numbers: Numbers3): string => numbers.map(float32Text).join(' ');

/** A difference in one line of text. */
export function differenceText({ query, start, end, kinds, gap, first, own }: Difference): string {
  const [a, b] = [first, own].map(({ fraction, normal, startSolid, allSolid }) => {
    const solid = allSolid ? ', all solid' : startSolid ? ', start solid' : '';
    return `${figure(fraction, 6)}${fraction < 1 ? ` (normal ${normal.map((x) => figure(x)).join(' ')})` : ''}${solid}`;
  });
  return `query ${query}, ${vector(start)} to ${vector(end)}: ${kinds.join(', ')}; ${a} against ${b}, ${figure(gap)} units apart`;
}

/** A comparison as JSON: all that {@link compare} found, `indent` spaces a level (2 unless told). */
export function comparisonJson(comparison: Comparison, indent = 2): string {
  return `${JSON.stringify(comparison, undefined, indent)}\n`;
}
