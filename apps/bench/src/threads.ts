import { type BspWorld, createTraceBatch } from '@bspkit/core';
import type { BspFormat, TracerPreset } from '@bspkit/core/format';
import { createTracePool } from 'bspkit/pool';
import { median } from './quantile.ts';
import { presetTracer } from './shapes.ts';

/** Threads of the pools that are measured. */
const THREADS = [1, 2];

/** How often the queries are repeated: with 20,000 of them, that makes a million. */
const REPEATS = 50;

/** What a batch of rays takes, in milliseconds of wall-clock time, as threads have clocks of their own. */
export interface ThreadResult {
  readonly shape: string;
  readonly segments: number;
  /** Without a pool. */
  readonly aloneMs: number;
  readonly pools: readonly { readonly threads: number; readonly ms: number }[];
}

/** Measures a batch in this thread and in pools, in turns, all in shared memory. Medians of the rounds. */
export async function measureThreads(
  format: BspFormat,
  world: BspWorld,
  preset: TracerPreset<BspWorld>,
  queries: Float32Array,
  rounds: number,
): Promise<ThreadResult> {
  const segments = new Float32Array(new SharedArrayBuffer(4 * REPEATS * queries.length));
  for (let k = 0; k < REPEATS; k++) segments.set(queries, k * queries.length);
  const count = segments.length / 6;
  const out = createTraceBatch(count, { fields: ['fraction', 'endPos', 'normal', 'contents'], shared: true });
  const alone = presetTracer(format, world, preset);
  const ways: (() => unknown)[] = [() => alone.traceBatch(segments, out)];
  const pools = THREADS.map((threads) => createTracePool({ threads }));
  try {
    for (const pool of pools) {
      const handle = await pool.open(world);
      ways.push(() => pool.traceBatch({ world: handle, tracer: preset, segments, out }));
    }
    const times = ways.map(() => [] as number[]);
    // In the first round, code is compiled.
    for (let round = -1; round < rounds; round++) {
      for (const [k, way] of ways.entries()) {
        const begin = performance.now();
        await way();
        if (round >= 0) times[k]!.push(performance.now() - begin);
      }
    }
    const [aloneMs, ...others] = times.map(median);
    return {
      shape: preset.name,
      segments: count,
      aloneMs: aloneMs!,
      pools: others.map((ms, k) => ({ threads: THREADS[k]!, ms })),
    };
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
}
