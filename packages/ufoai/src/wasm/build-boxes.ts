import { BOX_FRAME_BYTES, STACK, TreeBuilder, Writer, writeHotBrushes } from '@bspkit/brushes';
import type { WorldMemory } from '../kernel/memory.ts';
import {
  BOX_GROUP_HEADS,
  BOX_GROUP_KEY,
  BOX_HEAD_BOUNDS,
  BOX_HEAD_KEY,
  BOX_STACK_WORD,
  MODEL_ROOT,
  SECTIONS,
  TILE_BOX_GROUPS,
  TILE_MINS,
} from '../layout.ts';
import {
  ENTRY_BYTES,
  ENTRY_END,
  ENTRY_FIRST,
  ENTRY_KEY,
  TILE_BYTES,
  TILE_GROUPS,
  TILES,
  TILES_END,
} from './layout.ts';

/** What the kernel needs of a world to trace boxes, laid out as `layout.ts` says, and its trees by their root nodes. */
export function buildBoxes(memory: WorldMemory): { out: Writer; trees: Map<number, number> } {
  const { ints, floats, places } = memory;
  const out = new Writer(STACK + BOX_FRAME_BYTES * ints[BOX_STACK_WORD]!);
  const tiles = out.take(TILE_BYTES * places.tiles.count);
  out.ints[TILES >> 2] = tiles;
  out.ints[TILES_END >> 2] = tiles + TILE_BYTES * places.tiles.count;
  const builder = new TreeBuilder(memory, out, writeHotBrushes(memory, out));
  const trees = new Map<number, number>();
  const treeOf = (root: number): number => {
    const tree = builder.child(root);
    trees.set(root, tree);
    return tree;
  };
  for (let tile = 0; tile < places.tiles.count; tile++) {
    const record = places.tiles.first + SECTIONS.tiles * tile;
    const at = tiles + TILE_BYTES * tile;
    out.bounds(at, floats, record + TILE_MINS);
    const firstGroup = ints[record + TILE_BOX_GROUPS]!;
    const numGroups = ints[record + TILE_BOX_GROUPS + 1]!;
    const groups = out.take(ENTRY_BYTES * numGroups);
    out.ints[(at + TILE_GROUPS) >> 2] = groups;
    out.ints[(at + TILE_GROUPS + 4) >> 2] = groups + ENTRY_BYTES * numGroups;
    for (let k = 0; k < numGroups; k++) {
      const group = places.boxGroups.first + SECTIONS.boxGroups * (firstGroup + k);
      const entry = groups + ENTRY_BYTES * k;
      const numHeads = ints[group + BOX_GROUP_HEADS + 1]!;
      const heads = out.take(ENTRY_BYTES * numHeads);
      out.bounds(entry, floats, group);
      out.ints[(entry + ENTRY_KEY) >> 2] = ints[group + BOX_GROUP_KEY]!;
      out.ints[(entry + ENTRY_FIRST) >> 2] = heads;
      out.ints[(entry + ENTRY_END) >> 2] = heads + ENTRY_BYTES * numHeads;
      for (let j = 0; j < numHeads; j++) {
        const head = places.boxHeads.first + SECTIONS.boxHeads * (ints[group + BOX_GROUP_HEADS]! + j);
        const headEntry = heads + ENTRY_BYTES * j;
        out.bounds(headEntry, floats, head + BOX_HEAD_BOUNDS);
        out.ints[(headEntry + ENTRY_KEY) >> 2] = ints[head + BOX_HEAD_KEY]!;
        const tree = treeOf(ints[head]!);
        out.ints[(headEntry + ENTRY_FIRST) >> 2] = tree;
      }
    }
  }
  for (let model = 0; model < places.models.count; model++) {
    const root = ints[places.models.first + SECTIONS.models * model + MODEL_ROOT]!;
    if (root >= 0) treeOf(root);
  }
  return { out, trees };
}
