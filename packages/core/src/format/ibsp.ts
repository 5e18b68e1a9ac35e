import { checkBytes } from './bytes.ts';

/**
 * The version of an IBSP file, which its first 8 bytes tell; `undefined` for a file of another kind.
 *
 * @param magic - the four letters; relatives of IBSP have others.
 */
export function ibspVersion(bytes: Uint8Array, magic: string = 'IBSP'): number | undefined {
  checkBytes(bytes);
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== magic) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true);
}
