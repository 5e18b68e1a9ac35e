import { BspError } from '@bspkit/core';
import { countValues, listLumps, type MapInfo } from '@bspkit/core/format';
import { ALL_LEVELS } from './constants.ts';
import { LUMPS, type UfoaiFile, type UfoaiLump } from './file.ts';
import { heads } from './heads.ts';
import { levelList, modelName } from './levels.ts';
import { readRouting } from './routing/lump.ts';
import { CELLS, isStandingCell } from './routing/table.ts';
import type { UfoaiWorld } from './world.ts';

/**
 * Lumps whose content a world holds. It holds only 24 bytes of the routing lump, which is often the largest, so that is left out.
 */
const HELD: readonly UfoaiLump[] = [
  'entities',
  'planes',
  'nodes',
  'texinfo',
  'leafs',
  'leafBrushes',
  'models',
  'brushes',
  'sides',
];

/** What is in a map. */
export function info(file: UfoaiFile, world: UfoaiWorld): MapInfo {
  const entities = world.entities();
  const trees = heads(world).filter(({ kind }) => kind !== 'phantom');
  const used = trees.reduce((mask, { level }) => (level <= ALL_LEVELS ? mask | level : mask), 0);
  const { routing } = file;
  return {
    version: `IBSP ${file.version}`,
    bounds: world.bounds,
    facts: {
      levels: levelList(used).join(' ') || 'none',
      cells: `${routing.mins.join(' ')} to ${routing.maxs.join(' ')}`,
      'cells to stand in': countStandingCells(file),
      tiles: world.tiles.length,
      'line heads': trees.length,
      stumps: trees.reduce((sum, { stumps }) => sum + stumps, 0),
      doors: entities.filter(({ classname = '' }) => classname.startsWith('func_door')).length,
    },
    lumps: listLumps(file.lumps, LUMPS),
    models: file.models.flatMap(({ mins, maxs, headNode, numFaces }, number) =>
      headNode < 0 ? [] : [{ name: modelName(number), bounds: { mins, maxs }, figures: { faces: numFaces } }],
    ),
    entities,
    contents: { what: 'brushes', counts: countValues(file.brushes.contents) },
    memory: {
      world: world.data.byteLength,
      lumps: HELD.reduce((sum, name) => sum + file.lumps[name].length, 0),
    },
  };
}

/** From the file's own table. Maps whose table is broken can be traced too: then this says that it is. */
function countStandingCells(file: UfoaiFile): number | string {
  try {
    const [actor] = readRouting(file).actors;
    let count = 0;
    for (let cell = 0; cell < CELLS; cell++) if (isStandingCell(actor, cell)) count++;
    return count;
  } catch (error) {
    if (!(error instanceof BspError)) throw error;
    return error.message;
  }
}
