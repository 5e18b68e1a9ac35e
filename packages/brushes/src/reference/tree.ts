import type { StepVec } from '@bspkit/core';
import {
  BRUSH_NUMBER,
  BRUSH_SIDES,
  KIND_MASK,
  LEAF_WORDS,
  NODE_WORDS,
  PLANE_WORDS,
  SIDE_DIST,
  SIDE_PLANE,
  SIDE_TEXTURE,
  SIDE_WORDS,
} from '../layout.ts';
import type { BrushMemory } from '../memory.ts';

// A file's trees, brushes and sides as they are in a world's buffer: what the literal algorithm reads. It uses no bounds.

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

/** Numbers of the first node, leaf, brush and side of the file that a tree belongs to, among all of the world's. */
export interface FirstNumbers {
  readonly nodes: number;
  readonly leafs: number;
  readonly brushes: number;
  readonly sides: number;
}

export interface TreeNode {
  /** Number in the file. */
  readonly number: number;
  /** 0 to 2: the plane faces along that axis; 3: it does not. */
  readonly type: number;
  readonly normal: Point;
  readonly dist: number;
  /** Numbers in the world; c < 0 is leaf -1 - c. */
  readonly children: readonly [number, number];
}

export interface TreeLeaf {
  /** Number in the file. */
  readonly number: number;
  readonly contents: number;
  /** Places of its brushes. */
  readonly brushes: readonly number[];
}

export interface TreeBrush {
  readonly place: number;
  /** Number in the file. */
  readonly number: number;
  readonly contents: number;
}

export interface TreeSide {
  readonly place: number;
  /** Number in the file. */
  readonly number: number;
  readonly normal: Point;
  readonly dist: number;
  readonly plane: number;
  readonly texture: number;
}

export function readNode({ ints, floats, places }: BrushMemory, first: FirstNumbers, node: number): TreeNode {
  const at = places.nodes.first + NODE_WORDS * node;
  return {
    number: node - first.nodes,
    type: ints[at]! & KIND_MASK,
    normal: point(floats, places.planes.first + PLANE_WORDS * (ints[at]! >>> 4)),
    dist: floats[at + 1]!,
    children: [ints[at + 2]!, ints[at + 3]!],
  };
}

export function readLeaf({ ints, places }: BrushMemory, first: FirstNumbers, leaf: number): TreeLeaf {
  const at = places.leafs.first + LEAF_WORDS * leaf;
  return {
    number: leaf - first.leafs,
    contents: ints[at]!,
    brushes: Array.from({ length: ints[at + 2]! }, (_, k) => ints[ints[at + 1]! + k]!),
  };
}

export function readBrush({ ints }: BrushMemory, first: FirstNumbers, place: number): TreeBrush {
  return { place, number: ints[place + BRUSH_NUMBER]! - first.brushes, contents: ints[place]! };
}

/** The sides of a brush; separate from the brush, as leafs may list one with many sides again and again. */
export function readSides(
  { ints, floats, places }: BrushMemory,
  first: FirstNumbers,
  { place }: TreeBrush,
): TreeSide[] {
  return Array.from({ length: ints[place + BRUSH_SIDES + 1]! }, (_, k) => {
    const at = ints[place + BRUSH_SIDES]! + SIDE_WORDS * k;
    return {
      place: at,
      number: (at - places.sides.first) / SIDE_WORDS - first.sides,
      normal: point(floats, at),
      dist: floats[at + SIDE_DIST]!,
      plane: ints[at + SIDE_PLANE]!,
      texture: ints[at + SIDE_TEXTURE]!,
    };
  });
}
