import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { BROWSERS, type Browser, ISOLATED, reportOf } from '@bspkit/testkit/browsers';
import { build } from 'esbuild';
import { withFigures, writeFigures } from '../../../scripts/figures.mjs';
import type { ColdStart } from './cold.ts';
import { type BenchMap, openMap, usualMaps } from './maps.ts';
import { listed, wholeNumber } from './options.ts';
import { place } from './place.ts';
import { median } from './quantile.ts';
import { COLD_HEAD, coldCells } from './report/grids.ts';
import { gridMarkdown } from './report/markdown.ts';
import { gridText } from './report/text.ts';
import { runCommand } from './run-command.ts';

// How bspkit begins in Node and in the browsers that are here, each time in a new process: what a visitor waits for.

const HELP = `Measures how bspkit begins in Node and in the browsers that are here: ms to load a map, for the first
trace, and for the next 1,000. The median of several new processes.

usage: npm run bench:pages -- [options]

  --maps A,B       maps, as for npm run bench; by default two of each game
  --in A,B         node and browsers, by name; by default all that are here
  --processes N    new processes of each; by default 5
  --write FILE     put the table into this Markdown file, between its comments
  --help           this text
`;

/** What the command line says. Throws `TypeError` or `RangeError` saying what is wrong with it. */
function parsePages() {
  const { values } = parseArgs({
    options: {
      maps: { type: 'string' },
      in: { type: 'string' },
      processes: { type: 'string', default: '5' },
      write: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return {
    ...values,
    maps: listed(values.maps),
    in: listed(values.in),
    processes: wholeNumber('processes', values.processes, 1),
  };
}

/** The name of the place in pages. */
const FIGURES = 'bench:pages';

/** What users get, as a bundler makes it for a page. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [place('../src/page.ts')],
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', target: 'es2022' },
    // It warns of imports that it leaves out of packages outside node_modules, as all of ours are here.
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

const inNode = (name: string): ColdStart =>
  JSON.parse(
    execFileSync(process.execPath, [place('../dist/main.js'), '--cold-start', name], { encoding: 'utf8' }),
  );

async function inBrowser(browser: Browser, page: string, { format, bytes }: BenchMap): Promise<ColdStart> {
  const files = new Map<string, string | Uint8Array>([
    ['page.js', page],
    ['map.bsp', bytes],
    ['format.txt', format.id],
  ]);
  // Clocks are finer in pages that share memory with no other.
  return (await reportOf(browser, files, { headers: ISOLATED })) as ColdStart;
}

/** Of each part the median. */
function medians(starts: readonly ColdStart[]): ColdStart {
  const parts = Object.keys(starts[0]!) as (keyof ColdStart)[];
  return Object.fromEntries(
    parts.map((part) => [part, median(starts.map((start) => start[part]))]),
  ) as unknown as ColdStart;
}

/** Writes over the line before, for somebody who watches. */
function say(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}`);
}

interface Engine {
  readonly name: string;
  readonly start: (name: string, map: BenchMap) => ColdStart | Promise<ColdStart>;
}

function named(name: string, engines: readonly Engine[]): Engine {
  const found = engines.find((engine) => engine.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  throw new RangeError(
    `--in takes some of ${engines.map((engine) => engine.name).join(', ')}, which are here, not '${name}'`,
  );
}

/** Returns the exit code. */
async function run(command: ReturnType<typeof parsePages>): Promise<number> {
  const { maps = usualMaps(true), processes, write } = command;
  // Before it takes minutes: all maps, and the page for the table.
  const opened = await Promise.all(maps.map((name) => openOne(name)));
  if (write !== undefined) withFigures(readFileSync(write, 'utf8'), FIGURES, '');
  const page = await bundle();
  const here: Engine[] = [
    { name: 'Node', start: (name) => inNode(name) },
    ...BROWSERS.filter(({ missing }) => missing === '').map((browser) => ({
      name: browser.name,
      start: (_: string, map: BenchMap) => inBrowser(browser, page, map),
    })),
  ];
  const engines = command.in?.map((name) => named(name, here)) ?? here;
  const rows: string[][] = [];
  for (const map of opened) {
    const { name } = map;
    const starts: ColdStart[][] = engines.map(() => []);
    for (let round = 0; round < processes; round++) {
      for (const [k, { name: engine, start }] of engines.entries()) {
        say(`${name}, ${engine}, ${round + 1} of ${processes}`);
        starts[k]!.push(await start(name, map));
      }
    }
    for (const [k, { name: engine }] of engines.entries()) {
      rows.push([name, engine, ...coldCells(medians(starts[k]!))]);
    }
  }
  say('');
  const grid = {
    title: 'How bspkit begins, in milliseconds',
    head: ['map', 'in', ...COLD_HEAD],
    words: 2,
    rows,
  };
  const conditions = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}, median of ${processes} new ${processes === 1 ? 'process' : 'processes'}.`;
  process.stdout.write(`${conditions}\n\n${gridText(grid)}\n`);
  if (write !== undefined) writeFigures(write, FIGURES, `${conditions}\n\n${gridMarkdown(grid)}`);
  return 0;
}

async function openOne(name: string): Promise<BenchMap> {
  const map = await openMap(name);
  if (map.tiles) throw new RangeError(`--maps takes maps of one file, not the assembly ${name}`);
  return map;
}

runCommand(parsePages, HELP, run);
