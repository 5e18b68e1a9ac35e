import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { place } from './place.ts';

/** As fast as the compiler can make it, with every operation rounded as in the engines. */
const FLAGS = ['-O3', '-march=native', '-ffp-contract=off', '-fPIC', '-shared'];

/** The variable that names the folder of what is compiled, which the processes and isolates of a run share. */
const SHARED = 'BSPKIT_BENCH_ADDONS';

const addons = new Map<string, unknown>();

/** Does work whose processes compile every yardstick once for all of them. */
export async function sharingAddons<T>(work: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-yardsticks-'));
  // If something is still being compiled, it may add a file while this runs.
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  process.env[SHARED] = folder;
  try {
    return await work();
  } finally {
    delete process.env[SHARED];
    process.off('exit', remove);
    remove();
  }
}

/**
 * The functions that a yardstick in C exports, compiled and loaded into this process once; or the reason why it cannot be.
 *
 * @param files - sources, by their paths from this application's `src`; if one does not exist, `what` has no yardstick.
 */
export function openAddon<T>(what: string, files: readonly string[]): T | string {
  const key = files.join();
  if (!addons.has(key)) addons.set(key, open(what, files.map(place)));
  return addons.get(key) as T | string;
}

function open(what: string, files: readonly string[]): unknown {
  if (!files.every(existsSync)) return `there is no yardstick in C for ${what}`;
  const shared = process.env[SHARED];
  const folder = mkdtempSync(shared ? join(shared, 'compiling-') : join(tmpdir(), 'bspkit-yardstick-'));
  try {
    const library = join(shared ?? folder, `${createHash('sha256').update(files.join()).digest('hex')}.node`);
    if (!existsSync(library)) compile(files, join(folder, 'yardstick.node'), library);
    const module = { exports: {} };
    process.dlopen(module, library);
    return module.exports;
  } catch (error) {
    return `the yardstick in C cannot be compiled: ${(error as Error).message.split('\n')[0]}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param library - appears once it is complete: others may be looking for it. */
function compile(files: readonly string[], unfinished: string, library: string): void {
  const late = process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : [];
  execFileSync('gcc', [...FLAGS, ...late, '-I', place('../native'), '-o', unfinished, ...files, '-lm'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  renameSync(unfinished, library);
}
