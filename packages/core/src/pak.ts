import { openFile } from './format/open.ts';
import type { Bytes } from './vec.ts';

/** A file in a pak. */
export interface PakFile {
  /** Its path, such as `maps/start.bsp`. Games disagree on whether its case matters. */
  readonly name: string;
  /** A view of the pak's bytes: nothing is compressed, and nothing copied. */
  readonly bytes: Uint8Array;
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
  const { header } = openFile(bytes, 'pak', 'a pak archive', HEADER_BYTES, isPak, () => false);
  const directory = header.lump({ name: 'directory', offset: header.i32(4), length: header.i32(8) });
  const count = directory.records(RECORD_BYTES);
  if (count > MOST_FILES) throw directory.error('limit', `${count} files are more than ${MOST_FILES}`);
  return Array.from({ length: count }, (_, k) => {
    const at = RECORD_BYTES * k;
    const [offset, length] = [directory.i32(at + NAME_BYTES), directory.i32(at + NAME_BYTES + 4)];
    const name = directory.text(at, NAME_BYTES);
    const lump = { name: name || `file ${k}`, offset, length };
    return { name, bytes: header.lump(lump).bytes };
  });
}
