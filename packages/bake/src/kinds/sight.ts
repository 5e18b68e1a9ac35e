import { checkNumber } from '@bspkit/core/format';
import { countPoints, joinBytes, pointsOf } from '../arrays.ts';
import type { BakeKind } from '../kind.ts';
import { createTracer, sightTracer } from '../tracer.ts';
import { checkSight, type SightParameters } from './seeing.ts';

/** Which points see which. */
export interface SightResult {
  /** The points that look, and the targets that are looked at, three numbers each: the same if there are no separate targets. */
  readonly points: Float32Array;
  readonly targets: Float32Array;
  /** A row per point with a bit per target, lowest first, set if the point sees it; the last byte of a row is padded with 0. */
  readonly bits: Uint8Array;
  /** Bytes per row. */
  readonly rowBytes: number;
  /** Whether point `from` sees target `to`. Throws RangeError when there is no such point. */
  sees(from: number, to: number): boolean;
}

const BLOCK = 4096;

/** Which points see which: one row of bits per point, with a line traced for each bit. */
export const sight: BakeKind<SightParameters, SightResult> = {
  name: 'sight',
  needsWorld: true,
  inputs: ['points'],
  optionalInputs: ['targets'],
  check: checkSight,
  count: (_, inputs) => countPoints(inputs, 'points'),
  cost: (_, inputs) => countTargets(inputs),
  open({ parameters, inputs, format, world }) {
    const { eye, distance = Infinity } = parameters;
    const points = pointsOf(inputs, 'points');
    const targets = inputs.targets ? pointsOf(inputs, 'targets') : points;
    const tracer = createTracer(format, world, parameters.tracer ?? sightTracer(format, world));
    const columns = targets.length / 3;
    const rowBytes = Math.ceil(columns / 8);
    const far = distance * distance;
    const segments = new Float32Array(6 * Math.min(BLOCK, columns));
    const tests = new Uint8Array(segments.length / 6);
    /** Targets of the segments. */
    const asked = new Uint32Array(tests.length);
    return ({ first, count }) => {
      const bits = new Uint8Array(rowBytes * count);
      for (let row = 0; row < count; row++) {
        const from = 3 * (first + row);
        const x = points[from]!;
        const y = points[from + 1]!;
        const z = Math.fround(points[from + 2]! + eye);
        for (let to = 0; to < columns; ) {
          let some = 0;
          for (; to < columns && some < tests.length; to++) {
            // One by one, here and above: an array to take apart is allocated for each pair, in spite of V8's escape analysis.
            const u = targets[3 * to]!;
            const v = targets[3 * to + 1]!;
            const w = targets[3 * to + 2]!;
            if ((u - x) * (u - x) + (v - y) * (v - y) + (w - z) * (w - z) > far) continue;
            asked[some] = to;
            const at = 6 * some++;
            segments[at] = x;
            segments[at + 1] = y;
            segments[at + 2] = z;
            segments[at + 3] = u;
            segments[at + 4] = v;
            segments[at + 5] = w;
          }
          tracer.blockedBatch(segments.subarray(0, 6 * some), tests);
          for (let k = 0; k < some; k++) {
            const target = asked[k]!;
            if (tests[k] === 0) bits[row * rowBytes + (target >> 3)]! |= 1 << (target & 7);
          }
        }
      }
      return bits;
    };
  },
  bytes: (_, { count }, inputs) => count * Math.ceil(countTargets(inputs) / 8),
  merge(chunks, { count }, inputs) {
    const points = pointsOf(inputs, 'points');
    const targets = inputs.targets ? pointsOf(inputs, 'targets') : points;
    const columns = targets.length / 3;
    const rowBytes = Math.ceil(columns / 8);
    const bits = joinBytes(chunks);
    return {
      points,
      targets,
      bits,
      rowBytes,
      sees(from, to) {
        checkNumber(from, 'from', count);
        checkNumber(to, 'to', columns);
        return ((bits[from * rowBytes + (to >> 3)]! >> (to & 7)) & 1) === 1;
      },
    };
  },
};

/** How many targets a point sees. */
export function countSeen({ targets, bits, rowBytes }: SightResult, from: number): number {
  const columns = targets.length / 3;
  let seen = 0;
  for (let to = 0; to < columns; to += 8) {
    let byte = bits[from * rowBytes + (to >> 3)]!;
    // Those after the last target are not about any.
    if (columns - to < 8) byte &= (1 << (columns - to)) - 1;
    for (; byte !== 0; byte &= byte - 1) seen++;
  }
  return seen;
}

const countTargets = (inputs: Readonly<Record<string, Uint8Array>>): number =>
  countPoints(inputs, inputs.targets ? 'targets' : 'points');
