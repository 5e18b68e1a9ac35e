import { type BspFormatEntry, packError } from '@bspkit/core/format';
import { BakeError } from '../error.ts';
import type { AnyBakeKind } from '../kind.ts';
import { type OpenJob, openJob } from '../run.ts';
import { type ChunkMessage, type ChunkReply, type JobMessage, MOST_JOBS } from './messages.ts';

/** What a worker of a pool knows. */
export interface ServeOptions {
  /** Kinds that it answers; `BAKE_KINDS` by default. */
  readonly kinds?: readonly AnyBakeKind[] | undefined;
  /** Formats that it opens; all that bspkit has by default. */
  readonly formats?: readonly BspFormatEntry[] | undefined;
}

/** Answers a chunk; errors come as data. */
export type BakeHandler = (message: ChunkMessage) => Promise<ChunkReply>;

/** Answers what a pool asks, in a worker. */
export function createHandler(options: ServeOptions): BakeHandler {
  const jobs = new Map<number, Promise<OpenJob>>();
  const open = ({ number, job, world, bytes }: JobMessage): Promise<OpenJob> => {
    const opened = openJob(job, {
      ...options,
      world,
      trusted: true,
      load(hash) {
        const found = bytes.get(hash);
        if (!found) throw new BakeError('absent', `the pool has no bytes of ${hash}`);
        return found;
      },
    });
    jobs.set(number, opened);
    for (const oldest of jobs.keys()) {
      if (jobs.size <= MOST_JOBS) break;
      jobs.delete(oldest);
    }
    return opened;
  };
  return async ({ number, chunk, open: message }) => {
    try {
      const known = jobs.get(number) ?? (message && open(message));
      if (!known) throw new BakeError('absent', `the pool has not sent job ${number}`);
      return { answer: (await known).run(chunk) };
    } catch (error) {
      return { error: packError(error) };
    }
  };
}
