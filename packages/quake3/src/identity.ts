import { type FormatIdentity, ibspVersion } from '@bspkit/core/detect';

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'quake3',
  name: 'Quake 3',
  // Quake 3 itself, then Quake Live.
  versions: ['IBSP 46', 'IBSP 47'],
  detect: (bytes) => identity.versions[(ibspVersion(bytes) ?? 0) - 46],
};
