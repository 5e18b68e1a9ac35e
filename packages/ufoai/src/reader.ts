import { defineReader, type FormatReader } from '@bspkit/core/format';
import { readUfoai, type UfoaiFile } from './file.ts';
import { createUfoaiWorld, UfoaiWorld } from './world.ts';

/** The way from bytes to a world, as all formats have it. */
export const reader: FormatReader<UfoaiFile, UfoaiWorld> = /* @__PURE__ */ defineReader('ufoai', {
  read: readUfoai,
  createWorld(files, { offsets = [], shared, kernel } = {}) {
    if (offsets.length > files.length) {
      throw new RangeError(`offsets must be one per file, got ${offsets.length} for ${files.length} files`);
    }
    const tiles = files.map((file, k) => ({
      file,
      x: offsets[k]?.[0],
      y: offsets[k]?.[1],
      z: offsets[k]?.[2],
    }));
    return createUfoaiWorld(tiles, { shared, kernel });
  },
  open: (data, options) => UfoaiWorld.from(data, options),
});
