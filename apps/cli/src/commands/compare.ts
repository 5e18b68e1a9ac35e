import { basename } from 'node:path';
import {
  type CompareEntry,
  type Comparison,
  compare,
  comparisonMarkdown,
  comparisonTable,
  differenceText,
} from '@bspkit/compare';
import { Command, Option } from 'commander';
import { parseCount, parseNumber } from '../arguments.ts';
import { mapQueries, QUERY_KINDS, type QueryKind, type QueryOptions } from '../compare-queries.ts';
import { chosenTracers, type NamedTracer, tracerList } from '../compare-tracers.ts';
import { EXIT, UsageError, withUserInput } from '../errors.ts';
import { adapterOf, createTracer } from '../formats/index.ts';
import { count, show } from '../numbers.ts';
import { type OpenMap, openMap } from '../open-world.ts';
import { heading, label, print, printJson } from '../output.ts';
import { writeFile } from '../sink.ts';
import { formatTable } from '../table.ts';

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

/** Of so many queries the work is counted: literal algorithms are slow. */
const EXPLAINED = 200;

export function compareCommand(): Command {
  return new Command('compare')
    .description('ask several algorithms the same, in one map or in one compiled for several games')
    .argument('<map...>', 'maps that are the same place; the first is the measure')
    .option('--tracers <list>', `rays, all, or names (${tracerList()})`, 'rays')
    .addOption(
      new Option('--queries <kind>', 'what is asked in the first map')
        .choices(Object.keys(QUERY_KINDS))
        .default('open'),
    )
    .option('--count <n>', 'how many queries', parseCount, 2000)
    .option('--seed <n>', 'another seed gives other queries', parseCount, 1)
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
  if (options.count === 0) throw new UsageError('--count must be 1 or more');
  if (new Set(names).size < names.length) throw new UsageError('each map can be named once');
  const maps = names.map(openMap);
  const entries = maps.flatMap((map) => entriesOf(map, options.tracers, titleOf(map, maps)));
  if (entries.length < 2) {
    throw new UsageError(
      `--tracers ${options.tracers} leaves ${entries.length}, but two or more are compared`,
    );
  }
  const roomy = maps.some(({ format }) => chosenTracers(format, options.tracers).some(({ isRay }) => !isRay));
  const queries = mapQueries(maps[0]!, options, roomy);
  const { tolerance, distance, rounds, worst } = options;
  const settings = { tolerance, distance, rounds, worst, explained: EXPLAINED };
  const comparison = withUserInput(() => compare(entries, queries, settings));
  const asked = { maps: names, kind: options.queries, seed: options.seed };
  if (options.markdown !== undefined) writeFile(options.markdown, markdownText(comparison, asked));
  if (options.json) printJson({ ...asked, ...comparison });
  else print(comparisonText(comparison, asked));
  const agree = comparison.tracers.every(({ agreement }) => agreement.share >= options.least);
  process.exitCode = agree ? EXIT.ok : EXIT.no;
}

/** The tracers of a map, as the user chose them. Hulls that the map was not compiled for are left out. */
function entriesOf(map: OpenMap, choice: string, title: string): CompareEntry[] {
  const hulls = map.format === 'quake1' ? map.world.hulls.length : 0;
  const tracers = chosenTracers(map.format, choice);
  return tracers
    .filter(({ options }) => options.hull === undefined || options.hull < hulls)
    .map((tracer) => entryOf(map, tracer, title));
}

function entryOf(map: OpenMap, { name, options, explains }: NamedTracer, title: string): CompareEntry {
  const tracer = createTracer(map, options);
  const { explain } = adapterOf(map);
  return {
    name: `${title}${name}`,
    tracer,
    explain:
      explains && explain
        ? (from, to) => explain(tracer, [from[0]!, from[1]!, from[2]!], [to[0]!, to[1]!, to[2]!])
        : undefined,
  };
}

/** What stands before a tracer's name: nothing for one map, the game where that tells maps apart, else the file. */
function titleOf(map: OpenMap, maps: readonly OpenMap[]): string {
  if (maps.length === 1) return '';
  const isOnly = (key: (map: OpenMap) => string): boolean =>
    maps.filter((other) => key(other) === key(map)).length === 1;
  if (isOnly(({ format }) => format)) return `${map.format} `;
  return isOnly(({ name }) => basename(name)) ? `${basename(map.name)} ` : `${map.name} `;
}

interface Asked {
  readonly maps: readonly string[];
  readonly kind: QueryKind;
  readonly seed: number;
}

const askedText = ({ queries }: Comparison, { maps, kind, seed }: Asked): string =>
  `${count(queries, 'query', 'queries')} ${QUERY_KINDS[kind]}, seed ${seed}, in ${maps.join(' ')}`;

const markdownText = (comparison: Comparison, asked: Asked): string =>
  `# Comparison\n\n${askedText(comparison, asked)}.\n\n${comparisonMarkdown(comparison)}`;

function comparisonText(comparison: Comparison, asked: Asked): string {
  const { columns, rows } = comparisonTable(comparison);
  // What nobody has anything of (starts in solid, patches) would only make the table wide.
  const kept = columns.flatMap((_, k) => (rows.some((row) => !/^0?$/.test(row[k]!)) ? [k] : []));
  const table = formatTable(
    kept.map((k) => columns[k]!),
    rows.map((row) => kept.map((k) => row[k]!)),
    label,
  );
  const worst = comparison.tracers.flatMap(({ name, agreement }) =>
    agreement.worst.map((difference) => `  ${name}, ${differenceText(difference)}\n`),
  );
  const { tolerance, distance } = comparison;
  return `${heading(askedText(comparison, asked))}
${table}
${label('agrees')} with the first: fractions within ${tolerance} or ends within ${show(distance)} units, sides that look the same way, the same starts in solid
${worst.length > 0 ? `${label('worst differences')}\n${worst.join('')}` : ''}`;
}
