import { describe, expect, it } from 'vitest';
import { batchRunnerOf, measure, runnerOf, type Tracer, uniformQueries } from '../src/index.ts';
import { ground } from './tracers.ts';

const queries = uniformQueries(500, { bounds: { mins: [-8, -8, -8], maxs: [8, 8, 8] }, seed: 3 });
const tracer = ground(0);

describe('how tracers are timed', () => {
  it('is one query after the other, or all in one batch, with the same answers', () => {
    const sum = runnerOf(tracer)(queries, 100, 400);
    expect(sum).toBeGreaterThan(0);
    // Batches contain 32-bit numbers.
    expect(batchRunnerOf(tracer)(queries, 100, 400)).toBeCloseTo(sum, 5);
    expect(batchRunnerOf(tracer, { fields: ['normal'] })(queries, 100, 400)).toBeCloseTo(sum, 5);
    // Also after a larger one, whose answers are still in its arrays.
    const run = batchRunnerOf(tracer);
    run(queries, 0, 500);
    expect(run(queries, 100, 400)).toBeCloseTo(sum, 5);
  });

  it('asks for every query in turn', () => {
    const asked: number[] = [];
    const trace: Tracer['trace'] = (start, end, out) => {
      asked.push(...start, ...end);
      return tracer.trace(start, end, out);
    };
    runnerOf({ ...tracer, trace })(queries, 100, 400);
    expect(asked).toEqual([...queries.subarray(600, 2400)]);
  });

  it('asks once for a whole batch, with the requested fields', () => {
    const asked: string[] = [];
    const traceBatch: Tracer['traceBatch'] = (segments: Float32Array, out?: object) => {
      asked.push(`${segments.length / 6} ${Object.keys(out!).sort()}`);
      return out as never;
    };
    const spied: Tracer = { ...tracer, traceBatch };
    const run = batchRunnerOf(spied, { fields: ['endPos', 'fraction'] });
    const jobs = (first: number, last: number): number => run(queries, first, last);
    measure([Object.assign(jobs, { atOnce: run.atOnce })], 500, { rounds: 0, heap: () => 0 });
    expect(asked).toEqual(['500 count,endPos,fraction']);
    run(queries, 0, 20); // The arrays serve smaller batches too.
    expect(asked[1]).toBe('20 count,endPos,fraction');
  });
});
