import { isTiny, ON_EPSILON, type Vec, type Winding } from '@bspkit/geometry';
import type { Box } from './box.ts';
import type { Brush } from './brushes.ts';
import type { ContentsRule, Face } from './csg.ts';
import { type FaceList, FaceTable } from './face-table.ts';
import type { PlaneSet } from './planes.ts';
import {
  BACK,
  boxSide,
  cutSolid,
  FRONT,
  type Solid,
  solidBox,
  solidCenter,
  solidReach,
  solidSides,
} from './solid.ts';
import { type BrushPiece, chooseFacePlane, choosePiecePlane, type SplitCosts } from './split.ts';
import type { WorkCounts } from './work.ts';

/** Thinner cells are not made: faces that are this narrow are dropped, so nothing would divide such a cell. */
const THIN = 2 * ON_EPSILON;

/** What is thinner than this is nowhere. */
const THINNEST = THIN / 20;

/** Sides whose normals have a cosine below this are nearly opposite. */
const OPPOSITE = -0.99;

/** A split of space: what is in front of an even plane, and what is behind it. */
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
  /** Brushes that reach into the leaf, in ascending order; only those at its middle if just contents were requested. */
  readonly brushes: readonly number[];
  readonly center: Vec;
  readonly box: Box;
}

export type Tree = TreeNode | TreeLeaf;

/** The pieces of space of leafs, cut off at the bounds of the tree. They take more memory than the tree, so they are apart from it. */
export type Cells = Map<TreeLeaf, Solid>;

/** What a tree is built from. */
export interface TreeInput {
  readonly planes: PlaneSet;
  readonly brushes: readonly Brush[];
  /** Borders that no leaf may cross. */
  readonly faces: readonly Face[];
  /** What leafs contain: the brushes that reach into them, or, for less work, only their contents. */
  readonly leafs: 'brushes' | 'contents';
  /** The space that is divided; it must reach beyond all brushes. */
  readonly box: Solid;
  readonly costs: SplitCosts;
  /** The rule whose borders the faces are. */
  readonly rule: ContentsRule;
  /** Counts the pieces that faces are cut into, and the brushes that leafs list. */
  readonly work: WorkCounts;
  /** Called with each leaf, and its piece of space. */
  readonly onLeaf?: ((leaf: TreeLeaf, cell: Solid) => void) | undefined;
  /** Called with the part that is done, 0 to 1, as far as faces show it, and with 1 at the end. */
  readonly onProgress?: ((part: number) => void) | undefined;
}

/** Splits space along faces until every leaf has the same contents throughout, then between brushes where many share a leaf. */
export function buildTree(input: TreeInput): Tree {
  const { brushes, faces, box, onProgress } = input;
  const pieces = brushes.map(
    ({ solid, box }, brush): BrushPiece => ({ brush, solid, box: { mins: box.mins, maxs: box.maxs } }),
  );
  const table = new FaceTable(faces);
  let done = 0;
  const onFaces = (count: number): void => {
    done += count;
    if (count > 0) onProgress?.(Math.min(done / faces.length, 1));
  };
  const tree = build({ ...input, onFaces }, table, box, table.list, { own: pieces, thin: [] });
  onProgress?.(1);
  return tree;
}

/** What is passed down the tree. */
interface BuildInput extends TreeInput {
  /** Called with the number of faces that are done, which may be 0. */
  onFaces(count: number): void;
}

/** The brushes that reach into a cell. */
interface Pieces {
  readonly own: readonly BrushPiece[];
  /** Those of which too little is in the cell for a part of it, and which only matter where the cell is no thicker. */
  readonly thin: readonly BrushPiece[];
}

/** Whether a part of a tree is a leaf. */
export const isLeaf = (tree: Tree): tree is TreeLeaf => tree.plane === -1;

/** Makes a tree of one leaf a node with that leaf on both sides, as engines need a node. Both have its cell. */
export function splitOnce(planes: PlaneSet, leaf: TreeLeaf, cells?: Cells): TreeNode {
  const plane = planes.find(1, 0, 0, Math.round((leaf.box.mins[0] + leaf.box.maxs[0]) / 2)) & ~1;
  const back = { ...leaf };
  const cell = cells?.get(leaf);
  if (cell) cells!.set(back, cell);
  return { plane, front: leaf, back, box: leaf.box };
}

/** All leafs, front before back. */
export function* treeLeafs(tree: Tree): Generator<TreeLeaf> {
  const stack = [tree];
  for (let part = stack.pop(); part; part = stack.pop()) {
    if (isLeaf(part)) yield part;
    else stack.push(part.back, part.front);
  }
}

function build(input: BuildInput, table: FaceTable, cell: Solid, faces: FaceList, pieces: Pieces): Tree {
  const { planes, costs, work, onFaces } = input;
  const box = solidBox(cell);
  for (;;) {
    table.take(faces);
    const plane =
      faces.length > 0
        ? chooseFacePlane(planes, costs, table, box)
        : choosePiecePlane(planes, costs, pieces.own, cell, box);
    if (plane < 0) return endLeaf(input, cell, pieces, createLeaf(input, cell, pieces, box));
    const cut = cutSolid(planes, cell, plane, THIN);
    const split = table.split(planes, plane);
    work.add('pieces', split.pieces);
    if (!cut.front || !cut.back) {
      // The cell is too thin to be cut between brushes.
      if (faces.length === 0) return endLeaf(input, cell, pieces, createLeaf(input, cell, pieces, box));
      // The plane bounds the cell, within rounding: its faces split nothing here.
      const left = cut.front ? split.front : split.back;
      const other = cut.front ? split.back : split.front;
      onFaces(faces.length - left.length - other.length);
      faces = left;
      continue;
    }
    onFaces(split.on);
    const parts = splitPieces(input, plane, pieces);
    return {
      plane,
      front: build(input, table, cut.front, split.front, parts.front),
      back: build(input, table, cut.back, split.back, parts.back),
      box,
    };
  }
}

/** Whether a cell is so narrow at a section that a face there would have been dropped, but not too narrow to be cut. */
const isNarrow = (section: Winding): boolean => isTiny(section, 2 * THIN) && !isTiny(section, THIN / 10);

/** Whether a cell is narrow anywhere between two sides that are nearly opposite. */
function isSliver(planes: PlaneSet, { planes: sides, windings }: Solid): boolean {
  const { nx, ny, nz } = planes;
  for (let i = 1; i < sides.length; i++) {
    const a = sides[i]!;
    for (let j = 0; j < i; j++) {
      const b = sides[j]!;
      if (nx[a]! * nx[b]! + ny[a]! * ny[b]! + nz[a]! * nz[b]! >= OPPOSITE) continue;
      if (solidReach(planes, { planes: [b], windings: [windings[j]!] }, a)[1] > -2 * THIN) return true;
    }
  }
  return false;
}

/**
 * Makes a leaf; or several if a brush ends in it unnoticed, because the cell is too narrow there for faces: what is beyond may be
 * long, and wider, so it gets contents of its own.
 */
function endLeaf(input: TreeInput, cell: Solid, pieces: Pieces, leaf: TreeLeaf): Tree {
  const { planes, brushes, rule } = input;
  if (!isSliver(planes, cell)) return finishLeaf(input, cell, leaf);
  const own = [...pieces.own, ...pieces.thin].sort((a, b) => a.brush - b.brush);
  const all: Pieces = { own, thin: [] };
  const differs = ({ bits }: TreeLeaf): boolean => rule.classOf(bits) !== rule.classOf(leaf.bits);
  for (const { brush } of own) {
    const sides = brushes[brush]!.solid.planes;
    // A wall across the cell may be in its middle, so that both sides of any split are still like the whole.
    const inside = leaf.holders.includes(brush) ? undefined : partInside(planes, cell, sides);
    const isHiding = inside !== undefined && differs(createLeaf(input, inside, all, solidBox(inside)));
    for (const side of sides) {
      const plane = side & ~1;
      const cut = cutSolid(planes, cell, plane, THIN, isNarrow);
      if (!cut.front || !cut.back) continue;
      const parts = splitPieces(input, plane, all);
      const front = createLeaf(input, cut.front, parts.front, solidBox(cut.front));
      const back = createLeaf(input, cut.back, parts.back, solidBox(cut.back));
      if (!isHiding && !differs(front) && !differs(back)) continue;
      return {
        plane,
        front: endLeaf(input, cut.front, parts.front, front),
        back: endLeaf(input, cut.back, parts.back, back),
        box: leaf.box,
      };
    }
  }
  return finishLeaf(input, cell, leaf);
}

/** The part of a narrow cell that is in a brush with these sides, if any. */
function partInside(planes: PlaneSet, cell: Solid, sides: readonly number[]): Solid | undefined {
  let part: Solid | undefined = cell;
  for (const side of sides) if (part) part = cutSolid(planes, part, side, THIN, isNarrow).back;
  return part;
}

function finishLeaf({ leafs, work, onLeaf }: TreeInput, cell: Solid, leaf: TreeLeaf): TreeLeaf {
  if (leafs === 'brushes') work.add('listed', leaf.brushes.length);
  onLeaf?.(leaf, cell);
  return leaf;
}

function splitPieces(
  { planes, leafs }: TreeInput,
  plane: number,
  pieces: Pieces,
): { front: Pieces; back: Pieces } {
  const front = { own: [] as BrushPiece[], thin: [] as BrushPiece[] };
  const back = { own: [] as BrushPiece[], thin: [] as BrushPiece[] };
  for (const piece of pieces.own) {
    const side = boxSide(planes, plane, piece.box.mins, piece.box.maxs);
    if (side > 0) front.own.push(piece);
    else if (side < 0) back.own.push(piece);
    else {
      const parts = leafs === 'contents' ? undefined : cutSolid(planes, piece.solid, plane);
      if (parts?.front && parts.back) {
        front.own.push(createPiece(piece, parts.front));
        back.own.push(createPiece(piece, parts.back));
        continue;
      }
      // What is too thin to be cut may reach far to both sides.
      const slack = parts ? ON_EPSILON : -ON_EPSILON;
      const sides = solidSides(planes, piece.solid, plane, slack);
      const inFront = (sides & FRONT) !== 0 || parts?.front !== undefined;
      const behind = (sides & BACK) !== 0 || parts?.back !== undefined;
      if (inFront) front.own.push(piece);
      if (behind) back.own.push(piece);
      if (inFront && behind) continue;
      const touched = solidSides(planes, piece.solid, plane, THINNEST);
      if (!inFront && touched & FRONT) front.thin.push(piece);
      if (!behind && touched & BACK) back.thin.push(piece);
    }
  }
  for (const piece of pieces.thin) {
    const sides = solidSides(planes, piece.solid, plane, THINNEST);
    if (sides & FRONT) front.thin.push(piece);
    if (sides & BACK) back.thin.push(piece);
  }
  return { front, back };
}

const createPiece = (piece: BrushPiece, solid: Solid): BrushPiece =>
  solid === piece.solid ? piece : { brush: piece.brush, solid, box: solidBox(solid) };

/**
 * Whether a leaf is in a brush, by its middle. One within rounding of the brush counts too if the leaf reaches across the seam of
 * two brushes, or is the crack between them; but not a thin leaf that is along a side and reaches beyond it.
 */
function holds(planes: PlaneSet, sides: readonly number[], cell: Solid, [x, y, z]: Vec): boolean {
  // PERF: most leafs are clear of the brush by one of its first sides.
  let isNear = false;
  for (const plane of sides) {
    const distance = planes.distance(plane, x, y, z);
    if (distance >= ON_EPSILON) return false;
    if (distance >= 0) isNear = true;
  }
  if (!isNear) return true;
  const near = sides.filter((plane) => planes.distance(plane, x, y, z) >= 0);
  return (
    near.every((plane) => solidReach(planes, cell, plane)[0] < -ON_EPSILON) ||
    sides.every((plane) => solidReach(planes, cell, plane)[1] < 2 * ON_EPSILON)
  );
}

function createLeaf({ planes, brushes, leafs }: TreeInput, cell: Solid, pieces: Pieces, box: Box): TreeLeaf {
  const { center } = solidCenter(cell);
  const all = pieces.own.map(({ brush }) => brush);
  const holders = all.filter((brush) => holds(planes, brushes[brush]!.solid.planes, cell, center));
  const bits = holders.reduce((sum, brush) => sum | brushes[brush]!.contents, 0);
  return {
    plane: -1,
    bits,
    holders,
    brushes: leafs === 'brushes' ? all : holders,
    center,
    box,
  };
}
