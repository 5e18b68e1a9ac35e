import { createTraceBatch, type TraceField, type Tracer } from '@bspkit/core';
import { checkList, checkOptions, checkTracer } from '@bspkit/core/format';
import type { QueryRunner } from './report.ts';

/** How a tracer is timed: one query after the other through the common interface, without allocation. */
export function runnerOf(tracer: Tracer): QueryRunner {
  checkTracer(tracer, 'tracer');
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  const out = tracer.createTrace();
  return (queries, first, last) => {
    let sum = 0;
    for (let at = 6 * first; at < 6 * last; at += 6) {
      start[0] = queries[at]!;
      start[1] = queries[at + 1]!;
      start[2] = queries[at + 2]!;
      end[0] = queries[at + 3]!;
      end[1] = queries[at + 4]!;
      end[2] = queries[at + 5]!;
      tracer.trace(start, end, out);
      sum += out.fraction;
    }
    return sum;
  };
}

/** Options of {@link batchRunnerOf}. */
export interface BatchRunnerOptions {
  /** What to ask for; `fraction` is always added. All fields by default. */
  readonly fields?: readonly TraceField[] | undefined;
}

/**
 * How a tracer is timed by batches: all queries in one, as an entry's `run`. Its arrays are made at the first call and reused.
 * @throws TypeError for anything but a tracer; RangeError for an unknown field.
 */
export function batchRunnerOf(tracer: Tracer, options: BatchRunnerOptions = {}): QueryRunner {
  checkTracer(tracer, 'tracer');
  checkOptions(options, ['fields']);
  if (options.fields !== undefined) checkList(options.fields, 'fields');
  const fields = options.fields && [...new Set<TraceField>(['fraction', ...options.fields])];
  let out = createTraceBatch(0, { fields });
  const run: QueryRunner = (queries, first, last) => {
    const count = last - first;
    if (out.count < count) out = createTraceBatch(count, { fields });
    const { fraction } = tracer.traceBatch(queries.subarray(6 * first, 6 * last), out);
    let sum = 0;
    for (let k = 0; k < count; k++) sum += fraction[k]!;
    return sum;
  };
  return Object.assign(run, { atOnce: Infinity });
}
