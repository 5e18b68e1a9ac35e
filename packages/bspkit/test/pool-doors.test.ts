import type { UfoaiWorld } from '@bspkit/ufoai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTraceBatch, openBsp } from '../src/index.ts';
import {
  createTracePool,
  type PoolQuery,
  type TracePool,
  type TracePoolError,
} from '../src/pool/node/index.ts';
import { maps } from './maps.ts';
import { bitsOf, caught, segmentsIn } from './pool-queries.ts';
import { bundleWorker, removeFolder } from './pool-workers.ts';

describe('doors of UFO:AI', () => {
  const SIZE = [-4, -4, -4, 4, 4, 4];
  let house: UfoaiWorld;
  let segments: Float32Array;
  let worker: string;
  const pools: TracePool[] = [];

  const poolOf = (threads: number, shared = true): TracePool => {
    const pool = createTracePool({ threads, shared, worker });
    pools.push(pool);
    return pool;
  };

  beforeAll(async () => {
    worker = await bundleWorker();
    const opened = await openBsp(maps.ufoai);
    if (opened.format !== 'ufoai') throw new Error('another format');
    house = opened;
    // From one end of the map to the other, half of them right through a door.
    segments = segmentsIn(house, 1200);
    for (let i = 0; i < 600; i++) {
      const { origin, bounds } = house.model(1 + (i % house.numModels));
      for (let k = 0; k < 3; k++) {
        const middle = origin[k]! + 0.5 * (bounds.mins[k]! + bounds.maxs[k]!);
        segments[6 * i + 3 + k] = middle;
        segments[6 * i + k] = middle + (segments[6 * i + k]! - middle) / 8;
      }
    }
  });

  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    removeFolder();
  });

  it.each([true, false])(
    'are where they are put, with the answers of one thread, bit for bit (shared: %s)',
    async (shared) => {
      const pool = poolOf(2, shared);
      const handle = await pool.open(house);
      const given = shared ? segments : segments.slice();
      const numbers = house.models().map(({ number }) => number);
      const home = house.models().flatMap(({ origin }) => [...origin]);
      const up = home.map((x, k) => (k % 3 === 2 ? x + 40 : x));
      const turned = numbers.flatMap((number) => [-0, 30.1 * number, 0]);
      const [mins, maxs] = [SIZE.slice(0, 3), SIZE.slice(3)];
      const seen = new Set<string>();
      for (const compat of [undefined, 'engine'] as const) {
        for (const [origin, angles] of [
          [undefined, undefined],
          [up, undefined],
          [undefined, turned],
          [up, turned],
        ] as const) {
          const models = house.models().map((model, k) =>
            model.place({
              origin: origin?.slice(3 * k, 3 * k + 3),
              angles: angles?.slice(3 * k, 3 * k + 3),
            }),
          );
          for (const [kind, single] of [
            ['line', house.line({ models, compat })],
            ['ray', house.ray({ models, compat })],
            ['box', house.box(mins, maxs, { models, compat })],
          ] as const) {
            const size = kind === 'box' ? SIZE : undefined;
            const tracer = { kind, size, options: { models: numbers, origin, angles, compat } };
            const query = { world: handle, tracer, segments: given };
            const wanted = bitsOf(single.traceBatch(segments, createTraceBatch(1200)));
            expect(bitsOf(await pool.traceBatch(query))).toEqual(wanted);
            expect([...(await pool.blockedBatch(query))]).toEqual([...single.blockedBatch(segments)]);
            seen.add(JSON.stringify(wanted));
          }
        }
      }
      // Every pose changes answers of every kind.
      expect(seen.size).toBe(24);
    },
  );

  it('without a valid position are refused by name', async () => {
    const pool = poolOf(2);
    const handle = await pool.open(house);
    const ask = (options: object): Promise<TracePoolError> => {
      const tracer = { kind: 'line', options: options as PoolQuery['tracer']['options'] };
      return caught(pool.traceBatch({ world: handle, tracer, segments }));
    };
    for (const [options, name, message] of [
      [{ models: [1, 2], origin: [1, 2, 3] }, 'RangeError', 'origin must have three numbers for each model'],
      [{ models: [1], angles: [0, Infinity, 0] }, 'RangeError', 'angles[1] must be a finite float32'],
      [{ models: 'all', angles: [] }, 'RangeError', 'angles must have three numbers for each model'],
      [{ models: [1], origin: 'up' }, 'TypeError', 'origin must be an array of numbers'],
      [{ models: [1], origin: [1, null, 3] }, 'TypeError', 'tracer.options.origin must be a number, text'],
      [{ models: [1], origin: { x: 1 } }, 'TypeError', 'tracer.options.origin must be a number, text'],
      [{ models: [{ number: 1 }] }, 'TypeError', 'tracer.options.models must be a number, text'],
      [{ origin: [1, 2, 3] }, 'RangeError', 'origin and angles are for models'],
    ] as const) {
      const error = await ask(options);
      expect([error.name, error.message.startsWith(message) || error.message]).toEqual([name, true]);
    }
  });
});
