import { BspError } from '../error.ts';
import type { Bytes } from '../vec.ts';
import { toBytes } from './bytes.ts';
import type { FormatIdentity } from './format.ts';
import { ibspVersion } from './ibsp.ts';
import { BinaryReader } from './reader.ts';
import { describeBytes } from './signatures.ts';

/**
 * Opens a file whose header is complete.
 *
 * @param format - as in the package name.
 * @param wanted - what the format's reader accepts, in words, to follow "not": `a map of … (IBSP 46)`.
 * @param length - of the header, in bytes.
 * @param versionOf - the version that the first bytes give; `undefined` for a file of another kind.
 * @param isRelated - whether a file of another kind is of the same family, in a version that is not supported. By default all
 *   IBSP files are.
 * @throws BspError (`version`, `magic`, `truncated`) for any other file, saying what it is and what to do about it; TypeError
 *   for anything but a buffer or a `Uint8Array`.
 */
export function openFile<V>(
  bytes: Bytes,
  format: string,
  wanted: string,
  length: number,
  versionOf: (bytes: Uint8Array) => V | undefined,
  isRelated?: (bytes: Uint8Array) => boolean,
): { header: BinaryReader; version: V } {
  const file = toBytes(bytes);
  const version = versionOf(file);
  if (version === undefined) {
    let { name, advice } = describeBytes(file);
    const code = (isRelated ? isRelated(file) : name.includes('IBSP')) ? 'version' : 'magic';
    if (isRelated && code === 'version') {
      const letters = String.fromCharCode(...file.subarray(0, 4));
      const number = ibspVersion(file, letters);
      // Not all names include the version.
      if (number !== undefined && /^\w{4}$/.test(letters) && !name.endsWith(`(${letters} ${number})`)) {
        name = `a map of version ${number} (${letters})`;
        advice ||= 'other versions are not read';
      }
    }
    const hint = advice || 'the bspkit package opens maps of every format';
    throw new BspError(code, { format }, `the file is ${name}, not ${wanted}; ${hint}`);
  }
  if (file.length < length) {
    const place = { format, lump: 'header', offset: file.length };
    throw new BspError('truncated', place, `needs ${length} bytes, but the file has ${file.length}`);
  }
  return { header: new BinaryReader(file, format), version };
}

/** Bytes of a file before its directory: four letters, and the version. */
const DIRECTORY = 8;

/** A file and the contents of its directory. */
export interface LumpFile<V, L extends string> {
  readonly version: V;
  readonly lumps: Readonly<Record<L, BinaryReader>>;
  /** The bytes of each lump. */
  readonly raw: Readonly<Record<L, Uint8Array>>;
}

/** How files of a kind are recognised, and where their directory is. */
export interface LumpFileKind<V> {
  /** What the format's reader accepts, in words, to follow "not": `a … map (IBSP 46)`. */
  readonly wanted: string;
  /** The version that the first bytes give; `undefined` for a file of another kind. */
  versionOf(bytes: Uint8Array): V | undefined;
  /** As for {@link openFile}. */
  readonly isRelated?: ((bytes: Uint8Array) => boolean) | undefined;
  /** Where the directory begins, in bytes; by default after four letters and the version. */
  readonly directoryAt?: number | undefined;
}

/**
 * {@link openFile} for files with a directory of lumps: offset and length of each.
 *
 * @param recordBytes - lumps in the order of the directory, with the size of their records in bytes: 1 where a lump is not a
 *   list.
 * @throws BspError as {@link openFile} does, and for a lump that lies outside the file (`lump-range`) or is not a whole number
 *   of records (`lump-size`).
 */
export function openLumps<V, L extends string>(
  bytes: Bytes,
  format: string,
  { wanted, versionOf, isRelated, directoryAt = DIRECTORY }: LumpFileKind<V>,
  recordBytes: Readonly<Record<L, number>>,
): LumpFile<V, L> {
  const names = Object.keys(recordBytes) as L[];
  const length = directoryAt + 8 * names.length;
  const { header, version } = openFile(bytes, format, wanted, length, versionOf, isRelated);
  const lumps = {} as Record<L, BinaryReader>;
  const raw = {} as Record<L, Uint8Array>;
  for (const [k, name] of names.entries()) {
    const at = directoryAt + 8 * k;
    const lump = header.lump({ name, offset: header.i32(at), length: header.i32(at + 4) });
    lump.records(recordBytes[name]);
    lumps[name] = lump;
    raw[name] = lump.bytes;
  }
  return { version, lumps, raw };
}

/** {@link openLumps} for IBSP files, by their versions. */
export function openIbsp<V extends number, L extends string>(
  bytes: Bytes,
  { id, name }: FormatIdentity,
  versions: readonly V[],
  recordBytes: Readonly<Record<L, number>>,
): LumpFile<V, L> {
  const wanted = `a ${name} map (IBSP ${versions.join(' or ')})`;
  const versionOf = (file: Uint8Array): V | undefined => {
    const own = ibspVersion(file);
    return versions.find((known) => known === own);
  };
  return openLumps(bytes, id, { wanted, versionOf }, recordBytes);
}
