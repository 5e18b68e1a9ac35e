import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// Workers cannot load our sources, which are TypeScript: each is bundled into a file first.

const folder = mkdtempSync(join(tmpdir(), 'bspkit-bake-'));

export const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });

/** Bundles a worker, which can import from our sources, and returns the bundle's file name. */
export async function bundleWorker(name: string, code: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents: code, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@bspkit/source'],
    logLevel: 'error',
  });
  return outfile;
}
