import {
  type CompareEntry,
  type CompareOptions,
  type CompareStage,
  type Comparison,
  compare,
  mapQueries,
  type QueryKind,
} from '@bspkit/compare';
import type { BspWorld } from '@bspkit/core';
import {
  type BspFormat,
  explainerOf,
  type KernelName,
  type TracerPreset,
  tracerOf,
} from '@bspkit/core/format';

// A comparison as data, so that a worker can be asked for one.

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
  const world = worldFor(entrants[0]!.kernel);
  const room = role === 'point' ? 'point' : 'player';
  const moves = mapQueries(count, { format, world, kind: queries, room, seed });
  return compare(entries, moves, {
    distance: NEAR,
    worst: WORST,
    explained: EXPLAINED,
    ...timing,
    onProgress,
  });
}

/** The preset of a format that has some name. */
export function presetNamed({ tracers, name: game }: BspFormat, name: string): TracerPreset<BspWorld> {
  const preset = tracers.presets.find((known) => known.name === name);
  if (!preset) throw new RangeError(`${game} has no tracer '${name}'`);
  return preset;
}
