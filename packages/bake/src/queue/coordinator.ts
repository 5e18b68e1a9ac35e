import { checkCallback, checkList, checkOptions, checkWhole, reasonOf } from '@bspkit/core/format';
import { checkSignal, type OwnSignal, onAbort, type StopSignal, unlessAborted } from '@bspkit/workers';
import type { Redis } from 'ioredis';
import { checkChunk } from '../check.ts';
import { BakeError } from '../error.ts';
import type { BakeExecutor } from '../executor.ts';
import { type BakeChunk, type BakeJob, jobText, ownJob } from '../job.ts';
import type { BakeSource } from '../kind.ts';
import { tryJob } from '../try.ts';
import { capacityOf } from './capacity.ts';
import { type Connection, connectQueue, noteOf, withoutCommand } from './connection.ts';
import { QueueError } from './error.ts';
import { JobBytes } from './job-bytes.ts';
import { Crew } from './presence.ts';
import {
  ANSWERS,
  type ChunkMessage,
  type Ending,
  errorOf,
  hashOf,
  keyOf,
  MOST_CHUNK,
  MOST_JOB,
  messageOf,
  readEntry,
  unpackAnswer,
} from './protocol.ts';
import { QueuedChunks } from './queued-chunks.ts';
import { Waiting, WaitingChunks } from './waiting.ts';

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
  /**
   * Called with what somebody who waits should know, in words: workers or the queue have gone, or are back. What it throws is
   * ignored.
   */
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
/** Milliseconds that a read of the stream waits. */
const BLOCK_MS = 2000;
/** Entries that are read at once. */
const ENTRIES = 256;

/**
 * Connects to a queue and puts a job's bytes there. Everything it does can safely be repeated: a chunk has the same key whoever
 * asks for it, so one that waits already is not added again, and an answer that is there already is taken.
 *
 * @throws (rejects with) QueueError when there is no queue that can be used; RangeError or TypeError naming an option; what
 *   `openJob` throws for a job that nobody can answer; what `load` throws.
 */
export async function createQueueExecutor(options: QueueExecutorOptions): Promise<QueueExecutor> {
  checkOptions(options, OPTIONS);
  const { url, load, kinds, formats, patience = PATIENCE } = options;
  checkCallback(load, 'load');
  checkWhole(patience, 'patience', 1, 86_400);
  const note = noteOf(options.note);
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
  private readonly _chunks: QueuedChunks;
  private readonly _id: string;
  private readonly _stored: JobBytes;
  private readonly _note: (text: string) => void;
  private readonly _waiting = new WaitingChunks();
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
    this._chunks = new QueuedChunks(connection.redis, (key) => this._waiting.has(key));
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
        if (--waiting.askers === 0) this._drop(waiting);
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
    const waiting = new Waiting(key, chunk, message);
    this._waiting.begin(waiting);
    void this._hand(waiting);
    return waiting;
  }

  /** Takes back a chunk that nobody waits for any more, unless somebody asks for it again. */
  private _drop(waiting: Waiting): void {
    if (!this._waiting.end(waiting)) return;
    const { key } = waiting;
    const leaving = Promise.resolve(waiting.handed)
      .then(() => (this._waiting.has(key) ? undefined : this._chunks.takeBack([key])))
      .catch(() => {});
    this._leaving.add(leaving);
    void leaving.then(() => this._leaving.delete(leaving));
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
      const handed = Promise.all(all.map(({ handed }) => handed));
      const takenBack = handed.then(() => this._chunks.takeBack(all.map(({ key }) => key)));
      const left = Promise.all([takenBack, ...this._leaving]);
      await unlessAborted(Promise.race([left, this._connection.gone()]), this.lost).catch(() => {});
    }
    this._connection.close();
  }

  /** Ends the wait for all chunks with an error. Returns what was waited for. */
  private _endAll(error: BakeError): Waiting[] {
    const all = this._waiting.endAll();
    for (const { reject } of all) reject(error);
    return all;
  }

  /**
   * Puts a chunk into the queue, unless its answer is there already, or nobody waits for it any more. If the queue refuses it, the
   * attempt fails.
   */
  private _hand(waiting: Waiting): Promise<void> {
    waiting.handed = this._put(waiting).catch((error: unknown) => this._fail(waiting, error));
    return waiting.handed;
  }

  private async _put(waiting: Waiting): Promise<void> {
    const { key, chunk, message } = waiting;
    if (await this._chunks.isAnswered(key)) return this._take(waiting, undefined);
    if (this._waiting.goesOn(waiting)) await this._chunks.put(key, chunk, message);
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
          if (waiting) void this._hear(waiting, entry.ending);
        }
      } catch (error) {
        if (this._isClosed) return;
        // Broken connections come back by themselves; after anything else, wait before asking again.
        this._note(`${this._connection.shown}: ${withoutCommand(error as Error).message}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    }
  }

  private async _hear(waiting: Waiting, ending: Ending | undefined): Promise<void> {
    const { index } = waiting.chunk;
    if (ending && 'size' in ending) {
      this._crew.lacksNothing(ending.by);
      return this._take(waiting, ending);
    }
    if (!ending) {
      const problem = `a worker said something of chunk ${index} that cannot be understood`;
      return this._fail(waiting, new BakeError('worker', problem, { chunk: index }));
    }
    if (ending.by !== undefined) {
      // Others may have it: counting the workers shows whether there are any.
      this._crew.lacks(ending.by, errorOf(ending, undefined));
      const offer = (): void => {
        if (this._waiting.goesOn(waiting)) this._chunks.offer(waiting.key).catch(() => {});
      };
      const wait = Math.min(OFFER_MS * ++waiting.givenBack, MOST_OFFER_MS);
      setTimeout(offer, wait).unref();
      return;
    }
    const error = errorOf(ending, index);
    // The store was emptied, or what it held has expired.
    if (error instanceof BakeError && error.code === 'absent') await this._stored.put().catch(() => {});
    this._fail(waiting, error);
  }

  /** Takes an answer from the store. */
  private async _take(
    waiting: Waiting,
    ending: Extract<Ending, { size: number }> | undefined,
  ): Promise<void> {
    waiting.seen = performance.now();
    const { key, chunk } = waiting;
    try {
      const whole = await this._chunks.answer(key);
      if (!this._waiting.goesOn(waiting)) return;
      // Another coordinator of the same job has taken it.
      if (whole.length === 0) return await this._hand(waiting);
      const answer = unpackAnswer(whole);
      await this._chunks.forget([key]);
      if (!answer || (ending && ending.size !== answer.length)) {
        const problem = `the answer of chunk ${chunk.index} is damaged`;
        return this._fail(waiting, new BakeError('worker', problem, { chunk: chunk.index }));
      }
      this._bytes += answer.length + (chunk.input?.length ?? 0);
      this._through++;
      if (this._waiting.end(waiting)) waiting.resolve(answer);
    } catch (error) {
      this._fail(waiting, error);
    }
  }

  /** Ends the wait for a chunk with an error, unless it has ended already. */
  private _fail(waiting: Waiting, error: unknown): void {
    if (this._waiting.end(waiting)) waiting.reject(refusal(error, this._connection.shown));
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
    const quiet = this._waiting.list().filter(({ seen }) => isBack || now - seen > QUIET_MS);
    await Promise.all(quiet.map((waiting) => this._lookFor(waiting)));
    const lack = await this._crew.count();
    if (lack) await this._giveUp(lack);
  }

  /** Takes all chunks back, and ends the wait for them: whoever ends at once then leaves nothing behind. */
  private async _giveUp(error: Error): Promise<void> {
    const all = this._waiting.endAll();
    const handed = Promise.all(all.map(({ handed }) => handed));
    const takenBack = handed.then(() => this._chunks.takeBackAll(all.map(({ key }) => key)));
    await unlessAborted(takenBack, this.lost).catch(() => {});
    for (const { reject } of all) reject(error);
  }

  /** Hands a chunk out again if the queue does not know it: the store was emptied, or a message was missed. */
  private async _lookFor(waiting: Waiting): Promise<void> {
    waiting.seen = performance.now();
    const { isThere, isAnswered } = await this._chunks.find(waiting.key);
    if (!this._waiting.goesOn(waiting)) return;
    if (isAnswered) await this._take(waiting, undefined);
    else if (!isThere) await this._handAgain(waiting);
  }

  /** Puts the job's bytes and a chunk into the queue again. If the queue refuses them, the attempt fails. */
  private async _handAgain(waiting: Waiting): Promise<void> {
    try {
      await this._stored.put();
      await this._hand(waiting);
    } catch (error) {
      this._fail(waiting, error);
    }
  }
}

const closedError = (): BakeError => new BakeError('closed', 'the connection to the queue has been closed');

/** The error of chunks that are waiting when the queue is lost. */
const lostError = ({ reason }: OwnSignal): BakeError =>
  new BakeError('closed', reasonOf(reason), { cause: reason });

/** What the queue said to a command, for people; any other error as it is. */
function refusal(error: unknown, shown: string): unknown {
  if (!(error instanceof Error)) return error;
  const cause = withoutCommand(error);
  if (cause.name !== 'ReplyError') return cause;
  return new QueueError('refused', `${shown} refuses: ${cause.message}`, { cause });
}
