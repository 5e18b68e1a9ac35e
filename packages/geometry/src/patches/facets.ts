import type { PatchGrid } from './grid.ts';
import {
  add,
  baseWinding,
  boundsOf,
  chop,
  crossInto,
  distance,
  dot,
  flipped,
  isBounded,
  normalize,
  type Plane4,
  planeThrough,
  scaled,
  subtract,
  type V3,
  type Winding,
} from './math.ts';

const f = Math.fround;

/** A point closer than this to a plane is on it. */
const PLANE_EPSILON = 0.1;
const NORMAL_EPSILON = 0.0001;
const DIST_EPSILON = 0.02;
const MAX_BORDERS = 26;
const MAX_PLANES = 4096;
const MAX_FACETS = 1024;
/** Edge planes stand on an edge through a point this far above it. */
const EDGE_LIFT = 4;

interface FacetBorder {
  /** Number of the plane in the patch. */
  readonly plane: number;
  /** Whether the facet is in front of the plane, not behind it. */
  readonly inward: boolean;
}

/** A flat piece of a patch: a surface plane and the borders around it, the last of which is the surface itself, turned round. */
export interface PatchFacet {
  readonly plane: number;
  readonly borders: FacetBorder[];
}

/** The planes of one patch; planes that are alike share a number. */
interface PlaneList {
  readonly planes: Plane4[];
  /** A plane through three points, or the first known one that they are on; -1 if they are in a line. */
  through(a: V3, b: V3, c: V3): number;
  /** A plane by value, or the first known one that equals it, facing either way. */
  like(plane: Plane4): FacetBorder;
  /** The plane as its facet sees it as a border. */
  facing(border: FacetBorder): Plane4;
}

/** Wider than equal planes may be apart, including rounding, so that they are in the same slot or in neighbouring ones. */
const SLOT = 1.25 * DIST_EPSILON;

function createPlaneList(fail: (what: string) => never): PlaneList {
  const planes: Plane4[] = [];
  // Numbers of planes by distance, whichever way they face: a patch may have thousands.
  const slots = new Map<number, number[]>();
  const slotOf = (plane: Plane4): number => Math.floor(Math.abs(plane[3]) / SLOT);
  const put = (plane: Plane4): number => {
    if (planes.length === MAX_PLANES) fail(`${MAX_PLANES} planes`);
    const slot = slots.get(slotOf(plane));
    if (slot) slot.push(planes.length);
    else slots.set(slotOf(plane), [planes.length]);
    return planes.push(plane) - 1;
  };
  const findLike = (plane: Plane4): number => {
    let least = -1;
    const middle = slotOf(plane);
    for (let k = middle - 1; k <= middle + 1; k++) {
      const known = slots.get(k)?.find((number) => compare(planes[number]!, plane) !== 0) ?? -1;
      if (known >= 0 && (least < 0 || known < least)) least = known;
    }
    return least;
  };
  return {
    planes,
    through(a, b, c) {
      const plane = planeThrough(a, b, c);
      if (!plane) return -1;
      for (let k = 0; k < planes.length; k++) {
        const other = planes[k]!;
        if (isOn(a, other) && isOn(b, other) && isOn(c, other) && dot(plane, other) >= 0) return k;
      }
      return put(plane);
    },
    like(plane) {
      const known = findLike(plane);
      if (known < 0) return { plane: put(plane), inward: false };
      return { plane: known, inward: compare(planes[known]!, plane) < 0 };
    },
    facing: ({ plane, inward }) => (inward ? planes[plane]! : flipped(planes[plane]!)),
  };
}

const isOn = (point: V3, plane: Plane4): boolean => sideOf(point, plane) === 0;

/** 1 in front of a plane, -1 behind it, 0 on it. */
function sideOf(point: V3, plane: Plane4): number {
  const d = distance(point, plane);
  return d > PLANE_EPSILON ? 1 : d < -PLANE_EPSILON ? -1 : 0;
}

/** 1 if two planes are equal, -1 if one is the other turned round, else 0; each number within its epsilon. */
function compare(a: Plane4, b: Plane4): number {
  const x = a[0];
  const y = a[1];
  const z = a[2];
  const dist = a[3];
  // Written out, because most planes differ in the first number that is compared.
  if (
    Math.abs(f(x - b[0])) < NORMAL_EPSILON &&
    Math.abs(f(y - b[1])) < NORMAL_EPSILON &&
    Math.abs(f(z - b[2])) < NORMAL_EPSILON &&
    Math.abs(f(dist - b[3])) < DIST_EPSILON
  ) {
    return 1;
  }
  return Math.abs(f(x + b[0])) < NORMAL_EPSILON &&
    Math.abs(f(y + b[1])) < NORMAL_EPSILON &&
    Math.abs(f(z + b[2])) < NORMAL_EPSILON &&
    Math.abs(f(dist + b[3])) < DIST_EPSILON
    ? -1
    : 0;
}

/** Edges of a cell from corner to corner: top, right, bottom, left, then the diagonal for either triangle. */
const EDGES: readonly (readonly [from: number, to: number, triangle: number])[] = [
  [0, 1, 0],
  [1, 2, 0],
  [2, 3, 1],
  [3, 0, 1],
  [2, 0, 0],
  [0, 2, 1],
];

/** Where the neighbours beyond the first four edges are. */
const NEIGHBORS = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const;

/**
 * Planes and facets of a subdivided patch, in the engine's order. `fail` is called, with what there is too much of, as soon as
 * the engine could not hold it: a broken map must not take much time.
 */
export function buildFacets(
  { columns, wrapWidth, wrapHeight }: PatchGrid,
  fail: (what: string) => never,
): { planes: readonly Plane4[]; facets: PatchFacet[] } {
  const list = createPlaneList(fail);
  const width = columns.length - 1;
  const height = columns[0]!.length - 1;
  // Arrays are read by index, as in `math.ts`.
  /** Corners (i, j), (i+1, j), (i+1, j+1), (i, j+1) of a cell. */
  const cornersOf = (i: number, j: number): [V3, V3, V3, V3] => {
    const left = columns[i]!;
    const right = columns[i + 1]!;
    return [left[j]!, right[j]!, right[j + 1]!, left[j + 1]!];
  };
  /** Planes of the two triangles of each cell, split along the diagonal from (i, j) to (i+1, j+1). */
  const triangles: (readonly [number, number])[][] = [];
  for (let i = 0; i < width; i++) {
    triangles[i] = [];
    for (let j = 0; j < height; j++) {
      const at = cornersOf(i, j);
      triangles[i]!.push([list.through(at[0], at[1], at[2]), list.through(at[2], at[3], at[0])]);
    }
  }
  /** A plane that contains an edge of a cell. */
  const standOn = (i: number, j: number, edge: number): number => {
    const corners = cornersOf(i, j);
    const own = triangles[i]![j]!;
    const ends = EDGES[edge]!;
    const from = corners[ends[0]]!;
    const to = corners[ends[1]]!;
    const t = ends[2];
    const plane = list.planes[own[t]! < 0 ? own[1 - t]! : own[t]!];
    if (!plane) return -1;
    // The point is lifted from the corner that the engine names first, which for edges 2 and 3 is the second one here.
    const lifted = add(edge === 2 || edge === 3 ? to : from, scaled(plane, EDGE_LIFT));
    return list.through(from, to, lifted);
  };
  /** The plane around a cell at one of its four edges: the neighbour's if it bends away, else one that contains the edge. */
  const borderAt = (i: number, j: number, edge: number): number => {
    const t = EDGES[edge]![2];
    let x = i + NEIGHBORS[edge]![0];
    let y = j + NEIGHBORS[edge]![1];
    if (wrapWidth) x = (x + width) % width;
    if (wrapHeight) y = (y + height) % height;
    const plane = triangles[x]?.[y]?.[1 - t] ?? -1;
    return plane < 0 || plane === triangles[i]![j]![t] ? standOn(i, j, edge) : plane;
  };
  const facets: PatchFacet[] = [];
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < height; j++) {
      const at = cornersOf(i, j);
      const first = triangles[i]![j]![0];
      const second = triangles[i]![j]![1];
      // In this order, which is that of the planes' numbers.
      const top = borderAt(i, j, 0);
      const bottom = borderAt(i, j, 2);
      const left = borderAt(i, j, 3);
      const right = borderAt(i, j, 1);
      const orElse = (plane: number, border: number, edge: number): number =>
        plane >= 0 ? plane : border >= 0 ? border : standOn(i, j, edge);
      if (first === second) addFacet(list, first, [top, right, bottom, left], at, facets);
      else {
        addFacet(list, first, [top, right, orElse(second, bottom, 4)], [at[0], at[1], at[2]], facets);
        addFacet(list, second, [bottom, left, orElse(first, top, 5)], [at[2], at[3], at[0]], facets);
      }
    }
    if (facets.length > MAX_FACETS) fail(`${MAX_FACETS} facets`);
  }
  return { planes: list.planes, facets };
}

function addFacet(
  list: PlaneList,
  plane: number,
  around: readonly number[],
  points: readonly V3[],
  facets: PatchFacet[],
): void {
  const borders: FacetBorder[] = [];
  for (let k = 0; k < around.length; k++) {
    const number = around[k]!;
    // A border, with the side on which the facet's corners are. If they are all on it, it is not a border.
    const border = list.planes[number];
    if (!border) return;
    let front = false;
    let back = false;
    for (let n = 0; n < points.length; n++) {
      const side = sideOf(points[n]!, border);
      front ||= side > 0;
      back ||= side < 0;
    }
    if (!front && !back) return;
    borders.push({ plane: number, inward: front && !back });
  }
  const surface = list.planes[plane];
  if (!surface) return;
  const winding = windingOf(list, surface, borders);
  if (!winding || !isBounded(winding)) return;
  // For its bevels the engine leaves out borders in the facet's own plane.
  const others = borders.filter((border) => border.plane !== plane);
  const bounded = others.length === borders.length ? winding : windingOf(list, surface, others);
  // It leaves such a facet without a back plane.
  if (bounded) addBevels(list, plane, borders, bounded);
  facets.push({ plane, borders });
}

/** The part of a plane within borders. */
function windingOf(list: PlaneList, surface: Plane4, borders: readonly FacetBorder[]): Winding | null {
  let winding: Winding | null = baseWinding(surface);
  for (let k = 0; k < borders.length && winding; k++) winding = chop(winding, list.facing(borders[k]!));
  return winding;
}

/** Unit vectors: along each axis, down and up. */
const UNITS: readonly Readonly<V3>[] = [
  [-1, 0, 0],
  [1, 0, 0],
  [0, -1, 0],
  [0, 1, 0],
  [0, 0, -1],
  [0, 0, 1],
];

/** Adds to a facet the planes that keep a box from catching on its edges, and its own plane, turned, as the back. */
function addBevels(list: PlaneList, number: number, borders: FacetBorder[], around: Winding): void {
  const surface = list.planes[number]!;
  const { mins, maxs } = boundsOf(around);
  for (let k = 0; k < 6; k++) {
    const unit = UNITS[k]!;
    const plane: Plane4 = [unit[0], unit[1], unit[2], k % 2 === 1 ? maxs[k >> 1]! : -mins[k >> 1]!];
    if (isMissing(list, surface, borders, plane)) borders.push(list.like(plane));
  }
  // Most of these are refused: one array is reused, as a map with many patches tries hundreds of thousands.
  const normal: V3 = [0, 0, 0];
  for (let j = 0; j < around.length; j++) {
    const point = around[j]!;
    const edge = subtract(point, around[(j + 1) % around.length]!);
    if (normalize(edge) < 0.5) continue;
    const along = snapped(edge);
    if (Math.abs(along[0]) === 1 || Math.abs(along[1]) === 1 || Math.abs(along[2]) === 1) continue;
    for (let k = 0; k < 6; k++) {
      crossInto(normal, along, UNITS[k]!);
      if (normalize(normal) < 0.5) continue;
      const dist = dot(point, normal);
      if (isPast(around, normal, dist)) continue;
      const plane: Plane4 = [normal[0], normal[1], normal[2], dist];
      if (!isMissing(list, surface, borders, plane)) continue;
      const border = list.like(plane);
      if (chop(around, list.facing(border))) borders.push(border);
    }
  }
  if (borders.length < MAX_BORDERS) borders.push({ plane: number, inward: true });
}

/** Whether a facet has no border like a plane yet, and room for it. */
function isMissing(
  { planes }: PlaneList,
  surface: Plane4,
  borders: readonly FacetBorder[],
  plane: Plane4,
): boolean {
  if (borders.length >= MAX_BORDERS || compare(surface, plane) !== 0) return false;
  for (let k = 0; k < borders.length; k++) if (compare(planes[borders[k]!.plane]!, plane) !== 0) return false;
  return true;
}

/** Whether any corner of a winding is in front of a plane. */
function isPast(winding: Winding, normal: V3, dist: number): boolean {
  for (let n = 0; n < winding.length; n++)
    if (f(dot(winding[n]!, normal) - dist) > PLANE_EPSILON) return true;
  return false;
}

/** A direction; if it is almost axial, made axial. */
function snapped(direction: V3): Readonly<V3> {
  for (let k = 0; k < 3; k++) {
    if (Math.abs(f(direction[k]! - 1)) < NORMAL_EPSILON) return UNITS[2 * k + 1]!;
    if (Math.abs(f(direction[k]! + 1)) < NORMAL_EPSILON) return UNITS[2 * k]!;
  }
  return direction;
}
