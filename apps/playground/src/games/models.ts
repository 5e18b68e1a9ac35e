import { entityModel, entityVector } from '@bspkit/core';
import type { OpenMap } from '../app/open-map.ts';

/** An inline model in the way of who walks: a door, a lift. */
export interface SolidModel {
  readonly model: number;
  /** Where it stands at first, in Quake units. */
  readonly origin: readonly [number, number, number];
}

/** What is only touched, or only seen. */
const OPEN = /^trigger|illusion|^func_(areaportal|water|rotating_liquid)/;

/** A map's doors and lifts, as they stand at first. */
export function solidModels({ world }: OpenMap): SolidModel[] {
  const found = new Map<number, SolidModel>();
  for (const entity of world.entities()) {
    const model = entityModel(entity);
    if (model === undefined || model < 1 || model > world.numModels) continue;
    if (found.has(model) || OPEN.test(entity.classname ?? '')) continue;
    found.set(model, { model, origin: entityVector(entity, 'origin') ?? [0, 0, 0] });
  }
  return [...found.values()];
}
