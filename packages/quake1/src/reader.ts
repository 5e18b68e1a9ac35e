import { defineReader, type FormatReader, onlyFile } from '@bspkit/core/format';
import { type Quake1File, readQuake1 } from './file.ts';
import { identity } from './identity.ts';
import { createQuake1World, Quake1World } from './world.ts';

/** The way from bytes to a world, as all formats have it. */
export const reader: FormatReader<Quake1File, Quake1World> = /* @__PURE__ */ defineReader('quake1', {
  read: readQuake1,
  createWorld(files, options = {}) {
    const { shared, kernel } = options;
    return createQuake1World(onlyFile(files, options, identity), { shared, kernel });
  },
  open: (data, options) => Quake1World.from(data, options),
});
