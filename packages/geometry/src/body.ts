import { type BevelTolerances, findEdgeBevels, reach } from './bevels.ts';
import { lengthOf } from './vec.ts';
import {
  areaSize,
  clipBehind,
  halfAround,
  isEndless,
  planeWinding,
  reverseWinding,
  type Winding,
  windingArea,
} from './winding.ts';

// Convex bodies, given by the planes around them, and how a box meets them.

/** Planes that face out of a body: for each its normal, and its distance from the origin along it. */
export type BodyPlanes = Float64Array;

/** Corners this close to a plane are on it. Nothing is rounded, so that only has to be above what doubles lose. */
const ON_PLANE = 1e-4;
/** A face with less area than this, in square Quake units, counts as none: bevels, which touch a body's edge, leave such. */
const MIN_AREA = 1e-3;

/** The same planes with normals of unit length. Files have them as float32: far from the origin, the difference shows. */
export function unitPlanes(planes: ArrayLike<number>): BodyPlanes {
  const out = Float64Array.from(planes);
  for (let at = 0; at < out.length; at += 4) {
    const scale = 1 / lengthOf(out[at]!, out[at + 1]!, out[at + 2]!);
    for (let k = at; k < at + 4; k++) out[k]! *= scale;
  }
  return out;
}

/**
 * The face of a body on each of its planes, which have unit normals; `undefined` for a plane that only touches the body, or not
 * even that, and for one that is there already.
 */
export function bodyFaces(planes: BodyPlanes): (Winding | undefined)[] {
  const half = halfOf(planes);
  return Array.from({ length: planes.length / 4 }, (_, side) => cutFace(planes, side, ON_PLANE, half));
}

/** Corners this close to a plane are on it when a map is drawn: it was made of planes that are rounded to float32. */
const ON_DRAWN_PLANE = 1 / 256;

/**
 * {@link bodyFaces} for drawing: counter-clockwise seen from their front, and `undefined` also where the body is not closed. Normals
 * may be as files have them, with the rounding of float32.
 */
export function drawnFaces(planes: BodyPlanes): (Winding | undefined)[] {
  const half = halfOf(planes);
  const faces: (Winding | undefined)[] = [];
  for (let side = 0; side < planes.length / 4; side++) faces.push(drawnFace(planes, side, half));
  return faces;
}

/** One of the {@link drawnFaces}. */
export function drawnFace(
  planes: BodyPlanes,
  side: number,
  half: number = halfOf(planes),
): Winding | undefined {
  const face = cutFace(planes, side, ON_DRAWN_PLANE, half);
  return face && !isEndlessFace(planes, side, face, half) ? reverseWinding(face) : undefined;
}

/** Half the side of squares that are large enough for all faces. */
function halfOf(planes: BodyPlanes): number {
  const dists: number[] = [];
  for (let at = 3; at < planes.length; at += 4) dists.push(planes[at]!);
  return halfAround(dists);
}

/** What is left of a side's plane behind all others. */
function cutFace(planes: BodyPlanes, side: number, onPlane: number, half: number): Winding | undefined {
  const at = 4 * side;
  const [x, y, z, dist] = [planes[at]!, planes[at + 1]!, planes[at + 2]!, planes[at + 3]!];
  let face: Winding | undefined = planeWinding(x, y, z, dist, half);
  for (let k = 0; k < planes.length && face; k += 4) {
    const other = planes[k + 3]!;
    if (planes[k] === x && planes[k + 1] === y && planes[k + 2] === z) {
      // The side's own, or one parallel to it: the innermost has the face, however close they are, and of equal ones the first.
      if (other < dist || (other === dist && k < at)) return undefined;
    } else face = clipBehind(face, planes[k]!, planes[k + 1]!, planes[k + 2]!, other, onPlane);
  }
  return face && areaSize(face) >= MIN_AREA ? face : undefined;
}

/** Whether the body with these faces reaches farther than any map, as its planes leave it open somewhere. */
export function isEndlessBody(planes: BodyPlanes, faces: readonly (Winding | undefined)[]): boolean {
  const half = halfOf(planes);
  return faces.some((face, side) => face && isEndlessFace(planes, side, face, half));
}

function isEndlessFace(planes: BodyPlanes, side: number, face: Winding, half: number): boolean {
  const at = 4 * side;
  return isEndless(face, planes[at]!, planes[at + 1]!, planes[at + 2]!, planes[at + 3]!, half);
}

/** The volume of the body with these faces, which must close it, in cubic Quake units. */
export function bodyVolume(faces: readonly (Winding | undefined)[]): number {
  let volume = 0;
  // From one of the body's corners: from the origin, the parts of a small body far away would be huge.
  const from = faces.find((face) => face !== undefined);
  for (const face of faces) {
    if (!face) continue;
    const area = windingArea(face);
    for (let k = 0; k < 3; k++) volume += (area[k]! * (face[k]! - from![k]!)) / 3;
  }
  return volume;
}

/**
 * The planes behind which the traced point of a box is while the box is behind or across each of the body's: those that engines
 * stop a box at. `mins` and `maxs` are its corners, relative to that point.
 */
export function pushOut(planes: BodyPlanes, mins: ArrayLike<number>, maxs: ArrayLike<number>): BodyPlanes {
  const out = planes.slice();
  for (let at = 0; at < out.length; at += 4) {
    for (let k = 0; k < 3; k++) out[at + 3]! -= out[at + k]! * (out[at + k]! < 0 ? maxs[k]! : mins[k]!);
  }
  return out;
}

const BEVELS: BevelTolerances = { edge: 0.01, sine: 1e-3, loose: 0.01 };
/** Squared distance of normals that are the same but for the rounding of float32. */
const SAME_NORMAL = 1e-10;

/**
 * The planes that the body with these faces lacks to stop boxes where they touch it: a box's own six, and those through an edge
 * and along an axis. With them, the planes of {@link pushOut} bound exactly the places where a box touches the body.
 */
export function missingBevels(planes: BodyPlanes, faces: readonly (Winding | undefined)[]): BodyPlanes {
  const corners = faces.flatMap((face) => face ?? []);
  const missing: number[] = [];
  const add = (x: number, y: number, z: number, dist: number): void => {
    if (hasPlane(planes, x, y, z, dist) || hasPlane(missing, x, y, z, dist)) return;
    // No -0, which would only depend on the edge's direction.
    missing.push(x + 0, y + 0, z + 0, dist);
  };
  for (let axis = 0; axis < 3; axis++) {
    for (let sign = -1; sign <= 1; sign += 2) {
      const x = axis === 0 ? sign : 0;
      const y = axis === 1 ? sign : 0;
      const z = axis === 2 ? sign : 0;
      add(x, y, z, reach(corners, x, y, z, Number.POSITIVE_INFINITY));
    }
  }
  findEdgeBevels(faces, BEVELS, add);
  return Float64Array.from(missing);
}

/** Whether one of the planes is the same within rounding, or nearer to the body. */
function hasPlane(planes: ArrayLike<number>, x: number, y: number, z: number, dist: number): boolean {
  for (let at = 0; at < planes.length; at += 4) {
    const dx = planes[at]! - x;
    const dy = planes[at + 1]! - y;
    const dz = planes[at + 2]! - z;
    if (dx * dx + dy * dy + dz * dz < SAME_NORMAL && planes[at + 3]! < dist + BEVELS.loose) return true;
  }
  return false;
}
