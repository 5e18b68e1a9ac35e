import { appendFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type CheckOut, checkOut, usualRevision } from './against/check-out.ts';
import { type DuelResult, duel, formatsOf, seriesIn } from './against/duel.ts';
import { AGAINST_HELP, type AgainstCommand, parseAgainst } from './against/options.ts';
import {
  type AgainstReport,
  againstGrids,
  againstSummary,
  changed,
  judge,
  type MapVerdict,
} from './against/verdict.ts';
import { checkAsked, checkWritable } from './beforehand.ts';
import { CLOCKS } from './clock.ts';
import { openMap, ownMaps, usualMaps } from './maps.ts';
import { place } from './place.ts';
import { outputOf } from './processes.ts';
import { gridMarkdown } from './report/markdown.ts';
import { gridText } from './report/text.ts';
import { runCommand } from './run-command.ts';

const SELF = fileURLToPath(import.meta.url);

const showProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

/** Returns the exit code. */
async function run(command: AgainstCommand): Promise<number> {
  const { part, maps, options, otherFirst } = command;
  if (part !== undefined) {
    const found = await duel(await openMap(maps![0]!), await formatsOf(part), {
      ...options,
      otherFirst,
      now: CLOCKS.cpu,
    });
    process.stdout.write(JSON.stringify(found));
    return 0;
  }
  checkWritable(command.json, command.markdown);
  const asked = maps ?? usual();
  await checkAsked(asked, options.shapes, openMap, seriesIn, options.seed);
  const root = place('../../..');
  showProgress('building the other version');
  const other = checkOut(root, command.revision ?? usualRevision(root));
  try {
    return report(await compareVersions(other, asked, command), command);
  } finally {
    other.remove();
  }
}

/** Measures map after map, in pairs of processes. */
async function compareVersions(
  { folder, title, otherDependencies }: CheckOut,
  maps: readonly string[],
  { options, pairs, threshold }: AgainstCommand,
): Promise<AgainstReport> {
  const { shapes, motions, queries, rounds, seed } = options;
  const verdicts: MapVerdict[] = [];
  for (const map of maps) {
    const args = [
      ...['--part', folder, '--maps', map, '--motions', motions.join(), '--queries', `${queries}`],
      ...['--rounds', `${rounds}`, '--seed', `${seed}`],
      ...(shapes ? ['--shapes', shapes.join()] : []),
    ];
    const results: [DuelResult, DuelResult][] = [];
    for (let k = 1; k <= pairs; k++) {
      showProgress(`${map}: pair ${k} of ${pairs}`);
      const first = await outputOf<DuelResult>(SELF, args);
      results.push([first, await outputOf<DuelResult>(SELF, [...args, '--other-first'])]);
    }
    verdicts.push(judge(results, threshold));
  }
  showProgress('');
  return {
    ...{
      revision: title,
      otherDependencies,
      cpu: cpus()[0]?.model.trim() || 'unknown',
      node: process.version,
    },
    ...{ pairs, rounds, queries, seed, threshold, maps: verdicts },
  };
}

/** Two of our own maps per game, which every machine has, and real ones if a folder with some is named. */
const usual = (): string[] => [
  ...ownMaps().filter((name) => /\/(arena|house)$/.test(name)),
  ...(process.env.BSPKIT_MAPS ? usualMaps(false) : []),
];

function report(found: AgainstReport, { json, markdown }: AgainstCommand): number {
  const { conditions, outcome } = againstSummary(found);
  const grids = againstGrids(found);
  const parts = [conditions.join('\n'), ...grids.map(gridText), outcome.join('\n')];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (json) writeFileSync(json, `${JSON.stringify(found, null, 2)}\n`);
  if (markdown) {
    const tables = ['<details><summary>All series</summary>', ...grids.map(gridMarkdown), '</details>'];
    const lines = (texts: readonly string[]): string => texts.map((text) => `- ${text.trim()}`).join('\n');
    const texts = ['## Speed', lines(conditions), lines(outcome), ...tables];
    appendFileSync(markdown, `${texts.join('\n\n')}\n`);
  }
  return changed(found, 'slower').length > 0 ? 1 : 0;
}

runCommand(parseAgainst, AGAINST_HELP, run);
