import type { Pose, Surface, Trace } from '@bspkit/core';
import { checkPose, checkTrace, isNumberIn } from '@bspkit/core/format';
import { SURFACE_PATCH } from './constants.ts';
import { checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import {
  LEAF_NUM_SURFACES,
  LEAF_SURFACES,
  MODEL_NUM_SURFACES,
  MODEL_SURFACES,
  MODEL_WORDS,
  SHADER_WORDS,
  SIDE_DIST,
  SIDE_WORDS,
  SURFACE_SHADER,
  SURFACE_WORDS,
} from './layout.ts';
import { intoModel } from './model.ts';
import { NearestTriangle } from './nearest-triangle.ts';
import { leafAt } from './sections.ts';
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

/** Where a model was built. */
const HOME: Pose = {};

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
 * microseconds. `pose` is where that model was, by default where it was built.
 */
export function surfaceAt(world: Quake3World, trace: Trace, pose: Pose = HOME): Surface | undefined {
  checkWorld(world);
  checkTrace(trace, 'trace');
  checkPose(pose);
  const { ints, places } = world._target.memory;
  const { texture, model, patch, side, endPos } = trace;
  const name = world.textureNames()[texture];
  if (name === undefined || !isNumberIn(model, world.numModels + 1)) return undefined;
  const isKnown = patch < 0 ? isNumberIn(side, places.sides.count) : isNumberIn(patch, places.surfaces.count);
  if (!isKnown) return undefined;
  const flags = ints[places.shaders.first + SHADER_WORDS * texture]!;
  const point = model > 0 ? intoModel(endPos, pose) : endPos;
  if (patch >= 0) {
    search.begin(point, Number.POSITIVE_INFINITY);
    search.lookAt(world._target.memory, patch);
  } else searchSide(world, model, side, texture, point);
  return { texture, name, flags, polygon: search.polygon(world._target.memory) };
}

// Shared by all calls. Nothing of a trace or pose is read any more once they are in use, which might run a getter that calls again.
const search: NearestTriangle = /* @__PURE__ */ new NearestTriangle();
const contact: Float64Array = /* @__PURE__ */ new Float64Array(3);
const mins: Float64Array = /* @__PURE__ */ new Float64Array(3);
const maxs: Float64Array = /* @__PURE__ */ new Float64Array(3);
let leafs: Int32Array = /* @__PURE__ */ new Int32Array(64);
/** For each surface, the last round in which it was looked at: large ones are listed in many leafs. */
let seen: Int32Array = /* @__PURE__ */ new Int32Array(0);
let round = 0;

/** Searches for the triangle that a side shows where a point is on it, or above it. */
function searchSide(
  world: Quake3World,
  model: number,
  side: number,
  shader: number,
  point: ArrayLike<number>,
): void {
  const height = dropOntoSide(world._target.memory, side, point);
  searchAround(world, model, side, shader, TOLERANCE);
  if (search.surface >= 0 || !(height > TOLERANCE)) return;
  searchAround(world, model, side, shader, Math.min(MOST_BESIDE, BESIDE + BESIDE_PER_HEIGHT * height));
}

/** Makes the point of contact: where a point comes down on a side's plane. Returns how high above it the point is. */
function dropOntoSide({ floats, places }: WorldMemory, side: number, point: ArrayLike<number>): number {
  const at = places.sides.first + SIDE_WORDS * side;
  const x = floats[at]!;
  const y = floats[at + 1]!;
  const z = floats[at + 2]!;
  const height = x * point[0]! + y * point[1]! + z * point[2]! - floats[at + SIDE_DIST]!;
  contact[0] = point[0]! - height * x;
  contact[1] = point[1]! - height * y;
  contact[2] = point[2]! - height * z;
  return height;
}

/** Searches for the triangle nearest to the point of contact, among those with the side's shader on its plane, and near enough. */
function searchAround(world: Quake3World, model: number, side: number, shader: number, most: number): void {
  const { memory } = world._target;
  const { ints, places } = memory;
  search.begin(contact, most);
  if (model > 0) {
    const at = places.models.first + MODEL_WORDS * model;
    const first = ints[at + MODEL_SURFACES]!;
    const end = first + ints[at + MODEL_NUM_SURFACES]!;
    for (let surface = first; surface < end; surface++) lookAt(memory, surface, side, shader, most);
    return;
  }
  for (let k = 0; k < 3; k++) {
    mins[k] = contact[k]! - most;
    maxs[k] = contact[k]! + most;
  }
  let count = world.boxLeafs(mins, maxs, leafs);
  if (count > leafs.length) {
    leafs = new Int32Array(2 * count);
    count = world.boxLeafs(mins, maxs, leafs);
  }
  beginRound(places.surfaces.count);
  for (let k = 0; k < count; k++) {
    const at = leafAt(places, leafs[k]!);
    const first = places.leafSurfaces.first + ints[at + LEAF_SURFACES]!;
    const end = first + ints[at + LEAF_NUM_SURFACES]!;
    for (let listed = first; listed < end; listed++) {
      const surface = ints[listed]!;
      if (seen[surface] === round) continue;
      seen[surface] = round;
      lookAt(memory, surface, side, shader, most);
    }
  }
}

/** After this, none of so many surfaces has been looked at. */
function beginRound(numSurfaces: number): void {
  if (seen.length < numSurfaces) seen = new Int32Array(numSurfaces);
  if (round === 0x7fffffff) {
    seen.fill(0);
    round = 0;
  }
  round++;
}

/** Looks for a nearer triangle in a surface, if it has the shader and is not a patch: patches do not draw sides of brushes. */
function lookAt(memory: WorldMemory, surface: number, side: number, shader: number, most: number): void {
  const { ints, places } = memory;
  const at = places.surfaces.first + SURFACE_WORDS * surface;
  if (ints[at + SURFACE_SHADER] !== shader || ints[at] === SURFACE_PATCH) return;
  search.lookAtFacing(memory, surface, places.sides.first + SIDE_WORDS * side, TOLERANCE, most);
}
