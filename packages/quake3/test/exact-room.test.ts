import { describe, expect, it } from 'vitest';
import { Room } from '../src/exact/room.ts';
import type { Rounded } from '../src/exact/shapes.ts';

/** Room for shapes that know their own number by every number of theirs. */
function numbered(): { shapes: Map<number, Rounded>; keep(id: number, count: number): void } {
  const shapes = new Map<number, Rounded>();
  const room = new Room(shapes);
  return {
    shapes,
    keep(id, count) {
      room.take(count);
      const { numbers, at } = room;
      numbers.fill(id, at, at + count);
      const end = at + count;
      shapes.set(id, { numbers, faces: at, rims: at, edges: at, corners: at, end, flat: false });
    },
  };
}

const isWhole = ([id, { numbers, faces, end }]: [number, Rounded]): boolean =>
  end <= numbers.length && numbers.subarray(faces, end).every((number) => number === id);

describe('room for the shapes of exact spheres', () => {
  it('keeps each of them apart from the others, and lets all go when there are too many', () => {
    const { shapes, keep } = numbered();
    let [most, cleared] = [0, 0];
    for (let id = 0; id < 12_000; id++) {
      const before = shapes.size;
      keep(id, 200 + (id % 7) * 50);
      if (shapes.size <= before) {
        cleared++;
        expect(shapes.size).toBe(1);
      }
      most = Math.max(most, shapes.size);
      if (id % 1000 === 0) expect([...shapes].every(isWhole)).toBe(true);
    }
    expect(cleared).toBe(2);
    // 15 MB: 350 numbers each on average.
    expect(most * 350 * 8).toBeGreaterThan(13e6);
    const pieces = new Set([...shapes.values()].map(({ numbers }) => numbers));
    expect([...pieces].reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(1_900_000);
  });

  it('takes shapes longer than a piece, or than all that is kept', () => {
    const { shapes, keep } = numbered();
    for (const [id, count] of [10, 300_000, 10, 3_000_000, 10, 3_000_000, 0].entries()) {
      keep(id, count);
      expect(shapes.has(id)).toBe(true);
      expect([...shapes].every(isWhole)).toBe(true);
    }
  });

  it('is used again by a box that changes', () => {
    const { shapes, keep } = numbered();
    const all = new Set<Float64Array>();
    for (let id = 0; id < 100; id++) {
      shapes.clear();
      keep(id, 246);
      all.add(shapes.get(id)!.numbers);
    }
    expect(all.size).toBe(1);
    expect([...all][0]!.length).toBeLessThan(1000);
  });
});
