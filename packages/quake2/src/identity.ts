import { checkBytes, type FormatIdentity } from '@bspkit/core/format';

/** 'IBSP', as a little-endian number. */
const MAGIC = 0x50534249;

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'quake2',
  name: 'Quake 2',
  versions: ['IBSP 38'],
  detect(bytes) {
    checkBytes(bytes);
    if (bytes.length < 8) return undefined;
    const header = new DataView(bytes.buffer, bytes.byteOffset);
    const isOurs = header.getInt32(0, true) === MAGIC && header.getInt32(4, true) === 38;
    return isOurs ? identity.versions[0] : undefined;
  },
};
