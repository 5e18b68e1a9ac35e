import { countValues, listLumps, type MapInfo } from '@bspkit/core/format';
import { modelsOf } from './brushes.ts';
import { lumpSizes, type Quake2File, type Quake2Lump, versionName } from './file.ts';
import type { Quake2World } from './world.ts';

/** Lumps from which a world keeps what it needs. */
const HELD: readonly Quake2Lump[] = [
  'entities',
  'planes',
  'visibility',
  'nodes',
  'texinfo',
  'leafs',
  'leafBrushes',
  'models',
  'brushes',
  'sides',
  'areas',
  'areaPortals',
];

/** What is in a map. */
export function info(file: Quake2File, world: Quake2World): MapInfo {
  const { brushes, models, lumps } = file;
  const counts = new Int32Array(models.length);
  for (const model of modelsOf(file)) counts[model]!++;
  return {
    version: versionName(file.version),
    bounds: world.bounds,
    facts: {
      clusters: file.numClusters,
      areas: Math.max(0, file.areas.count - 1),
      'area portals': new Set(file.areaPortals.portals.subarray(1)).size,
    },
    lumps: listLumps(lumps, lumpSizes(file.version)),
    models: models.map(({ mins, maxs, numFaces }, number) => ({
      name: number === 0 ? 'world' : `*${number}`,
      bounds: { mins, maxs },
      figures: { brushes: counts[number]!, faces: numFaces },
    })),
    entities: world.entities(),
    contents: { what: 'brushes', counts: countValues(brushes.contents) },
    memory: {
      world: world.data.byteLength,
      lumps: HELD.reduce((sum, name) => sum + lumps[name].length, 0),
    },
  };
}
