import { expect, it } from 'vitest';
import {
  ALL_SOLID,
  BATCH_MOVES,
  BLOCKED,
  CONTENTS,
  COUNTS,
  DISTS,
  END_POSITIONS,
  FRACTIONS,
  LIST,
  NORMALS,
  ORDER,
  SEGMENT_BYTES,
  SEGMENTS,
  STACK,
  STARTS_SOLID,
  UNSURE_MOVES,
} from '../src/hot-layout.ts';

it('arrays of batches lie one after the other, up to the stack, and share a place only where they may', () => {
  const arrays: [place: number, bytes: number][] = [
    [SEGMENTS, SEGMENT_BYTES],
    [FRACTIONS, 4],
    [END_POSITIONS, 12],
    [STARTS_SOLID, 1],
    [BLOCKED, 1],
    [ORDER, 2],
    [LIST, 2],
    // Numbers of cells, 4,096 of them: see `orderSegments`.
    [COUNTS, (2 * 4096) / BATCH_MOVES],
    [DISTS, 4],
    [CONTENTS, 4],
    [NORMALS, 12],
    [ALL_SOLID, 1],
  ];
  let end = SEGMENTS;
  for (const [place, bytes] of arrays) {
    expect(place).toBe(end);
    end += bytes * BATCH_MOVES;
  }
  expect(STACK).toBe(end);
  expect(UNSURE_MOVES).toBe(COUNTS);
  expect(4 * BATCH_MOVES).toBeLessThanOrEqual(DISTS - COUNTS);
});
