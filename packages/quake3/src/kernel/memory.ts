import type { KernelChoice } from '@bspkit/core';
import { type Clearings, held } from '@bspkit/core/format';
import type { Rounded } from '../exact/shapes.ts';
import { DEPTH_WORD } from '../layout.ts';
import type { Places } from '../sections.ts';
import type { Hot } from '../wasm/kernel.ts';
import { createFrame, type Frame } from './frame.ts';

// What the kernels work on: the world's buffer, and the scratch of whoever opened it. The query and the answer lie in
// typed arrays, not in arguments, since V8 would box every number that is passed to a function it does not inline.

/**
 * Places in `Kernel.query`, all in Quake units; three numbers unless stated otherwise. The numbers are doubles that
 * have been rounded to float32: V8 reads them faster so. Six numbers are in the order of a brush's axial sides: -X, +X,
 * -Y, +Y, -Z, +Z, each along its side's normal.
 */
export const Q_START = 0;
export const Q_END = 3;
/** Corners of the centred box; eight-fold symmetric but for rounding. */
export const Q_MINS = 6;
export const Q_MAXS = 9;
/** How far the shape widens a plane of the tree, by the plane's type: four numbers. */
export const Q_EXTENTS = 12;
/** From a capsule's middle to the centre of its upper sphere. */
export const Q_SPHERE = 16;
/** Radius of a capsule; one number. */
export const Q_RADIUS = 19;
/** Distance to keep from surfaces; one number. */
export const Q_EPSILON = 20;
/** Answer: the best fraction so far; one number. */
export const Q_FRACTION = 21;
/** Answer: normal of what was hit. */
export const Q_NORMAL = 22;
/** Answer: distance of the plane that was hit; one number. */
export const Q_DIST = 25;
/** The move as given. */
export const Q_FROM = 26;
export const Q_TO = 29;
/**
 * How far the whole move stays behind each side of a box, the epsilon included; six numbers, to compare with bounds. Never too
 * far, whatever the rounding: sides decide where that leaves it open.
 */
export const Q_REACH = 32;
/** Distances of both ends along the normal of each axial side, where the shape first meets it; six numbers each. */
export const Q_SIDE_START = 38;
export const Q_SIDE_END = 44;
/** How far the shape pushes each axial side out; six numbers. */
export const Q_SIDE_GROW = 50;
/** Corners of the same box seen in a mirror: opposite Q_MAXS, then opposite Q_MINS. */
export const Q_MIRROR_MINS = 56;
export const Q_MIRROR_MAXS = 59;
/** Answer of a sweep against one solid: where it is entered; one number. */
export const Q_ENTER = 62;
/** Scratch: the box of a position test, six numbers. */
export const Q_BOX = 63;
/** Scratch: where a point's move crosses a facet's surface; one number. */
export const Q_CROSSING = 69;
/** From the traced point to the middle of the shape's box, and what is left of that after centring once. */
export const Q_CENTER = 70;
export const Q_RESIDUE = 73;
/** As Q_EXTENTS, with a unit to spare: how far from a plane a whole move has to stay for its other side to be left out. */
export const Q_CLEAR = 76;
/** Scratch: the distance of a side as the shape meets it; one number. */
export const Q_WIDENED = 80;
/** How far a move has to stay behind a facet's bounds to miss it for certain, with the epsilon on top; one number. */
export const Q_SPARE = 81;
const QUERY_NUMBERS = 82;

/** Places in `Kernel.state`. */
export const S_MODE = 0;
export const S_MASK = 1;
/** 1: curved patches take part. */
export const S_CURVES = 2;
/** 1: the first hit of any kind ends the trace. */
export const S_ANY = 3;
/** Number of this trace, to tell which brushes have been seen in it. */
export const S_STAMP = 4;
export const S_START_SOLID = 5;
export const S_ALL_SOLID = 6;
export const S_CONTENTS = 7;
export const S_SURFACE_FLAGS = 8;
/** Brush that was hit, or -1. */
export const S_BRUSH = 9;
/** Place of the side that was hit, or -1. */
export const S_SIDE = 10;
/** Place of the patch that was hit, or -1. */
export const S_PATCH = 11;
/** 1: the engine takes the shape for a point, in the tree and against patches. */
export const S_POINT = 12;
/** 1: both ends are equal where the sweep would begin: a position test. */
export const S_STILL = 13;
const STATE_INTS = 14;

/** Values of `S_MODE`. */
export const POINT = 0;
export const BOX = 1;
export const CAPSULE = 2;
/** A sphere against edges and corners that are rounded, not inflated. */
export const ROUND = 3;

/** Numbers in a frame of the walk's stack: fractions, then both points. */
export const FRAME_NUMBERS = 8;

/** A world opened by one thread, with what all its tracers share. */
export interface WorldMemory {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
  /** One number: of the latest trace. */
  readonly traces: Int32Array;
  readonly brushStamps: Int32Array;
  readonly patchStamps: Int32Array;
  /** The walk's stack: at most one frame per level of the tree. */
  readonly frames: Float64Array;
  readonly frameNodes: Int32Array;
  /** Rounded shapes for exact spheres, by the place of their brush or facet, made when first needed. */
  readonly shapes: Map<number, Rounded>;
}

/** The same, and what may trace in it instead of the kernel of this folder. */
export interface OpenedMemory extends WorldMemory {
  readonly kernel: KernelChoice;
  /** The world as the WebAssembly kernel has it: `undefined` before the first trace, `null` where it is not used. */
  hot: Hot | null | undefined;
  /** Where moves meet nothing: `undefined` before the first trace, `null` where there can be none. */
  clearings: Clearings | null | undefined;
}

/** What a tracer traces against. */
export class Target {
  /** Model in that memory: 0 for the world with its tree, k for a model that lists its brushes. */
  readonly model: number;
  /** Number to report as hit. */
  readonly number: number;
  /** It can stand elsewhere than where it was built; `turns` tells whether it also follows angles. */
  readonly moves: boolean;
  readonly turns: boolean;
  /** Its shaders are those of a map file. */
  readonly inFile: boolean;
  private readonly _memory: OpenedMemory;

  constructor(memory: OpenedMemory, part: Omit<Target, 'memory'>) {
    this._memory = memory;
    this.model = part.model;
    this.number = part.number;
    this.moves = part.moves;
    this.turns = part.turns;
    this.inFile = part.inFile;
  }

  /** Throws `TypeError` once the world's data has been transferred. */
  get memory(): OpenedMemory {
    return held(this._memory);
  }
}

/**
 * How exact spheres meet brushes and facets. The kernels call it through {@link Kernel.round}, where `exactSphere` puts
 * it, so that it is not in the bundle of those who trace nothing of the kind.
 */
export interface RoundKernel {
  /** Takes over a move that has been set up. */
  begin(kernel: Kernel): void;
  sweepBrush(kernel: Kernel, brush: number): void;
  touchesBrush(kernel: Kernel, brush: number): boolean;
  sweepFacet(kernel: Kernel, facet: number): void;
  touchesFacet(kernel: Kernel, facet: number): boolean;
}

/** What the kernels work on: the world, and one tracer's query and answer. */
export interface Kernel extends WorldMemory {
  readonly query: Float64Array;
  readonly state: Int32Array;
  readonly target: Target;
  /** Where the target stands. */
  readonly frame: Frame;
  /** Only for exact spheres. */
  readonly round: RoundKernel | undefined;
}

/** Views of a world's buffer, with scratch sized for it. */
export function openMemory(data: ArrayBufferLike, places: Places, kernel: KernelChoice): OpenedMemory {
  const ints = new Int32Array(data);
  const depth = ints[DEPTH_WORD]! + 1;
  return {
    kernel,
    hot: undefined,
    clearings: undefined,
    ints,
    floats: new Float32Array(data),
    places,
    traces: new Int32Array(1),
    brushStamps: new Int32Array(places.brushes.count),
    patchStamps: new Int32Array(places.patches.count),
    frames: new Float64Array(FRAME_NUMBERS * depth),
    frameNodes: new Int32Array(depth),
    shapes: new Map(),
  };
}

/** A query and an answer of their own for a target. */
export function createKernel(target: Target, round: RoundKernel | undefined): Kernel {
  const { memory } = target;
  // Written out, because V8 gives spread objects several layouts.
  return {
    ints: memory.ints,
    floats: memory.floats,
    places: memory.places,
    traces: memory.traces,
    brushStamps: memory.brushStamps,
    patchStamps: memory.patchStamps,
    frames: memory.frames,
    frameNodes: memory.frameNodes,
    shapes: memory.shapes,
    query: new Float64Array(QUERY_NUMBERS),
    state: new Int32Array(STATE_INTS),
    target,
    frame: createFrame(),
    round,
  };
}

/** Starts a trace: no answer yet, and no brush or patch seen. */
export function beginTrace(kernel: Kernel): void {
  const { query, state, traces, brushStamps, patchStamps } = held(kernel);
  query[Q_FRACTION] = 1;
  query[Q_NORMAL] = 0;
  query[Q_NORMAL + 1] = 0;
  query[Q_NORMAL + 2] = 0;
  query[Q_DIST] = 0;
  state[S_START_SOLID] = 0;
  state[S_ALL_SOLID] = 0;
  state[S_CONTENTS] = 0;
  state[S_SURFACE_FLAGS] = 0;
  state[S_BRUSH] = -1;
  state[S_SIDE] = -1;
  state[S_PATCH] = -1;
  if (traces[0] === 0x7fffffff) {
    // After 2^31 traces the numbers begin again; old stamps must not be taken for new ones.
    brushStamps.fill(0);
    patchStamps.fill(0);
    traces[0] = 0;
  }
  state[S_STAMP] = ++traces[0]!;
}
