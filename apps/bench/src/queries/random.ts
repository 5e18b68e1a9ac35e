/** A seeded generator of numbers in [0, 1): the same on every machine. */
export type Random = () => number;

/** splitmix32: 32 bits of state, a full period, and good enough to aim rays with. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 0x100000000;
  };
}

/** A direction, every one as likely as any other. */
export function randomDirection(random: Random): [number, number, number] {
  const z = 2 * random() - 1;
  const angle = 2 * Math.PI * random();
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
}
