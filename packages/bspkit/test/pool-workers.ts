import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript as bundle } from '@bspkit/testkit/bundle';

const folder = mkdtempSync(join(tmpdir(), 'bspkit-pool-'));

/** A file name in a folder that exists as long as the tests run. */
export const inFolder = (name: string): string => join(folder, name);

export const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });

/** Bundles a script into that folder. */
export const bundleScript = (name: string, code: string, format: 'esm' | 'cjs' = 'esm'): Promise<string> =>
  bundle(inFolder(`${name}.${format === 'esm' ? 'mjs' : 'cjs'}`), code, import.meta.url);

/** The worker itself. */
export const bundleWorker = (): Promise<string> =>
  bundleScript('worker', `import '../src/pool/node/worker.ts';`);
