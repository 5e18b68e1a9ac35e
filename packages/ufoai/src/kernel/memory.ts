import { BOX_STACK_WORD, LINE_STACK_WORD, type Places } from '../layout.ts';

// What the kernels work on: the world's buffer, and scratch of the one who opened it. Queries and answers lie in typed
// arrays, not in arguments, since V8 would box every number that is handed to a function it does not inline.

/** Places in `WorldMemory.line`, in Quake units; three numbers each. */
export const L_START = 0;
export const L_END = 3;
/** Answer: where the line stopped. */
export const L_HIT = 6;
/** The best hit of the tile at hand. */
export const L_TILE_HIT = 9;
/** The hit of the head at hand. */
export const L_HEAD_HIT = 12;
/** How far from the start a hit may still matter; one number. */
export const L_REACH = 15;
/**
 * More than rounding can make a hit seem nearer or farther than it is; one number. Each split moves a point off the line
 * by 0.006 at most, and may have moved the hit that another is compared with as much.
 */
export const L_SLACK = 16;
/** Room that the bounds of the line leave for rounding: infinite where none can be told; one number. */
export const L_ROOM = 17;
/** Bounds of the line up to the nearest hit so far, with that room. */
export const L_LOW = 18;
export const L_HIGH = 21;
const LINE_FLOATS = 24;

/** Places in `WorldMemory.lineAnswer`. */
/** Head that was hit, by its number among all tiles' line heads; -1 for none. */
export const A_HEAD = 0;
/** Twice the place of the node whose plane the line crossed into what blocks, plus 1 if from back to front; -1: none. */
export const A_CROSSING = 1;
/** The crossing of the head at hand. */
export const A_HEAD_CROSSING = 2;
const ANSWER_INTS = 3;

/** Floats in a frame of a line's stack: both ends of a piece. */
export const LINE_FRAME_FLOATS = 6;
/** Integers in such a frame: what to do, node, crossing. */
export const LINE_FRAME_INTS = 3;
/** Floats in a frame of a box's stack: fractions, then both points. */
export const BOX_FRAME_FLOATS = 8;

/** Places in `WorldMemory.box`, in Quake units; three numbers each unless stated otherwise. */
/** Both ends, moved to the box's middle. */
export const B_START = 0;
export const B_END = 3;
/** Corners of the centred box. */
export const B_MINS = 6;
export const B_MAXS = 9;
/** How far the box widens an axial plane: its maxs, 0 for points. */
export const B_EXTENTS = 12;
/** Box around the whole move, with room for rounding: brushes outside it cannot matter. */
export const B_LOW = 15;
export const B_HIGH = 18;
/** From the traced point to the box's middle. */
export const B_CENTER = 21;
/** Records of answers: fraction, normal xyz, distance. That of the head at hand, the tile's best, the world's best. */
export const B_HEAD = 24;
export const B_TILE = 29;
export const B_WORLD = 34;
/** Both ends and both corners as given. */
export const B_GIVEN_START = 39;
export const B_GIVEN_END = 42;
export const B_GIVEN_MINS = 45;
export const B_GIVEN_MAXS = 48;
/** The fraction that a model's trace starts from; one number. */
export const B_LIMIT = 51;
/** A number on its way out of a function. Returned, or taken as an argument, V8 might box it. */
export const B_NUMBER = 52;
const BOX_FLOATS = 53;
const RECORD_FLOATS = 5;

/** Places in `WorldMemory.boxState`. */
export const S_MASK = 0;
export const S_REJECT = 1;
/** 1: the shape is a point. */
export const S_POINT = 2;
/** 1: both ends are one, so this is a position test. */
export const S_STILL = 3;
/** 1: brushes and heads may be skipped by their bounds. */
export const S_CULL = 4;
/** Start solid and all solid of any head; the engine may lose them between heads. */
export const S_ANY_START_SOLID = 5;
export const S_ANY_ALL_SOLID = 6;
/** Records of answers, as in `box`, by the places below. */
export const S_HEAD = 7;
export const S_TILE = 15;
export const S_WORLD = 23;
/** 1: both ends are one in the world; in a model's frame they may come together by rounding. */
export const S_WORLD_STILL = 31;
const STATE_INTS = 32;
const RECORD_INTS = 8;
/** Places in such a record. */
export const R_START_SOLID = 0;
export const R_ALL_SOLID = 1;
export const R_CONTENTS = 2;
/** Place of the side that was hit, 0 for none. */
export const R_SIDE = 3;
/** Place of the brush that was hit, 0 for none. */
export const R_BRUSH = 4;
/** Number of the leaf among all tiles', -1 for none. */
export const R_LEAF = 5;
/** Tile, -1 for none. */
export const R_TILE = 6;
/** Inline model that was traced, 0 for the world. */
export const R_MODEL = 7;

/** A world opened by one thread, with what all its tracers share. */
export interface WorldMemory {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
  /** A line's query and answer: float32 numbers, kept as doubles, which are read faster. */
  readonly line: Float64Array;
  readonly lineAnswer: Int32Array;
  readonly lineFrames: Float64Array;
  readonly lineFrameInts: Int32Array;
  /** A box's query and answers. */
  readonly box: Float32Array;
  readonly boxState: Int32Array;
  /** One number: that of the latest trace through one head. */
  readonly traces: Int32Array;
  readonly brushStamps: Int32Array;
  readonly boxFrames: Float32Array;
  readonly boxFrameNodes: Int32Array;
}

/** Views of a world's buffer, with scratch sized for it. */
export function openMemory(data: ArrayBufferLike, places: Places): WorldMemory {
  const ints = new Int32Array(data);
  const lineDepth = ints[LINE_STACK_WORD]!;
  const boxDepth = ints[BOX_STACK_WORD]!;
  const line = new Float64Array(LINE_FLOATS);
  line[L_SLACK] = 0.05 + lineDepth / 64;
  return {
    ints,
    floats: new Float32Array(data),
    places,
    line,
    lineAnswer: new Int32Array(ANSWER_INTS),
    lineFrames: new Float64Array(LINE_FRAME_FLOATS * lineDepth),
    lineFrameInts: new Int32Array(LINE_FRAME_INTS * lineDepth),
    box: new Float32Array(BOX_FLOATS),
    boxState: new Int32Array(STATE_INTS),
    traces: new Int32Array(1),
    brushStamps: new Int32Array(places.brushes.count),
    boxFrames: new Float32Array(BOX_FRAME_FLOATS * boxDepth),
    boxFrameNodes: new Int32Array(boxDepth),
  };
}

/** The same world, with a box query and answers that belong to one tracer. */
export function ownBox(memory: WorldMemory): WorldMemory {
  return { ...memory, box: new Float32Array(BOX_FLOATS), boxState: new Int32Array(STATE_INTS) };
}

/** Resets a record of an answer: nothing hit, up to a fraction. */
export function clearRecord(
  { box, boxState }: WorldMemory,
  at: number,
  state: number,
  fraction: number,
): void {
  box[at] = fraction;
  for (let k = 1; k < RECORD_FLOATS; k++) box[at + k] = 0;
  for (let k = 0; k < R_LEAF; k++) boxState[state + k] = 0;
  boxState[state + R_LEAF] = -1;
  boxState[state + R_TILE] = -1;
  boxState[state + R_MODEL] = 0;
}

/** Copies a record of an answer over another. */
export function copyRecord(
  { box, boxState }: WorldMemory,
  from: number,
  fromState: number,
  to: number,
  toState: number,
): void {
  for (let k = 0; k < RECORD_FLOATS; k++) box[to + k] = box[from + k]!;
  for (let k = 0; k < RECORD_INTS; k++) boxState[toState + k] = boxState[fromState + k]!;
}

/** A number for a new trace, by which brushes that it has seen are recognised. */
export function nextStamp({ traces, brushStamps }: WorldMemory): number {
  if (traces[0] === 0x7fffffff) {
    // After 2^31 traces the numbers start over; old stamps must not be taken for new ones.
    brushStamps.fill(0);
    traces[0] = 0;
  }
  traces[0]! += 1;
  return traces[0]!;
}
