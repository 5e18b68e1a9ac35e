import { type CraftedFormat, int, short } from './files.ts';

/** Quake 2, IBSP 38. */
export const QUAKE2_CRAFTED = {
  directory: 8,
  lumps: {
    ...{ entities: 1, planes: 20, vertexes: 12, visibility: 1, nodes: 28, texinfo: 76, faces: 20 },
    ...{ lighting: 1, leafs: 28, leafFaces: 2, leafBrushes: 2, edges: 4, surfEdges: 4, models: 48 },
    ...{ brushes: 12, sides: 4, pop: 1, areas: 8, areaPortals: 8 },
  },
  ranges: [
    { lump: 'leafs', of: 'leafBrushes', first: short(24), length: short(26), sample: 2 },
    { lump: 'brushes', of: 'sides', first: int(0), length: int(4) },
    { lump: 'areas', of: 'areaPortals', first: int(4), length: int(0) },
  ],
  trees: [{ lump: 'nodes', child: int(4), heads: [int(36)] }],
} satisfies CraftedFormat;
