import type { PlaneSet } from '../../planes.ts';
import { isLeaf, type Tree, type TreeLeaf, type TreeNode } from '../../tree.ts';

const f = Math.fround;

/** A tree as the engine's box traces walk it, with its contents and planes as in the file. */
export interface Head {
  readonly tree: TreeNode;
  contentsOf(leaf: TreeLeaf): number;
  /** Planes of the sides of a brush that a leaf lists, bevels included. */
  sidesOf(brush: number): readonly number[];
  contentsOfBrush(brush: number): number;
}

/** The cells that a map covers: the least and the greatest, x, y and level. */
export interface CellBounds {
  readonly mins: readonly [number, number, number];
  readonly maxs: readonly [number, number, number];
}

/** Cells along x and y, and levels. */
const CELLS = [256, 256, 8] as const;
const SIZES = [32, 32, 64] as const;
/** Where cell 0 begins. */
const STARTS = [-4096, -4096, 0] as const;

/**
 * The bounds that the game's own compiler stores: layers of cells are removed from all six sides, axis by axis, until one touches
 * a brush. The greatest cell is one beyond the last that does, but no higher than the top level.
 */
export function findCells(planes: PlaneSet, heads: readonly Head[]): CellBounds {
  const low: [number, number, number] = [0, 0, 0];
  const high: [number, number, number] = [CELLS[0] - 1, CELLS[1] - 1, CELLS[2] - 1];
  const isEmpty = (axis: number, layer: number): boolean => {
    const mins = low.map((cell, k) => STARTS[k]! + SIZES[k]! * (k === axis ? layer : cell));
    const maxs = high.map((cell, k) => STARTS[k]! + SIZES[k]! * ((k === axis ? layer : cell) + 1));
    return !heads.some((head) => touches(planes, head, mins, maxs));
  };
  for (let axis = 0; axis < 3; axis++) {
    while (high[axis]! > low[axis]! && isEmpty(axis, high[axis]!)) high[axis]!--;
    while (high[axis]! > low[axis]! && isEmpty(axis, low[axis]!)) low[axis]!++;
  }
  return { mins: low, maxs: [high[0] + 1, high[1] + 1, Math.min(high[2] + 1, CELLS[2] - 1)] };
}

/** The most leafs that the engine looks at in one test of a box. */
const MOST_LEAFS = 1024;
/** How far a box must reach beyond an axial split. */
const BEYOND = 0.001;

/** Whether a box at rest touches a brush, in the engine's float32. */
function touches(planes: PlaneSet, head: Head, mins: readonly number[], maxs: readonly number[]): boolean {
  const leafs: TreeLeaf[] = [];
  collect(planes, head.tree, mins, maxs, leafs);
  const center = mins.map((x, k) => (x + maxs[k]!) / 2);
  const half = maxs.map((x, k) => x - center[k]!);
  return leafs.some(
    (leaf) =>
      head.contentsOf(leaf) !== 0 &&
      leaf.brushes.some(
        (brush) =>
          head.contentsOfBrush(brush) !== 0 &&
          head.sidesOf(brush).every((plane) => !isOutside(planes, plane, center, half)),
      ),
  );
}

function collect(
  planes: PlaneSet,
  tree: Tree,
  mins: readonly number[],
  maxs: readonly number[],
  leafs: TreeLeaf[],
): void {
  if (leafs.length >= MOST_LEAFS) return;
  if (isLeaf(tree)) {
    leafs.push(tree);
    return;
  }
  const type = planes.type(tree.plane);
  const dist = planes.dist[tree.plane]!;
  let inFront: boolean;
  let behind: boolean;
  if (type < 3) {
    inFront = maxs[type]! > dist + BEYOND;
    behind = mins[type]! < dist - BEYOND;
  } else {
    const normal = [planes.nx[tree.plane]!, planes.ny[tree.plane]!, planes.nz[tree.plane]!];
    const far = normal.map((n, k) => (n < 0 ? mins[k]! : maxs[k]!));
    const near = normal.map((n, k) => (n < 0 ? maxs[k]! : mins[k]!));
    inFront = f(along(normal, far) - dist) >= BEYOND;
    behind = f(along(normal, near) - dist) < BEYOND;
  }
  if (inFront || !behind) collect(planes, tree.front, mins, maxs, leafs);
  if (behind || !inFront) collect(planes, tree.back, mins, maxs, leafs);
}

function isOutside(
  planes: PlaneSet,
  plane: number,
  center: readonly number[],
  half: readonly number[],
): boolean {
  const normal = [planes.nx[plane]!, planes.ny[plane]!, planes.nz[plane]!];
  const near = normal.map((n, k) => (n < 0 ? half[k]! : -half[k]!));
  return f(along(normal, center) - f(planes.dist[plane]! - along(normal, near))) > 0;
}

const along = (normal: readonly number[], point: readonly number[]): number =>
  f(f(f(normal[0]! * point[0]!) + f(normal[1]! * point[1]!)) + f(normal[2]! * point[2]!));
