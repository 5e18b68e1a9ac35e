import { createRandom } from '@bspkit/geometry';
import { expect, it } from 'vitest';
import { TripleTable } from '../src/triples.ts';

it('finds the numbers of triples, as a Map keyed by text does', () => {
  const random = createRandom(1);
  const known = new Map<string, number>();
  const table = new TripleTable();
  const number = (): number => Math.floor(random() * 40) - 20;
  for (let k = 1; k < 20_000; k++) {
    const [a, b, c] = [number(), 2 ** 20 * number(), 256 * number()];
    expect(table.get(a, b, c)).toBe(known.get(`${a} ${b} ${c}`) ?? 0);
    if (k % 3 === 0) continue;
    table.set(a, b, c, k % 5 === 0 ? -1 : k);
    known.set(`${a} ${b} ${c}`, k % 5 === 0 ? -1 : k);
  }
});
