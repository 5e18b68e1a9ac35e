import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { BakeError } from '../error.ts';
import { QueueError } from './error.ts';
import type { FindMap } from './own-maps.ts';
import { BYTES_SECONDS, bytesKey, hashOf, MOST_BYTES, tooLargeKey } from './protocol.ts';

/** The most bytes that a worker keeps in memory. */
const MOST_KEPT = 1024 * (1 << 20);
/**
 * The most bytes that are read or written at once: locks, leases and questions whether the queue is there wait behind them in the
 * same connection, and the store holds as many for each worker that reads.
 */
const PART = 1 << 20;
/** How often bytes are written anew because the store has forgotten some of them meanwhile. */
const RETRIES = 3;

/** Bytes by their hash, for a worker: fetched once, from a folder or URL of maps or from the queue's store. */
export class ByteStore {
  private readonly _redis: Redis;
  private readonly _maps: FindMap | undefined;
  /** Least recently used first. */
  private readonly _kept = new Map<string, Promise<Uint8Array>>();
  private readonly _sizes = new Map<string, number>();
  private readonly _note: (text: string) => void;
  private _size = 0;

  /**
   * @param maps - finds maps elsewhere first.
   * @param note - called when that does not have a map that the queue's store has.
   */
  constructor(redis: Redis, maps: FindMap | undefined, note: (text: string) => void) {
    this._redis = redis;
    this._note = note;
    this._maps = maps;
  }

  /**
   * The bytes with a hash. Rejects with `BakeError`: `absent` when they are nowhere, `too-large` when the queue's store cannot have
   * them, `hash` when others are there.
   */
  load(hash: string): Promise<Uint8Array> {
    const known = this._kept.get(hash);
    if (known) {
      this._kept.delete(hash);
      this._kept.set(hash, known);
      return known;
    }
    const loading = this._find(hash);
    this._kept.set(hash, loading);
    loading.then(
      ({ length }) => {
        // Bytes that were dropped while they were being fetched no longer count.
        if (this._kept.get(hash) !== loading) return;
        this._sizes.set(hash, length);
        this._size += length;
        this._drop();
      },
      () => this._kept.delete(hash),
    );
    return loading;
  }

  private async _find(hash: string): Promise<Uint8Array> {
    const own = await this._own(hash);
    if (own && !(own instanceof BakeError)) return own;
    const stored = await readStored(this._redis, bytesKey(hash), MOST_BYTES);
    if (!stored && (await this._redis.exists(tooLargeKey(hash))) === 1) throw tooLarge(hash, own);
    if (own) {
      if (!stored || hashOf(stored) !== hash) throw own;
      this._note(`${own.message}; took what the queue's store has`);
      return stored;
    }
    if (!stored) throw new BakeError('absent', `the queue's store does not have the bytes ${hash}`);
    if (hashOf(stored) !== hash)
      throw new BakeError('hash', `what the queue's store has for ${hash} differs from its hash`);
    return stored;
  }

  /** What the folder or URL has; `undefined` if it has nothing with this hash, an error if it cannot be read at all. */
  private async _own(hash: string): Promise<Uint8Array | BakeError | undefined> {
    try {
      return await this._maps?.(hash);
    } catch (error) {
      if (error instanceof BakeError) return error;
      throw error;
    }
  }

  /** Drops what has not been used for longest while there is too much. */
  private _drop(): void {
    for (const hash of this._kept.keys()) {
      if (this._size <= MOST_KEPT) return;
      this._size -= this._sizes.get(hash) ?? 0;
      this._sizes.delete(hash);
      this._kept.delete(hash);
    }
  }
}

/**
 * The error for bytes that only a worker's own maps could have.
 *
 * @param own - why these cannot be read, if they cannot.
 */
function tooLarge(hash: string, own: BakeError | undefined): BakeError {
  const most = `a queue stores at most ${MOST_BYTES / 2 ** 20} MB`;
  const problem = `${most}, and a worker does not have the bytes ${hash} among its own maps`;
  return new BakeError('too-large', own ? `${problem}: ${own.message}` : problem, { cause: own });
}

/** The bytes of a key, `undefined` if there are none. No more than `most` are read, part by part; more are an error. */
export async function readStored(redis: Redis, key: string, most: number): Promise<Buffer | undefined> {
  let first = await redis.getrangeBuffer(key, 0, PART - 1);
  if (first.length === 0) {
    if ((await redis.exists(key)) !== 1) return undefined;
    // They are none, or have come only now.
    first = await redis.getrangeBuffer(key, 0, PART - 1);
  }
  const length = first.length < PART ? first.length : await redis.strlen(key);
  if (length > most) throw new BakeError('hash', `${key} has more than ${most} bytes`);
  // They have expired meanwhile, here and below.
  if (length < first.length) return undefined;
  if (length === first.length) return first;
  const bytes = Buffer.alloc(length);
  bytes.set(first);
  for (let at = PART; at < length; at += PART) {
    const part = await redis.getrangeBuffer(key, at, Math.min(at + PART, length) - 1);
    if (part.length === 0) return undefined;
    bytes.set(part, at);
  }
  return bytes;
}

/**
 * Puts bytes into the store for a while, part by part. Nobody finds them there before they are whole.
 *
 * @throws (rejects with) QueueError (`refused`) if the store keeps forgetting them before they are.
 */
export async function writeStored(redis: Redis, key: string, bytes: Buffer): Promise<void> {
  if (bytes.length <= PART) {
    await redis.set(key, bytes, 'EX', BYTES_SECONDS);
    return;
  }
  const own = `${key}:${randomUUID()}`;
  try {
    for (let retries = 0; ; retries++) {
      await redis.set(own, bytes.subarray(0, PART), 'EX', BYTES_SECONDS);
      for (let at = PART; at < bytes.length; at += PART)
        await redis.setrange(own, at, bytes.subarray(at, at + PART));
      // A store that forgot the beginning meanwhile would keep the rest for ever.
      if ((await redis.ttl(own)) >= 0) break;
      if (retries === RETRIES) {
        const problem = `the queue's store has forgotten some of ${bytes.length} bytes each time they were written`;
        throw new QueueError('refused', `${problem}: it may be too small for them`);
      }
    }
    await redis.rename(own, key);
  } catch (error) {
    await redis.unlink(own).catch(() => {});
    throw error;
  }
}
