import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  type BspFormatEntry,
  checkCallback,
  checkList,
  checkOptions,
  checkText,
  checkWhole,
  reasonOf,
} from '@bspkit/core/format';
import { checkSignal, MOST_THREADS, onAbort, type StopSignal, unlessAborted } from '@bspkit/workers';
import { FORMATS } from 'bspkit';
import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { BakeError, isLacking } from '../error.ts';
import { type BakeExecutor, isClosed } from '../executor.ts';
import { type BakeChunk, type BakeJob, cutChunk, eachInput } from '../job.ts';
import type { AnyBakeKind } from '../kind.ts';
import { dropOldest } from '../pool/messages.ts';
import { type BakePool, type BakePoolOptions, createBakePool } from '../pool/node/index.ts';
import { formatIdOf, kindOf, loadTiles } from '../run.ts';
import { NO_BYTES } from '../sha256.ts';
import { awaitQueue, type Connection } from './connection.ts';
import { PATIENCE } from './coordinator.ts';
import { type FindMap, ownMaps } from './own-maps.ts';
import { Presence } from './presence.ts';
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
  MOST_JOB,
  PREFIX,
  packAnswer,
  QUEUE,
  readJob,
  STREAM_ENTRIES,
} from './protocol.ts';
import { ByteStore, readStored } from './store.ts';

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
   * Seconds of silence after which others take a worker for dead, 1 to 3600: 10 by default. It reports that it is alive twice in
   * that time, whatever its threads are doing.
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
  /** Called with what it does, in words: jobs that it begins, chunks that fail, a queue that has gone. */
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
  const { url, maps, idle, kinds, formats, worker: file, note = () => {}, signal, hurry } = options;
  const { threads = Math.min(availableParallelism(), MOST_THREADS), patience = PATIENCE } = options;
  const { lock = 10, limit = 600 } = options;
  checkWhole(threads, 'threads', 1, MOST_THREADS);
  if (maps !== undefined) checkText(maps, 'maps');
  checkWhole(patience, 'patience', 1, MOST_SECONDS);
  checkWhole(lock, 'lock', 1, 3600);
  checkWhole(limit, 'limit', 1, MOST_SECONDS);
  if (idle !== undefined) checkWhole(idle, 'idle', 0, MOST_SECONDS);
  checkCallback(note, 'note');
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
  const run = new Run(connection, pool, { findMap, limit, kinds, formats, note, hurry });
  // The connection has a watch of its own.
  const refused = ({ name, message }: Error): void => {
    if (name === 'ReplyError') note(`${shown} refuses: ${message}`);
  };
  const presence = new Presence(redis, run.id, threads, lock, refused);
  // Whoever hears of it from a chunk finds it there.
  await unlessAborted(presence.begin(), signal, hurry, lost);
  const worker = new Worker(QUEUE, (job, token) => run.answer(job, token), {
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
  worker.on('failed', (job, error) => run.fail(job, error));
  worker.on('error', refused);
  try {
    note(`takes chunks from ${shown} with ${threads} ${threads === 1 ? 'thread' : 'threads'}`);
    await unlessAborted(run.idle(idle), signal, hurry, lost, run.broken);
    if (!lost.aborted) {
      const closed = worker.close().then(() => Promise.all([run.said(), presence.end()]));
      await unlessAborted(closed, lost, hurry);
      // Nothing can be given back to a queue that has gone.
      await unlessAborted(Promise.race([closed, connection.gone()]), lost);
    }
  } finally {
    ended.abort();
    run.end();
    presence.stop();
    connection.close();
    await unlessAborted(worker.close(true), AbortSignal.timeout(CLOSE_MS));
    await pool.close();
  }
  if (lost.aborted) throw lost.reason;
  if (run.broken.aborted) throw run.broken.reason;
  return run.report;
}

/** A job of a bake for which this worker can answer chunks. */
interface OpenedJob {
  readonly job: BakeJob;
  readonly executor: BakeExecutor;
}

/** What a worker is doing, and what it needs for that. */
class Run {
  private readonly _connection: Connection;
  private readonly _store: ByteStore;
  private readonly _pool: BakePool;
  private readonly _limit: number;
  private readonly _note: (text: string) => void;
  private readonly _hurry: StopSignal | undefined;
  private readonly _kinds: QueueWorkerOptions['kinds'];
  private readonly _formats: QueueWorkerOptions['formats'];
  /** Jobs of bakes, by their ids, least recently used first. */
  private readonly _jobs = new Map<string, Promise<OpenedJob>>();
  /** Why jobs cannot be answered here: each reason has been reported once, and holds for all of a job's chunks. */
  private readonly _told = new WeakSet<object>();
  /** Jobs for which something is lacking here, as has been reported. */
  private readonly _lacks = new Set<string>();
  /** Reports about failed chunks that are under way. */
  private readonly _saying = new Set<Promise<unknown>>();
  /** The id by which coordinators recognise it. */
  readonly id: string = randomBytes(8).toString('hex');
  /** Number of threads without a chunk, and what waits for one. */
  private _free: number;
  private readonly _next: (() => void)[] = [];
  private _answered = 0;
  private _failed = 0;
  private _busy = 0;
  private _since = performance.now();
  private _clock: ReturnType<typeof setInterval> | undefined;
  private readonly _broken = new AbortController();

  constructor(
    connection: Connection,
    pool: BakePool,
    options: Pick<QueueWorkerOptions, 'hurry' | 'kinds' | 'formats'> & {
      readonly findMap: FindMap | undefined;
      readonly limit: number;
      readonly note: (text: string) => void;
    },
  ) {
    this._connection = connection;
    this._pool = pool;
    this._free = pool.threads;
    this._store = new ByteStore(connection.redis, options.findMap, options.note);
    this._limit = options.limit;
    this._kinds = options.kinds;
    this._formats = options.formats;
    this._note = options.note;
    this._hurry = options.hurry;
  }

  /** Aborted with the reason when its threads answer no more. */
  get broken(): AbortSignal {
    return this._broken.signal;
  }

  get report(): QueueWorkerReport {
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
      await this._say(job.id!, { size: answer.length, by: this.id }, packAnswer(answer));
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
    this._tellLack(id, error);
    if (error.code === 'kind' || error.code === 'format') {
      // If the threads do not know it, they will not know it for any chunk of the job.
      const unknown = Promise.reject(error);
      unknown.catch(() => {});
      this._jobs.set(id, unknown);
    }
    // As long as anybody waits, the job is kept in the store.
    if ((await this._connection.redis.exists(bytesKey(id))) === 0) return false;
    await job.moveToDelayed(Date.now() + GIVEN_BACK_MS, token);
    await this._say(key, endingOf(error, this.id));
    return true;
  }

  /** Reports that a chunk has failed. */
  fail(job: Job | undefined, { cause, message }: Error): void {
    if (job?.id === undefined) return;
    this._failed++;
    const error =
      cause ?? new BakeError('worker', /stalled/.test(message) ? 'the worker that had it has gone' : message);
    if (!this._told.has(error)) {
      const chunk = job.id.replace(/^([0-9a-f]{8})[0-9a-f]*-/, '$1-').slice(0, 40);
      this._note(`chunk ${chunk} failed: ${reasonOf(error)}`);
    }
    const saying = this._say(job.id.slice(0, MOST_KEY), endingOf(error)).catch(() => {});
    this._saying.add(saying);
    void saying.then(() => this._saying.delete(saying));
  }

  /** Resolves when everything has been reported. */
  async said(): Promise<void> {
    await Promise.all(this._saying);
  }

  private async _run(message: ChunkMessage, key: string, stop: AbortController): Promise<Uint8Array> {
    const { job, executor } = await this._jobOf(message.job);
    const chunk = await this._chunkOf(job, message, key);
    await this._begin();
    const tooLong = (): void => stop.abort(new BakeError('worker', `it took longer than ${this._limit} s`));
    const timer = setTimeout(tooLong, 1000 * this._limit);
    try {
      return await executor.run(chunk, stop.signal);
    } finally {
      clearTimeout(timer);
      this._free++;
      this._next.shift()?.();
    }
  }

  /** Resolves when there is a thread for a chunk: its time does not run while it waits for others. */
  private async _begin(): Promise<void> {
    while (this._free === 0) await new Promise<void>((resolve) => this._next.push(resolve));
    this._free--;
  }

  private _jobOf(id: string): Promise<OpenedJob> {
    const known = this._jobs.get(id);
    const job = known ?? this._open(id);
    // Now it is the most recently used one.
    this._jobs.delete(id);
    this._jobs.set(id, job);
    if (!known) job.catch((error: unknown) => this._failOpening(id, job, error));
    dropOldest(this._jobs);
    return job;
  }

  /** A job could not be opened. Where trying again would not help, that is remembered for its other chunks. */
  private _failOpening(id: string, job: Promise<OpenedJob>, error: unknown): void {
    const forget = (): void => {
      if (this._jobs.get(id) === job) this._jobs.delete(id);
    };
    if (isLacking(error)) {
      this._tellLack(id, error);
      // Somebody may put it there meanwhile; but a folder may be large.
      if (error.code === 'too-large') setTimeout(forget, LOOK_AGAIN_MS).unref();
    } else if (error instanceof Error && error.name === 'BspError') {
      this._noteRefusal(id, error);
    } else {
      // The reason may have been a lack of memory.
      forget();
    }
  }

  /** Says once of a job what is lacking here. */
  private _tellLack(id: string, error: BakeError): void {
    if (this._lacks.has(id)) this._told.add(error);
    else this._noteRefusal(id, error);
    this._lacks.delete(id);
    this._lacks.add(id);
    dropOldest(this._lacks);
  }

  private _noteRefusal(id: string, error: Error): void {
    this._told.add(error);
    this._note(`job ${id.slice(0, 8)} cannot be answered here: ${reasonOf(error)}`);
  }

  private async _open(id: string): Promise<OpenedJob> {
    const text = await readStored(this._connection.redis, bytesKey(id), MOST_JOB);
    if (!text) throw new BakeError('absent', `the queue's store does not have the job ${id}`);
    const job = readJob(text, id);
    const kind = kindOf(job.kind, this._kinds);
    const begin = (): void => this._note(`job ${id.slice(0, 8)}: ${job.kind}`);
    // It may still lack what it lacked before.
    if (!this._lacks.has(id)) begin();
    const load = (hash: string): Promise<Uint8Array> | Uint8Array =>
      hash === NO_BYTES ? new Uint8Array() : this._store.load(hash);
    const inputs = await eachInput(job.inputs, load);
    const map = await load(job.map);
    const files = await loadTiles(job.tiles ?? [], load);
    const tiles = job.tiles?.map(({ offset }, k) => ({ map: files[k]!, offset }));
    const [kinds, formats] = [this._kinds, this._formats];
    if (kind.needsWorld && (tiles || job.map !== NO_BYTES)) formatIdOf(files[0] ?? map, formats ?? FORMATS);
    // Its coordinator has checked it, and here this thread renews locks.
    const executor = await this._pool.open(job, { map, tiles, inputs, kinds, formats, checked: true });
    if (this._lacks.delete(id)) begin();
    return { job, executor };
  }

  private async _chunkOf(job: BakeJob, message: ChunkMessage, key: string): Promise<BakeChunk> {
    const { index, first, count, input: hash } = message;
    if (hash === undefined) {
      const chunk = cutChunk(job, index);
      if (chunk.first !== first || chunk.count !== count)
        throw new BakeError('job', `chunk ${index} is not cut as the job says`);
      return chunk;
    }
    const input = await readStored(this._connection.redis, inputKey(key), MOST_CHUNK);
    if (!input) throw new BakeError('absent', `the queue's store does not have what chunk ${index} carries`);
    if (hashOf(input) !== hash)
      throw new BakeError('hash', `what chunk ${index} carries differs from its hash`);
    return { index, first, count, input };
  }

  /** Puts an answer into the store, and reports how a chunk has ended. */
  private async _say(key: string, ending: Ending, answer?: Buffer): Promise<void> {
    const { redis } = this._connection;
    const said = redis.multi();
    if (answer) said.set(answerKey(key), answer, 'EX', CHUNK_SECONDS);
    said.xadd(ANSWERS, 'MAXLEN', '~', STREAM_ENTRIES, '*', ...entryOf(key, ending));
    said.expire(ANSWERS, CHUNK_SECONDS);
    const results = await said.exec().catch((error: Error & { readonly previousErrors?: Error[] }) => {
      // The transaction failed because of the first command that was refused.
      throw error.previousErrors?.[0] ?? error;
    });
    for (const [error] of results ?? []) if (error) throw error;
  }
}

/** Milliseconds after which bytes are looked for again that the queue cannot have. */
const LOOK_AGAIN_MS = 5000;

/** The most milliseconds for which a chunk is left to others: its coordinator offers it again sooner. */
const GIVEN_BACK_MS = 5000;

/** Milliseconds after which a queue without chunks counts as empty. */
const IDLE_MS = 500;
/** The most characters of a chunk's key that are repeated: no real key is longer. */
const MOST_KEY = 200;
