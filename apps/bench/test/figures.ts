import { compare, defineTracer, type TracerReport } from '@bspkit/compare';
import type { MovePeer } from '../src/movement/measure.ts';
import type { Report } from '../src/result.ts';

// A report with figures of our own, for tests of what is made of reports.

/** The results for a library, with figures of our own. */
export function peer(name: string, median: number, share = 1): TracerReport {
  const tracer = defineTracer({ shape: { kind: 'ray' }, trace: (_start, _end, out) => out });
  const [report] = compare([{ name, tracer }], new Float32Array(6), { rounds: 0 }).tracers;
  return {
    ...report!,
    hits: 1000,
    agreement: { ...report!.agreement, share },
    time: { median, low: median, high: median, min: median - 1, max: median + 1, rounds: 1, speed: 1 },
    allocated: 0,
  };
}

/** The same for moving players. */
export const mover = (name: string, median: number, allocated = 0): MovePeer => ({
  name,
  time: { median, low: median, high: median, min: median - 1, max: median + 1, rounds: 1, speed: 1 },
  allocated,
  same: 1,
});

export const report: Report = {
  date: '2026-01-31',
  cpu: 'Fast & Sound(R) CPU <9>',
  node: 'v20.0.0',
  clock: 'cpu',
  seed: 1,
  rounds: 1,
  processes: 1,
  maps: [
    {
      map: 'arena',
      triangles: 1234,
      withoutNative: undefined,
      load: {
        cold: { loadMs: 31.27, firstMs: 4.5, compileMs: 1.2, instanceMs: 0.3, tracesMs: 8 },
        warmMs: 2,
        lumps: 2000,
        world: 1500,
      },
      builds: [
        { peer: 'ours', buildMs: 2, builtFrom: 'bytes', bytes: 1500 },
        { peer: 'other', buildMs: 4, builtFrom: 'triangles', bytes: undefined },
      ],
      series: [
        {
          shape: 'ray',
          motion: 'long',
          queries: 2000,
          peers: [peer('ours', 100), peer('other', 250, 0.75)],
        },
        { shape: 'box', motion: 'step', queries: 2000, peers: [peer('ours', 1200)] },
      ],
      threads: {
        shape: 'ray',
        segments: 2_000_000,
        aloneMs: 300,
        pools: [
          { threads: 1, ms: 320 },
          { threads: 2, ms: 160 },
        ],
      },
      moves: { motion: 'walk', commands: 400, peers: [mover('ours', 3000, 48), mover('C', 2000)] },
    },
  ],
};
