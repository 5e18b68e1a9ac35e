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

/** Indices in a bundle: 64 triangles that follow each other in the map, and so are mostly near each other. */
const BUNDLE = 3 * 64;
/** Bundles that are framed in one go: a millisecond's work on a phone, before the browser has compiled this. */
const SLICE = 32;
/** Quake units by which frames are larger than what is in them, so that rounding leaves nothing out. */
const MARGIN = 0.125;

/**
 * Triangles as lines of sight meet them. To try all of them takes milliseconds on the largest maps, but a large part of a second
 * on a phone the first time, before the browser has compiled this. So bundles of triangles have frames, made little by little by
 * {@link frameMore}; those of bundles that have none yet are tried. The answers are the same.
 */
export class Pickable {
  private readonly _arrays: DrawArrays;
  /** Boxes around bundles: lowest corner, highest corner. */
  private readonly _frames: Float32Array;
  private _framed = 0;

  constructor(arrays: DrawArrays) {
    this._arrays = arrays;
    this._frames = new Float32Array(6 * Math.ceil(arrays.indices.length / BUNDLE));
  }

  /** Frames some more bundles. Returns whether there are more. */
  frameMore(): boolean {
    const { _frames: frames } = this;
    const { positions, indices } = this._arrays;
    const to = Math.min(this._framed + SLICE, frames.length / 6);
    for (let bundle = this._framed; bundle < to; bundle++) {
      const end = Math.min(indices.length, (bundle + 1) * BUNDLE);
      for (let axis = 0; axis < 3; axis++) {
        let least = Number.POSITIVE_INFINITY;
        let most = Number.NEGATIVE_INFINITY;
        for (let k = bundle * BUNDLE; k < end; k++) {
          const x = positions[3 * indices[k]! + axis]!;
          if (x < least) least = x;
          if (x > most) most = x;
        }
        frames[6 * bundle + axis] = least - MARGIN;
        frames[6 * bundle + 3 + axis] = most + MARGIN;
      }
    }
    this._framed = to;
    return 6 * to < frames.length;
  }

  /** Whether a line of sight has nothing of a bundle in front of it, nearer than some distance. */
  private _misses(bundle: number, start: Vec3, direction: Vec3, nearest: number): boolean {
    if (bundle >= this._framed) return false;
    const frames = this._frames;
    let from = 0;
    let to = nearest;
    for (let axis = 0; axis < 3; axis++) {
      const s = start[axis]!;
      const d = direction[axis]!;
      const least = frames[6 * bundle + axis]! - s;
      const most = frames[6 * bundle + 3 + axis]! - s;
      if (d === 0) {
        if (least > 0 || most < 0) return true;
        continue;
      }
      const enters = (d > 0 ? least : most) / d;
      const leaves = (d > 0 ? most : least) / d;
      if (enters > from) from = enters;
      if (leaves < to) to = leaves;
      if (from > to) return true;
    }
    return false;
  }

  /**
   * The nearest triangle that a line of sight meets from its front, by Möller's and Trumbore's method.
   *
   * @param shown - which groups count.
   * @param top - height above which all is cut away, in Quake units.
   */
  pick(
    start: Vec3,
    direction: Vec3,
    shown: (group: DrawGroup) => boolean,
    top = Number.POSITIVE_INFINITY,
  ): TriangleHit | undefined {
    const { positions, indices, groups } = this._arrays;
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
      const last = first + count;
      let end = first;
      for (let from = first; from < last; from = end) {
        const bundle = Math.floor(from / BUNDLE);
        end = Math.min(last, (bundle + 1) * BUNDLE);
        if (this._misses(bundle, start, direction, nearest)) continue;
        for (let k = from; k < end; k += 3) {
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
    }
    if (found < 0) return undefined;
    const corner = (k: number): Float32Array => positions.subarray(3 * indices[found + k]!);
    const edge = (k: number): Vector => subtract(corner(k), corner(0));
    // Slivers have no normal to speak of.
    const normal = normalize(cross(edge(1), edge(2))) ?? [-dx, -dy, -dz];
    return { distance: nearest, normal, group: foundGroup! };
  }
}
