import { checkKind, checkList } from '@bspkit/core/format';
import type { WorldMemory } from './kernel/memory.ts';
import type { UfoaiModel } from './model.ts';
import type { UfoaiWorld } from './world.ts';

/** What worlds and models contain. */
interface Inside {
  readonly _memory?: Partial<WorldMemory>;
  readonly _body?: object;
}

/** The inside of a world or model from this package; `undefined` for anything else. */
function insideOf(given: unknown): Inside | undefined {
  const inside = given as Inside | null | undefined;
  return inside?._memory?.boxState ? inside : undefined;
}

/** Throws `TypeError` unless `world` is a world from this package; `wanted` says what is accepted. */
export function checkWorld(world: UfoaiWorld, wanted = 'a UfoaiWorld', name = 'world'): void {
  checkKind(insideOf(world) !== undefined && 'tiles' in world, world, name, wanted);
}

/** Throws `TypeError` unless `target` is a world or model from this package. */
export function checkTarget(target: UfoaiWorld | UfoaiModel): void {
  const inside = insideOf(target);
  const isRight = inside !== undefined && ('tiles' in target || inside._body !== undefined);
  checkKind(isRight, target, 'target', 'a UfoaiWorld or a UfoaiModel');
}

/** Throws `TypeError` unless all models belong to the world that a tracer is for. */
export function checkModels(models: readonly UfoaiModel[], { ints }: WorldMemory): void {
  checkList(models, 'models');
  for (const [k, model] of models.entries()) {
    const inside = insideOf(model);
    checkKind(inside?._body !== undefined, model, `models[${k}]`, 'a UfoaiModel');
    if (inside!._memory!.ints === ints) continue;
    // A scene passes the same options to all worlds in it.
    throw new TypeError(`models[${k}] must be of the same world, got one of another`);
  }
}
