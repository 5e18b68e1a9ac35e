import { createRandom } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { packRectangles } from '../src/format/pack.ts';

describe('packed rectangles', () => {
  it('leave nothing free where they can fill the picture', () => {
    const { width, height, places } = packRectangles(Int32Array.of(1, 1, 1, 1, 1, 1, 1, 1));
    expect({ width, height, places: [...places] }).toEqual({
      width: 2,
      height: 2,
      places: [0, 0, 1, 0, 0, 1, 1, 1],
    });
    expect(packRectangles(Int32Array.of(4, 4))).toMatchObject({ width: 4, height: 4 });
    expect(packRectangles(Int32Array.of(9, 1))).toMatchObject({ width: 16, height: 1 });
    expect(packRectangles(new Int32Array(0))).toEqual({ width: 1, height: 0, places: new Int32Array(0) });
  });

  it('are placed by height, the highest first', () => {
    const { places } = packRectangles(Int32Array.of(1, 1, 2, 3, 1, 2, 2, 3));
    expect([...places]).toEqual([1, 3, 0, 0, 0, 3, 2, 0]);
  });

  it('do not overlap, in a picture of less than twice their area plus a shelf', () => {
    const random = createRandom(5);
    for (const count of [1, 2, 7, 50, 200]) {
      const sizes = Int32Array.from({ length: 2 * count }, () => 1 + Math.floor(random() * 18));
      const { width, height, places } = packRectangles(sizes);
      const taken = new Uint8Array(width * height);
      let [area, highest] = [0, 0];
      for (let k = 0; k < count; k++) {
        const [across, down] = [sizes[2 * k]!, sizes[2 * k + 1]!];
        expect(places[2 * k]! + across).toBeLessThanOrEqual(width);
        expect(places[2 * k + 1]! + down).toBeLessThanOrEqual(height);
        for (let y = 0; y < down; y++) {
          for (let x = 0; x < across; x++) taken[(places[2 * k + 1]! + y) * width + places[2 * k]! + x]!++;
        }
        area += across * down;
        highest = Math.max(highest, down);
      }
      expect(taken.every((times) => times <= 1)).toBe(true);
      expect(Math.log2(width) % 1).toBe(0);
      expect(width * (height - highest)).toBeLessThan(2 * area);
    }
  });
});
