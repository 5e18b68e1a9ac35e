import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BspWorld } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import type { BenchMap } from './maps.ts';
import { buildWorld } from './world.ts';

// What a run would find out after an hour is found out before it measures anything.

/** Names that can be asked for instead of measuring everything, in a world. */
export type ShapeNames = (format: BspFormat, world: BspWorld) => readonly string[];

/**
 * Opens all maps, and looks for the requested shapes in them.
 *
 * @throws (rejects with) what `open` rejects with; RangeError for a shape that none of the maps has.
 */
export async function checkAsked(
  maps: readonly string[],
  shapes: readonly string[] | undefined,
  open: (name: string) => Promise<BenchMap>,
  namesOf: ShapeNames,
): Promise<void> {
  const known = new Set<string>();
  for (const name of maps) {
    const map = await open(name);
    if (shapes) for (const shape of namesOf(map.format, buildWorld(map))) known.add(shape);
  }
  const unknown = shapes?.filter((name) => !known.has(name)) ?? [];
  if (unknown.length > 0) {
    throw new RangeError(
      `no map has a shape that is called '${unknown.join("' or '")}', but there are ${[...known].join(', ')}`,
    );
  }
}

/** Throws an Error with the path of a file that cannot be written. */
export function checkWritable(...paths: readonly (string | undefined)[]): void {
  for (const path of paths)
    if (path !== undefined) accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
}
