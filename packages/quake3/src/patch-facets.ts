import type { PatchGrid } from './patch-grid.ts';
import {
  addScaled,
  baseWinding,
  chop,
  cross,
  distance,
  dot,
  flipped,
  isBounded,
  normalize,
  type Plane4,
  planeThrough,
  subtract,
  type V3,
  type Winding,
  windingBounds,
} from './patch-math.ts';

const f = Math.fround;

/** A point nearer than this to a plane is on it. */
const PLANE_EPSILON = 0.1;
const NORMAL_EPSILON = 0.0001;
const DIST_EPSILON = 0.02;
const MAX_BORDERS = 26;
const MAX_PLANES = 4096;
const MAX_FACETS = 1024;
/** Edge planes stand on an edge through a point this far above it. */
const EDGE_LIFT = 4;

export interface FacetBorder {
  /** Number of the plane in the patch. */
  plane: number;
  /** The facet lies in front of the plane, not behind it. */
  inward: boolean;
}

/** A flat piece of a patch: a surface plane and the borders around it, the surface itself turned as the last one. */
export interface PatchFacet {
  readonly plane: number;
  readonly borders: FacetBorder[];
}

/** The planes of one patch; planes that are alike share a number. */
class PlaneList {
  readonly planes: Plane4[] = [];
  private readonly _fail: (what: string) => never;

  constructor(fail: (what: string) => never) {
    this._fail = fail;
  }

  private _add(plane: Plane4): number {
    if (this.planes.length === MAX_PLANES) this._fail(`${MAX_PLANES} planes`);
    return this.planes.push(plane) - 1;
  }

  at(number: number): Plane4 {
    return this.planes[number]!;
  }

  /** The plane as a border sees it from inside its facet. */
  facing({ plane, inward }: FacetBorder): Plane4 {
    return inward ? this.at(plane) : flipped(this.at(plane));
  }

  /** A plane through three points, or the first known one that they lie on; -1 when they are in a line. */
  through(a: V3, b: V3, c: V3): number {
    const plane = planeThrough(a, b, c);
    if (!plane) return -1;
    for (let number = 0; number < this.planes.length; number++) {
      const known = this.planes[number]!;
      if (isOn(a, known) && isOn(b, known) && isOn(c, known) && dot(plane, known) >= 0) return number;
    }
    return this._add(plane);
  }

  /** A plane by value, or the first known one that equals it, facing either way. */
  like(plane: Plane4): FacetBorder {
    for (let number = 0; number < this.planes.length; number++) {
      const match = compare(this.planes[number]!, plane);
      if (match !== 0) return { plane: number, inward: match < 0 };
    }
    return { plane: this._add(plane), inward: false };
  }

  /** 1 in front of a plane, -1 behind it, 0 on it; a plane that does not exist has every point on it. */
  side(point: V3, number: number): number {
    if (number < 0) return 0;
    const d = distance(point, this.at(number));
    return d > PLANE_EPSILON ? 1 : d < -PLANE_EPSILON ? -1 : 0;
  }
}

function isOn(point: V3, plane: Plane4): boolean {
  const d = distance(point, plane);
  return d >= -PLANE_EPSILON && d <= PLANE_EPSILON;
}

/** Whether a equals b (`sign` 1) or b facing the other way (`sign` -1), each number within its epsilon. */
function near(a: Plane4, b: Plane4, sign: 1 | -1): boolean {
  return (
    Math.abs(f(a[0] - sign * b[0])) < NORMAL_EPSILON &&
    Math.abs(f(a[1] - sign * b[1])) < NORMAL_EPSILON &&
    Math.abs(f(a[2] - sign * b[2])) < NORMAL_EPSILON &&
    Math.abs(f(a[3] - sign * b[3])) < DIST_EPSILON
  );
}

/** 1 when two planes are equal, -1 when one is the other turned round, else 0. */
function compare(a: Plane4, b: Plane4): number {
  return near(a, b, 1) ? 1 : near(a, b, -1) ? -1 : 0;
}

/**
 * Planes and facets of a subdivided patch, in the engine's order. `fail` is called, with what there is too much of, as
 * soon as the engine could not hold it: a broken map must not keep us busy.
 */
export function buildFacets(
  grid: PatchGrid,
  fail: (what: string) => never,
): { planes: readonly Plane4[]; facets: PatchFacet[] } {
  const cells = new Cells(grid, fail);
  const facets: PatchFacet[] = [];
  for (let i = 0; i < cells.width - 1; i++) {
    for (let j = 0; j < cells.height - 1; j++) cells.addFacets(i, j, facets);
    if (facets.length > MAX_FACETS) fail(`${MAX_FACETS} facets`);
  }
  return { planes: cells.list.planes, facets };
}

/** A grid with the planes of its triangles: two a cell, split along the diagonal from (i, j) to (i+1, j+1). */
class Cells {
  readonly list: PlaneList;
  readonly width: number;
  readonly height: number;
  private readonly _grid: PatchGrid;
  private readonly _triangles: number[];

  constructor(grid: PatchGrid, fail: (what: string) => never) {
    this._grid = grid;
    this.list = new PlaneList(fail);
    this.width = grid.columns.length;
    this.height = grid.columns[0]!.length;
    this._triangles = [];
    for (let i = 0; i < this.width - 1; i++) {
      for (let j = 0; j < this.height - 1; j++) {
        const [a, b, c, d] = this._corners(i, j);
        this._triangles.push(this.list.through(a, b, c), this.list.through(c, d, a));
      }
    }
  }

  /** Corners (i, j), (i+1, j), (i+1, j+1), (i, j+1). */
  private _corners(i: number, j: number): [V3, V3, V3, V3] {
    const [left, right] = [this._grid.columns[i]!, this._grid.columns[i + 1]!];
    return [left[j]!, right[j]!, right[j + 1]!, left[j + 1]!];
  }

  /** Plane of triangle 0 or 1 of a cell. */
  private _triangle(i: number, j: number, t: 0 | 1): number {
    return this._triangles[2 * (i * (this.height - 1) + j) + t]!;
  }

  addFacets(i: number, j: number, facets: PatchFacet[]): void {
    const [a, b, c, d] = this._corners(i, j);
    const [first, second] = [this._triangle(i, j, 0), this._triangle(i, j, 1)];
    const { top, right, bottom, left } = this._borders(i, j);
    const orElse = (plane: number, border: number, edge: number): number => {
      if (plane >= 0) return plane;
      return border >= 0 ? border : this._edgePlane(i, j, edge);
    };
    if (first === second) {
      if (first >= 0) this._addFacet(first, [top, right, bottom, left], [a, b, c, d], facets);
      return;
    }
    this._addFacet(first, [top, right, orElse(second, bottom, 4)], [a, b, c], facets);
    this._addFacet(second, [bottom, left, orElse(first, top, 5)], [c, d, a], facets);
  }

  /** The planes around a cell: the neighbours' where they bend away, else planes that stand on the edges. */
  private _borders(i: number, j: number): { top: number; bottom: number; left: number; right: number } {
    const { width, height } = this;
    const { wrapWidth, wrapHeight } = this._grid;
    const border = (neighbour: number, own: 0 | 1, edge: number): number =>
      neighbour < 0 || neighbour === this._triangle(i, j, own) ? this._edgePlane(i, j, edge) : neighbour;
    const at = (
      exists: boolean,
      ni: number,
      nj: number,
      wrap: boolean,
      wi: number,
      wj: number,
      t: 0 | 1,
    ): number => (exists ? this._triangle(ni, nj, t) : wrap ? this._triangle(wi, wj, t) : -1);
    // In this order: it decides the numbers of new planes.
    const top = border(at(j > 0, i, j - 1, wrapHeight, i, height - 2, 1), 0, 0);
    const bottom = border(at(j < height - 2, i, j + 1, wrapHeight, i, 0, 0), 1, 2);
    const left = border(at(i > 0, i - 1, j, wrapWidth, width - 2, j, 0), 1, 3);
    const right = border(at(i < width - 2, i + 1, j, wrapWidth, 0, j, 1), 0, 1);
    return { top, bottom, left, right };
  }

  /** A plane that stands on edge 0 (top), 1 (right), 2 (bottom), 3 (left) or on the diagonal (4, 5) of a cell. */
  private _edgePlane(i: number, j: number, edge: number): number {
    const [a, b, c, d] = this._corners(i, j);
    const [from, to, t]: [V3, V3, 0 | 1] = (
      [
        [a, b, 0],
        [b, c, 0],
        [c, d, 1],
        [d, a, 1],
        [c, a, 0],
        [a, c, 1],
      ] as [V3, V3, 0 | 1][]
    )[edge]!;
    const own = this._triangle(i, j, t);
    const plane = own >= 0 ? own : this._triangle(i, j, t === 0 ? 1 : 0);
    if (plane < 0) return -1;
    // The point is lifted from the corner that the engine names first, which on edges 2 and 3 is the one we go to.
    const lifted = edge === 2 || edge === 3 ? to : from;
    const [x, y, z] = this.list.at(plane);
    return this.list.through(from, to, addScaled(lifted, [x, y, z], EDGE_LIFT));
  }

  private _addFacet(plane: number, around: number[], points: V3[], facets: PatchFacet[]): void {
    const borders = around.map((border) => this._turn(border, points));
    if (plane < 0 || borders.some((border) => border.plane < 0)) return;
    let winding: Winding | null = baseWinding(this.list.at(plane));
    for (const border of borders) winding = winding && chop(winding, this.list.facing(border));
    if (!winding || !isBounded(winding)) return;
    const facet = { plane, borders };
    addBevels(this.list, facet);
    facets.push(facet);
  }

  /** A border by which side of it the facet's corners are on. A border that all of them are on is none. */
  private _turn(plane: number, points: V3[]): FacetBorder {
    const sides = points.map((point) => this.list.side(point, plane));
    const [front, back] = [sides.includes(1), sides.includes(-1)];
    return { plane: front || back ? plane : -1, inward: front && !back };
  }
}

/** Adds to a facet the planes that keep a box from catching on its edges, and its own plane, turned, as the back. */
function addBevels(list: PlaneList, facet: PatchFacet): void {
  const surface = list.at(facet.plane);
  let winding: Winding | null = baseWinding(surface);
  for (const border of facet.borders) {
    if (border.plane === facet.plane) continue;
    winding = winding && chop(winding, list.facing(border));
  }
  // The engine leaves such a facet without a back plane.
  if (!winding) return;
  const isKnown = (plane: Plane4): boolean =>
    compare(surface, plane) !== 0 ||
    facet.borders.some((border) => compare(list.at(border.plane), plane) !== 0);
  const { mins, maxs } = windingBounds(winding);
  for (let axis = 0; axis < 3; axis++) {
    for (const direction of [-1, 1]) {
      const plane = [0, 0, 0, direction > 0 ? maxs[axis]! : -mins[axis]!] as [number, number, number, number];
      plane[axis] = direction;
      if (!isKnown(plane) && facet.borders.length < MAX_BORDERS) facet.borders.push(list.like(plane));
    }
  }
  addEdgeBevels(list, facet, winding, isKnown);
  if (facet.borders.length < MAX_BORDERS) facet.borders.push({ plane: facet.plane, inward: true });
}

function addEdgeBevels(
  list: PlaneList,
  facet: PatchFacet,
  winding: Winding,
  isKnown: (plane: Plane4) => boolean,
): void {
  for (const [j, point] of winding.entries()) {
    const edge = subtract(point, winding[(j + 1) % winding.length]!);
    if (normalize(edge) < 0.5) continue;
    snap(edge);
    if (edge.some((component) => Math.abs(component) === 1)) continue;
    for (let axis = 0; axis < 3; axis++) {
      for (const direction of [-1, 1]) {
        const along: V3 = [0, 0, 0];
        along[axis] = direction;
        const normal = cross(edge, along);
        if (normalize(normal) < 0.5) continue;
        const plane: Plane4 = [...normal, dot(point, normal)];
        if (winding.some((other) => distance(other, plane) > PLANE_EPSILON)) continue;
        if (isKnown(plane) || facet.borders.length >= MAX_BORDERS) continue;
        const border = list.like(plane);
        if (chop(winding, list.facing(border))) facet.borders.push(border);
      }
    }
  }
}

/** Turns a direction that is all but axial into the axial one. */
function snap(direction: V3): void {
  for (let k = 0; k < 3; k++) {
    for (const unit of [1, -1]) {
      if (Math.abs(f(direction[k]! - unit)) < NORMAL_EPSILON) {
        direction.fill(0);
        direction[k] = unit;
        return;
      }
    }
  }
}
