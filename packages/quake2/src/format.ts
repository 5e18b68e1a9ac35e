import type { BspFormatEntry } from '@bspkit/core/format';
import type { Quake2Format } from './descriptor.ts';
import { identity } from './identity.ts';

export type { Quake2Format };

/** Quake 2's format, for lists of formats: recognises files at once, and loads everything else when asked. */
export const quake2Format: BspFormatEntry<Quake2Format> = {
  ...identity,
  loadReader: () => import('./reader.ts').then(({ reader }) => reader),
  load: () => import('./descriptor.ts').then(({ quake2 }) => quake2),
};
