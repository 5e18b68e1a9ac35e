import { bytesOf, isArrayOf } from './arrays.ts';
import { checkKind, checkObject, checkOptions, failArgument } from './kinds.ts';
import type { CapsuleSize } from './shape.ts';
import type { Trace } from './trace.ts';
import type { Bounds, Pose, Vec3 } from './vec.ts';

// All messages of the packages about arguments that they cannot use. Callers may be plain JavaScript, so types alone do not keep
// arguments in order. The wrong kind of thing is a `TypeError`, a number out of range a `RangeError`; both name the argument and
// say what it should be.

export {
  checkCallback,
  checkChoice,
  checkFlag,
  checkKind,
  checkList,
  checkObject,
  checkOptions,
  checkText,
  failArgument,
} from './kinds.ts';

/** Throws `TypeError` unless `tracer` is a tracer. */
export function checkTracer(tracer: object, name: string): void {
  const { trace, createTrace, ray } = (tracer ?? {}) as Record<string, unknown>;
  if (typeof trace !== 'function' || typeof createTrace !== 'function') {
    failArgument(name, `a tracer${ray ? ', such as its ray() makes' : ''}`, tracer, false);
  }
}

/**
 * Throws `TypeError` unless `trace` has float32 arrays for an end and a normal, as all answers have; returns it. Tracers only
 * call it when the answer is another object than last time, or its arrays are empty now, so it costs next to nothing in a loop.
 */
export function checkTrace<T extends Trace>(trace: T, name: string): T {
  if (!(isArrayOf(trace?.endPos, Float32Array, 3) && isArrayOf(trace.normal, Float32Array, 3))) {
    failArgument(name, 'a trace made by createTrace', trace, false);
  }
  return trace;
}

/**
 * Throws `TypeError` unless a tracer's `trace` returned the answer that it was given to fill. If it returned one of its own,
 * `out` would say that nothing was hit.
 */
export function checkFilled(answer: Trace, out: Trace): void {
  if (answer !== out)
    throw new TypeError('trace of a tracer must fill the answer given as out, and return it');
}

/**
 * Throws `TypeError` unless `point` holds three numbers, and `RangeError` unless these are finite as float32. `name` is
 * the argument's name.
 */
export function checkPoint(point: Vec3, name: string): void {
  if (!point) failPoint(point, name);
  const x = point[0];
  const y = point[1];
  const z = point[2];
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') failPoint(point, name);
  // The sum of three numbers of float32's size is finite if they are, and x - x is 0 only for finite x: cheaper than three calls
  // of Number.isFinite.
  const sum = Math.fround(x) + Math.fround(y) + Math.fround(z);
  if (sum - sum !== 0) failPoint(point, name);
}

function failPoint(point: Vec3, name: string): never {
  // Vectors of other libraries may be objects with x, y and z, and with a method `length`. Arrays may be empty, as what
  // `subarray` cuts out beyond the end is.
  if (!(typeof point === 'object' && point && (0 in point || point.length === 0)))
    failArgument(name, 'three numbers', point, false);
  for (let k = 0; ; k++) {
    const x: unknown = point[k];
    // A missing number is a `RangeError`; text or null among the numbers is a `TypeError`.
    if (typeof x !== 'number' || !Number.isFinite(Math.fround(x)))
      failArgument(`${name}[${k}]`, 'a finite float32', x, typeof x === 'number' || x === undefined);
  }
}

/** {@link checkPoint} for the two ends of a move, named `start` and `end`. */
export function checkMove(start: Vec3, end: Vec3): void {
  checkPoint(start, 'start');
  checkPoint(end, 'end');
}

/** Throws `RangeError` unless `radius` is finite as a float32 and not negative. */
export function checkRadius(radius: number, name = 'radius'): void {
  if (!(typeof radius === 'number' && radius >= 0 && Number.isFinite(Math.fround(radius)))) {
    failArgument(name, 'a finite float32, 0 or more', radius);
  }
}

/** Throws `RangeError` unless `value` is finite as a float32. */
export function checkFinite(value: number, name: string): void {
  if (typeof value !== 'number' || !Number.isFinite(Math.fround(value))) {
    failArgument(name, 'a finite float32', value);
  }
}

/** Throws `RangeError` unless both corners are finite and no component of `mins` is above that of `maxs`. */
export function checkBounds(mins: Vec3, maxs: Vec3): void {
  checkPoint(mins, 'mins');
  checkPoint(maxs, 'maxs');
  for (let k = 0; k < 3; k++) {
    if (mins[k]! > maxs[k]!) {
      throw new RangeError(`mins[${k}] must not be above maxs[${k}], got ${mins[k]} and ${maxs[k]}`);
    }
  }
}

/** Throws `RangeError` unless `value` is a whole number in `0 .. count - 1`. */
export function checkNumber(value: number, name: string, count: number): void {
  if (!Number.isInteger(value) || value < 0 || value >= count) {
    failArgument(
      name,
      count > 1 ? `a whole number in 0..${count - 1}` : count > 0 ? '0' : 'left out: there are none',
      value,
    );
  }
}

/** Throws `RangeError` unless `number` is that of one of a world's `count` inline models, which are numbered from 1. */
export function checkModelNumber(number: number, count: number): void {
  if (number === 0) throw new RangeError('number must be 1 or more: 0 is the world');
  if (count === 0) throw new RangeError('the map has no inline models');
  checkWhole(number, 'number', 1, count);
}

/** Throws `RangeError` unless `value` is a whole number in `least .. most`. */
export function checkWhole(value: number, name: string, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  failArgument(name, wholeIn(least, most), value);
}

/** What must be a whole number in `least .. most`, in words. */
export function wholeIn(least: number, most: number): string {
  return least < most ? `a whole number from ${least} to ${most}` : `${least}`;
}

/** Throws `RangeError` unless `value` is a whole number, `least` or more. */
export function checkWholeFrom(value: number, name: string, least: number): void {
  if (!Number.isInteger(value) || value < least)
    failArgument(name, `a whole number, ${least} or more`, value);
}

/** Throws `RangeError` unless `value` is a whole number of 32 bits, signed or not: contents, masks, flags. */
export function checkMask(value: number, name: string): void {
  if (!Number.isInteger(value) || value < -0x80000000 || value > 0xffffffff) {
    failArgument(name, 'a whole number of 32 bits', value);
  }
}

/** Copies a box after {@link checkBounds}. `to` holds typed arrays of its own. */
export function copyBounds(mins: Vec3, maxs: Vec3, to: Bounds): void {
  checkBounds(mins, maxs);
  setBounds(mins, maxs, to.mins as Float32Array, to.maxs as Float32Array);
}

/**
 * Copies the corners of a box that has been checked. All six numbers are read before the first is written: a getter among them may
 * throw, and either corner may be one of those that are written.
 */
export function setBounds(mins: Vec3, maxs: Vec3, toMins: Float32Array, toMaxs: Float32Array): void {
  const ax = mins[0]!;
  const ay = mins[1]!;
  const az = mins[2]!;
  const bx = maxs[0]!;
  const by = maxs[1]!;
  const bz = maxs[2]!;
  toMins[0] = ax;
  toMins[1] = ay;
  toMins[2] = az;
  toMaxs[0] = bx;
  toMaxs[1] = by;
  toMaxs[2] = bz;
}

/** The options that make up a pose. */
export const POSE_OPTIONS: readonly string[] = ['origin', 'angles'] satisfies (keyof Pose)[];

/** {@link checkOptions} and {@link checkPoint} for a pose. */
export function checkPose(pose: Pose): void {
  checkOptions(pose, POSE_OPTIONS, 'pose');
  checkPlace(pose);
}

/** {@link checkPoint} for the pose among other options. */
export function checkPlace({ origin, angles }: Pose): void {
  if (origin !== undefined) checkPoint(origin, 'origin');
  if (angles !== undefined) checkPoint(angles, 'angles');
}

/**
 * The box around a capsule of some size, centred on the traced point.
 * Throws `RangeError` unless the radius is 0 or more and the height twice that or more.
 */
export function capsuleBounds(size: CapsuleSize): { mins: number[]; maxs: number[] } {
  checkObject(size, 'size');
  const { radius, height } = size;
  checkRadius(radius);
  if (!(typeof height === 'number' && height >= 2 * radius && Number.isFinite(Math.fround(height)))) {
    failArgument('height', 'twice the radius or more', height);
  }
  const maxs = [radius, radius, height / 2];
  return { mins: maxs.map((x) => -x), maxs };
}

/** What a capsule's factory is called with: two corners or a size, then options. */
export type CapsuleArguments = readonly [first: Vec3 | CapsuleSize, second?: unknown, third?: unknown];

/** The corners and options of a capsule, however it was asked for. */
export function capsuleOf<O>([first, second, third]: CapsuleArguments): Bounds & { options: O | undefined } {
  if (typeof first !== 'object' || first === null) {
    failArgument('mins', 'three numbers or a size', first, false);
  }
  if ('radius' in first) {
    checkOptions(first, ['radius', 'height'], 'size');
    return { ...capsuleBounds(first), options: second as O | undefined };
  }
  checkBounds(first, second as Vec3);
  return { mins: first, maxs: second as Vec3, options: third as O | undefined };
}

/** Throws `TypeError` unless `file` is what a format's reader returned. `reader` is the reader's name. */
export function checkFormatOf(
  file: { readonly format: string },
  format: string,
  reader: string,
  isWhole = true,
): void {
  // Worlds have `entities` too, but as a function.
  const { format: given, entities } = (file ?? {}) as { format?: unknown; entities?: unknown };
  const isFile = given === format && typeof entities === 'string';
  checkKind(isFile && isWhole, file, 'file', `a map that ${reader} has read`);
}

/**
 * The same for files with tables (planes and others); also throws `RangeError` where a table was changed afterwards, so that its
 * arrays no longer agree on the number of records, and `TypeError` where the bytes that it was read from were transferred: lumps
 * are views of them, and a map without its light or textures would look like one that has none.
 */
export function checkFileOf(
  file: {
    readonly format: string;
    readonly lumps?: { readonly entities?: Uint8Array | undefined } | undefined;
  },
  format: string,
  reader: string,
): void {
  const { planes, lumps } = (file ?? {}) as typeof file & { readonly planes?: unknown };
  // Files put together without a reader need no lumps. JSON makes plain objects of arrays.
  const lump = lumps?.entities;
  const isWhole = typeof planes === 'object' && (!lump || ArrayBuffer.isView(lump));
  checkFormatOf(file, format, reader, isWhole);
  if (lump) bytesOf(lump.buffer, "the file's bytes");
  for (const [name, table] of Object.entries<{ readonly count?: number } | undefined>(
    file as object as never,
  )) {
    const count = table?.count;
    if (count === undefined) continue;
    // Each has as many numbers for every record.
    const fits = (array: unknown): boolean => {
      if (!ArrayBuffer.isView(array)) return true;
      const { length } = array as Int32Array;
      return count > 0 ? length >= count && length % count === 0 : length === 0;
    };
    if (!(Number.isInteger(count) && count >= 0 && Object.values<unknown>(table!).every(fits)))
      failArgument(`file.${name}.count`, 'the number of its records', count);
  }
}
