import type { Vec3 } from '@bspkit/core';
import { defineWasm, type KernelName, type WasmInstance, type WasmKernel } from '@bspkit/core/format';
import { BLOCK_WORDS } from '../kernel/block.ts';
import { A_CROSSING, A_HEAD, L_END, L_HIT, L_START, type WorldMemory } from '../kernel/memory.ts';
import { buildBoxes } from './build-boxes.ts';
import { buildLines } from './build-lines.ts';
import { LINE_CROSSING, LINE_END, LINE_HEAD, LINE_HIT, LINE_START } from './layout.ts';
import { KERNEL } from './module.ts';
import type { Writer } from './writer.ts';

const START_WORD = LINE_START / 4;
const END_WORD = LINE_END / 4;
const HIT_WORD = LINE_HIT / 4;
const HEAD_WORD = LINE_HEAD / 4;
const CROSSING_WORD = LINE_CROSSING / 4;

/** The exports of the kernel's module. */
export interface KernelExports {
  testLine(selection: number): number;
  placeLine(selection: number): number;
  traceTiles(only: number, always: number): number;
  traceTree(root: number): number;
  testMoves(count: number, selection: number): number;
  placeMoves(count: number, selection: number): number;
  traceMoves(count: number, only: number, always: number, engine: number): number;
  touchMoves(count: number, only: number, always: number, engine: number): number;
}

/** The kernel's module, for all worlds. */
export const wasm: WasmKernel<KernelExports> = /* @__PURE__ */ defineWasm<KernelExports>(KERNEL);

/** An instance with what it traces through: lines and boxes have one each, made when the first of them is traced. */
export interface Hot extends KernelExports {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly bytes: Uint8Array;
}

/** The same for boxes: the memory begins with their block, and their trees are found by the number of the root node. */
export interface HotBoxes extends Hot {
  readonly trees: ReadonlyMap<number, number>;
}

/** Which kernel traces in a world. */
export function kernelOf({ kernel, hotLines, hotBoxes }: WorldMemory): KernelName {
  return kernel === 'js' || hotLines === null || hotBoxes === null || !wasm.canRun() ? 'js' : 'wasm';
}

/** An instance of the kernel with what has been built for it; `null` where the other kernel has to do. */
function open(memory: WorldMemory, built: Writer): Hot | null {
  let instance: WasmInstance<KernelExports>;
  try {
    instance = wasm.instantiate(built.length);
  } catch (error) {
    // Every instance has a memory of its own, and there are only so many.
    if (memory.kernel === 'wasm') throw error;
    return null;
  }
  const ints = new Int32Array(instance.buffer);
  ints.set(built.ints.subarray(0, built.length >> 2));
  // Taken out one by one: an instance's own object of exports is slow to ask.
  const { testLine, placeLine, traceTiles, traceTree } = instance.exports;
  const { testMoves, placeMoves, traceMoves, touchMoves } = instance.exports;
  const [floats, bytes] = [new Float32Array(instance.buffer), new Uint8Array(instance.buffer)];
  const walks = { testLine, placeLine, traceTiles, traceTree };
  return { ints, floats, bytes, ...walks, testMoves, placeMoves, traceMoves, touchMoves };
}

/** Makes ready for lines. */
export function openLines(memory: WorldMemory): void {
  memory.hotLines = kernelOf(memory) === 'js' ? null : open(memory, buildLines(memory));
}

/** Makes ready for boxes: their block lies in the kernel's memory from now on. */
export function openBoxes(memory: WorldMemory): void {
  if (kernelOf(memory) === 'js') {
    memory.hotBoxes = null;
    return;
  }
  const { out, trees } = buildBoxes(memory);
  const hot = open(memory, out);
  memory.hotBoxes = hot && { ...hot, trees };
  if (!hot) return;
  memory.box = hot.floats.subarray(0, BLOCK_WORDS);
  memory.boxState = hot.ints.subarray(0, BLOCK_WORDS);
  memory.settings = undefined;
}

/**
 * Whether trees block a line: 1 or 0, or -1 if the other kernel has to be asked, for lines that lead far out and for what
 * is not finite.
 */
export function testHotLine(hot: Hot, start: Vec3, end: Vec3, selection: number): number {
  const { floats } = hot;
  floats[START_WORD] = start[0]!;
  floats[START_WORD + 1] = start[1]!;
  floats[START_WORD + 2] = start[2]!;
  floats[END_WORD] = end[0]!;
  floats[END_WORD + 1] = end[1]!;
  floats[END_WORD + 2] = end[2]!;
  return hot.testLine(selection);
}

/** The same for the line in `memory.line`, and finds where it is stopped, as `walkTrees` does. */
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
