import type { TracerReport } from '@bspkit/compare';
import { Command } from 'commander';
import { benchMachine, benchMarkdown, benchText } from '../bench-report.ts';
import { compareEntries, roundsFrom } from '../comparing.ts';
import { MAP_FORMS } from '../maps.ts';
import { openMap } from '../open-map.ts';
import { chosenPresets, presetEntry, TRACERS_HELP } from '../presets.ts';
import { addQueryOptions, QUERIES_HELP, type QueryOptions, queriesOf, queriesText } from '../queries.ts';
import type { Session } from '../session.ts';
import { checkTargets, writeFile } from '../sink.ts';

interface Options extends QueryOptions {
  readonly tracers: string;
  readonly rounds: number;
  readonly markdown?: string;
  readonly json?: boolean;
}

/** The least number of milliseconds that a shape is measured per round. */
const ROUND_TIME = 20;

export function benchCommand(session: Session): Command {
  const command = new Command('bench')
    .description('measure how fast each shape is traced through a map, and how much work that is')
    .argument('<map>', MAP_FORMS)
    .option('--tracers <list>', 'shapes, rays, all, or names as for compare', 'shapes');
  return addQueryOptions(command, 'which queries to run')
    .option('--rounds <n>', 'timed rounds', roundsFrom(1), 15)
    .option('--markdown <file>', 'also write a report; - is stdout')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
${TRACERS_HELP}

${QUERIES_HELP}

Examples:
  bspkit bench demo:arena
  bspkit bench demo:arena@${session.formats[0]!.id} --queries player --rounds 5 --json`,
    )
    .action((name: string, options: Options) => run(name, options, session));
}

async function run(name: string, options: Options, session: Session): Promise<void> {
  const { tracers: choice, rounds, markdown, json, queries: kind, seed } = options;
  const map = openMap(name, session);
  await checkTargets({ markdown }, session, json && '--json');
  const presets = chosenPresets([map], choice).map(({ preset }) => preset);
  const roomy = presets.some(({ role }) => role !== 'point');
  const queries = queriesOf(map, options, roomy);
  const entries = presets.map((preset) => presetEntry(map, preset, preset.name));
  const settings = { rounds, roundTime: ROUND_TIME, worst: 0 };
  const { tracers } = compareEntries(entries, queries, settings, session);
  const bench = { map, asked: queriesText(options), rounds, tracers };
  if (markdown !== undefined) await writeFile(markdown, benchMarkdown(bench), session);
  const { out } = session;
  if (json) {
    const { length } = queries;
    const asked = { map: name, format: map.format.id, kind, seed, queries: length / 6, rounds };
    out.printJson({ ...asked, ...benchMachine(), tracers: tracers.map(plainReport) });
  } else out.print(benchText(bench, out));
}

/** A tracer's figures. How it agrees with the first one does not matter here. */
function plainReport({ agreement, ...report }: TracerReport): object {
  return report;
}
