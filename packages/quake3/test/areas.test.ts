import { createRandom } from '@bspkit/geometry';
import { SEED } from '@bspkit/testkit/seed';
import { expect, it } from 'vitest';
import { Areas } from '../src/areas.ts';
import type { WorldMemory } from '../src/kernel/memory.ts';
import { LEAF_AREA } from '../src/layout.ts';
import { leafAt, type Places } from '../src/sections.ts';

/** A world of as many areas, with a leaf in the last of them. */
function areasOf(count: number): Areas {
  const places = { leafs: { first: 0, count: 1 } } as Places;
  const ints = new Int32Array(leafAt(places, 1));
  ints[leafAt(places, 0) + LEAF_AREA] = count - 1;
  return new Areas({ ints, places } as WorldMemory);
}

it('areas are connected by ways through open portals, however many change before it is asked', () => {
  const random = createRandom(SEED);
  const COUNT = 12;
  const draw = (): number => Math.floor(random() * COUNT);
  const areas = areasOf(COUNT);
  const open: [number, number][] = [];
  for (let round = 0; round < 60; round++) {
    for (let changes = draw(); changes > 0; changes--) {
      if (open.length > 0 && random() < 0.55) {
        const [[a, b]] = open.splice(Math.floor(random() * open.length), 1) as [[number, number]];
        areas.adjust(b, a, false);
      } else {
        open.push([draw(), draw()]);
        areas.adjust(...open.at(-1)!, true);
      }
    }
    for (let from = 0; from < COUNT; from++) {
      const reached = new Set([from]);
      for (const area of reached)
        for (const [a, b] of open) if (a === area || b === area) reached.add(a).add(b);
      const connected = Array.from({ length: COUNT }, (_, to) => areas.connected(from, to));
      expect(connected).toEqual(connected.map((_, to) => reached.has(to)));
    }
  }
});
