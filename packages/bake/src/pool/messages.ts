import type { KernelChoice } from '@bspkit/core/format';
import type { BakeChunk, BakeJob } from '../job.ts';

// What a pool and its workers send each other: plain data, and shared memory.

/** The function that makes workers serve a bake pool. */
export const SERVES = 'serveBake';

/** How many jobs a worker of a pool or a queue keeps open. */
const MOST_JOBS = 4;

/** Drops the oldest jobs if there are more than are kept open. */
export function dropOldest<K>(jobs: Map<K, unknown> | Set<K>): void {
  for (const oldest of jobs.keys()) {
    if (jobs.size <= MOST_JOBS) break;
    jobs.delete(oldest);
  }
}

/** A job, and the bytes that it names. */
export interface JobMessage {
  /** Its number in this pool. */
  readonly number: number;
  readonly job: BakeJob;
  /** The map, opened: its world's format and data. */
  readonly world?: { readonly format: string; readonly data: ArrayBufferLike } | undefined;
  /** What traces. */
  readonly kernel: KernelChoice | undefined;
  /** Bytes by their hashes. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
}

/** A chunk to be answered. */
export interface ChunkMessage {
  /** The job's number. */
  readonly number: number;
  readonly chunk: BakeChunk;
  /** The job itself, for a worker that may not have it. */
  readonly open?: JobMessage | undefined;
}
