import type { PackedError } from '@bspkit/core/format';
import type { BakeChunk, BakeJob } from '../job.ts';

// What a pool and its workers tell each other: plain data, and memory that is shared.

/** Jobs that a worker keeps open. When there are more, the one that came first is let go of. */
export const MOST_JOBS = 4;

/** A job, and the bytes that it names. */
export interface JobMessage {
  /** Its number in this pool. */
  readonly number: number;
  readonly job: BakeJob;
  /** The map, opened: its world's format and data. */
  readonly world?: { readonly format: string; readonly data: ArrayBufferLike } | undefined;
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

/** What a worker says to it. */
export interface ChunkReply {
  readonly answer?: Uint8Array | undefined;
  readonly error?: PackedError | undefined;
}
