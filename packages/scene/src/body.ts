import {
  type Bounds,
  type BoxWorld,
  blockedEach,
  type CapsuleSize,
  type CapsuleWorld,
  type Changeable,
  createTrace,
  type Placeable,
  type Pose,
  type RayWorld,
  resetTrace,
  type Shape,
  type SphereWorld,
  type Trace,
  type TraceBatch,
  type Tracer,
  type TracerChanges,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  type CapsuleArguments,
  capsuleOf,
  checkBounds,
  checkChoice,
  checkMask,
  checkObject,
  checkOptions,
  checkPose,
  checkRadius,
  failArgument,
  MOVE_END,
  MOVE_START,
  POSE_ORIGIN,
  printAsString,
  showShape,
  takeFloats,
  takePose,
} from '@bspkit/core/format';
import { readCorners } from './area.ts';
import { checkSizes, ownShape, resizeShape } from './collider.ts';
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
  W_FROM,
  W_MAXS,
  W_MINS,
  W_NORMAL,
  W_RADIUS,
  W_START,
  W_TO,
} from './sweep.ts';

const f = Math.fround;

/** Contents that a body has by default: those of players and other living bodies, in engines that have such contents. */
export const BODY_CONTENTS = 0x2000000;

/** Distance that tracers keep from bodies by default, as engines do from the boxes of entities. */
const BODY_EPSILON = 0.125;

/** The shapes that a body can have. */
export type BodyShape = Extract<Shape, { readonly kind: 'box' | 'sphere' | 'capsule' }>;

/** Options of tracers against a body. */
export interface BodyTraceOptions {
  /** Contents that stop the trace; any by default. */
  readonly mask?: number | undefined;
  /** Distance to keep from the body in Quake units, 0 or more; 1/8 by default. */
  readonly epsilon?: number | undefined;
}

const TRACE_OPTIONS: readonly string[] = ['mask', 'epsilon'] satisfies (keyof BodyTraceOptions)[];
const SETTINGS: readonly string[] = [...TRACE_OPTIONS, 'radius', 'mins', 'maxs'];

/** A tracer against a body. Outside a scene, `place` moves the body for this tracer; a body never turns. */
export interface BodyTracer extends Tracer, Placeable, Changeable {
  /**
   * Changes filter or size, all or nothing, without allocation.
   * @throws RangeError naming the argument that is out of range; TypeError for one that this tracer does not have.
   */
  set(settings: BodyTraceOptions & TracerChanges): this;
}

/**
 * A box, sphere or upright capsule that is not part of a map: a player, a barrel, a bomb. A box against a box is clipped in
 * float32 by the six planes, as an engine clips box entities. For every other pair, where engines use boxes, the round shapes are
 * traced as truly round, in double precision: they stop `epsilon` before what they would come close to if they went on, and may
 * pass the rest at an eighth of that.
 */
export interface Body
  extends RayWorld<BodyTraceOptions>,
    SphereWorld<BodyTraceOptions>,
    BoxWorld<BodyTraceOptions>,
    CapsuleWorld<BodyTraceOptions> {
  /** Bounds around its origin, in Quake units. They follow `resize`. */
  readonly bounds: Bounds;
  /** Names of the options that its tracers take, and that scenes pass on. */
  readonly traceOptions: readonly string[];
  ray(options?: BodyTraceOptions): BodyTracer;
  /** @param radius - in Quake units, 0 or more; otherwise `RangeError`. */
  sphere(radius: number, options?: BodyTraceOptions): BodyTracer;
  /** Corners in Quake units relative to the traced point; `RangeError` when `mins` is above `maxs`. */
  box(mins: Vec3, maxs: Vec3, options?: BodyTraceOptions): BodyTracer;
  /** By the box around the capsule: corners in Quake units, relative to the traced point. */
  capsule(mins: Vec3, maxs: Vec3, options?: BodyTraceOptions): BodyTracer;
  /** By its size, centred on the traced point. */
  capsule(size: CapsuleSize, options?: BodyTraceOptions): BodyTracer;
  /**
   * Changes its shape for all its tracers, without allocation. In a scene, move it afterwards, so that its bounds are
   * read again.
   * @throws RangeError when a size is not finite, a radius negative, `mins` above `maxs`, or for any other kind of
   *   shape. Nothing changes when it throws.
   */
  resize(shape: BodyShape): void;
  /** @internal Its shape as a box that is rounded: mins, maxs, radius. */
  readonly _solid: Float32Array;
}

/**
 * Makes a body. Sizes in Quake units, around its origin; a capsule by the box around it, its radius half the width in x.
 * @param options - `contents` of the body, signed 32-bit: {@link BODY_CONTENTS} by default.
 * @throws RangeError when a size is not finite, a radius negative, `mins` above `maxs`, or for any other kind of shape.
 */
export function createBody(shape: BodyShape, options: { readonly contents?: number | undefined } = {}): Body {
  checkOptions(options, ['contents']);
  const { contents = BODY_CONTENTS } = options;
  checkMask(contents, 'contents');
  const solid = new Float32Array(SOLID_NUMBERS);
  const bounds: Bounds = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  const make = (moved: Shape, traceOptions?: BodyTraceOptions): BodyTracer =>
    new RoundedTracer(solid, contents, moved, traceOptions);
  const body: Body = {
    bounds,
    traceOptions: TRACE_OPTIONS,
    _solid: solid,
    ray: (o) => make({ kind: 'ray' }, o),
    sphere: (radius, o) => make({ kind: 'sphere', radius }, o),
    box: (mins, maxs, o) => make({ kind: 'box', mins, maxs }, o),
    capsule: (...given: CapsuleArguments) => {
      const { mins, maxs, options: o } = capsuleOf<BodyTraceOptions>(given);
      return make({ kind: 'capsule', mins, maxs }, o);
    },
    resize(changed) {
      checkBodyShape(changed);
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

function checkBodyShape(shape: BodyShape): void {
  checkObject(shape, 'shape');
  checkChoice(shape.kind, 'shape.kind', BODY_SHAPES);
  if (shape.kind === 'sphere') checkRadius(shape.radius);
  else {
    // Worlds take capsules by radius and height too.
    if (shape.mins === undefined && shape.maxs === undefined) {
      failArgument(
        'shape',
        `a ${shape.kind} with mins and maxs, the corners of the box around it`,
        shape,
        false,
      );
    }
    checkBounds(shape.mins, shape.maxs);
  }
}

const BODY_SHAPES: readonly string[] = ['box', 'sphere', 'capsule'] satisfies BodyShape['kind'][];

/** A shape as a rounded box: mins, maxs, and here the radius. */
export const RADIUS = 6;
const SOLID_NUMBERS = 7;

/** The corners of the shape that is being written. */
const corners: Float64Array = /* @__PURE__ */ new Float64Array(6);

/** Writes a shape that has been checked. All of it is read before anything is written: there may be getters that throw. */
function writeSolid(shape: Shape, solid: Float32Array): void {
  if (shape.kind !== 'box' && shape.kind !== 'capsule') {
    const radius = shape.kind === 'sphere' ? shape.radius : 0;
    solid.fill(0);
    solid[RADIUS] = radius;
    return;
  }
  const isBox = shape.kind === 'box';
  readCorners(shape.mins, shape.maxs, corners);
  for (let k = 0; k < 6; k++) solid[k] = corners[k]!;
  solid[RADIUS] = 0;
  if (isBox) return;
  // As in the engine: the width in y is ignored, and a capsule wider than it is high is a sphere.
  const height = (corners[5]! - corners[2]!) / 2;
  const radius = f(Math.min((corners[3]! - corners[0]!) / 2, height));
  solid[RADIUS] = radius;
  for (let k = 0; k < 3; k++) {
    const middle = (corners[k]! + corners[3 + k]!) / 2;
    const half = k === 2 ? height - radius : 0;
    solid[k] = middle - half;
    solid[3 + k] = middle + half;
  }
}

/** Of the current trace, which is done before anything else runs. */
const sweep: Sweep = /* @__PURE__ */ createSweep();

/** A shape against a body: a point against the sum of both shapes. */
class RoundedTracer implements BodyTracer {
  readonly shape: Shape;
  private readonly _body: Float32Array;
  private readonly _mover: Float32Array = new Float32Array(SOLID_NUMBERS);
  private readonly _origin: Float32Array = new Float32Array(3);
  private readonly _contents: number;
  private _mask = -1;
  private _epsilon = BODY_EPSILON;

  constructor(body: Float32Array, contents: number, shape: Shape, options: BodyTraceOptions = {}) {
    this._body = body;
    this._contents = contents;
    if (shape.kind !== 'ray') checkBodyShape(shape as BodyShape);
    this.shape = ownShape(shape);
    checkOptions(options, TRACE_OPTIONS);
    const { mask = -1, epsilon = BODY_EPSILON } = options;
    this.set({ mask, epsilon });
    writeSolid(this.shape, this._mover);
    printAsString(this);
  }

  createTrace(): Trace {
    return createTrace();
  }

  set(settings: BodyTraceOptions & TracerChanges): this {
    checkOptions(settings, SETTINGS, 'settings');
    const { mask, epsilon, radius, mins, maxs } = settings;
    if (mask !== undefined) checkMask(mask, 'mask');
    if (epsilon !== undefined) checkRadius(epsilon, 'epsilon');
    checkSizes(this.shape.kind, this.shape, settings);
    if (radius !== undefined || mins !== undefined || maxs !== undefined) {
      // Reads the settings again, which may have getters: so it comes before all other changes.
      resizeShape(this.shape, settings);
      writeSolid(this.shape, this._mover);
    }
    if (mask !== undefined) this._mask = mask;
    if (epsilon !== undefined) this._epsilon = f(epsilon);
    return this;
  }

  place(pose: Pose): this {
    checkPose(pose);
    takePose(pose.origin ?? this._origin);
    this._origin.set(POSE_ORIGIN);
    return this;
  }

  trace(start: Vec3, end: Vec3, out: Trace = createTrace()): Trace {
    const outcome = this._run(start, end);
    resetTrace(out);
    out.startSolid = outcome > HITS;
    out.allSolid = outcome === STAYS_IN;
    if (outcome === HITS || outcome === STAYS_IN) {
      out.fraction = outcome === HITS ? sweep[W_FRACTION]! : 0;
      out.contents = this._contents;
    }
    if (outcome === HITS) this._describe(out);
    for (let k = 0; k < 3; k++) {
      const from = sweep[W_FROM + k]!;
      const to = sweep[W_TO + k]!;
      out.endPos[k] = out.fraction === 1 ? to : from + f(out.fraction * f(to - from));
    }
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    return this._run(start, end) !== MISSES;
  }

  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    return traceEach(this, segments, out);
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    return blockedEach(this, segments, out);
  }

  toString(): string {
    return `BodyTracer { ${showShape(this.shape)} }`;
  }

  private _run(start: Vec3, end: Vec3): number {
    takeFloats(start, end);
    const { _body: body, _mover: mover, _origin: origin } = this;
    for (let k = 0; k < 3; k++) {
      const from = MOVE_START[k]!;
      const to = MOVE_END[k]!;
      // Kept, because the ends may lie in the answer that is about to be overwritten.
      sweep[W_FROM + k] = from;
      sweep[W_TO + k] = to;
      sweep[W_START + k] = f(from - origin[k]!);
      sweep[W_END + k] = f(to - origin[k]!);
      sweep[W_MINS + k] = f(body[k]! - mover[3 + k]!);
      sweep[W_MAXS + k] = f(body[3 + k]! - mover[k]!);
    }
    if ((this._mask & this._contents) === 0) return MISSES;
    sweep[W_RADIUS] = body[RADIUS]! + mover[RADIUS]!;
    sweep[W_EPSILON] = this._epsilon;
    return sweepPoint(sweep);
  }

  /** The plane that touches the body where it was hit. */
  private _describe(out: Trace): void {
    const { _body: body } = this;
    // A sum that V8 has seen start as a double stays in a register; started with the whole number 0, it may be boxed.
    let dist = body[RADIUS]! + 0;
    for (let k = 0; k < 3; k++) {
      const normal = f(sweep[W_NORMAL + k]!);
      out.normal[k] = normal;
      dist += Math.max(normal * body[k]!, normal * body[3 + k]!);
    }
    out.dist = f(dist);
  }
}
