import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Redis } from 'ioredis';
import { BakeError } from '../error.ts';
import { bytesKey, hashOf, MOST_BYTES } from './protocol.ts';

/** Most bytes that a worker keeps at hand. */
const MOST_KEPT = 1024 * (1 << 20);
/** Most bytes of a map from a folder or URL. */
const MOST_MAP = 512 * (1 << 20);
/** Milliseconds that a URL may take. */
const FETCH_MS = 120_000;

/** Bytes by their hash, for a worker: fetched once, from a folder or URL of maps or from the queue's store. */
export class ByteStore {
  private readonly _redis: Redis;
  private readonly _maps: ((hash: string) => Promise<Uint8Array | undefined>) | undefined;
  /** In the order in which they were used last. */
  private readonly _kept = new Map<string, Promise<Uint8Array>>();
  private readonly _sizes = new Map<string, number>();
  private readonly _note: (text: string) => void;
  private _size = 0;

  /**
   * @param maps - a folder with maps, of whatever names, or the http(s) URL of one with a file `<sha256>.bsp` per map.
   * @param note - told when that gives no map that the queue's store has.
   */
  constructor(redis: Redis, maps: string | undefined, note: (text: string) => void) {
    this._redis = redis;
    this._note = note;
    if (maps !== undefined) this._maps = isUrl(maps) ? (hash) => fetchMap(maps, hash) : mapFolder(maps);
  }

  /** The bytes of a hash. Rejects with `BakeError`: `absent` when they are nowhere, `hash` when others are there. */
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
        // What was dropped while it was on its way counts no more.
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
    if (own instanceof Uint8Array) return own;
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

  /** What the folder or URL has; `undefined` where it has nothing of this hash, an error where it gives nothing at all. */
  private async _own(hash: string): Promise<Uint8Array | BakeError | undefined> {
    try {
      return await this._maps?.(hash);
    } catch (error) {
      if (error instanceof BakeError) return error;
      throw error;
    }
  }

  /** Forgets what was not used for longest while there is too much. */
  private _drop(): void {
    for (const hash of this._kept.keys()) {
      if (this._size <= MOST_KEPT) return;
      this._size -= this._sizes.get(hash) ?? 0;
      this._sizes.delete(hash);
      this._kept.delete(hash);
    }
  }
}

/** The bytes of a key, `undefined` where there is none. No more than `most` are read; more are an error. */
export async function readStored(redis: Redis, key: string, most: number): Promise<Buffer | undefined> {
  const bytes = await redis.getrangeBuffer(key, 0, most);
  if (bytes.length > most) throw new BakeError('hash', `${key} has more than ${most} bytes`);
  if (bytes.length > 0) return bytes;
  return (await redis.exists(key)) === 1 ? bytes : undefined;
}

const isUrl = (maps: string): boolean => /^https?:\/\//i.test(maps);

async function fetchMap(base: string, hash: string): Promise<Uint8Array | undefined> {
  const url = new URL(`${hash}.bsp`, base.endsWith('/') ? base : `${base}/`);
  let reply: Response;
  try {
    reply = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new BakeError(
      'absent',
      `${url.origin} gives no map: ${(cause as Error | undefined)?.message ?? message}`,
      {
        cause: error,
      },
    );
  }
  if (!reply.ok || !reply.body) return undefined;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MOST_MAP)
      throw new BakeError('hash', `${url.origin} gives more than ${MOST_MAP} bytes for ${hash}`);
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  if (hashOf(bytes) !== hash)
    throw new BakeError('hash', `what ${url.origin} gives for ${hash} differs from its hash`);
  return bytes;
}

/** A folder of maps. Each is hashed once, when a map is looked for that is not known yet. */
function mapFolder(folder: string): (hash: string) => Promise<Uint8Array | undefined> {
  /** What was hashed, by path: its hash, and the size and time by which a change is seen. */
  const known = new Map<string, { hash: string | undefined; size: number; time: number }>();
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const inside = await realpath(folder);
    for (const name of await readdir(folder, { recursive: true })) {
      if (!/\.bsp(\.gz)?$/i.test(name)) continue;
      const path = join(folder, name);
      const stats = await stat(path).catch(() => undefined);
      if (!stats?.isFile() || !(await realpath(path)).startsWith(inside + sep)) continue;
      const { size, mtimeMs: time } = stats;
      const old = known.get(path);
      if (old && old.size === size && old.time === time) continue;
      const hash = createHash('sha256');
      const isRead = await readMap(path, (part) => hash.update(part)).catch(() => false);
      known.set(path, { hash: isRead ? hash.digest('hex') : undefined, size, time });
    }
  };
  const find = async (hash: string): Promise<Uint8Array | undefined> => {
    for (const [path, file] of known) {
      if (file.hash !== hash) continue;
      const parts: Uint8Array[] = [];
      if (!(await readMap(path, (part) => parts.push(part)).catch(() => false))) continue;
      const bytes = Buffer.concat(parts);
      if (hashOf(bytes) === hash) return bytes;
    }
    return undefined;
  };
  return async (hash) => {
    const found = await find(hash);
    if (found) return found;
    looking = looking.then(look, look);
    await looking.catch((error: Error) => {
      throw new BakeError('absent', `the folder of maps cannot be read: ${error.message}`, { cause: error });
    });
    return find(hash);
  };
}

/** Reads a map, gzipped or not, part by part. Resolves with whether it was of a size that is read. */
async function readMap(path: string, take: (part: Uint8Array) => unknown): Promise<boolean> {
  let size = 0;
  const drain = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const part of source) {
      size += part.length;
      if (size > MOST_MAP) throw new RangeError(`${path} has more than ${MOST_MAP} bytes`);
      take(part);
    }
  };
  const file: Readable = createReadStream(path);
  await (path.toLowerCase().endsWith('.gz') ? pipeline(file, createGunzip(), drain) : pipeline(file, drain));
  return true;
}
