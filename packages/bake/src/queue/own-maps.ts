import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import paths, { join, type PlatformPath } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BakeError } from '../error.ts';
import { hashOf } from './protocol.ts';

/** The bytes of the map with a hash; `undefined` if there is none. Rejects with `BakeError` if nothing can be read at all. */
export type FindMap = (hash: string) => Promise<Uint8Array | undefined>;

/** Statuses that say that there is nothing at a URL. */
const ABSENT: readonly number[] = [404, 410];

/** The most bytes of a map. */
const MOST_MAP = 512 * (1 << 20);
/** Milliseconds that a URL may take. */
const FETCH_MS = 120_000;

/**
 * A worker's own maps.
 *
 * @param place - a folder with maps, of whatever names, or the http(s) URL of one with a file `<sha256>.bsp` per map.
 * @param end - nothing more is looked for once it is aborted.
 * @throws RangeError for a URL that is not one, or that has a user or password.
 */
export function ownMaps(place: string, end: AbortSignal): FindMap {
  if (!/^https?:\/\//i.test(place)) return mapFolder(place, end);
  const base = baseOf(place);
  return (hash) => fetchMap(base, hash, end);
}

/** The URL of a folder of maps. It may have a query, which stays behind the names of files. */
function baseOf(place: string): URL {
  if (!URL.canParse(place))
    throw new RangeError('maps must be a folder or a URL: it begins as a URL, and is not one');
  const base = new URL(place);
  // It would not be fetched, and be repeated in messages.
  if (base.username !== '' || base.password !== '')
    throw new RangeError('maps must not have a user or password in its URL');
  base.hash = '';
  return base;
}

async function fetchMap(base: URL, hash: string, end: AbortSignal): Promise<Uint8Array | undefined> {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/$/, '')}/${hash}.bsp`;
  const bytes = await download(url, end).catch((error: Error) => {
    if (error instanceof BakeError) throw error;
    // Servers may fail before they answer or while they do.
    const { message, cause } = error;
    const problem = (cause as Error | undefined)?.message ?? message;
    throw new BakeError('absent', `${url.origin} gives no map: ${problem}`, { cause: error });
  });
  if (bytes && hashOf(bytes) !== hash)
    throw new BakeError('hash', `what ${url.origin} gives for ${hash} differs from its hash`);
  return bytes;
}

/** What is at a URL; `undefined` where it says that there is nothing. */
async function download(url: URL, end: AbortSignal): Promise<Uint8Array | undefined> {
  const reply = await fetch(url, { signal: AbortSignal.any([AbortSignal.timeout(FETCH_MS), end]) });
  if (!reply.ok || !reply.body) {
    await reply.body?.cancel();
    // Anything else is not about this map: a worker that may not ask, or a server that is broken.
    if (ABSENT.includes(reply.status)) return undefined;
    throw new Error(`it answers with status ${reply.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MOST_MAP)
      throw new BakeError('hash', `${url.origin} gives a map of more than ${MOST_MAP} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A folder of maps. Each is hashed once, when somebody looks for a map that is not known yet. */
function mapFolder(folder: string, end: AbortSignal): FindMap {
  /** What has been hashed, by path: its hash, and the size and time that show a change. */
  const known = new Map<string, { hash: string | undefined; size: number; time: number }>();
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    for (const path of await mapsIn(await realpath(folder))) {
      const stats = await stat(path).catch(() => undefined);
      if (end.aborted) return;
      if (!stats?.isFile()) continue;
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

/**
 * Where the maps of a folder are, at whatever depth. Links to maps count if these are in the folder too. Links to folders
 * are not followed, as they can form cycles; where they lead within the folder, it is looked through anyway.
 */
async function mapsIn(folder: string): Promise<string[]> {
  const start = startOf(folder);
  const maps: string[] = [];
  const folders = [folder];
  for (const one of folders) {
    const entries = await readdir(one, { withFileTypes: true }).catch((error) => {
      if (one === folder) throw error;
      // Not ours to read: every drive in Windows has some.
      return [];
    });
    for (const entry of entries) {
      const path = join(one, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (!/\.bsp(\.gz)?$/i.test(entry.name)) continue;
      else if (entry.isFile() || (await realpath(path).catch(() => '')).startsWith(start)) maps.push(path);
    }
  }
  return maps;
}

/** How the real paths of everything in a folder start. The root and drives end in a separator already. */
export const startOf = (folder: string, { join, sep }: Pick<PlatformPath, 'join' | 'sep'> = paths): string =>
  join(folder, sep);

/** Reads a map, gzipped or not, part by part. Resolves with whether its size was acceptable. */
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
