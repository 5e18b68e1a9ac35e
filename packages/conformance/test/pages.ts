import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arenaQuake3 } from '@bspkit/fixtures';
import { build } from 'esbuild';

// Pages with workers, for browsers, in which only pages whose headers ask for it can share memory.

/**
 * Bundles a page and its worker beside each other, as built packages have them, with the arena as `arena.bsp`. Gives the
 * files by their names.
 *
 * @param page - the module that exports `report`, from here.
 * @param worker - that of the worker, from here.
 */
export async function bundlePage(page: string, worker: string): Promise<Map<string, Uint8Array>> {
  const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: { page: source(page), worker: source(worker) },
    outdir: '/',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@bspkit/source'],
  });
  const files = outputFiles.map(({ path, contents }) => [basename(path), contents] as const);
  return new Map([['arena.bsp', arenaQuake3()], ...files]);
}
