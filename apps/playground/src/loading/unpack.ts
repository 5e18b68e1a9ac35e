import { unzipSync } from 'fflate';
import type { InnerMap, Unpacked } from './messages.ts';

// Files as people have them: maps as they are, packed by gzip, or in a game's archive, which is a zip.

/** The most that is unpacked, in bytes: ten times the largest map known. */
const MOST = 512 * 1024 * 1024;

/** A file that is of no use. The message says why, to follow its name. */
export class FileError extends Error {}

/** Takes a map out of a file. Throws `FileError`. `inner` is the path of one map in an archive. */
export async function unpack(name: string, bytes: Uint8Array, inner?: string): Promise<Unpacked> {
  if (bytes.length === 0) throw new FileError('the file is empty');
  if (startsWith(bytes, [0x50, 0x4b])) return unpackZip(bytes, inner);
  if (startsWith(bytes, [0x1f, 0x8b])) return asMap(name.replace(/\.gz$/i, ''), await gunzip(bytes));
  return asMap(name, bytes);
}

/** By its name, `.map` text; anything else is left to those who read maps. */
function asMap(name: string, bytes: Uint8Array): Unpacked {
  if (!/\.map$/i.test(name)) return { kind: 'bsp', name, bytes };
  return { kind: 'map', name, text: decode(bytes) };
}

/** As many characters as a call takes at once. */
const PIECE = 8192;

/** UTF-8, or one byte per character as editors of the time wrote. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    let text = '';
    for (let at = 0; at < bytes.length; at += PIECE)
      text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
    return text;
  }
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      size += part.value.length;
      if (size > MOST) throw new FileError(`it unpacks to more than ${megabytes(MOST)}`);
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError('it begins as a gzip file, but is damaged or cut off', { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function unpackZip(bytes: Uint8Array, inner: string | undefined): Unpacked {
  const maps = listMaps(bytes);
  if (maps.length === 0) throw new FileError('the archive contains no .bsp or .map');
  if (inner === undefined && maps.length > 1) return { kind: 'choice', maps };
  const wanted = inner === undefined ? maps[0]! : maps.find(({ path }) => path === inner);
  if (!wanted) throw new FileError(`the archive has no ${inner}`);
  if (wanted.size > MOST) throw new FileError(`${wanted.path} unpacks to more than ${megabytes(MOST)}`);
  const files = unzipped(bytes, ({ name }) => name === wanted.path);
  const file = files[wanted.path]!;
  if (file.length !== wanted.size) throw new FileError(`${wanted.path} in it is damaged`);
  return asMap(wanted.path.replace(/^.*\//, ''), file);
}

function listMaps(bytes: Uint8Array): InnerMap[] {
  const maps: InnerMap[] = [];
  unzipped(bytes, ({ name, originalSize }) => {
    if (/\.(bsp|map)$/i.test(name)) maps.push({ path: name, size: originalSize });
    return false;
  });
  // A level's source is of no interest beside the level.
  const levels = maps.filter(({ path }) => /\.bsp$/i.test(path));
  return (levels.length > 0 ? levels : maps).sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Filter = (file: { readonly name: string; readonly originalSize: number }) => boolean;

function unzipped(bytes: Uint8Array, filter: Filter): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw new FileError('it begins as a zip archive, but is damaged or cut off', { cause: error });
  }
}

const startsWith = (bytes: Uint8Array, first: readonly number[]): boolean =>
  first.every((byte, k) => bytes[k] === byte);

const megabytes = (size: number): string => `${Math.round(size / 1024 / 1024)} MB`;
