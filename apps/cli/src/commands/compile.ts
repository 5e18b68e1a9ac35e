import { readFileSync } from 'node:fs';
import {
  type CompiledMap,
  CompileError,
  type CompileFormat,
  type CompileOptions,
  compileMap,
  type MapSource,
  parseMap,
} from '@bspkit/compile';
import { Command, Option } from 'commander';
import { type Numbers, parseBoxes } from '../arguments.ts';
import { demoSource } from '../demo-maps.ts';
import { MapError, systemReason, UsageError, withUserInput } from '../errors.ts';
import { FORMAT_NAMES, FORMATS } from '../format-names.ts';
import { show, showBytes, showTime } from '../numbers.ts';
import { heading, label, paint, print, printJson } from '../output.ts';
import { showStages } from '../progress.ts';
import { writeFile } from '../sink.ts';
import { formatFields, formatTable } from '../table.ts';

interface Options {
  readonly format: CompileFormat;
  readonly out: string;
  readonly hulls?: Numbers;
  readonly bsp2?: boolean;
  readonly stats?: boolean;
  readonly json?: boolean;
}

export function compileCommand(): Command {
  return new Command('compile')
    .description('compile a map source (.map) to a map')
    .argument('<source>', 'a .map file, or demo:arena')
    .addOption(
      new Option('-f, --format <game>', 'whose map it shall be').choices(FORMATS).makeOptionMandatory(),
    )
    .requiredOption('-o, --out <file>', 'the map to write')
    .option('--hulls <boxes>', 'boxes that clip hulls are made for, six numbers each (quake1)', parseBoxes)
    .option('--bsp2', 'write BSP2 even where version 29 would do (quake1)')
    .option('--stats', 'tell what the map is made of')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  bspkit compile level.map --format quake3 --out level.bsp --stats
  bspkit compile demo:arena --format quake1 --out arena.bsp`,
    )
    .action(run);
}

function run(name: string, options: Options): void {
  if (options.format !== 'quake1' && (options.hulls || options.bsp2)) {
    throw new UsageError('--hulls and --bsp2 belong to --format quake1');
  }
  const began = performance.now();
  const { bytes, stats, warnings } = compile(name, options);
  const time = performance.now() - began;
  writeFile(options.out, bytes);
  for (const { message } of warnings) {
    process.stderr.write(`bspkit: ${name}: ${paint('yellow', 'warning')}: ${message}\n`);
  }
  const messages = warnings.map(({ message }) => message);
  if (options.json) printJson({ source: name, out: options.out, ...stats, warnings: messages });
  else print(statsText(name, options, stats, time));
}

function compile(name: string, { format, hulls, bsp2 }: Options): CompiledMap {
  const stages = showStages();
  const sizes: CompileOptions['hulls'] =
    hulls &&
    [0, 6, 12, 18]
      .filter((at) => at < hulls.length)
      .map((at) => ({ mins: triple(hulls, at), maxs: triple(hulls, at + 3) }));
  try {
    const source = readSource(name);
    const onProgress = (stage: string, part: number): void => stages.update(stage, part);
    return withUserInput(() => compileMap(source, { format, hulls: sizes, bsp2, onProgress }));
  } catch (error) {
    if (error instanceof CompileError) throw new MapError(`${name}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    stages.end();
  }
}

const triple = (numbers: Numbers, at: number): [number, number, number] => [
  numbers[at]!,
  numbers[at + 1]!,
  numbers[at + 2]!,
];

function readSource(name: string): MapSource {
  const demo = /^demo:(.*)$/.exec(name);
  if (demo) return demoSource(demo[1]!);
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch (error) {
    throw new MapError(`${name}: ${systemReason(error)}`, { cause: error });
  }
  return parseMap(text);
}

function statsText(
  name: string,
  { format, out, stats: wanted }: Options,
  { sourceBrushes, counts, tree, bytes }: CompiledMap['stats'],
  time: number,
): string {
  const title = `${heading(out)}  ${FORMAT_NAMES[format]}, ${showBytes(bytes)}, from ${sourceBrushes} brushes of ${name} in ${showTime(time)}\n`;
  if (!wanted) return title;
  const fields: [string, string][] = [
    ['nodes', tree.nodes.toLocaleString('en')],
    ['leafs', tree.leafs.toLocaleString('en')],
    ['depth', `${tree.depth} at most, ${show(tree.meanDepth, 1)} on average`],
    ['brushes a leaf', `${tree.maxBrushes} at most, ${show(tree.meanBrushes, 1)} on average`],
  ];
  const rows = Object.entries(counts).map(([lump, records]) => [lump, records.toLocaleString('en')]);
  const lumps = formatTable([{ title: 'lump' }, { title: 'records', align: 'right' }], rows, label);
  return `${title}${formatFields(fields, label)}\n${lumps}`;
}
