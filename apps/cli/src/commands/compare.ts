import { basename } from 'node:path';
import { type Comparison, comparisonMarkdown, comparisonTable, differenceText } from '@bspkit/compare';
import { Command } from 'commander';
import { parseCount, parseNumber } from '../arguments.ts';
import { compareEntries, entriesOf, isRoomy } from '../compare-entries.ts';
import { addQueryOptions, mapQueries, type QueryOptions, queriesText } from '../compare-queries.ts';
import { tracerList } from '../compare-tracers.ts';
import { EXIT, UsageError } from '../errors.ts';
import { show } from '../numbers.ts';
import { type OpenMap, openMap } from '../open-world.ts';
import { heading, label, print, printJson } from '../output.ts';
import { writeFile } from '../sink.ts';
import { dropEmptyColumns, formatTable } from '../table.ts';

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

export function compareCommand(): Command {
  const command = new Command('compare')
    .description('ask several algorithms the same, in one map or in one compiled for several games')
    .argument('<map...>', 'maps that are the same place; the first is the measure')
    .option('--tracers <list>', `rays, shapes, all, or names (${tracerList()})`, 'rays');
  return addQueryOptions(command, 'what is asked in the first map')
    .option('--distance <units>', 'ends this near to each other are the same', parseNumber, 0.25)
    .option('--tolerance <fraction>', 'so are fractions this near to each other', parseNumber, 1e-4)
    .option('--least <share>', 'exit code 1 when one agrees in less than this share', parseNumber, 1)
    .option('--rounds <n>', 'timed rounds; 0 leaves the timing out', parseCount, 9)
    .option('--worst <n>', 'differences shown of each', parseCount, 1)
    .option('--markdown <file>', 'also write a report')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  bspkit compare demo:arena@quake3 demo:arena@quake1 demo:arena@ufoai
  bspkit compare demo:arena --tracers box,sphere,exact --queries player`,
    )
    .action(run);
}

function run(names: readonly string[], options: Options): void {
  if (new Set(names).size < names.length) throw new UsageError('each map can be named once');
  const maps = names.map(openMap);
  const entries = maps.flatMap((map) => entriesOf(map, options.tracers, titleOf(map, maps)));
  if (entries.length < 2) {
    throw new UsageError(
      `--tracers ${options.tracers} leaves ${entries.length}, but two or more are compared`,
    );
  }
  const roomy = maps.some((map) => isRoomy(map, options.tracers));
  const queries = mapQueries(maps[0]!, options, roomy);
  const { tolerance, distance, rounds, worst } = options;
  const comparison = compareEntries(entries, queries, { tolerance, distance, rounds, worst });
  const asked = `${queriesText(options)}, in ${names.join(' ')}`;
  if (options.markdown !== undefined) writeFile(options.markdown, markdownText(comparison, asked));
  if (options.json) printJson({ maps: names, kind: options.queries, seed: options.seed, ...comparison });
  else print(comparisonText(comparison, asked));
  const agree = comparison.tracers.every(({ agreement }) => agreement.share >= options.least);
  process.exitCode = agree ? EXIT.ok : EXIT.no;
}

/** What stands before a tracer's name: nothing for one map, the game where that tells maps apart, else the file. */
function titleOf(map: OpenMap, maps: readonly OpenMap[]): string {
  if (maps.length === 1) return '';
  const isOnly = (key: (map: OpenMap) => string): boolean =>
    maps.filter((other) => key(other) === key(map)).length === 1;
  if (isOnly(({ format }) => format)) return `${map.format} `;
  return isOnly(({ name }) => basename(name)) ? `${basename(map.name)} ` : `${map.name} `;
}

const markdownText = (comparison: Comparison, asked: string): string =>
  `# Comparison\n\n${asked}.\n\n${comparisonMarkdown(comparison)}`;

function comparisonText(comparison: Comparison, asked: string): string {
  const { columns, rows } = dropEmptyColumns(comparisonTable(comparison));
  const table = formatTable(columns, rows, label);
  const worst = comparison.tracers.flatMap(({ name, agreement }) =>
    agreement.worst.map((difference) => `  ${name}, ${differenceText(difference)}\n`),
  );
  const { tolerance, distance } = comparison;
  return `${heading(asked)}
${table}
${label('agrees')} with the first: fractions within ${tolerance} or ends within ${show(distance)} units, sides that look the same way, the same starts in solid
${worst.length > 0 ? `${label('worst differences')}\n${worst.join('')}` : ''}`;
}
