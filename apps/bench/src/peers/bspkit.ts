import { runnerOf } from '@bspkit/compare';
import type { BspWorld, Shape, Tracer } from '@bspkit/core';
import type { BspFormat, TracerValues } from '@bspkit/core/format';
import { type Peer, timeBuild } from './peer.ts';

/**
 * Our own tracers, with the engine's settings: what the format's catalog makes of a shape by default. Compared are
 * those that keep no distance from surfaces, as triangle libraries keep none.
 */
export function createBspkitPeer(format: BspFormat, bytes: Uint8Array): Peer {
  const { value: world, buildMs } = timeBuild(() => format.createWorld([format.read(bytes)]));
  return {
    name: 'bspkit',
    buildMs,
    builtFrom: 'bytes',
    bytes: world.data.byteLength,
    prepare(shape) {
      const tracer = tracerFor(format, world, shape);
      return tracer && { tracer: tracerFor(format, world, shape, { epsilon: 0 })!, run: runnerOf(tracer) };
    },
  };
}

/** A tracer of some shape, with those of the options that it takes; undefined where the format has none. */
export function tracerFor(
  format: BspFormat,
  world: BspWorld,
  shape: Shape,
  options: TracerValues = {},
): Tracer | undefined {
  const kind = format.tracers.kinds.find(({ name }) => name === shape.kind);
  if (!kind) return undefined;
  const size = 'mins' in shape ? [...Array.from(shape.mins), ...Array.from(shape.maxs)] : [];
  const taken = Object.entries(options).filter(([name]) => kind.options.includes(name));
  return kind.create(world, size, Object.fromEntries(taken));
}
