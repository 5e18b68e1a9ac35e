import type { Trace, Tracer, Vec3 } from '@bspkit/core';
import { type BspFormat, showVec } from '@bspkit/core/format';
import { between, createRandom, dot } from '@bspkit/geometry';
import { demandSame } from './demand.ts';

/** A map of the format. */
export interface FormatSample {
  /** What the map is called in the titles of its tests. */
  readonly name: string;
  /** The file as it is read from disk. Nothing changes it. */
  readonly bytes: Uint8Array;
}

/** Declares a test. */
export type It = (title: string, run: () => void | Promise<void>) => void;

export type World = ReturnType<BspFormat['createWorld']> & {
  /** Every world has it; its type is the format's own. */
  model(number: number): object;
};

export type Move = readonly [start: Float32Array, end: Float32Array];

const MOVES = 100;

/** Moves through a world, some long, some short, some of no length; around one of its models where that is asked for. */
export function movesIn(world: World, number = 0): Move[] {
  const random = createRandom(7);
  const model = number > 0 ? (world.model(number) as { bounds?: World['bounds']; origin?: Vec3 }) : undefined;
  const { mins, maxs } = model?.bounds ?? world.bounds;
  const origin = model?.origin ?? [0, 0, 0];
  const margin = model ? 80 : 20;
  const point = (): Float32Array =>
    Float32Array.from([0, 1, 2], (k) => origin[k]! + between(random, mins[k]! - margin, maxs[k]! + margin));
  return Array.from({ length: MOVES }, (_, k) => {
    const start = point();
    if (k % 10 === 0) return [start, start.slice()];
    const end = k % 3 === 0 ? start.map((x) => x + between(random, -32, 32)) : point();
    return [start, end];
  });
}

/** A move in words. */
export const showMove = ([start, end]: readonly [Vec3, Vec3]): string =>
  `on the way from ${showVec(start)} to ${showVec(end)}`;

/** The fields of an answer by name, with plain arrays, so that reports show which of them differ. */
export function fieldsOf(
  trace: Trace,
  names: readonly string[] = Object.keys(trace),
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const name of names) {
    const value = trace[name as keyof Trace] as unknown;
    fields[name] = ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value;
  }
  return fields;
}

/** What a tracer answers to moves, `blocked` included. */
export const answersOf = (tracer: Tracer, moves: readonly Move[]): Record<string, unknown>[] =>
  moves.map(([start, end]) => {
    const answer = { blocked: tracer.blocked(start, end) };
    return fieldsOf(tracer.trace(start, end), undefined, answer);
  });

/** Throws an error that names the first move whose answer is another one than expected. */
export function demandAnswers(
  actual: readonly object[],
  expected: readonly object[],
  moves: readonly Move[],
  what: string,
): void {
  for (const [k, answer] of actual.entries()) {
    demandSame(answer, expected[k], () => `${what}, ${showMove(moves[k]!)}`);
  }
}

export const squareOf = (a: Vec3): number => dot(a, a);
