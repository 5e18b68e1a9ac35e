import type { TracerReport } from '@bspkit/compare';
import { Command } from 'commander';
import { parseCount } from '../arguments.ts';
import { benchMachine, benchMarkdown, benchText } from '../bench-report.ts';
import { compareEntries, entriesOf, isRoomy } from '../compare-entries.ts';
import { addQueryOptions, mapQueries, type QueryOptions, queriesText } from '../compare-queries.ts';
import { UsageError } from '../errors.ts';
import { openMap } from '../open-world.ts';
import { print, printJson } from '../output.ts';
import { writeFile } from '../sink.ts';

interface Options extends QueryOptions {
  readonly tracers: string;
  readonly rounds: number;
  readonly markdown?: string;
  readonly json?: boolean;
}

/** Least milliseconds that a shape is moved in a round. */
const ROUND_TIME = 20;

export function benchCommand(): Command {
  const command = new Command('bench')
    .description('measure how fast each shape moves through a map, and how much work that is')
    .argument('<map>', 'map to measure in')
    .option('--tracers <list>', 'shapes, rays, all, or names as of compare', 'shapes');
  return addQueryOptions(command, 'what is asked')
    .option('--rounds <n>', 'timed rounds', parseCount, 15)
    .option('--markdown <file>', 'also write a report')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  bspkit bench demo:arena
  bspkit bench demo:arena@quake1 --queries player --rounds 5 --json`,
    )
    .action(run);
}

function run(name: string, options: Options): void {
  const { tracers: choice, rounds, markdown, json, queries: kind, seed } = options;
  if (rounds === 0) throw new UsageError('--rounds must be 1 or more');
  const map = openMap(name);
  const entries = entriesOf(map, choice);
  if (entries.length === 0) throw new UsageError(`--tracers ${choice} leaves none in ${name}`);
  const queries = mapQueries(map, options, isRoomy(map, choice));
  const { tracers } = compareEntries(entries, queries, { rounds, roundTime: ROUND_TIME, worst: 0 });
  const bench = { map, asked: queriesText(options), rounds, tracers };
  if (markdown !== undefined) writeFile(markdown, benchMarkdown(bench));
  if (json) {
    const { length } = queries;
    const asked = { map: name, format: map.format, kind, seed, queries: length / 6, rounds };
    printJson({ ...asked, ...benchMachine(), tracers: tracers.map(plainReport) });
  } else print(benchText(bench));
}

/** A tracer's figures. What they have in common with the first one's is no matter here. */
function plainReport({ agreement, ...report }: TracerReport): object {
  return report;
}
