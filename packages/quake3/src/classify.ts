import { checkBounds, checkNumber, type Vec3 } from '@bspkit/core';
import type { WorldMemory } from './kernel.ts';
import {
  BRUSH_WORDS,
  CLUSTERS_WORD,
  LEAF_WORDS,
  MODEL_WORDS,
  type Places,
  REF_WORDS,
  ROOT_WORD,
  ROW_BYTES_WORD,
  SIDE_WORDS,
} from './layout.ts';

const f = Math.fround;

/** How far outside a brush's bounds a point may be before its sides are not looked at. Not rounded. */
const POINT_SLACK = 0.125;

/** Number of the leaf that holds a point. On a plane counts as in front of it. */
export function findLeaf({ ints, floats, places }: WorldMemory, point: Vec3): number {
  const x = f(point[0]!);
  const y = f(point[1]!);
  const z = f(point[2]!);
  let node = ints[ROOT_WORD]!;
  while (node >= 0) {
    const type = ints[node]!;
    const dist = floats[node + 4]!;
    let d: number;
    if (type < 3) d = f((type === 0 ? x : type === 1 ? y : z) - dist);
    else {
      const sum = f(f(floats[node + 1]! * x) + f(floats[node + 2]! * y));
      d = f(f(sum + f(floats[node + 3]! * z)) - dist);
    }
    node = ints[node + (d < 0 ? 6 : 5)]!;
  }
  return leafNumber(places, node);
}

/** Number of the leaf that a negative child value stands for. */
export function leafNumber(places: Places, child: number): number {
  return (-child - places.leafs.first) / LEAF_WORDS;
}

/** Place of a leaf. Throws `RangeError` when there is no such leaf. */
export function placeOfLeaf({ places }: WorldMemory, leaf: number): number {
  checkNumber(leaf, places.leafs.count, 'leaf');
  return places.leafs.first + LEAF_WORDS * leaf;
}

/** Contents of all brushes of the world that hold a point, or-ed. Patches hold no points. */
export function worldContents(memory: WorldMemory, point: Vec3): number {
  const { ints } = memory;
  const leaf = placeOfLeaf(memory, findLeaf(memory, point));
  return contentsAmong(memory, ints[leaf]!, ints[leaf + 1]!, point);
}

/** The same for an inline model, the point being in the model's frame. */
export function modelContents(memory: WorldMemory, model: number, point: Vec3): number {
  const at = memory.places.models.first + MODEL_WORDS * model;
  return contentsAmong(memory, memory.ints[at + 6]!, memory.ints[at + 7]!, point);
}

function contentsAmong(memory: WorldMemory, first: number, count: number, point: Vec3): number {
  let contents = 0;
  for (let ref = first; ref < first + REF_WORDS * count; ref += REF_WORDS) {
    if (brushHolds(memory, ref, point)) contents |= memory.ints[ref + 6]!;
  }
  return contents;
}

function brushHolds({ ints, floats, places }: WorldMemory, ref: number, point: Vec3): boolean {
  const x = f(point[0]!);
  const y = f(point[1]!);
  const z = f(point[2]!);
  // In the order of bounds: how far the point is along each axial normal.
  if (
    -x - POINT_SLACK > floats[ref]! ||
    x - POINT_SLACK > floats[ref + 1]! ||
    -y - POINT_SLACK > floats[ref + 2]! ||
    y - POINT_SLACK > floats[ref + 3]! ||
    -z - POINT_SLACK > floats[ref + 4]! ||
    z - POINT_SLACK > floats[ref + 5]!
  ) {
    return false;
  }
  const brush = places.brushes.first + BRUSH_WORDS * ints[ref + 7]!;
  const endSide = ints[brush]! + SIDE_WORDS * ints[brush + 1]!;
  for (let side = ints[brush]!; side < endSide; side += SIDE_WORDS) {
    const sum = f(f(x * floats[side]!) + f(y * floats[side + 1]!));
    if (f(sum + f(z * floats[side + 2]!)) > floats[side + 3]!) return false;
  }
  return true;
}

/**
 * Leafs that a box touches, those in front of a plane before those behind it. Touching a plane counts as being on
 * one side only.
 */
export function leafsInBox(memory: WorldMemory, mins: Vec3, maxs: Vec3): number[] {
  checkBounds(mins, maxs);
  const { ints } = memory;
  const box = Float32Array.of(mins[0]!, mins[1]!, mins[2]!, maxs[0]!, maxs[1]!, maxs[2]!);
  const leafs: number[] = [];
  const stack = [ints[ROOT_WORD]!];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node < 0) {
      leafs.push(leafNumber(memory.places, node));
      continue;
    }
    const side = boxSide(memory, node, box, 0);
    if (side !== 1) stack.push(ints[node + 6]!);
    if (side !== 2) stack.push(ints[node + 5]!);
  }
  return leafs;
}

/** Which sides of a node's plane a box is on: 1 in front, 2 behind, 3 both. The box lies at `at` in `box`. */
export function boxSide(
  { ints, floats }: WorldMemory,
  node: number,
  box: Float32Array | Float64Array,
  at: number,
): number {
  const type = ints[node]!;
  const dist = floats[node + 4]!;
  if (type < 3) {
    if (dist <= box[at + type]!) return 1;
    return dist >= box[at + 3 + type]! ? 2 : 3;
  }
  let farthest = 0;
  let nearest = 0;
  for (let k = 0; k < 3; k++) {
    const n = floats[node + 1 + k]!;
    const low = at + k;
    farthest = f(farthest + f(n * box[n < 0 ? low : low + 3]!));
    nearest = f(nearest + f(n * box[n < 0 ? low + 3 : low]!));
  }
  const sides = (farthest >= dist ? 1 : 0) | (nearest < dist ? 2 : 0);
  return sides === 0 ? 3 : sides;
}

/** Row of the potentially visible set of a cluster, as the engine picks it; undefined where the map was not vised. */
export function clusterRow({ ints, floats, places }: WorldMemory, cluster: number): Uint8Array | undefined {
  const numClusters = ints[CLUSTERS_WORD]!;
  if (numClusters === 0) return undefined;
  const rowBytes = ints[ROW_BYTES_WORD]!;
  const row = cluster >= 0 && cluster < numClusters ? cluster : 0;
  return new Uint8Array(floats.buffer, 4 * places.visibility.first + row * rowBytes, rowBytes);
}

/** Whether cluster b is in the potentially visible set of cluster a, both being in range. */
export function clusterSees({ ints, places }: WorldMemory, a: number, b: number): boolean {
  if (ints[CLUSTERS_WORD] === 0) return true;
  const byte = 4 * places.visibility.first + a * ints[ROW_BYTES_WORD]! + (b >> 3);
  return ((ints[byte >> 2]! >>> (8 * (byte & 3) + (b & 7))) & 1) !== 0;
}
