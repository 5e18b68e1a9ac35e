import { type BakeParameters, MOST_ITEMS, pointBytes, stanceOf } from '@bspkit/bake';
import { suitedPresets } from '@bspkit/core/format';
import { type Command, Option } from 'commander';
import { parseBox, parseCount, parseNumber, parsePositive } from './arguments.ts';
import { checkStep, layoutOf, POINTS_HELP, readPoints } from './bake-points.ts';
import { UsageError } from './errors.ts';
import { listed } from './numbers.ts';
import type { OpenMap } from './open-map.ts';
import { type Preset, walkerOf } from './presets.ts';
import { printable } from './printable.ts';
import type { Session } from './session.ts';

export const KINDS = ['occlusion', 'sight', 'clearance', 'exposure'] as const;
export type Kind = (typeof KINDS)[number];

/** What a bake computes. */
export interface JobOptions {
  readonly kind: Kind;
  readonly points?: string;
  readonly targets?: string;
  readonly step?: number;
  readonly tracer?: string;
  readonly shape?: string;
  readonly rays?: number;
  readonly seed?: number;
  readonly distance?: number;
  readonly offset?: number;
  readonly eye?: number;
  readonly bounds?: readonly number[];
  readonly reach?: number;
}

/** Options that affect what is computed, and the kinds that take them. */
const TAKEN: Readonly<Partial<Record<keyof JobOptions, readonly Kind[]>>> = {
  points: ['occlusion', 'sight', 'exposure'],
  targets: ['sight'],
  shape: ['clearance'],
  rays: ['occlusion', 'clearance'],
  seed: ['occlusion'],
  distance: ['occlusion', 'sight', 'exposure'],
  offset: ['occlusion'],
  eye: ['sight', 'exposure'],
  bounds: ['clearance'],
  reach: ['clearance'],
};

/** Where points come from by default. */
const POINTS: Readonly<Record<Exclude<Kind, 'clearance'>, string>> = {
  occlusion: 'surfaces',
  sight: 'entities',
  exposure: 'cells',
};

const GRID_STEP = 64;
/** The most cells of a grid without given bounds: minutes of work, in a file of more than a gigabyte. */
const MOST_UNASKED = 2 ** 27;

/** What there is one answer for, by kind. */
export const ITEMS: Readonly<Record<Kind, string>> = {
  occlusion: 'point',
  sight: 'point',
  clearance: 'cell',
  exposure: 'cell',
};

/** Adds the options of what is computed, apart from the kind. */
export function addJobOptions(command: Command): void {
  const what = [
    new Option(
      '--points <from>',
      `${POINTS_HELP}; by default surfaces for occlusion, entities for sight, cells for exposure`,
    ),
    new Option('--targets <from>', 'sight: points to look at, if not --points themselves'),
    new Option(
      '--step <units>',
      'distance between points, cells or grid lines; 64 by default, 32 for cells',
    ).argParser(parsePositive),
    new Option('--tracer <preset>', 'what is traced, one of the tracers of compare; a ray by default'),
    new Option(
      '--shape <preset>',
      'clearance: what must fit, one of the tracers of compare; a player by default',
    ),
    new Option('--rays <n>', 'directions per point; 64 by default, 32 for clearance').argParser(parseNumber),
    new Option('--seed <n>', 'occlusion: seed of the directions; 1 by default').argParser(parseCount),
    new Option(
      '--distance <units>',
      'how far rays go, 128 by default, or points see, unlimited by default',
    ).argParser(parseNumber),
    new Option('--offset <units>', 'occlusion: where rays begin above a surface; 1 by default').argParser(
      parseNumber,
    ),
    new Option(
      '--eye <units>',
      'sight, exposure: height of the eyes above a point; 0 by default, for exposure that of a player',
    ).argParser(parseNumber),
    new Option(
      '--bounds <x,y,z,x,y,z>',
      'clearance: corners of the part of the map; all by default',
    ).argParser(parseBox),
    new Option('--reach <units>', 'clearance: how far to look for walls; 1024 by default').argParser(
      parseNumber,
    ),
  ];
  for (const option of what) command.addOption(option.helpGroup('What is computed:'));
}

/** Throws `UsageError` for options that do not apply to the kind. */
export function checkJobOptions(options: JobOptions): void {
  const { kind, points, targets, step } = options;
  for (const [option, kinds] of Object.entries(TAKEN)) {
    if (options[option as keyof JobOptions] === undefined || kinds.includes(kind)) continue;
    throw new UsageError(`--${option} does not apply to ${kind}: it belongs to ${listed(kinds)}`);
  }
  if (kind !== 'clearance') checkStep(step, [points ?? POINTS[kind], targets ?? []].flat());
}

/** The bytes that a job is given: points. */
export function inputsOf(
  map: OpenMap,
  options: JobOptions,
  session: Session,
): Readonly<Record<string, Uint8Array>> {
  const { kind, step, targets } = options;
  if (kind === 'clearance') return {};
  const { points, normals } = readPoints(options.points ?? POINTS[kind], map, step, session);
  const looked = targets === undefined ? undefined : readPoints(targets, map, step, session).points;
  return {
    points: pointBytes(points),
    ...(normals && kind === 'occlusion' && { normals: pointBytes(normals) }),
    ...(looked && { targets: pointBytes(looked) }),
  };
}

/** A job's parameters: those given, and defaults. */
export function parametersOf(map: OpenMap, options: JobOptions): BakeParameters {
  const { kind, rays, seed, distance, offset, eye, reach, step } = options;
  const tracer = options.tracer === undefined ? undefined : presetOf(map, options.tracer, 'tracer');
  const given = { tracer, rays, seed, distance, offset, eye, reach };
  if (kind !== 'clearance') {
    const layout = layoutOf(options.points ?? POINTS[kind], map, step);
    return { ...given, ...layout, ...(kind === 'exposure' && { eye: eye ?? stanceOf(walkerOf(map)).eye }) };
  }
  const shape = options.shape === undefined ? undefined : presetOf(map, options.shape, 'shape');
  return { ...given, shape, ...gridOf(map, options) };
}

function gridOf(
  map: OpenMap,
  { step = GRID_STEP, bounds }: JobOptions,
): { readonly origin: number[]; readonly step: number; readonly size: number[] } {
  const { mins, maxs } = map.world.bounds;
  const [low, high] = bounds ? [bounds.slice(0, 3), bounds.slice(3)] : [mins, maxs];
  if ([0, 1, 2].some((k) => low[k]! > high[k]!)) {
    throw new UsageError('--bounds takes the lowest corner first, then the highest');
  }
  // Cells are between the lines of a grid through the world's origin.
  const first = [0, 1, 2].map((k) => lineAt(low[k]!, step, Math.floor));
  const size = [0, 1, 2].map((k) => Math.max(1, lineAt(high[k]!, step, Math.ceil) - first[k]!));
  const cells = size[0]! * size[1]! * size[2]!;
  if (!(cells <= MOST_ITEMS)) {
    throw new UsageError(`--step ${step} makes more than ${MOST_ITEMS.toLocaleString('en')} cells`);
  }
  if (!bounds && cells > MOST_UNASKED) {
    throw new UsageError(
      `the whole map is ${cells.toLocaleString('en')} cells: use a larger --step, or the --bounds of a part; ` +
        `the whole map is --bounds=${[...mins, ...maxs].join()}`,
    );
  }
  return { origin: first.map((k) => (k + 0.5) * step), step, size };
}

/** The number of the grid's line at a coordinate, the same as float32; if there is none, of the one beside it. */
function lineAt(coordinate: number, step: number, beside: (lines: number) => number): number {
  const lines = coordinate / step;
  const nearest = Math.round(lines);
  return Math.fround(nearest * step) === Math.fround(coordinate) ? nearest : beside(lines);
}

function presetOf({ format, world, name }: OpenMap, wanted: string, option: string): BakeParameters {
  const presets = suitedPresets(format, world);
  const preset: Preset | undefined = presets.find((known) => known.name === wanted);
  if (preset) {
    const { kind, size, options } = preset;
    return { kind, ...(size && { size: [...size] }), ...(options && { options: options as BakeParameters }) };
  }
  const known = listed(
    presets.map((other) => other.name),
    'or',
  );
  throw new UsageError(`--${option} has '${printable(wanted, 60)}', but ${name} has ${known}`);
}
