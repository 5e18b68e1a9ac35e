import { type BspWorld, entityVector } from '@bspkit/core';

/** Where somebody may stand. */
export interface Spawn {
  readonly position: readonly [number, number, number];
  /** Degrees, counter-clockwise from x. */
  readonly yaw: number;
}

/** Names of what players start from, best first: the games' names have little else in common. */
const STARTS: readonly RegExp[] = [
  /^info_player_start$/,
  /^info_player_/,
  /^info_.*(start|spawn)/,
  /^team_.*spawn/,
];

/** Where players of a map start, best first. */
export function findSpawns(world: BspWorld): Spawn[] {
  const found: Spawn[] = [];
  for (const pattern of STARTS) {
    for (const entity of world.entities()) {
      if (!pattern.test(entity.classname ?? '')) continue;
      const position = entityVector(entity, 'origin');
      if (!position || found.some((spawn) => spawn.position.every((x, k) => x === position[k]))) continue;
      const yaw = Number(entity.angle ?? 0);
      found.push({ position, yaw: Number.isFinite(yaw) && yaw >= 0 ? yaw : 0 });
    }
  }
  return found;
}
