import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkAsked, checkWritable } from './beforehand.ts';
import { namesIn, runBench } from './bench.ts';
import { type ColdStart, startCold } from './cold.ts';
import { openMap, usualMaps } from './maps.ts';
import { sharingAddons } from './native-addon.ts';
import { type Command, HELP, parseCommand } from './options.ts';
import { openIsolate } from './peers/isolate.ts';
import { benchInProcesses } from './processes.ts';
import { barsMarkdown, barsSvg } from './report/bars.ts';
import { appendCsv, cpuFileName } from './report/csv.ts';
import {
  insertMarkdown,
  PROCESSORS,
  RESULTS,
  reportMarkdown,
  SIGHT,
  sightMarkdown,
} from './report/markdown.ts';
import { processorsMarkdown } from './report/processors.ts';
import { reportSvg } from './report/svg.ts';
import { reportText } from './report/text.ts';
import { isReport, type Report } from './result.ts';
import { runCommand } from './run-command.ts';

const SELF = fileURLToPath(import.meta.url);
const KEPT = fileURLToPath(new URL('../results/', import.meta.url));

/** Loads a map in a process of its own, where nothing is compiled or cached yet, and traces through it. */
const coldStart = (map: string): ColdStart =>
  JSON.parse(execFileSync(process.execPath, [SELF, '--cold-start', map], { encoding: 'utf8' }));

const readText = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8') : undefined;

function writeReport(command: Command, report: Report): void {
  const { bars, json, markdown, processors, save, sight, summary, svg } = command;
  const write = (page: string, name: string, text: string): void =>
    writeFileSync(page, insertMarkdown(readText(page), name, text));
  if (json) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  if (markdown) write(markdown, RESULTS, reportMarkdown(report));
  if (sight) write(sight, SIGHT, sightMarkdown(report));
  if (bars) writeFileSync(bars, barsSvg(report));
  if (summary) write(summary, RESULTS, barsMarkdown(report, resolve(summary), resolve(bars!)));
  if (svg) writeFileSync(svg, reportSvg(report));
  if (save) {
    const path = join(KEPT, cpuFileName(report.cpu));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, appendCsv(readText(path), report));
  }
  if (processors) {
    const kept = readdirSync(KEPT)
      .filter((name) => name.endsWith('.csv'))
      .sort()
      .map((name) => ({ processor: name.slice(0, -4), csv: readFileSync(join(KEPT, name), 'utf8') }));
    write(processors, PROCESSORS, processorsMarkdown(kept));
  }
}

/** Measures what the command asks for, once it is sure that nothing in it is wrong. */
async function measure(command: Command, maps: readonly string[]): Promise<Report> {
  const show = (what: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}`);
  };
  const { motions, seed, shapes } = command.options;
  await checkAsked(maps, shapes, openMap, namesIn, motions.includes('golden') ? undefined : seed);
  const report = await sharingAddons(() => benchInProcesses(SELF, maps, command, show));
  show('');
  return report;
}

/** Throws an Error for a file that cannot be written; RangeError for a page without both comments of what goes between them. */
function checkOutputs({ bars, json, markdown, processors, sight, summary, svg }: Command): void {
  checkWritable(bars, json, markdown, processors, sight, summary, svg);
  const places = [
    [markdown, RESULTS],
    [sight, SIGHT],
    [summary, RESULTS],
    [processors, PROCESSORS],
  ] as const;
  for (const [page, name] of places) if (page !== undefined) insertMarkdown(readText(page), name, '');
}

/** What `--json` wrote. Throws RangeError for anything else, and if it is to be saved and is too old to say when it was measured. */
function readReport(path: string, { save }: Command): Report {
  const report = parseReport(readFileSync(path, 'utf8'));
  if (!report) throw new RangeError(`${path}: is not a report, as --json writes it`);
  if (save && typeof report.date !== 'string')
    throw new RangeError(`${path}: does not say when it was measured, which --save needs: measure again`);
  return report;
}

function parseReport(text: string): Report | undefined {
  try {
    const report: unknown = JSON.parse(text);
    return isReport(report) ? report : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the exit code. */
async function run(command: Command): Promise<number> {
  if (command.coldStart !== undefined) {
    process.stdout.write(JSON.stringify(startCold(await openMap(command.coldStart))));
    return 0;
  }
  const maps = command.maps ?? usualMaps(command.quick);
  if (command.part) {
    const report = await runBench(maps, openMap, { ...command.options, coldStart, openIsolate });
    process.stdout.write(JSON.stringify(report));
    return 0;
  }
  checkOutputs(command);
  const report = command.from ? readReport(command.from, command) : await measure(command, maps);
  process.stdout.write(`${reportText(report)}\n`);
  writeReport(command, report);
  return 0;
}

runCommand(parseCommand, HELP, run);
