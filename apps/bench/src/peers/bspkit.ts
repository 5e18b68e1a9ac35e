import { runnerOf } from '@bspkit/compare';
import type { BspFormat } from '@bspkit/core/format';
import { presetTracer } from '../shapes.ts';
import { type Peer, timeBuild } from './peer.ts';

/**
 * Our own tracers, with the engine's settings: what the format's catalog makes of a shape by default. Compared are
 * those that keep no distance from surfaces, where the format lets one choose, as triangle libraries keep none.
 */
export function createBspkitPeer(format: BspFormat, bytes: Uint8Array): Peer {
  const { value: world, buildMs } = timeBuild(() => format.createWorld([format.read(bytes)]));
  return {
    name: 'bspkit',
    buildMs,
    builtFrom: 'bytes',
    bytes: world.data.byteLength,
    prepare: ({ preset }) => ({
      tracer: presetTracer(format, world, preset, { epsilon: 0 }),
      run: runnerOf(presetTracer(format, world, preset)),
    }),
  };
}
