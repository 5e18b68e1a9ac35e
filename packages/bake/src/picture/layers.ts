import type { Vec3 } from '@bspkit/core';
import { checkOptions, checkPoint } from '@bspkit/core/format';
import { type ClearanceResult, STANDS } from '../kinds/clearance.ts';
import type { ExposureResult } from '../kinds/exposure.ts';
import { OCCLUSION_DISTANCE, type OcclusionResult } from '../kinds/occlusion.ts';
import { countSeen, type SightResult } from '../kinds/sight.ts';
import { MIN_FLOOR } from '../walk.ts';
import { HEAT, LIGHT, type Ramp, ROOM } from './colors.ts';
import type { ValueClass, ValueLayer, ValueScale } from './layer.ts';
import { type BakeOutcome, checkOutcome, noPicture } from './outcome.ts';
import { spacing } from './spacing.ts';

/** Which part of a bake is shown. */
export interface LayerOptions {
  /** For `sight`: what is seen from the point nearest to this one, instead of how much each point sees. */
  readonly from?: Vec3 | undefined;
}

const POINTS = ['point', 'points'] as const;

type Maker = (result: never, parameters: BakeOutcome['parameters'], options: LayerOptions) => ValueLayer;

const MAKERS: Readonly<Record<string, Maker>> = {
  occlusion: occlusionLayer,
  exposure: exposureLayer,
  clearance: clearanceLayer,
  sight: sightLayer,
} satisfies Readonly<Record<string, Maker>>;

/**
 * The values of a bake at their places, as they are drawn.
 * @throws BakeError (`kind`) for a bake of a kind that has no picture; RangeError for options out of range.
 */
export function bakeLayer(bake: BakeOutcome, options: LayerOptions = {}): ValueLayer {
  checkOutcome(bake);
  checkOptions(options, ['from']);
  const { kind, parameters, result } = bake;
  if (!Object.hasOwn(MAKERS, kind)) throw noPicture(kind);
  if (options.from !== undefined) {
    if (kind !== 'sight') throw new RangeError(`from is for bakes of kind 'sight', not '${kind}'`);
    checkPoint(options.from, 'from');
  }
  return MAKERS[kind]!(result as never, parameters, options);
}

function occlusionLayer(
  { points, normals, visibility }: OcclusionResult,
  parameters: BakeOutcome['parameters'],
): ValueLayer {
  let positions = onFloor(points, parameters);
  let values: ArrayLike<number> = visibility;
  if (normals) {
    const shown: number[] = [];
    for (let k = 0; k < visibility.length; k++) if (normals[3 * k + 2]! >= MIN_FLOOR) shown.push(k);
    positions = picked(positions, shown);
    values = shown.map((k) => visibility[k]!);
  }
  return {
    title: 'how open it is',
    measure: `share of rays that meet nothing within ${parameters.distance ?? OCCLUSION_DISTANCE} units`,
    nouns: normals ? ['point on floors', 'points on floors'] : POINTS,
    positions,
    values,
    ...layoutOf(parameters, positions),
    scale: shareScale(LIGHT, values),
    marks: [],
  };
}

function exposureLayer(
  { points, exposure }: ExposureResult,
  parameters: BakeOutcome['parameters'],
): ValueLayer {
  const positions = onFloor(points, parameters);
  return {
    title: 'where players are seen most',
    measure: 'share of the other cells that see a cell',
    nouns: ['cell', 'cells'],
    positions,
    values: exposure,
    ...layoutOf(parameters, positions),
    scale: shareScale(HEAT, exposure),
    marks: [],
    peak: 'seen most',
  };
}

function clearanceLayer({ origin, step, size, distance, floor, fits }: ClearanceResult): ValueLayer {
  const storey = size[0]! * size[1]!;
  const middleOf = (k: number): number => origin[2]! + step * Math.floor(k / storey);
  /** The floor of the cell above, if it is in the upper half of a cell, whose middle is in it then, or under a thin one. */
  const raised = (k: number): number | undefined => {
    const above = floor[k + storey] ?? -Infinity;
    return above > middleOf(k) && above <= middleOf(k) + step / 2 ? above : undefined;
  };
  const freest = freestAbove(distance, raised, storey, step);
  const all = Array.from(distance, (_, k) => k);
  const standing = all.filter((k) => fits[k]! & STANDS);
  const isStanding = standing.length > 0;
  const shown = isStanding ? standing : all.filter((k) => distance[k]! > 0);
  const positions = new Float32Array(3 * shown.length);
  for (const [at, k] of shown.entries()) {
    positions[3 * at] = origin[0]! + step * (k % size[0]!);
    positions[3 * at + 1] = origin[1]! + step * (Math.floor(k / size[0]!) % size[1]!);
    const height = raised(k) ?? floor[k]!;
    positions[3 * at + 2] = isStanding && height > -Infinity ? height : middleOf(k);
  }
  const values = shown.map((k) => freest[k]!);
  const sorted = Float64Array.from(values).sort();
  return {
    title: isStanding ? 'how much room there is to stand' : 'how much room there is',
    measure: 'radius of the largest ball that is free above a cell',
    nouns: isStanding ? ['cell to stand in', 'cells to stand in'] : ['open cell', 'open cells'],
    positions,
    values,
    step,
    // A few large halls should not make everything else look alike.
    scale: {
      ramp: ROOM,
      high: sorted[Math.floor(0.95 * sorted.length)] ?? 0,
      most: mostOf(values),
      unit: 'units',
    },
    marks: [],
  };
}

/** How far solid is from the best place straight up from each cell: there the floor, which is always near, does not count. */
function freestAbove(
  distance: Float32Array,
  raised: (k: number) => number | undefined,
  storey: number,
  step: number,
): Float64Array {
  const freest = Float64Array.from(distance);
  for (let k = freest.length - 1 - storey; k >= 0; k--) {
    // The free space around both middles meets, or there is none around this one, and the other is above the same floor.
    const isOpen = distance[k] === 0 ? raised(k) !== undefined : distance[k]! + distance[k + storey]! >= step;
    if (isOpen) freest[k] = Math.max(freest[k]!, freest[k + storey]!);
  }
  return freest;
}

const SEEN: readonly ValueClass[] = [
  { name: 'not seen', color: [205, 208, 219] },
  { name: 'seen', color: [240, 150, 60], isCounted: true },
];

function sightLayer(
  result: SightResult,
  parameters: BakeOutcome['parameters'],
  { from }: LayerOptions,
): ValueLayer {
  const { points, targets, sees } = result;
  const [count, columns] = [points.length / 3, targets.length / 3];
  if (from !== undefined) {
    if (count === 0) throw new RangeError('from must be left out: the bake has no points');
    const eye = nearest(points, from);
    const positions = onFloor(targets, parameters);
    const values = Uint8Array.from({ length: columns }, (_, k) => (sees(eye, k) ? 1 : 0));
    const at = pointAt(onFloor(points, parameters), eye);
    return {
      title: `what is seen from ${showPoint(pointAt(points, eye))}`,
      measure: '',
      nouns: POINTS,
      positions,
      values,
      ...layoutOf(parameters, positions),
      scale: { classes: SEEN },
      marks: [{ at, label: 'eye' }],
    };
  }
  const positions = onFloor(points, parameters);
  const values = Float64Array.from({ length: count }, (_, k) =>
    columns > 0 ? countSeen(result, k) / columns : 0,
  );
  return {
    title: 'where one sees most',
    measure: 'share of the targets that a point sees',
    nouns: POINTS,
    positions,
    values,
    ...layoutOf(parameters, positions),
    scale: shareScale(HEAT, values),
    marks: [],
    peak: 'sees most',
  };
}

/** Points at the height of the floor below them, as far as the job says. */
function onFloor(points: Float32Array, { floor }: BakeOutcome['parameters']): Float32Array {
  const below = typeof floor === 'number' ? floor : 0;
  const positions = points.slice();
  for (let k = 2; k < positions.length; k += 3) positions[k]! -= below;
  return positions;
}

/** Points that nobody has laid out are drawn no wider than this, in Quake units: wider squares cover the walls between them. */
const WIDEST = 64;

/** How far apart points are, as far as the job says. */
function layoutOf(
  { step }: BakeOutcome['parameters'],
  positions: Float32Array,
): Pick<ValueLayer, 'step' | 'scattered'> {
  if (typeof step === 'number' && step > 0) return { step };
  return { step: Math.min(WIDEST, spacing(positions)), scattered: true };
}

const mostOf = (values: ArrayLike<number>): number => {
  let most = 0;
  for (let k = 0; k < values.length; k++) most = Math.max(most, values[k]!);
  return most;
};

/** A scale of shares that ends at the highest. */
function shareScale(ramp: Ramp, values: ArrayLike<number>): ValueScale {
  const most = mostOf(values);
  return { ramp, high: most, most, unit: 'percent' };
}

/** The number of the point nearest to a place. */
function nearest(points: Float32Array, place: Vec3): number {
  let [best, least] = [0, Infinity];
  for (let k = 0; 3 * k < points.length; k++) {
    const [x, y, z] = [0, 1, 2].map((axis) => points[3 * k + axis]! - place[axis]!) as [
      number,
      number,
      number,
    ];
    const away = x * x + y * y + z * z;
    if (away < least) [best, least] = [k, away];
  }
  return best;
}

const pointAt = (points: Float32Array, k: number): readonly [number, number, number] => [
  points[3 * k]!,
  points[3 * k + 1]!,
  points[3 * k + 2]!,
];

function picked(points: Float32Array, numbers: readonly number[]): Float32Array {
  const some = new Float32Array(3 * numbers.length);
  for (const [at, k] of numbers.entries()) some.set(points.subarray(3 * k, 3 * k + 3), 3 * at);
  return some;
}

const showPoint = (point: readonly number[]): string =>
  point.map((x) => String(Math.round(10 * x) / 10)).join(' ');
