import type { Bounds, Changeable, Trace, Tracer, Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { boxEntity as quake1Entity } from '@bspkit/quake1';
import { boxEntity as quake2Entity } from '@bspkit/quake2';
import { boxEntity as quake3Entity } from '@bspkit/quake3';
import { createBody } from '@bspkit/scene';
import { expectSame, moving } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { pointIn, subjectsOf } from './subjects.ts';

// The ends of a move may be arrays of different types. A trace may start from its own previous answer: its ends may be in `out`,
// in any of its vectors, and in each other. In all these cases every tracer of every package answers as with separate arrays.

/** Moves per tracer, each with every overlap. */
const MOVES = Number(process.env.BSPKIT_RUNS_ALIASING ?? 25);

/** The vectors of an answer: any that a move may start or end in. */
const vectorsOf = (out: Trace): Float32Array[] =>
  Object.values(out as unknown as Record<string, unknown>).filter((value) => value instanceof Float32Array);

const subjects = [...subjectsOf('auto')];

describe('ends of moves may be arrays of any kind', () => {
  const [wasm, js] = [
    subjects,
    [...subjectsOf('js')].map(([name, subject]) => [`${name}, js`, subject] as const),
  ];
  it.each([...wasm, ...js])('%s', (name, { bounds, make }) => {
    // Precise tracers start from float64 numbers, all others from float32: these round to the same.
    const factor = name.includes('precise') ? 1 : 1 + 2 ** -30;
    const tracer = make();
    const random = createRandom(seedOf(12));
    for (let k = 0; k < MOVES; k++) {
      const floats: [Vec3, Vec3] = [pointIn(random, bounds), pointIn(random, bounds)];
      const start = Array.from(floats[0], (x) => x * factor);
      const end = Array.from(floats[1], (x) => x * factor);
      const expected = tracer.trace(...floats);
      const blocked = tracer.blocked(...floats);
      const given: [Vec3, Vec3][] = [
        [start, end],
        [start, floats[1]],
        [floats[0], end],
        [Float64Array.from(start), Object.assign({ length: 3 }, end)],
      ];
      for (const [from, to] of given) {
        expectSame(tracer.trace(from, to), expected, moving(from, to));
        expectSame(tracer.blocked(from, to), blocked, moving(from, to));
      }
    }
    expect(() => tracer.trace([0, 0, 0], [0, 0, 1e39])).toThrow('end[2] must be a finite float32, got 1e+39');
    expect(() => tracer.blocked([0, 1e39, 0], [0, 0, 0])).toThrow(
      'start[1] must be a finite float32, got 1e+39',
    );
  });

  it.each([...wasm, ...js])('also if reading them traces: %s', (_, { bounds, make }) => {
    const random = createRandom(seedOf(15));
    const tracer = make();
    const other = make();
    for (let k = 0; k < 6; k++) {
      const [start, end, from, to] = [0, 1, 2, 3].map(() => [...pointIn(random, bounds)]) as number[][];
      const expected = other.trace(start!, end!);
      const within = other.trace(from!, to!);
      // Each of the six numbers, in turn.
      const ends = [start!, end!];
      const point = ends[k % 2]!;
      const axis = k >> 1;
      const reading = Object.defineProperty([...point], axis, {
        get() {
          expectSame(tracer.trace(from!, to!), within);
          return point[axis];
        },
      });
      ends[k % 2] = reading;
      expectSame(tracer.trace(ends[0]!, ends[1]!), expected);
    }
  });

  it.each(subjects)('if a wrapper converts them: %s', (_, { bounds, make }) => {
    const random = createRandom(seedOf(13));
    const [start, end] = [pointIn(random, bounds), pointIn(random, bounds)];
    const tracer = make();
    const expected = tracer.trace(start, end);
    const trace = tracer.trace.bind(tracer);
    let calls = 0;
    tracer.trace = (from, to, out) => {
      calls++;
      return trace(Array.from(from), Array.from(to), out);
    };
    expectSame(tracer.trace(start, end), expected, moving(start, end));
    expect(calls).toBe(1);
  });
});

describe('a trace may go on from its own answer', () => {
  it.each(subjects)('%s', (_, { bounds, make }) => {
    const tracer = make();
    const random = createRandom(seedOf(11));
    const out = tracer.createTrace();
    const expected = tracer.createTrace();
    const vectors = vectorsOf(out);
    expect(vectors.length).toBeGreaterThanOrEqual(2);
    let hits = 0;
    // Some are so small that they are hardly ever hit.
    for (let k = 0; k < MOVES || (hits === 0 && k < 100 * MOVES); k++) {
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
        expectSame(tracer.blocked(from, to), blocked, moving(from, to));
      }
      // Both ends in one vector make a position test.
      tracer.trace(start, start, expected);
      for (const vector of vectors) {
        vector.set(start);
        expectSame(tracer.trace(vector, vector, out), expected);
      }
    }
    expect(hits).toBeGreaterThan(0);
  });
});

describe('an answer may be written to memory that partly overlaps the ends of its move', () => {
  it.each([...subjects, ...subjectsOf('js')])('%s', (_, { bounds, make }) => {
    const tracer = make();
    const random = createRandom(seedOf(14));
    const memory = new Float32Array(9);
    const out = Object.assign(tracer.createTrace(), { endPos: memory.subarray(3, 6) });
    for (let k = 0; k < MOVES; k++) {
      const [start, end] = [pointIn(random, bounds), pointIn(random, bounds)];
      const { endPos, ...expected } = tracer.trace(start, end);
      for (let at = 1; at <= 5; at++) {
        const vector = memory.subarray(at, at + 3);
        for (const [from, to] of [
          [vector, end],
          [start, vector],
        ] as const) {
          vector.set(from === vector ? start : end);
          const { endPos: written, ...answer } = tracer.trace(from, to, out);
          expectSame(answer, expected);
          expectSame(Array.from(written), Array.from(endPos));
        }
      }
    }
  });
});

/** A tracer of a shape with two corners that can change. */
type Sized = Tracer & Changeable & { readonly shape: Bounds };

const isSized = (tracer: Tracer): tracer is Sized =>
  'mins' in tracer.shape && typeof (tracer as Partial<Changeable>).set === 'function';

const sized = subjects.filter(([, { make }]) => isSized(make()));

describe('a tracer may be given its own corners as new ones', () => {
  it.each(sized)('%s', (_, { bounds, make }) => {
    const random = createRandom(seedOf(5));
    const moves = Array.from({ length: MOVES }, () => [pointIn(random, bounds), pointIn(random, bounds)]);
    const own = (vector: Vec3): Vec3 => vector;
    const copy = (vector: Vec3): Vec3 => Float32Array.from(vector);
    const changes: readonly ((shape: Bounds, take: typeof own) => Bounds)[] = [
      ({ mins }, take) => ({ mins: Float32Array.from(mins, (x) => x - 20), maxs: take(mins) }),
      ({ maxs }, take) => ({ mins: take(maxs), maxs: Float32Array.from(maxs, (x) => x + 20) }),
      ({ mins }, take) => ({ mins: take(mins), maxs: take(mins) }),
    ];
    for (const change of changes) {
      const [answer, expected] = [own, copy].map((take) => {
        const tracer = make() as Sized;
        try {
          tracer.set(change(tracer.shape, take));
        } catch (error) {
          // A hull cannot be resized, and not every size has a hull.
          return String(error);
        }
        return {
          mins: Array.from(tracer.shape.mins),
          maxs: Array.from(tracer.shape.maxs),
          traces: moves.map(([start, end]) => tracer.trace(start!, end!)),
        };
      });
      expect(answer).toEqual(expected);
    }
  });
});

describe('a separate box may be given its own corners as new ones', () => {
  const low = [-1, -2, -3];
  const high = [1, 2, 3];
  it.each([
    ['quake1', quake1Entity],
    ['quake2', quake2Entity],
    ['quake3', quake3Entity],
  ])('%s', (_, make) => {
    const lower = make(low, high);
    lower.resize([-5, -6, -7], lower.bounds.mins);
    const higher = make(low, high);
    higher.resize(higher.bounds.maxs, [7, 8, 9]);
    for (const [entity, expected] of [
      [lower, make([-5, -6, -7], low)],
      [higher, make(high, [7, 8, 9])],
    ] as const) {
      expect(entity.bounds).toEqual(expected.bounds);
      for (const [start, end] of [
        [
          [-20, -20, -20],
          [20, 20, 20],
        ],
        [
          [0, 0, 40],
          [0, 0, -40],
        ],
        [
          [-40, -4, -5],
          [40, -4, -5],
        ],
      ] as const) {
        expectSame(entity.ray().trace(start, end), expected.ray().trace(start, end), moving(start, end));
      }
    }
  });

  it('a body of a scene', () => {
    const body = createBody({ kind: 'box', mins: low, maxs: high });
    body.resize({ kind: 'box', mins: [-5, -6, -7], maxs: body.bounds.mins });
    expect([Array.from(body.bounds.mins), Array.from(body.bounds.maxs)]).toEqual([[-5, -6, -7], low]);
  });
});
