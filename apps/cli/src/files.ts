import { isUtf8 } from 'node:buffer';
import { type BigIntStats, closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { MapError, systemReason, UsageError, withMapName } from './errors.ts';
import { showBytes } from './numbers.ts';
import type { Session } from './session.ts';

/** Files without a size are read in pieces of this many bytes. */
const PIECE = 1 << 16;

/** A file of which parts are read, so that no more of it is in memory. */
export interface FileParts {
  /** Of the whole file, in bytes. */
  readonly size: number;
  /** As many bytes from a place on, all of which must be in the file. */
  read(at: number, length: number): Uint8Array;
}

/**
 * Reads a whole file or pipe. Throws `MapError` naming it if it does not exist, is something else, or has more than `limit`
 * bytes, of which no more than `limit` are read.
 */
export function readFile(name: string, limit: number, session: Session): Uint8Array {
  return openFile(name, session, (file, stats) => readOpen(name, limit, file, stats));
}

/** The same for a file of which parts are read while it is used, as they are asked for. A pipe is read whole. */
export function readParts<T>(name: string, limit: number, session: Session, use: (parts: FileParts) => T): T {
  return openFile(name, session, (file, first) => {
    if (!first.isFile()) return use(inMemory(readOpen(name, limit, file, first)));
    const read: FileParts['read'] = (at, length) => {
      const bytes = readSized(name, file, length, at);
      const { size, mtimeNs } = fstatSync(file, { bigint: true });
      if (size !== first.size || mtimeNs !== first.mtimeNs || bytes.length < length) {
        throw new MapError(`${name}: was changed while it was read`);
      }
      return bytes;
    };
    return use({ size: checkSize(name, limit, first), read });
  });
}

const inMemory = (bytes: Uint8Array): FileParts => ({
  size: bytes.length,
  read: (at, length) => bytes.subarray(at, at + length),
});

function openFile<T>(name: string, session: Session, use: (file: number, stats: BigIntStats) => T): T {
  const file = ofSystem(name, () => {
    const path = session.path(name);
    // Before it is opened, which some devices would take as a request.
    const kind = statSync(path);
    if (kind.isDirectory()) throw new MapError(`${name}: is a folder; name a file in it`);
    if (!kind.isFile() && !kind.isFIFO()) throw new MapError(`${name}: is not a file`);
    return openSync(path, 'r');
  });
  try {
    const stats = ofSystem(name, () => fstatSync(file, { bigint: true }));
    session.addSource(name, stats);
    return use(file, stats);
  } finally {
    closeSync(file);
  }
}

/** Asks the system for something of a file: its errors become `MapError`s. */
function ofSystem<T>(name: string, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof MapError || error instanceof UsageError) throw error;
    const hint =
      name === '-' && process.platform !== 'win32' ? '; what comes through a pipe is /dev/stdin' : '';
    throw new MapError(`${name}: ${systemReason(error)}${hint}`, { cause: error });
  }
}

function readOpen(name: string, limit: number, file: number, stats: BigIntStats): Uint8Array {
  if (stats.isFile()) return readSized(name, file, checkSize(name, limit, stats), null);
  return ofSystem(name, () => readPiped(file, limit)) ?? failSize(name, limit, 'more');
}

function checkSize(name: string, limit: number, { size }: BigIntStats): number {
  return size > limit ? failSize(name, limit, showBytes(Number(size))) : Number(size);
}

function failSize(name: string, limit: number, size: string): never {
  throw new MapError(`${name}: has ${size}, but at most ${showBytes(limit)} are read`);
}

/** Names of what is in a folder; `undefined` if there is no folder. */
export function listFolder(name: string, session: Session): readonly string[] | undefined {
  const path = session.path(name);
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return readdirSync(path);
  } catch (error) {
    throw new MapError(`${name}: ${systemReason(error)}`, { cause: error });
  }
  return undefined;
}

/** Text as editors of the time wrote it: UTF-8, or one byte per character. */
export const decodeText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(isUtf8(bytes) ? 'utf8' : 'latin1');

/** Reads a JSON file with entries by name, as {@link readFile} does. */
export function readTable(
  name: string,
  limit: number,
  what: string,
  session: Session,
): Readonly<Record<string, unknown>> {
  const bytes = readFile(name, limit, session);
  const table: unknown = withMapName(
    `${name}: is not JSON`,
    () => JSON.parse(new TextDecoder().decode(bytes)),
    SyntaxError,
  );
  if (isObject(table)) return table;
  throw new MapError(`${name}: is not an object with an entry for each ${what}`);
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Reads as many bytes, or fewer if the file has become shorter meanwhile; from a place on, or from where it was read to. Throws
 * `MapError` if there is no memory for them.
 */
function readSized(name: string, file: number, size: number, at: number | null): Uint8Array {
  const bytes = allocate(name, size);
  let length = 0;
  while (length < size) {
    const place = at === null ? null : at + length;
    const read = ofSystem(name, () => readSync(file, bytes, length, size - length, place));
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function allocate(name: string, size: number): Uint8Array {
  try {
    return new Uint8Array(size);
  } catch (cause) {
    throw new MapError(`${name}: needs ${showBytes(size)} of memory, more than is free`, { cause });
  }
}

/** Reads to the end; `undefined` if there are more than `limit` bytes. */
function readPiped(file: number, limit: number): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const piece = new Uint8Array(PIECE);
    const read = readSync(file, piece);
    if (read === 0) return Buffer.concat(pieces);
    length += read;
    if (length > limit) return undefined;
    pieces.push(piece.subarray(0, read));
  }
}
