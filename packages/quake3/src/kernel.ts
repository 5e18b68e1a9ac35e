import { DEPTH_WORD, LEAF_WORDS, type Places } from './layout.ts';
import type { Rounded } from './rounded.ts';
import { createRoundedMove, type RoundedMove } from './trace-rounded.ts';

// What the kernels work on: the world's buffer, and scratch of the one who opened it. The query and the answer lie in
// typed arrays, not in arguments, since V8 would box every number that is handed to a function it does not inline.

/** Places in `Kernel.query`, all in Quake units; three numbers where not told otherwise. */
export const Q_START = 0;
export const Q_END = 3;
/** Corners of the centred box; eight-fold symmetric but for rounding. */
export const Q_MINS = 6;
export const Q_MAXS = 9;
/** How far the shape widens a plane in the tree, by the plane's type: four numbers. */
export const Q_EXTENTS = 12;
/** From a capsule's middle to the centre of its upper sphere. */
export const Q_SPHERE = 16;
/** Radius of a capsule; one number. */
export const Q_RADIUS = 19;
/** Box around the whole move. */
export const Q_LOW = 20;
export const Q_HIGH = 23;
/** Distance to keep from surfaces; one number. */
export const Q_EPSILON = 26;
/** Answer: the best fraction so far; one number. */
export const Q_FRACTION = 27;
/** Answer: normal of what was hit. */
export const Q_NORMAL = 28;
/** Answer: distance of the plane that was hit; one number. */
export const Q_DIST = 31;
/** Scratch: normal of a facet's plane as the shape meets it, its widened distance, and the shape's shift to it. */
export const Q_PLANE = 32;
export const Q_PLANE_DIST = 35;
export const Q_SHIFT = 36;
/** Scratch: the box of a position test, six numbers. */
export const Q_BOX = 39;
const QUERY_FLOATS = 45;

/** Places in `Kernel.state`. */
export const S_MODE = 0;
export const S_MASK = 1;
/** 1: curved patches take part. */
export const S_CURVES = 2;
/** 1: the first hit of any kind ends the trace. */
export const S_ANY = 3;
/** Number of this trace, to tell which brushes were seen in it. */
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
const STATE_INTS = 13;

/** Values of `S_MODE`. */
export const POINT = 0;
export const BOX = 1;
export const CAPSULE = 2;
/** A sphere against edges and corners that are rounded, not inflated. */
export const ROUND = 3;

/** Floats in a frame of the walk's stack: fractions, then both points. */
export const FRAME_FLOATS = 8;

/** A world opened by one thread, with what all its tracers share. */
export interface WorldMemory {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
  /** One number: of the latest trace. */
  readonly traces: Int32Array;
  readonly brushStamps: Int32Array;
  readonly patchStamps: Int32Array;
  /** The walk's stack: one frame a level of the tree at most. */
  readonly frames: Float32Array;
  readonly frameNodes: Int32Array;
  /** A point trace against a patch: for each of its planes, where the move crosses it and whether it starts in front. */
  readonly crossings: Float32Array;
  readonly inFront: Uint8Array;
  /** Rounded shapes for exact spheres, by the place of their brush or facet, made on first need. */
  readonly shapes: Map<number, Rounded>;
}

/** What the kernels work on: the world, and one tracer's query and answer. */
export interface Kernel extends WorldMemory {
  readonly query: Float32Array;
  readonly state: Int32Array;
  /** The move as exact spheres take it. */
  readonly rounded: RoundedMove;
}

/** Views of a world's buffer, with scratch sized for it. */
export function openMemory(data: ArrayBufferLike, places: Places): WorldMemory {
  const ints = new Int32Array(data);
  const depth = ints[DEPTH_WORD]! + 1;
  let planes = 0;
  for (let k = 0; k < places.patches.count; k++) {
    planes = Math.max(planes, ints[places.patches.first + 16 * k + 9]!);
  }
  return {
    ints,
    floats: new Float32Array(data),
    places,
    traces: new Int32Array(1),
    brushStamps: new Int32Array(places.brushes.count),
    patchStamps: new Int32Array(places.patches.count),
    frames: new Float32Array(FRAME_FLOATS * depth),
    frameNodes: new Int32Array(depth),
    crossings: new Float32Array(planes),
    inFront: new Uint8Array(planes),
    shapes: new Map(),
  };
}

/** A query and an answer of their own over a world. */
export function createKernel(memory: WorldMemory): Kernel {
  return {
    ...memory,
    query: new Float32Array(QUERY_FLOATS),
    state: new Int32Array(STATE_INTS),
    rounded: createRoundedMove(),
  };
}

/** Starts a trace: no answer yet, and no brush or patch seen. */
export function beginTrace({ query, state, traces, brushStamps, patchStamps }: Kernel): void {
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

/** Place of a leaf from a node's child value, which is negative. */
export function leafPlace(places: Places, child: number): number {
  return places.leafs.first + LEAF_WORDS * (-1 - child);
}
