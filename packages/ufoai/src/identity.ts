import { checkBytes, type FormatIdentity } from '@bspkit/core/format';

/** The version that the first eight bytes of a file say, or `undefined` for a file of another kind. */
export function versionOf(bytes: Uint8Array): 78 | 79 | undefined {
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== 'IBSP') return undefined;
  const number = new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true);
  return number === 78 || number === 79 ? number : undefined;
}

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'ufoai',
  name: 'UFO:AI',
  versions: ['IBSP 78', 'IBSP 79'],
  detect(bytes) {
    checkBytes(bytes);
    const version = versionOf(bytes);
    return version && `IBSP ${version}`;
  },
};
