import { BspError, type Polygon } from '@bspkit/core';
import type { TreeView } from './classify.ts';
import { CONTENTS_SOLID } from './constants.ts';
import { PLANE_WORDS, packedContents } from './layout.ts';
import { flipWinding, planeWinding, splitWinding, type Winding, type WindingPlane } from './winding.ts';

/** Farther out than any map reaches, in Quake units. */
const FAR = 1 << 17;

/** Most cuts that we make, and more for every word of the world: a real map takes 2 or 3 a word, shared branches any. */
const MAX_CUTS = 1 << 20;
const MAX_CUTS_A_WORD = 64;

/** A piece of a node's plane and what is beside it. */
interface Piece {
  readonly winding: Winding;
  readonly solid: boolean;
}

/**
 * The faces between solid and everything else in the tree at `head`, as polygons that face the open: the world as
 * that hull feels it. Each node's plane, cut down to the node's region, is handed down its front side and what comes
 * out down its back side; where one is solid and the other is not, there is a face.
 *
 * @throws BspError (`limit`) when a tree of shared branches takes far more cuts than any real map.
 */
export function treePolygons(view: TreeView, head: number): Polygon[] {
  const { ints, floats, planes } = view;
  const polygons: Polygon[] = [];
  const most = MAX_CUTS + MAX_CUTS_A_WORD * ints.length;
  let cuts = 0;
  const planeOf = (node: number): WindingPlane => {
    const at = planes + PLANE_WORDS * (ints[node]! >> 3);
    return [floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[at + 3]!];
  };
  const cut = (winding: Winding, plane: WindingPlane): ReturnType<typeof splitWinding> => {
    if (++cuts > most) {
      throw new BspError('limit', { format: 'quake1' }, `the faces of a hull take more than ${most} cuts`);
    }
    return splitWinding(winding, plane);
  };

  /** Hands a piece of `plane` down a side of it, `facing` 1 for the front: what of it ends where. */
  function handDown(winding: Winding, child: number, plane: WindingPlane, facing: number): Piece[] {
    const out: Piece[] = [];
    const waiting: [Winding, number][] = [[winding, child]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [piece, node] = next;
      if (node < 0) {
        out.push({ winding: piece, solid: packedContents(node) === CONTENTS_SOLID });
        continue;
      }
      const other = planeOf(node);
      const { front, back, on } = cut(piece, other);
      if (on) {
        // The piece stands for what is close beside it, on the side that it was handed down.
        const agrees = (plane[0] * other[0] + plane[1] * other[1] + plane[2] * other[2]) * facing > 0;
        waiting.push([piece, ints[node + (agrees ? 2 : 3)]!]);
      }
      if (back.length > 0) waiting.push([back, ints[node + 3]!]);
      if (front.length > 0) waiting.push([front, ints[node + 2]!]);
    }
    return out;
  }

  /** The way down to a node: planes, and which side of each. */
  const way: { plane: WindingPlane; side: number }[] = [];
  const waiting: { node: number; level: number; side: number }[] = [{ node: head, level: 0, side: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, level, side } = next;
    if (level > 0) way[level - 1] = { plane: way[level - 1]!.plane, side };
    if (node < 0) continue;
    const plane = planeOf(node);
    let winding = planeWinding(plane, FAR);
    for (let k = 0; k < level && winding.length > 0; k++) {
      const { front, back } = cut(winding, way[k]!.plane);
      winding = way[k]!.side === 0 ? front : back;
    }
    if (winding.length > 0) {
      for (const before of handDown(winding, ints[node + 2]!, plane, 1)) {
        for (const behind of handDown(before.winding, ints[node + 3]!, plane, -1)) {
          if (before.solid !== behind.solid) polygons.push(face(behind.winding, plane, before.solid));
        }
      }
    }
    way[level] = { plane, side: 0 };
    waiting.push({ node: ints[node + 3]!, level: level + 1, side: 1 });
    waiting.push({ node: ints[node + 2]!, level: level + 1, side: 0 });
  }
  return polygons;
}

function face(winding: Winding, [x, y, z, dist]: WindingPlane, flipped: boolean): Polygon {
  const facing = (component: number): number => (flipped ? 0 - component : component);
  return {
    vertices: Float32Array.from(flipped ? flipWinding(winding) : winding),
    normal: Float32Array.of(facing(x), facing(y), facing(z)),
    dist: facing(dist),
    texture: -1,
    contents: CONTENTS_SOLID,
    surface: -1,
  };
}
