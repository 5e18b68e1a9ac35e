import {
  BOX_FRAME_BYTES,
  type HotMemory,
  STACK,
  TreeBuilder,
  Writer,
  writeHotBrushes,
} from '@bspkit/brushes';
import { defineWasm, type KernelName, type WasmInstance, type WasmKernel } from '@bspkit/core/format';
import { BLOCK_WORDS } from '../kernel/block.ts';
import { headOf, type WorldMemory } from '../kernel/memory.ts';
import { DEPTH_WORD } from '../layout.ts';
import { KERNEL } from './module.ts';

interface KernelExports {
  traceMove(root: number, placed: number): number;
  traceMoves(count: number, root: number): number;
  testMoves(count: number, root: number): number;
}

export const wasm: WasmKernel<KernelExports> = /* @__PURE__ */ defineWasm(KERNEL);

/** The kernel with a world in its memory. */
export interface Hot extends HotMemory, KernelExports {
  /** By model: its tree. */
  readonly roots: Int32Array;
}

/** Which kernel traces in a world. */
export function kernelOf({ kernel, hot }: WorldMemory): KernelName {
  return kernel === 'js' || hot === null || !wasm.canRun() ? 'js' : 'wasm';
}

/** Makes the WebAssembly kernel ready, if it can run: the block lies in its memory from now on. */
export function openHot(memory: WorldMemory): void {
  memory.hot = kernelOf(memory) === 'js' ? null : build(memory);
  if (!memory.hot) return;
  memory.box = memory.hot.floats.subarray(0, BLOCK_WORDS);
  memory.boxState = memory.hot.ints.subarray(0, BLOCK_WORDS);
  memory.settings = undefined;
}

function build(memory: WorldMemory): Hot | null {
  const { ints, places } = memory;
  const out = new Writer(STACK + BOX_FRAME_BYTES * (ints[DEPTH_WORD]! + 1));
  const trees = new TreeBuilder(memory, out, writeHotBrushes(memory, out));
  const roots = Int32Array.from({ length: places.models.count }, (_, k) => trees.child(headOf(memory, k)));
  let instance: WasmInstance<KernelExports>;
  try {
    instance = wasm.instantiate(out.length);
  } catch (error) {
    // Every instance has a memory of its own, and there are only so many.
    if (memory.kernel === 'wasm') throw error;
    return null;
  }
  const hotInts = new Int32Array(instance.buffer);
  hotInts.set(out.ints.subarray(0, out.length >> 2));
  return {
    ...instance.exports,
    ints: hotInts,
    floats: new Float32Array(instance.buffer),
    bytes: new Uint8Array(instance.buffer),
    roots,
  };
}
