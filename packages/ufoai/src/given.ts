import { checkKind, checkList } from '@bspkit/core/format';
import type { WorldMemory } from './kernel/memory.ts';
import type { UfoaiModel } from './model.ts';
import type { UfoaiWorld } from './world.ts';

/** What worlds and models have inside. */
interface Inside {
  readonly _memory?: Partial<WorldMemory>;
  readonly _body?: object;
}

/** Of a world or model of this package, its inside; otherwise nothing. */
function insideOf(given: unknown): Inside | undefined {
  const inside = given as Inside | null | undefined;
  return inside?._memory?.boxState ? inside : undefined;
}

/** Throws `TypeError` unless `world` is a world of this package; `wanted` is what it may be. */
export function checkWorld(world: UfoaiWorld, wanted = 'a UfoaiWorld'): void {
  checkKind(insideOf(world) !== undefined && 'tiles' in world, world, 'world', wanted);
}

/** Throws `TypeError` unless `target` is a world or model of this package. */
export function checkTarget(target: UfoaiWorld | UfoaiModel): void {
  const inside = insideOf(target);
  const isRight = inside !== undefined && ('tiles' in target || inside._body !== undefined);
  checkKind(isRight, target, 'target', 'a UfoaiWorld or a UfoaiModel');
}

/** Throws `TypeError` unless all models are of the world that a tracer is for. */
export function checkModels(models: readonly UfoaiModel[], { ints }: WorldMemory): void {
  checkList(models, 'models');
  for (const [k, model] of models.entries()) {
    const inside = insideOf(model);
    checkKind(inside?._body !== undefined, model, `models[${k}]`, 'a UfoaiModel');
    if (inside!._memory!.ints === ints) continue;
    // A scene gives all worlds in it the same options.
    throw new TypeError(`models[${k}] must be of the world that is given it, and is of another`);
  }
}
