import { checkMove } from '../check.ts';
import type { Vec3 } from '../vec.ts';

/** Where {@link takeFloats} puts the ends of a move. */
export const MOVE_START: Float32Array = /* @__PURE__ */ new Float32Array(3);
export const MOVE_END: Float32Array = /* @__PURE__ */ new Float32Array(3);

/**
 * Copies the ends of a move, unless both are arrays of floats, into {@link MOVE_START} and {@link MOVE_END}, so that tracers only
 * ever read such arrays. V8 compiles tracers for every kind of array that they have read: once a plain array had been among them,
 * short traces took one and a half times as long for everyone.
 *
 * @throws as `checkMove`.
 */
export function takeFloats(start: Vec3, end: Vec3): void {
  if (!(start && end)) checkMove(start, end);
  // All six are read, once, before the first is written: reading them may run a getter that traces.
  const ax = start[0];
  const ay = start[1];
  const az = start[2];
  const bx = end[0];
  const by = end[1];
  const bz = end[2];
  if (typeof ax !== 'number' || typeof ay !== 'number' || typeof az !== 'number') checkMove(start, end);
  if (typeof bx !== 'number' || typeof by !== 'number' || typeof bz !== 'number') checkMove(start, end);
  MOVE_START[0] = ax!;
  MOVE_START[1] = ay!;
  MOVE_START[2] = az!;
  MOVE_END[0] = bx!;
  MOVE_END[1] = by!;
  MOVE_END[2] = bz!;
  const sum = MOVE_START[0] + MOVE_START[1] + MOVE_START[2] + MOVE_END[0] + MOVE_END[1] + MOVE_END[2];
  // x - x is 0 only for finite numbers; which one is wrong is looked up only when one is.
  if (sum - sum !== 0) checkMove(start, end);
}

/** Where {@link takePose} puts where something is and how it is turned. */
export const POSE_ORIGIN: Float32Array = /* @__PURE__ */ new Float32Array(3);
export const POSE_ANGLES: Float32Array = /* @__PURE__ */ new Float32Array(3);

const NOWHERE: Vec3 = [0, 0, 0];

/** Copies a pose that has been checked into {@link POSE_ORIGIN} and {@link POSE_ANGLES}; zeros for what is left out. */
export function takePose(origin: Vec3 = NOWHERE, angles: Vec3 = NOWHERE): void {
  // All six are read before the first is written: reading them may run a getter that asks, or places something.
  const x = origin[0]!;
  const y = origin[1]!;
  const z = origin[2]!;
  const pitch = angles[0]!;
  const yaw = angles[1]!;
  const roll = angles[2]!;
  POSE_ORIGIN[0] = x;
  POSE_ORIGIN[1] = y;
  POSE_ORIGIN[2] = z;
  POSE_ANGLES[0] = pitch;
  POSE_ANGLES[1] = yaw;
  POSE_ANGLES[2] = roll;
}

/** Where {@link takePlace} puts a point. */
export const PLACE_POINT: Float32Array = /* @__PURE__ */ new Float32Array(3);

/**
 * Copies a point and a pose, which have been checked, into {@link PLACE_POINT} and where {@link takePose} puts poses. All is read
 * before anything is written.
 */
export function takePlace(point: Vec3, origin: Vec3 | undefined, angles: Vec3 | undefined): void {
  const x = point[0]!;
  const y = point[1]!;
  const z = point[2]!;
  takePose(origin, angles);
  PLACE_POINT[0] = x;
  PLACE_POINT[1] = y;
  PLACE_POINT[2] = z;
}
