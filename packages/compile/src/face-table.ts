import { cutWinding, isTiny, ON_EPSILON, type Winding, windingCenter } from '@bspkit/geometry';
import { boxAround } from './box.ts';
import type { Face } from './csg.ts';
import type { PlaneSet } from './planes.ts';
import { BACK, FRONT } from './solid.ts';

/** The most faces of a cluster. */
const CLUSTER = 16;

/** Length of windings with so many corners that it is faster to look up what is known about them. */
const MANY_CORNERS = 3 * 64;
/** More than there are pairs of planes. */
const MOST_PAIRS = 2 ** 24;
/** When more than this is known, it is forgotten, before it takes too much memory. */
const MOST_KNOWN = 0x40000;

/** Some of a table's faces, by their numbers. */
export type FaceList = readonly number[];

/**
 * The faces that a tree is built from, and the pieces they are cut into on the way down, by numbers: what is needed to choose a
 * plane is in flat arrays. In the list that was taken last, consecutive faces of one brush form a cluster with bounds of its own.
 * Bounds are six numbers: the middle, and how far they reach from there.
 */
export class FaceTable {
  private _count = 0;
  private readonly _windings: Winding[] = [];
  /** The pairs of planes that the faces lie on, in ascending order, and the place of each in this list. */
  private readonly _allPairs: Int32Array;
  private readonly _places: ReadonlyMap<number, number>;
  /** The place of the pair of planes that each face lies on. */
  private _pairs: Int32Array = new Int32Array(0);
  private _brushes: Int32Array = new Int32Array(0);
  private _bounds: Float64Array = new Float64Array(0);
  private _list: FaceList = [];
  private _clusters = 0;
  /** The first face of each cluster, as an index into the list, and finally the length of the list. */
  private _starts: Int32Array = new Int32Array(1);
  private _clusterBounds: Float64Array = new Float64Array(0);
  /**
   * On which sides of planes faces with many corners are, by face and plane. PERF: a face that is not cut meets the same planes
   * again at every split below; without this, the ends of a prism took time by the cube of its sides.
   */
  private readonly _known = new Map<number, number>();
  /** The places of the pairs that the faces of the list lie on, in ascending order. */
  private _found: Int32Array = new Int32Array(0);
  /** How many of these faces lie on the pair of each place, and the area of the boxes around them. */
  private readonly _counts: Int32Array;
  private readonly _areas: Float64Array;

  constructor(faces: readonly Face[]) {
    this._allPairs = Int32Array.from(new Set(faces.map(({ plane }) => plane >> 1))).sort();
    const places = new Map([...this._allPairs].map((pair, place) => [pair, place]));
    this._places = places;
    this._counts = new Int32Array(places.size);
    this._areas = new Float64Array(places.size);
    this._grow(2 * faces.length + 64);
    this._list = faces.map(({ plane, winding, brush }) => this._add(places.get(plane >> 1)!, brush, winding));
  }

  /** The faces that were taken last; all of them, before any were. */
  get list(): FaceList {
    return this._list;
  }

  /** Takes a list of faces to work on. */
  take(list: FaceList): void {
    for (const face of this._list) this._counts[this._pairs[face]!] = 0;
    this._list = list;
    this._clusters = 0;
    if (this._starts.length <= list.length) {
      this._starts = new Int32Array(2 * list.length + 1);
      this._clusterBounds = new Float64Array(12 * list.length);
    }
    const { _brushes: brushes, _starts: starts } = this;
    let start = 0;
    let brush = -1;
    for (let i = 0; i < list.length; i++) {
      const own = brushes[list[i]!]!;
      if (own === brush && i - start < CLUSTER) continue;
      brush = own;
      start = i;
      starts[this._clusters++] = i;
    }
    starts[this._clusters] = list.length;
    for (let c = 0; c < this._clusters; c++) this._boundCluster(c);
    this._findPairs();
  }

  /** The even planes that the faces lie on, each once, in ascending order. */
  planes(): Int32Array {
    return this._found.map((place) => 2 * this._allPairs[place]!);
  }

  /** The planes with the largest boxes around the faces on them, the largest first. */
  largest(count: number): Int32Array {
    const areas = this._areas;
    return this._found
      .slice()
      .sort((a, b) => (areas[a]! > areas[b]! ? -1 : areas[a]! < areas[b]! ? 1 : a - b))
      .subarray(0, count)
      .map((place) => 2 * this._allPairs[place]!);
  }

  /**
   * What a split costs: the faces in front of a plane and behind it by their weights, those that it cuts on both sides plus half
   * as much again; those on it cost nothing. Gives up as soon as the cost is sure to be above `most`. The plane is one of the
   * {@link planes}.
   */
  cost(planes: PlaneSet, plane: number, frontWeight: number, backWeight: number, most: number): number {
    const { _list: list, _windings: windings, _pairs: pairs, _bounds: bounds } = this;
    const { _clusters: clusters, _starts: starts, _clusterBounds: clusterBounds } = this;
    const pair = plane >> 1;
    const place = this._places.get(pair)!;
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
    const least = Math.min(frontWeight, backWeight);
    /** As many of the faces cost something. */
    const costly = list.length - this._counts[place]!;
    // The sums here and in the end are rounded differently.
    const tooMuch = most * (1 + 1e-9);
    // PERF: much of the compiler's time is spent here. Bounds decide for most clusters, then for most faces, without looking at
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
          const face = list[i]!;
          if (pairs[face] === place) continue;
          const at = 6 * face;
          const middle = nx * bounds[at]! + ny * bounds[at + 1]! + nz * bounds[at + 2]! - dist;
          const reach = ax * bounds[at + 3]! + ay * bounds[at + 4]! + az * bounds[at + 5]!;
          let inFront = middle + reach > ON_EPSILON;
          let behind = middle - reach < -ON_EPSILON;
          if (inFront && behind && !isAxial) {
            const winding = windings[face]!;
            const sides =
              winding.length < MANY_CORNERS
                ? windingSides(winding, nx, ny, nz, dist)
                : this._sidesOf(face, pair, nx, ny, nz, dist);
            inFront = (sides & FRONT) !== 0;
            behind = (sides & BACK) !== 0;
          }
          if (inFront || !behind) front++;
          if (behind) back++;
          if (inFront && behind) cuts++;
        }
      }
      cost = frontWeight * front + backWeight * back + 0.5 * cuts;
      if (cost > most || cost + least * (costly - to) > tooMuch) return Number.POSITIVE_INFINITY;
    }
    return cost;
  }

  /** Cuts the faces at a plane; those on it are counted and dropped, and new pieces are counted. */
  split(planes: PlaneSet, plane: number): { front: FaceList; back: FaceList; on: number; pieces: number } {
    const { _count: before } = this;
    const front: number[] = [];
    const back: number[] = [];
    let on = 0;
    const place = this._places.get(plane >> 1);
    const nx = planes.nx[plane]!;
    const ny = planes.ny[plane]!;
    const nz = planes.nz[plane]!;
    const dist = planes.dist[plane]!;
    for (const face of this._list) {
      if (this._pairs[face] === place) {
        on++;
        continue;
      }
      const bounds = this._bounds;
      const at = 6 * face;
      const middle = nx * bounds[at]! + ny * bounds[at + 1]! + nz * bounds[at + 2]! - dist;
      const reach =
        Math.abs(nx) * bounds[at + 3]! + Math.abs(ny) * bounds[at + 4]! + Math.abs(nz) * bounds[at + 5]!;
      if (middle - reach > 2 * ON_EPSILON) front.push(face);
      else if (middle + reach < -2 * ON_EPSILON) back.push(face);
      else this._cut(face, planes, plane, front, back);
    }
    return { front, back, on, pieces: this._count - before };
  }

  /** Adds a face that may be on both sides of a plane to those in front of it or behind it, or a piece to each. */
  private _cut(face: number, planes: PlaneSet, plane: number, front: number[], back: number[]): void {
    const { nx, ny, nz, dist } = planes;
    const winding = this._windings[face]!;
    const cut = cutWinding(winding, nx[plane]!, ny[plane]!, nz[plane]!, dist[plane]!);
    if (cut.front === winding) front.push(face);
    else if (cut.back === winding) back.push(face);
    else if (!cut.front && !cut.back) {
      // A face that is within rounding of the plane, but on another one, goes where its middle is.
      const [x, y, z] = windingCenter(winding);
      (planes.distance(plane, x, y, z) >= 0 ? front : back).push(face);
    } else {
      if (cut.front && !isTiny(cut.front)) front.push(this._addPiece(face, cut.front));
      if (cut.back && !isTiny(cut.back)) back.push(this._addPiece(face, cut.back));
    }
  }

  /** {@link windingSides} for a face with many corners. */
  private _sidesOf(face: number, pair: number, nx: number, ny: number, nz: number, dist: number): number {
    const key = face * MOST_PAIRS + pair;
    const known = this._known.get(key);
    if (known !== undefined) return known;
    const sides = windingSides(this._windings[face]!, nx, ny, nz, dist);
    if (this._known.size >= MOST_KNOWN) this._known.clear();
    this._known.set(key, sides);
    return sides;
  }

  private _findPairs(): void {
    const { _list: list, _pairs: pairs, _bounds: bounds, _counts: counts, _areas: areas } = this;
    const found: number[] = [];
    for (const face of list) {
      const place = pairs[face]!;
      const x = bounds[6 * face + 3]!;
      const y = bounds[6 * face + 4]!;
      const z = bounds[6 * face + 5]!;
      if (counts[place]!++ === 0) {
        found.push(place);
        areas[place] = 0;
      }
      areas[place]! += x * y + y * z + z * x;
    }
    this._found = Int32Array.from(found).sort();
  }

  private _addPiece(face: number, winding: Winding): number {
    return this._add(this._pairs[face]!, this._brushes[face]!, winding);
  }

  private _add(place: number, brush: number, winding: Winding): number {
    const face = this._count++;
    if (face === this._pairs.length) this._grow(2 * face);
    this._windings[face] = winding;
    this._pairs[face] = place;
    this._brushes[face] = brush;
    const { mins, maxs } = boxAround([winding]);
    for (let k = 0; k < 3; k++) {
      this._bounds[6 * face + k] = (mins[k]! + maxs[k]!) / 2;
      this._bounds[6 * face + k + 3] = (maxs[k]! - mins[k]!) / 2;
    }
    return face;
  }

  private _boundCluster(c: number): void {
    const { _list: list, _bounds: bounds, _starts: starts } = this;
    for (let k = 0; k < 3; k++) {
      let least = Number.POSITIVE_INFINITY;
      let greatest = Number.NEGATIVE_INFINITY;
      for (let i = starts[c]!; i < starts[c + 1]!; i++) {
        const middle = bounds[6 * list[i]! + k]!;
        const half = bounds[6 * list[i]! + k + 3]!;
        if (middle - half < least) least = middle - half;
        if (middle + half > greatest) greatest = middle + half;
      }
      this._clusterBounds[6 * c + k] = (least + greatest) / 2;
      this._clusterBounds[6 * c + k + 3] = (greatest - least) / 2;
    }
  }

  private _grow(size: number): void {
    const { _pairs: pairs, _brushes: brushes, _bounds: bounds } = this;
    this._pairs = new Int32Array(size);
    this._brushes = new Int32Array(size);
    this._bounds = new Float64Array(6 * size);
    this._pairs.set(pairs);
    this._brushes.set(brushes);
    this._bounds.set(bounds);
  }
}

/** The sides of a plane on which a winding is by more than rounding. */
function windingSides(winding: Winding, nx: number, ny: number, nz: number, dist: number): number {
  let sides = 0;
  for (let k = 0; k < winding.length && sides !== (FRONT | BACK); k += 3) {
    const d = winding[k]! * nx + winding[k + 1]! * ny + winding[k + 2]! * nz - dist;
    if (d > ON_EPSILON) sides |= FRONT;
    else if (d < -ON_EPSILON) sides |= BACK;
  }
  return sides;
}
