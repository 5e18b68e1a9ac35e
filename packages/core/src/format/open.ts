import { BspError } from '../error.ts';
import type { Bytes } from '../vec.ts';
import { toBytes } from './bytes.ts';
import { BinaryReader } from './reader.ts';
import { describeBytes } from './signatures.ts';

/**
 * Opens a file whose header is whole.
 *
 * @param format - as in the package name.
 * @param wanted - what the format's reader takes, in words, to follow "not": `a map of … (IBSP 46)`.
 * @param length - that of the header, in bytes.
 * @param versionOf - the version that the first bytes tell; `undefined` for a file of another kind.
 * @param isRelated - whether a file of another kind is one of the same family, in a version that is not read. By default
 *   all of IBSP are.
 * @throws BspError (`version`, `magic`, `truncated`) for any other, with what it is and what to do about it; TypeError for
 *   what holds no bytes.
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
    const { name, advice } = describeBytes(file);
    const hint = advice || 'the bspkit package opens maps of every format';
    const code = (isRelated ? isRelated(file) : name.includes('IBSP')) ? 'version' : 'magic';
    throw new BspError(code, { format }, `the file is ${name}, not ${wanted}; ${hint}`);
  }
  if (file.length < length) {
    const place = { format, lump: 'header', offset: file.length };
    throw new BspError('truncated', place, `needs ${length} bytes, but the file has ${file.length}`);
  }
  return { header: new BinaryReader(file, format), version };
}
