import { expect, it } from 'vitest';
import { Areas } from '../src/areas.ts';
import type { WorldMemory } from '../src/kernel/memory.ts';

/** A row of rooms with a portal from each to the next, and how often its records have been read. */
function row(rooms: number): { areas: Areas; reads(): number } {
  const words: number[] = [];
  const portals: number[] = [];
  for (let room = 0; room < rooms; room++) {
    const ways = [room - 1, room + 1].filter((next) => room > 0 && next > 0 && next < rooms);
    words.push(portals.length / 2, ways.length);
    for (const next of ways) portals.push(Math.min(room, next), next);
  }
  let count = 0;
  const ints = new Proxy(Int32Array.from([...words, ...portals]), {
    get(target, name) {
      count++;
      return Reflect.get(target, name);
    },
  });
  const places = {
    areas: { first: 0, count: rooms },
    areaPortals: { first: 2 * rooms, count: portals.length / 2 },
  };
  return { areas: new Areas({ ints, places } as unknown as WorldMemory), reads: () => count };
}

it('areas are looked through where it is asked about them, and not for each portal that opens', () => {
  const { areas, reads } = row(200);
  expect([areas.connected(1, 2), areas.connected(1, 199)]).toEqual([false, false]);
  const once = reads();
  for (let portal = 1; portal < 199; portal++) areas.set(portal, true);
  expect(reads() - once).toBeLessThan(2 * once);
  expect([areas.connected(1, 199), areas.connected(0, 1)]).toEqual([true, false]);
  areas.set(100, false);
  expect([areas.connected(1, 100), areas.connected(100, 101), areas.connected(101, 199)]).toEqual([
    true,
    false,
    true,
  ]);
});

it('bits of areas are those that are connected; of area 0, which is solid, all of them, as in the engine', () => {
  const { areas } = row(10);
  areas.set(3, true);
  const bits = (area: number): string => Buffer.from(areas.bits(area)).toString('hex');
  expect([2, 3, 4, 5].map(bits)).toEqual(['0400', '1800', '1800', '2000']);
  expect(bits(0)).toBe('ff03');
});
