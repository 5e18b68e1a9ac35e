import { defineReader, type FormatReader } from '@bspkit/core/format';
import { type Quake2File, readQuake2 } from './file.ts';
import { createQuake2World, Quake2World } from './world.ts';

/** The way from bytes to a world, as all formats have it. */
export const reader: FormatReader<Quake2File, Quake2World> = /* @__PURE__ */ defineReader('quake2', {
  read: readQuake2,
  createWorld([file, ...others], { shared, offsets, kernel } = {}) {
    if (!file || others.length > 0) {
      throw new RangeError(`a Quake 2 world is one map, got ${file ? others.length + 1 : 'no'} files`);
    }
    if (offsets)
      throw new RangeError('offsets are for worlds made of several maps; a Quake 2 world is a single map');
    return createQuake2World(file, { shared, kernel });
  },
  open: (data) => Quake2World.from(data),
});
