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
  const found: Spawn[] = [];
  for (const pattern of FIRST) {
    for (const entity of starts) {
      if (!pattern.test(entity.classname ?? '')) continue;
      const position = entityVector(entity, 'origin');
      if (!position || found.some((spawn) => spawn.position.every((x, k) => x === position[k]))) continue;
      const yaw = Number(entity.angle ?? 0);
      found.push({ position, yaw: Number.isFinite(yaw) && yaw >= 0 ? yaw : 0 });
    }
  }
  return found;
}
