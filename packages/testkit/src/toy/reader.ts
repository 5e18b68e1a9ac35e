import { defineReader, type FormatReader, onlyFile, worldOptions } from '@bspkit/core/format';
import { readToy, type ToyFile } from './file.ts';
import { identity } from './identity.ts';
import { createToyWorld, ToyWorld } from './world.ts';

export const reader: FormatReader<ToyFile, ToyWorld> = defineReader<ToyFile, ToyWorld>('toy', {
  read: readToy,
  createWorld(files, options = {}) {
    const { shared, kernel } = options;
    return createToyWorld(onlyFile(files, options, identity), worldOptions({ shared, kernel }).shared);
  },
  open: ToyWorld.from,
});
