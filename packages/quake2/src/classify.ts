import { KIND_MASK, LEAF_WORDS, NODE_WORDS, OBLIQUE, PLANE_WORDS } from '@bspkit/brushes';
import type { Vec3 } from '@bspkit/core';
import { checkBounds, decodeRow, rowHasBit } from '@bspkit/core/format';
import type { WorldMemory } from './kernel/memory.ts';
import { CLUSTER_SHIFT, CLUSTERS_WORD } from './layout.ts';

const f = Math.fround;

/** Which of a cluster's two rows is meant. */
export const PVS = 0;
export const PHS = 1;

/** Contents of a leaf. */
export function leafContents({ ints, places }: WorldMemory, leaf: number): number {
  return ints[places.leafs.first + LEAF_WORDS * leaf]!;
}

/** What a box meets in a tree. */
export interface BoxLeafs {
  /** Leafs that it touches, in tree order, front before back. */
  readonly leafs: number[];
  /** The first node that has the box on both sides; -1 for none. */
  readonly topNode: number;
}

/** The leafs below a head that a box touches. Touching a plane counts as being on one side only. */
export function leafsInBox(memory: WorldMemory, head: number, mins: Vec3, maxs: Vec3): BoxLeafs {
  checkBounds(mins, maxs);
  const { ints, places } = memory;
  const box = Float32Array.of(mins[0]!, mins[1]!, mins[2]!, maxs[0]!, maxs[1]!, maxs[2]!);
  const leafs: number[] = [];
  const stack = [head];
  let topNode = -1;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node < 0) {
      leafs.push(-1 - node);
      continue;
    }
    const at = places.nodes.first + NODE_WORDS * node;
    const side = boxSide(memory, at, box);
    if (side === 3 && topNode < 0) topNode = node;
    if (side !== 1) stack.push(ints[at + 3]!);
    if (side !== 2) stack.push(ints[at + 2]!);
  }
  return { leafs, topNode };
}

/** Which sides of a node's plane a box is on: 1 in front, 2 behind, 3 both. */
function boxSide({ ints, floats, places }: WorldMemory, node: number, box: Float32Array): number {
  const kind = ints[node]! & KIND_MASK;
  const dist = floats[node + 1]!;
  if (kind < OBLIQUE) {
    if (dist <= box[kind]!) return 1;
    return dist >= box[3 + kind]! ? 2 : 3;
  }
  const plane = places.planes.first + PLANE_WORDS * (ints[node]! >>> 4);
  let farthest = 0;
  let nearest = 0;
  for (let k = 0; k < 3; k++) {
    const n = floats[plane + k]!;
    farthest = f(farthest + f(n * box[n < 0 ? k : 3 + k]!));
    nearest = f(nearest + f(n * box[n < 0 ? 3 + k : k]!));
  }
  const sides = (farthest >= dist ? 1 : 0) | (nearest < dist ? 2 : 0);
  return sides === 0 ? 3 : sides;
}

/** Where a row of a cluster begins in the lump. */
function rowAt({ ints, places }: WorldMemory, cluster: number, kind: number): number {
  return ints[places.visibility.first + 1 + 2 * cluster + kind]!;
}

/** The lump of visibility. */
function rowsOf({ floats, places }: WorldMemory): Uint8Array {
  return new Uint8Array(floats.buffer, 4 * places.visibility.first, 4 * places.visibility.count);
}

/** A cluster's row: bit b stands for cluster b. Nothing for cluster -1, everything in a map without visibility data. */
export function clusterRow(memory: WorldMemory, cluster: number, kind: number): Uint8Array {
  const row = new Uint8Array((memory.ints[CLUSTERS_WORD]! + 7) >> 3);
  if (cluster < 0) return row;
  if (memory.places.visibility.count === 0) return row.fill(0xff);
  return decodeRow(rowsOf(memory), rowAt(memory, cluster, kind), row);
}

/** Whether a cluster's row has the bit of another, -1 having none. */
export function clusterHas(memory: WorldMemory, from: number, to: number, kind: number): boolean {
  if (from < 0 || to < 0) return false;
  if (memory.places.visibility.count === 0) return true;
  return rowHasBit(rowsOf(memory), rowAt(memory, from, kind), to);
}

/** Whether some leaf below a head has a cluster whose bit a row has. */
export function headHas({ ints, places }: WorldMemory, head: number, row: Uint8Array): boolean {
  const stack = [head];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node >= 0) {
      const at = places.nodes.first + NODE_WORDS * node;
      stack.push(ints[at + 3]!, ints[at + 2]!);
      continue;
    }
    const cluster = ints[places.leafInfos.first - 1 - node]! >> CLUSTER_SHIFT;
    if (cluster >= 0 && (row[cluster >> 3]! & (1 << (cluster & 7))) !== 0) return true;
  }
  return false;
}
