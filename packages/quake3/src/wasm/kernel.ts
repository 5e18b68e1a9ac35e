import type { KernelChoice, KernelName, Trace, Vec3 } from '@bspkit/core';
import { checkMove, defineWasm, type WasmKernel } from '@bspkit/core/format';
import { F_ORIGIN, F_ROWS, rotateOut } from '../kernel/frame.ts';
import {
  BOX,
  CAPSULE,
  type Kernel,
  type OpenedMemory,
  Q_CENTER,
  Q_EPSILON,
  Q_EXTENTS,
  Q_MAXS,
  Q_MINS,
  Q_RADIUS,
  Q_RESIDUE,
  Q_SPHERE,
  S_CURVES,
  S_MASK,
  S_MODE,
  S_POINT,
  type WorldMemory,
} from '../kernel/memory.ts';
import {
  PATCH_SHADER,
  PATCH_SURFACE,
  SHADER_WORDS,
  SIDE_DIST,
  SIDE_PLANE,
  SIDE_SHADER,
  SIDE_WORDS,
} from '../layout.ts';
import { type HotPlan, type HotViews, openBox, planHot, writeBox, writeHot } from './build.ts';
import {
  BRUSH,
  CONTENTS,
  DIST,
  FLAGS_SIDE,
  FRACTION,
  MOVE,
  NORMAL,
  NORMAL_SIDE,
  PATCH,
  SET_CENTER,
  SET_CURVES,
  SET_EPSILON,
  SET_EXTENTS,
  SET_LIST,
  SET_MASK,
  SET_MAXS,
  SET_MINS,
  SET_MOVES,
  SET_ORIGIN,
  SET_POINT,
  SET_RADIUS,
  SET_RESIDUE,
  SET_ROTATED,
  SET_ROWS,
  SET_SPHERE,
  SETTINGS,
  SETTINGS_BYTES,
  SIDE,
  SOLID,
  SURFACE_FLAGS,
} from './layout.ts';
import { KERNEL } from './module.ts';

const f = Math.fround;

/** The kernel's exports: each traces the move in memory with a shape, and returns bits of what came out. */
interface KernelExports {
  tracePoint(any: number): number;
  traceBox(any: number): number;
  traceCapsule(any: number): number;
  /** Contents at a point, in the list at an address or, for 0, in the world. */
  contents(list: number): number;
}

/** The compiled kernel, for all worlds. */
export const wasm: WasmKernel<KernelExports> = /* @__PURE__ */ defineWasm(KERNEL);

/** Places in 32-bit words of what is written and read with every trace. */
const MOVE_WORD = MOVE / 4;
const SETTINGS_WORD = SETTINGS / 4;
const FRACTION_WORD = FRACTION / 4;
const NORMAL_WORD = NORMAL / 4;
const DIST_WORD = DIST / 4;
const SOLID_WORD = SOLID / 4;
const CONTENTS_WORD = CONTENTS / 4;
const FLAGS_WORD = SURFACE_FLAGS / 4;
const BRUSH_WORD = BRUSH / 4;
const SIDE_WORD = SIDE / 4;
const PATCH_WORD = PATCH / 4;
const NORMAL_SIDE_WORD = NORMAL_SIDE / 4;
const FLAGS_SIDE_WORD = FLAGS_SIDE / 4;

/** Bit of what a trace returns: something is in the way. */
const BLOCKED = 2;

/** A world opened for the WebAssembly kernel: an instance with its hot section. */
export interface Hot extends HotViews {
  readonly exports: KernelExports;
  readonly plan: HotPlan;
  /** The tracer whose settings are in its memory. */
  current: WasmTracer | undefined;
}

/** A tracer's half of the WebAssembly kernel. */
export interface WasmTracer {
  readonly kernel: Kernel;
  readonly hot: Hot;
  /** What it has been told, as it is copied into memory. */
  readonly settings: Int32Array;
  readonly floats: Float32Array;
  /** The export for its shape. */
  trace: (any: number) => number;
}

/**
 * What the WebAssembly kernel has of a world, made at the first call; `null` where it does not run. A world that was told
 * to use it says so instead.
 */
export function hotOf(memory: OpenedMemory): Hot | null {
  if (memory.hot !== undefined) return memory.hot;
  let hot: Hot | null = null;
  try {
    if (kernelOf(memory) === 'wasm') hot = openHot(memory);
  } catch (error) {
    // Each world has a memory of its own, and there are only so many.
    if (memory.kernel === 'wasm') throw error;
  }
  memory.hot = hot;
  return hot;
}

/** Which kernel traces in a world. */
export function kernelOf({ kernel, hot }: OpenedMemory): KernelName {
  return kernel === 'js' || hot === null || !wasm.canRun() ? 'js' : 'wasm';
}

/** What a world or box entity can be opened with. */
export interface OpenOptions {
  /**
   * What traces: `wasm`, a kernel in WebAssembly, or `js`, one in TypeScript, with the same answers to the bit. `auto`,
   * the default, takes WebAssembly where it can be had: not where it lacks SIMD, nor where a content security policy
   * forbids it. There `wasm` throws `Error`. Exact spheres, and what leaf a point is in, are in TypeScript always.
   */
  readonly kernel?: KernelChoice | undefined;
}

/** Shared by all box entities, because every memory costs address space: each writes its box when it is asked. */
let boxes: Hot | undefined;

function openHot(memory: WorldMemory): Hot {
  // Only the memory of a box entity has no tree.
  if (memory.places.nodes.count > 0) return makeHot(memory);
  if (!boxes) {
    boxes = makeHot(memory);
    openBox(boxes);
  }
  return boxes;
}

function makeHot(memory: WorldMemory): Hot {
  const plan = planHot(memory);
  const { exports, buffer } = wasm.instantiate(plan.bytes);
  const views = {
    ints: new Int32Array(buffer),
    floats: new Float32Array(buffer),
    shorts: new Int16Array(buffer),
  };
  writeHot(memory, plan, views);
  return { ...views, exports, plan, current: undefined };
}

/** Contents of the brushes of a model, or for 0 of the world, that hold a point in its frame. */
export function contentsAt({ floats, plan, exports }: Hot, model: number, point: Vec3): number {
  floats[MOVE_WORD] = point[0]!;
  floats[MOVE_WORD + 1] = point[1]!;
  floats[MOVE_WORD + 2] = point[2]!;
  return exports.contents(plan.models[model]!);
}

/** A tracer's half of the kernel. */
export function createWasmTracer(kernel: Kernel, hot: Hot): WasmTracer {
  const settings = new Int32Array(SETTINGS_BYTES / 4);
  const floats = new Float32Array(settings.buffer);
  const tracer = { kernel, hot, settings, floats, trace: hot.exports.tracePoint };
  updateSettings(tracer);
  return tracer;
}

/** Takes over what a tracer has been told since. */
export function updateSettings(tracer: WasmTracer): void {
  const { kernel, hot, settings, floats } = tracer;
  const { query, state, frame, target } = kernel;
  for (let k = 0; k < 3; k++) {
    floats[word(SET_MINS) + k] = query[Q_MINS + k]!;
    floats[word(SET_MAXS) + k] = query[Q_MAXS + k]!;
    floats[word(SET_CENTER) + k] = query[Q_CENTER + k]!;
    floats[word(SET_RESIDUE) + k] = query[Q_RESIDUE + k]!;
    floats[word(SET_SPHERE) + k] = query[Q_SPHERE + k]!;
    floats[word(SET_ORIGIN) + k] = frame.floats[F_ORIGIN + k]!;
    for (let row = 0; row < 3; row++) {
      floats[word(SET_ROWS) + 4 * row + k] = frame.floats[F_ROWS + 3 * row + k]!;
    }
  }
  for (let type = 0; type < 4; type++) floats[word(SET_EXTENTS) + type] = query[Q_EXTENTS + type]!;
  floats[word(SET_RADIUS)] = query[Q_RADIUS]!;
  floats[word(SET_EPSILON)] = query[Q_EPSILON]!;
  settings[word(SET_MASK)] = state[S_MASK]!;
  settings[word(SET_CURVES)] = state[S_CURVES]!;
  settings[word(SET_POINT)] = state[S_POINT]!;
  settings[word(SET_LIST)] = hot.plan.models[target.model]!;
  settings[word(SET_MOVES)] = target.moves ? 1 : 0;
  settings[word(SET_ROTATED)] = frame.rotated ? 1 : 0;
  const mode = state[S_MODE];
  const { tracePoint, traceBox, traceCapsule } = hot.exports;
  tracer.trace = mode === CAPSULE ? traceCapsule : mode === BOX ? traceBox : tracePoint;
  if (hot.current === tracer) hot.current = undefined;
}

/** Takes over where the target stands, when it has not been turned: many a model moves before every trace. */
export function updateOrigin(tracer: WasmTracer): void {
  const { kernel, hot, floats } = tracer;
  const origin = kernel.frame.floats;
  const at = word(SET_ORIGIN);
  for (let k = 0; k < 3; k++) floats[at + k] = origin[F_ORIGIN + k]!;
  if (hot.current !== tracer) return;
  for (let k = 0; k < 3; k++) hot.floats[SETTINGS_WORD + at + k] = origin[F_ORIGIN + k]!;
}

const word = (address: number): number => (address - SETTINGS) >> 2;

/** Puts a tracer's settings into memory, after another's. */
function enter(tracer: WasmTracer): void {
  const { hot } = tracer;
  hot.ints.set(tracer.settings, SETTINGS_WORD);
  if (!tracer.kernel.target.inFile) writeBox(hot, tracer.kernel);
  hot.current = tracer;
}

/**
 * Whether anything is in the way of a move. Throws `RangeError` for coordinates that are not finite, `TypeError` for
 * what is not three numbers.
 */
export function isBlocked(tracer: WasmTracer, start: Vec3, end: Vec3): boolean {
  const { hot } = tracer;
  const { floats } = hot;
  // As in `traceMove`.
  if (!(start instanceof Float32Array && end instanceof Float32Array)) checkMove(start, end);
  const sx = f(start[0]!);
  const sy = f(start[1]!);
  const sz = f(start[2]!);
  const ex = f(end[0]!);
  const ey = f(end[1]!);
  const ez = f(end[2]!);
  if (sx - sx + (sy - sy) + (sz - sz) + (ex - ex) + (ey - ey) + (ez - ez) !== 0) checkMove(start, end);
  floats[MOVE_WORD] = sx;
  floats[MOVE_WORD + 1] = sy;
  floats[MOVE_WORD + 2] = sz;
  floats[MOVE_WORD + 3] = ex;
  floats[MOVE_WORD + 4] = ey;
  floats[MOVE_WORD + 5] = ez;
  if (hot.current !== tracer) enter(tracer);
  return (tracer.trace(1) & BLOCKED) !== 0;
}

/** Traces a move and puts the answer into `out`: every field of it. Throws as {@link isBlocked}. */
export function traceWasm(tracer: WasmTracer, start: Vec3, end: Vec3, out: Trace): void {
  const { hot } = tracer;
  const { floats } = hot;
  // The same as above, written out, so that the numbers stay in registers; both ends may lie in the answer.
  if (!(start instanceof Float32Array && end instanceof Float32Array)) checkMove(start, end);
  const sx = f(start[0]!);
  const sy = f(start[1]!);
  const sz = f(start[2]!);
  const ex = f(end[0]!);
  const ey = f(end[1]!);
  const ez = f(end[2]!);
  if (sx - sx + (sy - sy) + (sz - sz) + (ex - ex) + (ey - ey) + (ez - ez) !== 0) checkMove(start, end);
  floats[MOVE_WORD] = sx;
  floats[MOVE_WORD + 1] = sy;
  floats[MOVE_WORD + 2] = sz;
  floats[MOVE_WORD + 3] = ex;
  floats[MOVE_WORD + 4] = ey;
  floats[MOVE_WORD + 5] = ez;
  if (hot.current !== tracer) enter(tracer);
  const met = tracer.trace(0);
  const { kernel } = tracer;
  const { target } = kernel;
  const { endPos, normal } = out;
  const fraction = met === 0 ? 1 : floats[FRACTION_WORD]!;
  out.fraction = fraction;
  // Against a model the engine computes the end even of an unhindered move, which may differ by rounding.
  if (fraction === 1 && !target.moves) {
    endPos[0] = ex;
    endPos[1] = ey;
    endPos[2] = ez;
  } else {
    endPos[0] = sx + f(fraction * f(ex - sx));
    endPos[1] = sy + f(fraction * f(ey - sy));
    endPos[2] = sz + f(fraction * f(ez - sz));
  }
  if (met === 0) {
    // Most moves meet nothing, and nothing need be read for these.
    normal[0] = 0;
    normal[1] = 0;
    normal[2] = 0;
    out.dist = 0;
    out.startSolid = false;
    out.allSolid = false;
    out.contents = 0;
    out.surfaceFlags = 0;
    out.model = -1;
    out.brush = -1;
    out.side = -1;
    out.texture = -1;
    out.patch = -1;
    out.plane = -1;
  } else writeHit(tracer, out);
}

/** Puts what was met into an answer, but for where. Takes no fraction, because V8 would box it. */
function writeHit({ kernel, hot }: WasmTracer, out: Trace): void {
  const { floats, ints } = hot;
  const { places, target } = kernel;
  const { normal } = out;
  const world = kernel.ints;
  const normalSide = ints[NORMAL_SIDE_WORD]!;
  if (normalSide < 0) {
    normal[0] = floats[NORMAL_WORD]!;
    normal[1] = floats[NORMAL_WORD + 1]!;
    normal[2] = floats[NORMAL_WORD + 2]!;
    out.dist = floats[DIST_WORD]!;
  } else {
    const at = places.sides.first + SIDE_WORDS * normalSide;
    normal[0] = kernel.floats[at]!;
    normal[1] = kernel.floats[at + 1]!;
    normal[2] = kernel.floats[at + 2]!;
    out.dist = kernel.floats[at + SIDE_DIST]!;
  }
  if (kernel.frame.rotated && floats[FRACTION_WORD] !== 1) turnNormal(kernel, normal);
  const solid = ints[SOLID_WORD]!;
  out.startSolid = solid !== 0;
  out.allSolid = solid === 3;
  out.contents = ints[CONTENTS_WORD]!;
  const flagsSide = ints[FLAGS_SIDE_WORD]!;
  out.surfaceFlags =
    flagsSide < 0
      ? ints[FLAGS_WORD]!
      : world[
          places.shaders.first +
            SHADER_WORDS * world[places.sides.first + SIDE_WORDS * flagsSide + SIDE_SHADER]!
        ]!;
  const brush = ints[BRUSH_WORD]!;
  const side = ints[SIDE_WORD]!;
  const patch = ints[PATCH_WORD]!;
  out.model = brush >= 0 || patch >= 0 ? target.number : -1;
  out.brush = brush;
  out.side = side;
  let plane = -1;
  let texture = -1;
  if (side >= 0 && target.inFile) {
    const at = places.sides.first + SIDE_WORDS * side;
    plane = world[at + SIDE_PLANE]!;
    texture = world[at + SIDE_SHADER]!;
  }
  if (patch >= 0) {
    out.patch = world[patch + PATCH_SURFACE]!;
    texture = world[patch + PATCH_SHADER]!;
  } else out.patch = -1;
  out.plane = plane;
  out.texture = texture;
}

/** The normal lies in the caller's array, where numbers may be of any kind. */
const turned: Float32Array = /* @__PURE__ */ new Float32Array(3);

function turnNormal({ frame }: Kernel, normal: Float32Array): void {
  for (let k = 0; k < 3; k++) turned[k] = normal[k]!;
  rotateOut(frame, turned, 0);
  for (let k = 0; k < 3; k++) normal[k] = turned[k]!;
}
