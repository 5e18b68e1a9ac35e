import { checkKind } from '@bspkit/core/format';
import type { Quake3BoxEntity } from './box-entity.ts';
import type { Target } from './kernel/memory.ts';
import type { Quake3Model } from './model.ts';
import type { Quake3World } from './world.ts';

/** What worlds, models and box entities of this package trace against; `undefined` for anything else. */
function targetOf(given: unknown): Target | undefined {
  const target = (given as { readonly _target?: Target } | null | undefined)?._target;
  return target?.memory?.patchStamps === undefined ? undefined : target;
}

/** Throws `TypeError` unless `world` is a world of this package. */
export function checkWorld(world: Quake3World): void {
  checkKind(targetOf(world)?.model === 0, world, 'world', 'a Quake3World');
}

/** Throws `TypeError` unless `target` is a world or model of this package. */
export function checkMapTarget(target: Quake3World | Quake3Model): void {
  checkKind(targetOf(target)?.inFile === true, target, 'target', 'a Quake3World or a Quake3Model');
}

/** Throws `TypeError` unless `target` is a world, model or box entity of this package. */
export function checkTarget(target: Quake3World | Quake3Model | Quake3BoxEntity): void {
  checkKind(targetOf(target) !== undefined, target, 'target', 'a Quake3World, a Quake3Model or a box entity');
}
