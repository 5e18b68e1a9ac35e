import type { BspWorld } from '@bspkit/core';
import type { WorldSource } from '../maps.ts';
import type { TriangleSoup } from '../triangles/soup.ts';
import { createBatchPeer, createBspkitPeer } from './bspkit.ts';
import { createBvhPeer } from './bvh.ts';
import { createEnginePeer } from './engine.ts';
import { type Isolate, inIsolate } from './isolate.ts';
import { createNativePeer } from './native.ts';
import type { Peer } from './peer.ts';
import { createRapierPeer } from './rapier.ts';

/** Peers by the name they have in options; the first is the baseline, and `pool` is measured apart from the others. */
export const PEERS: readonly PeerName[] = [
  ...(['bspkit', 'batch', 'js', 'c', 'engine', 'three-mesh-bvh', 'rapier', 'pool'] as const),
];

/** Those that are measured by default: engines have to be installed. */
export const USUAL_PEERS: readonly PeerName[] = PEERS.filter((name) => name !== 'engine');

export type PeerName = 'bspkit' | 'batch' | 'js' | 'c' | 'engine' | 'three-mesh-bvh' | 'rapier' | 'pool';

/** What peers are made from. */
export interface PeerSource extends WorldSource {
  readonly world: BspWorld;
  /** Undefined for a format that keeps nothing to make triangles of. */
  readonly soup: TriangleSoup | undefined;
}

/** The peers of a map. Call `free` when done. */
export interface MapPeers {
  readonly peers: readonly Peer[];
  /** Why the native one is missing, where it was asked for. */
  readonly withoutNative: string | undefined;
  free(): void;
}

/** Opens an isolate for a peer: see `isolate.ts`. */
export type OpenIsolate = (peer: PeerName) => Promise<Isolate>;

/**
 * Loads a map into the peers asked for, in the order of {@link PEERS}; triangle libraries where there are triangles.
 *
 * @param openIsolate - those in JavaScript and WebAssembly are timed there; in this one without it.
 */
export async function createPeers(
  names: readonly PeerName[],
  source: PeerSource,
  openIsolate?: OpenIsolate,
): Promise<MapPeers> {
  const { format, world, soup } = source;
  const peers: Peer[] = [];
  let withoutNative: string | undefined;
  const frees: (() => void)[] = [];
  const add = async (name: PeerName, peer: Peer): Promise<void> => {
    const isolate = await openIsolate?.(name);
    if (isolate) frees.push(() => isolate.free());
    peers.push(isolate ? inIsolate(peer, isolate) : peer);
  };
  if (names.includes('bspkit')) await add('bspkit', createBspkitPeer(source));
  if (names.includes('batch')) await add('batch', createBatchPeer(source));
  // Where there is one kernel alone, it is the one above.
  if (names.includes('js') && (format.kernels?.length ?? 1) > 1) {
    await add('js', createBspkitPeer(source, 'js'));
  }
  if (names.includes('c')) {
    const native = createNativePeer(format, world);
    if (typeof native === 'string') withoutNative = native;
    else peers.push(native);
  }
  const engine = names.includes('engine') ? await createEnginePeer(source) : undefined;
  if (engine) {
    peers.push(engine);
    frees.push(() => engine.free());
  }
  if (soup && names.includes('three-mesh-bvh')) await add('three-mesh-bvh', createBvhPeer(soup));
  if (soup && names.includes('rapier')) {
    const rapier = await createRapierPeer(soup);
    frees.push(() => rapier.free());
    await add('rapier', rapier);
  }
  const free = (): void => {
    for (const one of frees) one();
  };
  return { peers, withoutNative, free };
}
