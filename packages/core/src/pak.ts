import { isArrayOf } from './arrays.ts';
import { checkWholeFrom } from './check.ts';
import { BspError } from './error.ts';
import { toBytes } from './format/bytes.ts';
import { openFile } from './format/open.ts';
import { BinaryReader } from './format/reader.ts';
import { LOOKED_AT } from './format/signatures.ts';
import { checkCallback, checkKind } from './kinds.ts';
import type { Bytes } from './vec.ts';

/** A file in a pak. */
export interface PakFile {
  /** Its path, such as `maps/start.bsp`. Games disagree on whether its case matters. */
  readonly name: string;
  /** A view of the pak's bytes: nothing is compressed, and nothing copied. */
  readonly bytes: Uint8Array;
}

/** Where a file is in a pak. */
export interface PakEntry {
  /** As in {@link PakFile}. */
  readonly name: string;
  /** Where its bytes begin in the pak. */
  readonly offset: number;
  /** How many they are. */
  readonly length: number;
}

const HEADER_BYTES = 12;
const RECORD_BYTES = 64;
const NAME_BYTES = 56;
/** Many times what the largest paks have, and far fewer than what a file of nothing else could have. */
const MOST_FILES = 65_536;

const isPak = (bytes: Uint8Array): true | undefined =>
  String.fromCharCode(...bytes.subarray(0, 4)) === 'PACK' || undefined;

/**
 * Reads a pak, the archive that games used before pk3: lists its files in the order of its directory. If a name occurs twice,
 * games take the first.
 *
 * @throws BspError (`magic`, `truncated`, `lump-range`, `lump-size`) for anything but a whole pak, and for one of more than
 *   65,536 files (`limit`); TypeError for anything but a buffer or a `Uint8Array`.
 */
export function readPak(bytes: Bytes): PakFile[] {
  const pak = toBytes(bytes);
  const part = (offset: number, length: number): Uint8Array => pak.subarray(offset, offset + length);
  return listPak(pak.length, part).map(({ name, offset, length }) => ({ name, bytes: part(offset, length) }));
}

/**
 * Lists the files of a pak as {@link readPak} does, from its directory alone: the pak need not be in memory.
 *
 * @param size - of the pak, in bytes.
 * @param read - returns the bytes of a part of it, at once: no promise.
 * @throws BspError and TypeError as {@link readPak} does; RangeError for a size that is not a whole number, and for a part of
 *   another length than was asked for.
 */
export function listPak(size: number, read: (offset: number, length: number) => Uint8Array): PakEntry[] {
  checkWholeFrom(size, 'size', 0);
  checkCallback(read, 'read');
  const part = (offset: number, length: number): Uint8Array => {
    const given = read(offset, length);
    checkKind(isArrayOf(given, Uint8Array), given, 'what read returns', 'a Uint8Array, at once');
    const bytes = toBytes(given);
    if (bytes.length === length) return bytes;
    throw new RangeError(`read must return ${length} bytes, got ${bytes.length}`);
  };
  const head = part(0, Math.min(size, LOOKED_AT));
  const { header } = openFile(head, 'pak', 'a pak archive', HEADER_BYTES, isPak, () => false);
  const [name, offset, length] = ['directory', header.i32(4), header.i32(8)] as const;
  header.lump({ name, offset, length }, size);
  const count = Math.ceil(length / RECORD_BYTES);
  if (count > MOST_FILES) {
    const place = { format: 'pak', lump: name, offset };
    throw new BspError('limit', place, `${count} files are more than ${MOST_FILES}`);
  }
  const directory = new BinaryReader(part(offset, length), 'pak', name, offset);
  return Array.from({ length: directory.records(RECORD_BYTES) }, (_, k) => {
    const at = RECORD_BYTES * k;
    const path = directory.text(at, NAME_BYTES);
    const [begin, bytes] = [directory.i32(at + NAME_BYTES), directory.i32(at + NAME_BYTES + 4)];
    header.lump({ name: path || `file ${k}`, offset: begin, length: bytes }, size);
    return { name: path, offset: begin, length: bytes };
  });
}
