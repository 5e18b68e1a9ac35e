import { createTraceBatch, type PointClassifier } from '@bspkit/core';
import { checkFilled, checkWhole } from '@bspkit/core/format';
import { createRandom, direction } from '@bspkit/geometry';
import { joinBytes, wrongItem } from '../arrays.ts';
import { checkNames, numberOf, vectorOf, wholeOf } from '../check.ts';
import { type BakeParameters, MOST_ITEMS } from '../job.ts';
import type { BakeKind } from '../kind.ts';
import { type BakeTracer, bodyTracer, checkTracerParameter, createTracer, sightTracer } from '../tracer.ts';
import { standIn } from '../walk.ts';

/** Options of a clearance job. `origin`, `step` and `size` are required. */
export interface ClearanceParameters {
  /** The middle of the first cell, in Quake units. */
  readonly origin: readonly number[];
  /** Distance between cells, in Quake units, 2^-10 to 2^20. */
  readonly step: number;
  /** Number of cells along x, y and z, 1 or more each. Item k is at x = k mod size[0], then y, then z. */
  readonly size: readonly number[];
  /** The tracer for distances and floors; by default the format's line of sight. */
  readonly tracer: BakeTracer | undefined;
  /** What must fit and stand there; by default the format's player. */
  readonly shape: BakeTracer | undefined;
  /** Directions in which distances are measured, besides the six along the axes: 0 to 1,024; 32 by default. */
  readonly rays: number;
  /** How far to look for distances and floors, in Quake units; 1,024 by default. */
  readonly reach: number;
}

/** Where there is room in a map. */
export interface ClearanceResult {
  /** The middle of the first cell, in Quake units. */
  readonly origin: readonly number[];
  /** Distance between cells, in Quake units. */
  readonly step: number;
  /** Number of cells along x, y and z. */
  readonly size: readonly number[];
  /** Contents at each cell's middle, as the format codes them; 0 in formats that cannot tell. */
  readonly contents: Int32Array;
  /**
   * Distance in Quake units to the nearest solid in the directions that were tried; 0 in solid, `reach` if there is
   * none.
   */
  readonly distance: Float32Array;
  /** Height (z) of what is below, in Quake units; -Infinity if there is nothing within reach, and in solid. */
  readonly floor: Float32Array;
  /**
   * {@link FITS} if the shape fits with its traced point in the middle; {@link STANDS} if it stands within the cell.
   */
  readonly fits: Uint8Array;
}

/** Bit of {@link ClearanceResult.fits}: the shape fits with its traced point in the middle of the cell. */
export const FITS = 1;
/** Bit of {@link ClearanceResult.fits}: the shape stands within the cell. */
export const STANDS = 2;

/** Bytes per cell: contents, distance, floor, bits. */
const CELL = 13;

const AXES: readonly (readonly number[])[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

/**
 * What is at the cells of a grid: contents, the distance to solid, the floor below, and whether a shape fits and
 * stands.
 */
export const clearance: BakeKind<ClearanceParameters, ClearanceResult> = {
  name: 'clearance',
  needsWorld: true,
  inputs: [],
  optionalInputs: [],
  check(parameters) {
    checkNames(parameters, ['origin', 'step', 'size', 'tracer', 'shape', 'rays', 'reach']);
    return {
      ...gridOf(parameters),
      tracer: checkTracerParameter(parameters.tracer, 'tracer'),
      shape: checkTracerParameter(parameters.shape, 'shape'),
      rays: wholeOf(parameters, 'rays', 32, 0, 1024),
      reach: numberOf(parameters, 'reach', 1024, 2 ** -10, 2 ** 20),
    };
  },
  count: ({ size }) => cellsOf(size),
  cost: ({ rays }) => rays + AXES.length + 3,
  open({ parameters, format, world }) {
    const { origin, step, size, rays, reach } = parameters;
    const tracer = createTracer(format, world, parameters.tracer ?? sightTracer(format, world));
    const shape = createTracer(format, world, parameters.shape ?? bodyTracer(format, world));
    const classifier = world as Partial<PointClassifier>;
    const random = createRandom(1);
    const directions = [...AXES, ...Array.from({ length: rays }, () => direction(random))];
    const segments = new Float32Array(6 * directions.length);
    const batch = createTraceBatch(directions.length, { fields: ['fraction', 'startSolid'] });
    const middle = new Float32Array(3);
    const [down, below] = [tracer.createTrace(), new Float32Array(3)];
    const stand = standIn(shape, step);
    return ({ first, count }) => {
      const bytes = new Uint8Array(CELL * count);
      const view = new DataView(bytes.buffer);
      for (let k = 0; k < count; k++) {
        const item = first + k;
        middle[0] = origin[0]! + step * (item % size[0]!);
        middle[1] = origin[1]! + step * (Math.floor(item / size[0]!) % size[1]!);
        middle[2] = origin[2]! + step * Math.floor(item / (size[0]! * size[1]!));
        for (const [at, ray] of directions.entries()) {
          for (let axis = 0; axis < 3; axis++) {
            segments[6 * at + axis] = middle[axis]!;
            segments[6 * at + 3 + axis] = middle[axis]! + reach * ray[axis]!;
          }
        }
        tracer.traceBatch(segments, batch);
        let nearest = 1;
        for (let at = 0; at < directions.length; at++) {
          nearest = Math.min(nearest, batch.startSolid[at] === 1 ? 0 : batch.fraction[at]!);
        }
        below.set(middle);
        below[2] = middle[2]! - reach;
        checkFilled(tracer.trace(middle, below, down), down);
        const hasFloor = !down.startSolid && down.fraction < 1;
        const at = CELL * k;
        view.setInt32(at, classifier.contents?.(middle) ?? 0, true);
        view.setFloat32(at + 4, reach * nearest, true);
        view.setFloat32(at + 8, hasFloor ? down.endPos[2]! : -Infinity, true);
        view.setUint8(at + 12, (shape.blocked(middle, middle) ? 0 : FITS) | (stand(middle) ? STANDS : 0));
      }
      return bytes;
    };
  },
  bytes: (_, { count }) => CELL * count,
  merge(chunks, job) {
    const { parameters, count } = job;
    const bytes = joinBytes(chunks);
    const view = new DataView(bytes.buffer);
    const result = {
      ...gridOf(parameters),
      contents: new Int32Array(count),
      distance: new Float32Array(count),
      floor: new Float32Array(count),
      fits: new Uint8Array(count),
    };
    for (let k = 0; k < count; k++) {
      const distance = view.getFloat32(CELL * k + 4, true);
      const floor = view.getFloat32(CELL * k + 8, true);
      const fits = view.getUint8(CELL * k + 12);
      if (!(distance >= 0 && distance < Infinity)) wrongItem(k, job, `has a distance of ${distance}`);
      if (!(floor < Infinity)) wrongItem(k, job, `has a floor at ${floor}`);
      if (fits > (FITS | STANDS)) wrongItem(k, job, `has bits that are not known: ${fits}`);
      result.contents[k] = view.getInt32(CELL * k, true);
      result.distance[k] = distance;
      result.floor[k] = floor;
      result.fits[k] = fits;
    }
    return result;
  },
};

const cellsOf = (size: readonly number[]): number => size[0]! * size[1]! * size[2]!;

function gridOf(parameters: BakeParameters): Pick<ClearanceParameters, 'origin' | 'step' | 'size'> {
  const size = vectorOf(parameters, 'size');
  for (const [k, cells] of size.entries()) checkWhole(cells, `size[${k}]`, 1, MOST_ITEMS);
  const cells = cellsOf(size);
  if (cells > MOST_ITEMS) {
    throw new RangeError(`size must be of ${MOST_ITEMS} cells at most, ${size.join(' x ')} are ${cells}`);
  }
  return {
    origin: vectorOf(parameters, 'origin'),
    step: numberOf(parameters, 'step', undefined, 2 ** -10, 2 ** 20),
    size,
  };
}
