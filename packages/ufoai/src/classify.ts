import {
  createPlacement,
  findLeaf,
  LEAF_WORDS,
  P_ROWS,
  type Placement,
  setAngles,
  turn,
} from '@bspkit/brushes';
import type { Pose, Vec3 } from '@bspkit/core';
import { PLACE_POINT, POSE_ANGLES, POSE_ORIGIN, takePlace } from '@bspkit/core/format';
import type { Body } from './kernel/body.ts';
import { EQUAL_EPSILON } from './kernel/box.ts';
import type { WorldMemory } from './kernel/memory.ts';
import {
  BOX_HEAD_BOUNDS,
  BOX_HEAD_KEY,
  BOX_HEAD_WORDS,
  MODEL_ROOT,
  TILE_SHIFT,
  TILE_WORDS,
} from './layout.ts';
import { selectBoxHeads } from './selection.ts';

/**
 * Contents of the leafs that contain a point, from all heads of some levels, combined with OR. Inline models do not count.
 *
 * A head's tree divides all of space, and its planes extend beyond its brushes: there, its leafs say nothing.
 */
export function worldContents(memory: WorldMemory, point: Vec3, levels: number): number {
  const { ints, floats, places } = memory;
  const selection = selectBoxHeads(levels);
  let contents = 0;
  for (let head = 0; head < places.boxHeads.count; head++) {
    const at = places.boxHeads.first + BOX_HEAD_WORDS * head;
    if ((ints[at + BOX_HEAD_KEY]! & selection) === 0 || !isWithin(floats, at + BOX_HEAD_BOUNDS, point, 0))
      continue;
    contents |= ints[places.leafs.first + LEAF_WORDS * findLeaf(memory, ints[at]!, point)]!;
  }
  return contents;
}

/** Used by one call at a time: players among models ask for contents often. */
const placement: Placement = /* @__PURE__ */ createPlacement();
const local: Float32Array = /* @__PURE__ */ new Float32Array(3);

/**
 * Contents of the leaf of a model's tree that contains a point, with the model at a pose, or else where the body is. A point is
 * in it if traces find it there. Allocates nothing.
 */
export function bodyContents(memory: WorldMemory, body: Body, point: Vec3, pose: Pose): number {
  const { ints, floats, places } = memory;
  const { origin = body.origin, angles = body.angles } = pose;
  takePlace(point, origin, angles);
  setAngles(placement, POSE_ANGLES, EQUAL_EPSILON);
  for (let k = 0; k < 3; k++) local[k] = PLACE_POINT[k]! - POSE_ORIGIN[k]!;
  if (placement.rotated) turn(placement.floats, P_ROWS, local, 0);
  const root = ints[body.place + MODEL_ROOT]!;
  // Its bounds are one unit wider than its brushes.
  if (root < 0 || !isWithin(body.bounds, 0, local, 1)) return 0;
  const shift = places.tiles.first + TILE_WORDS * body.tile + TILE_SHIFT;
  if (body.ownFrame) for (let k = 0; k < 3; k++) local[k]! += floats[shift + k]!;
  return ints[places.leafs.first + LEAF_WORDS * findLeaf(memory, root, local)]!;
}

function isWithin(floats: Float32Array, bounds: number, point: Vec3, margin: number): boolean {
  for (let k = 0; k < 3; k++) {
    const x = Math.fround(point[k]!);
    if (x < floats[bounds + k]! + margin || x > floats[bounds + 3 + k]! - margin) return false;
  }
  return true;
}
