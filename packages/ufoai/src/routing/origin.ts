import { BRUSH_WORDS, PLANE_WORDS, SIDE_PLANE, SIDE_WORDS } from '@bspkit/brushes';
import { checkFileOf, type SectionPlace, sha256 } from '@bspkit/core/format';
import { shiftedDists } from '../build.ts';
import type { UfoaiFile } from '../file.ts';
import { checkWorld } from '../given.ts';
import { TILE_BRUSHES, TILE_PLANES, TILE_SHIFT, TILE_SIDES, TILE_WORDS } from '../layout.ts';
import type { UfoaiWorld } from '../world.ts';

// Which map a table belongs to. Tables are computed from brushes, so maps with the same brushes in the same places are one map.

/** Brushes where they lie, as bytes: normals and distances of the planes, the planes of all sides, contents. */
type Brushes = Uint8Array;

function packBrushes(
  normals: ArrayLike<number>,
  dists: ArrayLike<number>,
  planes: ArrayLike<number>,
  contents: ArrayLike<number>,
): Brushes {
  const lengths = [normals, dists, planes, contents].reduce((sum, { length }) => sum + length, 0);
  const view = new DataView(new ArrayBuffer(4 * lengths));
  let at = 0;
  for (const floats of [normals, dists]) {
    // Zeros are equal, whatever their signs.
    for (let k = 0; k < floats.length; k++, at += 4) view.setFloat32(at, floats[k]! + 0, true);
  }
  for (const ints of [planes, contents]) {
    for (let k = 0; k < ints.length; k++, at += 4) view.setInt32(at, ints[k]!, true);
  }
  return new Uint8Array(view.buffer);
}

/** The brushes of a file, moved by some Quake units. */
const brushesOfFile = (file: UfoaiFile, shift: ArrayLike<number> = [0, 0, 0]): Brushes =>
  packBrushes(file.planes.normals, shiftedDists(file, shift), file.sides.planes, file.brushes.contents);

/** The brushes of a world's tile. */
function brushesOfTile({ _memory: { ints, floats, places } }: UfoaiWorld, tile: number): Brushes {
  /** Some words of each of a tile's records, which begin where the tile says, and end where those of the next begin. */
  const wordsOf = (
    words: ArrayLike<number>,
    { first, count }: SectionPlace,
    begin: number,
    size: number,
    from: number,
    to: number,
  ): number[] => {
    const numbers: number[] = [];
    const at = places.tiles.first + TILE_WORDS * tile + begin;
    const end = tile + 1 < places.tiles.count ? ints[at + TILE_WORDS]! : count;
    for (let record = ints[at]!; record < end; record++) {
      for (let k = from; k < to; k++) numbers.push(words[first + size * record + k]!);
    }
    return numbers;
  };
  return packBrushes(
    wordsOf(floats, places.planes, TILE_PLANES, PLANE_WORDS, 0, 3),
    wordsOf(floats, places.planes, TILE_PLANES, PLANE_WORDS, 3, 4),
    wordsOf(ints, places.sides, TILE_SIDES, SIDE_WORDS, SIDE_PLANE, SIDE_PLANE + 1),
    wordsOf(ints, places.brushes, TILE_BRUSHES, BRUSH_WORDS, 0, 1),
  );
}

/** Bytes of an origin. */
export const ORIGIN_BYTES = 32;

/** An origin as bytes, and back. */
export const bytesOfOrigin = (origin: string): Uint8Array =>
  Uint8Array.from({ length: ORIGIN_BYTES }, (_, k) => Number.parseInt(origin.slice(2 * k, 2 * k + 2), 16));
export const readOrigin = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Which map a file's own table is of: a hash of its brushes, in hex. */
export const originOfFile = (file: UfoaiFile): string => sha256(brushesOfFile(file));

/** Which map the table of a world is of: that of its file, where it has one tile that was not moved. */
export function originOfWorld(world: UfoaiWorld): string {
  const tiles = world.tiles.map((_, tile) => brushesOfTile(world, tile));
  const all = new Uint8Array(tiles.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const tile of tiles) {
    all.set(tile, at);
    at += tile.length;
  }
  return sha256(all);
}

/** The same of either. Throws `TypeError` for anything else. */
export function originOf(map: UfoaiWorld | UfoaiFile): string {
  if (typeof map === 'object' && map !== null && 'lumps' in map) {
    checkFileOf(map, 'ufoai', 'readUfoai');
    return originOfFile(map);
  }
  checkWorld(map, 'a UfoaiWorld, or what readUfoai has read', 'map');
  return originOfWorld(map);
}

/** Whether a file is that of a world's tile. */
export function isFileOfTile(file: UfoaiFile, world: UfoaiWorld, tile: number): boolean {
  const { floats, places } = world._memory;
  const shift = floats.subarray(places.tiles.first + TILE_WORDS * tile + TILE_SHIFT);
  return areSame(brushesOfFile(file, shift), brushesOfTile(world, tile));
}

const areSame = (one: Brushes, other: Brushes): boolean =>
  one.length === other.length && one.every((value, k) => value === other[k]);
