import type { Redis } from 'ioredis';
import { BakeError } from '../error.ts';
import { type FindMap, ownMaps } from './own-maps.ts';
import { bytesKey, hashOf, MOST_BYTES } from './protocol.ts';

/** The most bytes that a worker keeps in memory. */
const MOST_KEPT = 1024 * (1 << 20);

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
   * @param maps - where maps are looked for first.
   * @param note - called when that does not have a map that the queue's store has.
   */
  constructor(redis: Redis, maps: string | undefined, note: (text: string) => void) {
    this._redis = redis;
    this._note = note;
    if (maps !== undefined) this._maps = ownMaps(maps);
  }

  /** The bytes with a hash. Rejects with `BakeError`: `absent` when they are nowhere, `hash` when others are there. */
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

/** The bytes of a key, `undefined` if there are none. No more than `most` are read; more are an error. */
export async function readStored(redis: Redis, key: string, most: number): Promise<Buffer | undefined> {
  const bytes = await redis.getrangeBuffer(key, 0, most);
  if (bytes.length > most) throw new BakeError('hash', `${key} has more than ${most} bytes`);
  if (bytes.length > 0) return bytes;
  return (await redis.exists(key)) === 1 ? bytes : undefined;
}
