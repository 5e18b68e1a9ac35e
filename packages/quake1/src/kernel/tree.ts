import type { Vec3 } from '@bspkit/core';
import { PLANE_WORDS } from '../layout.ts';

/** A tree in a world's buffer. */
export interface TreeView {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  /** Where the planes begin in the buffer. */
  readonly planes: number;
  /** Where the tree's nodes begin and end. */
  readonly first: number;
  readonly end: number;
}

/** Whether a packed leaf has one of the contents in a mask: bit c stands for contents -c. */
export function isOutside(leaf: number, mask: number): boolean {
  const contents = ~leaf & 63;
  return contents < 32 && ((mask >>> contents) & 1) === 1;
}

/**
 * The packed leaf at a point, below the node at `root`, by the rule of leafs: a point on a plane is behind it. In float32, as in
 * the engine. Source: Note on Quake BSP Algorithms, point_locate.
 */
export function leafAt({ ints, floats, planes }: TreeView, root: number, point: Vec3): number {
  const fround = Math.fround;
  const x = fround(point[0]!);
  const y = fround(point[1]!);
  const z = fround(point[2]!);
  let node = root;
  while (node >= 0) {
    const kind = ints[node]! & 7;
    let front: boolean;
    if (kind < 3) {
      // For an exactly axial plane, the whole sum is equivalent to this comparison.
      front = (kind === 0 ? x : kind === 1 ? y : z) > floats[node + 1]!;
    } else {
      const at = planes + PLANE_WORDS * (ints[node]! >> 3);
      const xy = fround(fround(floats[at]! * x) + fround(floats[at + 1]! * y));
      front = fround(fround(xy + fround(floats[at + 2]! * z)) - floats[at + 3]!) > 0;
    }
    node = ints[node + (front ? 2 : 3)]!;
  }
  return node;
}

/**
 * Whether a sphere stays clear of everything outside, tested plane by plane. A yes is never wrong, but near edges and corners,
 * where each plane comes close and the wall itself does not, a no may be wrong.
 *
 * Source: Note on Quake BSP Algorithms, sphere_is_inside. Fixed: a plane that the sphere touches has it on both sides (the note's
 * strict comparisons send a sphere of radius 0 on a plane to neither), and a normal that is not of unit length is allowed for.
 *
 * @param stack - room for as many numbers as the tree is deep.
 */
export function isSphereInside(
  { ints, floats, planes }: TreeView,
  root: number,
  center: Vec3,
  radius: number,
  mask: number,
  stack: Int32Array,
): boolean {
  const x = center[0]!;
  const y = center[1]!;
  const z = center[2]!;
  let top = 0;
  let node = root;
  for (;;) {
    while (node >= 0) {
      const at = planes + PLANE_WORDS * (ints[node]! >> 3);
      const nx = floats[at]!;
      const ny = floats[at + 1]!;
      const nz = floats[at + 2]!;
      const dist = nx * x + ny * y + nz * z - floats[at + 3]!;
      const reach = radius * Math.sqrt(nx * nx + ny * ny + nz * nz);
      if (dist < -reach) {
        node = ints[node + 3]!;
      } else {
        if (dist <= reach) stack[top++] = ints[node + 3]!;
        node = ints[node + 2]!;
      }
    }
    if (isOutside(node, mask)) return false;
    if (top === 0) return true;
    node = stack[--top]!;
  }
}
