import type { BspWorld, Placeable, StepVec, Vec3 } from '@bspkit/core';
import type { TracerValues } from '@bspkit/core/format';

/** What a tracer's options say of models. */
export type AskedModels = Pick<TracerValues, 'model' | 'origin' | 'angles'> & {
  readonly models?: TracerValues[string];
};

/** Where a model stands, and how it is turned. */
interface ModelPlace {
  readonly origin: StepVec;
  readonly angles: StepVec;
}

/**
 * Where a model stands by options that a tracer was made from: where these put it, else where it stands by itself.
 * @param listed - which of their models it is, if they name it several times; the first by default.
 */
export function modelPlace(
  world: BspWorld,
  asked: AskedModels,
  number: number,
  listed: number | undefined = posesOf(asked, number)[0],
): ModelPlace {
  const part = (numbers: ArrayLike<number> | undefined): StepVec | undefined =>
    listed === undefined || numbers === undefined ? undefined : each((k) => numbers[3 * listed + k]!);
  return { origin: part(asked.origin) ?? ownOrigin(world, number), angles: part(asked.angles) ?? [0, 0, 0] };
}

/** Which of the poses of the options are a model's: none for a model that they do not name, and the world. */
export function posesOf({ model = 0, models }: AskedModels, number: number): number[] {
  if (models === undefined) return number > 0 && model === number ? [0] : [];
  // Numbers with commas, perhaps written *1, or all.
  const listed = String(models).trim();
  if (listed.toLowerCase() === 'all') return number > 0 ? [number - 1] : [];
  return listed.split(',').flatMap((name, k) => (Number(name.replace('*', '')) === number ? [k] : []));
}

/** Where a model stands unless it is placed: where it was built or, by the rules of some games, where its entity is. */
function ownOrigin(world: BspWorld, number: number): StepVec {
  const { model } = world as { model?(number: number): { readonly origin: Vec3 } & Partial<Placeable> };
  const own = number > 0 ? model?.call(world, number) : undefined;
  // What cannot be moved itself may have an origin that traces do not know.
  return own?.place ? each((k) => own.origin[k]!) : [0, 0, 0];
}

const each = (value: (k: number) => number): StepVec => [value(0), value(1), value(2)];
