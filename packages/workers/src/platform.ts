import { checkKind, checkWhole } from '@bspkit/core/format';
import type { StartWorker } from './link.ts';

/** Where a worker's file is. */
export type WorkerFile = string | { readonly href: string };

/** What a platform brings. */
export interface Platform {
  /** Threads that the machine runs at once. */
  readonly cores: number;
  /** Whether memory can be shared between threads. */
  readonly shares: boolean;
  /** How workers are started: those of a file, or the pool's own. */
  start(file: WorkerFile | undefined): StartWorker;
}

/** What all pools take. */
export interface WorkerOptions {
  readonly threads?: number | undefined;
  readonly worker?: WorkerFile | undefined;
}

/** What to do where a pool's own worker is not there. */
export const LEFT_OUT = 'if your bundler left it out, see the option `worker` of pools';

/** Most workers of a pool. */
export const MOST_THREADS = 256;

/** How many workers a pool has, and how they are started. Throws `RangeError` and `TypeError` for invalid options. */
export function checkWorkers(
  platform: Platform,
  { threads = Math.min(platform.cores, MOST_THREADS), worker }: WorkerOptions,
): { readonly threads: number; readonly start: StartWorker } {
  checkWhole(threads, 'threads', 1, MOST_THREADS);
  const isPlace = worker === undefined || typeof worker === 'string' || typeof worker?.href === 'string';
  checkKind(isPlace, worker, 'worker', 'the address of a file');
  return { threads, start: platform.start(worker) };
}

/** The same bytes on memory that workers see without a copy. */
export function shareBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
