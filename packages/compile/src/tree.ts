import { cutWinding, isTiny, type Vec, type Winding, windingCenter } from '@bspkit/geometry';
import { addPoints, type Box, emptyBox } from './box.ts';
import type { Brush } from './brushes.ts';
import type { Face } from './csg.ts';
import type { PlaneSet } from './planes.ts';
import { cutSolid, type Solid, solidBox, solidCenter } from './solid.ts';
import {
  type BrushPiece,
  chooseFacePlane,
  choosePiecePlane,
  type SplitCosts,
  type SplitFace,
} from './split.ts';

/** A split of space: what lies in front of an even plane, and what lies behind it. */
export interface TreeNode {
  readonly plane: number;
  readonly front: Tree;
  readonly back: Tree;
  readonly box: Box;
}

/** A convex piece of space with the same contents throughout. */
export interface TreeLeaf {
  readonly plane: -1;
  /** Contents bits of all brushes at the leaf's middle. */
  readonly bits: number;
  /** Those brushes. */
  readonly holders: readonly number[];
  /** Brushes that reach into the leaf, in ascending order. */
  readonly brushes: readonly number[];
  /** The leaf's piece of space, cut off at the bounds of the tree. */
  readonly cell: Solid;
  readonly center: Vec;
  readonly box: Box;
}

export type Tree = TreeNode | TreeLeaf;

/** What a tree is built from. */
export interface TreeInput {
  readonly planes: PlaneSet;
  readonly brushes: readonly Brush[];
  /** Every border that the leafs must keep to. */
  readonly faces: readonly Face[];
  /** The space that is split up; it must reach beyond all brushes. */
  readonly box: Solid;
  readonly costs: SplitCosts;
  /** Hears how many faces are done with. */
  readonly onFaces?: ((done: number) => void) | undefined;
}

/** Splits space by faces until every leaf is of one kind, then by brushes where many share a leaf. */
export function buildTree(input: TreeInput): Tree {
  const faces = input.faces.map(({ plane, winding }) => createFace(plane, winding));
  const pieces = input.brushes.map(
    ({ solid, box }, brush): BrushPiece => ({ brush, solid, box: { mins: box.mins, maxs: box.maxs } }),
  );
  return build(input, input.box, faces, pieces);
}

/** Whether a part of a tree is a leaf. */
export const isLeaf = (tree: Tree): tree is TreeLeaf => tree.plane === -1;

/** A tree of one leaf as a node with that leaf on both sides, as the engine wants a node. */
export function splitOnce(planes: PlaneSet, leaf: TreeLeaf): TreeNode {
  const plane = planes.find(1, 0, 0, Math.round((leaf.box.mins[0] + leaf.box.maxs[0]) / 2)) & ~1;
  return { plane, front: leaf, back: { ...leaf }, box: leaf.box };
}

/** All leafs, front before back. */
export function* treeLeafs(tree: Tree): Generator<TreeLeaf> {
  if (isLeaf(tree)) {
    yield tree;
    return;
  }
  yield* treeLeafs(tree.front);
  yield* treeLeafs(tree.back);
}

function createFace(plane: number, winding: Winding): SplitFace {
  const { mins, maxs } = addPoints(emptyBox(), winding);
  return {
    plane,
    winding,
    x: (mins[0] + maxs[0]) / 2,
    y: (mins[1] + maxs[1]) / 2,
    z: (mins[2] + maxs[2]) / 2,
    halfX: (maxs[0] - mins[0]) / 2,
    halfY: (maxs[1] - mins[1]) / 2,
    halfZ: (maxs[2] - mins[2]) / 2,
  };
}

function build(input: TreeInput, cell: Solid, faces: SplitFace[], pieces: readonly BrushPiece[]): Tree {
  const { planes, costs, onFaces } = input;
  const box = solidBox(cell);
  for (;;) {
    const plane =
      faces.length > 0
        ? chooseFacePlane(planes, costs, faces, box)
        : choosePiecePlane(planes, costs, pieces, cell, box);
    if (plane < 0) return createLeaf(input, cell, pieces, box);
    const cut = cutSolid(planes, cell, plane);
    const split = splitFaces(planes, plane, faces);
    if (!cut.front || !cut.back) {
      // A cell too thin to cut where brushes would be parted.
      if (faces.length === 0) return createLeaf(input, cell, pieces, box);
      // The plane bounds the cell, within rounding: its faces split nothing here.
      const left = cut.front ? split.front : split.back;
      const other = cut.front ? split.back : split.front;
      onFaces?.(faces.length - left.length - other.length);
      faces = left;
      continue;
    }
    onFaces?.(split.on);
    const front: BrushPiece[] = [];
    const back: BrushPiece[] = [];
    for (const piece of pieces) {
      const parts = cutSolid(planes, piece.solid, plane);
      if (parts.front) front.push(createPiece(piece, parts.front));
      if (parts.back) back.push(createPiece(piece, parts.back));
    }
    return {
      plane,
      front: build(input, cut.front, split.front, front),
      back: build(input, cut.back, split.back, back),
      box,
    };
  }
}

const createPiece = (piece: BrushPiece, solid: Solid): BrushPiece =>
  solid === piece.solid ? piece : { brush: piece.brush, solid, box: solidBox(solid) };

function splitFaces(
  planes: PlaneSet,
  plane: number,
  faces: readonly SplitFace[],
): { front: SplitFace[]; back: SplitFace[]; on: number } {
  const front: SplitFace[] = [];
  const back: SplitFace[] = [];
  let on = 0;
  const nx = planes.nx[plane]!;
  const ny = planes.ny[plane]!;
  const nz = planes.nz[plane]!;
  const dist = planes.dist[plane]!;
  for (const face of faces) {
    if (face.plane >> 1 === plane >> 1) {
      on++;
      continue;
    }
    const cut = cutWinding(face.winding, nx, ny, nz, dist);
    if (cut.front === face.winding) front.push(face);
    else if (cut.back === face.winding) back.push(face);
    else if (!cut.front && !cut.back) {
      // A face within rounding of the plane, but on another one, goes where its middle lies.
      const [x, y, z] = windingCenter(face.winding);
      (planes.distance(plane, x, y, z) >= 0 ? front : back).push(face);
    } else {
      if (cut.front && !isTiny(cut.front)) front.push(createFace(face.plane, cut.front));
      if (cut.back && !isTiny(cut.back)) back.push(createFace(face.plane, cut.back));
    }
  }
  return { front, back, on };
}

function createLeaf(
  { planes, brushes }: TreeInput,
  cell: Solid,
  pieces: readonly BrushPiece[],
  box: Box,
): TreeLeaf {
  const { center } = solidCenter(cell);
  const [x, y, z] = center;
  const all = pieces.map(({ brush }) => brush);
  const holders = all.filter((brush) =>
    brushes[brush]!.solid.planes.every((plane) => planes.distance(plane, x, y, z) < 0.01),
  );
  const bits = holders.reduce((sum, brush) => sum | brushes[brush]!.contents, 0);
  return { plane: -1, bits, holders, brushes: all, cell, center, box };
}
