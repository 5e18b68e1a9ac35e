import { runnerOf } from '@bspkit/compare';
import type { KernelName } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { presetTracer } from '../shapes.ts';
import { type Peer, timeBuild } from './peer.ts';

/**
 * Our own tracers, of the kernel that a format takes by default or of a given one, with the engine's settings: what the format's catalog makes of a shape by default. Compared are
 * those that keep no distance from surfaces, where the format lets one choose, as triangle libraries keep none.
 */
export function createBspkitPeer(format: BspFormat, bytes: Uint8Array, kernel?: KernelName): Peer {
  const { value: world, buildMs } = timeBuild(() => format.createWorld([format.read(bytes)], { kernel }));
  return {
    name: kernel ? `bspkit-${kernel}` : 'bspkit',
    buildMs,
    builtFrom: 'bytes',
    bytes: world.data.byteLength,
    prepare: ({ preset }) => ({
      tracer: presetTracer(format, world, preset, { epsilon: 0 }),
      run: runnerOf(presetTracer(format, world, preset)),
    }),
  };
}
