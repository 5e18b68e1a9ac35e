import type { BspFormatEntry } from '@bspkit/core/format';
import type { UfoaiFormat } from './descriptor.ts';
import { identity } from './identity.ts';

export type { UfoaiFormat };

/** UFO:AI's format, for lists of formats: recognises files at once, and loads everything else when asked. */
export const ufoaiFormat: BspFormatEntry<UfoaiFormat> = {
  ...identity,
  loadReader: () => import('./reader.ts').then(({ reader }) => reader),
  load: () => import('./descriptor.ts').then(({ ufoai }) => ufoai),
};
