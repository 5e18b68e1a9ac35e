import { BspError, type Polygon } from '@bspkit/core';
import {
  cutWinding,
  halfAround,
  lengthOf,
  planeWinding,
  reverseWinding,
  type Winding,
  type WindingCut,
} from '@bspkit/geometry';
import { CONTENTS_SOLID } from './constants.ts';
import { checkTarget } from './given.ts';
import type { TreeView } from './kernel/tree.ts';
import { DIST_WORD, PLANE_WORDS } from './layout.ts';
import type { Quake1Model } from './model.ts';
import { packedContents } from './sections.ts';
import { checkHull } from './tracer.ts';
import type { Quake1World } from './world.ts';

/** A plane as four numbers, its normal of unit length; a zero normal stays zero. */
type WindingPlane = readonly [x: number, y: number, z: number, dist: number];

/** Distance from a plane at which a corner still counts as on it, in Quake units. */
const ON_PLANE = 1 / 128;

/**
 * The most corners that cuts may look at, and how many more for every word of the world. A real map takes up to 5 per word; in a
 * tree deeper than any compiler makes, every node takes as many as there are nodes above it.
 */
const MAX_CORNERS = 1 << 22;
const MAX_CORNERS_PER_WORD = 10;

/** A piece of a node's plane, and whether it is solid beside it. */
interface Piece {
  readonly winding: Winding;
  readonly solid: boolean;
}

/**
 * The faces between solid and open in a hull's tree, facing the open: the map grown by the hull's box, as the mover's origin
 * meets it. Computed at every call.
 *
 * Each node's plane, cut down to the node's region, is passed down its front side, and the resulting pieces down its back side;
 * where one side is solid and the other is not, there is a face.
 *
 * @throws RangeError when the map has no such hull; BspError (`limit`) when a tree takes far more cuts than that of any real map.
 */
export function hullPolygons(target: Quake1World | Quake1Model, hull: number): Polygon[] {
  checkTarget(target);
  const { hulls, trees } = target._memory;
  checkHull(hull, hulls.length);
  return treePolygons(trees[hull]!, target._heads[hull]!);
}

function treePolygons({ ints, floats, planes }: TreeView, head: number): Polygon[] {
  const polygons: Polygon[] = [];
  const most = MAX_CORNERS + MAX_CORNERS_PER_WORD * ints.length;
  const half = halfAround([floats[DIST_WORD]!]);
  let corners = 0;
  const planeOf = (node: number): WindingPlane => {
    const at = planes + PLANE_WORDS * (ints[node]! >> 3);
    const [x, y, z, dist] = floats.subarray(at, at + 4) as unknown as WindingPlane;
    const length = lengthOf(x, y, z) || 1;
    return [x / length, y / length, z / length, dist / length];
  };
  const cut = (winding: Winding, [x, y, z, dist]: WindingPlane): WindingCut => {
    corners += winding.length / 3;
    if (corners > most) {
      const problem = `the faces of a hull take cuts of more than ${most} corners, as no compiled map does`;
      throw new BspError('limit', { format: 'quake1' }, problem);
    }
    return cutWinding(winding, x, y, z, dist, ON_PLANE);
  };

  /** Passes a piece of `plane` down one of its sides, `facing` 1 for the front: which parts of it end up where. */
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
      const { front, back } = cut(piece, other);
      if (!front && !back) {
        // The piece stands for what is right beside it, on the side that it was passed down.
        const agrees = (plane[0] * other[0] + plane[1] * other[1] + plane[2] * other[2]) * facing > 0;
        waiting.push([piece, ints[node + (agrees ? 2 : 3)]!]);
      }
      if (back) waiting.push([back, ints[node + 3]!]);
      if (front) waiting.push([front, ints[node + 2]!]);
    }
    return out;
  }

  /** The way down to a node: planes, and on which side of each. */
  const way: { plane: WindingPlane; side: number }[] = [];
  const waiting: { node: number; level: number; side: number }[] = [{ node: head, level: 0, side: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, level, side } = next;
    if (level > 0) way[level - 1] = { plane: way[level - 1]!.plane, side };
    if (node < 0) continue;
    const plane = planeOf(node);
    let winding: Winding | undefined = squareOn(plane, half);
    for (let k = 0; k < level && winding; k++) {
      const { front, back } = cut(winding, way[k]!.plane);
      winding = way[k]!.side === 0 ? front : back;
    }
    if (winding) {
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

/** A square on a plane, larger than the map; `undefined` if the plane has no direction. */
function squareOn([x, y, z, dist]: WindingPlane, half: number): Winding | undefined {
  return x === 0 && y === 0 && z === 0 ? undefined : planeWinding(x, y, z, dist, half);
}

/** A face; a winding's corners are clockwise, a polygon's counter-clockwise. */
function face(winding: Winding, [x, y, z, dist]: WindingPlane, flipped: boolean): Polygon {
  const facing = (component: number): number => (flipped ? 0 - component : component);
  return {
    vertices: Float32Array.from(flipped ? winding : reverseWinding(winding)),
    normal: Float32Array.of(facing(x), facing(y), facing(z)),
    dist: facing(dist),
    texture: -1,
    contents: CONTENTS_SOLID,
    surface: -1,
  };
}
