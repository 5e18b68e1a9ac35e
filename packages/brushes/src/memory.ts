import type { SectionPlace } from '@bspkit/core/format';
import {
  B_HEAD,
  R_ALL_SOLID,
  R_BRUSH,
  R_CONTENTS,
  R_DIST,
  R_LEAF,
  R_NORMAL,
  R_SIDE,
  R_START_SOLID,
  SETTINGS,
  SETTINGS_WORDS,
} from './block.ts';

// What the walks work on: the world's buffer, and scratch memory of whoever opened it. Queries and answers are in
// typed arrays, not in arguments, since V8 would box every number that is passed to a function it does not inline.

/** The sections of a world's buffer that the walks read. */
type TreeSection = 'nodes' | 'planes' | 'leafs' | 'brushes' | 'sides';

/** What engines do differently. */
export interface BrushRules {
  /** Whether epsilons are added in double, and what comes of it is rounded once; else every step is rounded. */
  readonly inDouble: boolean;
  /** How much wider than the box a position test looks for leafs, in Quake units. */
  readonly touchMargin: number;
  /** How near to a plane a position test takes the box to be on both sides, in Quake units; 0: compared exactly. */
  readonly touchEpsilon: number;
}

/** The block as one tracer has it, of which only the settings count. */
export interface BoxSettings {
  readonly box: Float32Array;
  readonly boxState: Int32Array;
}

/** Trees and brushes of a world that one thread has opened, with what all its tracers share. */
export interface BrushMemory {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Readonly<Record<TreeSection, SectionPlace>>;
  readonly rules: BrushRules;
  /** A box's query and answer: the block that `block.ts` describes, as floats and as whole numbers. */
  box: Float32Array;
  boxState: Int32Array;
  /** The settings that are in the block. */
  settings: BoxSettings | undefined;
  /** One number: that of the latest trace through one tree. */
  readonly traces: Int32Array;
  readonly brushStamps: Int32Array;
  readonly boxFrames: Float32Array;
  readonly boxFrameNodes: Int32Array;
}

/** Floats in a frame of a box's stack: fractions, then both points. */
export const BOX_FRAME_FLOATS = 8;

/** A block of this many words. */
export function createBlock(words: number): BoxSettings {
  const box = new Float32Array(words);
  return { box, boxState: new Int32Array(box.buffer) };
}

/** Room for a tracer's settings: a block that ends with them. */
export function createSettings(): BoxSettings {
  return createBlock(SETTINGS + SETTINGS_WORDS);
}

/** Puts a tracer's settings into the block. */
export function copySettings({ boxState }: BrushMemory, settings: BoxSettings): void {
  for (let k = SETTINGS; k < SETTINGS + SETTINGS_WORDS; k++) boxState[k] = settings.boxState[k]!;
}

/** Resets the answer: nothing hit on the whole way. */
export function clearAnswer({ box, boxState }: BrushMemory): void {
  box[B_HEAD] = 1;
  boxState[B_HEAD + R_NORMAL] = 0;
  boxState[B_HEAD + R_NORMAL + 1] = 0;
  boxState[B_HEAD + R_NORMAL + 2] = 0;
  boxState[B_HEAD + R_DIST] = 0;
  boxState[B_HEAD + R_START_SOLID] = 0;
  boxState[B_HEAD + R_ALL_SOLID] = 0;
  boxState[B_HEAD + R_CONTENTS] = 0;
  boxState[B_HEAD + R_SIDE] = 0;
  boxState[B_HEAD + R_BRUSH] = 0;
  boxState[B_HEAD + R_LEAF] = -1;
}

/** A number for a new trace, by which brushes that it has seen are recognised. */
export function nextStamp({ traces, brushStamps }: BrushMemory): number {
  if (traces[0] === 0x7fffffff) {
    // After 2^31 traces the numbers start over; old stamps must not be taken for new ones.
    brushStamps.fill(0);
    traces[0] = 0;
  }
  traces[0]! += 1;
  return traces[0]!;
}
