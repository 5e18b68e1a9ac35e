import { LEAF_WORDS, NODE_WORDS } from '@bspkit/brushes';
import type { UnsharedBytes } from '@bspkit/core';
import { decodeRow, rowHasBit } from '@bspkit/core/format';
import type { WorldMemory } from './kernel/memory.ts';
import { CLUSTER_SHIFT, CLUSTERS_WORD } from './layout.ts';

/** Which of a cluster's two rows is meant. */
export const PVS = 0;
export const PHS = 1;

/** Contents of a leaf. */
export function leafContents({ ints, places }: WorldMemory, leaf: number): number {
  return ints[places.leafs.first + LEAF_WORDS * leaf]!;
}

/** Where a row of a cluster begins in the lump. */
function rowAt({ ints, places }: WorldMemory, cluster: number, kind: number): number {
  return ints[places.visibility.first + 1 + 2 * cluster + kind]!;
}

/** A cluster's row: bit b stands for cluster b. Nothing for cluster -1, everything in a map without visibility data. */
export function clusterRow(memory: WorldMemory, cluster: number, kind: number): UnsharedBytes {
  const row = new Uint8Array((memory.ints[CLUSTERS_WORD]! + 7) >> 3);
  if (cluster < 0) return row;
  if (memory.visibility.length === 0) return row.fill(0xff);
  return decodeRow(memory.visibility, rowAt(memory, cluster, kind), row);
}

/** Whether a cluster's row has the bit of another; -1 has none. */
export function clusterHas(memory: WorldMemory, from: number, to: number, kind: number): boolean {
  if (from < 0 || to < 0) return false;
  if (memory.visibility.length === 0) return true;
  return rowHasBit(memory.visibility, rowAt(memory, from, kind), to);
}

/** Whether a row has the bit of the cluster of any leaf below a head. */
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
