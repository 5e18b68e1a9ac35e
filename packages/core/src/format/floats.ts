import { checkMove } from '../check.ts';
import type { Vec3 } from '../vec.ts';

/** Where {@link takeFloats} puts the ends of a move. */
export const FROM: Float32Array = /* @__PURE__ */ new Float32Array(3);
export const TO: Float32Array = /* @__PURE__ */ new Float32Array(3);

/**
 * Copies the ends of a move that are not both arrays of floats into {@link FROM} and {@link TO}, so that tracers only ever
 * read such arrays. V8 compiles them for every kind of array that they have read: once a plain one had been among them,
 * player steps took 1.4 times as long for everyone.
 *
 * @throws TypeError or RangeError as `checkMove`, but for numbers that are not finite, which tracers notice.
 */
export function takeFloats(start: Vec3, end: Vec3): void {
  if (!(start && end)) checkMove(start, end);
  // All are read, once, before the first is written: reading may call what traces.
  const ax = start[0];
  const ay = start[1];
  const az = start[2];
  const bx = end[0];
  const by = end[1];
  const bz = end[2];
  if (typeof ax !== 'number' || typeof ay !== 'number' || typeof az !== 'number') checkMove(start, end);
  if (typeof bx !== 'number' || typeof by !== 'number' || typeof bz !== 'number') checkMove(start, end);
  FROM[0] = ax!;
  FROM[1] = ay!;
  FROM[2] = az!;
  TO[0] = bx!;
  TO[1] = by!;
  TO[2] = bz!;
}
