import { basename } from 'node:path';
import {
  type Comparison,
  comparisonMarkdown,
  comparisonTable,
  differenceText,
  escapeMarkdown,
  showShare,
} from '@bspkit/compare';
import { count, presetNotes } from '@bspkit/words';
import { Command } from 'commander';
import { parseCount, parseNumber, parseShare } from '../arguments.ts';
import { compareEntries, explainedText, hasSteps, roundsFrom } from '../comparing.ts';
import { demoNames } from '../demo-maps.ts';
import { EXIT, UsageError } from '../errors.ts';
import { listed } from '../numbers.ts';
import { type OpenMap, openMap } from '../open-map.ts';
import type { Page } from '../page.ts';
import { chosenPresets, presetEntry, presetList, TRACERS_HELP } from '../presets.ts';
import { escapeLines, printable } from '../printable.ts';
import { addQueryOptions, QUERIES_HELP, type QueryOptions, queriesOf, queriesText } from '../queries.ts';
import type { Session } from '../session.ts';
import { checkTargets, writeFile } from '../sink.ts';
import { dropEmptyColumns } from '../table.ts';

interface Options extends QueryOptions {
  readonly tracers: string;
  readonly distance: number;
  readonly tolerance: number;
  readonly least: number;
  readonly rounds: number;
  readonly worst: number;
  readonly markdown?: string;
  readonly json?: boolean;
}

/** What is compared unless another choice is made. */
const DEFAULT_TRACERS = 'rays';

export function compareCommand(session: Session): Command {
  const { formats } = session;
  const command = new Command('compare')
    .description(
      'run the same queries through several tracers, in one map or in the same map in several formats',
    )
    .argument('<map...>', 'maps of the same place; the first is the baseline')
    .option('--tracers <list>', `rays, shapes, all, or names (${presetList(formats)})`, DEFAULT_TRACERS);
  return addQueryOptions(command, 'which queries to run, made from the first map')
    .option('--distance <units>', 'largest distance between ends still counted as equal', parseNumber, 0.25)
    .option(
      '--tolerance <fraction>',
      'largest difference in fraction still counted as equal',
      parseNumber,
      1e-4,
    )
    .option(
      '--least <share>',
      'exit code 1 if less than this share of the answers is the same, 0 to 1',
      parseShare,
      1,
    )
    .option('--rounds <n>', 'timed rounds; 0 switches timing off', roundsFrom(0), 9)
    .option('--worst <n>', 'differences to list per tracer', parseCount, 1)
    .option('--markdown <file>', 'also write a report; - is stdout')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
${TRACERS_HELP}

${QUERIES_HELP}

Examples:
  bspkit compare ${demoNames('arena', formats).slice(0, 3).join(' ')}
  bspkit compare demo:arena --tracers shapes --queries player`,
    )
    .action((names: readonly string[], options: Options) => run(names, options, session));
}

async function run(names: readonly string[], options: Options, session: Session): Promise<void> {
  const { tracers, tolerance, distance, rounds, worst, markdown, json, queries: kind, seed } = options;
  const { out } = session;
  if (new Set(names).size < names.length) throw new UsageError('each map can be named only once');
  const maps = names.map((name) => openMap(name, session));
  await checkTargets({ markdown }, session, json && '--json');
  const chosen = chosenPresets(maps, tracers);
  if (chosen.length < 2) {
    const choice = `--tracers ${tracers}${tracers === DEFAULT_TRACERS ? ', the default,' : ''}`;
    throw new UsageError(
      `${choice} matches only one tracer, but comparing takes two or more: name another map, or more tracers (--tracers shapes)`,
    );
  }
  const titled = chosen.map(({ map, preset }) => ({ map, preset, title: titleOf(map, maps) }));
  const entries = titled.map(({ map, preset, title }) => presetEntry(map, preset, title + preset.name));
  const roomy = chosen.some(({ preset }) => preset.role !== 'point');
  const queries = queriesOf(maps[0]!, options, roomy);
  const comparison = compareEntries(entries, queries, { tolerance, distance, rounds, worst }, session);
  const asked = `${queriesText(options)}, in ${listed(names)}`;
  if (markdown !== undefined) await writeFile(markdown, markdownText(comparison, asked), session);
  const { least } = options;
  const isEnough = comparison.tracers.every(({ agreement }) => agreement.share >= least);
  session.exitCode = isEnough ? EXIT.ok : EXIT.no;
  if (json) return out.printJson({ maps: names, kind, seed, ...comparison });
  const notes = presetNotes(titled.map(({ preset, title }) => ({ ...preset, title })));
  out.print(comparisonText(comparison, asked, kind, notes, out));
  const wanted = least === 1 ? 'not all answers are' : `less than ${showShare(least)} of the answers is`;
  if (!isEnough) out.print(`${out.wrap(`${out.label('exit code 1:')} ${wanted} the same (--least)`)}\n`);
}

/** The prefix of a tracer's name: none for a single map, the format if that distinguishes the maps, else the file. */
function titleOf(map: OpenMap, maps: readonly OpenMap[]): string {
  if (maps.length === 1) return '';
  const isOnly = (key: (map: OpenMap) => string): boolean =>
    maps.filter((other) => key(other) === key(map)).length === 1;
  if (isOnly(({ format }) => format.id)) return `${map.format.id} `;
  return isOnly(({ name }) => basename(name)) ? `${basename(map.name)} ` : `${map.name} `;
}

const markdownText = (comparison: Comparison, asked: string): string =>
  escapeLines(`# Comparison\n\n${escapeMarkdown(asked)}.\n\n${comparisonMarkdown(comparison)}`);

/** If fewer moves than this share hit anything, tracers agree whatever they do. */
const FEW_HITS = 0.05;

function comparisonText(
  comparison: Comparison,
  asked: string,
  kind: QueryOptions['queries'],
  names: string,
  page: Page,
): string {
  const { columns, rows } = dropEmptyColumns(comparisonTable(comparison));
  const worst = comparison.tracers.flatMap(({ name, agreement }) =>
    agreement.worst.flatMap((difference) => {
      const [how, ...parts] = differenceText(difference).split('  ');
      const lines = [page.wrap(`  ${printable(name)}, ${how}`, 4)];
      // Indented deeper where a part needs several lines.
      for (const part of parts) lines.push(page.wrap(`    ${part}`, 6));
      return lines.map((line) => `${line}\n`);
    }),
  );
  const hits = Math.max(...comparison.tracers.map((tracer) => tracer.hits));
  const { queries, tolerance, distance, tracers } = comparison;
  const other = kind === 'uniform' ? 'planes' : 'uniform';
  const few = `${page.label('few hits:')} only ${hits.toLocaleString('en')} of ${count(queries, 'query', 'queries')} hit anything, so this says little; --queries ${other} may hit more`;
  const fractions = tolerance > 0 ? `fractions within ${tolerance}` : 'the same fractions';
  const near = [...(distance > 0 ? [`ends within ${distance} units of the first tracer's`] : []), fractions];
  const same = `${page.label('same answers:')} of all queries, hits and misses, ${near.join(' or ')}, surfaces that face the same way, the same starts in solid`;
  const rounds = tracers[0]!.time?.rounds;
  const speed = `${page.label('speed:')} times as fast as the first in the same round, the median of ${rounds}`;
  const work = tracers.find((tracer) => tracer.work)?.work;
  const steps = columns.map(({ title }) => title).filter((title) => work && Object.hasOwn(work, title));
  const counted = `${page.label(`${steps.join(', ')}:`)} steps per query, on average over ${explainedText(tracers)}`;
  const named = `${page.label('tracers:')} ${names}`;
  const works = hasSteps(tracers) ? [counted] : [];
  const notes = [...(names ? [named] : []), same, ...(rounds ? [speed] : []), ...works];
  return `${page.wrap(page.heading(asked))}
${page.table(
  columns,
  rows.map((row) => row.map((cell) => printable(cell))),
)}
${notes.map((note) => `${page.wrap(note)}\n`).join('')}${hits < FEW_HITS * queries ? `${page.wrap(few)}\n` : ''}${worst.length > 0 ? `${page.label('worst differences')}\n${worst.join('')}` : ''}`;
}
