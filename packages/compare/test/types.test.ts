import type { Explanation } from '@bspkit/core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type CompareOptions,
  type Comparison,
  compare,
  comparisonTable,
  measure,
  type Timing,
  type TracerReport,
  type Work,
} from '../src/index.ts';
import { ground } from './tracers.ts';

const explain = (): Pick<Explanation, 'steps'> => ({ steps: [] });
const queries = new Float32Array(24).map((_, k) => (k % 6 === 2 ? 8 : 0));

describe('types of reports', () => {
  it('have what was requested', () => {
    const [one, other] = compare(
      [
        { name: 'one', tracer: ground(0), explain },
        { name: 'other', tracer: ground(0) },
      ],
      queries,
      { rounds: 1, roundTime: 0, heap: () => 0 },
    ).tracers;
    expectTypeOf(one.time).toEqualTypeOf<Timing>();
    expectTypeOf(one.allocated).toEqualTypeOf<number>();
    expectTypeOf(one.work).toEqualTypeOf<Work>();
    expectTypeOf(other.time).toEqualTypeOf<Timing>();
    expectTypeOf(other.work).toEqualTypeOf<Work | undefined>();
    expect([one.time.rounds, one.allocated, one.work.nodes]).toEqual([1, 0, 0]);
  });

  it('have times by default', () => {
    expectTypeOf<ReturnType<typeof timed>['time']>().toEqualTypeOf<Timing>();
    expectTypeOf<ReturnType<typeof timed>['allocated']>().toEqualTypeOf<number | undefined>();
    const timed = () => compare([{ name: 'one', tracer: ground(0) }], queries).tracers[0];
    const [measured] = measure([() => 0], 1, { roundTime: 0 });
    expectTypeOf(measured!.time).toEqualTypeOf<Timing>();
    expect(measured!.time.rounds).toBe(9);
  });

  it('may lack what is only known at run time', () => {
    const rounds: number = 0;
    const [timed] = compare([{ name: 'one', tracer: ground(0) }], queries, { rounds }).tracers;
    expectTypeOf(timed.time).toEqualTypeOf<Timing | undefined>();
    const [untimed] = measure([() => 0], 1, { rounds: 0 });
    expectTypeOf(untimed!.time).toEqualTypeOf<Timing | undefined>();
    const asked: CompareOptions = { rounds: 0 };
    const report = compare([{ name: 'one', tracer: ground(0) }], queries, asked);
    expectTypeOf(report.tracers[0].time).toEqualTypeOf<Timing | undefined>();
    for (const found of [timed, untimed, report.tracers[0]]) expect(found).not.toHaveProperty('time');
  });

  it('know what a callback gets that is written where it is passed', () => {
    const stages: string[] = [];
    const report = compare([{ name: 'one', tracer: ground(0) }], queries, {
      rounds: 1,
      roundTime: 0,
      onProgress: (stage, part) => stages.push(`${stage} ${part.toFixed()}`),
    });
    expectTypeOf(report.tracers[0].time).toEqualTypeOf<Timing>();
    expect(stages.at(-1)).toMatch(/ 1$/);
  });

  it('refuse unknown options, and unknown parts of an entry', () => {
    const entries = [{ name: 'one', tracer: ground(0) }];
    // @ts-expect-error: misspelt
    expect(() => compare(entries, queries, { rounds: 1, tolerence: 0 })).toThrow("'tolerence'");
    // @ts-expect-error: misspelt
    expect(() => measure([() => 0], 1, { rounds: 1, rondTime: 0 })).toThrow("'rondTime'");
    // @ts-expect-error: misspelt
    expect(() => compare([{ name: 'one', tracer: ground(0), explian: explain }], queries)).toThrow(
      "'explian'",
    );
  });

  it('are reports of any kind', () => {
    const entries = [{ name: 'one', tracer: ground(0) }];
    const report = compare(entries, queries, { rounds: 0 });
    expectTypeOf(report).toExtend<Comparison>();
    expectTypeOf(report.tracers[0]!).toExtend<TracerReport>();
    expectTypeOf<Comparison['tracers']>().toEqualTypeOf<readonly TracerReport[]>();
    expectTypeOf<TracerReport['time']>().toEqualTypeOf<Timing | undefined>();
    expect(comparisonTable(report).rows).toHaveLength(1);
  });
});
