import type { Winding } from '@bspkit/geometry';
import { splitCorners, WARPED_CORNERS } from './corners.ts';
import type { NodeFace } from './node-table.ts';
import { subdivide } from './subdivide.ts';
import { fillEdges } from './tjunc.ts';
import type { TreeNode } from './tree.ts';
import type { WorkCounts } from './work.ts';

/** A piece of a face that the engine can draw. */
export interface NodePiece extends NodeFace {
  /** What is written: the piece itself, or its outline with the corners of other faces on it, perhaps in parts. */
  readonly outlines: readonly Winding[];
}

/** The pieces of a face. */
export function cutFace(face: NodeFace): NodePiece[] {
  const { winding, side, isLit } = face;
  const pieces = isLit ? subdivide(winding, side) : splitCorners(winding, WARPED_CORNERS);
  return pieces.map((piece) => ({ ...face, winding: piece, outlines: [piece] }));
}

/** The pieces of all faces of a model, with the corners of each on the edges of all others. */
export function cutAndFill(
  placed: ReadonlyMap<TreeNode, readonly NodeFace[]>,
  work: WorkCounts,
): Map<NodeFace, NodePiece[]> {
  const faces = [...placed.values()].flat();
  const pieces = faces.map(cutFace);
  const drawn = pieces.flat().map(({ winding, side, isLit, place }) => ({
    ...{ winding, place },
    lightAxes: isLit ? side.texture : undefined,
  }));
  const outlines = fillEdges(drawn, work);
  let next = 0;
  return new Map(
    faces.map((face, k) => [face, pieces[k]!.map((piece) => ({ ...piece, outlines: outlines[next++]! }))]),
  );
}
