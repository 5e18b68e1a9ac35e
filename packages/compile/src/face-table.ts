import { cutWinding, isTiny, ON_EPSILON, windingCenter } from '@bspkit/geometry';
import type { Face } from './csg.ts';
import type { PlaneSet } from './planes.ts';

/** A face on its way down a tree. */
export type SplitFace = Pick<Face, 'plane' | 'winding' | 'brush'>;

/** Most faces of a cluster. */
const CLUSTER = 16;

/**
 * The faces in a piece of space, with their bounds as flat numbers: the middle, and how far they reach from there.
 * Consecutive faces of one brush form a cluster with bounds of its own. One table serves a whole tree, since a plane
 * is chosen and the faces are split before the next piece of space is considered.
 */
export class FaceTable {
  private _faces: readonly SplitFace[] = [];
  private _planes: Int32Array = new Int32Array(0);
  private _bounds: Float64Array = new Float64Array(0);
  private _clusters = 0;
  /** First face of each cluster, and after the last the number of all faces. */
  private _starts: Int32Array = new Int32Array(1);
  private _clusterBounds: Float64Array = new Float64Array(0);

  get size(): number {
    return this._faces.length;
  }

  /** Replaces the faces. */
  fill(faces: readonly SplitFace[]): void {
    this._faces = faces;
    this._clusters = 0;
    if (this._planes.length < faces.length) this._grow(2 * faces.length);
    const { _planes: planes, _starts: starts } = this;
    let start = 0;
    for (let i = 0; i < faces.length; i++) {
      const face = faces[i]!;
      planes[i] = face.plane >> 1;
      this._boundFace(i);
      if (i === 0 || face.brush !== faces[start]!.brush || i - start === CLUSTER) {
        start = i;
        starts[this._clusters++] = i;
      }
    }
    starts[this._clusters] = faces.length;
    for (let c = 0; c < this._clusters; c++) this._boundCluster(c);
  }

  /** The even planes that the faces lie on, with the areas of the boxes around these. */
  areas(): Map<number, number> {
    const { _planes: planes, _bounds: bounds } = this;
    const areas = new Map<number, number>();
    for (let i = 0; i < this._faces.length; i++) {
      const plane = 2 * planes[i]!;
      const x = bounds[6 * i + 3]!;
      const y = bounds[6 * i + 4]!;
      const z = bounds[6 * i + 5]!;
      areas.set(plane, (areas.get(plane) ?? 0) + (x * y + y * z + z * x));
    }
    return areas;
  }

  /**
   * What a split costs: the faces in front of a plane and behind it by their weights, those that it cuts on both sides
   * and once more by half; those on it cost nothing. Gives up as soon as the cost is above `most`.
   */
  cost(planes: PlaneSet, plane: number, frontWeight: number, backWeight: number, most: number): number {
    const { _faces: faces, _planes: facePlanes, _bounds: bounds } = this;
    const { _clusters: clusters, _starts: starts, _clusterBounds: clusterBounds } = this;
    const pair = plane >> 1;
    const nx = planes.nx[plane]!;
    const ny = planes.ny[plane]!;
    const nz = planes.nz[plane]!;
    const dist = planes.dist[plane]!;
    const ax = Math.abs(nx);
    const ay = Math.abs(ny);
    const az = Math.abs(nz);
    const isAxial = planes.type(plane) < 3;
    let front = 0;
    let back = 0;
    let cuts = 0;
    let cost = 0;
    // PERF: most of the compiler's time is spent here. Bounds settle most clusters, then most faces, without a look at
    // corners. A cluster must be clear of the plane by more than its faces must, whatever the rounding of its bounds.
    for (let c = 0; c < clusters; c++) {
      const from = starts[c]!;
      const to = starts[c + 1]!;
      const at = 6 * c;
      const middle =
        nx * clusterBounds[at]! + ny * clusterBounds[at + 1]! + nz * clusterBounds[at + 2]! - dist;
      const reach = ax * clusterBounds[at + 3]! + ay * clusterBounds[at + 4]! + az * clusterBounds[at + 5]!;
      if (middle - reach > 2 * ON_EPSILON) front += to - from;
      else if (middle + reach < -2 * ON_EPSILON) back += to - from;
      else {
        for (let i = from; i < to; i++) {
          if (facePlanes[i] === pair) continue;
          const at = 6 * i;
          const middle = nx * bounds[at]! + ny * bounds[at + 1]! + nz * bounds[at + 2]! - dist;
          const reach = ax * bounds[at + 3]! + ay * bounds[at + 4]! + az * bounds[at + 5]!;
          let inFront = middle + reach > ON_EPSILON;
          let behind = middle - reach < -ON_EPSILON;
          if (inFront && behind && !isAxial) {
            inFront = false;
            behind = false;
            const { winding } = faces[i]!;
            for (let k = 0; k < winding.length; k += 3) {
              const d = winding[k]! * nx + winding[k + 1]! * ny + winding[k + 2]! * nz - dist;
              if (d > ON_EPSILON) inFront = true;
              else if (d < -ON_EPSILON) behind = true;
            }
          }
          if (inFront || !behind) front++;
          if (behind) back++;
          if (inFront && behind) cuts++;
        }
      }
      cost = frontWeight * front + backWeight * back + 0.5 * cuts;
      if (cost > most) return cost;
    }
    return cost;
  }

  /** Cuts the faces at a plane; those on it are counted and dropped. */
  split(planes: PlaneSet, plane: number): { front: SplitFace[]; back: SplitFace[]; on: number } {
    const { _planes: facePlanes, _bounds: bounds } = this;
    const front: SplitFace[] = [];
    const back: SplitFace[] = [];
    let on = 0;
    const nx = planes.nx[plane]!;
    const ny = planes.ny[plane]!;
    const nz = planes.nz[plane]!;
    const dist = planes.dist[plane]!;
    for (const [i, face] of this._faces.entries()) {
      if (facePlanes[i] === plane >> 1) {
        on++;
        continue;
      }
      const at = 6 * i;
      const middle = nx * bounds[at]! + ny * bounds[at + 1]! + nz * bounds[at + 2]! - dist;
      const reach =
        Math.abs(nx) * bounds[at + 3]! + Math.abs(ny) * bounds[at + 4]! + Math.abs(nz) * bounds[at + 5]!;
      if (middle - reach > 2 * ON_EPSILON) front.push(face);
      else if (middle + reach < -2 * ON_EPSILON) back.push(face);
      else {
        const cut = cutWinding(face.winding, nx, ny, nz, dist);
        if (cut.front === face.winding) front.push(face);
        else if (cut.back === face.winding) back.push(face);
        else if (!cut.front && !cut.back) {
          // A face within rounding of the plane, but on another one, goes where its middle lies.
          const [x, y, z] = windingCenter(face.winding);
          (planes.distance(plane, x, y, z) >= 0 ? front : back).push(face);
        } else {
          const { plane: own, brush } = face;
          if (cut.front && !isTiny(cut.front)) front.push({ plane: own, brush, winding: cut.front });
          if (cut.back && !isTiny(cut.back)) back.push({ plane: own, brush, winding: cut.back });
        }
      }
    }
    return { front, back, on };
  }

  private _boundFace(i: number): void {
    const { winding } = this._faces[i]!;
    for (let k = 0; k < 3; k++) {
      let least = Number.POSITIVE_INFINITY;
      let greatest = Number.NEGATIVE_INFINITY;
      for (let c = k; c < winding.length; c += 3) {
        const value = winding[c]!;
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
      this._bounds[6 * i + k] = (least + greatest) / 2;
      this._bounds[6 * i + k + 3] = (greatest - least) / 2;
    }
  }

  private _boundCluster(c: number): void {
    const { _bounds: bounds, _starts: starts } = this;
    for (let k = 0; k < 3; k++) {
      let least = Number.POSITIVE_INFINITY;
      let greatest = Number.NEGATIVE_INFINITY;
      for (let i = starts[c]!; i < starts[c + 1]!; i++) {
        const middle = bounds[6 * i + k]!;
        const half = bounds[6 * i + k + 3]!;
        if (middle - half < least) least = middle - half;
        if (middle + half > greatest) greatest = middle + half;
      }
      this._clusterBounds[6 * c + k] = (least + greatest) / 2;
      this._clusterBounds[6 * c + k + 3] = (greatest - least) / 2;
    }
  }

  private _grow(size: number): void {
    this._planes = new Int32Array(size);
    this._bounds = new Float64Array(6 * size);
    this._starts = new Int32Array(size + 1);
    this._clusterBounds = new Float64Array(6 * size);
  }
}
