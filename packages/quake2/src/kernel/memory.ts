import { BOX_FRAME_FLOATS, type BrushMemory, type BrushRules, createBlock } from '@bspkit/brushes';
import type { KernelChoice } from '@bspkit/core';
import { type Clearings, held } from '@bspkit/core/format';
import { DEPTH_WORD, MODEL_HEAD, MODEL_WORDS } from '../layout.ts';
import type { Places } from '../sections.ts';
import type { Hot } from '../wasm/kernel.ts';
import { BLOCK_WORDS } from './block.ts';

/** What the engine does as it does it. */
const RULES: BrushRules = { inDouble: false, touchMargin: 1, touchEpsilon: 0 };

/** A world opened by one thread, with what all its tracers share. */
export interface WorldMemory extends BrushMemory {
  readonly places: Places;
  /** The lump of visibility. */
  readonly visibility: Uint8Array;
  readonly kernel: KernelChoice;
  /** The world as the WebAssembly kernel has it: `undefined` before the first trace, `null` where it is not used. */
  hot: Hot | null | undefined;
  /** Where moves meet nothing: `undefined` before the first trace, `null` where there can be none. */
  clearings: Clearings | null | undefined;
}

/** What a tracer traces against. */
export class Target {
  /** Model in that memory: 0 for the world. */
  readonly model: number;
  /** Its head: a node, or below 0 a leaf. */
  readonly root: number;
  /** Number to report as hit. */
  readonly number: number;
  /** It can stand elsewhere than where it was built; `turns` tells whether it also follows angles. */
  readonly moves: boolean;
  readonly turns: boolean;
  /** Its planes are those of a map file. */
  readonly inFile: boolean;
  /** What walks take that look themselves whether the world's data is still there. */
  readonly given: WorldMemory;

  constructor(memory: WorldMemory, part: Omit<Target, 'memory' | 'given'>) {
    this.given = memory;
    this.model = part.model;
    this.root = part.root;
    this.number = part.number;
    this.moves = part.moves;
    this.turns = part.turns;
    this.inFile = part.inFile;
  }

  /** Throws `TypeError` once the world's data has been transferred. */
  get memory(): WorldMemory {
    return held(this.given);
  }
}

/** Views of a world's buffer, with scratch sized for it. */
export function openMemory(data: ArrayBufferLike, places: Places, kernel: KernelChoice): WorldMemory {
  const ints = new Int32Array(data);
  const depth = ints[DEPTH_WORD]! + 1;
  return {
    ints,
    floats: new Float32Array(data),
    places,
    visibility: new Uint8Array(data, 4 * places.visibility.first, 4 * places.visibility.count),
    rules: RULES,
    kernel,
    hot: undefined,
    clearings: undefined,
    ...createBlock(BLOCK_WORDS),
    settings: undefined,
    traces: new Int32Array(1),
    brushStamps: new Int32Array(places.brushes.count),
    boxFrames: new Float32Array(BOX_FRAME_FLOATS * depth),
    boxFrameNodes: new Int32Array(depth),
  };
}

/** The head of a model. That of the world is node 0, as in the engine. */
export function headOf({ ints, places }: WorldMemory, model: number): number {
  return model === 0 ? 0 : ints[places.models.first + MODEL_WORDS * model + MODEL_HEAD]!;
}
