import { join } from 'node:path';
import { bundleScript } from '@bspkit/testkit/bundle';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { afterAll, beforeAll } from 'vitest';
import { type BakePool, createBakePool } from '../src/pool/node/index.ts';

/** A pool of two threads that know the strange kind, and the file of their worker; it is there for all tests of a file. */
export function setUpStrangePool(): { readonly pool: BakePool; readonly worker: string } {
  const folder = temporaryFolder();
  let worker: string;
  let pool: BakePool;
  beforeAll(async () => {
    worker = await bundleScript(
      join(folder, 'worker.mjs'),
      `import { BAKE_KINDS } from '../src/index.ts';
       import { serveBake } from '../src/pool/node/index.ts';
       import { strange } from './strange-kind.ts';
       serveBake({ kinds: [...BAKE_KINDS, strange] });`,
      import.meta.url,
    );
    pool = createBakePool({ threads: 2, worker });
  });
  afterAll(async () => {
    await pool?.close();
  });
  return {
    get pool() {
      return pool;
    },
    get worker() {
      return worker;
    },
  };
}
