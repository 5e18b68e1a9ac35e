import type { Bounds } from '@bspkit/core';
import type { Vec, Winding } from '@bspkit/geometry';
import { beveledPlanes } from '../../bevels.ts';
import { type Box, treeBounds } from '../../box.ts';
import { type Brush, brushesBox } from '../../brushes.ts';
import { type ContentsRule, type Face, unionFaces } from '../../csg.ts';
import { floodOutside, type Leak, type Occupant } from '../../flood.ts';
import { openLeafs } from '../../open-leafs.ts';
import type { PlaneSet } from '../../planes.ts';
import { createBoxSolid, createSolid, solidBox } from '../../solid.ts';
import {
  buildTree,
  type Cells,
  isLeaf,
  type Tree,
  type TreeLeaf,
  type TreeNode,
  treeLeafs,
} from '../../tree.ts';
import { countTrees } from '../../tree-counts.ts';
import { leafAt, seenSide, visitLeafs, visitNodes } from '../../tree-walk.ts';
import type { WorkCounts } from '../../work.ts';
import { clipClass, drawnClass, SKY, SOLID } from './flags.ts';

/** What the drawn world, hull 0, is made of. `trigger` is solid in the models of trigger entities only. */
export const DRAWN_RULE: ContentsRule = { classOf: drawnClass, solid: SOLID };

/** What stops a mover: solid, sky and clip. */
export const CLIP_RULE: ContentsRule = { classOf: clipClass, solid: SOLID };

/** For small maps, a good tree is made for the flood; for those with more faces than this, a draft. */
const MANY_FACES = 4096;

/** A hull as a tree, with what its leafs are. */
export interface Hull {
  readonly tree: Tree;
  readonly classes: ReadonlyMap<TreeLeaf, number>;
  /** The borders between classes, without those that can only be seen from outside. */
  readonly faces: readonly Face[];
  /** The occupants in the open, which show what is inside. */
  readonly standing: readonly Occupant[];
  /** For a map that is not sealed, a path from something inside to the outside. */
  readonly leak: Leak | undefined;
}

/**
 * A clip hull as it is written. PERF: large maps have more clip nodes than anything else, and as trees they would take thirty
 * times as much memory.
 */
export interface ClipHull {
  /**
   * Its nodes, each before those below it: the plane, then for each side the number of the node there, or, below 0, the class
   * of contents there as -1 - class. A hull of a single class has none.
   */
  readonly nodes: Int32Array;
  /** The class of a hull that has no nodes. */
  readonly only: number | undefined;
  /** The most nodes of its tree on a way down. */
  readonly depth: number;
}

/** A model's hulls. */
export interface HullModel {
  /** Hull 0: the drawn world. */
  readonly drawn: Hull;
  /** The others, hull 1 first. */
  readonly clips: readonly ClipHull[];
  /** Brushes that the faces of hull 0 refer to. */
  readonly brushes: readonly Brush[];
  readonly box: Box;
}

/** What a hull is built from. */
export interface HullInput {
  readonly planes: PlaneSet;
  readonly brushes: readonly Brush[];
  readonly rule: ContentsRule;
  /** Points that are inside; the outside is filled if it reaches none of them. Without any, nothing is filled. */
  readonly occupants: readonly Occupant[];
  /** Whether they are known to be inside even if they are all in solid: as in hulls of larger boxes. */
  readonly isSealed: boolean;
  readonly work: WorkCounts;
  readonly onProgress: (part: number) => void;
}

/** Builds a hull; a sealed one twice, the second time without what only the outside needs. */
export function buildHull(input: HullInput): Hull {
  const { planes, brushes, rule, occupants, isSealed, work, onProgress } = input;
  const root = createBoxSolid(planes, treeBounds(brushesBox(brushes)));
  const classOf = (leaf: TreeLeaf): number => rule.classOf(leaf.bits);
  const opens = (leaf: TreeLeaf): boolean => classOf(leaf) < SKY;
  /** Those of open leafs, for the flood. */
  const cells: Cells = new Map();
  const build = (faces: readonly Face[], forFlood: boolean, from: number, to: number): Tree =>
    buildTree({
      planes,
      brushes,
      faces,
      leafs: 'contents',
      box: root,
      rule,
      work,
      costs: {
        oblique: 0,
        crowd: Number.POSITIVE_INFINITY,
        draft: forFlood && faces.length > MANY_FACES,
      },
      onLeaf: (leaf, cell) => {
        if (forFlood && opens(leaf)) cells.set(leaf, cell);
      },
      onProgress: (part) => onProgress(from + (to - from) * part),
    });
  const finish = (faces: readonly Face[], from: number, classOf: (leaf: TreeLeaf) => number): Hull => {
    const tree = build(faces, false, from, 1);
    const classes = new Map([...treeLeafs(tree)].map((leaf) => [leaf, classOf(leaf)]));
    return { tree, classes, faces, standing: [], leak: undefined };
  };
  const faces = unionFaces(planes, brushes, rule, work, (done) => onProgress((0.2 * done) / brushes.length));
  if (occupants.length === 0) return finish(faces, 0.2, classOf);
  const draft = build(faces, true, 0.2, 0.5);
  const { reached, standing, leak } = floodOutside(planes, draft, cells, root.planes, opens, occupants);
  cells.clear();
  const isFilled = !leak && (isSealed || standing.length > 0);
  if (!isFilled) return { ...finish(faces, 0.5, classOf), standing, leak };
  const looksOutside = (leaf: TreeLeaf, face: Pick<Face, 'plane' | 'winding'>): boolean => {
    // Of a piece that rounding has put into solid, the leafs around it tell.
    const seen = openLeafs(planes, draft, leaf, face, (one) => classOf(one) !== SOLID);
    return seen.size > 0 && [...seen].every((one) => reached.has(one));
  };
  const inner = finish(innerFaces(planes, draft, faces, looksOutside), 0.5, (leaf) =>
    reached.has(leafAt(planes, draft, ...leaf.center)) ? SOLID : classOf(leaf),
  );
  return { ...inner, standing };
}

/** The faces that still separate two classes once the outside is solid. */
function innerFaces(
  planes: PlaneSet,
  tree: Tree,
  faces: readonly Face[],
  looksOutside: (leaf: TreeLeaf, face: Pick<Face, 'plane' | 'winding'>) => boolean,
): Face[] {
  return faces.flatMap((face): Face[] => {
    const inner: Winding[] = [];
    const outer: Winding[] = [];
    visitNodes(planes, tree, face.plane, face.winding, (node, part) => {
      visitLeafs(planes, seenSide(planes, node, face.plane), face.plane, part, (leaf, winding) => {
        (looksOutside(leaf, { plane: face.plane, winding }) ? outer : inner).push(winding);
      });
    });
    if (outer.length === 0) return [face];
    const kept = inner.map((winding): Face => ({ ...face, winding }));
    if (face.back === SOLID) return kept;
    return [...kept, ...outer.map((winding): Face => ({ ...face, winding, front: SOLID }))];
  });
}

/** A function that returns the class shared by all leafs below a part of a tree, or `undefined` if they differ. */
export function uniformity({ tree, classes }: Hull): (part: Tree) => number | undefined {
  const known = new Map<Tree, number | undefined>();
  const find = (part: Tree): number | undefined => {
    if (isLeaf(part)) return classes.get(part);
    const front = find(part.front);
    const back = find(part.back);
    const both = front === back ? front : undefined;
    known.set(part, both);
    return both;
  };
  find(tree);
  return (part) => (isLeaf(part) ? classes.get(part) : known.get(part));
}

/** What is written of a clip hull. */
export function packHull(hull: Hull): ClipHull {
  const classOf = uniformity(hull);
  const nodes: number[] = [];
  const child = (part: Tree): number => {
    const uniform = classOf(part);
    return uniform === undefined ? node(part as TreeNode) : -1 - uniform;
  };
  const node = ({ plane, front, back }: TreeNode): number => {
    const at = nodes.push(plane, 0, 0) - 3;
    nodes[at + 1] = child(front);
    nodes[at + 2] = child(back);
    return at / 3;
  };
  const only = classOf(hull.tree);
  if (only === undefined) node(hull.tree as TreeNode);
  return { nodes: Int32Array.from(nodes), only, depth: countTrees([hull.tree]).depth };
}

/**
 * A brush expanded by a box, so that a point meets it where the box would meet the brush; with the planes that keep expanded
 * edges exact.
 */
export function expandBrush(planes: PlaneSet, brush: Brush, { mins, maxs }: Bounds): Brush {
  const pushed = beveledPlanes(planes, brush).map((plane) => {
    const normal: Vec = [planes.nx[plane]!, planes.ny[plane]!, planes.nz[plane]!];
    let dist = planes.dist[plane]!;
    for (let k = 0; k < 3; k++) dist -= normal[k]! * (normal[k]! > 0 ? mins[k]! : maxs[k]!);
    return planes.find(...normal, dist);
  });
  const solid = createSolid(planes, pushed);
  const side = brush.sides[0]!;
  return { ...brush, solid, sides: solid.planes.map(() => side), box: solidBox(solid) };
}
