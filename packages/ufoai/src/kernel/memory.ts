import {
  BOX_FRAME_FLOATS,
  type BrushMemory,
  type BrushRules,
  createBlock,
  R_ALL_SOLID,
  R_BRUSH,
  R_CONTENTS,
  R_DIST,
  R_LEAF,
  R_SIDE,
  R_START_SOLID,
} from '@bspkit/brushes';
import type { KernelChoice } from '@bspkit/core/format';
import { BOX_STACK_WORD, LINE_STACK_WORD } from '../layout.ts';
import type { Places } from '../sections.ts';
import type { HotBoxes, HotLines } from '../wasm/kernel.ts';
import { BLOCK_WORDS, R_MODEL, R_TILE } from './block.ts';

// What the kernels work on: the world's buffer, and scratch memory of whoever opened it. Queries and answers are in typed arrays,
// not in arguments, since V8 would box every number that is passed to a function it does not inline.

/** Places in `WorldMemory.line`, in Quake units; three numbers each. */
export const L_START = 0;
export const L_END = 3;
/** Answer: where the line stopped. */
export const L_HIT = 6;
/** The best hit of the current tile. */
export const L_TILE_HIT = 9;
/** The hit of the current head. */
export const L_HEAD_HIT = 12;
/** How far from the start a hit may still matter; one number. */
export const L_REACH = 15;
/**
 * More than rounding can make a hit seem nearer or farther than it is; one number. Each split moves a point off the line by 0.006
 * at most, and may have moved the hit that it is compared with by as much.
 */
export const L_SLACK = 16;
/** Room that the bounds of the line leave for rounding: infinite if that is not known; one number. */
export const L_ROOM = 17;
/** Bounds of the line up to the nearest hit so far, with that room. */
export const L_LOW = 18;
export const L_HIGH = 21;
const LINE_FLOATS = 24;

/** Places in `WorldMemory.lineAnswer`. */
/** Head that was hit, by its number among all tiles' line heads; -1 for none. */
export const A_HEAD = 0;
/** Twice the place of the node through whose plane the line came into what blocks, plus 1 if from back to front; -1 for none. */
export const A_CROSSING = 1;
/** The crossing of the current head. */
export const A_HEAD_CROSSING = 2;
const ANSWER_INTS = 3;

/** Floats in a frame of a line's stack: both ends of a piece. */
export const LINE_FRAME_FLOATS = 6;
/** Integers in such a frame: what to do, node, crossing. */
export const LINE_FRAME_INTS = 3;
/** As the engine has them. */
const RULES: BrushRules = { inDouble: true, touchMargin: 0, touchEpsilon: 0.001 };

/** A world opened by one thread, with what all its tracers share. */
export interface WorldMemory extends BrushMemory {
  readonly places: Places;
  /** A line's query and answer: float32 numbers, kept as doubles, which are read faster. */
  readonly line: Float64Array;
  readonly lineAnswer: Int32Array;
  readonly lineFrames: Float64Array;
  readonly lineFrameInts: Int32Array;
  /**
   * Which kernel traces, and what the WebAssembly kernel has prepared of the world for lines, once needed: `null` if it does not
   * run.
   */
  readonly kernel: KernelChoice;
  hotLines: HotLines | null | undefined;
  /** The same for boxes. */
  hotBoxes: HotBoxes | null | undefined;
}

/** Views of a world's buffer, with scratch sized for it. */
export function openMemory(data: ArrayBufferLike, places: Places, kernel: KernelChoice): WorldMemory {
  const ints = new Int32Array(data);
  const lineDepth = ints[LINE_STACK_WORD]!;
  const boxDepth = ints[BOX_STACK_WORD]!;
  const line = new Float64Array(LINE_FLOATS);
  line[L_SLACK] = 0.05 + lineDepth / 64;
  return {
    ints,
    floats: new Float32Array(data),
    places,
    rules: RULES,
    line,
    lineAnswer: new Int32Array(ANSWER_INTS),
    lineFrames: new Float64Array(LINE_FRAME_FLOATS * lineDepth),
    lineFrameInts: new Int32Array(LINE_FRAME_INTS * lineDepth),
    kernel,
    hotLines: undefined,
    hotBoxes: undefined,
    ...createBlock(BLOCK_WORDS),
    settings: undefined,
    traces: new Int32Array(1),
    brushStamps: new Int32Array(places.brushes.count),
    boxFrames: new Float32Array(BOX_FRAME_FLOATS * boxDepth),
    boxFrameNodes: new Int32Array(boxDepth),
  };
}

/** Resets a record of an answer: nothing hit. The caller must set its fraction: V8 might box it as an argument. */
export function clearRecord({ boxState }: WorldMemory, at: number): void {
  boxState[at + 1] = 0;
  boxState[at + 2] = 0;
  boxState[at + 3] = 0;
  boxState[at + R_DIST] = 0;
  boxState[at + R_START_SOLID] = 0;
  boxState[at + R_ALL_SOLID] = 0;
  boxState[at + R_CONTENTS] = 0;
  boxState[at + R_SIDE] = 0;
  boxState[at + R_BRUSH] = 0;
  boxState[at + R_LEAF] = -1;
  boxState[at + R_TILE] = -1;
  boxState[at + R_MODEL] = 0;
}

/** Copies a record of an answer over another. */
export function copyRecord({ boxState }: WorldMemory, from: number, to: number): void {
  boxState[to] = boxState[from]!;
  boxState[to + 1] = boxState[from + 1]!;
  boxState[to + 2] = boxState[from + 2]!;
  boxState[to + 3] = boxState[from + 3]!;
  boxState[to + R_DIST] = boxState[from + R_DIST]!;
  boxState[to + R_START_SOLID] = boxState[from + R_START_SOLID]!;
  boxState[to + R_ALL_SOLID] = boxState[from + R_ALL_SOLID]!;
  boxState[to + R_CONTENTS] = boxState[from + R_CONTENTS]!;
  boxState[to + R_SIDE] = boxState[from + R_SIDE]!;
  boxState[to + R_BRUSH] = boxState[from + R_BRUSH]!;
  boxState[to + R_LEAF] = boxState[from + R_LEAF]!;
  boxState[to + R_TILE] = boxState[from + R_TILE]!;
  boxState[to + R_MODEL] = boxState[from + R_MODEL]!;
}
