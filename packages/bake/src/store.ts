import type { UnsharedBytes } from '@bspkit/core';
import { checkArrayOf } from '@bspkit/core/format';
import { joinBytes } from './arrays.ts';

/** Where a bake's file grows: on disk, or in memory. */
export interface BakeStore {
  /** What errors about its content begin with, such as the file's path. */
  readonly name?: string | undefined;
  /** How many bytes there are. */
  size(): number | Promise<number>;
  /** Bytes at a place; fewer if the file ends before. */
  read(at: number, length: number): Uint8Array | Promise<Uint8Array>;
  /** Cuts the file off at a place, and adds bytes there. Resolves when they have been handed to the system. */
  append(at: number, bytes: Uint8Array): void | Promise<void>;
  /** Replaces all of the content at once: readers see either the old or the new. */
  replace(parts: AsyncIterable<Uint8Array>): void | Promise<void>;
}

/** A store in memory. */
export interface MemoryStore extends BakeStore {
  /** What it holds, as a copy: a bake that comes later is written over what is there. */
  bytes(): UnsharedBytes;
}

/** Makes a store in memory. */
export function memoryStore(content: Uint8Array = new Uint8Array()): MemoryStore {
  checkArrayOf(content, Uint8Array, 'content');
  let room: UnsharedBytes = new Uint8Array(content);
  let size = room.length;
  return {
    size: () => size,
    read: (at, length) => room.slice(at, Math.min(at + length, size)),
    append(at, bytes) {
      if (at + bytes.length > room.length) {
        const larger = new Uint8Array(2 * (at + bytes.length));
        larger.set(room.subarray(0, at));
        room = larger;
      }
      room.set(bytes, at);
      size = at + bytes.length;
    },
    async replace(parts) {
      const all: Uint8Array[] = [];
      for await (const part of parts) all.push(part);
      room = joinBytes(all);
      size = room.length;
    },
    bytes: () => room.slice(0, size),
  };
}
