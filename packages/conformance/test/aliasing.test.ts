import type { Trace, Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { expectSame } from '@bspkit/testkit/same';
import { describe, expect, it } from 'vitest';
import { pointIn, subjectsOf } from './subjects.ts';

// A trace may go on from its own answer: its ends may lie in `out`, in any of its vectors, and in each other. Every
// tracer of every package answers then as it does with arrays of their own.

/** Moves per tracer, each asked with all overlaps. */
const MOVES = Number(process.env.BSPKIT_RUNS_ALIASING ?? 60);

/** The vectors of an answer: whatever a move may begin or end in. */
const vectorsOf = (out: Trace): Float32Array[] =>
  Object.values(out as unknown as Record<string, unknown>).filter((value) => value instanceof Float32Array);

const subjects = [...subjectsOf('auto')];

describe('a trace may go on from its own answer', () => {
  it.each(subjects)('%s', (_, { bounds, make }) => {
    const tracer = make();
    const random = createRandom(11);
    const out = tracer.createTrace();
    const expected = tracer.createTrace();
    const vectors = vectorsOf(out);
    expect(vectors.length).toBeGreaterThanOrEqual(2);
    let hits = 0;
    for (let k = 0; k < MOVES; k++) {
      const [start, end] = [pointIn(random, bounds), pointIn(random, bounds)];
      tracer.trace(start, end, expected);
      const blocked = tracer.blocked(start, end);
      if (expected.fraction < 1 || expected.startSolid) hits++;
      const overlaps: [Vec3, Vec3][] = vectors.flatMap((vector) => [
        [vector, end],
        [start, vector],
        ...vectors.filter((other) => other !== vector).map((other): [Vec3, Vec3] => [vector, other]),
      ]);
      for (const [from, to] of overlaps) {
        (from as Float32Array).set(start);
        (to as Float32Array).set(end);
        expectSame(tracer.trace(from, to, out), expected);
        (from as Float32Array).set(start);
        (to as Float32Array).set(end);
        expectSame(tracer.blocked(from, to), blocked);
      }
      // Both ends in one vector: a position test.
      tracer.trace(start, start, expected);
      for (const vector of vectors) {
        vector.set(start);
        expectSame(tracer.trace(vector, vector, out), expected);
      }
    }
    expect(hits).toBeGreaterThan(0);
  });
});
