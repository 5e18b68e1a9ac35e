import { type FormatIdentity, ibspVersion } from '@bspkit/core/format';

/** The version that the first eight bytes of a file say, or `undefined` for a file of another kind. */
export function versionOf(bytes: Uint8Array): 78 | 79 | undefined {
  const version = ibspVersion(bytes);
  return version === 78 || version === 79 ? version : undefined;
}

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'ufoai',
  name: 'UFO:AI',
  versions: ['IBSP 78', 'IBSP 79'],
  detect(bytes) {
    const version = versionOf(bytes);
    return version && `IBSP ${version}`;
  },
};
