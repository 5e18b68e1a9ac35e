import { checkBytes, type FormatIdentity } from '@bspkit/core/format';

const VERSIONS = ['IBSP 78', 'IBSP 79'] as const;

/** The version of a UFO:AI map by its first eight bytes; `undefined` for any other file. */
export function detect(bytes: Uint8Array): (typeof VERSIONS)[number] | undefined {
  checkBytes(bytes);
  const isIbsp = bytes.length >= 8 && String.fromCharCode(...bytes.subarray(0, 4)) === 'IBSP';
  // The version's other bytes are zero, so its first one is enough.
  if (!isIbsp || bytes[5] !== 0 || bytes[6] !== 0 || bytes[7] !== 0) return undefined;
  return VERSIONS[bytes[4]! - 78];
}

/** What both halves of the descriptor begin with. */
export const identity: FormatIdentity = { id: 'ufoai', name: 'UFO:AI', versions: VERSIONS, detect };
