import { type BoxSettings, copySettings } from '@bspkit/brushes';
import { openBoxes } from '../wasm/kernel.ts';
import type { WorldMemory } from './memory.ts';

/**
 * Writes a tracer's settings into the block, unless they are there already. The block may move afterwards: the very first trace
 * of a box makes the WebAssembly kernel ready, which keeps it in its own memory.
 */
export function useSettings(memory: WorldMemory, settings: BoxSettings): void {
  if (memory.hotBoxes === undefined) openBoxes(memory);
  if (memory.settings === settings) return;
  memory.settings = settings;
  copySettings(memory, settings);
}
