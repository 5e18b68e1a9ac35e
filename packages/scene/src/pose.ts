import {
  blockedEach,
  type Changeable,
  type Placeable,
  type Trace,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  checkFilled,
  checkPose,
  checkTrace,
  checkTracer,
  isArrayOf,
  MOVE_END,
  MOVE_START,
  POSE_ANGLES,
  POSE_ORIGIN,
  setRotation,
  takeFloats,
  takePose,
} from '@bspkit/core/format';
import { type BodyPose, GREATEST_FLOAT } from './bodies.ts';
import { isChangeable } from './collider.ts';

const f = Math.fround;

/** Places in a pose: the origin, then the rows of the rotation: forward, left and up. */
const ROWS = 3;
const POSE_NUMBERS = 12;

/** An answer that may say where it was touched, as those of ellipsoids do. */
interface WithPoint {
  readonly point?: Float32Array | undefined;
}

/**
 * Gives any tracer a pose: that of another map's world, a tile, a mesh. Moves are transformed into its frame, in float32 as the
 * engines do, and the normal and the `point` of ellipsoids back out of it. As in the engines, a box or capsule is not rotated into
 * that frame: against a rotated target, its sides follow the rotation. `set` is passed on to the tracer, and throws `TypeError` if
 * it has none. While it traces, the tracer in it can neither use nor place it.
 */
export function withPose<T extends Trace = Trace>(tracer: Tracer<T>): Tracer<T> & Placeable & Changeable {
  checkTracer(tracer, 'tracer');
  const pose = new Float32Array(POSE_NUMBERS);
  // Copies, because the ends may lie in the answer that is about to be overwritten.
  const from = new Float32Array(3);
  const to = new Float32Array(3);
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  const scratch = tracer.createTrace();
  const hasPoint = isArrayOf((scratch as WithPoint).point, Float32Array);
  let turned = false;
  let moved = false;
  let isTracing = false;
  const checkIdle = (): void => {
    if (isTracing)
      throw new Error('a tracer cannot use or place what withPose has made of it while that is tracing');
  };
  const enter = (given: Vec3, wanted: Vec3): void => {
    checkIdle();
    takeFloats(given, wanted);
    for (let k = 0; k < 3; k++) {
      from[k] = MOVE_START[k]!;
      to[k] = MOVE_END[k]!;
      start[k] = from[k]! - pose[k]!;
      end[k] = to[k]! - pose[k]!;
    }
    keepFinite(start);
    keepFinite(end);
    if (!turned) return;
    turnIn(pose, start);
    turnIn(pose, end);
  };
  const placed: Tracer<T> & Placeable & Changeable = {
    shape: tracer.shape,
    createTrace: () => tracer.createTrace(),
    place(where) {
      checkPose(where);
      checkIdle();
      const { origin, angles } = where;
      takePose(origin ?? pose, angles);
      for (let k = 0; k < 3; k++) pose[k] = POSE_ORIGIN[k]!;
      if (angles) turned = setRotation(pose, ROWS, POSE_ANGLES);
      moved = turned || pose[0] !== 0 || pose[1] !== 0 || pose[2] !== 0;
      return placed;
    },
    set(changes) {
      if (!isChangeable(tracer)) throw new TypeError('this tracer cannot change its size or mask');
      tracer.set(changes);
      return placed;
    },
    trace(given, wanted, out = tracer.createTrace()) {
      checkTrace(out, 'out');
      enter(given, wanted);
      isTracing = true;
      try {
        checkFilled(tracer.trace(start, end, out), out);
      } finally {
        isTracing = false;
      }
      // Where it was not moved, its own end stays: formats compute ends in ways of their own.
      if (!moved) return out;
      if (turned) turnOut(pose, out.normal);
      const { endPos, fraction } = out;
      for (let k = 0; k < 3; k++) {
        endPos[k] = fraction >= 1 ? to[k]! : from[k]! + f(fraction * f(to[k]! - from[k]!));
      }
      const { point } = out as WithPoint;
      // Where nothing was hit, it is no place.
      if (hasPoint && point && fraction < 1) {
        if (turned) turnOut(pose, point);
        for (let k = 0; k < 3; k++) point[k]! += pose[k]!;
      }
      return out;
    },
    blocked(given, wanted) {
      enter(given, wanted);
      isTracing = true;
      try {
        return tracer.blocked(start, end);
      } finally {
        isTracing = false;
      }
    },
    traceBatch<B extends TraceBatch<never> = TraceBatch>(segments: Float32Array, out?: B): B {
      return traceEach(placed, segments, out, scratch);
    },
    blockedBatch: (segments, out) => blockedEach(placed, segments, out),
  };
  return placed;
}

/** Used by one call at a time. */
const frame: Float32Array = /* @__PURE__ */ new Float32Array(POSE_NUMBERS);

/** Writes a point of the world, in the frame of something with a pose, into `out`, by the arithmetic of {@link withPose}. */
export function enterPose({ origin, angles }: BodyPose, point: Vec3, out: Float32Array): Float32Array {
  for (let k = 0; k < 3; k++) out[k] = f(point[k]!) - origin[k]!;
  keepFinite(out);
  if (setRotation(frame, ROWS, angles)) turnIn(frame, out);
  return out;
}

/** Turns a place of the world, relative to the origin of the pose, into its frame. */
function turnIn(pose: Float32Array, point: Float32Array): void {
  const x = point[0]!;
  const y = point[1]!;
  const z = point[2]!;
  for (let k = 0; k < 3; k++) {
    const row = ROWS + 3 * k;
    point[k] = f(f(pose[row]! * x) + f(pose[row + 1]! * y)) + f(pose[row + 2]! * z);
  }
  keepFinite(point);
}

/**
 * Keeps a place within the range of float32, as worlds take nothing else: in the frame of what stands far away, a place of the world
 * may be beyond it.
 */
function keepFinite(point: Float32Array): void {
  // In double precision, no sum of float32s overflows, and x - x is 0 for finite x alone.
  const sum = point[0]! + point[1]! + point[2]!;
  if (sum - sum === 0) return;
  for (let k = 0; k < 3; k++) point[k] = Math.max(-GREATEST_FLOAT, Math.min(GREATEST_FLOAT, point[k]!));
}

/** Turns a direction of that frame back into the world. */
export function turnOut(pose: Float32Array, normal: Float32Array): void {
  const x = normal[0]!;
  const y = normal[1]!;
  const z = normal[2]!;
  for (let k = 0; k < 3; k++) {
    const column = ROWS + k;
    normal[k] = f(f(pose[column]! * x) + f(pose[column + 3]! * y)) + f(pose[column + 6]! * z);
  }
}
