import type { BspFormatEntry } from '@bspkit/core/format';
import type { Quake1Format } from './descriptor.ts';
import { identity } from './identity.ts';

export type { Quake1Format };

/** The format of Quake 1 and Half-Life, for lists of formats: recognises files at once, and loads everything else when asked. */
export const quake1Format: BspFormatEntry<Quake1Format> = {
  ...identity,
  loadReader: () => import('./reader.ts').then(({ reader }) => reader),
  load: () => import('./descriptor.ts').then(({ quake1 }) => quake1),
};
