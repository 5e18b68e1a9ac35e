// The world's buffer, as kernels find it when they lay out the data they work on: see `WasmKernel.build`.

/** The most bytes that memory may have: addresses are signed. */
export const MOST_BYTES: i64 = 0x7fff0000;
const PAGE_BITS = 16;

/** Where the world is: at the beginning of memory, until it is moved. */
export let world: usize = 0;

/** How many bytes of memory were last asked for. */
let needed: i64 = 0;

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

/** Whether memory has this many bytes. */
export function hasRoom(bytes: i64): bool {
  needed = bytes;
  return bytes <= MOST_BYTES && bytes <= (<i64>memory.size()) << PAGE_BITS;
}

/** What `build` returns if it fails: the bytes that it needs, negated; 0 if these are too many. */
export function shortage(): i32 {
  return needed > MOST_BYTES ? 0 : -(<i32>needed);
}

/** Moves the world, of `size` bytes, from the beginning of memory to an address. Everything before it is 0 afterwards. */
export function moveWorld(size: usize, to: usize): void {
  world = to;
  memory.copy(to, 0, size);
  memory.fill(0, 0, min<usize>(size, to));
}
