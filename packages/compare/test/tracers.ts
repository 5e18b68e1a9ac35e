import { defineTracer, type Trace, type Tracer } from '@bspkit/core';
import type { CompareOptions } from '../src/index.ts';

/** Level ground below points: the simplest world there is. Stops `epsilon` units above it. */
export function ground(height: number, epsilon = 0): Tracer {
  return defineTracer({
    shape: { kind: 'ray' },
    trace(start, end, out) {
      const [above, below] = [start[2]! - height, end[2]! - height];
      out.startSolid = above < 0;
      out.allSolid = above < 0 && below < 0;
      if (out.allSolid) out.fraction = 0;
      else if (above >= 0 && below < epsilon && below < above) {
        out.fraction = Math.max(0, (above - epsilon) / (above - below));
        out.normal[2] = 1;
        out.side = 0;
      }
      for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
      return out;
    },
  });
}

/** A tracer that changes what another one answers. */
export function changed(tracer: Tracer, change: (trace: Trace, query: number) => void): Tracer {
  let query = 0;
  return defineTracer({
    shape: tracer.shape,
    trace(start, end, out) {
      tracer.trace(start, end, out);
      change(out, query++);
      return out;
    },
  });
}

/** Down from 10 to -10, `count` times. */
export const drops = (count: number): Float32Array =>
  Float32Array.from({ length: 6 * count }, (_, k) => [0, 0, 10, 0, 0, -10][k % 6]!);

export const untimed: CompareOptions = { rounds: 0 };
