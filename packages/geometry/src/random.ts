/** A seeded generator of numbers in [0, 1): the same everywhere. */
export type Random = () => number;

/** splitmix32: 32 bits of state, a full period, good enough for choosing moves. Throws `RangeError` unless the seed is whole. */
export function createRandom(seed: number): Random {
  if (!Number.isInteger(seed)) throw new RangeError(`seed must be a whole number, got ${seed}`);
  let state = seed | 0;
  return () => {
    state = nextState(state);
    return numberAt(state);
  };
}

/** The state of a generator after this one. With {@link numberAt}, for loops in which calls of a generator are too slow. */
export const nextState = (state: number): number => (state + 0x9e3779b9) | 0;

/** The number that a generator gives in a state. */
export function numberAt(state: number): number {
  let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return ((z ^ (z >>> 15)) >>> 0) / 0x100000000;
}

/** A number between two others. */
export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);

/** One of a list that is not empty. */
export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/**
 * A direction, all equally likely; with `flat`, a level one. By throwing darts instead of with sine and cosine, whose last bits
 * differ from machine to machine.
 */
export function direction(random: Random, flat = false): [number, number, number] {
  for (;;) {
    const x = 2 * random() - 1;
    const y = 2 * random() - 1;
    const z = flat ? 0 : 2 * random() - 1;
    const square = x * x + y * y + z * z;
    if (square > 1 || square < 1e-4) continue;
    const length = Math.sqrt(square);
    return [x / length, y / length, z / length];
  }
}
