import { createTraceBatch, type TraceField } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { answerOneByOne, expectSameBatch } from '@bspkit/testkit/batch';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { pointIn, type Subject, subjectsOf } from './subjects.ts';

// A batch gives the answers of a loop, bit for bit: for every tracer of every package, with both kernels.

/** Segments per tracer: more than the 2,048 that kernels take at a time, and not a multiple of what they process together. */
const SEGMENTS = 1 + 2 * 3 * 5 * 7 * Number(process.env.BSPKIT_RUNS_BATCHES ?? 10);
/** For loops that take one at a time: kernels in JavaScript, and tracers that have no other. */
const FEW_SEGMENTS = 1 + 2 * 3 * 5 * 7 * Number(process.env.BSPKIT_RUNS_BATCHES ?? 2);

/**
 * Long moves, steps, moves of no length, bundles from one point, and places far off, mixed so that some neighbours differ and
 * some are alike.
 */
function segmentsOf({ bounds }: Subject, count: number): Float32Array {
  const random = createRandom(seedOf(23));
  const values: number[] = [];
  let start = pointIn(random, bounds);
  while (values.length < 6 * count) {
    const k = values.length / 6;
    // Not in the first half, so that kernels reorder these.
    const isBundle = 2 * k > count && k % 96 >= 32;
    if (!isBundle || k % 96 === 32) start = pointIn(random, bounds);
    let end = pointIn(random, bounds);
    if (!isBundle && k % 3 === 1) end = start.map((x) => x + 24 * (random() - 0.5));
    if (!isBundle && k % 16 === 3) end = start.slice();
    if (k % 50 === 7) end[k % 3] = 1e30;
    if (k % 50 === 9) end[k % 3] = -3e37;
    values.push(...start, ...end);
  }
  return Float32Array.from(values);
}

/** Sets of fields asked for separately: each field once. */
const CHOICES: readonly (readonly TraceField[])[] = [
  ['fraction'],
  ['endPos', 'startSolid', 'patch'],
  ['normal', 'dist', 'plane', 'side'],
  ['contents', 'surfaceFlags', 'model', 'brush', 'texture', 'allSolid'],
];

/** Tracers without a kernel in WebAssembly, by their names. */
const LOOPS = /^(toy|body|round body|scene of|a tracer of one own|ellipsoid)|precise|exact sphere/;

function testBatches(subjects: Iterable<[string, Subject]>, numSegments: number): void {
  it.each([...subjects])('%s', (name, subject) => {
    const segments = segmentsOf(subject, LOOPS.test(name) ? FEW_SEGMENTS : numSegments);
    const { batch, tests } = answerOneByOne(subject.make(), segments);
    const asked = subject.make();
    const { count } = batch;
    expect(new Set(tests)).toEqual(new Set([0, 1]));
    const fresh = asked.traceBatch(segments);
    expectSameBatch(fresh, batch, segments);
    expectSameBatch({ blocked: asked.blockedBatch(segments) }, { blocked: tests }, segments);

    // In views that start somewhere in shared memory, with room to spare.
    const shared = new Float32Array(new SharedArrayBuffer(4 * (segments.length + 9)), 12, segments.length);
    shared.set(segments);
    for (const fields of CHOICES) {
      const out = createTraceBatch(count + 3, { fields, shared: true });
      for (const field of fields) out[field].fill(99);
      expect(asked.traceBatch(shared, out)).toBe(out);
      for (const field of fields) {
        const width = batch[field].length / count;
        const [written, left] = [out[field].slice(0, width * count), out[field].slice(width * count)];
        expectSameBatch({ [field]: written }, { [field]: batch[field] }, segments, 'in shared memory');
        expectSame([...left], Array(3 * width).fill(99));
      }
    }
    const bytes = new Uint8Array(new SharedArrayBuffer(count + 5), 2);
    expect(asked.blockedBatch(shared, bytes)).toBe(bytes);
    expectSameBatch({ blocked: bytes.slice(0, count) }, { blocked: tests }, segments, 'in shared memory');
    expectSame([...bytes.subarray(count)], [0, 0, 0]);

    // What is not finite is refused before anything is written.
    for (const taken of [count, 10]) {
      const wrong = segments.slice(0, 6 * taken);
      for (let at = 6 * (taken - 10); at < wrong.length; at += 6)
        wrong[at] = at % 12 === 0 ? Number.NaN : Infinity;
      const problem = `segments[${6 * (taken - 10)}]`;
      const [room, answers] = [createTraceBatch(taken), new Uint8Array(taken).fill(7)];
      expect(() => asked.traceBatch(wrong, room)).toThrow(problem);
      expectSameBatch(room, createTraceBatch(taken), wrong, 'refused');
      expect(() => asked.blockedBatch(wrong, answers)).toThrow(problem);
      expectSame([...answers], Array(taken).fill(7));
    }

    // A few, and none: the remainder of a batch takes paths of its own, where numbers that were refused may still lie.
    for (const few of [0, 1, 2, 3, 4, 5, 7]) {
      const some = segments.subarray(6 * few, 12 * few);
      const part = (array: Float32Array | Int32Array | Uint8Array) =>
        array.subarray((array.length / count) * few, (array.length / count) * 2 * few);
      const parts = Object.entries(batch).map(([field, array]) => [
        field,
        ArrayBuffer.isView(array) ? part(array as Float32Array) : array,
      ]);
      const [answers, tested] = [asked.traceBatch(some), asked.blockedBatch(some)];
      expectSameBatch(
        { ...answers, blocked: tested },
        { ...Object.fromEntries(parts), blocked: part(tests) },
        some,
      );
    }
    // Single traces are not affected.
    const [start, end] = [segments.subarray(0, 3), segments.subarray(3, 6)];
    expect(asked.trace(start, end)).toEqual(subject.make().trace(start, end));
  });
}

describe('a batch answers as a loop does', () => testBatches(subjectsOf('auto'), SEGMENTS));

describe('with kernels in JavaScript too', () => testBatches(subjectsOf('js'), FEW_SEGMENTS));
