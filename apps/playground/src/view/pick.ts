import type { Vec3 } from '@bspkit/core';
import { cross, normalize, subtract } from '@bspkit/geometry';
import type { Vector } from '../camera/math.ts';
import type { DrawArrays, DrawGroup } from './surfaces.ts';

/** Where a line of sight meets a triangle. */
export interface TriangleHit {
  readonly distance: number;
  /** Of the triangle, of unit length. */
  readonly normal: readonly [number, number, number];
  readonly group: DrawGroup;
}

/**
 * The nearest triangle that a line of sight meets from its front, by Möller's and Trumbore's method: all of them are
 * tried, which takes a few milliseconds on the largest maps.
 *
 * @param shown - which groups count.
 * @param top - height above which all is cut away, in Quake units.
 */
export function pickTriangle(
  { positions, indices, groups }: DrawArrays,
  start: Vec3,
  direction: Vec3,
  shown: (group: DrawGroup) => boolean,
  top = Number.POSITIVE_INFINITY,
): TriangleHit | undefined {
  const sx = start[0]!;
  const sy = start[1]!;
  const sz = start[2]!;
  const dx = direction[0]!;
  const dy = direction[1]!;
  const dz = direction[2]!;
  let nearest = Number.POSITIVE_INFINITY;
  let found = -1;
  let foundGroup = groups[0];
  for (const group of groups) {
    if (!shown(group)) continue;
    const { first, count } = group;
    for (let k = first; k < first + count; k += 3) {
      const a = 3 * indices[k]!;
      const b = 3 * indices[k + 1]!;
      const c = 3 * indices[k + 2]!;
      const ax = positions[a]!;
      const ay = positions[a + 1]!;
      const az = positions[a + 2]!;
      const e1x = positions[b]! - ax;
      const e1y = positions[b + 1]! - ay;
      const e1z = positions[b + 2]! - az;
      const e2x = positions[c]! - ax;
      const e2y = positions[c + 1]! - ay;
      const e2z = positions[c + 2]! - az;
      const px = dy * e2z - dz * e2y;
      const py = dz * e2x - dx * e2z;
      const pz = dx * e2y - dy * e2x;
      const det = e1x * px + e1y * py + e1z * pz;
      // From behind, or along it.
      if (det < 1e-9) continue;
      const tx = sx - ax;
      const ty = sy - ay;
      const tz = sz - az;
      const u = tx * px + ty * py + tz * pz;
      if (u < 0 || u > det) continue;
      const qx = ty * e1z - tz * e1y;
      const qy = tz * e1x - tx * e1z;
      const qz = tx * e1y - ty * e1x;
      const v = dx * qx + dy * qy + dz * qz;
      if (v < 0 || u + v > det) continue;
      const t = (e2x * qx + e2y * qy + e2z * qz) / det;
      if (t > 0 && t < nearest && sz + t * dz <= top) {
        nearest = t;
        found = k;
        foundGroup = group;
      }
    }
  }
  if (found < 0) return undefined;
  const corner = (k: number): Float32Array => positions.subarray(3 * indices[found + k]!);
  const edge = (k: number): Vector => subtract(corner(k), corner(0));
  // Slivers have no normal to speak of.
  const normal = normalize(cross(edge(1), edge(2))) ?? [-dx, -dy, -dz];
  return { distance: nearest, normal, group: foundGroup! };
}
