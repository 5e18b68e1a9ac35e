import { type BspFormatEntry, checkOptions } from '@bspkit/core/format';
import { type PoolPort, serve } from '@bspkit/workers';
import { FORMATS } from 'bspkit';
import { BakeError } from '../error.ts';
import type { AnyBakeKind } from '../kind.ts';
import { type OpenJob, openJob } from '../run.ts';
import { type ChunkMessage, dropOldest, type JobMessage, SERVES } from './messages.ts';

/** What a worker of a pool knows. */
export interface ServeOptions {
  /** Kinds that it answers; `BAKE_KINDS` by default. */
  readonly kinds?: readonly AnyBakeKind[] | undefined;
  /** Formats that it opens; all that bspkit has by default. */
  readonly formats?: readonly BspFormatEntry[] | undefined;
}

/** Serves a pool, in a worker. */
export function serveOn(port: PoolPort, options: ServeOptions = {}): void {
  checkOptions(options, ['kinds', 'formats']);
  const jobs = new Map<number, Promise<OpenJob>>();
  const open = ({ number, job, world, kernel, bytes }: JobMessage): Promise<OpenJob> => {
    const load = (hash: string): Uint8Array | undefined => bytes.get(hash);
    const { formats = FORMATS } = options;
    if (world && !formats.some(({ id }) => id === world.format)) {
      const how = `pass it to ${SERVES} in a script of your own, given as the option worker`;
      throw new BakeError('format', `the workers know no format '${world.format}': ${how}`);
    }
    const opened = jobs.get(number) ?? openJob(job, { ...options, world, kernel, trusted: true, load });
    // In the pool's order: what was sent last is kept longest.
    jobs.delete(number);
    jobs.set(number, opened);
    dropOldest(jobs);
    // The reason may have been a lack of memory; the pool sends the job again.
    opened.catch(() => jobs.delete(number));
    return opened;
  };
  const answer = async ({ number, chunk, open: message }: ChunkMessage): Promise<Uint8Array> => {
    const opened = message ? open(message) : jobs.get(number);
    if (!opened) throw new BakeError('absent', `the pool has not sent job ${number}`);
    // A kind may answer with a view, which would be sent with all of its buffer.
    return new Uint8Array((await opened).run(chunk));
  };
  serve(port, SERVES, answer, ({ buffer }) => [buffer]);
}
