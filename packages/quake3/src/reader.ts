import { defineReader, type FormatReader, onlyFile } from '@bspkit/core/format';
import { type Quake3File, readQuake3 } from './file.ts';
import { identity } from './identity.ts';
import { createQuake3World, Quake3World } from './world.ts';

/** The way from bytes to a world, as all formats have it. */
export const reader: FormatReader<Quake3File, Quake3World> = /* @__PURE__ */ defineReader('quake3', {
  read: readQuake3,
  createWorld(files, options = {}) {
    const { shared, kernel } = options;
    return createQuake3World(onlyFile(files, options, identity), { shared, kernel });
  },
  open: (data, options) => Quake3World.from(data, options),
});
