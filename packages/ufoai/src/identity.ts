import { type FormatIdentity, ibspVersion } from '@bspkit/core/detect';

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'ufoai',
  name: 'UFO:AI',
  // Release 2.5, then later builds.
  versions: ['IBSP 78', 'IBSP 79'],
  detect: (bytes) => identity.versions[(ibspVersion(bytes) ?? 0) - 78],
};
