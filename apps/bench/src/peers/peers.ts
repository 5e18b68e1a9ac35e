import type { BspFormat } from '@bspkit/core/format';
import type { TriangleSoup } from '../triangles/soup.ts';
import { createBspkitPeer } from './bspkit.ts';
import { createBvhPeer } from './bvh.ts';
import type { Peer } from './peer.ts';
import { createRapierPeer } from './rapier.ts';

/** Peers by the name they have in options; the first is the baseline. */
export const PEERS: readonly PeerName[] = ['bspkit', 'three-mesh-bvh', 'rapier'];

export type PeerName = 'bspkit' | 'three-mesh-bvh' | 'rapier';

/** Loads a map into the peers asked for, in the order of {@link PEERS}. Call `free` when done. */
export async function createPeers(
  names: readonly PeerName[],
  format: BspFormat,
  bytes: Uint8Array,
  soup: TriangleSoup,
): Promise<{ peers: Peer[]; free: () => void }> {
  const peers: Peer[] = [];
  let free = (): void => {};
  if (names.includes('bspkit')) peers.push(createBspkitPeer(format, bytes));
  if (names.includes('three-mesh-bvh')) peers.push(createBvhPeer(soup));
  if (names.includes('rapier')) {
    const rapier = await createRapierPeer(soup);
    peers.push(rapier);
    free = () => rapier.free();
  }
  return { peers, free };
}
