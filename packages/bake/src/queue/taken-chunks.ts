import { randomBytes } from 'node:crypto';
import { reasonOf } from '@bspkit/core/format';
import { onAbort, type StopSignal, unlessAborted } from '@bspkit/workers';
import { DelayedError, type Job, UnrecoverableError, WaitingError } from 'bullmq';
import type { Redis } from 'ioredis';
import { BakeError, isLacking } from '../error.ts';
import { isClosed } from '../executor.ts';
import { type BakeChunk, type BakeJob, chunkCount, cutChunk } from '../job.ts';
import type { OpenedJobs } from './opened-jobs.ts';
import {
  ANSWERS,
  answerKey,
  bytesKey,
  CHUNK_SECONDS,
  type ChunkMessage,
  checkMessage,
  checkVersion,
  type Ending,
  endingOf,
  entryOf,
  hashOf,
  inputKey,
  MOST_CHUNK,
  packAnswer,
  STREAM_ENTRIES,
  withoutControls,
} from './protocol.ts';
import { readStored } from './store.ts';

/** The most milliseconds for which a chunk is left to others: its coordinator offers it again sooner. */
const GIVEN_BACK_MS = 5000;

/** Milliseconds after which a queue without chunks counts as empty. */
const IDLE_MS = 500;
/** The most characters of a chunk's key that are repeated: no real key is longer. */
const MOST_KEY = 200;

/** What a worker's chunks need besides the jobs. */
export interface TakenChunksOptions {
  readonly threads: number;
  /** Seconds that a chunk may take. */
  readonly limit: number;
  readonly note: (text: string) => void;
  /** Gives back all chunks when aborted. */
  readonly hurry: StopSignal | undefined;
}

/** The chunks that a worker has taken: how each is answered, given back or fails, and what is reported of it. */
export class TakenChunks {
  /** The id by which coordinators recognise the worker. */
  readonly id: string = randomBytes(8).toString('hex');
  private readonly _redis: Redis;
  private readonly _jobs: OpenedJobs;
  private readonly _threads: Threads;
  private readonly _limit: number;
  private readonly _note: (text: string) => void;
  private readonly _hurry: StopSignal | undefined;
  /** Reports about failed chunks that are under way. */
  private readonly _reports = new Set<Promise<unknown>>();
  private _answered = 0;
  private _failed = 0;
  /** Chunks that it has now, and when it last was done with one. */
  private _busy = 0;
  private _since = performance.now();
  private _clock: ReturnType<typeof setInterval> | undefined;
  private readonly _broken = new AbortController();

  constructor(redis: Redis, jobs: OpenedJobs, { threads, limit, note, hurry }: TakenChunksOptions) {
    this._redis = redis;
    this._jobs = jobs;
    this._threads = new Threads(threads);
    this._limit = limit;
    this._note = note;
    this._hurry = hurry;
  }

  /** Aborted with the reason when the threads answer no more. */
  get broken(): AbortSignal {
    return this._broken.signal;
  }

  /** How many were answered, and how many failed. */
  get counts(): { readonly answered: number; readonly failed: number } {
    return { answered: this._answered, failed: this._failed };
  }

  /** Resolves when nothing has come for this many seconds; never if that is `undefined`. */
  idle(seconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      if (seconds === undefined) return;
      this._clock = setInterval(() => {
        if (this._busy > 0 || performance.now() - this._since < Math.max(1000 * seconds, IDLE_MS)) return;
        resolve();
      }, IDLE_MS / 2);
    });
  }

  /** Stops its clock, which would keep the process alive. */
  end(): void {
    clearInterval(this._clock);
  }

  /** Answers a chunk that BullMQ has given us, and puts the answer into the store. */
  async answer(job: Job, token: string | undefined): Promise<null> {
    this._busy++;
    let isGivenBack = false;
    const stop = new AbortController();
    const hurry = (): void => stop.abort(new WaitingError());
    const leave = onAbort(this._hurry, hurry);
    if (this._hurry?.aborted) hurry();
    try {
      const message = checkMessage(job.data, job.name, job.id);
      checkVersion(message);
      const running = this._run(message, job.id!, stop);
      // It may be waiting for a map.
      await unlessAborted(running, stop.signal);
      stop.signal.throwIfAborted();
      const answer = await running;
      if (answer.length > MOST_CHUNK) {
        throw new RangeError(`the answer has ${answer.length} bytes; a queue takes ${MOST_CHUNK} at most`);
      }
      await this._report(job.id!, { size: answer.length, by: this.id }, packAnswer(answer));
      this._answered++;
      return null;
    } catch (error) {
      if (isClosed(error)) this._broken.abort(error);
      if (isClosed(error) || (stop.signal.aborted && stop.signal.reason instanceof WaitingError)) {
        // Another worker can answer it.
        await job.moveToWait(token);
        throw new WaitingError();
      }
      if (isLacking(error)) {
        isGivenBack = await this._giveBack(job, token, error);
        if (isGivenBack) throw new DelayedError();
      }
      // However often the queue says that it should be tried.
      throw Object.assign(new UnrecoverableError(reasonOf(error).slice(0, 200)), { cause: error });
    } finally {
      leave();
      this._busy--;
      // A chunk for others is no reason to stay.
      if (!isGivenBack) this._since = performance.now();
    }
  }

  /**
   * Leaves a chunk to workers that have what it needs and this one lacks; it does not count as an attempt. Not at once: giving a
   * chunk back asks for the next one right away. Its coordinator is told, and finds out whether there is such a worker. Resolves
   * with false if nobody waits for it any more.
   */
  private async _giveBack(job: Job, token: string | undefined, error: BakeError): Promise<boolean> {
    const key = job.id!;
    const id = key.split('-')[0]!;
    this._jobs.lacks(id, error);
    // As long as anybody waits, the job is kept in the store.
    if ((await this._redis.exists(bytesKey(id))) === 0) return false;
    await job.moveToDelayed(Date.now() + GIVEN_BACK_MS, token);
    await this._report(key, endingOf(error, this.id));
    return true;
  }

  /** Reports that a chunk has failed. */
  fail(job: Job | undefined, { cause, message }: Error): void {
    if (job?.id === undefined) return;
    this._failed++;
    const error =
      cause ?? new BakeError('worker', /stalled/.test(message) ? 'the worker that had it has gone' : message);
    if (!this._jobs.isTold(error)) {
      const chunk = withoutControls(job.id.replace(/^([0-9a-f]{8})[0-9a-f]*-/, '$1-').slice(0, 40));
      this._note(`chunk ${chunk} failed: ${reasonOf(error)}`);
    }
    const report = this._report(job.id.slice(0, MOST_KEY), endingOf(error)).catch(() => {});
    this._reports.add(report);
    void report.then(() => this._reports.delete(report));
  }

  /** Resolves when everything has been reported. */
  async reported(): Promise<void> {
    await Promise.all(this._reports);
  }

  private async _run(message: ChunkMessage, key: string, stop: AbortController): Promise<Uint8Array> {
    const { job, executor } = await this._jobs.of(message.job);
    const chunk = await this._chunkOf(job, message, key);
    await this._threads.take();
    const tooLong = (): void => stop.abort(new BakeError('worker', `it took longer than ${this._limit} s`));
    const timer = setTimeout(tooLong, 1000 * this._limit);
    try {
      return await executor.run(chunk, stop.signal);
    } finally {
      clearTimeout(timer);
      this._threads.giveBack();
    }
  }

  private async _chunkOf(job: BakeJob, message: ChunkMessage, key: string): Promise<BakeChunk> {
    const { index, first, count, input: hash } = message;
    if (hash === undefined) {
      const chunks = chunkCount(job);
      // One of rows, say, that came without them.
      if (index >= chunks) {
        const problem = `chunk ${index} has no input, and is none of the job's own, of which there are ${chunks}`;
        throw new RangeError(problem);
      }
      const chunk = cutChunk(job, index);
      if (chunk.first !== first || chunk.count !== count)
        throw new BakeError('job', `chunk ${index} is not cut as the job says`);
      return chunk;
    }
    const input = await readStored(this._redis, inputKey(key), MOST_CHUNK);
    if (!input) throw new BakeError('absent', `the queue's store does not have what chunk ${index} carries`);
    if (hashOf(input) !== hash)
      throw new BakeError('hash', `what chunk ${index} carries differs from its hash`);
    return { index, first, count, input };
  }

  /** Puts an answer into the store, and reports how a chunk has ended. */
  private async _report(key: string, ending: Ending, answer?: Buffer): Promise<void> {
    const commands = this._redis.multi();
    if (answer) commands.set(answerKey(key), answer, 'EX', CHUNK_SECONDS);
    commands.xadd(ANSWERS, 'MAXLEN', '~', STREAM_ENTRIES, '*', ...entryOf(key, ending));
    commands.expire(ANSWERS, CHUNK_SECONDS);
    const results = await commands.exec().catch((error: Error & { readonly previousErrors?: Error[] }) => {
      // The transaction failed because of the first command that was refused.
      throw error.previousErrors?.[0] ?? error;
    });
    for (const [error] of results ?? []) if (error) throw error;
  }
}

/** The threads that have no chunk. */
class Threads {
  private _free: number;
  private readonly _next: (() => void)[] = [];

  constructor(count: number) {
    this._free = count;
  }

  /** Resolves when there is one for a chunk: its time does not run while it waits for others. */
  async take(): Promise<void> {
    while (this._free === 0) await new Promise<void>((resolve) => this._next.push(resolve));
    this._free--;
  }

  giveBack(): void {
    this._free++;
    this._next.shift()?.();
  }
}
