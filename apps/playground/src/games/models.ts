import { type Entity, entityModel, entityVector } from '@bspkit/core';
import type { OpenMap } from '../app/open-map.ts';

/** An inline model in the way of who walks: a door, a lift. */
export interface SolidModel {
  readonly model: number;
  /** Where it stands at first, in Quake units. */
  readonly origin: readonly [number, number, number];
}

/** What is touched but not seen, or not there at first, in the games and the best known ones that were made of them. */
const UNSEEN = new RegExp(
  '^trigger|^env_|^func_(areaportal|killbox|episodegate|ladder|monsterclip|mortar_field|' +
    '(tank|train|vehicle)controls|buyzone|bomb_target|hostage_rescue|escapezone|vip_safetyzone)',
);
/** What is only seen, or slows down whoever walks through it. */
const OPEN = /illusion|^func_(rotating_liquid|friction)/;
const WATER = 'func_water';

/** Whether an entity's model is not to be seen in the game, at least not at first. */
export const isUnseen = ({ classname = '' }: Entity): boolean => UNSEEN.test(classname);

/** A map's doors and lifts, as they stand at first; with `water` that too, for games in which it stops nobody. */
export function solidModels({ world }: OpenMap, water = false): SolidModel[] {
  const found = new Map<number, SolidModel>();
  for (const entity of world.entities()) {
    const model = entityModel(entity);
    if (model === undefined || model < 1 || model > world.numModels) continue;
    const { classname = '' } = entity;
    const isOpen = isUnseen(entity) || OPEN.test(classname) || (classname === WATER && !water);
    if (found.has(model) || isOpen) continue;
    found.set(model, { model, origin: entityVector(entity, 'origin') ?? [0, 0, 0] });
  }
  return [...found.values()];
}
