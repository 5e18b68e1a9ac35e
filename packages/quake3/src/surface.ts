import type { Polygon, Pose, Surface, Trace } from '@bspkit/core';
import { checkPose, checkTrace, isNumberIn } from '@bspkit/core/format';
import { addScaled, dot, type Vec } from '@bspkit/geometry';
import { SURFACE_PATCH } from './constants.ts';
import { checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { SHADER_WORDS, SIDE_DIST, SIDE_WORDS, SURFACE_SHADER, SURFACE_WORDS } from './layout.ts';
import { intoModel } from './model.ts';
import { leafSurfaces, modelSurfaces, surfacePolygons } from './polygons.ts';
import type { Quake3World } from './world.ts';

/** How far a drawn triangle may be from what touches it, in Quake units: compilers move corners a little. */
const TOLERANCE = 1;
/**
 * How far beside its middle a shape may touch, in Quake units: this far, farther per unit of its middle's height above what it
 * touches, and at most.
 */
const BESIDE = 32;
const BESIDE_PER_HEIGHT = 4;
const MOST_BESIDE = 4096;

/**
 * What a trace hit: the shader of the brush side or patch, and the drawn triangle that contains the end of the move, projected
 * onto the plane that was hit. For boxes, capsules and spheres that point is opposite their middle, which may be beyond an edge:
 * then it is the nearest of the triangles with that shader on that plane, within reach of such a shape. For patches it is the
 * nearest of their triangles. Sides on which nothing is drawn, like those of clip brushes, have no polygon.
 *
 * `undefined` for a trace that hit nothing, that hit a box entity, that began and ended in a brush, or whose numbers this map
 * does not have.
 *
 * The triangle is looked for on each call, among the surfaces of the leafs around the point, or of the inline model, which takes
 * from some 5 to some 50 microseconds. `pose` is where that model was, by default where it was built.
 */
export function surfaceAt(world: Quake3World, trace: Trace, pose: Pose = {}): Surface | undefined {
  checkWorld(world);
  checkTrace(trace, 'trace');
  checkPose(pose);
  const { ints, places } = world._target.memory;
  const { texture, model, patch, side } = trace;
  const name = world.textureNames()[texture];
  if (name === undefined || !isNumberIn(model, world.numModels + 1)) return undefined;
  const isKnown = patch < 0 ? isNumberIn(side, places.sides.count) : isNumberIn(patch, places.surfaces.count);
  if (!isKnown) return undefined;
  const flags = ints[places.shaders.first + SHADER_WORDS * texture]!;
  return { texture, name, flags, polygon: polygonAt(world, trace, pose) };
}

function polygonAt(world: Quake3World, trace: Trace, pose: Pose): Polygon | undefined {
  const { memory } = world._target;
  const { model, side, patch, texture, endPos } = trace;
  const point = model > 0 ? intoModel(endPos, pose) : endPos;
  if (patch >= 0) return nearest(surfacePolygons(memory, [patch]), point, Number.POSITIVE_INFINITY);
  const { floats, places } = memory;
  const at = places.sides.first + SIDE_WORDS * side;
  const normal = floats.subarray(at, at + SIDE_DIST);
  const height = dot(normal, point) - floats[at + SIDE_DIST]!;
  const contact = addScaled(point, -height, normal);
  const within = (most: number): Polygon | undefined => {
    const surfaces = model > 0 ? modelSurfaces(memory, model) : surfacesAround(world, contact, most);
    const flat = surfaces.filter((surface) => isFlatOf(memory, surface, texture));
    const around = surfacePolygons(memory, flat, {}, (corners) => isAround(corners, contact, most));
    const facing = around.filter((polygon) => dot(polygon.normal, normal) > 0.5 && isOn(polygon, contact));
    return nearest(facing, contact, most);
  };
  const found = within(TOLERANCE);
  if (found || !(height > TOLERANCE)) return found;
  return within(Math.min(MOST_BESIDE, BESIDE + BESIDE_PER_HEIGHT * height));
}

/** Whether a surface has a shader and is not a patch: patches do not draw sides of brushes. */
function isFlatOf({ ints, places }: WorldMemory, surface: number, shader: number): boolean {
  const at = places.surfaces.first + SURFACE_WORDS * surface;
  return ints[at + SURFACE_SHADER] === shader && ints[at] !== SURFACE_PATCH;
}

/** Whether the box around some corners comes this near to a point. */
function isAround(corners: readonly Vec[], point: Vec, within: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (corners.every((corner) => corner[k]! > point[k]! + within)) return false;
    if (corners.every((corner) => corner[k]! < point[k]! - within)) return false;
  }
  return true;
}

/** Whether a point is on a polygon's plane. */
const isOn = ({ normal, dist }: Polygon, point: ArrayLike<number>): boolean =>
  Math.abs(dot(normal, point) - dist) < TOLERANCE;

/** Surfaces of the world that are listed in leafs around a point, each once. */
function surfacesAround(world: Quake3World, point: Vec, within: number): number[] {
  const { memory } = world._target;
  const corner = (offset: number): number[] => point.map((x) => x + offset);
  const leafs = world.boxLeafs(corner(-within), corner(within));
  return [...new Set(leafs.flatMap((leaf) => leafSurfaces(memory, leaf)))];
}

/** The polygon nearest to a point, if it is nearer than `most`. */
function nearest(polygons: readonly Polygon[], point: ArrayLike<number>, most: number): Polygon | undefined {
  let [best, found]: [number, Polygon | undefined] = [most, undefined];
  for (const polygon of polygons) {
    const distance = distanceTo(polygon, point);
    if (distance < best) [best, found] = [distance, polygon];
  }
  return found;
}

/** Distance of a point from a polygon: from its plane, and along that from the nearest of its edges. */
function distanceTo({ vertices, normal, dist }: Polygon, point: ArrayLike<number>): number {
  const [nx, ny, nz] = normal as unknown as Vec;
  const [px, py, pz] = point as unknown as Vec;
  let beside = Number.POSITIVE_INFINITY;
  for (let a = 0; a < vertices.length; a += 3) {
    const b = (a + 3) % vertices.length;
    const [ax, ay, az] = [vertices[a]!, vertices[a + 1]!, vertices[a + 2]!];
    const [ex, ey, ez] = [vertices[b]! - ax, vertices[b + 1]! - ay, vertices[b + 2]! - az];
    const [fx, fy, fz] = [px - ax, py - ay, pz - az];
    const length = ex * ex + ey * ey + ez * ez;
    // The triple product of edge, normal and the way to the point: above 0 outside the edge, times the edge's length.
    const outside = fx * (ey * nz - ez * ny) + fy * (ez * nx - ex * nz) + fz * (ex * ny - ey * nx);
    if (!(outside > 0)) continue;
    const along = (ex * fx + ey * fy + ez * fz) / length;
    // Beyond an end of the edge, that end is nearest.
    const beyond = along - Math.min(1, Math.max(0, along));
    beside = Math.min(beside, (outside * outside) / length + beyond * beyond * length);
  }
  return Math.abs(nx * px + ny * py + nz * pz - dist) + (beside < Infinity ? Math.sqrt(beside) : 0);
}
