import { BRUSH_WORDS, PLANE_WORDS, SIDE_PLANE, SIDE_WORDS } from '@bspkit/brushes';
import type { SectionPlace } from '@bspkit/core/format';
import { shiftedDists } from '../build.ts';
import type { UfoaiFile } from '../file.ts';
import { TILE_BRUSHES, TILE_PLANES, TILE_SHIFT, TILE_SIDES, TILE_WORDS } from '../layout.ts';
import type { UfoaiWorld } from '../world.ts';

// Which map a table belongs to. Tables are computed from brushes, so maps with the same brushes in the same places are one map.

/** Brushes where they are: normals and distances of the planes, the planes of all sides, contents. */
export type Brushes = readonly number[];

/** The brushes of a file, moved by some Quake units. */
export const brushesOfFile = (file: UfoaiFile, shift: ArrayLike<number> = [0, 0, 0]): Brushes => [
  ...file.planes.normals,
  ...shiftedDists(file, shift),
  ...file.sides.planes,
  ...file.brushes.contents,
];

/** The brushes of a world's tile. */
function brushesOfTile({ _memory: { ints, floats, places } }: UfoaiWorld, tile: number): Brushes {
  const numbers: number[] = [];
  /** Adds some words of each of a tile's records, which begin where the tile says, and end where those of the next tile begin. */
  const add = (
    words: ArrayLike<number>,
    { first, count }: SectionPlace,
    begin: number,
    size: number,
    from: number,
    to: number,
  ): void => {
    const at = places.tiles.first + TILE_WORDS * tile + begin;
    const end = tile + 1 < places.tiles.count ? ints[at + TILE_WORDS]! : count;
    for (let record = ints[at]!; record < end; record++) {
      for (let k = from; k < to; k++) numbers.push(words[first + size * record + k]!);
    }
  };
  add(floats, places.planes, TILE_PLANES, PLANE_WORDS, 0, 3);
  add(floats, places.planes, TILE_PLANES, PLANE_WORDS, 3, 4);
  add(ints, places.sides, TILE_SIDES, SIDE_WORDS, SIDE_PLANE, SIDE_PLANE + 1);
  add(ints, places.brushes, TILE_BRUSHES, BRUSH_WORDS, 0, 1);
  return numbers;
}

/** The brushes of a world, tile by tile. */
export const brushesOfWorld = (world: UfoaiWorld): Brushes =>
  world.tiles.flatMap((_, tile) => brushesOfTile(world, tile));

/** Whether a file is that of a world's tile. */
export function isFileOfTile(file: UfoaiFile, world: UfoaiWorld, tile: number): boolean {
  const { floats, places } = world._memory;
  const shift = floats.subarray(places.tiles.first + TILE_WORDS * tile + TILE_SHIFT);
  return areSame(brushesOfFile(file, shift), brushesOfTile(world, tile));
}

export const areSame = (one: Brushes, other: Brushes): boolean =>
  one.length === other.length && one.every((value, k) => value === other[k]);
