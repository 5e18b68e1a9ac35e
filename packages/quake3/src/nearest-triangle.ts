import type { Polygon } from '@bspkit/core';
import type { WorldMemory } from './kernel/memory.ts';
import { TriangleReader } from './triangles.ts';

const f = Math.fround;

/** How finely patches are divided. */
const PATCH_LEVEL = 4;

/**
 * Finds the triangle nearest to a point among those of some surfaces; of several that are as near, the first that it looked at.
 * Only {@link polygon} allocates.
 */
export class NearestTriangle {
  /** The surface of the nearest triangle so far; -1 if none is near enough. */
  surface = -1;
  private _triangle = 0;
  private readonly _reader: TriangleReader = new TriangleReader();
  private readonly _point: Float64Array = new Float64Array(3);
  /** How near a triangle must be to be the nearest. */
  private readonly _most: Float64Array = new Float64Array(1);

  /** Begins a search for what is nearer to a point than `most`. */
  begin(point: ArrayLike<number>, most: number): void {
    for (let k = 0; k < 3; k++) this._point[k] = point[k]!;
    this._most[0] = most;
    this.surface = -1;
  }

  /** Looks at all triangles of a surface, the only one of its search: of patches, the reader keeps one at a time. */
  lookAt(memory: WorldMemory, surface: number): void {
    const { _reader: reader } = this;
    const count = reader.begin(memory, surface, PATCH_LEVEL);
    for (let k = 0; k < count; k++) {
      reader.read(memory, surface, k);
      // Most are farther than the nearest so far, however their planes are rounded.
      if (this._isAround(this._most[0]! + 1) && reader.measure()) this._compare(surface, k);
    }
  }

  /**
   * Looks at the triangles of a surface that face as a side of a brush does (its place in the memory), with the point no farther
   * from their planes than `offPlane`, and from the boxes around them than `within`.
   */
  lookAtFacing(memory: WorldMemory, surface: number, side: number, offPlane: number, within: number): void {
    const { _reader: reader } = this;
    const { plane } = reader;
    const { floats } = memory;
    const x = floats[side]!;
    const y = floats[side + 1]!;
    const z = floats[side + 2]!;
    const count = reader.begin(memory, surface, PATCH_LEVEL);
    for (let k = 0; k < count; k++) {
      reader.read(memory, surface, k);
      if (!this._isAround(within) || !reader.measure()) continue;
      const along = plane[0]! * x + plane[1]! * y + plane[2]! * z;
      if (along > 0.5 && this._offPlane() < offPlane) this._compare(surface, k);
    }
  }

  /** The nearest triangle, if there is one. */
  polygon(memory: WorldMemory): Polygon | undefined {
    const { surface, _reader: reader } = this;
    if (surface < 0) return undefined;
    reader.read(memory, surface, this._triangle);
    reader.measure();
    return reader.polygon(memory, surface);
  }

  /** Keeps the triangle that the reader has measured if it is the nearest so far. */
  private _compare(surface: number, triangle: number): void {
    const most = this._most[0]!;
    const off = this._offPlane();
    // Most are too far from their planes already.
    if (!(off < most)) return;
    const distance = off + this._beside();
    if (!(distance < most)) return;
    this._most[0] = distance;
    this.surface = surface;
    this._triangle = triangle;
  }

  /** Whether the box around the triangle comes this near to the point. */
  private _isAround(within: number): boolean {
    const { corners } = this._reader;
    for (let k = 0; k < 3; k++) {
      const high = this._point[k]! + within;
      const low = this._point[k]! - within;
      const a = corners[k]!;
      const b = corners[3 + k]!;
      const c = corners[6 + k]!;
      if ((a > high && b > high && c > high) || (a < low && b < low && c < low)) return false;
    }
    return true;
  }

  /** How far the point is from the triangle's plane. */
  private _offPlane(): number {
    const { plane } = this._reader;
    const x = this._point[0]!;
    const y = this._point[1]!;
    const z = this._point[2]!;
    return Math.abs(plane[0]! * x + plane[1]! * y + plane[2]! * z - plane[3]!);
  }

  /** How far the point is beside the triangle, along its plane: from the nearest of its edges, or 0 above or below it. */
  private _beside(): number {
    const least = Math.min(this._besideEdge(0, 6), this._besideEdge(6, 3), this._besideEdge(3, 0));
    return least < Number.POSITIVE_INFINITY ? Math.sqrt(least) : 0;
  }

  /** The square of how far it is outside an edge, which goes from one corner to another: infinitely far if it is inside. */
  private _besideEdge(from: number, to: number): number {
    const { corners, plane } = this._reader;
    // As in the polygon, whose corners are float32.
    const ax = f(corners[from]!);
    const ay = f(corners[from + 1]!);
    const az = f(corners[from + 2]!);
    const ex = f(corners[to]!) - ax;
    const ey = f(corners[to + 1]!) - ay;
    const ez = f(corners[to + 2]!) - az;
    const fx = this._point[0]! - ax;
    const fy = this._point[1]! - ay;
    const fz = this._point[2]! - az;
    const nx = plane[0]!;
    const ny = plane[1]!;
    const nz = plane[2]!;
    // The triple product of edge, normal and the way to the point: above 0 outside the edge, times the edge's length.
    const outside = fx * (ey * nz - ez * ny) + fy * (ez * nx - ex * nz) + fz * (ex * ny - ey * nx);
    if (!(outside > 0)) return Number.POSITIVE_INFINITY;
    const length = ex * ex + ey * ey + ez * ez;
    const along = (ex * fx + ey * fy + ez * fz) / length;
    // Beyond an end of the edge, that end is nearest.
    const beyond = along - Math.min(1, Math.max(0, along));
    return (outside * outside) / length + beyond * beyond * length;
  }
}
