import { showValue } from '@bspkit/core/format';
import type { Redis } from 'ioredis';
import type { BakeJob } from '../job.ts';
import type { BakeSource } from '../kind.ts';
import { loadBytes } from '../run.ts';
import { NO_BYTES } from '../sha256.ts';
import { BYTES_SECONDS, bytesKey, hashOf, MOST_BYTES, tooLargeKey } from './protocol.ts';
import { writeStored } from './store.ts';

/** Milliseconds after which the bytes are kept from expiring again. */
const KEEP_MS = 300_000;

/** A job and the bytes that it names, in the queue's store for the workers. */
export class JobBytes {
  private readonly _redis: Redis;
  private readonly _job: BakeJob;
  private readonly _text: Buffer;
  private readonly _load: BakeSource['load'];
  private readonly _note: (text: string) => void;
  /** When they were last put there. */
  private _kept = 0;
  /** They are on their way. */
  private _putting: Promise<void> | undefined;
  /** Hashes of those that have no room there. */
  private readonly _tooLarge = new Set<string>();

  constructor(
    redis: Redis,
    job: BakeJob,
    text: Buffer,
    load: BakeSource['load'],
    note: (text: string) => void,
  ) {
    this._redis = redis;
    this._job = job;
    this._text = text;
    this._load = load;
    this._note = note;
  }

  /**
   * Puts them there, or keeps them there for longer. Once for all that need it at the same time: when the store has forgotten
   * everything, each chunk does.
   */
  put(): Promise<void> {
    this._putting ??= this._put().finally(() => {
      this._putting = undefined;
    });
    return this._putting;
  }

  /** Keeps them from expiring; called now and then. */
  async keep(): Promise<void> {
    if (performance.now() - this._kept > KEEP_MS) await this.put();
  }

  private async _put(): Promise<void> {
    this._kept = performance.now();
    await this._redis.set(bytesKey(hashOf(this._text)), this._text, 'EX', BYTES_SECONDS);
    for (const [hash, what] of this._named()) {
      if (this._tooLarge.has(hash)) await this._tellTooLarge(hash);
      else if ((await this._redis.expire(bytesKey(hash), BYTES_SECONDS)) !== 1)
        await this._putOne(hash, what);
    }
  }

  /** The hashes that the job names, each with what it stands for. */
  private _named(): ReadonlyMap<string, string> {
    const { map, tiles = [], inputs } = this._job;
    const named = new Map<string, string>([
      ...Object.entries(inputs).map(([name, hash]) => [hash, `input ${showValue(name)}`] as const),
      ...tiles.map((tile, k) => [tile.map, `tile ${k}`] as const),
      [map, 'the map'],
    ]);
    named.delete(NO_BYTES);
    return named;
  }

  private async _putOne(hash: string, what: string): Promise<void> {
    const bytes = await loadBytes(hash, what, { load: this._load, trusted: true });
    if (bytes.length <= MOST_BYTES) return writeStored(this._redis, bytesKey(hash), asBuffer(bytes));
    this._tooLarge.add(hash);
    await this._tellTooLarge(hash);
    const size = `${Math.ceil(bytes.length / 2 ** 20)} MB`;
    const where = 'workers must have it in the folder or at the URL of their maps';
    this._note(`${what} (${hash}) has ${size}, more than the queue stores: ${where}`);
  }

  /** Tells workers that bytes are not in the store, and never will be. */
  private async _tellTooLarge(hash: string): Promise<void> {
    await this._redis.set(tooLargeKey(hash), 1, 'EX', BYTES_SECONDS);
  }
}

export const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);
