import { BspError } from '../error.ts';
import type { Bytes } from '../vec.ts';
import { toBytes } from './bytes.ts';
import { BinaryReader } from './reader.ts';
import { describeBytes } from './signatures.ts';

/** How a format's files begin. */
export interface FileHead<V> {
  /** Format, as in the package name. */
  readonly format: string;
  /** What the format's reader takes, in words, to follow "not": `a map of … (IBSP 46)`. */
  readonly wanted: string;
  /** Length of the header in bytes. */
  readonly length: number;
  /** The version that the first bytes tell; `undefined` for a file of another kind. */
  versionOf(bytes: Uint8Array): V | undefined;
  /** Whether a file of another kind is one of the same family, in a version that is not read. By default all of IBSP are. */
  isRelated?(bytes: Uint8Array): boolean;
}

/**
 * Opens a file whose header is whole.
 * @throws BspError (`version`, `magic`, `truncated`) for any other, with what it is and what to do about it; TypeError for
 *   what holds no bytes.
 */
export function openFile<V>(bytes: Bytes, head: FileHead<V>): { header: BinaryReader; version: V } {
  const { format, wanted, length } = head;
  const file = toBytes(bytes);
  const version = head.versionOf(file);
  if (version === undefined) {
    const { name, advice } = describeBytes(file);
    const isRelated = head.isRelated ? head.isRelated(file) : name.includes('IBSP');
    const hint = advice || 'the bspkit package opens maps of every format';
    const problem = `the file is ${name}, not ${wanted}; ${hint}`;
    throw new BspError(isRelated ? 'version' : 'magic', { format }, problem);
  }
  if (file.length < length) {
    const problem = `needs ${length} bytes, but the file has ${file.length}`;
    throw new BspError('truncated', { format, lump: 'header', offset: file.length }, problem);
  }
  return { header: new BinaryReader(file, format), version };
}
