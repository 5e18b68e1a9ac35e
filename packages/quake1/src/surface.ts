import type { Bounds, Polygon, Pose, Surface, Trace, Vec3 } from '@bspkit/core';
import { checkPose, checkTrace, isNumberIn } from '@bspkit/core/format';
import { areaSize, clipBehind, flipPlane, type Winding } from '@bspkit/geometry';
import { checkWorld } from './given.ts';
import { enterPose } from './kernel/frame.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { FACE_WORDS, MODEL_FACES, MODEL_WORDS, PLANE_WORDS } from './layout.ts';
import { facePolygon } from './polygons.ts';
import type { HullTrace } from './trace.ts';
import type { Quake1World } from './world.ts';

/** How far a face may be from the point or box that touched it, in Quake units: moves stop 1/32 before a plane, and a few earlier. */
const NEAR = 1 / 16;
const FARTHER = 0.5;
/** Two planes count as one if their dists differ by no more than this, and the cosine between them is no less. */
const SAME_DIST = 0.1;
const SAME_COSINE = 1 - 1e-4;

/** A plane as it was hit: its normal faces the move. */
interface HitPlane {
  readonly normal: readonly [number, number, number];
  readonly dist: number;
}

/**
 * What a trace hit: texture, surface flags and polygon of the drawn face that the mover touched, searched for on demand. The
 * polygon is in the frame of its model. Where no face is drawn (a clip brush, an edge that only the hull has), texture is -1, the
 * name is empty and there is no polygon.
 *
 * Hulls are grown by a box, so the face is searched for among those that are as far behind the plane that was hit as the box
 * reaches: it is the one that the box touched with most of its area. Of a move that kept farther away, as those of precise tracers
 * with a large `epsilon` do, it is the one straight in front of the end. The first call sorts the faces of the map, which takes
 * milliseconds; after that, only those on the plane that was hit are looked at, which takes microseconds. A trace without
 * `localEnd`, as a batch or another tracer may give, is taken to be of any hull, and of a model at `pose`.
 *
 * @param pose - where the model that was hit was, for such a trace: by default where it was built.
 * @returns undefined for a trace that hit nothing, or a box entity, or whose numbers this map does not have.
 */
export function surfaceAt(world: Quake1World, trace: Trace, pose: Pose = {}): Surface | undefined {
  checkWorld(world);
  checkTrace(trace, 'trace');
  checkPose(pose);
  const { model, plane } = trace;
  const memory = world._memory;
  const { hull, localEnd = enterModel(world, trace, pose) } = trace as Partial<HullTrace>;
  if (!isNumberIn(model, world.numModels + 1) || !isNumberIn(plane, memory.places.planes.count))
    return undefined;
  if (hull !== undefined && !isNumberIn(hull, memory.hulls.length)) return undefined;
  const boxes = hull === undefined ? memory.hulls : [memory.hulls[hull]!];
  const find = (hit: HitPlane, near: number): Polygon | undefined => {
    const at = broughtNear(localEnd, hit);
    let best: Polygon | undefined;
    let most = 0;
    for (const box of boxes) {
      const [low, high] = [cornerOf(box.mins, at, -near), cornerOf(box.maxs, at, near)];
      const touching = { normal: hit.normal, dist: hit.dist - reach(box, hit.normal) };
      for (const face of facesOn(memory, model, touching)) {
        const polygon = facePolygon(memory, face);
        // Most faces on a plane are somewhere else.
        if (!polygon || !comesNear(polygon.vertices, low, high)) continue;
        const area = touchedArea(polygon, low, high);
        if (area > most) [best, most] = [polygon, area];
      }
    }
    return best;
  };
  // Not farther at once: beyond an edge of the face that is touched, a neighbour would gain.
  const search = (hit: HitPlane): Polygon | undefined => find(hit, NEAR) ?? find(hit, FARTHER);
  const hit = hitPlane(memory, trace);
  // A dist of zero loses its sign in JSON, and precise rays give it none.
  const best = search(hit) ?? (hit.dist === 0 ? search(flipPlane(hit)) : undefined);
  const texture = best?.texture ?? -1;
  const flags = best ? memory.ints[memory.places.faces.first + FACE_WORDS * best.surface + 4]! : 0;
  return { texture, name: world.textureNames()[texture] ?? '', flags, polygon: best };
}

/** Where a trace ended, in the frame of the model that it hit. */
function enterModel({ version }: Quake1World, { model, endPos }: Trace, pose: Pose): Vec3 {
  if (model === 0) return endPos;
  const end = new Float32Array(3);
  enterPose(end, endPos, pose, version === 30);
  return end;
}

/** The plane of a trace as the file has it, facing the move. */
function hitPlane({ floats, places }: WorldMemory, trace: Trace): HitPlane {
  const at = places.planes.first + PLANE_WORDS * trace.plane;
  const [x, y, z, dist] = floats.subarray(at, at + 4) as unknown as readonly [number, number, number, number];
  // A model may be turned, so the normal is not always reliable. The dist is: even a zero has a sign.
  const plane: HitPlane = { normal: [x, y, z], dist };
  return Object.is(Math.sign(trace.dist), Math.sign(dist)) ? plane : flipPlane(plane);
}

/** Where a move stopped; if that was farther from the plane that stopped it than faces may be, the point on the plane nearest to it. */
function broughtNear(end: Vec3, { normal, dist }: HitPlane): Vec3 {
  const away = normal[0] * end[0]! + normal[1] * end[1]! + normal[2] * end[2]! - dist;
  return away > FARTHER ? [0, 1, 2].map((k) => end[k]! - away * normal[k]!) : end;
}

/** How far a box reaches behind its origin along a normal: the distance that its hull's planes were moved out. */
function reach({ mins, maxs }: Bounds, normal: HitPlane['normal']): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum -= normal[k]! * (normal[k]! > 0 ? mins[k]! : maxs[k]!);
  return sum;
}

/** Faces of a model that are on a plane and face as it does, by their numbers. */
function facesOn(memory: WorldMemory, model: number, { normal, dist }: HitPlane): number[] {
  const { ints, floats, places } = memory;
  const at = places.models.first + MODEL_WORDS * model + MODEL_FACES;
  const [first, count] = [ints[at]!, ints[at + 1]!];
  const { faces, dists } = facesByDist(memory);
  const found: number[] = [];
  for (
    let k = firstAtLeast(dists, dist - SAME_DIST);
    k < faces.length && dists[k]! - dist <= SAME_DIST;
    k++
  ) {
    const face = faces[k]!;
    if (face < first || face >= first + count) continue;
    const word = ints[places.faces.first + FACE_WORDS * face]!;
    const plane = places.planes.first + PLANE_WORDS * (word >> 1);
    const cosine =
      normal[0] * floats[plane]! + normal[1] * floats[plane + 1]! + normal[2] * floats[plane + 2]!;
    if ((word & 1) === 1 ? -cosine >= SAME_COSINE : cosine >= SAME_COSINE) found.push(face);
  }
  return found.sort((a, b) => a - b);
}

/** All faces of a file in the order of the dists of their planes, turned the way they face. */
interface FacesByDist {
  readonly faces: Int32Array;
  readonly dists: Float64Array;
}

const sorted: WeakMap<WorldMemory, FacesByDist> = /* @__PURE__ */ new WeakMap();

function facesByDist(memory: WorldMemory): FacesByDist {
  const known = sorted.get(memory);
  if (known) return known;
  const { ints, floats, places } = memory;
  const dist = Float64Array.from({ length: places.faces.count }, (_, face) => {
    const word = ints[places.faces.first + FACE_WORDS * face]!;
    const plane = floats[places.planes.first + PLANE_WORDS * (word >> 1) + 3]!;
    return (word & 1) === 1 ? -plane : plane;
  });
  const faces = Int32Array.from(dist, (_, face) => face).sort((a, b) => dist[a]! - dist[b]!);
  const made = { faces, dists: dist.sort() };
  sorted.set(memory, made);
  return made;
}

/** Index of the first of some ascending numbers that is not below `least`; their count if there is none. */
function firstAtLeast(numbers: Float64Array, least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A corner of a box when its origin is at a point, moved by `by` along all axes. */
const cornerOf = (corner: Vec3, at: Vec3, by: number): Vec3 => [
  at[0]! + corner[0]! + by,
  at[1]! + corner[1]! + by,
  at[2]! + corner[2]! + by,
];

/** Area of the part of a polygon that a box covers. */
function touchedArea({ vertices }: Polygon, low: Vec3, high: Vec3): number {
  const corners: number[] = [];
  for (let k = 0; k < vertices.length; k++) corners.push(vertices[k]!);
  let part: Winding | undefined = corners;
  for (let axis = 0; axis < 3 && part; axis++) {
    part = clipAcross(part, axis, 1, high[axis]!);
    part = part && clipAcross(part, axis, -1, -low[axis]!);
  }
  return part ? areaSize(part) : 0;
}

/** The part of a winding behind a plane across an axis, whose normal goes along it or back. */
const clipAcross = (winding: Winding, axis: number, way: number, dist: number): Winding | undefined =>
  clipBehind(winding, axis === 0 ? way : 0, axis === 1 ? way : 0, axis === 2 ? way : 0, dist);

/** Whether the box around some corners has a point in common with another box. */
function comesNear(vertices: Float32Array, low: Vec3, high: Vec3): boolean {
  for (let axis = 0; axis < 3; axis++) {
    let [isAbove, isBelow] = [true, true];
    for (let k = axis; k < vertices.length; k += 3) {
      isAbove &&= vertices[k]! > high[axis]!;
      isBelow &&= vertices[k]! < low[axis]!;
    }
    if (isAbove || isBelow) return false;
  }
  return true;
}
