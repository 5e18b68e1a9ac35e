import { describe, expect, it } from 'vitest';
import {
  areaSize,
  clipBehind,
  clipBehindAll,
  createRandom,
  cutWinding,
  direction,
  flipPlane,
  isEndless,
  planeWinding,
  reverseWinding,
} from '../src/index.ts';

describe('windings', () => {
  const square = planeWinding(0, 0, 1, 5, 10);

  it('of a plane are squares on it, as large as asked', () => {
    expect(areaSize(square)).toBeCloseTo(400, 9);
    for (let k = 2; k < square.length; k += 3) expect(square[k]).toBe(5);
    expect(areaSize(reverseWinding(square))).toBeCloseTo(400, 9);
  });

  it('are cut into two parts that have the whole area', () => {
    const random = createRandom(1);
    for (let k = 0; k < 200; k++) {
      const [x, y, z] = direction(random);
      const { front, back } = cutWinding(square, x, y, z, 6 * random() - 3);
      expect((front ? areaSize(front) : 0) + (back ? areaSize(back) : 0)).toBeCloseTo(400, 6);
    }
  });

  it('keep what lies behind a plane, or on it', () => {
    expect(clipBehind(square, 0, 0, 1, 5)).toBe(square);
    expect(clipBehind(square, 0, 0, -1, -5)).toBe(square);
    expect(clipBehind(square, 0, 0, 1, 4)).toBeUndefined();
    expect(areaSize(clipBehind(square, 1, 0, 0, 4)!)).toBeCloseTo(280, 9);
  });

  it('are clipped by several planes, whichever way these face', () => {
    const right = { normal: [1, 0, 0], dist: 4 };
    const between = clipBehindAll(square, [right, flipPlane({ ...right, dist: 1 })])!;
    expect(areaSize(between)).toBeCloseTo(60, 9);
    expect(
      clipBehindAll(square, [right, flipPlane(right), { normal: [0, 1, 0], dist: -20 }]),
    ).toBeUndefined();
    expect(clipBehindAll(square, [])).toBe(square);
  });

  it('have an end where planes bound them on all sides', () => {
    const bounds = [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const;
    let rest = square;
    for (const [x, y] of bounds) {
      expect(isEndless(rest, 0, 0, 1, 5, 10)).toBe(true);
      rest = clipBehind(rest, x, y, 0, 6)!;
    }
    expect(isEndless(rest, 0, 0, 1, 5, 10)).toBe(false);
    // A plane askew and far from the origin, where numbers are round.
    const [x, y, z] = [Math.fround(0.48), Math.fround(0.6), Math.fround(0.64)];
    expect(isEndless(planeWinding(x, y, z, 90_000), x, y, z, 90_000)).toBe(true);
  });
});

describe('random numbers', () => {
  it('are the same for the same seed, in [0, 1), and spread evenly', () => {
    const [a, b] = [createRandom(7), createRandom(7)];
    let sum = 0;
    for (let k = 0; k < 10_000; k++) {
      const x = a();
      expect(b()).toBe(x);
      expect(x >= 0 && x < 1).toBe(true);
      sum += x;
    }
    expect(sum / 10_000).toBeCloseTo(0.5, 1);
    expect(createRandom(8)()).not.toBe(createRandom(7)());
    expect(() => createRandom(0.5)).toThrow(RangeError);
  });
});
