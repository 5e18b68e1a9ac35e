import type { BspFormatEntry } from '@bspkit/core/format';
import type { Quake1Format } from './descriptor.ts';
import { identity } from './identity.ts';

// The light half of the descriptor: it recognises files, and loads the rest when that is needed.

export type { Quake1Format } from './descriptor.ts';

/** Quake 1 and Half-Life maps, for lists of formats. */
export const quake1Format: BspFormatEntry<Quake1Format> = {
  ...identity,
  loadReader: () => import('./reader.ts').then(({ reader }) => reader),
  load: () => import('./descriptor.ts').then(({ quake1 }) => quake1),
};
