import type { BspWorld } from '@bspkit/core';
import type { WorldSource } from '../maps.ts';
import type { TriangleSoup } from '../triangles/soup.ts';
import { createBatchPeer, createBspkitPeer } from './bspkit.ts';
import { createBvhPeer } from './bvh.ts';
import { createEnginePeer } from './engine.ts';
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
  /**
   * Makes those that come last, when all others have been measured: their memory in WebAssembly grows, and as soon as an
   * array's memory has been taken away from it, V8 looks for that at every access to any array, which takes everybody in
   * the process longer.
   */
  makeLast(): Promise<readonly Peer[]>;
  /** Why the native one is missing, where it was asked for. */
  readonly withoutNative: string | undefined;
  free(): void;
}

/** Loads a map into the peers asked for, in the order of {@link PEERS}; triangle libraries where there are triangles. */
export async function createPeers(names: readonly PeerName[], source: PeerSource): Promise<MapPeers> {
  const { format, world, soup } = source;
  const peers: Peer[] = [];
  let withoutNative: string | undefined;
  const frees: (() => void)[] = [];
  if (names.includes('bspkit')) peers.push(createBspkitPeer(source));
  if (names.includes('batch')) peers.push(createBatchPeer(source));
  // Where there is one kernel alone, it is the one above.
  if (names.includes('js') && (format.kernels?.length ?? 1) > 1) {
    peers.push(createBspkitPeer(source, 'js'));
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
  if (soup && names.includes('three-mesh-bvh')) peers.push(createBvhPeer(soup));
  const makeLast = async (): Promise<Peer[]> => {
    if (!soup || !names.includes('rapier')) return [];
    const rapier = await createRapierPeer(soup);
    frees.push(() => rapier.free());
    return [rapier];
  };
  const free = (): void => {
    for (const one of frees) one();
  };
  return { peers, withoutNative, makeLast, free };
}
