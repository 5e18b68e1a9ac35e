import { afterAll, beforeAll } from 'vitest';
import { type BspMap, openBsp } from '../src/index.ts';
import { createTracePool, type TracePool, type TracePoolOptions } from '../src/pool/node/index.ts';
import { maps } from './maps.ts';
import { bundleWorker, removeFolder } from './pool-workers.ts';

// What tests of pools share: workers bundled from our sources, and a world.

export const RAY = { kind: 'ray' };
export const BOX = { kind: 'box', size: [-15, -15, -24, 15, 15, 32], options: { mask: 'playersolid' } };

export interface PoolSetup {
  /** The workers' file. */
  readonly worker: string;
  readonly world: BspMap;
  /** A pool that is closed after all tests. */
  newPool(options: TracePoolOptions): TracePool;
  /** A pool shared by tests that only send it queries: starting a worker takes longer than most of them. */
  poolOf(threads: number, shared?: boolean): TracePool;
}

/** Sets up pools for the tests in a file. */
export function setUpPools(): PoolSetup {
  let worker: string;
  let world: BspMap;
  const pools: TracePool[] = [];
  const kept = new Map<string, TracePool>();

  beforeAll(async () => {
    worker = await bundleWorker();
    world = await openBsp(maps.quake3);
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    removeFolder();
  });

  const newPool = (options: TracePoolOptions): TracePool => {
    const pool = createTracePool({ worker, ...options });
    pools.push(pool);
    return pool;
  };
  return {
    get worker() {
      return worker;
    },
    get world() {
      return world;
    },
    newPool,
    poolOf(threads, shared = true) {
      const key = `${threads} ${shared}`;
      const pool = kept.get(key) ?? newPool({ threads, shared });
      kept.set(key, pool);
      return pool;
    },
  };
}
