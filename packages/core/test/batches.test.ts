import { describe, expect, it } from 'vitest';
import { copierOf, type Intake, type Moves, testTogether, traceTogether } from '../src/format/index.ts';
import { createTraceBatch, defineTracer } from '../src/index.ts';

const open = defineTracer({
  shape: { kind: 'ray' },
  trace: (_start, end, out) => {
    out.endPos.set(end);
    return out;
  },
});

/** Room for two segments. `finite` says no this many times. */
function kernelOf(refusals = 0): Intake & { readonly asked: number[] } {
  const asked: number[] = [];
  const segments = new Float32Array(12);
  const finite = (count: number): number => {
    asked.push(count);
    return asked.length > refusals && segments.subarray(0, 6 * count).every(Number.isFinite) ? 1 : 0;
  };
  return { segments, asked, finite };
}

const five = Float32Array.from({ length: 30 }, (_, k) => k);

describe('segments on their way to a kernel', () => {
  it('are passed in as many lots as it has room for, when all have been found finite', () => {
    const kernel = kernelOf();
    const passed: number[][] = [];
    const answer = (_out: unknown, moves: Moves): void =>
      moves.passTo(kernel, (first, count) => {
        expect(kernel.asked.slice(0, 3)).toEqual([2, 2, 1]);
        passed.push([first, count, kernel.segments[0]!, kernel.segments[6 * count - 1]!]);
      });
    traceTogether(open, five, undefined, undefined, answer);
    const lots = [
      [0, 2, 0, 11],
      [2, 2, 12, 23],
      [4, 1, 24, 29],
    ];
    expect(passed).toEqual(lots);
    testTogether(open, five, undefined, answer);
    expect(passed).toEqual([...lots, ...lots]);
    traceTogether(open, new Float32Array(0), undefined, undefined, answer);
    expect(passed).toHaveLength(6);
  });

  it.each([0, 17, 29])('are refused if number %i is not finite, before any is answered', (at) => {
    const segments = five.slice();
    segments[at] = Number.NaN;
    const problem = `segments[${at}] must be a finite float32, got NaN`;
    const answer = (_out: unknown, moves: Moves): void => moves.passTo(kernelOf(), () => expect.fail());
    expect(() => traceTogether(open, segments, undefined, undefined, answer)).toThrow(problem);
    expect(() => testTogether(open, segments, undefined, answer)).toThrow(problem);
  });

  it.each([12, 30])('are taken in anew if another thread has made them finite: %i numbers', (length) => {
    const kernel = kernelOf(1);
    const answered: number[] = [];
    const segments = five.slice(0, length);
    traceTogether(open, segments, undefined, undefined, (_out, moves) =>
      moves.passTo(kernel, (first, count) => {
        answered.push(...kernel.segments.subarray(0, 6 * count));
        expect(kernel.asked.length).toBe(length === 12 ? 2 : 6);
        expect(first % 2).toBe(0);
      }),
    );
    expect(answered).toEqual([...segments]);
  });

  it('can be left to the tracer one by one', () => {
    const out = createTraceBatch(5);
    const askAll = (_out: unknown, moves: Moves): void => {
      for (let k = 0; k < 5; k++) moves.askOne(k);
    };
    traceTogether(open, five, out, open.createTrace(), askAll);
    expect([...out.endPos]).toEqual([...five].filter((_, k) => k % 6 >= 3));
    expect([...testTogether(open, five, undefined, askAll)]).toEqual([0, 0, 0, 0, 0]);
  });
});

it('answers are copied in the fields that a batch and a kernel both have', () => {
  const memory = new ArrayBuffer(64);
  new Float32Array(memory, 0, 4).set([0.25, 0.5, 0.75, 1]);
  new Float32Array(memory, 16, 12).set(five.subarray(0, 12));
  const copy = copierOf(memory, { fraction: 0, endPos: 16 });
  const batch = createTraceBatch(4, { fields: ['fraction', 'brush'] });
  copy(batch, 1, 3);
  expect(batch).toEqual({
    count: 4,
    fraction: Float32Array.of(0, 0.25, 0.5, 0.75),
    brush: new Int32Array(4),
  });
  const ends = createTraceBatch(4, { fields: ['endPos'] });
  for (const count of [4, 1]) copy(ends, 4 - count, count);
  expect([...ends.endPos]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2]);
});
