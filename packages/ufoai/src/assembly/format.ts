import type { FormatAssemblies } from '@bspkit/core/format';
import { assembleTiles } from './assemble.ts';
import { readUmp } from './ump.ts';

/** Assemblies, for code that does not know the game. */
export const assemblies: FormatAssemblies = {
  ending: '.ump',
  plan(text, { extend, ...options } = {}) {
    const { assembly, tiles } = assembleTiles(readUmp(text, { extend }), options);
    return { name: assembly.name, parts: tiles.map(({ name, x, y, z }) => ({ name, offset: [x, y, z] })) };
  },
};
