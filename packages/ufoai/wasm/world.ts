import { take } from '../../brushes/assembly/build';
import { count } from '../../core/assembly/world';
import { HEADER_WORDS, TILE_WORDS } from '../src/layout';
import { TILE_BYTES, TILES, TILES_END } from '../src/wasm/layout';

// What building for lines and building for boxes have in common.

/** Sections of the world's buffer, by their words in its header. */
export const WORLD_TILES: usize = HEADER_WORDS;
export const LINE_HEADS: usize = HEADER_WORDS + 2;
export const BOX_HEADS: usize = HEADER_WORDS + 4;
export const BOX_GROUPS: usize = HEADER_WORDS + 6;
export const MODELS: usize = HEADER_WORDS + 8;
export const LINES: usize = HEADER_WORDS + 10;
export const NODES: usize = HEADER_WORDS + 12;
export const PLANES: usize = HEADER_WORDS + 14;
export const LEAFS: usize = HEADER_WORDS + 16;
export const BRUSHES: usize = HEADER_WORDS + 20;

export const WORLD_TILE_BYTES: usize = 4 * TILE_WORDS;

/** Takes room for all tiles. Returns the first. */
export function takeTiles(): usize {
  const bytes = TILE_BYTES * <i64>count(WORLD_TILES);
  const tiles = take(bytes);
  store<i32>(TILES, <i32>tiles);
  store<i32>(TILES_END, <i32>tiles + <i32>bytes);
  return tiles;
}

/** Writes bounds (mins xyz and maxs xyz) as two vectors. */
export function writeBounds(to: usize, bounds: usize): void {
  v128.store(to, f32x4.replace_lane(v128.load(bounds), 3, 0));
  v128.store(to, f32x4.replace_lane(v128.load(bounds, 12), 3, 0), 16);
}
