import { checkBytes, type FormatIdentity } from '@bspkit/core/format';

/** 'IBSP', as a little-endian number. */
const MAGIC = 0x50534249;

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'quake3',
  name: 'Quake 3',
  // Quake 3 itself, then Quake Live.
  versions: ['IBSP 46', 'IBSP 47'],
  detect(bytes) {
    checkBytes(bytes);
    if (bytes.length < 8) return undefined;
    const header = new DataView(bytes.buffer, bytes.byteOffset);
    return header.getInt32(0, true) === MAGIC ? identity.versions[header.getInt32(4, true) - 46] : undefined;
  },
};
