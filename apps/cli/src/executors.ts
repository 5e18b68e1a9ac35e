import type { BakeExecutor, BakeJob } from '@bspkit/bake';
import type { JobBytes } from '@bspkit/bake/pool';
import { count } from '@bspkit/words';
import { type Command, Option } from 'commander';
import { wholeBetween } from './arguments.ts';
import { hasOwnFormats } from './own-formats.ts';
import { queueNote, queueOption, queueUrl, withQueue } from './queue.ts';
import type { Session } from './session.ts';

/** Options for where chunks of a job are answered. */
export interface ExecutorOptions {
  /** Number of threads. */
  readonly jobs?: number | undefined;
  /** Address of a queue that workers take chunks from. */
  readonly queue?: string | undefined;
}

/** Something that answers chunks, until it is closed. */
export interface OpenExecutor {
  readonly executor: BakeExecutor;
  /** Its name for people. */
  readonly name: string;
  /** Aborts when it cannot answer anything any more. */
  readonly lost?: AbortSignal;
  /** How many answers may be held back for an earlier one, if it says so. */
  readonly window?: number;
  close(): Promise<void>;
}

const MOST_JOBS = 256;

/** Parses a number of threads. */
export const parseJobs: (text: string) => number = wholeBetween(1, MOST_JOBS);

/** Adds the options for where chunks are answered. */
export function addExecutorOptions(command: Command, byDefault: string): Command {
  return command
    .addOption(new Option('--jobs <n>', `number of threads; by default ${byDefault}`).argParser(parseJobs))
    .addOption(queueOption('let workers do it (see bspkit worker): redis://host:port').conflicts('jobs'));
}

/** The file of threads that know the user's own formats; `undefined` if there are none. */
export const threadsFile = ({ io }: Session): string | undefined =>
  hasOwnFormats(io) ? new URL('bake-worker.js', import.meta.url).href : undefined;

/**
 * Checks that a queue can be reached, before work is done for it.
 * @throws (rejects with) UsageError when it cannot.
 */
export async function checkExecutor({ queue }: ExecutorOptions, session: Session): Promise<void> {
  if (queue === undefined) return;
  const { checkQueue } = await import('@bspkit/bake/queue');
  await withQueue(() => checkQueue(queueUrl(queue, session)));
}

/** Opens what a user wants to answer the chunks of a job. */
export async function openExecutor(
  { jobs, queue }: ExecutorOptions,
  job: BakeJob,
  bytes: JobBytes,
  session: Session,
): Promise<OpenExecutor> {
  if (queue !== undefined) return openQueue(queue, job, bytes, session);
  const { createBakePool } = await import('@bspkit/bake/pool');
  const pool = createBakePool({ threads: jobs, worker: threadsFile(session) });
  try {
    const executor = await pool.open(job, { ...bytes, formats: session.entries });
    return { executor, name: count(pool.threads, 'thread'), close: () => pool.close() };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Chunks that may be answered while an earlier one is not: enough for what others do until a dead worker is noticed. */
const QUEUE_WINDOW = 1024;

async function openQueue(
  address: string,
  job: BakeJob,
  { map, tiles = [], inputs = {} }: JobBytes,
  session: Session,
): Promise<OpenExecutor> {
  const { createQueueExecutor } = await import('@bspkit/bake/queue');
  const url = queueUrl(address, session);
  const bytes = new Map(Object.entries(job.inputs).map(([name, hash]) => [hash, inputs[name]!]));
  if (map) bytes.set(job.map, map);
  for (const [k, tile] of (job.tiles ?? []).entries()) bytes.set(tile.map, tiles[k]!.map);
  const note = queueNote(session);
  const executor = await withQueue(() =>
    createQueueExecutor({ url, job, load: (hash) => bytes.get(hash)!, formats: session.entries, note }),
  );
  const { lost } = executor;
  return { executor, name: 'the queue', lost, window: QUEUE_WINDOW, close: () => executor.close() };
}
