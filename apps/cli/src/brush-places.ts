import {
  areaSize,
  type BodyPlanes,
  cutWinding,
  type Vec,
  type Winding,
  type WindingCut,
  windingCenter,
} from '@bspkit/geometry';

// Where a brush may stop players who do not touch it: parts of its faces, moved outward, in front of the bevels that it lacks.

/** A place where a brush stops players, how far in front of it that is, and in which direction. */
export interface Place {
  readonly point: Vec;
  readonly far: number;
  readonly normal: Vec;
}

/** Players stop up to this far in front of a wall, in all games, and slide along it at that distance. */
const OFF = 1 / 8;
/** Places this close to each other are the same, and to a wall's distance, on it. */
const LOOSE = 0.01;
/** Corners this close to a plane are on it. */
const ON_PLANE = 1e-4;
/** Parts of faces with less area than this, in square Quake units, are left out. */
const MIN_AREA = 1e-3;
/**
 * Faces in more parts than this are not cut any further, nor after so many looks at a part and a wall, of which real maps need a
 * quarter. What is in the way of a move from there stops it anyway.
 */
const MOST_PARTS = 128;
const MOST_CUTS = 8192;

/** The parts of faces that are more than `gap` in front of one of the planes. */
export function partsAhead(faces: readonly Winding[], planes: BodyPlanes, gap: number): Winding[] {
  const parts: Winding[] = [];
  for (const face of faces) {
    let rest: Winding | undefined = face;
    for (let at = 0; at < planes.length && rest; at += 4) {
      const { front, back } = cutAt(rest, planes, at, gap);
      if (front && areaSize(front) >= MIN_AREA) parts.push(front);
      if (front) rest = back;
    }
  }
  return parts;
}

/** What is left of parts where players, who keep some distance from walls, can be: outside all bodies. */
export function partsOutside(
  parts: readonly Winding[],
  bodies: readonly BodyPlanes[],
  onPlanes: (count: number) => void,
): readonly Winding[] {
  let left = parts;
  let cuts = 0;
  for (const planes of bodies) {
    cuts += left.length;
    if (left.length === 0 || left.length > MOST_PARTS || cuts > MOST_CUTS) break;
    onPlanes((left.length * planes.length) / 4);
    left = left.flatMap((part) => partOutside(part, planes));
  }
  return left;
}

function partOutside(part: Winding, planes: BodyPlanes): Winding[] {
  const outside: Winding[] = [];
  let rest = part;
  for (let at = 0; at < planes.length; at += 4) {
    const { front, back } = cutAt(rest, planes, at, OFF);
    // Nothing of it is inside, so it need not be cut.
    if (front && !back) return [part];
    if (!front || !back) continue;
    if (areaSize(front) >= MIN_AREA) outside.push(front);
    rest = back;
  }
  return outside;
}

/** Cuts a winding at one of the planes, moved forward. */
const cutAt = (winding: Winding, planes: BodyPlanes, at: number, by: number): WindingCut =>
  cutWinding(winding, planes[at]!, planes[at + 1]!, planes[at + 2]!, planes[at + 3]! + by, ON_PLANE);

/** The corners and middles of parts and of their edges, each once, where they are more than `gap` in front of one of the planes. */
export function placesOn(parts: readonly Winding[], planes: BodyPlanes, gap: number): Place[] {
  const places = new Map<string, Place>();
  const add = (point: Vec): void => {
    const place = { point, ...farthest(planes, point) };
    if (place.far > gap) places.set(point.map((x) => Math.round(x / LOOSE)).join(), place);
  };
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 3) {
      const next = (at + 3) % part.length;
      const corner: Vec = [part[at]!, part[at + 1]!, part[at + 2]!];
      add(corner);
      add(windingCenter([...corner, part[next]!, part[next + 1]!, part[next + 2]!]));
    }
    add(windingCenter(part));
  }
  return [...places.values()];
}

/** Normals of the walls that a player at a place touches. */
export function normalsAt(walls: readonly BodyPlanes[], point: Vec): Vec[] {
  const normals: Vec[] = [];
  for (const planes of walls) {
    if (!isAhead(planes, point, OFF + LOOSE)) normals.push(farthest(planes, point).normal);
  }
  return normals;
}

/** The plane that a point is farthest in front of. */
export function farthest(planes: BodyPlanes, point: ArrayLike<number>): Omit<Place, 'point'> {
  let far = Number.NEGATIVE_INFINITY;
  let normal: Vec = [0, 0, 0];
  for (let at = 0; at < planes.length; at += 4) {
    const d = ahead(planes, at, point);
    if (d <= far) continue;
    far = d;
    normal = [planes[at]!, planes[at + 1]!, planes[at + 2]!];
  }
  return { far, normal };
}

/** Whether a point is more than `by` in front of one of the planes. */
export function isAhead(planes: BodyPlanes, point: ArrayLike<number>, by: number): boolean {
  for (let at = 0; at < planes.length; at += 4) if (ahead(planes, at, point) > by) return true;
  return false;
}

/** How far a point is in front of a plane. */
const ahead = (planes: BodyPlanes, at: number, point: ArrayLike<number>): number =>
  planes[at]! * point[0]! + planes[at + 1]! * point[1]! + planes[at + 2]! * point[2]! - planes[at + 3]!;
