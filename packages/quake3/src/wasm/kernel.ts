import type { KernelName, Trace, Vec3 } from '@bspkit/core';
import {
  type Blockers,
  blockerBytes,
  brushRoom,
  type CopyAnswers,
  checkMove,
  clearingBytes,
  copierOf,
  createBlockers,
  createClearings,
  defineWasm,
  findClearing,
  type Intake,
  lookAtBrushes,
  type WasmKernel,
} from '@bspkit/core/format';
import { asksBlockers, brushTree } from '../blockers.ts';
import { asksClearings, gridOf, listObstacles } from '../clearings.ts';
import { F_ORIGIN, F_ROWS } from '../kernel/frame.ts';
import {
  BOX,
  CAPSULE,
  type Kernel,
  type OpenedMemory,
  Q_CENTER,
  Q_CLEAR,
  Q_EPSILON,
  Q_EXTENTS,
  Q_MAXS,
  Q_MINS,
  Q_RADIUS,
  Q_RESIDUE,
  Q_SPARE,
  Q_SPHERE,
  S_CURVES,
  S_MASK,
  S_MODE,
  S_POINT,
} from '../kernel/memory.ts';
import { ANSWERS } from './answers.ts';
import { openBox, writeBox } from './box.ts';
import {
  ALL_START_SOLID,
  BATCH,
  BRUSH,
  CONTENTS,
  DIST,
  END_POS,
  FRACTION,
  LISTS,
  MODEL,
  MOVE,
  NORMAL,
  NOT_KNOWN,
  PATCH,
  PLANE,
  SEGMENTS,
  SET_BLOCKERS,
  SET_CENTER,
  SET_CLEAR,
  SET_CLEARINGS,
  SET_CURVES,
  SET_EPSILON,
  SET_EXTENTS,
  SET_LIST,
  SET_MASK,
  SET_MAXS,
  SET_MINS,
  SET_MOVES,
  SET_NUMBER,
  SET_ORIGIN,
  SET_POINT,
  SET_RADIUS,
  SET_RESIDUE,
  SET_ROTATED,
  SET_ROWS,
  SET_SPARE,
  SET_SPHERE,
  SETTINGS,
  SETTINGS_BYTES,
  SIDE,
  SOLID,
  STACK,
  SURFACE_FLAGS,
  TEXTURE,
} from './layout.ts';
import { KERNEL } from './module.ts';

/** The kernel's exports. Shapes are given by number. */
interface KernelExports {
  /** Traces the move in memory, and returns bits that say what happened. */
  trace(shape: number, any: number, asks: number): number;
  /** Traces this many segments in memory, or with `any` tests them. */
  batch(shape: number, any: number, count: number): void;
  /** Whether this many segments in memory are finite. */
  finite(count: number): number;
  /** Contents at a point, in the list at an address or, if that is 0, in the world. */
  contents(list: number): number;
}

/** Shapes as the kernel numbers them. */
const WASM_POINT = 1;
const WASM_BOX = 2;
const WASM_CAPSULE = 4;

/** The compiled kernel, for all worlds. */
export const wasm: WasmKernel<KernelExports> = /* @__PURE__ */ defineWasm(KERNEL, SEGMENTS, STACK);

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
const END_WORD = END_POS / 4;
const MODEL_WORD = MODEL / 4;
const TEXTURE_WORD = TEXTURE / 4;
const PLANE_WORD = PLANE / 4;

/** Bit of what a trace returns: something is in the way. */
const BLOCKED = 2;
/** Another: there are brushes to be examined that may be blockers. */
const NOTED = 4;

/** A world opened for the WebAssembly kernel: an instance with its hot section, which takes in segments of batches. */
export interface Hot extends Intake {
  readonly exports: KernelExports;
  /** The kernel's memory, seen as numbers of each kind. */
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly blockers: Blockers;
  /** The tracer whose settings are in its memory. */
  current: WasmTracer | undefined;
  /** Copies answers of batches. */
  readonly copyAnswers: CopyAnswers;
  /** Answers of batches of tests. */
  readonly tests: Uint8Array;
}

/** A tracer's half of the WebAssembly kernel. */
export interface WasmTracer {
  readonly kernel: Kernel;
  readonly hot: Hot;
  /** Its settings, as they are copied into memory. */
  readonly settings: Int32Array;
  readonly floats: Float32Array;
  /** Its shape's number. */
  shape: number;
}

/**
 * What the WebAssembly kernel has of a world, made on the first call; `null` if it cannot run. If a world was told to use that
 * kernel, this throws instead.
 */
export function hotOf(memory: OpenedMemory): Hot | null {
  if (memory.hot !== undefined) return memory.hot;
  let hot: Hot | null = null;
  try {
    if (kernelOf(memory) === 'wasm') hot = openHot(memory);
  } catch (error) {
    // Each world has a memory of its own, and their number is limited.
    if (memory.kernel === 'wasm') throw error;
  }
  memory.hot = hot;
  return hot;
}

/** Which kernel traces in a world. */
export function kernelOf({ kernel, hot }: OpenedMemory): KernelName {
  return kernel === 'js' || hot === null || !wasm.canRun() ? 'js' : 'wasm';
}

/** Shared by all box entities, because every memory costs address space: each writes its box when it is traced. */
let boxes: Hot | undefined;

function openHot(memory: OpenedMemory): Hot {
  // Only the memory of a box entity has no tree.
  if (memory.places.nodes.count > 0) return makeHot(memory);
  if (!boxes) {
    boxes = makeHot(memory);
    openBox(boxes);
  }
  return boxes;
}

function makeHot(memory: OpenedMemory): Hot {
  const grid = gridOf(memory);
  // Traces do not need what comes after.
  const world = memory.ints.subarray(0, memory.places.leafSurfaces.first);
  const forClearings = grid ? clearingBytes(grid) : 0;
  const room = brushRoom(memory.places.brushes.count);
  const { exports, buffer, spare } = wasm.build(world, forClearings + blockerBytes(room));
  const ints = new Int32Array(buffer);
  memory.clearings = grid
    ? createClearings(grid, (mins, maxs, work) => listObstacles(memory, mins, maxs, work), buffer, spare)
    : null;
  return {
    exports,
    ints,
    floats: new Float32Array(buffer),
    blockers: createBlockers(buffer, spare + forClearings, room, lookAtBrushes(brushTree(memory, ints))),
    current: undefined,
    finite: exports.finite,
    segments: new Float32Array(buffer, SEGMENTS, 6 * BATCH),
    copyAnswers: copierOf(buffer, ANSWERS),
    tests: new Uint8Array(buffer, ALL_START_SOLID, BATCH),
  };
}

/** Address of a model's list; 0 for the world, which has a tree. */
function listOf({ ints }: Hot, model: number): number {
  return ints[(ints[LISTS >> 2]! >> 2) + model]!;
}

/** Contents of the brushes of a model, or of the world (0), that contain a point in its frame. */
export function contentsAt(hot: Hot, model: number, point: Vec3): number {
  const { floats, exports } = hot;
  // All three are read before the first is written: reading them may run a getter that asks.
  const x = point[0]!;
  const y = point[1]!;
  const z = point[2]!;
  floats[MOVE_WORD] = x;
  floats[MOVE_WORD + 1] = y;
  floats[MOVE_WORD + 2] = z;
  return exports.contents(listOf(hot, model));
}

/** A tracer's half of the kernel. */
export function createWasmTracer(kernel: Kernel, hot: Hot): WasmTracer {
  const settings = new Int32Array(SETTINGS_BYTES / 4);
  const floats = new Float32Array(settings.buffer);
  const tracer = { kernel, hot, settings, floats, shape: WASM_POINT };
  updateSettings(tracer);
  return tracer;
}

/** Takes over a tracer's changed settings. */
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
  for (let type = 0; type < 4; type++) {
    floats[word(SET_EXTENTS) + type] = query[Q_EXTENTS + type]!;
    floats[word(SET_CLEAR) + type] = query[Q_CLEAR + type]!;
  }
  floats[word(SET_RADIUS)] = query[Q_RADIUS]!;
  floats[word(SET_EPSILON)] = query[Q_EPSILON]!;
  floats[word(SET_SPARE)] = query[Q_SPARE]!;
  settings[word(SET_MASK)] = state[S_MASK]!;
  settings[word(SET_CURVES)] = state[S_CURVES]!;
  settings[word(SET_POINT)] = state[S_POINT]!;
  settings[word(SET_LIST)] = listOf(hot, target.model);
  settings[word(SET_MOVES)] = target.moves ? 1 : 0;
  settings[word(SET_ROTATED)] = frame.rotated ? 1 : 0;
  settings[word(SET_NUMBER)] = target.number;
  settings[word(SET_CLEARINGS)] = asksClearings(kernel) ? (target.memory.clearings?.address ?? 0) : 0;
  settings[word(SET_BLOCKERS)] = asksBlockers(kernel) ? hot.blockers.address : 0;
  const mode = state[S_MODE];
  tracer.shape = mode === CAPSULE ? WASM_CAPSULE : mode === BOX ? WASM_BOX : WASM_POINT;
  if (hot.current === tracer) hot.current = undefined;
}

/** Takes over where the target is, if it has not been turned: many models move before every trace. */
export function updateOrigin(tracer: WasmTracer): void {
  const { kernel, hot, floats } = tracer;
  const origin = kernel.frame.floats;
  const at = word(SET_ORIGIN);
  for (let k = 0; k < 3; k++) floats[at + k] = origin[F_ORIGIN + k]!;
  if (hot.current !== tracer) return;
  for (let k = 0; k < 3; k++) hot.floats[SETTINGS_WORD + at + k] = origin[F_ORIGIN + k]!;
}

const word = (address: number): number => (address - SETTINGS) >> 2;

/** Puts a tracer's settings into memory, if another's are there. */
export function enter(tracer: WasmTracer): void {
  const { hot } = tracer;
  hot.ints.set(tracer.settings, SETTINGS_WORD);
  if (!tracer.kernel.target.inFile) writeBox(hot, tracer.kernel);
  hot.current = tracer;
}

/** Whether anything is in the way of a move. Throws as {@link run}. */
export function isBlocked(tracer: WasmTracer, start: Float32Array, end: Float32Array): boolean {
  const met = run(tracer, start, end, 1);
  if ((met & NOTED) !== 0) tracer.hot.blockers.find();
  return (met & BLOCKED) !== 0;
}

/**
 * Has the kernel trace a move. Returns bits that say what happened. Throws `RangeError` for coordinates that are missing or not
 * finite.
 */
function run(tracer: WasmTracer, start: Float32Array, end: Float32Array, any: 0 | 1): number {
  const { hot } = tracer;
  const { floats } = hot;
  floats[MOVE_WORD] = start[0]!;
  floats[MOVE_WORD + 1] = start[1]!;
  floats[MOVE_WORD + 2] = start[2]!;
  floats[MOVE_WORD + 3] = end[0]!;
  floats[MOVE_WORD + 4] = end[1]!;
  floats[MOVE_WORD + 5] = end[2]!;
  if (hot.current !== tracer) enter(tracer);
  const met = hot.exports.trace(tracer.shape, any, 1);
  return met < 0 ? runAgain(tracer, start, end, any, met) : met;
}

/**
 * Throws for a number that is not finite, unless another thread has written to it since; or looks for a clearing. Then runs
 * again.
 */
function runAgain(
  tracer: WasmTracer,
  start: Float32Array,
  end: Float32Array,
  any: 0 | 1,
  why: number,
): number {
  const { exports, floats } = tracer.hot;
  if (why !== NOT_KNOWN) {
    checkMove(start, end);
    return run(tracer, start, end, any);
  }
  findClearing(
    tracer.kernel.target.memory.clearings!,
    floats[MOVE_WORD]!,
    floats[MOVE_WORD + 1]!,
    floats[MOVE_WORD + 2]!,
  );
  return exports.trace(tracer.shape, any, 0);
}

/** Traces a move and writes the answer to `out`, all of its fields. Throws as {@link run}. */
export function traceWasm(tracer: WasmTracer, start: Float32Array, end: Float32Array, out: Trace): void {
  const { hot } = tracer;
  if (run(tracer, start, end, 0) === 0) writeMiss(end, out);
  else writeHit(hot, out);
}

/** Writes the answer to a move that meets nothing. */
export function writeMiss(end: Float32Array, out: Trace): void {
  const { endPos, normal } = out;
  // Both may be in the same memory.
  const x = end[0]!;
  const y = end[1]!;
  const z = end[2]!;
  out.fraction = 1;
  endPos[0] = x;
  endPos[1] = y;
  endPos[2] = z;
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
}

/** Copies what was found into an answer. */
function writeHit({ floats, ints }: Hot, out: Trace): void {
  const { endPos, normal } = out;
  out.fraction = floats[FRACTION_WORD]!;
  endPos[0] = floats[END_WORD]!;
  endPos[1] = floats[END_WORD + 1]!;
  endPos[2] = floats[END_WORD + 2]!;
  normal[0] = floats[NORMAL_WORD]!;
  normal[1] = floats[NORMAL_WORD + 1]!;
  normal[2] = floats[NORMAL_WORD + 2]!;
  out.dist = floats[DIST_WORD]!;
  const solid = ints[SOLID_WORD]!;
  out.startSolid = solid !== 0;
  out.allSolid = solid === 3;
  out.contents = ints[CONTENTS_WORD]!;
  out.surfaceFlags = ints[FLAGS_WORD]!;
  out.model = ints[MODEL_WORD]!;
  out.brush = ints[BRUSH_WORD]!;
  out.side = ints[SIDE_WORD]!;
  out.texture = ints[TEXTURE_WORD]!;
  out.patch = ints[PATCH_WORD]!;
  out.plane = ints[PLANE_WORD]!;
}
