import {
  ACTORCLIP_MODEL,
  ALL_LEVELS,
  LIGHTCLIP_MODEL,
  REGULAR_MODELS,
  WEAPONCLIP_MODEL,
  WITH_ACTORCLIP,
  WITH_WEAPONCLIP,
} from '../constants.ts';
import { LINE_HEAD_MODEL, LINE_HEAD_TREE, SECTIONS, TILE_LINE_HEADS } from '../layout.ts';
import type { WorldMemory } from './memory.ts';

/** Which line heads a tracer walks. */
export interface HeadFilter {
  /** Level bits, `WITH_ACTORCLIP`, `WITH_WEAPONCLIP`. */
  mask: number;
  lightClip: boolean;
  /** Every head counts, whatever the mask. */
  ignoreMask: boolean;
  /** The engine's bit tests, which take the low bits of a clip's number for levels. */
  maskBits: boolean;
  /** The engine's heads of inline models, which walk the tile's first tree. */
  phantoms: boolean;
}

/** The line heads that a filter lets through, tile by tile. */
export interface HeadSelection {
  /** Numbers of heads and places of their trees, in the engine's order; a tile's begin at `tileFirst`. */
  readonly heads: Int32Array;
  readonly roots: Int32Array;
  readonly tileFirst: Int32Array;
  /** Head and root of a tile's phantom, 0 for none, and whether the tree it repeats is among the roots. */
  readonly phantomHeads: Int32Array;
  readonly phantomRoots: Int32Array;
  readonly phantomRepeats: Uint8Array;
}

/** Room for a selection of a world's heads. */
export function createSelection({ places }: WorldMemory): HeadSelection {
  const heads = places.lineHeads.count;
  const tiles = places.tiles.count;
  return {
    heads: new Int32Array(heads),
    roots: new Int32Array(heads),
    tileFirst: new Int32Array(tiles + 1),
    phantomHeads: new Int32Array(tiles),
    phantomRoots: new Int32Array(tiles),
    phantomRepeats: new Uint8Array(tiles),
  };
}

/** The engine's test of a level: a mask without levels means all of them. */
const hasLevel = (level: number, mask: number): boolean =>
  level === 0 || (mask & ALL_LEVELS) === 0 || (level & mask & ALL_LEVELS) !== 0;

/** Whether a filter lets the head of a model through. */
function passesFilter(model: number, filter: HeadFilter): boolean {
  const { mask, maskBits } = filter;
  if (model >= REGULAR_MODELS) return filter.phantoms && (filter.ignoreMask || hasLevel(model, mask));
  if (filter.ignoreMask) return true;
  if (model === LIGHTCLIP_MODEL) return filter.lightClip;
  if (model > LIGHTCLIP_MODEL && maskBits && !hasLevel(model, mask)) return false;
  if (model === WEAPONCLIP_MODEL) return (mask & WITH_WEAPONCLIP) !== 0;
  if (model === ACTORCLIP_MODEL) return (mask & WITH_ACTORCLIP) !== 0;
  return hasLevel(model, mask);
}

/** Fills a selection with the heads that a filter lets through. Allocates nothing. */
export function selectHeads({ ints, places }: WorldMemory, filter: HeadFilter, out: HeadSelection): void {
  let count = 0;
  for (let tile = 0; tile < places.tiles.count; tile++) {
    const range = places.tiles.first + SECTIONS.tiles * tile + TILE_LINE_HEADS;
    const first = ints[range]!;
    const end = first + ints[range + 1]!;
    out.tileFirst[tile] = count;
    out.phantomRoots[tile] = 0;
    out.phantomRepeats[tile] = 0;
    for (let head = first; head < end; head++) {
      const at = places.lineHeads.first + SECTIONS.lineHeads * head;
      const model = ints[at + LINE_HEAD_MODEL]!;
      const root = ints[at + LINE_HEAD_TREE]!;
      if (root === 0 || !passesFilter(model, filter)) continue;
      if (model >= REGULAR_MODELS) {
        // All phantoms of a tile walk the same way, so the first stands for the others.
        if (out.phantomRoots[tile] === 0) {
          out.phantomRoots[tile] = root;
          out.phantomHeads[tile] = head;
        }
        continue;
      }
      if (head === first) out.phantomRepeats[tile] = 1;
      out.heads[count] = head;
      out.roots[count++] = root;
    }
  }
  out.tileFirst[places.tiles.count] = count;
}
