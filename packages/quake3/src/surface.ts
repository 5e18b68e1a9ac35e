import type { Polygon, Pose, Surface, Trace } from '@bspkit/core';
import { checkPose, checkTrace } from '@bspkit/core/format';
import { addScaled, cross, dot, lengthOf, subtract, type Vec } from '@bspkit/geometry';
import { SURFACE_PATCH } from './constants.ts';
import { checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { SHADER_WORDS, SIDE_DIST, SIDE_WORDS, SURFACE_SHADER, SURFACE_WORDS } from './layout.ts';
import { intoModel } from './model.ts';
import { leafSurfaces, modelSurfaces, surfacePolygons } from './polygons.ts';
import type { Quake3World } from './world.ts';

/** How far a drawn triangle may be from the point of contact, in Quake units: compilers move corners a little. */
const TOLERANCE = 1;

/**
 * What a trace hit: the shader of the brush side or patch, and the drawn triangle that holds the point of contact. That
 * point is the end of the move, projected onto the plane that was hit: for boxes and spheres it is in front of their
 * middle, so it may be beside the surface that a corner touched, and then there is no polygon. For patches it is the
 * triangle nearest to it.
 *
 * `undefined` for a trace that hit nothing, that hit a box entity, or that began and ended in a brush.
 *
 * Finds the triangle when asked: it looks through the surfaces of the leafs around the point, or of the inline model,
 * which takes from some 10 to some 100 microseconds. `pose` is where that model stood, by default where it was built.
 */
export function surfaceAt(world: Quake3World, trace: Trace, pose: Pose = {}): Surface | undefined {
  checkWorld(world);
  checkTrace(trace, 'trace');
  checkPose(pose);
  const { ints, places } = world._target.memory;
  const { texture, model } = trace;
  const name = world.textureNames()[texture];
  if (name === undefined || model > world.numModels) return undefined;
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
  const contact = addScaled(point, floats[at + SIDE_DIST]! - dot(normal, point), normal);
  const surfaces = model > 0 ? modelSurfaces(memory, model) : surfacesAround(world, contact);
  const flat = surfaces.filter((surface) => isFlatOf(memory, surface, texture));
  const around = surfacePolygons(memory, flat, {}, (corners) => isAround(corners, contact));
  const facing = around.filter((polygon) => dot(polygon.normal, normal) > 0.5);
  return nearest(facing, contact, TOLERANCE);
}

/** Whether a surface is made of a shader, and no patch: sides of brushes are not drawn as such. */
function isFlatOf({ ints, places }: WorldMemory, surface: number, shader: number): boolean {
  const at = places.surfaces.first + SURFACE_WORDS * surface;
  return ints[at + SURFACE_SHADER] === shader && ints[at] !== SURFACE_PATCH;
}

/** Whether the box around some corners comes near a point. */
function isAround(corners: readonly Vec[], point: Vec): boolean {
  for (let k = 0; k < 3; k++) {
    if (corners.every((corner) => corner[k]! > point[k]! + TOLERANCE)) return false;
    if (corners.every((corner) => corner[k]! < point[k]! - TOLERANCE)) return false;
  }
  return true;
}

/** Surfaces of the world that leafs around a point list, each once. */
function surfacesAround(world: Quake3World, point: Vec): number[] {
  const { memory } = world._target;
  const corner = (offset: number): number[] => point.map((x) => x + offset);
  const leafs = world.boxLeafs(corner(-TOLERANCE), corner(TOLERANCE));
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

/** Distance of a point from a polygon's plane, and beside it from the edge that it is farthest outside of. */
function distanceTo({ vertices, normal, dist }: Polygon, point: ArrayLike<number>): number {
  let outside = 0;
  for (let k = 0; k < vertices.length; k += 3) {
    const a = vertices.subarray(k, k + 3);
    const next = (k + 3) % vertices.length;
    const outward = cross(subtract(vertices.subarray(next, next + 3), a), normal);
    outside = Math.max(outside, dot(outward, subtract(point, a)) / lengthOf(...outward));
  }
  return Math.abs(dot(normal, point) - dist) + outside;
}
