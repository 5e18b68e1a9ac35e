import { countPoints, packFloats, pointsOf, unpackShares } from '../arrays.ts';
import type { BakeKind } from '../kind.ts';
import { createTracer, sightTracer } from '../tracer.ts';
import { checkSight, type SightParameters } from './seeing.ts';

/** How exposed each place is. */
export interface ExposureResult {
  /** Three numbers per cell: the position of the traced point of a player who stands there. */
  readonly points: Float32Array;
  /** One per cell: the share of the other cells that see it, 0 to 1. */
  readonly exposure: Float32Array;
}

const BLOCK = 4096;

/** For each cell, the share of the other cells from whose eye height it is seen: where players are most exposed. */
export const exposure: BakeKind<SightParameters, ExposureResult> = {
  name: 'exposure',
  needsWorld: true,
  inputs: ['points'],
  optionalInputs: [],
  check: checkSight,
  count: (_, inputs) => countPoints(inputs, 'points'),
  cost: (_, inputs) => countPoints(inputs, 'points'),
  open({ parameters, inputs, format, world }) {
    const { eye, distance = Infinity } = parameters;
    const points = pointsOf(inputs, 'points');
    const cells = points.length / 3;
    const tracer = createTracer(format, world, parameters.tracer ?? sightTracer(format, world));
    const segments = new Float32Array(6 * Math.min(BLOCK, cells));
    const tests = new Uint8Array(segments.length / 6);
    const far = distance * distance;
    return ({ first, count }) => {
      const shares = new Float32Array(count);
      for (let k = 0; k < count; k++) {
        const seen = first + k;
        const x = points[3 * seen]!;
        const y = points[3 * seen + 1]!;
        const z = points[3 * seen + 2]!;
        let open = 0;
        for (let other = 0; other < cells; ) {
          let some = 0;
          for (; other < cells && some < tests.length; other++) {
            if (other === seen) continue;
            // One by one, as in `sight`.
            const u = points[3 * other]!;
            const v = points[3 * other + 1]!;
            const w = Math.fround(points[3 * other + 2]! + eye);
            if ((u - x) * (u - x) + (v - y) * (v - y) + (w - z) * (w - z) > far) continue;
            const at = 6 * some++;
            segments[at] = u;
            segments[at + 1] = v;
            segments[at + 2] = w;
            segments[at + 3] = x;
            segments[at + 4] = y;
            segments[at + 5] = z;
          }
          tracer.blockedBatch(segments.subarray(0, 6 * some), tests);
          for (let test = 0; test < some; test++) open += 1 - tests[test]!;
        }
        shares[k] = cells > 1 ? open / (cells - 1) : 0;
      }
      return packFloats(shares);
    };
  },
  bytes: (_, { count }) => 4 * count,
  merge: (chunks, job, inputs) => ({
    points: pointsOf(inputs, 'points'),
    exposure: unpackShares(chunks, job),
  }),
};
