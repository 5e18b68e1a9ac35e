import { type FormatIdentity, ibspVersion } from '@bspkit/core/detect';

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'quake2',
  name: 'Quake 2',
  // The game's own, then the one with 32-bit numbers: four other letters, and the same version.
  versions: ['IBSP 38', 'QBSP 38'],
  detect: (bytes) => identity.versions.find((name) => ibspVersion(bytes, name.slice(0, 4)) === 38),
};
