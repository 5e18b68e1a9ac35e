import type { TraceBatch } from './batch.ts';
import { checkBounds, checkMask, checkMove, checkPoint, checkRadius } from './check.ts';
import type { Posable, Pose } from './scene-pose.ts';
import { ownShape, resizeShape, type TracerChanges } from './scene-shape.ts';
import {
  createSweep,
  HITS,
  MISSES,
  STAYS_IN,
  type Sweep,
  sweepPoint,
  W_END,
  W_EPSILON,
  W_FRACTION,
  W_MAXS,
  W_MINS,
  W_NORMAL,
  W_RADIUS,
  W_START,
} from './scene-sweep.ts';
import type { Shape } from './shape.ts';
import { createTrace, resetTrace, type Trace } from './trace.ts';
import { type Tracer, traceEach } from './tracer.ts';
import type { Bounds, Vec3 } from './vec.ts';
import type { BoxWorld, CapsuleWorld, RayWorld, SphereWorld } from './worlds.ts';

const f = Math.fround;

/** Contents that a body has unless told: that of players in Quake 3, of actors in UFO:AI. */
export const BODY_CONTENTS = 0x2000000;

/** Distance that tracers keep from bodies unless told: 1/8, as in Quake 3. */
const BODY_EPSILON = 0.125;

/** What a body can be. */
export type BodyShape = Extract<Shape, { readonly kind: 'box' | 'sphere' | 'capsule' }>;

/** What tracers against a body can be told. */
export interface BodyTraceOptions {
  /** Contents that stop the trace, any unless told. */
  readonly mask?: number | undefined;
  /** Distance to keep from the body in Quake units, 0 or more; 1/8 unless told. */
  readonly epsilon?: number | undefined;
}

/**
 * A box, sphere or upright capsule that belongs to no map: a player, a barrel, a bomb. Its tracers take `origin` and
 * never turn. Against boxes a box is clipped in float32 by its six planes, as Quake 3 clips box entities; every other
 * pair is truly round, in double precision, where the engines take boxes for all.
 */
export interface Body
  extends RayWorld<BodyTraceOptions>,
    SphereWorld<BodyTraceOptions>,
    BoxWorld<BodyTraceOptions>,
    CapsuleWorld<BodyTraceOptions> {
  /** Around its origin, in Quake units. They follow `resize`. */
  readonly bounds: Bounds;
  /**
   * Changes its shape for all its tracers, without allocation. In a scene, move it then, so that its bounds are read.
   * @throws RangeError when a size is not finite, a radius negative, or `mins` above `maxs`.
   */
  resize(shape: BodyShape): void;
}

/**
 * Makes a body. Sizes in Quake units, around its origin; a capsule by the box around it, its radius half the width in x.
 * @param options - `contents` of the body, signed 32-bit: {@link BODY_CONTENTS} unless told.
 * @throws RangeError when a size is not finite, a radius negative, or `mins` above `maxs`.
 */
export function createBody(shape: BodyShape, options: { readonly contents?: number } = {}): Body {
  const { contents = BODY_CONTENTS } = options;
  checkMask(contents, 'contents');
  const solid = new Float32Array(SOLID_NUMBERS);
  const bounds: Bounds = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  const make = (moved: Shape, traceOptions?: BodyTraceOptions): BodyTracer =>
    new BodyTracer(solid, contents, moved, traceOptions);
  const body: Body = {
    bounds,
    ray: (o) => make({ kind: 'ray' }, o),
    sphere: (radius, o) => make({ kind: 'sphere', radius }, o),
    box: (mins, maxs, o) => make({ kind: 'box', mins, maxs }, o),
    capsule: (mins, maxs, o) => make({ kind: 'capsule', mins, maxs }, o),
    resize(changed) {
      writeSolid(changed, solid);
      for (let k = 0; k < 3; k++) {
        (bounds.mins as Float32Array)[k] = solid[k]! - solid[RADIUS]!;
        (bounds.maxs as Float32Array)[k] = solid[3 + k]! + solid[RADIUS]!;
      }
    },
  };
  body.resize(shape);
  return body;
}

/** A shape as a box (mins, maxs) and what it is rounded by. */
const RADIUS = 6;
const SOLID_NUMBERS = 7;

function writeSolid(shape: Shape, solid: Float32Array): void {
  if (shape.kind === 'box' || shape.kind === 'capsule') {
    const { mins, maxs } = shape;
    checkBounds(mins, maxs);
    solid[RADIUS] = 0;
    for (let k = 0; k < 3; k++) {
      solid[k] = mins[k]!;
      solid[3 + k] = maxs[k]!;
    }
    if (shape.kind === 'box') return;
    // As the engine has it: the width in y is not looked at, and a capsule wider than high is a sphere.
    const height = (maxs[2]! - mins[2]!) / 2;
    const radius = f(Math.min((maxs[0]! - mins[0]!) / 2, height));
    solid[RADIUS] = radius;
    for (let k = 0; k < 3; k++) {
      const middle = (mins[k]! + maxs[k]!) / 2;
      const half = k === 2 ? height - radius : 0;
      solid[k] = middle - half;
      solid[3 + k] = middle + half;
    }
  } else {
    const radius = shape.kind === 'sphere' ? shape.radius : 0;
    checkRadius(radius);
    solid.fill(0);
    solid[RADIUS] = radius;
  }
}

/** A shape against a body: a point against the sum of both shapes. */
class BodyTracer implements Tracer, Posable {
  readonly shape: Shape;
  private readonly _body: Float32Array;
  private readonly _mover: Float32Array = new Float32Array(SOLID_NUMBERS);
  private readonly _origin: Float32Array = new Float32Array(3);
  private readonly _sweep: Sweep = createSweep();
  private readonly _contents: number;
  private _mask = -1;

  constructor(body: Float32Array, contents: number, shape: Shape, options: BodyTraceOptions = {}) {
    this._body = body;
    this._contents = contents;
    this.shape = ownShape(shape);
    const { mask = -1, epsilon = BODY_EPSILON } = options;
    this.set({ mask, epsilon });
  }

  /** Changes filter, size or place in place, without allocation. */
  set({ mask, epsilon, origin, radius, mins, maxs }: BodyTraceOptions & TracerChanges & Pose): this {
    if (mask !== undefined) checkMask(mask, 'mask');
    if (epsilon !== undefined) checkRadius(epsilon, 'epsilon');
    if (origin) checkPoint(origin, 'origin');
    resizeShape(this.shape, radius, mins, maxs);
    writeSolid(this.shape, this._mover);
    if (mask !== undefined) this._mask = mask;
    if (epsilon !== undefined) this._sweep[W_EPSILON] = f(epsilon);
    for (let k = 0; k < 3; k++) if (origin) this._origin[k] = origin[k]!;
    return this;
  }

  trace(start: Vec3, end: Vec3, out: Trace = createTrace()): Trace {
    checkMove(start, end);
    resetTrace(out);
    const outcome = this._run(start, end);
    const sweep = this._sweep;
    out.startSolid = outcome > HITS;
    out.allSolid = outcome === STAYS_IN;
    if (outcome === HITS || outcome === STAYS_IN) {
      out.fraction = outcome === HITS ? sweep[W_FRACTION]! : 0;
      out.contents = this._contents;
    }
    if (outcome === HITS) this._describe(out);
    for (let k = 0; k < 3; k++) {
      const from = f(start[k]!);
      const to = f(end[k]!);
      out.endPos[k] = out.fraction === 1 ? to : from + f(out.fraction * f(to - from));
    }
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    checkMove(start, end);
    return this._run(start, end) !== MISSES;
  }

  traceBatch(segments: Float32Array, out?: TraceBatch): TraceBatch {
    return traceEach(this, segments, out);
  }

  private _run(start: Vec3, end: Vec3): number {
    if ((this._mask & this._contents) === 0) return MISSES;
    const { _sweep: sweep, _body: body, _mover: mover } = this;
    for (let k = 0; k < 3; k++) {
      sweep[W_START + k] = f(f(start[k]!) - this._origin[k]!);
      sweep[W_END + k] = f(f(end[k]!) - this._origin[k]!);
      sweep[W_MINS + k] = f(body[k]! - mover[3 + k]!);
      sweep[W_MAXS + k] = f(body[3 + k]! - mover[k]!);
    }
    sweep[W_RADIUS] = body[RADIUS]! + mover[RADIUS]!;
    return sweepPoint(sweep);
  }

  /** The plane that touches the body where it was hit. */
  private _describe(out: Trace): void {
    const { _sweep: sweep, _body: body } = this;
    let dist = body[RADIUS]! + 0;
    for (let k = 0; k < 3; k++) {
      const normal = f(sweep[W_NORMAL + k]!);
      out.normal[k] = normal;
      dist += Math.max(normal * body[k]!, normal * body[3 + k]!);
    }
    out.dist = f(dist);
  }
}
