import { availableParallelism } from 'node:os';
import { type BspFormatEntry, checkList, checkOptions, checkText, checkWhole } from '@bspkit/core/format';
import { checkSignal, MOST_THREADS, type StopSignal, unlessAborted } from '@bspkit/workers';
import { Worker } from 'bullmq';
import type { AnyBakeKind } from '../kind.ts';
import { type BakePoolOptions, createBakePool } from '../pool/node/index.ts';
import { awaitQueue, noteOf, withoutCommand } from './connection.ts';
import { PATIENCE } from './coordinator.ts';
import { OpenedJobs } from './opened-jobs.ts';
import { ownMaps } from './own-maps.ts';
import { Presence } from './presence.ts';
import { PREFIX, QUEUE } from './protocol.ts';
import { TakenChunks } from './taken-chunks.ts';

/** How to take chunks from a queue. */
export interface QueueWorkerOptions {
  /** Address of the queue: `redis://user:password@host:port/database`, `rediss://` for TLS. */
  readonly url: string;
  /** Threads that answer chunks: by default, one for each that the machine runs at once. */
  readonly threads?: number | undefined;
  /**
   * A folder with maps, or the http(s) URL of a place with a file `SHA256.bsp` for each. It is searched before the queue's store,
   * which is also asked if it cannot be read.
   */
  readonly maps?: string | undefined;
  /** How many seconds to wait for a queue that is not there yet, or has gone: 60 by default. */
  readonly patience?: number | undefined;
  /**
   * Seconds of silence after which others get a worker's chunks, 1 to 3600: 10 by default. It counts as gone after the same
   * time, but not before 5 seconds. It reports that it is alive twice in that time, whatever its threads are doing.
   */
  readonly lock?: number | undefined;
  /** Seconds that a chunk may take: 600 by default. Then its thread is ended, and the chunk has failed. */
  readonly limit?: number | undefined;
  /** Seconds without a chunk after which the worker ends; by default it waits for ever. */
  readonly idle?: number | undefined;
  /** Kinds that are known; `BAKE_KINDS` by default. Threads get theirs from {@link QueueWorkerOptions.worker}. */
  readonly kinds?: readonly AnyBakeKind[] | undefined;
  /** Formats whose maps can be opened; all that bspkit has by default. Threads get theirs likewise. */
  readonly formats?: readonly BspFormatEntry[] | undefined;
  /** Where the threads' file is, for kinds and formats of your own: as for `createBakePool`. */
  readonly worker?: BakePoolOptions['worker'];
  /**
   * Called with what it does, in words: jobs that it begins, chunks that fail, a queue that has gone. What it throws is ignored.
   */
  readonly note?: ((text: string) => void) | undefined;
  /** Ends the worker when aborted: it takes no more chunks, and finishes those that it has. */
  readonly signal?: StopSignal | undefined;
  /** Ends the worker at once when aborted: it gives back the chunks that it has. */
  readonly hurry?: StopSignal | undefined;
}

/** What a worker has done. */
export interface QueueWorkerReport {
  /** Chunks that it answered, and chunks that failed. */
  readonly answered: number;
  readonly failed: number;
}

const OPTIONS: readonly string[] = [
  'url',
  'threads',
  'maps',
  'patience',
  'lock',
  'limit',
  'idle',
  'kinds',
  'formats',
  'worker',
  'note',
  'signal',
  'hurry',
] satisfies (keyof QueueWorkerOptions)[];

const MOST_SECONDS = 86_400;
/** How many milliseconds closing the connection may take, if the queue has gone. */
const CLOSE_MS = 2000;

/**
 * Takes chunks from a queue, answers them in threads, and reports the results, until it is told to end. It runs the kinds of
 * bakes that it knows, and never code from the queue; what it reads there is checked, and limited in size. A chunk whose worker
 * dies is given to another one.
 *
 * @throws (rejects with) QueueError when there is no queue that can be used, or it has been away for too long; BakeError
 *   (`closed`) when the threads' script is another one, or none of them could start, having given its chunks back; RangeError or
 *   TypeError naming an option.
 */
export async function runQueueWorker(options: QueueWorkerOptions): Promise<QueueWorkerReport> {
  checkOptions(options, OPTIONS);
  const { url, maps, idle, kinds, formats, worker: file, signal, hurry } = options;
  const { threads = Math.min(availableParallelism(), MOST_THREADS), patience = PATIENCE } = options;
  const { lock = 10, limit = 600 } = options;
  checkWhole(threads, 'threads', 1, MOST_THREADS);
  if (maps !== undefined) checkText(maps, 'maps');
  checkWhole(patience, 'patience', 1, MOST_SECONDS);
  checkWhole(lock, 'lock', 1, 3600);
  checkWhole(limit, 'limit', 1, MOST_SECONDS);
  if (idle !== undefined) checkWhole(idle, 'idle', 0, MOST_SECONDS);
  const note = noteOf(options.note);
  if (kinds !== undefined) checkList(kinds, 'kinds');
  if (formats !== undefined) checkList(formats, 'formats');
  checkSignal(signal);
  checkSignal(hurry, 'hurry');
  const ended = new AbortController();
  const findMap = maps === undefined ? undefined : ownMaps(maps, ended.signal);
  const pool = createBakePool({ threads, worker: file });
  const connection = await awaitQueue(url, { patience, note }, signal, hurry);
  if (!connection) return { answered: 0, failed: 0 };
  const { redis, shown, lost } = connection;
  const jobs = new OpenedJobs(redis, pool, findMap, { kinds, formats }, note);
  const chunks = new TakenChunks(redis, jobs, { threads, limit, note, hurry });
  // The connection has a watch of its own.
  const refused = (error: Error): void => {
    if (error.name === 'ReplyError') note(`${shown} refuses: ${withoutCommand(error).message}`);
  };
  const presence = new Presence(redis, chunks.id, threads, lock, refused);
  // Whoever hears of it from a chunk finds it there.
  await unlessAborted(presence.begin(), signal, hurry, lost);
  const worker = new Worker(QUEUE, (job, token) => chunks.answer(job, token), {
    connection: redis,
    prefix: PREFIX,
    // Some chunks wait here, so that no thread waits for the queue.
    concurrency: threads + Math.ceil(threads / 2),
    lockDuration: 1000 * lock,
    stalledInterval: 500 * lock,
    // The coordinator decides whether it is tried again.
    maxStalledCount: 0,
    skipVersionCheck: true,
  });
  worker.on('failed', (job, error) => chunks.fail(job, error));
  worker.on('error', refused);
  try {
    note(`takes chunks from ${shown} with ${threads} ${threads === 1 ? 'thread' : 'threads'}`);
    await unlessAborted(chunks.idle(idle), signal, hurry, lost, chunks.broken);
    if (!lost.aborted) {
      const closed = worker.close().then(() => Promise.all([chunks.reported(), presence.end()]));
      await unlessAborted(closed, lost, hurry);
      // Nothing can be given back to a queue that has gone.
      await unlessAborted(Promise.race([closed, connection.gone()]), lost);
    }
  } finally {
    ended.abort();
    chunks.end();
    presence.stop();
    connection.close();
    await unlessAborted(worker.close(true), AbortSignal.timeout(CLOSE_MS));
    await pool.close();
  }
  if (lost.aborted) throw lost.reason;
  if (chunks.broken.aborted) throw chunks.broken.reason;
  return chunks.counts;
}
