import type { Bounds } from '@bspkit/core';
import type { Vec, Winding } from '@bspkit/geometry';
import { beveledPlanes } from '../../bevels.ts';
import { type Box, treeBounds } from '../../box.ts';
import { type Brush, brushesBox } from '../../brushes.ts';
import { type ContentsRule, type Face, unionFaces } from '../../csg.ts';
import { floodOutside, type Leak, type Occupant } from '../../flood.ts';
import type { PlaneSet } from '../../planes.ts';
import { createBoxSolid, createSolid, solidBox } from '../../solid.ts';
import { buildTree, type Tree, type TreeLeaf, treeLeafs } from '../../tree.ts';
import { leafAt, visitLeafs } from '../../tree-walk.ts';
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

/** A model's hulls: the drawn world, then the clip hulls. */
export interface HullModel {
  readonly hulls: readonly Hull[];
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
  const build = (faces: readonly Face[], forFlood: boolean, from: number, to: number): Tree => {
    let done = 0;
    return buildTree({
      planes,
      brushes,
      faces,
      leafs: 'contents',
      cells: forFlood,
      box: root,
      rule,
      work,
      costs: {
        oblique: 0,
        crowd: Number.POSITIVE_INFINITY,
        draft: forFlood && faces.length > MANY_FACES,
      },
      onFaces: (count) => {
        done += count;
        onProgress(from + (to - from) * Math.min(done / faces.length, 1));
      },
    });
  };
  const finish = (faces: readonly Face[], from: number, classOf: (leaf: TreeLeaf) => number): Hull => {
    const tree = build(faces, false, from, 1);
    const classes = new Map([...treeLeafs(tree)].map((leaf) => [leaf, classOf(leaf)]));
    onProgress(1);
    return { tree, classes, faces, standing: [], leak: undefined };
  };
  const faces = unionFaces(planes, brushes, rule, work, (done) => onProgress((0.2 * done) / brushes.length));
  const classOf = (leaf: TreeLeaf): number => rule.classOf(leaf.bits);
  if (occupants.length === 0) return finish(faces, 0.2, classOf);
  const draft = build(faces, true, 0.2, 0.5);
  const opens = (leaf: TreeLeaf): boolean => classOf(leaf) < SKY;
  const { reached, standing, leak } = floodOutside(planes, draft, root.planes, opens, occupants);
  const isFilled = !leak && (isSealed || standing.length > 0);
  if (!isFilled) return { ...finish(faces, 0.5, classOf), standing, leak };
  const inner = finish(innerFaces(planes, draft, faces, reached), 0.5, (leaf) =>
    reached.has(leafAt(planes, draft, ...leaf.center)) ? SOLID : classOf(leaf),
  );
  return { ...inner, standing };
}

/** The faces that still separate two classes once the outside is solid. */
function innerFaces(
  planes: PlaneSet,
  tree: Tree,
  faces: readonly Face[],
  outside: ReadonlySet<TreeLeaf>,
): Face[] {
  return faces.flatMap((face): Face[] => {
    const inner: Winding[] = [];
    const outer: Winding[] = [];
    visitLeafs(planes, tree, face.plane, face.winding, (leaf, winding) => {
      (outside.has(leaf) ? outer : inner).push(winding);
    });
    if (outer.length === 0) return [face];
    const kept = inner.map((winding): Face => ({ ...face, winding }));
    if (face.back === SOLID) return kept;
    return [...kept, ...outer.map((winding): Face => ({ ...face, winding, front: SOLID }))];
  });
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
