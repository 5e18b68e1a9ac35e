import type { WorldMemory } from '../kernel/memory.ts';
import { SIDE_DIST, SIDE_WORDS } from '../layout.ts';
import type { Hot } from './kernel.ts';
import { BLOCK_BYTES, LIST_HEADER, LISTS, RECORD_BYTES, SIDE_STRIDE, SIDES, STAMPED } from './layout.ts';

// Box entities, in the one hot section that they share.

/** Writes the one brush of a box entity; the rest of the hot section is the same for all of them. */
export function writeBox({ ints, floats }: Hot, world: WorldMemory): void {
  const { places } = world;
  const at = ints[STAMPED >> 2]! >> 2;
  const bounds = places.brushRefs.first;
  for (let k = 0; k < 6; k++) {
    floats[at + 4 * (k & 1) + (k >> 1)] = world.floats[bounds + k]!;
    const block = at + ((RECORD_BYTES + BLOCK_BYTES * (k >> 2)) >> 2);
    floats[block + 12 + (k & 3)] = world.floats[places.sides.first + SIDE_WORDS * k + SIDE_DIST]!;
  }
}

/**
 * Writes what is the same for all box entities: quantised bounds, which stay as they are, miss nothing, and sides have no plane
 * or shader.
 */
export function openBox({ ints }: Hot): void {
  const list = ints[(ints[LISTS >> 2]! >> 2) + 1]!;
  new Int16Array(ints.buffer, list + LIST_HEADER, 6).fill(32767);
  const sides = ints[SIDES >> 2]! >> 2;
  ints.fill(-1, sides, sides + 6 * (SIDE_STRIDE >> 2));
}
