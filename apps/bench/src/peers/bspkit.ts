import { createTrace, type Shape, type Tracer } from '@bspkit/core';
import { createQuake3World, type Quake3World, readQuake3, SURFACE_CLIP_EPSILON } from '@bspkit/quake3';
import { moveLength, type Peer, type PreparedQuery, timeBuild } from './peer.ts';

/** Our own tracer, with the engine's settings: `MASK_SOLID`, curves, an epsilon of 1/8. */
export function createBspkitPeer(bytes: Uint8Array): Peer {
  const { value: world, buildMs } = timeBuild(() => createQuake3World(readQuake3(bytes)));
  return {
    name: 'bspkit',
    buildMs,
    builtFrom: 'bytes',
    bytes: world.data.byteLength,
    prepare: (shape) => prepareTracer(tracerFor(world, shape)),
  };
}

/** A tracer of any shape the benchmark knows. */
export function tracerFor(world: Quake3World, shape: Shape): Tracer | undefined {
  if (shape.kind === 'ray') return world.ray();
  if (shape.kind === 'sphere') return world.sphere(shape.radius);
  if (shape.kind === 'box') return world.box(shape.mins, shape.maxs);
  return shape.kind === 'capsule' ? world.capsule(shape.mins, shape.maxs) : undefined;
}

function prepareTracer(tracer: Tracer | undefined): PreparedQuery | undefined {
  if (!tracer) return undefined;
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  const out = createTrace();
  const load = (segments: Float32Array, index: number): void => {
    for (let k = 0; k < 3; k++) {
      start[k] = segments[6 * index + k]!;
      end[k] = segments[6 * index + 3 + k]!;
    }
  };
  return {
    run(segments, first, last) {
      let sum = 0;
      for (let i = first; i < last; i++) {
        load(segments, i);
        tracer.trace(start, end, out);
        sum += out.fraction;
      }
      return sum;
    },
    distance(segments, index) {
      load(segments, index);
      tracer.trace(start, end, out);
      if (out.fraction === 1) return Infinity;
      return touchDistance(out.fraction, out.normal, start, end, moveLength(segments, index));
    },
  };
}

/** Our traces stop the epsilon in front of a plane; a triangle library stops at it. This goes on to the plane. */
function touchDistance(
  fraction: number,
  normal: ArrayLike<number>,
  start: Float32Array,
  end: Float32Array,
  length: number,
): number {
  let towards = 0;
  for (let k = 0; k < 3; k++) towards += ((start[k]! - end[k]!) / length) * normal[k]!;
  // A start nearer than the epsilon was moved back to fraction 0: there is no telling how much of it was left.
  return fraction === 0 ? 0 : fraction * length + SURFACE_CLIP_EPSILON / towards;
}
