import { type FormatIdentity, ibspVersion } from '@bspkit/core/detect';

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'quake2',
  name: 'Quake 2',
  versions: ['IBSP 38'],
  detect: (bytes) => (ibspVersion(bytes) === 38 ? identity.versions[0] : undefined),
};
