import type { TraceArrays, TraceBatch } from './batch.ts';
import { checkTrace } from './check.ts';

/** The answer of a tracer. Made by {@link createTrace}, owned by the caller, completely overwritten by every trace. */
export interface Trace {
  /** How much of the move was made: 0 (none) to 1 (all of it, nothing was hit). */
  fraction: number;
  /** Where the move ended, in Quake units. */
  endPos: Float32Array;
  /** Unit normal of the surface that was hit; zero when nothing was hit. */
  normal: Float32Array;
  /**
   * Distance from the origin of the plane that was hit along `normal`, in Quake units, in the frame of what was hit; 0
   * when nothing was hit.
   */
  dist: number;
  /** The move began inside something solid. */
  startSolid: boolean;
  /** The whole move was inside something solid. */
  allSolid: boolean;
  /** Contents of what was hit, as the format codes them (signed 32-bit); 0 when nothing was hit. */
  contents: number;
  /** Surface flags of the side that was hit (signed 32-bit); 0 when nothing was hit. */
  surfaceFlags: number;
  /** Model that was hit: 0 for the world, k for the inline model `*k`; -1 for none. */
  model: number;
  /** Brush that was hit, by its number in the file; -1 for none. */
  brush: number;
  /** Brush side that was hit, by its number in the file; -1 for none. */
  side: number;
  /** Texture or shader of the surface that was hit, by its number in the file; -1 for none. In some formats a texture has several. */
  texture: number;
  /** Curved patch that was hit, by its surface number in the file; -1 for none. */
  patch: number;
  /** Plane that was hit, by its number in the file; -1 for none. */
  plane: number;
}

/** A new trace: fraction 1, nothing hit. Make one per caller, and pass it to every `trace` call as `out`. */
export function createTrace(): Trace {
  return {
    fraction: 1,
    endPos: new Float32Array(3),
    normal: new Float32Array(3),
    dist: 0,
    startSolid: false,
    allSolid: false,
    contents: 0,
    surfaceFlags: 0,
    model: -1,
    brush: -1,
    side: -1,
    texture: -1,
    patch: -1,
    plane: -1,
  };
}

const NOTHING: Trace = /* @__PURE__ */ createTrace();

/** Copies three numbers, `place` and `at` being where they begin. Written out, which is faster than a loop or calls of `set`. */
export function copyPoint(from: ArrayLike<number>, to: Float32Array, at = 0, place = 0): void {
  to[place] = from[at]!;
  to[place + 1] = from[at + 1]!;
  to[place + 2] = from[at + 2]!;
}

/**
 * `storeTrace` for a batch, an index and a trace that are known to be sound. The checks would cost as much as a short trace.
 * Floats and whole numbers have a function each, as V8 is slower where one place in the code writes both.
 */
export function writeTrace(out: TraceBatch<never> & Partial<TraceArrays>, index: number, trace: Trace): void {
  writeFloat(out.fraction, index, trace.fraction);
  if (out.endPos) copyPoint(trace.endPos, out.endPos, 0, 3 * index);
  if (out.normal) copyPoint(trace.normal, out.normal, 0, 3 * index);
  writeFloat(out.dist, index, trace.dist);
  writeWhole(out.startSolid, index, +trace.startSolid);
  writeWhole(out.allSolid, index, +trace.allSolid);
  writeWhole(out.contents, index, trace.contents);
  writeWhole(out.surfaceFlags, index, trace.surfaceFlags);
  writeWhole(out.model, index, trace.model);
  writeWhole(out.brush, index, trace.brush);
  writeWhole(out.side, index, trace.side);
  writeWhole(out.texture, index, trace.texture);
  writeWhole(out.patch, index, trace.patch);
  writeWhole(out.plane, index, trace.plane);
}

/**
 * Puts the fields that all traces have back to "nothing hit", with `endPos` at zero, so that none of an earlier hit survives.
 * Returns the trace.
 * @throws TypeError for anything but a trace, as `createTrace` makes it.
 */
export function resetTrace<T extends Trace>(out: T): T {
  return copyFields(NOTHING, checkTrace(out, 'out'));
}

/**
 * Copies the fields that all traces have from `from` into `to`, and returns `to`. What formats and scenes add, as `localEnd`
 * and `entity`, stays as it is there: `structuredClone(from)` is a copy of all.
 * @throws TypeError for anything but two traces, as `createTrace` makes them.
 */
export function copyTrace<T extends Trace>(from: Trace, to: T): T {
  return copyFields(checkTrace(from, 'from'), checkTrace(to, 'to'));
}

function copyFields<T extends Trace>(from: Trace, to: T): T {
  to.fraction = from.fraction;
  copyPoint(from.endPos, to.endPos);
  copyPoint(from.normal, to.normal);
  to.dist = from.dist;
  to.startSolid = from.startSolid;
  to.allSolid = from.allSolid;
  to.contents = from.contents;
  to.surfaceFlags = from.surfaceFlags;
  to.model = from.model;
  to.brush = from.brush;
  to.side = from.side;
  to.texture = from.texture;
  to.patch = from.patch;
  to.plane = from.plane;
  return to;
}

function writeFloat(array: Float32Array | undefined, index: number, value: number): void {
  if (array) array[index] = value;
}

function writeWhole(array: Int32Array | Uint8Array | undefined, index: number, value: number): void {
  if (array) array[index] = value;
}
