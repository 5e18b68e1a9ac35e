import {
  type Bounds,
  blockedEach,
  type Placeable,
  type Pose,
  type Shape,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  checkMask,
  checkOptions,
  checkPose,
  checkRadius,
  checkTrace,
  MOVE_END,
  MOVE_START,
  POSE_ORIGIN,
  printAsString,
  showShape,
  takeFloats,
  takePose,
} from '@bspkit/core/format';
import {
  createPair,
  type EllipsoidPair,
  PAIR_NORMAL,
  PAIR_OVERLAP,
  PAIR_TIME,
  sweepPair,
} from './ellipsoids.ts';
import { checkRadii } from './radii.ts';
import {
  createEllipsoidTrace,
  type EllipsoidTrace,
  isOverlap,
  LAST_FRACTION,
  resetEllipsoidTrace,
} from './tracer.ts';

const f = Math.fround;

/** Contents that a body has by default: those of players and other living bodies, in engines that have such contents. */
const BODY_CONTENTS = 0x2000000;

/** Options of tracers against an ellipsoid that does not move. */
export interface EllipsoidBodyOptions {
  /** Contents that stop the trace; any by default. */
  readonly mask?: number | undefined;
  /** Distance to keep along the normal, in Quake units, 0 or more; 0 by default. */
  readonly epsilon?: number | undefined;
}

const OPTIONS: readonly string[] = ['mask', 'epsilon'] satisfies (keyof EllipsoidBodyOptions)[];

/** An ellipsoid that is not part of a map: a player, a barrel. Scenes take it as a body. */
export interface EllipsoidBody {
  /** Along x, y and z, in Quake units. */
  readonly radii: Vec3;
  /** Around its origin, in Quake units. */
  readonly bounds: Bounds;
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[];
  /**
   * A tracer of an ellipsoid against it.
   *
   * @param radii - of the one that moves, along x, y and z, in Quake units: 0.001 to 1,000,000 each; otherwise
   *   `RangeError`.
   */
  ellipsoid(radii: Vec3, options?: EllipsoidBodyOptions): EllipsoidBodyTracer;
  /**
   * {@link EllipsoidBody.ellipsoid} for a ball.
   *
   * @param radius - in Quake units, 0.001 to 1,000,000; otherwise `RangeError`.
   */
  sphere(radius: number, options?: EllipsoidBodyOptions): EllipsoidBodyTracer;
}

/**
 * Makes an ellipsoid that others collide with, exactly.
 *
 * @param radii - along x, y and z, in Quake units, around its origin: 0.001 to 1,000,000 each.
 * @param options - `contents` of the body, signed 32-bit; those of players by default.
 * @throws RangeError for radii out of range, or `contents` that are not 32 bits; TypeError for radii that are not three
 *   numbers, and for an unknown option.
 */
export function createEllipsoidBody(
  radii: Vec3,
  options: { readonly contents?: number | undefined } = {},
): EllipsoidBody {
  checkRadii(radii);
  checkOptions(options, ['contents']);
  const { contents = BODY_CONTENTS } = options;
  checkMask(contents, 'contents');
  const size = Float32Array.from([radii[0]!, radii[1]!, radii[2]!]);
  return {
    radii: size,
    bounds: { mins: size.map((r) => -r), maxs: size.slice() },
    traceOptions: OPTIONS,
    ellipsoid: (moved, o) => new EllipsoidBodyTracer(size, contents, moved, o),
    sphere: (radius, o) => new EllipsoidBodyTracer(size, contents, [radius, radius, radius], o, true),
  };
}

/**
 * Sweeps an ellipsoid against one that does not move: exact to 1e-9 of the move. That one can be placed, but does not turn.
 *
 * An overlap at the start sets `startSolid` if it is deeper than rounding can explain: a thousandth of a unit, and what float32
 * loses there. Its depth is measured along one way out, which need not be the shortest: of two very flat or thin ellipsoids far
 * from the origin, one may count as in solid where it has just been stopped.
 */
export class EllipsoidBodyTracer implements Tracer<EllipsoidTrace>, Placeable {
  readonly shape: Shape;
  private readonly _other: Float32Array;
  private readonly _radii: Float32Array;
  private readonly _contents: number;
  private readonly _mask: number;
  private readonly _epsilon: number;
  private readonly _origin: Float32Array = new Float32Array(3);
  /** Both ends, then as seen from the body. */
  private readonly _place: Float64Array = new Float64Array(3);
  private readonly _goal: Float64Array = new Float64Array(3);
  private readonly _start: Float64Array = new Float64Array(3);
  private readonly _end: Float64Array = new Float64Array(3);
  private readonly _pair: EllipsoidPair = createPair();

  /** @internal */
  constructor(
    other: Float32Array,
    contents: number,
    radii: Vec3,
    options: EllipsoidBodyOptions = {},
    isSphere = false,
  ) {
    if (isSphere) checkRadius(radii[0]!);
    checkRadii(radii);
    checkOptions(options, OPTIONS);
    const { mask = -1, epsilon = 0 } = options;
    checkMask(mask, 'mask');
    checkRadius(epsilon, 'epsilon');
    this._other = other;
    this._contents = contents;
    this._mask = mask;
    this._epsilon = Math.fround(epsilon);
    this._radii = Float32Array.from([radii[0]!, radii[1]!, radii[2]!]);
    this.shape = isSphere
      ? { kind: 'sphere', radius: this._radii[0]! }
      : { kind: 'ellipsoid', radii: this._radii };
    printAsString(this);
  }

  createTrace(): EllipsoidTrace {
    return createEllipsoidTrace();
  }

  /** Moves the body to a copy of `origin`; angles are accepted but turn nothing. Throws `RangeError` when a number is not finite. */
  place(pose: Pose): this {
    checkPose(pose);
    takePose(pose.origin ?? this._origin);
    this._origin.set(POSE_ORIGIN);
    return this;
  }

  trace(start: Vec3, end: Vec3, out: EllipsoidTrace = createEllipsoidTrace()): EllipsoidTrace {
    checkTrace(out, 'out');
    const isHit = this._sweep(start, end);
    const { _place: place, _goal: goal, _start: from, _end: to, _origin: origin, _other: other } = this;
    const { answer } = this._pair;
    resetEllipsoidTrace(out);
    out.startSolid = this._overlaps();
    let time = 1.5 - 0.5;
    if (isHit) {
      const contact = answer[PAIR_TIME]!;
      let speed = 0.5 - 0.5;
      let square = 0.5 - 0.5;
      for (let k = 0; k < 3; k++) {
        const normal = answer[PAIR_NORMAL + k]!;
        speed -= normal * (to[k]! - from[k]!);
        const reach = normal * other[k]!;
        square += reach * reach;
      }
      time = Math.max(0, contact - this._epsilon / speed);
      out.fraction = Math.min(f(time), LAST_FRACTION);
      out.allSolid = out.startSolid && contact === 0;
      out.contents = this._contents;
      out.dist = f(Math.sqrt(square));
      for (let k = 0; k < 3; k++) {
        const normal = answer[PAIR_NORMAL + k]!;
        out.normal[k] = normal;
        if (out.point) out.point[k] = origin[k]! + (normal * other[k]! * other[k]!) / Math.sqrt(square);
      }
    }
    for (let k = 0; k < 3; k++) {
      out.endPos[k] = time === 1 ? goal[k]! : place[k]! + time * (to[k]! - from[k]!);
    }
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    return this._sweep(start, end) || this._overlaps();
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
    return `EllipsoidBodyTracer { ${showShape(this.shape)} }`;
  }

  private _sweep(start: Vec3, end: Vec3): boolean {
    takeFloats(start, end);
    const { _place: place, _goal: goal, _start: from, _end: to, _origin: origin } = this;
    for (let k = 0; k < 3; k++) {
      place[k] = MOVE_START[k]!;
      goal[k] = MOVE_END[k]!;
      from[k] = place[k]! - origin[k]!;
      to[k] = goal[k]! - origin[k]!;
    }
    this._pair.answer[PAIR_OVERLAP] = -1;
    if ((this._mask & this._contents) === 0) return false;
    return sweepPair(this._pair, this._radii, this._other, from, to);
  }

  private _overlaps(): boolean {
    return isOverlap(this._pair.answer, PAIR_OVERLAP, this._place, 0);
  }
}
