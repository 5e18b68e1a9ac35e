import { defineReader, type FormatReader } from '@bspkit/core/format';
import { type Quake3File, readQuake3 } from './file.ts';
import { createQuake3World, Quake3World } from './world.ts';

/** The way from bytes to a world, as all formats have it. */
export const reader: FormatReader<Quake3File, Quake3World> = /* @__PURE__ */ defineReader('quake3', {
  read: readQuake3,
  createWorld([file, ...others], { shared, offsets, kernel } = {}) {
    if (!file || others.length > 0) {
      throw new RangeError(`a Quake 3 world is one map, got ${file ? others.length + 1 : 'no'} files`);
    }
    if (offsets)
      throw new RangeError('offsets are for worlds made of several maps; a Quake 3 world is a single map');
    return createQuake3World(file, { shared, kernel });
  },
  open: (data) => Quake3World.from(data),
});
