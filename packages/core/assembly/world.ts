// The world's buffer, as kernels find it when they lay out the data they work on: see `WasmKernel.build`.

/** The most bytes that memory may have: addresses are signed. */
export const MOST_BYTES: i64 = 0x7fff0000;
const PAGE_BITS = 16;

/** Where the world is: at the end of memory, so that nothing has to be moved out of the way. */
export let world: usize = 0;

/** Its bytes, and how many bytes of memory were last asked for. */
let worldBytes: usize = 0;
let needed: i64 = 0;

/** Finds the world, which takes `size` bytes. */
export function findWorld(size: usize): void {
  worldBytes = size;
  world = ((<usize>memory.size()) << PAGE_BITS) - size;
}

/** Address of a place in the world's buffer. */
export function at(place: i32): usize {
  return world + 4 * <usize>place;
}

/** Where a section begins, and how many records it has. Sections are given by their words in the header. */
export function first(section: usize): usize {
  return at(load<i32>(world + 4 * section));
}

export function count(section: usize): i32 {
  return load<i32>(world + 4 * section, 4);
}

/** Moves the world this many bytes towards the beginning of memory. */
export function moveWorld(bytes: usize): void {
  memory.copy(world - bytes, world, worldBytes);
  world -= bytes;
}

/** Whether memory has this many bytes before the world. */
export function hasRoom(bytes: i64): bool {
  needed = bytes + worldBytes;
  return needed <= MOST_BYTES && bytes <= <i64>world;
}

/** What `build` returns if it fails: the bytes that it needs, negated; 0 if these are too many. */
export function shortage(): i32 {
  return needed > MOST_BYTES ? 0 : -(<i32>needed);
}
