import { type CraftedFormat, type Field, int } from './files.ts';

/** Quake, BSP version 29. */
export const QUAKE1_CRAFTED: CraftedFormat = quake1(2);
/** Quake, BSP2. */
export const BSP2_CRAFTED: CraftedFormat = quake1(4);

function quake1(index: 2 | 4): CraftedFormat {
  const field = (at: number): Field => ({ at, size: index });
  const bounds = 6 * index;
  const faces = 4 + 2 * index + bounds;
  return {
    directory: 4,
    lumps: {
      ...{ entities: 1, planes: 20, textures: 1, vertexes: 12, visibility: 1, nodes: faces + 2 * index },
      ...{ texInfos: 40, faces: 12 + 4 * index, lighting: 1, clipNodes: 4 + 2 * index },
      ...{ leafs: 12 + bounds + 2 * index, markSurfaces: index, edges: 2 * index, surfEdges: 4, models: 64 },
    },
    ranges: [
      { lump: 'models', of: 'faces', first: int(56), length: int(60) },
      { lump: 'nodes', of: 'faces', first: field(faces), length: field(faces + index) },
      { lump: 'leafs', of: 'markSurfaces', first: field(8 + bounds), length: field(8 + bounds + index) },
      { lump: 'faces', of: 'surfEdges', first: int(2 * index), length: field(2 * index + 4) },
    ],
    trees: [
      { lump: 'nodes', child: field(4), heads: [int(36)] },
      { lump: 'clipNodes', child: field(4), heads: [40, 44, 48].map(int) },
    ],
  };
}
