import { batchRunnerOf, defineTracer, type QueryRunner, runnerOf } from '@bspkit/compare';
import { createTraceBatch, type KernelName, storeTrace, type TraceBatch, type Tracer } from '@bspkit/core';
import { presetTracer } from '../shapes.ts';
import { buildWorld, type WorldSource } from '../world.ts';
import { type Peer, timeBuild } from './peer.ts';

/**
 * Our own tracers, with the format's default kernel or a given one, and with the engine's settings: what the format's catalog
 * makes of a shape by default. Compared are tracers that keep no distance from surfaces, if the format has such an option, as
 * triangle libraries keep none.
 */
export function createBspkitPeer(source: WorldSource, kernel?: KernelName): Peer {
  const { format } = source;
  const { value: world, buildMs } = timeBuild(() => buildWorld(source, kernel));
  return {
    name: kernel ? `bspkit-${kernel}` : 'bspkit',
    buildMs,
    builtFrom: 'bytes',
    bytes: world.data.byteLength,
    prepare({ preset }) {
      const timed = presetTracer(format, world, preset);
      return {
        tracer: presetTracer(format, world, preset, { epsilon: 0 }),
        run: runnerOf(timed),
        answers: (queries) => traceAll(timed, queries),
        test: testRunnerOf(timed),
      };
    },
  };
}

/** The same, asked for all queries at once. */
export function createBatchPeer(source: WorldSource): Peer {
  const { format } = source;
  const world = buildWorld(source);
  return {
    name: 'bspkit-batch',
    buildMs: undefined,
    builtFrom: 'world',
    bytes: undefined,
    prepare({ preset }) {
      const timed = presetTracer(format, world, preset);
      return {
        tracer: batchTracer(presetTracer(format, world, preset, { epsilon: 0 })),
        run: batchRunnerOf(timed, { fields: FIELDS }),
        answers: (queries) => timed.traceBatch(queries, createTraceBatch(queries.length / 6)),
        test: testBatchRunnerOf(timed),
      };
    },
  };
}

/** The answers of a tracer, one query after the other. */
function traceAll(tracer: Tracer, queries: Float32Array): TraceBatch {
  const answers = createTraceBatch(queries.length / 6);
  const out = tracer.createTrace();
  for (let at = 0; at < queries.length; at += 6) {
    const [start, end] = [queries.subarray(at, at + 3), queries.subarray(at + 3, at + 6)];
    storeTrace(answers, at / 6, tracer.trace(start, end, out));
  }
  return answers;
}

/** How `blocked` is timed: one query after the other. */
function testRunnerOf(tracer: Tracer): QueryRunner {
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  return (queries, first, last) => {
    let sum = 0;
    for (let at = 6 * first; at < 6 * last; at += 6) {
      start[0] = queries[at]!;
      start[1] = queries[at + 1]!;
      start[2] = queries[at + 2]!;
      end[0] = queries[at + 3]!;
      end[1] = queries[at + 4]!;
      end[2] = queries[at + 5]!;
      if (tracer.blocked(start, end)) sum++;
    }
    return sum;
  };
}

/** How `blockedBatch` is timed: all queries in one. */
function testBatchRunnerOf(tracer: Tracer): QueryRunner {
  let out = new Uint8Array(0);
  const run: QueryRunner = (queries, first, last) => {
    if (out.length < last - first) out = new Uint8Array(last - first);
    const tests = tracer.blockedBatch(queries.subarray(6 * first, 6 * last), out);
    let sum = 0;
    for (let k = 0; k < last - first; k++) sum += tests[k]!;
    return sum;
  };
  return Object.assign(run, { atOnce: Infinity });
}

/** The fields that C answers too. */
const FIELDS = [
  'fraction',
  'endPos',
  'normal',
  'contents',
  'surfaceFlags',
  'startSolid',
  'allSolid',
] as const;

/** A tracer that asks for batches of one. */
function batchTracer(tracer: Tracer): Tracer {
  const segment = new Float32Array(6);
  const batch = createTraceBatch(1);
  return defineTracer({
    shape: tracer.shape,
    trace(start, end, out) {
      segment.set(start);
      segment.set(end, 3);
      tracer.traceBatch(segment, batch);
      out.fraction = batch.fraction[0]!;
      out.endPos.set(batch.endPos);
      out.normal.set(batch.normal);
      out.startSolid = batch.startSolid[0] === 1;
      out.allSolid = batch.allSolid[0] === 1;
      return out;
    },
  });
}
