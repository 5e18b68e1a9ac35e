import { type BoxSettings, copySettings } from '@bspkit/brushes';
import { openBoxes } from '../wasm/kernel.ts';
import type { WorldMemory } from './memory.ts';

/**
 * Puts a tracer's settings into the block, unless they are the ones that stand there. The block may have moved
 * afterwards: the first of all traces with a box makes the WebAssembly kernel ready, which has it in its own memory.
 */
export function useSettings(memory: WorldMemory, settings: BoxSettings): void {
  if (memory.hotBoxes === undefined) openBoxes(memory);
  if (memory.settings === settings) return;
  memory.settings = settings;
  copySettings(memory, settings);
}
