import { type CraftedFormat, int, short } from './files.ts';

/** UFO:AI, IBSP 78 and 79. */
export const UFOAI_CRAFTED = {
  directory: 8,
  lumps: {
    ...{ entities: 1, planes: 20, vertexes: 12, routing: 1, nodes: 28, texinfo: 72, faces: 20 },
    ...{ lightingNight: 1, lightingDay: 1, leafs: 24, leafBrushes: 2, edges: 4, surfEdges: 4 },
    ...{ models: 48, brushes: 12, sides: 4, normals: 12 },
  },
  ranges: [
    { lump: 'leafs', of: 'leafBrushes', first: short(18), length: short(20), sample: 2 },
    { lump: 'brushes', of: 'sides', first: int(0), length: int(4) },
  ],
  trees: [{ lump: 'nodes', child: int(4), heads: [int(36)] }],
} satisfies CraftedFormat;
