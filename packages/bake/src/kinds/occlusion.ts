import { nextState, numberAt } from '@bspkit/geometry';
import { countPoints, packFloats, pointsOf, unpackShares } from '../arrays.ts';
import {
  checkNames,
  numberOf,
  POINTS_NAMES,
  type PointsParameters,
  pointsParameters,
  wholeOf,
} from '../check.ts';
import { BakeError } from '../error.ts';
import type { BakeKind } from '../kind.ts';
import { type BakeTracer, checkTracerParameter, createTracer, sightTracer } from '../tracer.ts';

/** Options of an occlusion job. */
export interface OcclusionParameters extends PointsParameters {
  /** The tracer; by default the format's line of sight. */
  readonly tracer: BakeTracer | undefined;
  /** Directions per point, 1 to 65,536; 64 by default. */
  readonly rays: number;
  /** Seed of the directions, any 32 bits; 1 by default. */
  readonly seed: number;
  /** How far a ray goes, in Quake units, more than 0; 128 by default. */
  readonly distance: number;
  /** How far from its point a ray begins, along the normal, in Quake units; 1 by default. */
  readonly offset: number;
}

/** How much of its surroundings each point sees. */
export interface OcclusionResult {
  /** Three numbers per point. */
  readonly points: Float32Array;
  /** Three numbers per point; `undefined` if points have none. */
  readonly normals: Float32Array | undefined;
  /** One per point: the share of its rays that hit nothing, 0 to 1. */
  readonly visibility: Float32Array;
}

/** About the height of a room: with longer rays, every one meets a wall or ceiling, and everything is dark. */
export const OCCLUSION_DISTANCE = 128;

/** Segments that are traced at a time. */
const BLOCK = 4096;

/**
 * The share of seeded rays from a point that meet nothing within a distance: ambient occlusion. Rays of points with normals leave
 * by the cosine law, so that the share is what a light from all sides would give a matt surface; those of points without leave in
 * all directions alike. Item k has directions of its own, made from the seed and k.
 */
export const occlusion: BakeKind<OcclusionParameters, OcclusionResult> = {
  name: 'occlusion',
  needsWorld: true,
  inputs: ['points'],
  optionalInputs: ['normals'],
  check(parameters) {
    checkNames(parameters, ['tracer', 'rays', 'seed', 'distance', 'offset', ...POINTS_NAMES]);
    return {
      tracer: checkTracerParameter(parameters.tracer, 'tracer'),
      rays: wholeOf(parameters, 'rays', 64, 1, 65_536),
      seed: wholeOf(parameters, 'seed', 1, 0, 0xffffffff),
      distance: numberOf(parameters, 'distance', OCCLUSION_DISTANCE, 2 ** -10, 2 ** 20),
      offset: numberOf(parameters, 'offset', 1, 0, 2 ** 20),
      ...pointsParameters(parameters),
    };
  },
  count: (_, inputs) => countPoints(inputs, 'points'),
  cost: ({ rays }) => rays,
  open({ parameters, inputs, format, world }) {
    const { rays, seed, distance, offset } = parameters;
    const points = pointsOf(inputs, 'points');
    const normals = normalsOf(inputs, points.length);
    const tracer = createTracer(format, world, parameters.tracer ?? sightTracer(format, world));
    // Whole points at a time, or some of one point's rays.
    const segments = new Float32Array(6 * Math.max(rays, BLOCK));
    const tests = new Uint8Array(segments.length / 6);
    const atOnce = Math.floor(tests.length / rays);
    return ({ first, count }) => {
      const shares = new Float32Array(count);
      for (let done = 0; done < count; done += atOnce) {
        const some = Math.min(atOnce, count - done);
        for (let k = 0; k < some; k++) {
          aim(segments, k * rays, first + done + k, points, normals, rays, seed, distance, offset);
        }
        tracer.blockedBatch(segments.subarray(0, 6 * some * rays), tests);
        for (let k = 0; k < some; k++) {
          let open = 0;
          for (let ray = k * rays; ray < (k + 1) * rays; ray++) open += 1 - tests[ray]!;
          shares[done + k] = open / rays;
        }
      }
      return packFloats(shares);
    };
  },
  bytes: (_, { count }) => 4 * count,
  merge(chunks, job, inputs) {
    const points = pointsOf(inputs, 'points');
    return { points, normals: normalsOf(inputs, points.length), visibility: unpackShares(chunks, job) };
  },
};

function normalsOf(inputs: Readonly<Record<string, Uint8Array>>, length: number): Float32Array | undefined {
  if (!inputs.normals) return undefined;
  const normals = pointsOf(inputs, 'normals');
  if (normals.length === length) return normals;
  throw new BakeError('job', `input 'normals' has ${normals.length / 3} normals for ${length / 3} points`);
}

/** Writes the rays of a point, from place `at` on. */
function aim(
  segments: Float32Array,
  at: number,
  item: number,
  points: Float32Array,
  normals: Float32Array | undefined,
  rays: number,
  seed: number,
  distance: number,
  offset: number,
): void {
  // The sequences of neighbours must not be shifts of each other: the generator steps by one constant, this by another.
  let state = (seed ^ Math.imul(item + 1, 0x85ebca6b)) | 0;
  const nx = normals ? normals[3 * item]! : 0;
  const ny = normals ? normals[3 * item + 1]! : 0;
  const nz = normals ? normals[3 * item + 2]! : 0;
  const x = points[3 * item]! + offset * nx;
  const y = points[3 * item + 1]! + offset * ny;
  const z = points[3 * item + 2]! + offset * nz;
  for (let place = 6 * at; place < 6 * (at + rays); place += 6) {
    // The same as a generator's `direction`, without its calls and arrays: they took longer than the traces.
    let dx: number;
    let dy: number;
    let dz: number;
    let square: number;
    do {
      state = nextState(state);
      dx = 2 * numberAt(state) - 1;
      state = nextState(state);
      dy = 2 * numberAt(state) - 1;
      state = nextState(state);
      dz = 2 * numberAt(state) - 1;
      square = dx * dx + dy * dy + dz * dz;
    } while (square > 1 || square < 1e-4);
    const thrown = Math.sqrt(square);
    dx /= thrown;
    dy /= thrown;
    dz /= thrown;
    if (normals) {
      // A unit normal and a unit vector add up to the cosine law.
      const ax = dx + nx;
      const ay = dy + ny;
      const az = dz + nz;
      const length = Math.sqrt(ax * ax + ay * ay + az * az);
      const scale = length > 1e-6 ? 1 / length : 0;
      dx = scale > 0 ? ax * scale : nx;
      dy = scale > 0 ? ay * scale : ny;
      dz = scale > 0 ? az * scale : nz;
    }
    segments[place] = x;
    segments[place + 1] = y;
    segments[place + 2] = z;
    segments[place + 3] = x + distance * dx;
    segments[place + 4] = y + distance * dy;
    segments[place + 5] = z + distance * dz;
  }
}
