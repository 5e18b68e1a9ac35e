import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BspWorld } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import type { BenchMap } from './maps.ts';
import { queriesFor } from './queries/for-map.ts';
import { playerTracer } from './shapes.ts';
import { buildWorld } from './world.ts';

// What a run would find out after an hour is found out before it measures anything.

/** Names that can be asked for instead of measuring everything, in a world. */
export type ShapeNames = (format: BspFormat, world: BspWorld) => readonly string[];

/**
 * Opens and builds all maps, and looks for the requested shapes in them, and for room to start from.
 *
 * @param seed - that of the queries; undefined where they are recorded ones.
 * @throws (rejects with) what `open` rejects with, and Error with the name of a map that cannot be built or has no room for a
 *   player; RangeError for a shape that none of the maps has.
 */
export async function checkAsked(
  maps: readonly string[],
  shapes: readonly string[] | undefined,
  open: (name: string) => Promise<BenchMap>,
  namesOf: ShapeNames,
  seed: number | undefined,
): Promise<void> {
  const known = new Set<string>();
  for (const name of maps) {
    const map = await open(name);
    for (const shape of ofMap(map, () => namesOf(map.format, worldOf(map, seed)))) known.add(shape);
  }
  const unknown = shapes?.filter((name) => !known.has(name)) ?? [];
  if (unknown.length > 0) {
    throw new RangeError(
      `no map has a shape that is called '${unknown.join("' or '")}', but there are ${[...known].join(', ')}`,
    );
  }
}

/** A map's world, in which queries with this seed have been made. */
function worldOf(map: BenchMap, seed: number | undefined): BspWorld {
  const world = buildWorld(map);
  if (seed !== undefined)
    queriesFor(world, playerTracer(map.format, world), { motion: 'long', count: 1, seed });
  return world;
}

function ofMap<T>(map: BenchMap, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${map.name}: ${(error as Error).message}`, { cause: error });
  }
}

/** Throws an Error with the path of a file that cannot be written. */
export function checkWritable(...paths: readonly (string | undefined)[]): void {
  for (const path of paths) {
    if (path === undefined) continue;
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    if (isFolder(path)) throw new Error(`${path} is a folder, and cannot be written`);
  }
}

/** Whether a path is that of a folder, which need not exist. */
const isFolder = (path: string): boolean =>
  /[/\\]$/.test(path) || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
