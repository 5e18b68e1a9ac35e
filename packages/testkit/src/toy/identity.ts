import { type FormatIdentity, ibspVersion } from '@bspkit/core/format';

export const MAGIC = 'TOYB';
export const VERSION = 1;

export function versionOf(bytes: Uint8Array): number | undefined {
  return ibspVersion(bytes, MAGIC) === VERSION ? VERSION : undefined;
}

/** What the format is called, and how its files are recognised. */
export const identity: FormatIdentity = {
  id: 'toy',
  name: 'Toy',
  versions: [`TOYB ${VERSION}`],
  detect: (bytes) => (versionOf(bytes) === undefined ? undefined : `TOYB ${VERSION}`),
};
