import type { Shape } from '@bspkit/core';

/** One way of answering one kind of query on one map. */
export interface PreparedQuery {
  /**
   * Answers queries `first` to `last - 1` of `segments` (six numbers each). The sum of the fractions is returned, so
   * that no answer can be optimised away. This is what is timed.
   */
  run(segments: Float32Array, first: number, last: number): number;
  /** How far the shape of query `index` can go before it touches something, in Quake units; Infinity for no hit. */
  distance(segments: Float32Array, index: number): number;
}

/** A library, with a map loaded into it. */
export interface Peer {
  readonly name: string;
  /** Milliseconds to get ready for queries, from what `builtFrom` says. */
  readonly buildMs: number;
  readonly builtFrom: 'bytes' | 'triangles';
  /** Bytes that stay in use for the map, as far as the library lets one know. */
  readonly bytes: number | undefined;
  /** Undefined for a shape that the library does not offer. */
  prepare(shape: Shape): PreparedQuery | undefined;
}

/** Length of a query's move, in Quake units. */
export function moveLength(segments: Float32Array, index: number): number {
  const at = 6 * index;
  const x = segments[at + 3]! - segments[at]!;
  const y = segments[at + 4]! - segments[at + 1]!;
  const z = segments[at + 5]! - segments[at + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Times of getting ready, of which the shortest counts: the first ones also compile the library. */
const BUILDS = 3;

/** Builds something a few times; the last one is kept, with the shortest time in milliseconds. */
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
