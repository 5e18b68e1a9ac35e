import { KIND_MASK, NODE_WORDS, OBLIQUE } from '@bspkit/brushes';
import {
  type FirstNumbers,
  type Found,
  nothing,
  type Query,
  readNode,
  type TreeNode,
  traceTree,
} from '@bspkit/brushes/reference';
import type { WorldMemory } from '../kernel/memory.ts';
import { TILE_BRUSHES, TILE_LEAFS, TILE_NODES, TILE_SIDES, TILE_WORDS } from '../layout.ts';

// The file's trees as they are in a world's buffer, moved with their tiles: what the literal algorithms read. They do not use the
// pruned trees and bounds that are there too.

/** How a union node separates its children: along x or y, or not at all. */
type UnionAxis = 0 | 1 | -1;

/** A node that may be a union: then its type is 6, its children are first and second, and `dist` is where they are separated. */
interface LineNode extends TreeNode {
  readonly union: UnionAxis | undefined;
}

const tileWord = ({ ints, places }: WorldMemory, tile: number, word: number): number =>
  ints[places.tiles.first + TILE_WORDS * tile + word]!;

/** Numbers of a tile's first node, leaf, brush and side. */
export const firstNumbers = (memory: WorldMemory, tile: number): FirstNumbers => ({
  nodes: tileWord(memory, tile, TILE_NODES),
  leafs: tileWord(memory, tile, TILE_LEAFS),
  brushes: tileWord(memory, tile, TILE_BRUSHES),
  sides: tileWord(memory, tile, TILE_SIDES),
});

export function readLineNode(memory: WorldMemory, tile: number, node: number): LineNode {
  const { ints, places } = memory;
  const kind = ints[places.nodes.first + NODE_WORDS * node]! & KIND_MASK;
  const first = firstNumbers(memory, tile);
  if (kind <= OBLIQUE) {
    const { number, type, normal, dist, children } = readNode(memory, first, node);
    return { number, type, normal, dist, children, union: undefined };
  }
  const at = places.nodes.first + NODE_WORDS * node;
  return {
    number: node - first.nodes,
    type: 6,
    normal: [0, 0, 0],
    dist: memory.floats[at + 1]!,
    children: [ints[at + 2]!, ints[at + 3]!],
    union: kind === 6 ? -1 : ((kind - 4) as 0 | 1),
  };
}

/** The values of a section's records in the range that a tile's record gives. */
export function tileRange(memory: WorldMemory, tile: number, word: number): number[] {
  const first = tileWord(memory, tile, word);
  return Array.from({ length: tileWord(memory, tile, word + 1) }, (_, k) => first + k);
}

/** What has been found in a tile or model, as the engine carries it over from tree to tree. */
export interface TileFound extends Found {
  tile: number;
  /** Inline model that was traced; 0 for the world. */
  model: number;
}

export const nothingIn = (fraction: number): TileFound => ({ ...nothing(fraction), tile: -1, model: 0 });

/** As the engine has them: epsilons are doubles. */
const RULES = { inDouble: true, touchMargin: 0, touchEpsilon: 0.001 };

/**
 * Traces a box through a tree of a tile. With a mask of all bits, both contents and reject are ignored, except in position tests.
 */
export function traceTileTree(
  memory: WorldMemory,
  tile: number,
  root: number,
  { size, move, mask, reject, record }: Pick<Query, 'size' | 'move' | 'mask' | 'reject' | 'record'>,
  found: TileFound,
): void {
  const every = (mask | 0) === -1;
  const first = firstNumbers(memory, tile);
  traceTree({ memory, rules: RULES, first, mask, reject, every, size, move, record }, root, found);
}
