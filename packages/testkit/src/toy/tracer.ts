import {
  type BrushStep,
  blockedEach,
  type Changeable,
  createTrace,
  type Explanation,
  isBlocked,
  type Placeable,
  type Pose,
  resetTrace,
  type Shape,
  type Trace,
  type TraceBatch,
  type Tracer,
  type TracerChanges,
  type TraceStep,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  checkBounds,
  checkMask,
  checkMove,
  checkPose,
  POSE_ORIGIN,
  printAsString,
  showShape,
  takePose,
} from '@bspkit/core/format';
import { EPSILON, TOY_SOLID } from './constants.ts';
import { facePlane } from './faces.ts';
import type { BoxView, ToyOptions, ToyWorld } from './world.ts';

export function boxShape(mins: Vec3, maxs: Vec3): Shape {
  checkBounds(mins, maxs);
  return { kind: 'box', mins: Float32Array.from(mins), maxs: Float32Array.from(maxs) };
}

const POINT = new Float32Array(3);
const NO_BOX = { mins: POINT, maxs: POINT };

export class ToyTracer implements Tracer, Changeable {
  shape: Shape;
  readonly world: ToyWorld;
  readonly model: number;
  mask: number;
  readonly origin: Float32Array = new Float32Array(3);
  private readonly _scratch: Trace = createTrace();
  private readonly _boxes: readonly BoxView[];

  constructor(world: ToyWorld, model: number, shape: Shape, { mask = TOY_SOLID, ...pose }: ToyOptions) {
    checkMask(mask, 'mask');
    checkPose(pose);
    this.world = world;
    this.model = model;
    this.shape = shape;
    this.mask = mask;
    if (pose.origin) this.origin.set(Array.from(pose.origin).slice(0, 3));
    this._boxes = world.boxesOf(model);
    printAsString(this);
  }

  createTrace(): Trace {
    return createTrace();
  }

  set({ mask = this.mask, radius, mins, maxs }: TracerChanges): this {
    if (radius !== undefined) throw new TypeError('radius is for spheres');
    checkMask(mask, 'mask');
    if (mins !== undefined || maxs !== undefined) {
      if (this.shape.kind !== 'box') throw new TypeError('mins and maxs are for boxes');
      this.shape = boxShape(mins ?? this.shape.mins, maxs ?? this.shape.maxs);
    }
    this.mask = mask;
    return this;
  }

  trace(start: Vec3, end: Vec3, out: Trace = createTrace()): Trace {
    return this.walk(start, end, out);
  }

  blocked(start: Vec3, end: Vec3): boolean {
    return isBlocked(this.walk(start, end, this._scratch));
  }

  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    return traceEach(this, segments, out, this._scratch);
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    return blockedEach(this, segments, out);
  }

  /** The trace; `record` gets a step for every box. */
  walk(start: Vec3, end: Vec3, out: Trace, record?: (step: BrushStep) => void): Trace {
    checkMove(start, end);
    const [from, to] = [Float32Array.from(start), Float32Array.from(end)];
    resetTrace(out);
    for (const box of this._boxes) {
      if ((box.contents & this.mask) === 0) {
        const { number: brush, contents } = box;
        record?.({ kind: 'brush', brush, contents, outcome: 'masked', enter: -1, leave: 1, side: -1 });
        continue;
      }
      this._meet(box, from, to, out, record);
    }
    for (let k = 0; k < 3; k++) {
      out.endPos[k] = out.fraction === 1 ? to[k]! : from[k]! + out.fraction * (to[k]! - from[k]!);
    }
    return out;
  }

  /** Clips the move by one box, grown by the shape that is moved. */
  private _meet(box: BoxView, from: Vec3, to: Vec3, out: Trace, record?: (step: BrushStep) => void): void {
    const { mins, maxs } = this.shape.kind === 'box' ? this.shape : NO_BOX;
    let enter = -1;
    let leave = 1;
    let side = -1;
    let startsOut = false;
    let getsOut = false;
    let misses = false;
    for (let number = 0; number < 6; number++) {
      const k = number >> 1;
      const sign = number & 1 ? -1 : 1;
      const dist = sign > 0 ? box.maxs[k]! - mins[k]! : -(box.mins[k]! - maxs[k]!);
      const startDist = sign * (from[k]! - this.origin[k]!) - dist;
      const endDist = sign * (to[k]! - this.origin[k]!) - dist;
      if (startDist > 0) startsOut = true;
      if (endDist > 0) getsOut = true;
      if (startDist > 0 && (endDist >= EPSILON || endDist >= startDist)) {
        if (!record) return;
        misses = true;
      }
      if (startDist <= 0 && endDist <= 0) continue;
      if (startDist > endDist) {
        const fraction = Math.max(0, (startDist - EPSILON) / (startDist - endDist));
        if (fraction > enter) {
          enter = fraction;
          side = number;
        }
      } else leave = Math.min(leave, (startDist + EPSILON) / (startDist - endDist));
    }
    let outcome: BrushStep['outcome'];
    if (misses) outcome = 'missed';
    else if (!startsOut) {
      out.startSolid = true;
      outcome = getsOut ? 'startSolid' : 'allSolid';
      if (!getsOut) {
        out.allSolid = true;
        this._hit(box, -1, 0, out);
      }
    } else if (enter < 0 || enter >= leave) outcome = 'missed';
    else if (Math.fround(enter) >= out.fraction) outcome = 'farther';
    else {
      outcome = 'hit';
      this._hit(box, side, Math.fround(enter), out);
    }
    // A test makes millions of moves, and few of them are recorded.
    record?.({ kind: 'brush', brush: box.number, contents: box.contents, outcome, enter, leave, side });
  }

  private _hit(box: BoxView, side: number, fraction: number, out: Trace): void {
    out.fraction = fraction;
    out.contents = box.contents;
    out.surfaceFlags = box.flags;
    out.model = this.model;
    out.brush = box.number;
    out.texture = box.texture;
    out.side = side < 0 ? -1 : 6 * box.number + side;
    out.normal.fill(0);
    out.dist = 0;
    if (side < 0) return;
    const { normal, dist } = facePlane(box, side);
    out.normal.set(normal);
    out.dist = dist;
  }

  /** @internal */
  toString(): string {
    return `ToyTracer { ${showShape(this.shape)} }`;
  }
}

export class ToyPlacedTracer extends ToyTracer implements Placeable {
  /** Boxes stay upright: angles are checked and ignored. */
  place(pose: Pose): this {
    checkPose(pose);
    takePose(pose.origin ?? this.origin);
    this.origin.set(POSE_ORIGIN);
    return this;
  }
}

export function explain(tracer: Tracer, start: Vec3, end: Vec3): Explanation {
  if (!(tracer instanceof ToyTracer)) throw new TypeError('this is not a tracer of a toy world');
  const steps: TraceStep[] = [];
  const trace = tracer.walk(start, end, createTrace(), (step) => steps.push(step));
  return { trace, steps };
}
