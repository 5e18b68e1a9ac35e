import { checkKind } from '@bspkit/core/format';
import type { Target } from './kernel/memory.ts';
import type { Quake2Model } from './model.ts';
import type { Quake2World } from './world.ts';

/** What worlds, models and box entities of this package trace against; `undefined` for anything else. */
function targetOf(given: unknown): Target | undefined {
  const target = (given as { readonly _target?: Target } | null | undefined)?._target;
  return target?.memory?.rules === undefined ? undefined : target;
}

/** Throws `TypeError` unless `world` is a world of this package. */
export function checkWorld(world: Quake2World): void {
  checkKind(targetOf(world)?.moves === false, world, 'world', 'a Quake2World');
}

/** Throws `TypeError` unless `target` is a world or model of this package. */
export function checkMapTarget(target: Quake2World | Quake2Model): void {
  checkKind(targetOf(target)?.inFile === true, target, 'target', 'a Quake2World or a Quake2Model');
}
