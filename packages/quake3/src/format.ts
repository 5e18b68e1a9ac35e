import type { BspFormatEntry } from '@bspkit/core/format';
import type { Quake3Format } from './descriptor.ts';
import { identity } from './identity.ts';

export type { Quake3Format };

/** Quake 3's format, for lists of formats: recognises files at once, and loads everything else when asked. */
export const quake3Format: BspFormatEntry<Quake3Format> = {
  ...identity,
  loadReader: () => import('./reader.ts').then(({ reader }) => reader),
  load: () => import('./descriptor.ts').then(({ quake3 }) => quake3),
};
