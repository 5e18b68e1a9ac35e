import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Clock, measure, type QueryRunner } from '@bspkit/compare';
import type { TraceBatch } from '@bspkit/core';
import type { BspFormat, BspFormatEntry } from '@bspkit/core/format';
import type { ShapeNames } from '../beforehand.ts';
import type { BenchMap } from '../maps.ts';
import { createBatchPeer, createBspkitPeer } from '../peers/bspkit.ts';
import { type Peer, runOf } from '../peers/peer.ts';
import { type Asked, askedOf } from '../queries/for-map.ts';
import { isTest, MOTIONS, type MotionName } from '../queries/motions.ts';
import { measuredShapes } from '../shapes.ts';
import { buildWorld } from '../world.ts';

/** How two versions are compared. */
export interface DuelOptions {
  readonly shapes: readonly string[] | undefined;
  readonly motions: readonly MotionName[];
  /** Distinct queries per series. */
  readonly queries: number;
  /** Timed rounds per version and process. */
  readonly rounds: number;
  readonly seed: number;
  /** Whether the other version has the first turn, which compilers may favour. */
  readonly otherFirst: boolean;
  readonly now: Clock;
}

/** One series for a map: how many times as long as the other version this one takes, in one process. */
export interface DuelSeries {
  /** A shape, the same in batches, or loading. */
  readonly shape: string;
  readonly motion: MotionName | '';
  readonly ratio: number;
  /** Nanoseconds per query. */
  readonly before: number;
  readonly after: number;
  /** Queries that the two answer differently. */
  readonly different: number;
}

/** What one process found for a map. */
export interface DuelResult {
  readonly map: string;
  readonly series: readonly DuelSeries[];
  /** Why the other version could not be measured, for some shapes or the whole map. */
  readonly missing: readonly string[];
}

/** The name of the series about loading, among the shapes. */
const LOADING = 'load';
/** How many times as many rounds as for tracing. The fastest counts: garbage from loading may be collected in any round. */
export const LOADING_ROUNDS = 8;

/** How shapes are asked: what follows their names, who answers, and in which motions. */
const WAYS: readonly [suffix: string, create: (source: BenchMap) => Peer, suited: readonly MotionName[]][] = [
  ['', (source) => createBspkitPeer(source), MOTIONS],
  // What batches share with single traces is measured with those.
  [' batch', createBatchPeer, ['long', 'sight']],
];

/** Names of what can be compared in a world. */
export const seriesIn: ShapeNames = (format, world) => [
  ...WAYS.flatMap(([suffix]) => measuredShapes(format, world).map(({ preset }) => preset.name + suffix)),
  LOADING,
];

/** The formats that another version opens, from its built umbrella package. */
export async function formatsOf(folder: string): Promise<readonly BspFormatEntry[]> {
  const url = pathToFileURL(join(folder, 'packages/bspkit/dist/index.js')).href;
  const { FORMATS } = (await import(url)) as { FORMATS?: readonly BspFormatEntry[] };
  if (!FORMATS) throw new Error('the revision is too old: its umbrella package has no list of formats');
  return FORMATS;
}

/**
 * Asks two versions of bspkit the same queries in a map, in turns.
 *
 * @param others - the formats of the other version.
 */
export async function duel(
  map: BenchMap,
  others: readonly BspFormatEntry[],
  { shapes, motions, queries: count, rounds, seed, otherFirst, now }: DuelOptions,
): Promise<DuelResult> {
  const { name, format } = map;
  const found = others.find(({ id }) => id === format.id);
  if (!found) return { map: name, series: [], missing: [`no ${format.name} there`] };
  const other = { ...map, format: (await found.load()) as BspFormat };
  const inTurn = <T>(before: T, after: T): [T, T] => (otherFirst ? [before, after] : [after, before]);
  // Both prepare queries, although one would be enough: code that has run more than other code is compiled differently.
  let prepared: readonly Asked<MotionName>[] = [];
  const looks = inTurn(
    () => {
      try {
        prepare(other, motions, count, seed);
      } catch {
        // The series show what it lacks.
      }
    },
    () => {
      prepared = prepare(map, motions, count, seed);
    },
  );
  for (const look of looks) look();
  const series: DuelSeries[] = [];
  const missing: string[] = [];
  const add = (
    shape: string,
    motion: DuelSeries['motion'],
    times: readonly number[],
    speed: number,
    different = 0,
  ): void => {
    const [before, after] = inTurn(times[0]!, times[1]!);
    series.push({ shape, motion, ratio: otherFirst ? 1 / speed : speed, before, after, different });
  };

  for (const [suffix, create, suited] of WAYS) {
    const peers = inTurn(create(other), create(map));
    for (const { shape, motion, queries } of prepared) {
      const label = shape.preset.name + suffix;
      if (!suited.includes(motion) || !(shapes?.includes(label) ?? true)) continue;
      try {
        const ways = peers.map((peer) => peer.prepare(shape)!);
        const unlike = differentAnswers(ways.map(({ answers }) => answers!(queries)));
        const runs = ways.map((way) => runOf(way, motion)!);
        const runners = runs.map((run) =>
          Object.assign((from: number, to: number) => run(queries, from, to), { atOnce: run.atOnce }),
        );
        const [first, second] = measure(runners, queries.length / 6, { rounds, now }).map(
          ({ time }) => time!,
        );
        // Where only tests are timed, whole traces are compared, and then the tests themselves.
        const different = Math.max(unlike, isTest(motion) ? differentTests(runs, queries) : 0);
        // Of rounds right after each other.
        add(label, motion, [first!.median, second!.median], second!.speed, different);
      } catch (error) {
        missing.push(`${label} ${motion}: ${(error as Error).message}`);
      }
    }
  }
  if (shapes?.includes(LOADING) ?? true) {
    const loads = inTurn(other, map).map((source) => () => buildWorld(source).data.byteLength);
    const times = measure(loads, 1, { rounds: LOADING_ROUNDS * rounds, roundTime: 1, now }).map(
      ({ time }) => time!.min,
    );
    add(LOADING, '', times, times[0]! / times[1]!);
  }
  return { map: name, series, missing };
}

/** How many queries two versions answer differently in any field, signs of zero included. */
function differentAnswers([first, second]: readonly TraceBatch[]): number {
  const { count, ...fields } = first!;
  const unlike = new Uint8Array(count);
  for (const [field, answers] of Object.entries(fields)) {
    const others = second![field as keyof typeof fields];
    const width = answers.length / count;
    for (const [at, value] of answers.entries()) {
      if (!Object.is(value, others[at])) unlike[Math.floor(at / width)] = 1;
    }
  }
  return unlike.reduce((sum, one) => sum + one, 0);
}

/** How many queries two tests answer differently. */
function differentTests([first, second]: readonly QueryRunner[], queries: Float32Array): number {
  let different = 0;
  for (let k = 0; k < queries.length / 6; k++) {
    if (first!(queries, k, k + 1) !== second!(queries, k, k + 1)) different++;
  }
  return different;
}

/** What is asked about a map, shape by shape. */
function prepare(
  source: BenchMap,
  motions: readonly MotionName[],
  count: number,
  seed: number,
): readonly Asked<MotionName>[] {
  const { format } = source;
  const world = buildWorld(source);
  const shapes = measuredShapes(format, world);
  const asked = [...askedOf(format, world, shapes, motions, { count, seed })];
  return shapes.flatMap((shape) => asked.filter((one) => one.shape === shape));
}
