import {
  type CompareEntry,
  defineTracer,
  type QueryRunner,
  runnerOf,
  type Shape,
  type Tracer,
} from '@bspkit/compare';
import type { TraceBatch } from '@bspkit/core';
import { isTest, type MotionName } from '../queries/motions.ts';
import type { MeasuredShape } from '../shapes.ts';

/** A way to answer one kind of query on one map: a tracer, and what is timed if that is not the tracer. */
export interface PreparedQuery extends Pick<CompareEntry, 'tracer' | 'run'> {
  /** All that the tracer which is timed answers, with its own settings; absent for other libraries. */
  readonly answers?: (queries: Float32Array) => TraceBatch;
  /** What is timed if it only matters whether anything is in the way; absent if a library does not offer that. */
  readonly test?: QueryRunner;
  /** Bytes that a query allocates, if this isolate's heap does not show it. */
  readonly allocated?: (queries: Float32Array, test: boolean) => number;
}

/** A library, with a map loaded into it. */
export interface Peer {
  readonly name: string;
  /** Milliseconds to get ready for queries, from what `builtFrom` says; undefined if there is nothing to do. */
  readonly buildMs: number | undefined;
  readonly builtFrom: 'bytes' | 'triangles' | 'world';
  /** Bytes that stay in use for the map, as far as the library says. */
  readonly bytes: number | undefined;
  /** Undefined for a shape that the library does not offer. */
  prepare(measured: MeasuredShape): PreparedQuery | undefined;
}

/** What is timed for a motion; undefined if the library does not offer it. */
export function runOf(
  { tracer, run, test }: PreparedQuery,
  motion: MotionName | 'golden',
): QueryRunner | undefined {
  return isTest(motion) ? test : (run ?? runnerOf(tracer));
}

/**
 * A tracer around a library's own answers, which is compared but never timed. It only knows how far moves get.
 *
 * @param cast - answers the query in the first six numbers: the part of the move that can be made, 1 or more if nothing is hit.
 */
export function castTracer(shape: Shape, cast: (query: Float32Array) => number): Tracer {
  const query = new Float32Array(6);
  return defineTracer({
    shape,
    trace(start, end, out) {
      query.set(start);
      query.set(end, 3);
      out.fraction = Math.min(1, cast(query));
      for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
      return out;
    },
  });
}

/** Length of a query's move, in Quake units. */
export function moveLength(queries: Float32Array, index: number): number {
  const at = 6 * index;
  const x = queries[at + 3]! - queries[at]!;
  const y = queries[at + 4]! - queries[at + 1]!;
  const z = queries[at + 5]! - queries[at + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** How often something is built: the shortest time counts, as the first ones include compiling the library. */
const BUILDS = 3;

/** Builds something a few times; returns the last one, with the shortest time in milliseconds. */
export function timeBuild<T>(
  build: () => T,
  discard: (value: T) => void = () => {},
): { value: T; buildMs: number } {
  let buildMs = Infinity;
  for (let k = 1; ; k++) {
    const begin = performance.now();
    const value = build();
    buildMs = Math.min(buildMs, performance.now() - begin);
    if (k === BUILDS) return { value, buildMs };
    discard(value);
  }
}
