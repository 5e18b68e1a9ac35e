import { moveLength, type PreparedQuery } from './peers/peer.ts';

/** Hits this near to each other along the way count as the same, in Quake units. */
export const SAME_HIT = 0.25;

/** How one way of answering compares with the first. */
export interface Agreement {
  /** Part of the queries that hit something. */
  readonly hits: number;
  /** Part of the queries that end within {@link SAME_HIT} of where the first way has them end, misses included. */
  readonly agreement: number;
}

/** Asks every way every query once, apart from the timing, and compares all with the first. */
export function compareAnswers(ways: readonly PreparedQuery[], segments: Float32Array): Agreement[] {
  const count = segments.length / 6;
  const hits = ways.map(() => 0);
  const agreed = ways.map(() => 0);
  for (let i = 0; i < count; i++) {
    const length = moveLength(segments, i);
    let expected = 0;
    for (const [k, way] of ways.entries()) {
      const distance = way.distance(segments, i);
      const end = Math.min(distance, length);
      if (k === 0) expected = end;
      if (distance <= length) hits[k]!++;
      if (Math.abs(end - expected) <= SAME_HIT) agreed[k]!++;
    }
  }
  return ways.map((_, k) => ({ hits: hits[k]! / count, agreement: agreed[k]! / count }));
}
