import {
  type CompareEntry,
  type CompareOptions,
  type CompareStage,
  type Comparison,
  compare,
  openQueries,
  planeQueries,
  playerQueries,
  uniformQueries,
} from '@bspkit/compare';
import { type BspWorld, entityVector } from '@bspkit/core';
import {
  type BspFormat,
  explainerOf,
  type KernelName,
  playerPreset,
  type TracerPreset,
  tracerOf,
} from '@bspkit/core/format';

// A comparison as data, so that a worker can be asked for one.

/** Kinds of queries, in words. */
export const QUERY_KINDS = {
  open: 'between places in the open',
  player: 'of a running player',
  planes: 'close to planes',
  uniform: 'between any two points',
} as const;

export type QueryKind = keyof typeof QUERY_KINDS;

/** What presets stand for: only those of one role can be compared. */
export type Role = TracerPreset<BspWorld>['role'];

/** One of the tracers: a preset of the format's, with one of its kernels. */
export interface Entrant {
  readonly preset: string;
  /** The format's own choice by default. */
  readonly kernel?: KernelName | undefined;
}

/** What is to be compared. */
export interface Contest {
  readonly entrants: readonly Entrant[];
  readonly queries: QueryKind;
  readonly count: number;
  readonly seed: number;
}

/** Ends nearer than this count as equal, in Quake units: tracers keep 1/8 or 1/32 from surfaces. */
export const NEAR = 0.25;
/** Differences that are kept per tracer. */
const WORST = 50;
/** Queries whose work is counted: literal algorithms are slow. */
const EXPLAINED = 100;
const TIMING = { rounds: 5, roundTime: 15 } as const;

/** What a preset's name stands for, where that differs: `ray, epsilon 0.03125`; empty where the name says it. */
export function presetText(format: BspFormat, { preset: name }: Entrant): string {
  const { kind, size = [], options = {} } = presetNamed(format, name);
  const parts = [
    ...(kind === name ? [] : [kind]),
    ...(size.length > 0 ? [size.join(' ')] : []),
    ...Object.entries(options).map(([option, value]) =>
      typeof value === 'boolean' ? (value ? option : `no ${option}`) : `${option} ${String(value)}`,
    ),
  ];
  return parts.join(', ');
}

/** As people read it: `box`, `box in JavaScript`. */
export const entrantName = ({ preset, kernel }: Entrant): string =>
  kernel === 'js' ? `${preset}, JavaScript` : kernel === 'wasm' ? `${preset}, WebAssembly` : preset;

/**
 * Runs the same queries through all entrants; the first is the baseline.
 * @throws RangeError for an unknown preset, and where the map gives no such queries.
 */
export function runContest(
  format: BspFormat,
  bytes: Uint8Array,
  { entrants, queries, count, seed }: Contest,
  onProgress: (stage: CompareStage, part: number) => void,
  timing: Pick<CompareOptions, 'rounds' | 'roundTime'> = TIMING,
): Comparison {
  const file = format.read(bytes);
  const worlds = new Map<KernelName | undefined, BspWorld>();
  const worldFor = (kernel: KernelName | undefined): BspWorld => {
    const world = worlds.get(kernel) ?? format.createWorld([file], kernel && { kernel });
    worlds.set(kernel, world);
    return world;
  };
  const entries = entrants.map((entrant): CompareEntry => {
    const preset = presetNamed(format, entrant.preset);
    const world = worldFor(entrant.kernel);
    const tracer = tracerOf(format, world, preset);
    return { name: entrantName(entrant), tracer, explain: explainerOf(format, world, preset, tracer) };
  });
  const role = presetNamed(format, entrants[0]!.preset).role;
  const moves = contestQueries(format, worldFor(entrants[0]!.kernel), role, { queries, count, seed });
  return compare(entries, moves, {
    distance: NEAR,
    worst: WORST,
    explained: EXPLAINED,
    ...timing,
    onProgress,
  });
}

function presetNamed({ tracers, name: game }: BspFormat, name: string): TracerPreset<BspWorld> {
  const preset = tracers.presets.find((known) => known.name === name);
  if (!preset) throw new RangeError(`${game} has no tracer '${name}'`);
  return preset;
}

/** The queries: six numbers each. Where they begin, there is room for what a role stands for. */
function contestQueries(
  format: BspFormat,
  world: BspWorld,
  role: Role,
  { queries, count, seed }: Omit<Contest, 'entrants'>,
): Float32Array {
  const { bounds } = world;
  const player = tracerOf(format, world, playerPreset(format));
  const origins = world.entities().flatMap((entity) => entityVector(entity, 'origin') ?? []);
  const places = Array.from({ length: origins.length / 3 }, (_, k) => origins.slice(3 * k, 3 * k + 3));
  switch (queries) {
    case 'uniform':
      return uniformQueries(count, { bounds, seed });
    case 'planes':
      return planeQueries(count, { bounds, seed, planes: format.polygons(world).polygons() });
    case 'player':
      return inTheOpen(() => playerQueries(count, { bounds, seed, tracer: player, origins: places }));
    case 'open': {
      const open = role === 'point' ? format.tracers.kinds[0]!.create(world, [], {}) : player;
      return inTheOpen(() => openQueries(count, { bounds, seed, open, origins: places }));
    }
  }
}

function inTheOpen(draw: () => Float32Array): Float32Array {
  try {
    return draw();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError('No start in the open was found: try moves between any two points.');
  }
}
