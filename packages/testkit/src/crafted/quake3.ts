import { type CraftedFormat, int } from './files.ts';

/** Quake 3, IBSP 46 and 47. */
export const QUAKE3_CRAFTED = {
  directory: 8,
  lumps: {
    ...{ entities: 1, shaders: 72, planes: 16, nodes: 36, leafs: 48, leafSurfaces: 4, leafBrushes: 4 },
    ...{ models: 40, brushes: 12, sides: 8, vertexes: 44, indexes: 4, fogs: 72, surfaces: 104 },
    ...{ lightmaps: 1, lightGrid: 1, visibility: 1 },
  },
  ranges: [
    { lump: 'leafs', of: 'leafSurfaces', first: int(32), length: int(36) },
    { lump: 'leafs', of: 'leafBrushes', first: int(40), length: int(44) },
    { lump: 'models', of: 'surfaces', first: int(24), length: int(28) },
    { lump: 'models', of: 'brushes', first: int(32), length: int(36) },
    { lump: 'brushes', of: 'sides', first: int(0), length: int(4) },
    { lump: 'surfaces', of: 'vertexes', first: int(12), length: int(16) },
    { lump: 'surfaces', of: 'indexes', first: int(20), length: int(24) },
  ],
  trees: [{ lump: 'nodes', child: int(4), heads: [] }],
} satisfies CraftedFormat;
