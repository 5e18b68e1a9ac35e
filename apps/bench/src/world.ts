import type { BspWorld, KernelName, Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';

/** What a world is built from. */
export interface WorldSource {
  readonly format: BspFormat;
  /** Of an assembly, the first of its tiles. */
  readonly bytes: Uint8Array;
  /** Files of an assembly, each with its place in the format's cells. */
  readonly tiles?: readonly Tile[] | undefined;
}

interface Tile {
  readonly bytes: Uint8Array;
  readonly offset: Vec3;
}

/** Reads and builds. */
export function buildWorld({ format, bytes, tiles }: WorldSource, kernel?: KernelName): BspWorld {
  if (!tiles) return format.createWorld([format.read(bytes)], { kernel });
  const files = tiles.map((tile) => format.read(tile.bytes));
  return format.createWorld(files, { kernel, offsets: tiles.map(({ offset }) => offset) });
}
