import { checkBytes, type FormatIdentity } from '@bspkit/core/detect';
import type { Quake1Version } from './constants.ts';

/** Versions as people write them. */
export const VERSION_NAMES: Readonly<Record<Quake1Version, string>> = {
  29: 'BSP 29',
  30: 'Half-Life BSP 30',
  BSP2: 'BSP2',
  '2PSB': '2PSB',
};

/** The version given by the first four bytes of a file, or `undefined` for a file of another kind. */
export function versionOf(bytes: Uint8Array): Quake1Version | undefined {
  if (bytes.length < 4) return undefined;
  const text = String.fromCharCode(...bytes.subarray(0, 4));
  if (text === 'BSP2' || text === '2PSB') return text;
  const number = new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
  return number === 29 || number === 30 ? number : undefined;
}

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'quake1',
  name: 'Quake 1',
  // Not `Object.values`, which puts numeric keys first.
  versions: [VERSION_NAMES[29], VERSION_NAMES[30], VERSION_NAMES.BSP2, VERSION_NAMES['2PSB']],
  detect(bytes) {
    checkBytes(bytes);
    const version = versionOf(bytes);
    return version && VERSION_NAMES[version];
  },
};
