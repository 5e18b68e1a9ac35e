import { countValues, listLumps, type MapInfo } from '@bspkit/core/format';
import { brushRecords } from './brushes.ts';
import { SURFACE_PATCH } from './constants.ts';
import { LUMPS, type Quake3File, type Quake3Lump } from './file.ts';
import { identity } from './identity.ts';
import type { Quake3World } from './world.ts';

/** Lumps from which a world keeps nothing: those that are only drawn. */
const UNUSED: readonly Quake3Lump[] = ['fogs', 'lightmaps', 'lightGrid'];

/** What is in a map. */
export function info(file: Quake3File, world: Quake3World): MapInfo {
  const { surfaces, leafs, models, lumps } = file;
  const used = Object.entries(lumps).filter(([name]) => !UNUSED.includes(name as Quake3Lump));
  return {
    version: identity.versions[file.version - 46]!,
    bounds: world.bounds,
    facts: {
      'curved patches': surfaces.filter(({ type }) => type === SURFACE_PATCH).length,
      clusters: world.numClusters,
      areas: new Set(leafs.areas.filter((area) => area >= 0)).size,
    },
    lumps: listLumps(lumps, LUMPS),
    models: models.map(({ mins, maxs, numBrushes, numSurfaces }, number) => ({
      name: number === 0 ? 'world' : `*${number}`,
      bounds: { mins, maxs },
      figures: { brushes: numBrushes, surfaces: numSurfaces },
    })),
    entities: world.entities(),
    contents: { what: 'brushes', counts: countValues(brushRecords(file).brushes.contents) },
    memory: {
      world: world.data.byteLength,
      lumps: used.reduce((sum, [, { length }]) => sum + length, 0),
    },
  };
}
