import type { Polygon } from '@bspkit/core';
import { checkFlag, checkMask, checkNumber, checkOptions } from '@bspkit/core/format';
import { areaSize, clipBehind, planeWinding, reverseWinding, type Winding } from '@bspkit/geometry';
import { ALL_LEVELS, REGULAR_MODELS } from './constants.ts';
import { checkTarget, checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import {
  BRUSH_SIDES,
  LINE_HEAD_MODEL,
  LINE_HEAD_ROOT,
  LINE_HEAD_TILE,
  MODEL_ROOT,
  SECTIONS,
  SIDE_WORDS,
} from './layout.ts';
import { UfoaiModel } from './model.ts';
import type { UfoaiWorld } from './world.ts';

/** Which of a world's brushes become polygons. */
export interface PolygonOptions {
  /** Level bits; brushes of these levels and of none. All of them by default. */
  readonly levels?: number | undefined;
  /** Whether clip brushes come too; false by default. */
  readonly clips?: boolean | undefined;
  /** Only this tile. */
  readonly tile?: number | undefined;
}

const POLYGON_OPTIONS: readonly string[] = ['levels', 'clips', 'tile'] satisfies (keyof PolygonOptions)[];

/** A corner this far behind a plane still counts as on it, in Quake units. */
const ON_PLANE = 1 / 256;
/** A polygon with less area than this, in square Quake units, is what a bevel side leaves. */
const MIN_AREA = 1e-3;

/**
 * Faces of brushes as polygons that face away from the brush: what boxes and rays collide with, bevel sides left out.
 * Of a world, those of some levels; of a model, all of them, in its own frame (that of its tile, if it was built in
 * place).
 * @throws RangeError when there is no such tile.
 */
export function polygons(world: UfoaiWorld, options?: PolygonOptions): Polygon[];
export function polygons(model: UfoaiModel): Polygon[];
export function polygons(target: UfoaiWorld | UfoaiModel, options: PolygonOptions = {}): Polygon[] {
  checkTarget(target);
  checkOptions(options, target instanceof UfoaiModel ? [] : POLYGON_OPTIONS);
  const { _memory: memory } = target;
  const brushes = new Set<number>();
  if (target instanceof UfoaiModel) {
    const root = memory.ints[target._body.place + MODEL_ROOT]!;
    if (root >= 0) collectBrushes(memory, root, brushes);
  } else {
    const { levels = ALL_LEVELS, clips = false, tile } = options;
    checkMask(levels, 'levels');
    checkFlag(clips, 'clips');
    if (tile !== undefined) checkNumber(tile, target.tiles.length, 'tile');
    collectLevels(memory, levels, clips, tile, brushes);
  }
  return Array.from(brushes).flatMap((brush) => brushPolygons(memory, brush));
}

/**
 * The same for the brushes that a leaf lists; it is numbered through all tiles.
 * @throws RangeError when there is no such leaf.
 */
export function leafPolygons(world: UfoaiWorld, leaf: number): Polygon[] {
  checkWorld(world);
  checkNumber(leaf, world.numLeafs, 'leaf');
  const brushes = new Set<number>();
  collectBrushes(world._memory, -1 - leaf, brushes);
  return Array.from(brushes).flatMap((brush) => brushPolygons(world._memory, brush));
}

function collectLevels(
  memory: WorldMemory,
  levels: number,
  clips: boolean,
  tile: number | undefined,
  brushes: Set<number>,
): void {
  const { ints, places } = memory;
  for (let head = 0; head < places.lineHeads.count; head++) {
    const at = places.lineHeads.first + SECTIONS.lineHeads * head;
    const level = ints[at + LINE_HEAD_MODEL]!;
    if (level >= REGULAR_MODELS || (tile !== undefined && ints[at + LINE_HEAD_TILE] !== tile)) continue;
    if (level > ALL_LEVELS ? !clips : level !== 0 && (level & levels) === 0) continue;
    collectBrushes(memory, ints[at + LINE_HEAD_ROOT]!, brushes);
  }
}

/** Adds the places of all brushes below a node or leaf. */
export function collectBrushes({ ints, places }: WorldMemory, root: number, brushes: Set<number>): void {
  const stack = [root];
  for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
    if (child >= 0) {
      const node = places.nodes.first + SECTIONS.nodes * child;
      stack.push(ints[node + 3]!, ints[node + 2]!);
      continue;
    }
    const leaf = places.leafs.first + SECTIONS.leafs * (-1 - child);
    for (let k = 0; k < ints[leaf + 2]!; k++) brushes.add(ints[ints[leaf + 1]! + k]!);
  }
}

/** Places of a brush's sides. */
export function brushSides({ ints }: WorldMemory, brush: number): number[] {
  const first = ints[brush + BRUSH_SIDES]!;
  return Array.from({ length: ints[brush + BRUSH_SIDES + 1]! }, (_, k) => first + SIDE_WORDS * k);
}

function brushPolygons(memory: WorldMemory, brush: number): Polygon[] {
  const sides = brushSides(memory, brush);
  return sides.flatMap((side) => sidePolygon(memory, brush, side, sides) ?? []);
}

/** The face of a brush on one of its sides; `undefined` for a bevel. */
export function sidePolygon(
  { ints, floats }: WorldMemory,
  brush: number,
  side: number,
  sides: readonly number[],
): Polygon | undefined {
  const [x, y, z, dist] = floats.subarray(side, side + 4) as unknown as [number, number, number, number];
  let winding: Winding | undefined = planeWinding(x, y, z, dist);
  for (const other of sides) {
    if (other === side || !winding) continue;
    const [nx, ny, nz] = [floats[other]!, floats[other + 1]!, floats[other + 2]!];
    winding = clipBehind(winding, nx, ny, nz, floats[other + 3]!, ON_PLANE);
  }
  if (!winding || areaSize(winding) < MIN_AREA) return undefined;
  return {
    // Counter-clockwise seen from the front, which windings are not.
    vertices: Float32Array.from(reverseWinding(winding)),
    normal: floats.slice(side, side + 3),
    dist,
    texture: Math.max(-1, ints[side + 5]!),
    contents: ints[brush]!,
    surface: -1,
  };
}
