import type { BrushPolygon, MeshBy } from '../mesh.ts';
import type { MeshBuilder } from './mesh.ts';

/** A brush as what is cut out of space by its planes. */
export interface BrushSource {
  readonly brush: number;
  /** 0 for the world, k for the inline model `*k`. */
  readonly model: number;
  readonly contents: number;
  /** Four numbers per side: normal, of unit length, and dist. */
  readonly planes: Float64Array;
  /** Number of its first side; -1 where the file does not number them. */
  readonly firstSide: number;
  /** By side. */
  readonly textures: ArrayLike<number>;
}

/** Half the side of the square that stands for a whole plane, in Quake units: farther out than any map reaches. */
const HALF = 131072;
/** Square of the distance from a square's middle at which its edges begin; normals are of unit length within 1e-6 only. */
const EDGES = (1 - 1e-5) * HALF * HALF;
/** A corner this far behind a plane still counts as on it, in Quake units. */
const ON_PLANE = 1 / 256;
/** A face with less area than this, in square Quake units, is what a bevel side leaves. */
const MIN_AREA = 1e-3;

/** Cuts the sides of brushes to faces. */
class Cutter {
  /** Corners of the latest face, three numbers each, counter-clockwise seen from its front. */
  corners: Float64Array = new Float64Array(192);
  private _spare: Float64Array = new Float64Array(192);
  private _dists: Float64Array = new Float64Array(64);

  /**
   * The face of a brush on one of its sides: the side's plane cut by all others. Returns its number of corners: 0 for a
   * bevel, which leaves none, for a plane that an earlier side has already, and where the brush has no end.
   */
  cut(planes: Float64Array, side: number): number {
    const at = 4 * side;
    const x = planes[at]!;
    const y = planes[at + 1]!;
    const z = planes[at + 2]!;
    const dist = planes[at + 3]!;
    const most = 3 * (planes.length / 4 + 4);
    if (most > this.corners.length) {
      this.corners = new Float64Array(2 * most);
      this._spare = new Float64Array(2 * most);
      this._dists = new Float64Array(most);
    }
    this._begin(x, y, z, dist);
    let count = 4;
    for (let k = 0; k < planes.length && count > 0; k += 4) {
      if (k === at) continue;
      const isSame = planes[k] === x && planes[k + 1] === y && planes[k + 2] === z && planes[k + 3] === dist;
      if (!isSame) count = this._clip(count, planes, k);
      else if (k < at) return 0;
    }
    const isFace = count > 0 && this._area(count) >= MIN_AREA && !this._isEndless(count, planes, at);
    return isFace ? count : 0;
  }

  /** Begins with a square on a plane, far larger than any map. */
  private _begin(x: number, y: number, z: number, dist: number): void {
    // An axis that is not along the normal, made perpendicular to it, and a third one.
    const along = Math.abs(z) > 0.7 ? x : z;
    const ux = (Math.abs(z) > 0.7 ? 1 : 0) - along * x;
    const uy = -along * y;
    const uz = (Math.abs(z) > 0.7 ? 0 : 1) - along * z;
    const scale = HALF / Math.sqrt(ux * ux + uy * uy + uz * uz);
    const u = [scale * ux, scale * uy, scale * uz];
    const v = [y * u[2]! - z * u[1]!, z * u[0]! - x * u[2]!, x * u[1]! - y * u[0]!];
    const n = [x, y, z];
    for (let i = 0; i < 3; i++) {
      const middle = n[i]! * dist;
      this.corners[i] = middle - u[i]! - v[i]!;
      this.corners[3 + i] = middle + u[i]! - v[i]!;
      this.corners[6 + i] = middle + u[i]! + v[i]!;
      this.corners[9 + i] = middle - u[i]! + v[i]!;
    }
  }

  /** Leaves of the corners what is behind a plane, or on it; all of a face that lies on it. Returns how many are left. */
  private _clip(count: number, planes: Float64Array, at: number): number {
    const { corners, _dists: dists } = this;
    const x = planes[at]!;
    const y = planes[at + 1]!;
    const z = planes[at + 2]!;
    const dist = planes[at + 3]!;
    let front = 0;
    let back = 0;
    for (let k = 0; k < count; k++) {
      const d = corners[3 * k]! * x + corners[3 * k + 1]! * y + corners[3 * k + 2]! * z - dist;
      dists[k] = d;
      if (d > ON_PLANE) front++;
      else if (d < -ON_PLANE) back++;
    }
    if (front === 0) return count;
    if (back === 0) return 0;
    const out = this._spare;
    let length = 0;
    for (let k = 0, next = 1; k < count; k++, next++) {
      if (next === count) next = 0;
      const d = dists[k]!;
      const e = dists[next]!;
      if (d <= ON_PLANE) {
        out[length] = corners[3 * k]!;
        out[length + 1] = corners[3 * k + 1]!;
        out[length + 2] = corners[3 * k + 2]!;
        length += 3;
      }
      if (!((d > ON_PLANE && e < -ON_PLANE) || (d < -ON_PLANE && e > ON_PLANE))) continue;
      // Always from front to back, so that two faces that share this edge get the very same corner.
      const t = d > 0 ? d / (d - e) : e / (e - d);
      const a = d > 0 ? 3 * k : 3 * next;
      const b = d > 0 ? 3 * next : 3 * k;
      out[length] = corners[a]! + t * (corners[b]! - corners[a]!);
      out[length + 1] = corners[a + 1]! + t * (corners[b + 1]! - corners[a + 1]!);
      out[length + 2] = corners[a + 2]! + t * (corners[b + 2]! - corners[a + 2]!);
      length += 3;
    }
    this._spare = corners;
    this.corners = out;
    return length / 3;
  }

  /** Whether an edge of the square is left, with the corners on it: not enough sides bound the face. */
  private _isEndless(count: number, planes: Float64Array, at: number): boolean {
    const { corners } = this;
    const dist = planes[at + 3]!;
    for (let k = 0; k < 3 * count; k += 3) {
      const x = corners[k]! - planes[at]! * dist;
      const y = corners[k + 1]! - planes[at + 1]! * dist;
      const z = corners[k + 2]! - planes[at + 2]! * dist;
      if (x * x + y * y + z * z >= EDGES) return true;
    }
    return false;
  }

  private _area(count: number): number {
    const { corners } = this;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let k = 3; k + 3 < 3 * count; k += 3) {
      const ux = corners[k]! - corners[0]!;
      const uy = corners[k + 1]! - corners[1]!;
      const uz = corners[k + 2]! - corners[2]!;
      const vx = corners[k + 3]! - corners[0]!;
      const vy = corners[k + 4]! - corners[1]!;
      const vz = corners[k + 5]! - corners[2]!;
      x += uy * vz - uz * vy;
      y += uz * vx - ux * vz;
      z += ux * vy - uy * vx;
    }
    return Math.sqrt(x * x + y * y + z * z) / 2;
  }
}

/**
 * Adds the faces of brushes to a mesh by brushes or by contents. `isLiquid` is asked about contents; `onFace` is told the
 * brush, side and number of corners of each face that was added.
 */
export function addBrushes(
  builder: MeshBuilder,
  brushes: Iterable<BrushSource>,
  by: MeshBy,
  isLiquid: (contents: number) => boolean,
  onFace?: (brush: BrushSource, side: number, corners: number) => void,
): void {
  const cutter = new Cutter();
  for (const source of brushes) {
    const { model, contents, planes, firstSide } = source;
    const brush = by === 'brush' ? source.brush : -1;
    // What has no face has no group either: a file may be full of brushes without sides.
    let group = -1;
    for (let side = 0; side < planes.length / 4; side++) {
      const count = cutter.cut(planes, side);
      if (count === 0) continue;
      if (group < 0) {
        group = builder.group(`${model} ${brush} ${contents}`, () => ({
          ...{ model, brush, contents, texture: -1, name: '', surfaceFlags: 0 },
          ...{ isSky: false, isHidden: false, isLiquid: isLiquid(contents), isLightmapped: false },
        }));
      }
      const number = firstSide < 0 ? -1 : firstSide + side;
      builder.add(group, count, count - 2, -1, source.brush, number);
      const { positions, normals, vertex } = builder;
      const { corners } = cutter;
      for (let k = 0; k < 3 * count; k += 3) {
        for (let i = 0; i < 3; i++) {
          positions[3 * vertex + k + i] = corners[k + i]!;
          normals[3 * vertex + k + i] = planes[4 * side + i]!;
        }
      }
      builder.fan(count);
      onFace?.(source, side, count);
    }
  }
}

/** The faces of brushes one by one. */
export function* cutPolygons(brushes: Iterable<BrushSource>): Generator<BrushPolygon> {
  const cutter = new Cutter();
  for (const { brush, model, contents, planes, firstSide, textures } of brushes) {
    for (let side = 0; side < planes.length / 4; side++) {
      const count = cutter.cut(planes, side);
      if (count === 0) continue;
      yield {
        vertices: Float32Array.from(cutter.corners.subarray(0, 3 * count)),
        normal: Float32Array.from(planes.subarray(4 * side, 4 * side + 3)),
        dist: planes[4 * side + 3]!,
        texture: textures[side] ?? -1,
        ...{ contents, surface: -1, brush, side: firstSide < 0 ? -1 : firstSide + side, model },
      };
    }
  }
}
