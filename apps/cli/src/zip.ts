import { inflateRawSync } from 'node:zlib';
import { crc32 } from '@bspkit/geometry';
import { count as number } from '@bspkit/words';
import type { FileParts } from './files.ts';

// Reads zip archives as described in PKWARE's APPNOTE.TXT: the directory at the end, then one of the files.

/** A file in a zip, as in its directory. */
export interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly crc: number;
  /** Bytes in the archive, and unpacked. */
  readonly packed: number;
  readonly size: number;
  /** Where its own header begins. */
  readonly offset: number;
}

/** Not a zip archive, or a file in one that is damaged: the message says why. */
export class ZipError extends Error {}

const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const DIRECTORY = 0x02014b50;
const DIRECTORY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const ENCRYPTED = 1;
const UTF8 = 0x800;

/** The files of a zip, in the order of its directory. Throws `ZipError`. */
export function listZip(zip: FileParts): ZipEntry[] {
  const { count, bytes } = readDirectory(zip);
  const view = viewOf(bytes);
  const end = bytes.length;
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let k = 0; k < count; k++) {
    if (at + DIRECTORY_BYTES > end || view.getUint32(at, true) !== DIRECTORY) {
      throw new ZipError(`its directory has ${number(count, 'file')}, but breaks off at file ${k + 1}`);
    }
    const flags = view.getUint16(at + 8, true);
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true)) as [
      number,
      number,
      number,
    ];
    const first = at + DIRECTORY_BYTES;
    if (first + name > end) throw new ZipError(`the name of file ${k + 1} is cut off`);
    entries.push({
      name: Buffer.from(bytes.subarray(first, first + name)).toString(flags & UTF8 ? 'utf8' : 'latin1'),
      flags,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at = first + name + extra + comment;
  }
  return entries;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The directory, and how many files it has. */
function readDirectory(zip: FileParts): { readonly count: number; readonly bytes: Uint8Array } {
  const tail = Math.min(zip.size, END_BYTES + MAX_COMMENT);
  const view = viewOf(zip.read(zip.size - tail, tail));
  const end = findEnd(view);
  if (end === undefined) throw new ZipError('it has no directory at its end');
  const count = view.getUint16(end + 10, true);
  const at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) throw new ZipError('it is a zip64 archive, which no game reads');
  const length = zip.size - tail + end - at;
  return { count, bytes: length > 0 ? zip.read(at, length) : new Uint8Array() };
}

/** Where the record at the end begins, which may be followed by a comment. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - MAX_COMMENT; at--) {
    if (
      view.getUint32(at, true) === END &&
      at + END_BYTES + view.getUint16(at + 20, true) <= view.byteLength
    ) {
      return at;
    }
  }
  return undefined;
}

/** The content of a file in a zip, with its length and checksum verified. Throws `ZipError`. */
export function unzipEntry(zip: FileParts, entry: ZipEntry): Uint8Array {
  const { flags, method, crc, size } = entry;
  if (flags & ENCRYPTED) throw new ZipError('it is encrypted');
  const packed = packedBytes(zip, entry);
  if (method !== 0 && method !== 8) {
    throw new ZipError(`it is packed by method ${method}, but only deflate and store are read`);
  }
  const content = method === 0 ? packed : inflate(packed, size);
  if (content.length !== size) {
    throw new ZipError(`it is damaged: it has ${content.length} bytes instead of ${size}`);
  }
  const sum = crc32(content);
  if (sum !== crc) throw new ZipError(`it is damaged: its checksum is ${hex(sum)} instead of ${hex(crc)}`);
  return content;
}

function packedBytes(zip: FileParts, { offset, packed }: ZipEntry): Uint8Array {
  const header = offset + LOCAL_BYTES <= zip.size ? viewOf(zip.read(offset, LOCAL_BYTES)) : undefined;
  if (header?.getUint32(0, true) !== LOCAL) {
    throw new ZipError(`it is not where the directory says, at byte ${offset}`);
  }
  const first = offset + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (first + packed > zip.size) throw new ZipError('it is cut off');
  return zip.read(first, packed);
}

function inflate(packed: Uint8Array, size: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === 'ERR_BUFFER_TOO_LARGE' ? `it has more than ${size} bytes` : message;
    throw new ZipError(`it is damaged: ${problem}`, { cause: error });
  }
}

const hex = (sum: number): string => sum.toString(16).padStart(8, '0');
