import type { Bounds, Polygon, Surface, Trace } from '@bspkit/core';
import { checkTrace } from '@bspkit/core/format';
import { areaSize, clipBehind, type Winding } from '@bspkit/geometry';
import { checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { FACE_WORDS, MODEL_FACES, MODEL_WORDS, PLANE_WORDS } from './layout.ts';
import { facePolygon } from './polygons.ts';
import type { HullTrace } from './trace.ts';
import type { Quake1World } from './world.ts';

/** Distance that a face may be off the point or box that touched it, in Quake units: moves stop 1/32 before a plane. */
const NEAR = 0.5;
/** Differences up to which two planes count as one: of their dists, and of the cosine between them. */
const SAME_DIST = 0.1;
const SAME_NORMAL = 1e-4;

/** A plane as it was hit: its normal faces the move. */
interface HitPlane {
  readonly normal: readonly [number, number, number];
  readonly dist: number;
}

/**
 * What a trace hit: texture, surface flags and polygon of the drawn face that the mover touched, searched for on
 * demand. The polygon is in the frame of its model. Where no face is drawn (a clip brush, an edge that only the hull
 * has), texture is -1, the name is empty and there is no polygon.
 *
 * Hulls are grown by a box, so of the faces that lie as far behind the plane that was hit as the box reaches, it is the
 * one that the box touched with most of its area. The cost is in proportion to the number of faces of the model that was
 * hit: tens of microseconds for the world of a large map. A trace without `localEnd`, of a scene say, is taken for one
 * of a model at 0 0 0, and of any hull.
 *
 * @returns undefined for a trace that hit nothing, or a box entity.
 */
export function surfaceAt(world: Quake1World, trace: Trace): Surface | undefined {
  checkWorld(world);
  checkTrace(trace, 'trace');
  const { model, plane } = trace;
  if (plane < 0 || model < 0 || model > world.numModels) return undefined;
  const memory = world._memory;
  const { hull, localEnd = trace.endPos } = trace as Partial<HullTrace>;
  const hit = hitPlane(memory, trace);
  const hulls = hull === undefined ? [...memory.hulls.keys()] : [hull];
  let best: Polygon | undefined;
  let most = 0;
  for (const hull of hulls) {
    const box = memory.hulls[hull]!;
    const touching = { normal: hit.normal, dist: hit.dist - reach(box, hit.normal) };
    for (const polygon of facesOn(memory, model, touching)) {
      const area = touchedArea(polygon, box, localEnd);
      if (area > most) [best, most] = [polygon, area];
    }
  }
  const texture = best?.texture ?? -1;
  const flags = best ? memory.ints[memory.places.faces.first + FACE_WORDS * best.surface + 4]! : 0;
  return { texture, name: world.textureNames()[texture] ?? '', flags, polygon: best };
}

/** The plane of a trace as the file has it, facing the move. */
function hitPlane({ floats, places }: WorldMemory, trace: Trace): HitPlane {
  const at = places.planes.first + PLANE_WORDS * trace.plane;
  const [x, y, z, dist] = floats.subarray(at, at + 4) as unknown as readonly [number, number, number, number];
  // A model may have turned, so the normal does not always tell; where the dist is zero, only the normal can.
  const along = x * trace.normal[0]! + y * trace.normal[1]! + z * trace.normal[2]!;
  const reversed = dist === 0 ? along < 0 : Math.sign(trace.dist) !== Math.sign(dist);
  return reversed ? { normal: [-x, -y, -z], dist: -dist } : { normal: [x, y, z], dist };
}

/** How far a box reaches behind its origin along a normal: the distance that its hull's planes were moved out. */
function reach({ mins, maxs }: Bounds, normal: HitPlane['normal']): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum -= normal[k]! * (normal[k]! > 0 ? mins[k]! : maxs[k]!);
  return sum;
}

/** Faces of a model on a plane that face as it does. */
function* facesOn(memory: WorldMemory, model: number, { normal, dist }: HitPlane): Generator<Polygon> {
  const { ints, floats, places } = memory;
  const at = places.models.first + MODEL_WORDS * model + MODEL_FACES;
  const [first, count] = [ints[at]!, ints[at + 1]!];
  for (let face = first; face < first + count; face++) {
    const word = ints[places.faces.first + FACE_WORDS * face]!;
    const plane = places.planes.first + PLANE_WORDS * (word >> 1);
    const facing = (word & 1) === 1 ? -1 : 1;
    if (Math.abs(facing * floats[plane + 3]! - dist) > SAME_DIST) continue;
    const cosine =
      normal[0] * floats[plane]! + normal[1] * floats[plane + 1]! + normal[2] * floats[plane + 2]!;
    if (facing * cosine < 1 - SAME_NORMAL) continue;
    const polygon = facePolygon(memory, face);
    if (polygon) yield polygon;
  }
}

/** Area of the part of a polygon that a box, a little larger, covers when its origin is at a point. */
function touchedArea({ vertices }: Polygon, { mins, maxs }: Bounds, at: ArrayLike<number>): number {
  let winding: Winding | undefined = Array.from(vertices);
  for (let axis = 0; axis < 3 && winding; axis++) {
    const n: [number, number, number] = [0, 0, 0];
    n[axis] = 1;
    winding = clipBehind(winding, ...n, at[axis]! + maxs[axis]! + NEAR);
    n[axis] = -1;
    winding = winding && clipBehind(winding, ...n, -(at[axis]! + mins[axis]! - NEAR));
  }
  return winding ? areaSize(winding) : 0;
}
