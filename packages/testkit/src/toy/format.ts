import type { BspFormatEntry } from '@bspkit/core/format';
import { type ToyFormat, toy } from './descriptor.ts';
import { identity } from './identity.ts';
import { reader } from './reader.ts';

/** The toy's light half. */
export const toyFormat: BspFormatEntry<ToyFormat> = {
  ...identity,
  loadReader: () => Promise.resolve(reader),
  load: () => Promise.resolve(toy),
};
