import { createRequire, syncBuiltinESMExports } from 'node:module';
import type * as Threads from 'node:worker_threads';

/** Kept for the process: setup files run again before each test file. */
const SHARED = globalThis as { refusesBuilt?: true };

// These tests run without a build, where a thread whose script is part of one would be missing; with a build they would pass.
if (!SHARED.refusesBuilt) {
  SHARED.refusesBuilt = true;
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Threads.Worker };
  threads.Worker = class extends threads.Worker {
    constructor(script: string | URL, options?: Threads.WorkerOptions) {
      if (/[\\/]dist[\\/]/.test(String(script))) {
        throw new Error(`${script} is built: tests that start it are named *.e2e.test.ts`);
      }
      super(script, options);
    }
  };
  syncBuiltinESMExports();
}
