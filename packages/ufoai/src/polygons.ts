import { collectBrushes, facePolygons, type MadeFaces } from '@bspkit/brushes';
import type { Polygon, PolygonSource } from '@bspkit/core';
import { checkFlag, checkMask, checkNumber, checkOptions } from '@bspkit/core/format';
import { ALL_LEVELS, BOX_ALL, REGULAR_MODELS } from './constants.ts';
import { checkTarget, checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import {
  LINE_HEAD_MODEL,
  LINE_HEAD_ROOT,
  LINE_HEAD_TILE,
  LINE_HEAD_WORDS,
  MODEL_OWN_FRAME,
  MODEL_ROOT,
  MODEL_TILE,
  TILE_SHIFT,
  TILE_WORDS,
} from './layout.ts';
import { UfoaiModel } from './model.ts';
import { boxKey, selectBoxHeads } from './selection.ts';
import type { UfoaiWorld } from './world.ts';

/** Which of a world's brushes become polygons. */
export interface PolygonOptions {
  /** Level bits, as for boxes: brushes of these levels, and those of none. `BOX_ALL` by default; 0 means every level. */
  readonly levels?: number | undefined;
  /** Whether clip brushes are included; false by default. */
  readonly clips?: boolean | undefined;
  /** Only this tile. */
  readonly tile?: number | undefined;
}

const POLYGON_OPTIONS: readonly string[] = ['levels', 'clips', 'tile'] satisfies (keyof PolygonOptions)[];

/**
 * Faces of brushes as polygons that face away from the brush: what boxes and rays collide with. Bevel sides and infinite faces
 * are left out. For a world, those of some levels; for a model, all of them, in its own frame (that of its tile, if it was built
 * in place).
 * @throws RangeError when there is no such tile.
 */
export function polygons(world: UfoaiWorld, options?: PolygonOptions): Polygon[];
export function polygons(model: UfoaiModel): Polygon[];
export function polygons(target: UfoaiWorld | UfoaiModel, options: PolygonOptions = {}): Polygon[] {
  checkTarget(target);
  checkOptions(options, target instanceof UfoaiModel ? [] : POLYGON_OPTIONS);
  if (!(target instanceof UfoaiModel)) return worldPolygons(target, options);
  const { _memory: memory } = target;
  const brushes = new Set<number>();
  const root = memory.ints[target._body.place + MODEL_ROOT]!;
  if (root >= 0) collectBrushes(memory, root, brushes);
  return facePolygons(memory, brushes).map((polygon) => inModelFrame(memory, target._body.place, polygon));
}

/**
 * A polygon of a model, given by its place, in the model's own frame. Planes are in the world's frame: if the model was built
 * around its own origin, they are off by its tile's shift.
 */
export function inModelFrame(
  { ints, floats, places }: WorldMemory,
  model: number,
  polygon: Polygon,
): Polygon {
  if (ints[model + MODEL_OWN_FRAME] === 0) return polygon;
  const at = places.tiles.first + TILE_WORDS * ints[model + MODEL_TILE]! + TILE_SHIFT;
  const shift = floats.subarray(at, at + 3);
  const { vertices, normal } = polygon;
  return {
    ...polygon,
    vertices: vertices.map((x, k) => x - shift[k % 3]!),
    dist: Math.fround(
      polygon.dist - (normal[0]! * shift[0]! + normal[1]! * shift[1]! + normal[2]! * shift[2]!),
    ),
  };
}

/**
 * Faces of the brushes that a leaf lists, as from {@link polygons}; a brush that reaches into several leafs is listed whole in
 * each. Leafs are numbered through all tiles. Each call makes them again: `polygons(world)` of the game's format makes each only
 * once.
 * @throws RangeError when there is no such leaf.
 */
export function leafPolygons(world: UfoaiWorld, leaf: number): Polygon[] {
  checkWorld(world);
  return polygonsOfLeaf(world, leaf);
}

/** The brushes of a world, for queries leaf by leaf: each brush is cut to faces once, however many leafs list it. */
export function polygonSource(world: UfoaiWorld): Pick<PolygonSource, 'polygons' | 'leafPolygons'> {
  const made: MadeFaces = new Map();
  return {
    polygons: () => worldPolygons(world, {}, made),
    leafPolygons: (leaf) => polygonsOfLeaf(world, leaf, made),
  };
}

function worldPolygons(
  { _memory: memory, tiles }: UfoaiWorld,
  { levels = BOX_ALL, clips = false, tile }: PolygonOptions,
  made?: MadeFaces,
): Polygon[] {
  checkMask(levels, 'levels');
  checkFlag(clips, 'clips');
  if (tile !== undefined) checkNumber(tile, 'tile', tiles.length);
  const brushes = new Set<number>();
  collectLevels(memory, levels, clips, tile, brushes);
  return facePolygons(memory, brushes, made);
}

function polygonsOfLeaf(world: UfoaiWorld, leaf: number, made?: MadeFaces): Polygon[] {
  checkNumber(leaf, 'leaf', world.numLeafs);
  const brushes = new Set<number>();
  collectBrushes(world._memory, -1 - leaf, brushes);
  return facePolygons(world._memory, brushes, made);
}

function collectLevels(
  memory: WorldMemory,
  levels: number,
  clips: boolean,
  tile: number | undefined,
  brushes: Set<number>,
): void {
  const { ints, places } = memory;
  const selection = selectBoxHeads(levels);
  for (let head = 0; head < places.lineHeads.count; head++) {
    const at = places.lineHeads.first + LINE_HEAD_WORDS * head;
    const level = ints[at + LINE_HEAD_MODEL]!;
    if (level >= REGULAR_MODELS || (tile !== undefined && ints[at + LINE_HEAD_TILE] !== tile)) continue;
    if (level > ALL_LEVELS ? !clips : (boxKey(level) & selection) === 0) continue;
    collectBrushes(memory, ints[at + LINE_HEAD_ROOT]!, brushes);
  }
}
