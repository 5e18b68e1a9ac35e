import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { BakeChunk } from '../job.ts';
import { asBuffer } from './job-bytes.ts';
import {
  answerKey,
  CHUNK,
  CHUNK_SECONDS,
  type ChunkMessage,
  inputKey,
  MOST_ANSWER,
  PREFIX,
  QUEUE,
} from './protocol.ts';

/** Milliseconds that workers have to give back what they cannot answer, once nobody waits for it. */
const GIVE_BACK_MS = 2000;
/** Milliseconds between two attempts to take it back. */
const TAKE_BACK_MS = 25;

/** A coordinator's chunks in the queue, by their keys, and what belongs to them in its store: inputs and answers. */
export class QueuedChunks {
  private readonly _redis: Redis;
  private readonly _queue: Queue;
  private readonly _isWanted: (key: string) => boolean;

  /** @param isWanted - whether somebody waits for a chunk: perhaps again, since it began to be taken back. */
  constructor(redis: Redis, isWanted: (key: string) => boolean) {
    this._redis = redis;
    this._queue = new Queue(QUEUE, { connection: redis, prefix: PREFIX, skipVersionCheck: true });
    this._queue.on('error', () => {});
    this._isWanted = isWanted;
  }

  async put(key: string, chunk: BakeChunk, message: ChunkMessage): Promise<void> {
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

  async isAnswered(key: string): Promise<boolean> {
    return (await this._redis.exists(answerKey(key))) === 1;
  }

  /** Looks whether a chunk is in the queue, and whether it has been answered. */
  async find(key: string): Promise<{ readonly isThere: boolean; readonly isAnswered: boolean }> {
    // Not as a transaction, which a full Redis refuses. An answer is stored before its job is removed, so they are looked for in
    // the opposite order.
    const found = await this._redis.pipeline().exists(this._queue.toKey(key)).exists(answerKey(key)).exec();
    const [isThere, isAnswered] = found!.map(([, count]) => count === 1);
    return { isThere: isThere!, isAnswered: isAnswered! };
  }

  /** A chunk's answer, packed; empty if there is none. */
  async answer(key: string): Promise<Buffer> {
    // No more than is allowed, however much there is.
    return this._redis.getrangeBuffer(answerKey(key), 0, MOST_ANSWER);
  }

  /** Offers a chunk again that was given back, before its delay is over: whoever has waited longest takes it. */
  async offer(key: string): Promise<void> {
    await (await this._queue.getJob(key))?.promote();
  }

  /** Removes chunks that nobody has begun, and what belongs to them. */
  async takeBack(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => this._queue.remove(key).catch(() => {})));
    await this.forget(keys.filter((key) => !this._isWanted(key)));
  }

  /** Removes chunks that no worker can answer, also those that one has just taken and is about to give back. */
  async takeBackAll(keys: readonly string[]): Promise<void> {
    const last = performance.now() + GIVE_BACK_MS;
    for (let left = keys; left.length > 0; ) {
      await this.takeBack(left);
      const found = await Promise.all(left.map((key) => this._redis.exists(this._queue.toKey(key))));
      left = left.filter((key, k) => found[k] === 1 && !this._isWanted(key));
      if (performance.now() > last) return;
      if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, TAKE_BACK_MS));
    }
  }

  /** Removes what belongs to chunks that are not in the queue any more. */
  async forget(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this._redis.unlink(...keys.flatMap((key) => [inputKey(key), answerKey(key)]));
  }
}
