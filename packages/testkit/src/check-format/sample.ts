import type { Trace, Tracer, Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { between, createRandom } from '@bspkit/geometry';

/** A map of the format. */
export interface FormatSample {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type World = ReturnType<BspFormat['createWorld']> & {
  /** Every world has it; its type is the format's own. */
  model(number: number): object;
};

export type Move = readonly [Float32Array, Float32Array];

const MOVES = 100;

/** Moves through a world, some long, some short, some of no length; around its models where that is asked for. */
export function movesIn(world: World, models = 0): Move[] {
  const random = createRandom(7);
  const model = models > 0 ? (world.model(1) as { bounds?: World['bounds']; origin?: Vec3 }) : undefined;
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

/** Every field of an answer, signs of zero included. */
export function flat(trace: Trace, fields: readonly string[] = Object.keys(trace)): unknown[] {
  const values: unknown[] = [];
  for (const name of [...fields].sort()) {
    const value = trace[name as keyof Trace] as unknown;
    if (ArrayBuffer.isView(value)) for (const number of value as Float32Array) values.push(number);
    else values.push(value);
  }
  return values;
}

export const answersOf = (tracer: Tracer, moves: readonly Move[]): unknown[][] =>
  moves.map(([start, end]) => [tracer.blocked(start, end), ...flat(tracer.trace(start, end))]);

export const dot = (a: Vec3, b: Vec3): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

export const squareOf = (a: Vec3): number => dot(a, a);

export const NONE: Error = new Error('nothing was thrown');

/** What a call throws; {@link NONE} when it throws nothing. */
export function caught(run: () => unknown): Error {
  try {
    run();
    return NONE;
  } catch (error) {
    return error as Error;
  }
}
