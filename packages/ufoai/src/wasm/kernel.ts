import { ANSWERS, type HotMemory, openMemory, SEGMENTS, STOPS } from '@bspkit/brushes';
import {
  type Blockers,
  blockerBytes,
  cellRoom,
  createBlockers,
  defineWasm,
  type KernelName,
  type WasmKernel,
} from '@bspkit/core/format';
import { lookAtCells } from '../blockers.ts';
import { BLOCK_WORDS } from '../kernel/block.ts';
import { A_CROSSING, A_HEAD, L_END, L_HIT, L_SLACK, L_START, type WorldMemory } from '../kernel/memory.ts';
import { describePlace } from '../kernel/place.ts';
import type { UfoaiLineTrace } from '../trace.ts';
import {
  BLOCKERS,
  LINE_CROSSING,
  LINE_END,
  LINE_FRACTION,
  LINE_HEAD,
  LINE_HIT,
  LINE_ROOM,
  LINE_STACK,
  LINE_START,
  TREES,
} from './layout.ts';
import { KERNEL } from './module.ts';

const START_WORD = LINE_START / 4;
const END_WORD = LINE_END / 4;
const HIT_WORD = LINE_HIT / 4;
const HEAD_WORD = LINE_HEAD / 4;
const CROSSING_WORD = LINE_CROSSING / 4;
const FRACTION_WORD = LINE_FRACTION / 4;

/** The exports of the kernel's module. */
export interface KernelExports {
  finite(count: number): number;
  testLine(selection: number): number;
  placeLine(selection: number): number;
  traceTiles(only: number, everywhere: number): number;
  traceTree(root: number): number;
  testMoves(count: number, selection: number): number;
  placeMoves(count: number, selection: number): number;
  traceMoves(count: number, only: number, everywhere: number, engine: number): number;
  touchMoves(count: number, only: number, everywhere: number, engine: number): number;
}

/** The kernel's module, for all worlds. */
export const wasm: WasmKernel<KernelExports> = /* @__PURE__ */ defineWasm<KernelExports>(
  KERNEL,
  SEGMENTS,
  LINE_STACK,
);

/** An instance with what it traces through: lines and boxes have one each, made when the first of them is traced. */
export interface Hot extends HotMemory, KernelExports {}

/** The same for lines. */
export interface HotLines extends Hot {
  readonly blockers: Blockers;
}

/** The same for boxes: the memory begins with their block. */
export interface HotBoxes extends Hot {
  /** The trees of all box heads, then of all inline models. */
  readonly trees: Int32Array;
}

/** Which kernel traces in a world. */
export function kernelOf({ kernel, hotLines, hotBoxes }: WorldMemory): KernelName {
  return kernel === 'js' || hotLines === null || hotBoxes === null || !wasm.canRun() ? 'js' : 'wasm';
}

/**
 * An instance of the kernel with what it makes of so many words of the world: for lines of what comes before the nodes,
 * for boxes of these too. `null` where the other kernel has to do.
 */
function open(
  { kernel, ints }: WorldMemory,
  words: number,
  answers: typeof ANSWERS,
  bytes = 0,
): (Hot & { readonly spare: number }) | null {
  try {
    const { exports, buffer, spare } = wasm.build(ints.subarray(0, words), bytes);
    return { ...openMemory(exports, buffer, answers), spare };
  } catch (error) {
    // Every instance has a memory of its own, and there are only so many.
    if (kernel === 'wasm') throw error;
    return null;
  }
}

/** What lines are walked with, made ready at the first call; `null` where the other kernel has to do. */
export function hotLines(memory: WorldMemory): HotLines | null {
  if (memory.hotLines === undefined) memory.hotLines = openLines(memory);
  return memory.hotLines;
}

function openLines(memory: WorldMemory): HotLines | null {
  if (kernelOf(memory) === 'js') return null;
  const { nodes, lines } = memory.places;
  const room = cellRoom(lines.count);
  const hot = open(memory, nodes.first, STOPS, blockerBytes(room));
  if (!hot) return null;
  const { ints, floats, spare } = hot;
  floats[LINE_ROOM >> 2] = memory.line[L_SLACK]!;
  ints[BLOCKERS >> 2] = spare;
  return { ...hot, blockers: createBlockers(floats.buffer, spare, room, lookAtCells(memory)) };
}

/** Makes ready for boxes: their block lies in the kernel's memory from now on. */
export function openBoxes(memory: WorldMemory): void {
  const { places } = memory;
  const hot = kernelOf(memory) === 'js' ? null : open(memory, places.textures.first, ANSWERS);
  memory.hotBoxes = null;
  if (!hot) return;
  const first = hot.ints[TREES >> 2]! >> 2;
  const trees = hot.ints.subarray(first, first + places.boxHeads.count + places.models.count);
  memory.hotBoxes = { ...hot, trees };
  memory.box = hot.floats.subarray(0, BLOCK_WORDS);
  memory.boxState = hot.ints.subarray(0, BLOCK_WORDS);
  memory.settings = undefined;
}

/** Hands a line to the kernel. */
export function takeLine({ floats }: Hot, start: Float32Array, end: Float32Array): void {
  floats[START_WORD] = start[0]!;
  floats[START_WORD + 1] = start[1]!;
  floats[START_WORD + 2] = start[2]!;
  floats[END_WORD] = end[0]!;
  floats[END_WORD + 1] = end[1]!;
  floats[END_WORD + 2] = end[2]!;
}

/** Writes the answer to the line that the kernel has just found the place of. */
export function answerHotLine(memory: WorldMemory, hot: Hot, blocked: boolean, out: UfoaiLineTrace): void {
  const { floats, ints } = hot;
  out.fraction = floats[FRACTION_WORD]!;
  describePlace(memory, floats, HIT_WORD, ints[HEAD_WORD]!, ints[CROSSING_WORD]!, blocked, out);
}

/** Finds where the line in `memory.line` is stopped, as `walkTrees` does: 1, 0, or -1 if the other kernel has to be asked. */
export function placeHotLine({ line, lineAnswer }: WorldMemory, hot: Hot, selection: number): number {
  const { floats, ints } = hot;
  floats[START_WORD] = line[L_START]!;
  floats[START_WORD + 1] = line[L_START + 1]!;
  floats[START_WORD + 2] = line[L_START + 2]!;
  floats[END_WORD] = line[L_END]!;
  floats[END_WORD + 1] = line[L_END + 1]!;
  floats[END_WORD + 2] = line[L_END + 2]!;
  const answer = hot.placeLine(selection);
  line[L_HIT] = floats[HIT_WORD]!;
  line[L_HIT + 1] = floats[HIT_WORD + 1]!;
  line[L_HIT + 2] = floats[HIT_WORD + 2]!;
  lineAnswer[A_HEAD] = ints[HEAD_WORD]!;
  lineAnswer[A_CROSSING] = ints[CROSSING_WORD]!;
  return answer;
}
