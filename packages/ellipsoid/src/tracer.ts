import {
  blockedEach,
  createTrace,
  resetTrace,
  type Shape,
  type Trace,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  checkOptions,
  checkRadius,
  checkTrace,
  MOVE_END,
  MOVE_START,
  printAsString,
  showShape,
  takeFloats,
} from '@bspkit/core/format';
import { meetsNothing } from './kernel/clearings.ts';
import type { Memory } from './kernel/memory.ts';
import {
  Q_GAP,
  Q_MOVE,
  Q_NORMAL,
  Q_OUT,
  Q_OVERLAP,
  Q_RADII,
  Q_START,
  Q_STOP,
  Q_TIME,
  QUERY_NUMBERS,
} from './kernel/query.ts';
import { prepareSweep, stopBefore, sweep } from './kernel/sweep.ts';
import { PIECE_POLYGON, POLYGON_CONTENTS, POLYGON_TEXTURE, POLYGON_WORDS } from './layout.ts';
import { checkRadii, isRadius } from './radii.ts';
import { checkWorld } from './source.ts';
import type { EllipsoidWorld } from './world.ts';

const f = Math.fround;

/** The answer of a tracer of ellipsoids. */
export interface EllipsoidTrace extends Trace {
  /** Where the ellipsoid touches the polygon that it hit; zero when nothing was hit. */
  point: Float32Array;
  /** Polygon that was hit, for `world.polygon`; -1 for none. */
  polygon: number;
}

/** Options of the exact sweep. */
export interface EllipsoidOptions {
  /** Distance to keep from what is hit, along its normal, in Quake units, 0 or more; 0 by default. */
  readonly epsilon?: number | undefined;
}

/** What can be changed on a tracer between traces. */
export interface EllipsoidChanges extends EllipsoidOptions {
  /** Of any ellipsoid but a sphere: along x, y and z, in Quake units, 0.001 to 1,000,000 each. */
  readonly radii?: Vec3 | undefined;
  /** Of a sphere: in Quake units, 0.001 to 1,000,000. */
  readonly radius?: number | undefined;
}

const OPTIONS: readonly string[] = ['epsilon'] satisfies (keyof EllipsoidOptions)[];
const CHANGES: readonly string[] = ['epsilon', 'radii'] satisfies (keyof EllipsoidChanges)[];
const SPHERE_CHANGES: readonly string[] = ['epsilon', 'radius'] satisfies (keyof EllipsoidChanges)[];

/**
 * An overlap at the start that rounding can explain does not count: a thousandth of a unit, and what float32 loses at the
 * position of the start.
 */
const OVERLAP_UNITS = 1 / 1024;
const OVERLAP_SHARE: number = 2 ** -22;

/**
 * Whether an overlap at a start counts: `depths[depth]` is how deep it is, in Quake units, and from `places[start]` on is where
 * the start is. Passed as places in arrays, so that no number is boxed.
 */
export function isOverlap(depths: Float64Array, depth: number, places: Float64Array, start: number): boolean {
  const x = Math.abs(places[start]!);
  const y = Math.abs(places[start + 1]!);
  const z = Math.abs(places[start + 2]!);
  return depths[depth]! > OVERLAP_UNITS + OVERLAP_SHARE * Math.max(x, y, z);
}

/** The greatest fraction of a hit: rounding must not turn a hit at the very end into a miss. */
export const LAST_FRACTION: number = 1 - 2 ** -24;

/** A fresh answer. */
export function createEllipsoidTrace(): EllipsoidTrace {
  return Object.assign(createTrace(), { point: new Float32Array(3), polygon: -1 });
}

/** {@link resetTrace} for an ellipsoid's answer. */
export function resetEllipsoidTrace(out: EllipsoidTrace): EllipsoidTrace {
  resetTrace(out);
  // Any trace may be passed, as users of a tracer need not know that there is more.
  if (out.point) for (let k = 0; k < 3; k++) out.point[k] = 0;
  out.polygon = -1;
  return out;
}

/** Writes the properties of a polygon, which is at `at`, into an answer. */
export function describePolygon({ ints, places }: Memory, at: number, out: EllipsoidTrace): void {
  out.polygon = (at - places.polygons.first) / POLYGON_WORDS;
  out.contents = ints[at + POLYGON_CONTENTS]!;
  out.texture = ints[at + POLYGON_TEXTURE]!;
  out.model = 0;
}

const overlaps = (query: Float64Array): boolean => isOverlap(query, Q_OVERLAP, query, Q_START);

/** Writes the answer of a sweep that met `piece`, or nothing if that is below 0: where it ended then is left to the caller. */
export function answerSweep(memory: Memory, query: Float64Array, piece: number, out: EllipsoidTrace): void {
  resetEllipsoidTrace(out);
  out.startSolid = overlaps(query);
  if (piece < 0) return;
  describePolygon(memory, memory.ints[piece + PIECE_POLYGON]!, out);
  stopBefore(query);
  const contact = query[Q_TIME]!;
  const time = query[Q_STOP]!;
  out.fraction = Math.min(f(time), LAST_FRACTION);
  out.allSolid = out.startSolid && contact === 0;
  // A sum that begins as a double stays one.
  let dist = 0.5 - 0.5;
  for (let k = 0; k < 3; k++) {
    const normal = query[Q_OUT + k]!;
    const center = query[Q_START + k]! + contact * query[Q_MOVE + k]!;
    const point = center - query[Q_NORMAL + k]! * query[Q_RADII + k]!;
    out.normal[k] = normal;
    out.endPos[k] = query[Q_START + k]! + time * query[Q_MOVE + k]!;
    if (out.point) out.point[k] = point;
    dist += normal * point;
  }
  out.dist = f(dist);
}

/**
 * Sweeps an ellipsoid exactly: coordinates are divided by the radii, and the first contact is when the centre comes within 1 of a
 * face, an edge or a corner, in double precision; the answer is rounded once. Polygons block from both sides.
 *
 * A start that overlaps polygons sets `startSolid`; the move is then free if it leads out, and ends at once, with `allSolid`, if
 * it leads deeper. What is behind the polygons is not known: in solid, far from any face, everything is open.
 */
export class EllipsoidTracer implements Tracer<EllipsoidTrace> {
  readonly shape: Shape;
  /** @internal */
  readonly _world: EllipsoidWorld;
  /** @internal What was asked last, and found. */
  readonly _query: Float64Array = new Float64Array(QUERY_NUMBERS);
  private readonly _end: Float64Array = new Float64Array(3);
  /** Views of the query: its start, and the greatest corner of its bounds. */
  private readonly _start: Float64Array = this._query.subarray(Q_START, Q_START + 3);
  private readonly _maxs: Float64Array = this._query.subarray(Q_RADII, Q_RADII + 3);
  private readonly _mins: Float64Array = new Float64Array(3);

  /** @internal */
  constructor(world: EllipsoidWorld, radii: Vec3, options: EllipsoidOptions = {}, isSphere = false) {
    checkWorld(world);
    this._world = world;
    if (isSphere) checkRadius(radii[0]!);
    checkRadii(radii);
    checkOptions(options, OPTIONS);
    const own = Float32Array.from([radii[0]!, radii[1]!, radii[2]!]);
    this.shape = isSphere ? { kind: 'sphere', radius: own[0]! } : { kind: 'ellipsoid', radii: own };
    const { epsilon } = options;
    this.set({ epsilon, ...(isSphere ? { radius: own[0]! } : { radii: own }) });
    printAsString(this);
  }

  createTrace(): EllipsoidTrace {
    return createEllipsoidTrace();
  }

  /**
   * Changes radii or epsilon, all or nothing, without allocation.
   * @throws RangeError naming what is out of range; TypeError for what this tracer does not have.
   */
  set(changes: EllipsoidChanges): this {
    checkOptions(changes, this.shape.kind === 'sphere' ? SPHERE_CHANGES : CHANGES, 'changes');
    const { epsilon, radii, radius } = changes;
    if (epsilon !== undefined) checkRadius(epsilon, 'epsilon');
    if (radius !== undefined) {
      checkRadius(radius);
      if (!isRadius(radius)) checkRadii([radius, radius, radius], 'radius');
    }
    if (radii !== undefined) checkRadii(radii);
    // Read as a whole before anything is written, as the ends of a move are: a getter among them may throw.
    takeFloats(radii ?? this._maxs, this._maxs);
    if (radius !== undefined) MOVE_START.fill(radius);
    if (epsilon !== undefined) this._query[Q_GAP] = f(epsilon);
    const { _maxs: maxs, _mins: mins, shape } = this;
    maxs.set(MOVE_START);
    for (let k = 0; k < 3; k++) mins[k] = -maxs[k]!;
    if (shape.kind === 'ellipsoid') (shape.radii as Float32Array).set(maxs);
    else (shape as { radius: number }).radius = maxs[0]!;
    return this;
  }

  trace(start: Vec3, end: Vec3, out: EllipsoidTrace = createEllipsoidTrace()): EllipsoidTrace {
    checkTrace(out, 'out');
    const piece = this._sweep(start, end, false);
    answerSweep(this._world._memory, this._query, piece, out);
    if (piece < 0) for (let k = 0; k < 3; k++) out.endPos[k] = this._end[k]!;
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    return this._sweep(start, end, true) >= 0 || overlaps(this._query);
  }

  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    return traceEach(this, segments, out);
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    return blockedEach(this, segments, out);
  }

  /** @internal */
  toString(): string {
    return `EllipsoidTracer { ${showShape(this.shape)} }`;
  }

  private _sweep(start: Vec3, end: Vec3, any: boolean): number {
    takeFloats(start, end);
    const query = this._query;
    for (let k = 0; k < 3; k++) {
      const from = MOVE_START[k]!;
      this._end[k] = MOVE_END[k]!;
      query[Q_START + k] = from;
      query[Q_MOVE + k] = this._end[k]! - from;
    }
    const { _memory: memory } = this._world;
    if (meetsNothing(memory, this._start, this._end, this._mins, this._maxs)) {
      query[Q_OVERLAP] = -1;
      return -1;
    }
    prepareSweep(query);
    return sweep(memory, query, any);
  }
}
