import { PLANE_WORDS } from '../layout.ts';
import { isOutside, type TreeView } from './tree.ts';

/** Memory for {@link castRay}, and its answer. One per opener of a world. */
export interface RayWalk {
  /** Start and end, six numbers. */
  readonly segment: Float64Array;
  /** Views of these. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Far sides still to walk: the times at which they begin and end, two numbers each. */
  readonly times: Float64Array;
  /** For each of them, node << 1 | the side that is left, in one word. */
  readonly links: Int32Array;
  /** The time of the hit. */
  readonly hit: Float64Array;
  /** How it ended: `RAY_…`. */
  result: number;
  /** The node at which the ray came into what stopped it, << 1, | the side it came from. */
  link: number;
  /** What stopped the ray, as a packed leaf. */
  leaf: number;
}

export const RAY_MISS = 0;
export const RAY_HIT = 1;
/** It starts outside the map and comes in later. */
export const RAY_START_SOLID = 2;
/** It stays outside the map all the way. */
export const RAY_ALL_SOLID = 3;

export function createRayWalk(depth: number): RayWalk {
  const segment = new Float64Array(6);
  return {
    segment,
    start: segment.subarray(0, 3),
    end: segment.subarray(3),
    times: new Float64Array(2 * (depth + 1)),
    links: new Int32Array(depth + 1),
    hit: new Float64Array(1),
    result: RAY_MISS,
    link: -1,
    leaf: -1,
  };
}

/**
 * Finds when the walk's segment first comes into what is outside (`mask`: see `outsideMask`), in double precision and without any
 * epsilon.
 *
 * Source: Note on Quake BSP Algorithms, ray_intersect. Fixed: a plane that the segment does not cross is on the side of the
 * start, or of the end if the start is on it, or behind if both are; nothing is divided there, and a segment that only touches a
 * plane does not cross it. Distances are those of the two given ends, never of points computed on the way. An interval of no
 * length is never entered, so a ray through an edge goes one way only. A start in solid is distinguished from a hit at time 0.
 */
export function castRay(tree: TreeView, root: number, mask: number, walk: RayWalk): void {
  const { ints, floats, planes } = tree;
  const { segment, times, links } = walk;
  let top = 0;
  let from = 0;
  let to = 1;
  let link = -1;
  let startsOutside = false;
  let node = root;
  walk.link = -1;
  for (;;) {
    while (node >= 0) {
      const kind = ints[node]! & 7;
      let d0: number;
      let d1: number;
      if (kind < 3) {
        const dist = floats[node + 1]!;
        d0 = segment[kind]! - dist;
        d1 = segment[3 + kind]! - dist;
      } else {
        const at = planes + PLANE_WORDS * (ints[node]! >> 3);
        const x = floats[at]!;
        const y = floats[at + 1]!;
        const z = floats[at + 2]!;
        const dist = floats[at + 3]!;
        d0 = x * segment[0]! + y * segment[1]! + z * segment[2]! - dist;
        d1 = x * segment[3]! + y * segment[4]! + z * segment[5]! - dist;
      }
      const side = (d0 !== 0 ? d0 : d1) > 0 ? 0 : 1;
      let child = side;
      if ((d0 > 0 && d1 < 0) || (d0 < 0 && d1 > 0)) {
        const time = d0 / (d0 - d1);
        if (time <= from) {
          child = 1 - side;
        } else if (time < to) {
          times[2 * top] = time;
          times[2 * top + 1] = to;
          links[top] = (node << 1) | side;
          top++;
          to = time;
        }
      }
      node = ints[node + 2 + child]!;
    }
    if (!isOutside(node, mask)) {
      if (startsOutside) {
        walk.result = RAY_START_SOLID;
        return;
      }
    } else if (link < 0) {
      startsOutside = true;
    } else if (!startsOutside) {
      walk.hit[0] = from;
      walk.link = link;
      walk.leaf = node;
      walk.result = RAY_HIT;
      return;
    }
    if (top === 0) {
      walk.result = startsOutside ? RAY_ALL_SOLID : RAY_MISS;
      return;
    }
    top--;
    link = links[top]!;
    from = times[2 * top]!;
    to = times[2 * top + 1]!;
    node = ints[(link >> 1) + 3 - (link & 1)]!;
  }
}
