import type { UnsharedBytes, Vec3 } from '@bspkit/core';
import type { WorldMemory } from './kernel/memory.ts';
import {
  BRUSH_WORDS,
  CLUSTERS_WORD,
  LEAF_WORDS,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  MODEL_LIST,
  MODEL_WORDS,
  NODE_BACK,
  NODE_DIST,
  NODE_FRONT,
  NODE_NORMAL,
  NUM_SIDES,
  REF_BRUSH,
  REF_CONTENTS,
  REF_WORDS,
  ROOT_WORD,
  ROW_BYTES_WORD,
  SIDE_DIST,
  SIDE_WORDS,
} from './layout.ts';
import type { Places } from './sections.ts';

const f = Math.fround;

/** How far outside a brush's bounds a point may be for its sides to be checked. Not rounded. */
const POINT_SLACK = 0.125;

/** Number of the leaf that contains a point. A point on a plane counts as in front of it. */
export function findLeaf(memory: WorldMemory, point: Vec3): number {
  return leafNumber(memory.places, placeOfPoint(memory, point));
}

/** Place of the leaf that contains a point, negated as in the tree. */
function placeOfPoint({ ints, floats }: WorldMemory, point: Vec3): number {
  const x = f(point[0]!);
  const y = f(point[1]!);
  const z = f(point[2]!);
  let node = ints[ROOT_WORD]!;
  while (node >= 0) {
    const type = ints[node]!;
    const dist = floats[node + NODE_DIST]!;
    let d: number;
    if (type < 3) d = f((type === 0 ? x : type === 1 ? y : z) - dist);
    else {
      const sum = f(f(floats[node + NODE_NORMAL]! * x) + f(floats[node + NODE_NORMAL + 1]! * y));
      d = f(f(sum + f(floats[node + NODE_NORMAL + 2]! * z)) - dist);
    }
    node = ints[node + (d < 0 ? NODE_BACK : NODE_FRONT)]!;
  }
  return node;
}

/** Number of the leaf that a negative child value stands for. */
export function leafNumber(places: Places, child: number): number {
  return (-child - places.leafs.first) / LEAF_WORDS;
}

/** Contents of all brushes of the world that contain a point, combined with OR. Patches contain no points. */
export function worldContents(memory: WorldMemory, point: Vec3): number {
  return contentsAmong(memory, -placeOfPoint(memory, point), point);
}

/** Contents of all brushes of an inline model that contain a point, combined with OR; the point is in the model's frame. */
export function modelContents(memory: WorldMemory, model: number, point: Vec3): number {
  return contentsAmong(memory, memory.places.models.first + MODEL_WORDS * model + MODEL_LIST, point);
}

/** Contents of the brushes of a list that contain a point. */
function contentsAmong(memory: WorldMemory, list: number, point: Vec3): number {
  const { ints } = memory;
  const first = ints[list + LIST_BRUSHES]!;
  const end = first + REF_WORDS * ints[list + LIST_NUM_BRUSHES]!;
  let contents = 0;
  for (let ref = first; ref < end; ref += REF_WORDS) {
    if (brushHolds(memory, ref, point)) contents |= ints[ref + REF_CONTENTS]!;
  }
  return contents;
}

function brushHolds({ ints, floats, places }: WorldMemory, ref: number, point: Vec3): boolean {
  const x = f(point[0]!);
  const y = f(point[1]!);
  const z = f(point[2]!);
  // In the order of bounds: how far the point is along each axial normal.
  if (
    -x > floats[ref]! + POINT_SLACK ||
    x > floats[ref + 1]! + POINT_SLACK ||
    -y > floats[ref + 2]! + POINT_SLACK ||
    y > floats[ref + 3]! + POINT_SLACK ||
    -z > floats[ref + 4]! + POINT_SLACK ||
    z > floats[ref + 5]! + POINT_SLACK
  ) {
    return false;
  }
  const brush = places.brushes.first + BRUSH_WORDS * ints[ref + REF_BRUSH]!;
  const endSide = ints[brush]! + SIDE_WORDS * ints[brush + NUM_SIDES]!;
  for (let side = ints[brush]!; side < endSide; side += SIDE_WORDS) {
    const sum = f(f(x * floats[side]!) + f(y * floats[side + 1]!));
    if (f(sum + f(z * floats[side + 2]!)) > floats[side + SIDE_DIST]!) return false;
  }
  return true;
}

/** Which sides of a node's plane a box is on: 1 in front, 2 behind, 3 both. The box is at `at` in `box`. */
export function boxSide(
  { ints, floats }: WorldMemory,
  node: number,
  box: Float32Array | Float64Array,
  at: number,
): number {
  const type = ints[node]!;
  const dist = floats[node + NODE_DIST]!;
  if (type < 3) {
    if (dist <= box[at + type]!) return 1;
    return dist >= box[at + 3 + type]! ? 2 : 3;
  }
  let farthest = 0;
  let nearest = 0;
  for (let k = 0; k < 3; k++) {
    const n = floats[node + NODE_NORMAL + k]!;
    const low = at + k;
    farthest = f(farthest + f(n * box[n < 0 ? low : low + 3]!));
    nearest = f(nearest + f(n * box[n < 0 ? low + 3 : low]!));
  }
  const sides = (farthest >= dist ? 1 : 0) | (nearest < dist ? 2 : 0);
  return sides === 0 ? 3 : sides;
}

/** A copy of a cluster's row of the potentially visible set, chosen as in the engine; undefined if the map has none. */
export function clusterRow(
  { ints, floats, places }: WorldMemory,
  cluster: number,
): UnsharedBytes | undefined {
  const numClusters = ints[CLUSTERS_WORD]!;
  if (numClusters === 0) return undefined;
  const rowBytes = ints[ROW_BYTES_WORD]!;
  const row = cluster >= 0 && cluster < numClusters ? cluster : 0;
  return new Uint8Array(floats.buffer, 4 * places.visibility.first + row * rowBytes, rowBytes).slice();
}

/** Whether cluster b is in the potentially visible set of cluster a; both must be in range. */
export function clusterSees({ ints, places }: WorldMemory, a: number, b: number): boolean {
  if (ints[CLUSTERS_WORD] === 0) return true;
  const byte = 4 * places.visibility.first + a * ints[ROW_BYTES_WORD]! + (b >> 3);
  return ((ints[byte >> 2]! >>> (8 * (byte & 3) + (b & 7))) & 1) !== 0;
}
