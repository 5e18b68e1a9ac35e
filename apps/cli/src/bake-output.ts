import { BakeError } from '@bspkit/bake';
import {
  bakeTable,
  csvText,
  drawBake,
  jsonText,
  type ReadOutcome,
  readOutcome,
  solidAt,
  toPng,
  toSvg,
} from '@bspkit/bake/picture';
import { suitedPresets } from '@bspkit/core/format';
import { type Command, Option } from 'commander';
import { numberBetween, type Point, parsePoint, parsePositive, wholeBetween } from './arguments.ts';
import { flagOf, UsageError } from './errors.ts';
import { titleOf } from './maps.ts';
import type { OpenMap } from './open-map.ts';
import { presetTracer } from './presets.ts';
import type { Session } from './session.ts';
import { type Content, checkTargets, isStdout, writeFile } from './sink.ts';

/** What a bake is written as, and how. */
export interface OutputOptions {
  /** The bake's own file. */
  readonly out: string;
  readonly kind?: string;
  readonly png?: string;
  readonly svg?: string;
  readonly csv?: string;
  readonly json?: string;
  readonly level?: number;
  readonly levelHeight?: number;
  readonly seenFrom?: Point;
  readonly width?: number;
  readonly scale?: number;
}

const FILES = ['png', 'svg', 'csv', 'json'] as const;
/** Options that only affect pictures. */
const DRAWING = ['level', 'levelHeight', 'seenFrom', 'width', 'scale'] as const;
const GROUP = 'Pictures and tables of the result:';

/** Adds the options of {@link writeOutputs} to a command. */
export function addOutputOptions(command: Command): Command {
  const options = [
    new Option('--png <file>', 'a picture from above, storey by storey'),
    new Option('--svg <file>', 'the same as SVG'),
    new Option('--csv <file>', 'the values with their coordinates, a line each'),
    new Option('--json <file>', 'the same as JSON: columns and rows'),
    new Option('--level <n>', 'draw one storey only: 1 is the lowest').argParser(wholeBetween(1, 10_000)),
    new Option(
      '--level-height <units>',
      'height of a storey, counted from 0 up; by default found by the heights of floors',
    ).argParser(parsePositive),
    new Option(
      '--seen-from <x,y,z>',
      'sight: draw what is seen from the point nearest to this one',
    ).argParser(parsePoint),
    new Option('--width <pixels>', 'width of the picture at most, 1200 by default').argParser(
      wholeBetween(480, 8192),
    ),
    new Option('--scale <factor>', 'scale of --png, 2 for print').argParser(numberBetween(0.25, 8)),
  ];
  for (const option of options) command.addOption(option.helpGroup(GROUP));
  return command;
}

/** Checks that the requested files can be written, before work is done for them. Throws `UsageError`. */
export async function checkOutputs(options: OutputOptions, session: Session): Promise<void> {
  const { out, png, svg, csv, json } = options;
  await checkTargets({ out, png, svg, csv, json }, session);
  const unused = DRAWING.find((name) => options[name] !== undefined);
  if (unused && options.png === undefined && options.svg === undefined) {
    throw new UsageError(`${flagOf(unused)} is for pictures: add --png or --svg`);
  }
  if (options.scale !== undefined && png === undefined) {
    throw new UsageError('--scale is for --png: SVG has no pixels of its own');
  }
  if (options.seenFrom && options.kind !== 'sight') throw new UsageError('--seen-from is for --kind sight');
}

/** Names of the pictures and tables that are requested. */
export const outputNames = (options: OutputOptions): string[] => FILES.flatMap((name) => options[name] ?? []);

/**
 * Writes pictures and tables of a finished bake.
 * @param bytes - the bake's file.
 * @param map - the map that the bake is about.
 * @throws UsageError for what cannot be written or drawn, such as a `level` that the map does not have, and for a bake that is
 *   not finished, or has answers that no bake has.
 */
export async function writeOutputs(
  bytes: Uint8Array,
  map: OpenMap,
  options: OutputOptions,
  session: Session,
): Promise<void> {
  const { out, png, svg, csv, json, level, levelHeight, seenFrom, width, scale } = options;
  if (outputNames(options).length === 0) return;
  await asUsage(async () => {
    const bake = readNamed(out, bytes);
    const how = { name: titleOf(map.name), level, levelHeight, from: seenFrom, width };
    const isDrawn = png !== undefined || svg !== undefined;
    const drawing = isDrawn ? drawBake(bake, { ...how, solidAt: wallsOf(map) }) : undefined;
    const files: [name: string | undefined, content: () => Content | Promise<Content>][] = [
      [csv, () => inParts(csvText(bakeTable(bake)))],
      [json, () => inParts(jsonText(bakeTable(bake)))],
      [png, () => toPng(drawing!, scale)],
      [svg, () => toSvg(drawing!)],
    ];
    // Stdout comes last: if whoever reads it closes it, the command ends.
    const isLast = ([name]: (typeof files)[number]): number =>
      Number(name !== undefined && isStdout(name, session));
    for (const [name, content] of files.sort((a, b) => isLast(a) - isLast(b))) {
      if (name !== undefined) await writeFile(name, await content(), session);
    }
  });
}

/** The outcome in a bake's file; what is wrong with it is an error that names the file. */
function readNamed(name: string, bytes: Uint8Array): ReadOutcome {
  try {
    return readOutcome(bytes);
  } catch (error) {
    if (!(error instanceof BakeError)) throw error;
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}

/** Joins short texts to longer ones, which are written faster. */
async function* inParts(texts: Iterable<string>): AsyncGenerator<string> {
  let part = '';
  for (const text of texts) {
    part += text;
    if (part.length < 65_536) continue;
    yield part;
    part = '';
  }
  yield part;
}

/** Where the map is solid, according to its first tracer of points. */
function wallsOf(map: OpenMap): ReturnType<typeof solidAt> | undefined {
  const [point] = suitedPresets(map.format, map.world, 'point');
  return point && solidAt(presetTracer(map, point));
}

/** If something cannot be drawn, the user asked for it. */
async function asUsage(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
