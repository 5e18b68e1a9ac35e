import type { BspFormatEntry } from '@bspkit/core/format';
import type { UfoaiFormat } from './descriptor.ts';
import { identity } from './identity.ts';

export type { UfoaiFormat };

/** What lists of formats hold of UFO:AI: the light half of its descriptor, which costs bytes, not parsers. */
export const ufoaiFormat: BspFormatEntry<UfoaiFormat> = {
  ...identity,
  loadReader: () => import('./reader.ts').then(({ reader }) => reader),
  load: () => import('./descriptor.ts').then(({ ufoai }) => ufoai),
};
