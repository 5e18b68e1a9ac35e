import { readFileSync, type Stats, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { demoMap } from './demo-maps.ts';
import { MapError, systemReason } from './errors.ts';
import { showBytes } from './numbers.ts';
import { readFromPk3 } from './pk3.ts';

/** A map's file, wherever it came from. */
export interface MapBytes {
  /** As the user named it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** No map of these games comes near it; a file above it is refused before it is read. */
const MAX_MAP_BYTES = 512 * 1024 * 1024;
const MAX_PK3_BYTES = 2 ** 31 - 1;

/**
 * Reads a map: `demo:NAME`, `FILE.pk3:INNER/PATH.bsp`, or a file, gzipped or not.
 * @throws MapError saying what is wrong, the map's name before it.
 */
export function readMap(name: string): MapBytes {
  const demo = /^demo:(.*)$/.exec(name);
  if (demo) return { name, bytes: demoMap(demo[1]!) };
  const packed = /^(.+\.(?:pk3|zip))(?::(.+))?$/i.exec(name);
  if (packed) {
    const [, path, inner] = packed as unknown as [string, string, string | undefined];
    return { name, bytes: readFromPk3(path, readFile(path, MAX_PK3_BYTES), inner, MAX_MAP_BYTES) };
  }
  return { name, bytes: gunzip(name, readFile(name, MAX_MAP_BYTES)) };
}

/** Reads a file that may hold a map. Throws `MapError`; a size above `limit` is refused unread. */
function readFile(path: string, limit: number): Uint8Array {
  let stats: Stats;
  try {
    stats = statSync(path);
    if (stats.isFile() && stats.size <= limit) return readFileSync(path);
    if (stats.isFIFO()) return readFileSync(path);
  } catch (error) {
    throw new MapError(`${path}: ${systemReason(error)}`, { cause: error });
  }
  if (stats.isDirectory()) throw new MapError(`${path}: is a directory`);
  if (!stats.isFile()) throw new MapError(`${path}: is not a file`);
  throw new MapError(`${path}: has ${showBytes(stats.size)}, but at most ${showBytes(limit)} are read`);
}

/** Unpacks what begins like a gzip; anything else stays as it is. */
function gunzip(name: string, bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_MAP_BYTES });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const problem = tooLarge
      ? `unpacks to more than ${showBytes(MAX_MAP_BYTES)}`
      : `is a damaged gzip file: ${(error as Error).message}`;
    throw new MapError(`${name}: ${problem}`, { cause: error });
  }
}
