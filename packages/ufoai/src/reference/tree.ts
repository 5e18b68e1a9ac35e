import type { StepVec } from '@bspkit/core';
import type { WorldMemory } from '../kernel/memory.ts';
import {
  BRUSH_NUMBER,
  BRUSH_SIDES,
  SECTIONS,
  TILE_BRUSHES,
  TILE_LEAFS,
  TILE_NODES,
  TILE_SIDES,
} from '../layout.ts';

// The file's trees, brushes and sides as they lie in a world's buffer, moved with their tiles: what the literal
// algorithms read. They know nothing of the pruned trees and bounds that are there too.

export type Point = StepVec;

const f = Math.fround;

/** Three numbers that are float32. */
export const point = (from: ArrayLike<number>, at = 0): Point => [
  f(from[at]!),
  f(from[at + 1]!),
  f(from[at + 2]!),
];
/** A new point, axis by axis. */
export const byAxis = (value: (k: number) => number): Point => [f(value(0)), f(value(1)), f(value(2))];
/** In float32, summed from left to right. */
export const dot = (a: Point, b: Point): number => f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2]));
/** The point at a fraction of the way from `a` to `b`, in float32. */
export const between = (a: Point, b: Point, t: number): Point =>
  byAxis((k) => a[k]! + f(t * f(b[k]! - a[k]!)));

/** How a union node parts its children: along x or y, or not at all. */
type UnionAxis = 0 | 1 | -1;

interface TreeNode {
  /** Number in the tile's file. */
  readonly number: number;
  /** 0 to 2: the plane faces along that axis; 3: it does not. */
  readonly type: number;
  readonly normal: Point;
  readonly dist: number;
  /** Numbers through all tiles; c < 0 is leaf -1 - c. Of a plane: front and back. Of a union: first and second. */
  readonly children: readonly [number, number];
  /** Set for union nodes; `dist` is where they part. */
  readonly union: UnionAxis | undefined;
}

interface TreeLeaf {
  /** Number in the tile's file. */
  readonly number: number;
  readonly contents: number;
  /** Places of its brushes. */
  readonly brushes: readonly number[];
}

export interface TreeBrush {
  readonly place: number;
  /** Number in the tile's file. */
  readonly number: number;
  readonly contents: number;
  readonly sides: readonly TreeSide[];
}

export interface TreeSide {
  readonly place: number;
  /** Number in the tile's file. */
  readonly number: number;
  readonly normal: Point;
  readonly dist: number;
  readonly plane: number;
  readonly texture: number;
}

const tileWord = ({ ints, places }: WorldMemory, tile: number, word: number): number =>
  ints[places.tiles.first + SECTIONS.tiles * tile + word]!;

export function readNode(memory: WorldMemory, tile: number, node: number): TreeNode {
  const { ints, floats, places } = memory;
  const at = places.nodes.first + SECTIONS.nodes * node;
  const kind = ints[at]! & 15;
  const plane = places.planes.first + SECTIONS.planes * (ints[at]! >>> 4);
  const isUnion = kind > 3;
  return {
    number: node - tileWord(memory, tile, TILE_NODES),
    type: isUnion ? 6 : kind,
    normal: isUnion ? [0, 0, 0] : point(floats, plane),
    dist: floats[at + 1]!,
    children: [ints[at + 2]!, ints[at + 3]!],
    union: isUnion ? (kind === 6 ? -1 : ((kind - 4) as 0 | 1)) : undefined,
  };
}

export function readLeaf(memory: WorldMemory, tile: number, leaf: number): TreeLeaf {
  const { ints, places } = memory;
  const at = places.leafs.first + SECTIONS.leafs * leaf;
  return {
    number: leaf - tileWord(memory, tile, TILE_LEAFS),
    contents: ints[at]!,
    brushes: Array.from({ length: ints[at + 2]! }, (_, k) => ints[ints[at + 1]! + k]!),
  };
}

export function readBrush(memory: WorldMemory, tile: number, place: number): TreeBrush {
  const { ints, floats, places } = memory;
  const firstSide = tileWord(memory, tile, TILE_SIDES);
  return {
    place,
    number: ints[place + BRUSH_NUMBER]! - tileWord(memory, tile, TILE_BRUSHES),
    contents: ints[place]!,
    sides: Array.from({ length: ints[place + BRUSH_SIDES + 1]! }, (_, k) => {
      const at = ints[place + BRUSH_SIDES]! + SECTIONS.sides * k;
      return {
        place: at,
        number: (at - places.sides.first) / SECTIONS.sides - firstSide,
        normal: point(floats, at),
        dist: floats[at + 3]!,
        plane: ints[at + 4]!,
        texture: ints[at + 5]!,
      };
    }),
  };
}

/** Words of a section's records that a tile's record gives the range of. */
export function tileRange(memory: WorldMemory, tile: number, word: number): number[] {
  const first = tileWord(memory, tile, word);
  return Array.from({ length: tileWord(memory, tile, word + 1) }, (_, k) => first + k);
}
