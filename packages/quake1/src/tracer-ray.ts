import {
  checkMove,
  checkPoint,
  createTrace,
  resetTrace,
  type Shape,
  type Trace,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import { type InsideOptions, outsideMask, SOLID_MASK, type TreeView } from './classify.ts';
import { PLANE_WORDS, packedContents } from './layout.ts';
import { castRay, RAY_ALL_SOLID, RAY_HIT, RAY_MISS, RAY_START_SOLID, type RayWalk } from './trace-ray.ts';
import { allFinite } from './tracer-hull.ts';

/** Of the contents, those that are set to `false` stop the ray, as solid does. */
export interface PreciseRayOptions extends InsideOptions {
  /** The note's ray in place of the engine's point hull. */
  readonly precise: true;
  /** Where the model stands, in Quake units. Default 0 0 0. */
  readonly origin?: Vec3;
}

/** A prepared ray in double precision, without epsilon: its end lies on the wall. */
export interface PreciseRayTracer extends Tracer {
  readonly model: number;
  /** Changes the pose or what stops the ray, in place. Throws `RangeError` for an origin that is not finite. */
  set(changes: Partial<PreciseRayOptions>): this;
}

/** The tree that a ray tracer walks. */
export interface RaySource {
  readonly tree: TreeView;
  readonly walk: RayWalk;
  readonly model: number;
  readonly head: number;
}

export class SourceRayTracer implements PreciseRayTracer {
  readonly shape: Shape = { kind: 'ray' };
  readonly model: number;
  readonly source: RaySource;
  private readonly _origin: Float64Array = new Float64Array(3);
  private readonly _scratch: Trace = createTrace();
  mask: number = SOLID_MASK;

  constructor(source: RaySource, options: Partial<PreciseRayOptions> = {}) {
    this.source = source;
    this.model = source.model;
    this.set(options);
  }

  set(changes: Partial<PreciseRayOptions>): this {
    const { origin } = changes;
    if (origin !== undefined) {
      checkPoint(origin, 'origin');
      for (let k = 0; k < 3; k++) this._origin[k] = origin[k]!;
    }
    this.mask = outsideMask(changes, this.mask);
    return this;
  }

  trace(start: Vec3, end: Vec3, out: Trace = createTrace()): Trace {
    this._cast(start, end);
    resetTrace(out);
    const { tree, walk, model } = this.source;
    const { segment, reals, result } = walk;
    const { endPos, normal } = out;
    out.startSolid = result === RAY_START_SOLID || result === RAY_ALL_SOLID;
    out.allSolid = result === RAY_ALL_SOLID;
    out.fraction = out.startSolid ? 0 : 1;
    if (result === RAY_HIT) {
      const { ints, floats, planes } = tree;
      const { link } = walk;
      const node = link >> 1;
      const behind = (link & 1) === 1;
      out.fraction = reals[0]!;
      out.plane = ints[node]! >> 3;
      const at = planes + PLANE_WORDS * out.plane;
      // Subtracted from 0, so that a zero stays +0.
      for (let k = 0; k < 3; k++) normal[k] = behind ? 0 - floats[at + k]! : floats[at + k]!;
      out.dist = behind ? 0 - floats[at + 3]! : floats[at + 3]!;
      out.model = model;
      out.contents = packedContents(walk.leaf);
    }
    for (let k = 0; k < 3; k++) {
      const from = segment[k]!;
      const local = out.fraction === 1 ? segment[3 + k]! : from + out.fraction * (segment[3 + k]! - from);
      endPos[k] = local + this._origin[k]!;
    }
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    this._cast(start, end);
    return this.source.walk.result !== RAY_MISS;
  }

  traceBatch(segments: Float32Array, out?: TraceBatch): TraceBatch {
    return traceEach(this, segments, out, this._scratch);
  }

  /** A point of the caller's in the model's own frame. */
  toModel(point: Vec3): [number, number, number] {
    return [point[0]! - this._origin[0]!, point[1]! - this._origin[1]!, point[2]! - this._origin[2]!];
  }

  private _cast(start: Vec3, end: Vec3): void {
    // The check by name costs memory, so it is made only when it will fail.
    const fround = Math.fround;
    const begin = fround(start[0]!) + fround(start[1]!) + fround(start[2]!);
    if (!allFinite(begin + fround(end[0]!) + fround(end[1]!) + fround(end[2]!))) checkMove(start, end);
    const { tree, walk, head } = this.source;
    for (let k = 0; k < 3; k++) {
      walk.segment[k] = start[k]! - this._origin[k]!;
      walk.segment[3 + k] = end[k]! - this._origin[k]!;
    }
    castRay(tree, head, this.mask, walk);
  }
}
