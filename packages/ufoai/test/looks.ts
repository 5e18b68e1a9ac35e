import { createRandom, pick } from '@bspkit/geometry';
import { createPathfinder, type SightActor, type UfoaiModel, type UfoaiRouting } from '../src/index.ts';

// What UFO:AI's server was asked: actors of all kinds in the house, who look at each other.

export interface Look {
  readonly from: SightActor;
  readonly to: SightActor;
}

export function looks(routing: UfoaiRouting, seed: number, count: number): Look[] {
  const random = createRandom(seed);
  const cells = ([1, 2] as const).map((size) => createPathfinder(routing, size).standing());
  const actor = (
    eyes: readonly (number | undefined)[],
    stances: readonly SightActor['stance'][],
  ): SightActor => {
    const size = random() < 0.2 ? 2 : 1;
    return {
      cell: pick(random, cells[size - 1]!),
      size,
      stance: pick(random, stances),
      eye: pick(random, eyes),
    };
  };
  const list: Look[] = [];
  while (list.length < count) {
    const from = actor([undefined, undefined, undefined, 0], ['standing', 'crouching']);
    const to = actor([undefined], ['standing', 'standing', 'crouching', 'crouching', 'dead']);
    const away = Math.max(...[0, 1].map((k) => Math.abs(from.cell[k]! - to.cell[k]!)));
    if (Math.abs(from.cell[2] - to.cell[2]) > 1) continue;
    // Not those straight above each other, where the server divides by 0; nor most that are far apart, who see nothing or all.
    if (away > 1 && (away < 6 || random() < 0.1)) list.push({ from, to });
  }
  return list;
}

/** Lines past the house's models, as start and end: close to them, as they stand. */
export function passes(models: readonly UfoaiModel[], seed: number, count: number): Float32Array[][] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const { bounds, origin } = pick(random, models);
    const point = (): Float32Array =>
      Float32Array.from({ length: 3 }, (_, k) => {
        const [low, high] = [bounds.mins[k]! + origin[k]!, bounds.maxs[k]! + origin[k]!];
        const reach = k === 2 ? 8 : 64;
        return Math.round(low - reach + random() * (high - low + 2 * reach));
      });
    return [point(), point()];
  });
}
