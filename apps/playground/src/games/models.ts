import { entityModel, entityVector } from '@bspkit/core';
import type { OpenMap } from '../app/open-map.ts';

/** An inline model in the way of who walks: a door, a lift. */
export interface SolidModel {
  readonly model: number;
  /** Where it stands at first, in Quake units. */
  readonly origin: readonly [number, number, number];
}

/** What is only touched, or only seen. */
const OPEN = /^trigger|illusion|^func_(areaportal|rotating_liquid|ladder|monsterclip|friction)|^env_/;
const WATER = 'func_water';

/** A map's doors and lifts, as they stand at first; with `water` that too, for games in which it stops nobody. */
export function solidModels({ world }: OpenMap, water = false): SolidModel[] {
  const found = new Map<number, SolidModel>();
  for (const entity of world.entities()) {
    const model = entityModel(entity);
    if (model === undefined || model < 1 || model > world.numModels) continue;
    const { classname = '' } = entity;
    if (found.has(model) || OPEN.test(classname) || (classname === WATER && !water)) continue;
    found.set(model, { model, origin: entityVector(entity, 'origin') ?? [0, 0, 0] });
  }
  return [...found.values()];
}
