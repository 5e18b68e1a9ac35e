import type { BspWorld } from '@bspkit/core';
import { type ClockName, onAllProcessors } from '../clock.ts';
import type { Soups } from '../triangles/soup.ts';
import type { WorldSource } from '../world.ts';
import { createBatchPeer, createBspkitPeer } from './bspkit.ts';
import { createEnginePeer } from './engine.ts';
import { type Isolate, inIsolate } from './isolate.ts';
import { createNativePeer } from './native.ts';
import type { Peer } from './peer.ts';

/** Peers by their names in options; the first is the baseline, and `pool` is measured separately. */
export const PEERS: readonly PeerName[] = [
  ...(['bspkit', 'batch', 'js', 'c', 'engine', 'three-mesh-bvh', 'rapier', 'pool'] as const),
];

/** Those that are measured by default: engines must be installed. */
export const USUAL_PEERS: readonly PeerName[] = PEERS.filter((name) => name !== 'engine');

export type PeerName = 'bspkit' | 'batch' | 'js' | 'c' | 'engine' | 'three-mesh-bvh' | 'rapier' | 'pool';

/** What peers are made from. */
export interface PeerSource extends WorldSource {
  readonly world: BspWorld;
  /** Undefined for a format that keeps nothing to make triangles from. */
  readonly soups: Soups | undefined;
}

/** The peers of a map. Call `free` when done. */
export interface MapPeers {
  readonly peers: readonly Peer[];
  /** Why the native one is missing, if it was requested. */
  readonly withoutNative: string | undefined;
  free(): void;
}

/** Opens an isolate for a peer: see `isolate.ts`. */
export type OpenIsolate = (peer: PeerName) => Promise<Isolate>;

/**
 * Loads a map into the requested peers, in the order of {@link PEERS}; triangle libraries only if there are triangles.
 *
 * @param clock - by which they are timed.
 * @param openIsolate - peers in JavaScript and WebAssembly are timed in isolates; without it, in this one.
 */
export async function createPeers(
  names: readonly PeerName[],
  source: PeerSource,
  clock: ClockName,
  openIsolate?: OpenIsolate,
): Promise<MapPeers> {
  const { format, world, soups } = source;
  const peers: Peer[] = [];
  let withoutNative: string | undefined;
  const frees: (() => void)[] = [];
  const apart: { readonly name: PeerName; readonly at: number }[] = [];
  const add = (name: PeerName, peer: Peer): void => {
    apart.push({ name, at: peers.length });
    peers.push(peer);
  };
  if (names.includes('bspkit')) add('bspkit', createBspkitPeer(source));
  if (names.includes('batch')) add('batch', createBatchPeer(source));
  // If there is only one kernel, it is the one above.
  if (names.includes('js') && (format.kernels?.length ?? 1) > 1) add('js', createBspkitPeer(source, 'js'));
  if (names.includes('c')) {
    const native = createNativePeer(format, world);
    if (typeof native === 'string') withoutNative = native;
    else peers.push(native);
  }
  const engine = names.includes('engine') ? await createEnginePeer(source, clock) : undefined;
  if (engine) {
    peers.push(engine);
    frees.push(() => engine.free());
  }
  // Libraries take a while to load, and isolates need one each.
  if (soups && names.includes('three-mesh-bvh')) {
    const { createBvhPeer } = await import('./bvh.ts');
    add('three-mesh-bvh', createBvhPeer(soups));
  }
  if (soups && names.includes('rapier')) {
    const { createRapierPeer } = await import('./rapier.ts');
    const rapier = await createRapierPeer(soups);
    frees.push(() => rapier.free());
    add('rapier', rapier);
  }
  if (openIsolate) {
    // Everything that is timed while it is built has been built, so isolates may load at the same time, on any processor.
    await onAllProcessors(() =>
      Promise.all(
        apart.map(async ({ name, at }) => {
          const isolate = await openIsolate(name);
          frees.push(() => isolate.free());
          peers[at] = inIsolate(peers[at]!, isolate, clock);
        }),
      ),
    );
  }
  const free = (): void => {
    for (const one of frees) one();
  };
  return { peers, withoutNative, free };
}
