import {
  checkArrayOf,
  checkCallback,
  checkFlag,
  checkObject,
  checkOptions,
  checkWhole,
  isArrayOf,
  showValue,
} from '@bspkit/core/format';
import { checkSignal, type StopSignal } from '@bspkit/workers';
import { BakeError } from './error.ts';
import { answerOf, type BakeExecutor, chunkError, driveChunks } from './executor.ts';
import { type BakeJob, chunkCount, cutChunk, ownJob } from './job.ts';
import type { AnyBakeKind } from './kind.ts';
import { BAKE_KINDS } from './kinds/index.ts';
import { checkHash, checkInputs, checkItems, checkSize, kindOf } from './run.ts';
import { Scheduler } from './scheduler.ts';
import type { BakeStore } from './store.ts';
import { BakeWriter, differenceOf } from './writer.ts';

/** The progress of a bake. */
export interface BakeProgress {
  /** Chunks that are done, including those of an earlier run, and how many there are. */
  readonly done: number;
  readonly chunks: number;
  /** The share that is done, from 0 to 1. */
  readonly part: number;
  /** Items per second in this run; 0 as long as that cannot be measured. */
  readonly rate: number;
  /** Seconds that are left at this rate; `undefined` while there is no rate. */
  readonly left: number | undefined;
}

/** How to bake. */
export interface BakeOptions {
  /** The bytes of the inputs that the job names, by name. They are copied at once. */
  readonly inputs?: Readonly<Record<string, Uint8Array>> | undefined;
  /** What answers the chunks of this job. */
  readonly executor: BakeExecutor;
  /** The store in which the file grows. */
  readonly store: BakeStore;
  /**
   * Whether to continue from what the store has, if anything; by default the first answer takes its place. Chunks and inputs that
   * are damaged there are made again. If the job is damaged, nobody knows what the chunks are: the bake rejects, and leaves the
   * store alone.
   */
  readonly resume?: boolean | undefined;
  /** How often a chunk is tried again after it has failed: 3 by default. */
  readonly retries?: number | undefined;
  /** Called after each chunk. */
  readonly onProgress?: ((progress: BakeProgress) => void) | undefined;
  /** Called for each failed attempt that will be repeated. */
  readonly onRetry?: ((chunk: number, reason: unknown) => void) | undefined;
  /** Stops the bake. What has been done is in the store, and can be resumed. */
  readonly signal?: StopSignal | undefined;
  /**
   * Kinds that are known, `BAKE_KINDS` by default: an answer without as many bytes as its kind says is refused, and its chunk is
   * tried again. Answers of a kind that is not among the defaults are otherwise taken as they come.
   */
  readonly kinds?: readonly AnyBakeKind[] | undefined;
}

const OPTIONS: readonly string[] = [
  'inputs',
  'executor',
  'store',
  'resume',
  'retries',
  'onProgress',
  'onRetry',
  'signal',
  'kinds',
] satisfies (keyof BakeOptions)[];

/**
 * Has all chunks of a job answered and writes its file. When it resolves, the file is whole, and the same bytes whatever the
 * executor, the order of the answers, and whatever died meanwhile. A chunk that fails however often it is tried does not hold up
 * the others: they are all in the file before this rejects.
 *
 * @throws (rejects with) BakeError: `chunk` naming the first chunk that failed, and why; `file`, `damaged` and `other-job` for a
 *   store that cannot be resumed; `other-job` for an executor of another job; `job`, also for inputs that are not given; `hash`
 *   for inputs of another job; `kind` for one that is not in `kinds`; `closed` when the executor answers no more, and `kind` or
 *   `format` when it does not know the job's kind or its map's format. The signal's reason; what the store, `onProgress` and
 *   `onRetry` throw; RangeError or TypeError naming a parameter.
 */
export async function bake(given: BakeJob, options: BakeOptions): Promise<void> {
  const job = ownJob(given);
  checkOptions(options, OPTIONS);
  const { inputs = {}, executor, resume = false, retries = 3, signal } = options;
  const { onProgress, onRetry, kinds } = options;
  checkObject(inputs, 'inputs');
  for (const name of ['size', 'read', 'append', 'replace'] as const)
    checkCallback(options.store?.[name], `store.${name}`);
  checkCallback(executor?.run, 'executor.run');
  if (executor.job !== undefined) checkObject(executor.job, 'executor.job');
  const difference = executor.job && differenceOf(executor.job, job);
  if (difference !== undefined)
    throw new BakeError('other-job', `the executor is of another job: ${difference}`);
  checkFlag(resume, 'resume');
  checkWhole(retries, 'retries', 0, 1000);
  if (onProgress !== undefined) checkCallback(onProgress, 'onProgress');
  if (onRetry !== undefined) checkCallback(onRetry, 'onRetry');
  checkSignal(signal);
  const absent = Object.keys(job.inputs).find((name) => !isArrayOf(inputs[name], Uint8Array));
  if (absent !== undefined) throw new BakeError('job', `inputs.${absent} is missing: the job names it`);
  // The inputs that are written to the file with the answers, in the end perhaps, must be those that the answers are about: they
  // are copied, as the caller may change theirs or transfer them.
  const own = Object.fromEntries(
    Object.keys(job.inputs).map((name) => [name, copyInput(inputs[name], name)]),
  );
  for (const [name, hash] of Object.entries(job.inputs))
    await checkHash(own[name], hash, `input ${showValue(name)}`);
  // A user's own kinds need not be given here: then their answers are not checked.
  const kind =
    kinds === undefined ? BAKE_KINDS.find(({ name }) => name === job.kind) : kindOf(job.kind, kinds);
  if (kind) {
    checkInputs(kind, own);
    checkItems(kind, job, own);
  }
  const store = signal ? untilAborted(options.store, signal) : options.store;
  const writer = resume ? await BakeWriter.resume(store, job, own) : BakeWriter.create(store, job, own);
  const chunks = chunkCount(job);
  const scheduler = new Scheduler({ chunks, retries, isDone: (chunk) => writer.has(chunk) });
  const began = Date.now();
  let items = 0;
  await driveChunks({
    executor: {
      get capacity() {
        return executor.capacity;
      },
      async run(chunk) {
        const answer = await answerOf(executor, chunk);
        if (kind) checkSize(kind, job, chunk, own, answer);
        return answer;
      },
    },
    scheduler,
    signal,
    chunk: (index) => cutChunk(job, index),
    async done(chunk, answer) {
      await writer.add(chunk.index, answer);
      items += chunk.count;
      if (!onProgress) return;
      const { done, doneNow } = scheduler;
      const seconds = (Date.now() - began) / 1000;
      const left = seconds > 0 ? ((chunks - done) * seconds) / doneNow : undefined;
      onProgress({ done, chunks, part: done / chunks, rate: seconds > 0 ? items / seconds : 0, left });
    },
    ...(onRetry && { retried: onRetry }),
  });
  if (scheduler.failed.length > 0) throw chunkError(scheduler.failed);
  await writer.finish();
}

function copyInput(bytes: unknown, name: string): Uint8Array {
  checkArrayOf(bytes, Uint8Array, `input ${showValue(name)}`);
  return new Uint8Array(bytes);
}

/**
 * A store that is not read any further once a signal has come: to find what a file has, and to put it in order, all of it is
 * read, which takes long where it has many gigabytes.
 */
function untilAborted(store: BakeStore, signal: StopSignal): BakeStore {
  return {
    name: store.name,
    size: () => store.size(),
    read(at, length) {
      if (signal.aborted) throw signal.reason;
      return store.read(at, length);
    },
    append: (at, bytes) => store.append(at, bytes),
    replace: (parts) => store.replace(parts),
  };
}
