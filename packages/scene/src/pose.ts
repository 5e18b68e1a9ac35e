import { createTraceBatch } from './batch.ts';
import { checkMove, checkPoint } from './check.ts';
import type { TracerChanges } from './scene-shape.ts';
import { createTrace, type Trace } from './trace.ts';
import { checkSegments, type Tracer, traceEach } from './tracer.ts';
import type { Vec3 } from './vec.ts';

const f = Math.fround;

/** Where a thing stands: what is left out of a change stays as it is. */
export interface Pose {
  /** In Quake units. */
  readonly origin?: Vec3 | undefined;
  /** Pitch, yaw and roll in degrees. */
  readonly angles?: Vec3 | undefined;
}

/**
 * What can be placed: the tracers of models, which take other changes too, or a model itself. `set` copies what it is
 * given, and allocates nothing.
 */
export interface Posable {
  set(changes: Pose & TracerChanges): unknown;
}

/** Whether a thing has a `set`, which is taken to know poses. */
export const isPosable = (thing: object): thing is Posable =>
  typeof (thing as Partial<Posable>).set === 'function';

/**
 * Gives any tracer a pose: of another map's world, of a tile, of a mesh. It is told a move in its own frame, float32 as
 * the engines do it. As there, a box or capsule is not turned into that frame: against what is turned, its sides follow
 * the turn. Other changes are handed on to the tracer; `set` throws `TypeError` where that takes none.
 *
 * @param create - makes the tracer's own kind of trace, where that has more fields than `Trace`.
 */
export function withPose<T extends Trace = Trace>(
  tracer: Tracer<T>,
  create: () => T = createTrace as () => T,
): Tracer<T> & Posable {
  const pose = new Float32Array(12);
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  const scratch = create();
  let turned = false;
  /** Changes without the pose, which is not for the tracer itself. */
  const told: { -readonly [name in keyof TracerChanges]: TracerChanges[name] } = {};
  const enter = (from: Vec3, to: Vec3): void => {
    checkMove(from, to);
    for (let k = 0; k < 3; k++) {
      start[k] = f(from[k]!) - pose[k]!;
      end[k] = f(to[k]!) - pose[k]!;
    }
    if (!turned) return;
    turnIn(pose, start);
    turnIn(pose, end);
  };
  const placed: Tracer<T> & Posable = {
    shape: tracer.shape,
    set(changes) {
      const { origin, angles, mask, radius, mins, maxs } = changes;
      if (origin) checkPoint(origin, 'origin');
      if (angles) checkPoint(angles, 'angles');
      if (mask !== undefined || radius !== undefined || mins || maxs) {
        if (!isPosable(tracer)) throw new TypeError('this tracer cannot change its size or mask');
        told.mask = mask;
        told.radius = radius;
        told.mins = mins;
        told.maxs = maxs;
        tracer.set(told);
      }
      for (let k = 0; k < 3; k++) if (origin) pose[k] = origin[k]!;
      if (angles) turned = setRows(pose, angles);
      return placed;
    },
    trace(from, to, out = create()) {
      enter(from, to);
      tracer.trace(start, end, out);
      if (turned) turnOut(pose, out.normal);
      const { endPos, fraction } = out;
      for (let k = 0; k < 3; k++) {
        const at = f(from[k]!);
        endPos[k] = fraction === 1 ? to[k]! : at + f(fraction * f(f(to[k]!) - at));
      }
      return out;
    },
    blocked(from, to) {
      enter(from, to);
      return tracer.blocked(start, end);
    },
    traceBatch: (segments, out = createTraceBatch(checkSegments(segments))) =>
      traceEach(placed, segments, out, scratch),
  };
  return placed;
}

/** Writes the rows of the rotation, forward, left and up, from place 3 on. Whether there is any. */
function setRows(pose: Float32Array, angles: Vec3): boolean {
  const radians = Math.PI / 180;
  const sp = Math.sin(f(angles[0]!) * radians);
  const cp = Math.cos(f(angles[0]!) * radians);
  const sy = Math.sin(f(angles[1]!) * radians);
  const cy = Math.cos(f(angles[1]!) * radians);
  const sr = Math.sin(f(angles[2]!) * radians);
  const cr = Math.cos(f(angles[2]!) * radians);
  pose[3] = cp * cy;
  pose[4] = cp * sy;
  pose[5] = -sp;
  pose[6] = sr * sp * cy - cr * sy;
  pose[7] = sr * sp * sy + cr * cy;
  pose[8] = sr * cp;
  pose[9] = cr * sp * cy + sr * sy;
  pose[10] = cr * sp * sy - sr * cy;
  pose[11] = cr * cp;
  return f(angles[0]!) !== 0 || f(angles[1]!) !== 0 || f(angles[2]!) !== 0;
}

/** Turns a place of the world, relative to the thing's origin, into its frame. */
function turnIn(pose: Float32Array, point: Float32Array): void {
  const x = point[0]!;
  const y = point[1]!;
  const z = point[2]!;
  for (let k = 0; k < 3; k++) {
    const row = 3 + 3 * k;
    point[k] = f(f(pose[row]! * x) + f(pose[row + 1]! * y)) + f(pose[row + 2]! * z);
  }
}

/** Turns a direction of the thing's frame back into the world. */
function turnOut(pose: Float32Array, normal: Float32Array): void {
  const x = normal[0]!;
  const y = normal[1]!;
  const z = normal[2]!;
  for (let k = 0; k < 3; k++) {
    normal[k] = f(f(pose[3 + k]! * x) + f(pose[6 + k]! * y)) + f(pose[9 + k]! * z);
  }
}
