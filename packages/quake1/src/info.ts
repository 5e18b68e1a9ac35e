import { countValues, type MapInfo } from '@bspkit/core/format';
import type { Quake1File, Quake1Lump } from './file.ts';
import { VERSION_NAMES } from './identity.ts';
import type { Quake1World } from './world.ts';

/** Lumps of which a world keeps what it needs. */
const HELD: readonly Quake1Lump[] = [
  'entities',
  'planes',
  'visibility',
  'nodes',
  'clipNodes',
  'leafs',
  'models',
  'vertexes',
  'texInfos',
  'faces',
  'edges',
  'surfEdges',
  'markSurfaces',
];

/** What is in a map. */
export function info(file: Quake1File, world: Quake1World): MapInfo {
  const { extensions, lumps, models, leafs } = file;
  const records = countRecords(file);
  return {
    version: VERSION_NAMES[file.version],
    bounds: world.bounds,
    facts: {
      hulls: world.hulls.length,
      'leafs with visibility': world.numVisLeafs,
      ...(extensions.length > 0 && { extensions: extensions.map(({ name }) => name).join(', ') }),
    },
    lumps: Object.entries(lumps).map(([name, { length }]) => ({
      name,
      bytes: length,
      records: records[name as Quake1Lump],
    })),
    models: models.map(({ mins, maxs, numFaces, numVisLeafs }, number) => ({
      name: number === 0 ? 'world' : `*${number}`,
      bounds: { mins, maxs },
      figures: { leafs: numVisLeafs, faces: numFaces },
    })),
    entities: world.entities(),
    contents: { what: 'leafs', counts: countValues(leafs.contents) },
    memory: {
      world: world.data.byteLength,
      lumps: HELD.reduce((sum, name) => sum + lumps[name].length, 0),
    },
  };
}

/** Number of records of every lump that is a list. */
function countRecords(file: Quake1File): Partial<Record<Quake1Lump, number>> {
  const { planes, vertexes, nodes, texInfos, faces, clipNodes, leafs } = file;
  const { textures, markSurfaces, surfEdges, models, edges } = file;
  return {
    planes: planes.count,
    textures: textures.length,
    vertexes: vertexes.count,
    nodes: nodes.count,
    texInfos: texInfos.count,
    faces: faces.count,
    clipNodes: clipNodes.count,
    leafs: leafs.count,
    markSurfaces: markSurfaces.length,
    edges: edges.length / 2,
    surfEdges: surfEdges.length,
    models: models.length,
  };
}
