import { defineReader, type FormatReader, onlyFile } from '@bspkit/core/format';
import { type Quake2File, readQuake2 } from './file.ts';
import { identity } from './identity.ts';
import { createQuake2World, Quake2World } from './world.ts';

/** The way from bytes to a world, as all formats have it. */
export const reader: FormatReader<Quake2File, Quake2World> = /* @__PURE__ */ defineReader('quake2', {
  read: readQuake2,
  createWorld(files, options = {}) {
    const { shared, kernel } = options;
    return createQuake2World(onlyFile(files, options, identity), { shared, kernel });
  },
  open: (data, options) => Quake2World.from(data, options),
});
