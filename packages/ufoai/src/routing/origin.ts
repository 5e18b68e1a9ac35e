import { BRUSH_WORDS, PLANE_WORDS, SIDE_PLANE, SIDE_WORDS } from '@bspkit/brushes';
import { shiftedDists } from '../build.ts';
import type { UfoaiFile } from '../file.ts';
import type { WorldMemory } from '../kernel/memory.ts';
import { TILE_BRUSHES, TILE_PLANES, TILE_SHIFT, TILE_SIDES, TILE_WORDS } from '../layout.ts';
import type { UfoaiWorld } from '../world.ts';

// Which map a table is of. It is computed from brushes, so maps with the same ones in the same places are one map.

/** The brushes of a tile where it lies. */
export interface TileBrushes {
  /** Of each plane, normal and distance. */
  readonly planes: Float32Array;
  /** Of each side, the number of its plane. */
  readonly sides: Int32Array;
  /** Of each brush, its contents. */
  readonly contents: Int32Array;
}

/** The brushes of a world's tile. */
export function brushesOfTile({ _memory: memory }: UfoaiWorld, tile: number): TileBrushes {
  const { ints, floats, places } = memory;
  const [plane, planes] = rangeOf(memory, tile, TILE_PLANES, places.planes.count);
  const [side, sides] = rangeOf(memory, tile, TILE_SIDES, places.sides.count);
  const [brush, brushes] = rangeOf(memory, tile, TILE_BRUSHES, places.brushes.count);
  const at = places.planes.first + PLANE_WORDS * plane;
  return {
    planes: floats.slice(at, at + PLANE_WORDS * planes),
    sides: column(ints, places.sides.first + SIDE_WORDS * side + SIDE_PLANE, SIDE_WORDS, sides),
    contents: column(ints, places.brushes.first + BRUSH_WORDS * brush, BRUSH_WORDS, brushes),
  };
}

/** The brushes of all tiles of a world. */
export const brushesOfWorld = (world: UfoaiWorld): TileBrushes[] =>
  world.tiles.map((_, tile) => brushesOfTile(world, tile));

/** The brushes of a file, moved by some Quake units. */
export function brushesOfFile(file: UfoaiFile, shift: readonly number[] = [0, 0, 0]): TileBrushes {
  const { normals, count } = file.planes;
  const dists = shiftedDists(file, shift);
  const planes = new Float32Array(PLANE_WORDS * count);
  for (let k = 0; k < count; k++) {
    planes.set(normals.subarray(3 * k, 3 * k + 3), PLANE_WORDS * k);
    planes[PLANE_WORDS * k + 3] = dists[k]!;
  }
  return { planes, sides: file.sides.planes.slice(), contents: file.brushes.contents.slice() };
}

/** Whether a file is that of a world's tile. */
export function isFileOfTile(file: UfoaiFile, world: UfoaiWorld, tile: number): boolean {
  const { floats, places } = world._memory;
  const at = places.tiles.first + TILE_WORDS * tile + TILE_SHIFT;
  return areSame(brushesOfFile(file, Array.from(floats.subarray(at, at + 3))), brushesOfTile(world, tile));
}

/** Whether the brushes are those of a world's tiles. */
export function areOfWorld(tiles: readonly TileBrushes[], world: UfoaiWorld): boolean {
  return (
    tiles.length === world.tiles.length &&
    tiles.every((own, tile) => areSame(own, brushesOfTile(world, tile)))
  );
}

/** Number of a tile's first record, and how many it has: those of the next tile begin behind them. */
function rangeOf({ ints, places }: WorldMemory, tile: number, word: number, all: number): [number, number] {
  const at = places.tiles.first + TILE_WORDS * tile + word;
  const first = ints[at]!;
  return [first, (tile + 1 === places.tiles.count ? all : ints[at + TILE_WORDS]!) - first];
}

function column(ints: Int32Array, first: number, words: number, count: number): Int32Array {
  const values = new Int32Array(count);
  for (let k = 0; k < count; k++) values[k] = ints[first + words * k]!;
  return values;
}

const areSame = (one: TileBrushes, other: TileBrushes): boolean =>
  isSame(one.planes, other.planes) && isSame(one.sides, other.sides) && isSame(one.contents, other.contents);

const isSame = (one: Float32Array | Int32Array, other: Float32Array | Int32Array): boolean =>
  one.length === other.length && one.every((value, k) => value === other[k]);
