import { checkCallback, checkList, checkOptions, checkWhole, reasonOf } from '@bspkit/core/format';
import { checkSignal, type OwnSignal, onAbort, type StopSignal, unlessAborted } from '@bspkit/workers';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { checkChunk } from '../check.ts';
import { BakeError } from '../error.ts';
import type { BakeExecutor } from '../executor.ts';
import { type BakeChunk, type BakeJob, jobText, ownJob } from '../job.ts';
import type { BakeSource } from '../kind.ts';
import { tryJob } from '../try.ts';
import { capacityOf } from './capacity.ts';
import { type Connection, connectQueue } from './connection.ts';
import { QueueError } from './error.ts';
import { asBuffer, JobBytes } from './job-bytes.ts';
import { Crew } from './presence.ts';
import {
  ANSWERS,
  answerKey,
  CHUNK,
  CHUNK_SECONDS,
  type ChunkMessage,
  type Ending,
  errorOf,
  hashOf,
  inputKey,
  keyOf,
  MOST_ANSWER,
  MOST_CHUNK,
  MOST_JOB,
  messageOf,
  PREFIX,
  QUEUE,
  readEntry,
  unpackAnswer,
} from './protocol.ts';

/** How to hand chunks to a queue. */
export interface QueueExecutorOptions {
  /** Address of the queue: `redis://user:password@host:port/database`, `rediss://` for TLS. */
  readonly url: string;
  /** The job whose chunks are handed out. */
  readonly job: BakeJob;
  /** Returns the bytes that the job names. They are put into the queue's store for the workers. */
  readonly load: BakeSource['load'];
  /** Kinds that are known; `BAKE_KINDS` by default. Whether jobs of others can be answered is left to the workers. */
  readonly kinds?: BakeSource['kinds'];
  /** Formats whose maps can be opened; all that bspkit has by default. Those of others are left to the workers. */
  readonly formats?: BakeSource['formats'];
  /** How many seconds to wait for a queue that has gone: 60 by default. */
  readonly patience?: number | undefined;
  /** Called with what somebody who waits should know, in words: workers or the queue have gone, or are back. */
  readonly note?: ((text: string) => void) | undefined;
}

/** Hands chunks to `runQueueWorker` on any number of machines. */
export interface QueueExecutor extends BakeExecutor {
  readonly job: BakeJob;
  /**
   * Aborts with a `QueueError` when the queue has been gone for longer than `patience`. Then no chunk is answered any more: `run`
   * rejects with BakeError (`closed`).
   */
  readonly lost: OwnSignal;
  /** Takes back what nobody has begun, and closes the connection. What is in the queue's store expires. */
  close(): Promise<void>;
}

const OPTIONS: readonly string[] = [
  'url',
  'job',
  'load',
  'kinds',
  'formats',
  'patience',
  'note',
] satisfies (keyof QueueExecutorOptions)[];

/** How many seconds to wait for a queue that has gone, by default. */
export const PATIENCE = 60;

/** Milliseconds between two checks of the workers and of chunks without news. */
const LOOK_MS = 2000;
/** Milliseconds without news after which a chunk is looked for. */
const QUIET_MS = 10_000;
/** Milliseconds after which a chunk is offered again, times how often it has been given back, up to the limit. */
const OFFER_MS = 25;
const MOST_OFFER_MS = 200;
/** Milliseconds that workers have to give back what they cannot answer, once nobody waits for it. */
const GIVE_BACK_MS = 2000;
/** Milliseconds that a read of the stream waits. */
const BLOCK_MS = 2000;
/** Entries that are read at once. */
const ENTRIES = 256;

/** A chunk that is in the queue. */
interface Waiting {
  readonly chunk: BakeChunk;
  readonly message: ChunkMessage;
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  /** Its result, and how many wait for that: the same chunk may be asked for meanwhile. */
  readonly answer: Promise<Uint8Array>;
  askers: number;
  /** Resolves when it is in the queue. */
  handed?: Promise<void>;
  /** When it was last handed out or looked for. */
  seen: number;
  /** How often it has been given back by workers that lack something that it needs. */
  givenBack: number;
}

/**
 * Connects to a queue and puts a job's bytes there. Everything it does can safely be repeated: a chunk has the same key whoever
 * asks for it, so one that waits already is not added again, and an answer that is there already is taken.
 *
 * @throws (rejects with) QueueError when there is no queue that can be used; RangeError or TypeError naming an option; what
 *   `openJob` throws for a job that nobody can answer; what `load` throws.
 */
export async function createQueueExecutor(options: QueueExecutorOptions): Promise<QueueExecutor> {
  checkOptions(options, OPTIONS);
  const { url, load, kinds, formats, patience = PATIENCE, note = () => {} } = options;
  checkCallback(load, 'load');
  checkWhole(patience, 'patience', 1, 86_400);
  checkCallback(note, 'note');
  if (kinds !== undefined) checkList(kinds, 'kinds');
  if (formats !== undefined) checkList(formats, 'formats');
  const job = ownJob(options.job);
  const text = Buffer.from(jobText(job));
  if (text.length > MOST_JOB) {
    const problem = `a queue takes jobs of at most ${MOST_JOB} bytes as text, and this one has ${text.length}`;
    throw new BakeError('job', `${problem}: what is large belongs in inputs, not in parameters`);
  }
  const connection = await connectQueue(url, { patience, note });
  let executor: Coordinator | undefined;
  try {
    await tryJob(job, { load, kinds, formats });
    executor = new Coordinator(connection, job, text, load, note);
    // Commands wait for a queue that has gone: if it went while the job was opened, until it is given up.
    await unlessAborted(executor.start(), connection.lost);
    connection.lost.throwIfAborted();
    return executor;
  } catch (error) {
    await executor?.close();
    connection.close();
    throw error;
  }
}

class Coordinator implements QueueExecutor {
  readonly job: BakeJob;
  readonly lost: OwnSignal;
  private readonly _connection: Connection;
  private readonly _redis: Redis;
  private readonly _reader: Redis;
  private readonly _queue: Queue;
  private readonly _id: string;
  private readonly _stored: JobBytes;
  private readonly _note: (text: string) => void;
  private readonly _waiting = new Map<string, Waiting>();
  /** Chunks that are being taken back because nobody waits for them any more. */
  private readonly _leaving = new Set<Promise<unknown>>();
  private readonly _crew: Crew;
  /** Bytes of inputs and answers so far, and the number of their chunks, to estimate those of others. */
  private _bytes = 0;
  private _through = 0;
  private _timer: NodeJS.Timeout | undefined;
  private readonly _leaveLost: () => void;
  private _closing: Promise<void> | undefined;

  constructor(
    connection: Connection,
    job: BakeJob,
    text: Buffer,
    load: BakeSource['load'],
    note: (text: string) => void,
  ) {
    this._connection = connection;
    this._redis = connection.redis;
    this._reader = connection.another();
    this.lost = connection.lost;
    this._queue = new Queue(QUEUE, { connection: this._redis, prefix: PREFIX, skipVersionCheck: true });
    this._queue.on('error', () => {});
    this._id = hashOf(text);
    this.job = job;
    this._stored = new JobBytes(connection.redis, job, text, load, note);
    this._note = note;
    this._crew = new Crew(connection.redis, connection.shown, note);
    // Commands would wait for the queue for ever.
    this._leaveLost = onAbort(connection.lost, () => this._endAll(lostError(connection.lost)));
  }

  get capacity(): number {
    return capacityOf(this._crew.threads, this._through === 0 ? 0 : this._bytes / this._through);
  }

  async start(): Promise<void> {
    try {
      await this._stored.put();
      // Anything reported before is found when its chunk is handed out.
      const [newest] = await this._redis.xrevrange(ANSWERS, '+', '-', 'COUNT', 1);
      void this._read(newest?.[0] ?? '0-0');
      // Whatever was lost while the queue was gone is looked for at once.
      this._redis.on('ready', () => void this._look(true).catch(() => {}));
      await this._look();
    } catch (error) {
      throw refusal(error, this._connection.shown);
    }
    this._lookLater();
  }

  /** Looks again and again, until it is closed. One at a time: while the queue is away, they would wait for it together. */
  private _lookLater(): void {
    if (this._isClosed) return;
    const again = (): void => this._lookLater();
    this._timer = setTimeout(() => void this._look().then(again, again), LOOK_MS);
  }

  async run(chunk: BakeChunk, signal?: StopSignal): Promise<Uint8Array> {
    checkChunk(chunk);
    checkSignal(signal);
    if (this._isClosed) throw closedError();
    if (this.lost.aborted) throw lostError(this.lost);
    if (signal?.aborted) throw signal.reason;
    const { input } = chunk;
    if (input && input.length > MOST_CHUNK) {
      const problem = `chunk ${chunk.index} carries ${input.length} bytes; a queue takes ${MOST_CHUNK} at most`;
      throw new RangeError(problem);
    }
    const message = messageOf(this._id, chunk);
    const key = keyOf(message);
    const known = this._waiting.get(key);
    const waiting = known ?? this._begin(key, chunk, message);
    waiting.askers++;
    let leave!: () => void;
    const stopped = new Promise<never>((_, reject) => {
      leave = onAbort(signal, () => {
        reject(signal?.reason);
        if (--waiting.askers === 0) this._drop(key, waiting);
      });
    });
    try {
      const answer = await Promise.race([waiting.answer, stopped]);
      return known ? new Uint8Array(answer) : answer;
    } finally {
      leave();
    }
  }

  private _begin(key: string, chunk: BakeChunk, message: ChunkMessage): Waiting {
    let settle!: Pick<Waiting, 'resolve' | 'reject'>;
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // The callers may have gone.
    answer.catch(() => {});
    const waiting: Waiting = {
      ...settle,
      chunk,
      message,
      answer,
      askers: 0,
      seen: performance.now(),
      givenBack: 0,
    };
    this._waiting.set(key, waiting);
    void this._hand(key, waiting);
    return waiting;
  }

  /** Takes back a chunk that nobody waits for any more, unless somebody asks for it again. */
  private _drop(key: string, waiting: Waiting): void {
    this._end(key, waiting, () => {
      const leaving = Promise.resolve(waiting.handed)
        .then(() => (this._waiting.has(key) ? undefined : this._takeBack([key])))
        .catch(() => {});
      this._leaving.add(leaving);
      void leaving.then(() => this._leaving.delete(leaving));
    });
  }

  close(): Promise<void> {
    this._closing ??= this._close();
    return this._closing;
  }

  private get _isClosed(): boolean {
    return this._closing !== undefined;
  }

  private async _close(): Promise<void> {
    clearTimeout(this._timer);
    this._leaveLost();
    const all = this._endAll(closedError());
    this._reader.disconnect();
    if (!this.lost.aborted) {
      // Those on their way have to arrive first. What a worker is working on stays; its answer expires.
      const handed = Promise.all(all.map(([, waiting]) => waiting.handed));
      const takenBack = handed.then(() => this._takeBack(all.map(([key]) => key)));
      const left = Promise.all([takenBack, ...this._leaving]);
      await unlessAborted(Promise.race([left, this._connection.gone()]), this.lost).catch(() => {});
    }
    this._connection.close();
  }

  /** Ends the wait for all chunks with an error. Returns what was waited for. */
  private _endAll(error: BakeError): [string, Waiting][] {
    const all = [...this._waiting];
    this._waiting.clear();
    for (const [, { reject }] of all) reject(error);
    return all;
  }

  /** Removes chunks that nobody has begun, and what belongs to them. */
  private async _takeBack(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => this._queue.remove(key).catch(() => {})));
    // Somebody may have asked for one again in the meantime.
    await this._remove(keys.filter((key) => !this._waiting.has(key)));
  }

  /** Removes chunks that no worker can answer, also those that one has just taken and is about to give back. */
  private async _takeBackAll(keys: readonly string[]): Promise<void> {
    const last = performance.now() + GIVE_BACK_MS;
    for (let left = keys; left.length > 0; ) {
      await this._takeBack(left);
      const found = await Promise.all(left.map((key) => this._redis.exists(this._queue.toKey(key))));
      left = left.filter((key, k) => found[k] === 1 && !this._waiting.has(key));
      if (performance.now() > last) return;
      if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, OFFER_MS));
    }
  }

  private async _remove(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this._redis.unlink(...keys.flatMap((key) => [inputKey(key), answerKey(key)]));
  }

  /**
   * Puts a chunk into the queue, unless its answer is there already, or nobody waits for it any more. If the queue refuses it, the
   * attempt fails.
   */
  private _hand(key: string, waiting: Waiting): Promise<void> {
    waiting.handed = this._put(key, waiting).catch((error: unknown) => this._fail(key, waiting, error));
    return waiting.handed;
  }

  private async _put(key: string, waiting: Waiting): Promise<void> {
    const { chunk, message } = waiting;
    if (await this._redis.exists(answerKey(key))) return this._take(key, waiting, undefined);
    if (this._waiting.get(key) !== waiting) return;
    const input = chunk.input && asBuffer(chunk.input);
    const stored = input && this._redis.set(inputKey(key), input, 'EX', CHUNK_SECONDS);
    // The scheduler decides how often a chunk is tried: here each attempt ends the job, one way or the other.
    const options = {
      jobId: key,
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
      stackTraceLimit: 0,
    };
    await Promise.all([stored, this._queue.add(CHUNK, message, options)]);
  }

  /** Reads what is reported about chunks, until the end. */
  private async _read(last: string): Promise<void> {
    while (!this._isClosed) {
      try {
        const read = await this._reader.xread('COUNT', ENTRIES, 'BLOCK', BLOCK_MS, 'STREAMS', ANSWERS, last);
        for (const [id, fields] of read?.[0]?.[1] ?? []) {
          last = id;
          const entry = readEntry(fields);
          const waiting = entry && this._waiting.get(entry.key);
          if (waiting) void this._hear(entry.key, waiting, entry.ending);
        }
      } catch (error) {
        if (this._isClosed) return;
        // Broken connections come back by themselves; after anything else, wait before asking again.
        this._note(`${this._connection.shown}: ${(error as Error).message}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    }
  }

  private async _hear(key: string, waiting: Waiting, ending: Ending | undefined): Promise<void> {
    const { index } = waiting.chunk;
    if (ending && 'size' in ending) {
      this._crew.lacksNothing(ending.by);
      return this._take(key, waiting, ending);
    }
    if (!ending) {
      const problem = `a worker said something of chunk ${index} that cannot be understood`;
      return this._fail(key, waiting, new BakeError('worker', problem, { chunk: index }));
    }
    if (ending.by !== undefined) {
      // Others may have it: counting the workers shows whether there are any.
      this._crew.lacks(ending.by, errorOf(ending, undefined));
      const wait = Math.min(OFFER_MS * ++waiting.givenBack, MOST_OFFER_MS);
      setTimeout(() => void this._offer(key, waiting).catch(() => {}), wait).unref();
      return;
    }
    const error = errorOf(ending, index);
    // The store was emptied, or what it held has expired.
    if (error instanceof BakeError && error.code === 'absent') await this._stored.put().catch(() => {});
    this._fail(key, waiting, error);
  }

  /** Offers a chunk again that was given back, before its delay is over: whoever has waited longest takes it. */
  private async _offer(key: string, waiting: Waiting): Promise<void> {
    if (this._waiting.get(key) !== waiting) return;
    await (await this._queue.getJob(key))?.promote();
  }

  /** Takes an answer from the store. */
  private async _take(
    key: string,
    waiting: Waiting,
    ending: Extract<Ending, { size: number }> | undefined,
  ): Promise<void> {
    waiting.seen = performance.now();
    const { chunk } = waiting;
    try {
      // No more than is allowed, however much there is.
      const whole = await this._redis.getrangeBuffer(answerKey(key), 0, MOST_ANSWER);
      if (this._waiting.get(key) !== waiting) return;
      // Another coordinator of the same job has taken it.
      if (whole.length === 0) return await this._hand(key, waiting);
      const answer = unpackAnswer(whole);
      await this._remove([key]);
      if (!answer || (ending && ending.size !== answer.length)) {
        const problem = `the answer of chunk ${chunk.index} is damaged`;
        return this._fail(key, waiting, new BakeError('worker', problem, { chunk: chunk.index }));
      }
      this._bytes += answer.length + (chunk.input?.length ?? 0);
      this._through++;
      this._end(key, waiting, () => waiting.resolve(answer));
    } catch (error) {
      this._fail(key, waiting, error);
    }
  }

  /** Ends the wait for a chunk with an error, unless it has ended already. */
  private _fail(key: string, waiting: Waiting, error: unknown): void {
    this._end(key, waiting, () => waiting.reject(refusal(error, this._connection.shown)));
  }

  /** Ends the wait for a chunk, unless it has ended already. */
  private _end(key: string, waiting: Waiting, settle: () => void): void {
    if (this._waiting.get(key) !== waiting) return;
    this._waiting.delete(key);
    settle();
  }

  /**
   * Keeps bytes from expiring, looks for chunks without news, and counts the workers: if all of them have given some back, since
   * they lack something that these need, nobody needs to wait.
   *
   * @param isBack - whether the queue has just come back: then all chunks are looked for.
   */
  private async _look(isBack = false): Promise<void> {
    const now = performance.now();
    await this._stored.keep();
    const quiet = [...this._waiting].filter(([, { seen }]) => isBack || now - seen > QUIET_MS);
    await Promise.all(quiet.map(([key, waiting]) => this._lookFor(key, waiting)));
    const lack = await this._crew.count();
    if (lack) await this._giveUp(lack);
  }

  /** Takes all chunks back, and ends the wait for them: whoever ends at once then leaves nothing behind. */
  private async _giveUp(error: Error): Promise<void> {
    const all = [...this._waiting];
    this._waiting.clear();
    const handed = Promise.all(all.map(([, waiting]) => waiting.handed));
    const takenBack = handed.then(() => this._takeBackAll(all.map(([key]) => key)));
    await unlessAborted(takenBack, this.lost).catch(() => {});
    for (const [, waiting] of all) waiting.reject(error);
  }

  /** Hands a chunk out again if the queue does not know it: the store was emptied, or a message was missed. */
  private async _lookFor(key: string, waiting: Waiting): Promise<void> {
    waiting.seen = performance.now();
    // Not as a transaction, which a full Redis refuses. An answer is stored before its job is removed, so they are looked for in
    // the opposite order.
    const found = await this._redis.pipeline().exists(this._queue.toKey(key)).exists(answerKey(key)).exec();
    const [isThere, isAnswered] = found!.map(([, count]) => count === 1);
    if (this._waiting.get(key) !== waiting) return;
    if (isAnswered) await this._take(key, waiting, undefined);
    else if (!isThere) await this._handAgain(key, waiting);
  }

  /** Puts the job's bytes and a chunk into the queue again. If the queue refuses them, the attempt fails. */
  private async _handAgain(key: string, waiting: Waiting): Promise<void> {
    try {
      await this._stored.put();
      await this._hand(key, waiting);
    } catch (error) {
      this._fail(key, waiting, error);
    }
  }
}

const closedError = (): BakeError => new BakeError('closed', 'the connection to the queue has been closed');

/** The error of chunks that are waiting when the queue is lost. */
const lostError = ({ reason }: OwnSignal): BakeError =>
  new BakeError('closed', reasonOf(reason), { cause: reason });

/** What the queue said to a command, for people; any other error as it is. */
function refusal(error: unknown, shown: string): unknown {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return error;
  return new QueueError('refused', `${shown} refuses: ${error.message}`, { cause: error });
}
