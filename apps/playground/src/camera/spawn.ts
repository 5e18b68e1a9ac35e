import { isStart } from '@bspkit/bake';
import { type BspWorld, entityVector } from '@bspkit/core';
import type { OpenMap } from '../app/open-map.ts';

/** Where somebody may stand. */
export interface Spawn {
  readonly position: readonly [number, number, number];
  /** Degrees, counter-clockwise from x. */
  readonly yaw: number;
}

/** Of all starts, the ones that a view of a map begins with: those of a single player, then of several without teams. */
const FIRST: readonly RegExp[] = [/^info_player_start$/, /^info_player_/, /^/];

/** Where players of a map start, best first. */
export function findSpawns(world: BspWorld): Spawn[] {
  const starts = world.entities().filter(isStart);
  // By their places: there may be as many as a file has room for.
  const found = new Map<string, Spawn>();
  for (const pattern of FIRST) {
    for (const entity of starts) {
      if (!pattern.test(entity.classname ?? '')) continue;
      const position = entityVector(entity, 'origin');
      const place = position?.join(' ');
      if (!position || !place || found.has(place)) continue;
      // Maps have one or the other; a single angle below 0 is up or down.
      const yaw = entityVector(entity, 'angles')?.[1] ?? Math.max(0, Number(entity.angle ?? 0));
      found.set(place, { position, yaw: Number.isFinite(yaw) ? yaw : 0 });
    }
  }
  return [...found.values()];
}

/** Of how many starts the ceilings are looked for: there may be as many as a file has room for. */
const MOST_CEILINGS = 64;

/** The height of the highest ceiling above where players start; `undefined` if one starts under the open sky, or none does. */
export function highestCeiling({ format, world }: Pick<OpenMap, 'format' | 'world'>): number | undefined {
  // The first tracer of each format is one of points.
  const ray = format.tracers.kinds[0]!.create(world, [], {});
  const sky = world.bounds.maxs[2]! + 1;
  let highest: number | undefined;
  for (const { position } of findSpawns(world).slice(0, MOST_CEILINGS)) {
    const { fraction, startSolid, endPos } = ray.trace(position, [position[0], position[1], sky]);
    if (startSolid) continue;
    if (fraction === 1) return undefined;
    highest = Math.max(highest ?? -Infinity, Math.floor(endPos[2]!));
  }
  return highest;
}
