import { ANSWERS, brushTree, type HotMemory, openMemory, SEGMENTS, STACK } from '@bspkit/brushes';
import {
  type Blockers,
  blockerBytes,
  brushRoom,
  clearingBytes,
  createBlockers,
  createClearings,
  defineWasm,
  type KernelName,
  lookAtBrushes,
  type WasmKernel,
} from '@bspkit/core/format';
import { gridOf, worldObstacles } from '../clearings.ts';
import { BLOCK_WORDS } from '../kernel/block.ts';
import type { WorldMemory } from '../kernel/memory.ts';
import { ROOTS } from './layout.ts';
import { KERNEL } from './module.ts';

interface KernelExports {
  finite(count: number): number;
  traceMove(root: number, placed: number, asks: number): number;
  traceMoves(count: number, root: number): number;
  testMoves(count: number, root: number): number;
}

export const wasm: WasmKernel<KernelExports> = /* @__PURE__ */ defineWasm(KERNEL, SEGMENTS, STACK);

/** The kernel with a world in its memory. */
export interface Hot extends HotMemory, KernelExports {
  /** The tree of each model. */
  readonly roots: Int32Array;
  readonly blockers: Blockers;
}

/** Which kernel traces in a world. */
export function kernelOf({ kernel, hot }: WorldMemory): KernelName {
  return kernel === 'js' || hot === null || !wasm.canRun() ? 'js' : 'wasm';
}

/** Makes the WebAssembly kernel ready, if it can run: from now on the block is in its memory. */
export function openHot(memory: WorldMemory): void {
  memory.hot = kernelOf(memory) === 'js' ? null : build(memory);
  if (!memory.hot) return;
  memory.box = memory.hot.floats.subarray(0, BLOCK_WORDS);
  memory.boxState = memory.hot.ints.subarray(0, BLOCK_WORDS);
  memory.settings = undefined;
}

function build(memory: WorldMemory): Hot | null {
  const { kernel, ints: world, places } = memory;
  try {
    const grid = gridOf(memory);
    const room = brushRoom(places.brushes.count);
    const forClearings = grid ? clearingBytes(grid) : 0;
    // Traces do not need what comes after the models.
    const { exports, buffer, spare } = wasm.build(
      world.subarray(0, places.areas.first),
      forClearings + blockerBytes(room),
    );
    memory.clearings = grid ? createClearings(grid, worldObstacles(memory), buffer, spare) : null;
    const hot = openMemory(exports, buffer, ANSWERS);
    const { ints } = hot;
    const first = ints[ROOTS >> 2]! >> 2;
    return {
      ...hot,
      roots: ints.subarray(first, first + places.models.count),
      blockers: createBlockers(buffer, spare + forClearings, room, lookAtBrushes(brushTree(memory, 0, ints))),
    };
  } catch (error) {
    // Every instance has a memory of its own, and their number is limited.
    if (kernel === 'wasm') throw error;
    return null;
  }
}
