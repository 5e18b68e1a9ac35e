import { defineReader, type FormatReader } from '@bspkit/core/format';
import { type Quake1File, readQuake1 } from './file.ts';
import { createQuake1World, Quake1World } from './world.ts';

/** The way from bytes to a world, as all formats have it. */
export const reader: FormatReader<Quake1File, Quake1World> = /* @__PURE__ */ defineReader('quake1', {
  read: readQuake1,
  createWorld([file, ...others], { shared, offsets, kernel } = {}) {
    if (!file || others.length > 0) {
      throw new RangeError(`a Quake 1 world is one map, got ${file ? others.length + 1 : 'no'} files`);
    }
    if (offsets)
      throw new RangeError('offsets are for worlds made of several maps; a Quake 1 world is a single map');
    return createQuake1World(file, { shared, kernel });
  },
  open: (data) => Quake1World.from(data),
});
