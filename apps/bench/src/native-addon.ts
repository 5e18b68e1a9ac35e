import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { place } from './place.ts';

/** As fast as the compiler makes it, with every operation rounded as in the engines. */
const FLAGS = ['-O3', '-march=native', '-ffp-contract=off', '-fPIC', '-shared'];

const addons = new Map<string, unknown>();

/**
 * What a yardstick in C makes callable, compiled here into this process, once. Otherwise the reason why it cannot be.
 *
 * @param files - sources, by their paths from this application's `src`; one that is not there tells that `what` has none.
 */
export function openAddon<T>(what: string, files: readonly string[]): T | string {
  const key = files.join();
  if (!addons.has(key)) addons.set(key, compile(what, files.map(place)));
  return addons.get(key) as T | string;
}

function compile(what: string, files: readonly string[]): unknown {
  if (!files.every(existsSync)) return `there is no yardstick in C for ${what}`;
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-yardstick-'));
  try {
    const library = join(folder, 'yardstick.node');
    const late = process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : [];
    execFileSync('gcc', [...FLAGS, ...late, '-I', place('../native'), '-o', library, ...files, '-lm'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const module = { exports: {} };
    process.dlopen(module, library);
    return module.exports;
  } catch (error) {
    return `the yardstick in C cannot be compiled: ${(error as Error).message.split('\n')[0]}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
