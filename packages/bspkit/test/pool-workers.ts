import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// Workers cannot load our sources, which are TypeScript: each is bundled into a file first.

const folder = mkdtempSync(join(tmpdir(), 'bspkit-pool-'));

/** A file name in a folder that exists as long as the tests run. */
export const inFolder = (name: string): string => join(folder, name);

export const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });

/** Bundles a script for Node, which can import from our sources, and returns the bundle's file name. */
export async function bundleScript(
  name: string,
  code: string,
  format: 'esm' | 'cjs' = 'esm',
): Promise<string> {
  const outfile = inFolder(`${name}.${format === 'esm' ? 'mjs' : 'cjs'}`);
  await build({
    stdin: { contents: code, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    outfile,
    bundle: true,
    format,
    platform: 'node',
    conditions: ['@bspkit/source'],
    logLevel: 'error',
  });
  return outfile;
}

/** The worker itself. */
export const bundleWorker = (): Promise<string> =>
  bundleScript('worker', `import '../src/pool/node/worker.ts';`);
