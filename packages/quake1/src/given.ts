import { checkKind } from '@bspkit/core/format';
import type { Quake1Model } from './model.ts';
import type { Quake1World } from './world.ts';

/** What worlds and models contain. */
interface Inside {
  readonly _memory?: { readonly rayWalk?: unknown };
  readonly _number?: unknown;
}

const isOurs = (given: unknown): boolean =>
  (given as Inside | null | undefined)?._memory?.rayWalk !== undefined;

/** Throws `TypeError` unless `world` is a world from this package. */
export function checkWorld(world: Quake1World): void {
  checkKind(isOurs(world) && (world as Inside)._number === 0, world, 'world', 'a Quake1World');
}

/** Throws `TypeError` unless `target` is a world or model from this package. */
export function checkTarget(target: Quake1World | Quake1Model): void {
  checkKind(isOurs(target), target, 'target', 'a Quake1World or a Quake1Model');
}

/** Throws `TypeError` unless `model` is a model from this package. */
export function checkModel(model: Quake1Model, name: string): void {
  checkKind(isOurs(model) && (model as Inside)._number !== 0, model, name, 'a Quake1Model');
}
