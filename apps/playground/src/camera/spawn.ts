import { isStart } from '@bspkit/bake';
import { type BspWorld, entityVector } from '@bspkit/core';

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
      const yaw = Number(entity.angle ?? 0);
      found.set(place, { position, yaw: Number.isFinite(yaw) && yaw >= 0 ? yaw : 0 });
    }
  }
  return [...found.values()];
}
