import { describe, expect, it } from 'vitest';
import {
  addScaled,
  areaSize,
  between,
  clipBehind,
  clipBehindAll,
  createRandom,
  cutWinding,
  direction,
  flipPlane,
  isEndless,
  isTiny,
  measureCorners,
  measuredPartBehind,
  nextState,
  numberAt,
  pick,
  planeWinding,
  reverseWinding,
  type Winding,
  windingArea,
  windingCenter,
} from '../src/index.ts';

describe('windings', () => {
  const square = planeWinding(0, 0, 1, 5, 10);

  it('of a plane are squares on it, of the requested size', () => {
    expect(areaSize(square)).toBeCloseTo(400, 9);
    for (let k = 2; k < square.length; k += 3) expect(square[k]).toBe(5);
    expect(areaSize(reverseWinding(square))).toBeCloseTo(400, 9);
  });

  it('lie on their planes, however these are tilted, and turn around the normal', () => {
    const random = createRandom(3);
    for (let k = 0; k < 50; k++) {
      const normal = direction(random);
      const winding = planeWinding(...normal, 5, 10);
      for (let i = 0; i < winding.length; i += 3) {
        const height = normal.reduce((sum, x, axis) => sum + x * winding[i + axis]!, -5);
        expect(height).toBeCloseTo(0, 9);
      }
      for (const [axis, area] of windingArea(winding).entries()) {
        expect(area).toBeCloseTo(400 * normal[axis]!, 6);
      }
    }
  });

  it('share the corners where a common edge is cut', () => {
    const [a, b] = [
      [0, 0, 0],
      [7, 5, 3],
    ] as const;
    const left: Winding = [...a, ...b, 0, 9, 1];
    const right: Winding = [...b, ...a, 9, 0, -1];
    const random = createRandom(4);
    let cuts = 0;
    for (let k = 0; k < 200; k++) {
      const plane = [...direction(random), 6 * random()] as const;
      const cornersOf = (winding: Winding): Set<string> => {
        const { front, back } = cutWinding(winding, ...plane);
        const corners = Array.from({ length: (front?.length ?? 0) / 3 }, (_, i) =>
          front!.slice(3 * i, 3 * i + 3).join(),
        );
        return new Set(back && corners.filter((corner) => ![a.join(), b.join()].includes(corner)));
      };
      const [x, y, z, dist] = plane;
      const isCut = 7 * x + 5 * y + 3 * z > dist + 0.1 && dist > 0.1;
      if (!isCut) continue;
      cuts++;
      const others = cornersOf(right);
      expect([...cornersOf(left)].filter((corner) => others.has(corner))).toHaveLength(1);
    }
    expect(cuts).toBeGreaterThan(20);
  });

  it('keep corners within epsilon of the plane in both parts, and get no new ones beside them', () => {
    const [left, near, right, nearToo] = [
      [-8, 0, 0],
      [-0.5, -4, 0],
      [8, 0, 0],
      [0.5, 4, 0],
    ] as const;
    const { front, back } = cutWinding([left, near, right, nearToo].flat(), 1, 0, 0, 0, 0.5);
    expect(front).toEqual([near, right, nearToo].flat());
    expect(back).toEqual([left, near, nearToo].flat());
  });

  it('are cut into two parts that add up to the whole area', () => {
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

  it('are clipped by several planes as by one after another', () => {
    const random = createRandom(9);
    for (let k = 0; k < 50; k++) {
      const planes = [0, 1, 2].map(() => ({ normal: direction(random), dist: between(random, -2, 8) }));
      let left: Winding | undefined = square;
      for (const { normal, dist } of planes) left = left && clipBehind(left, ...normal, dist);
      expect(clipBehindAll(square, planes)).toEqual(left);
    }
  });

  it('are measured once, and then cut as by themselves', () => {
    const random = createRandom(5);
    const bits = (dist: number): number => measureCorners(square, 1, 0, 0, dist, 0.01);
    expect([-11, -10, 0, 10, 11].map(bits)).toEqual([1, 1, 3, 2, 2]);
    expect(measureCorners(square, 0, 0, 1, 5.005, 0.01)).toBe(0);
    for (let k = 0; k < 100; k++) {
      const normal = direction(random);
      const dist = between(random, -2, 8);
      const { back } = cutWinding(square, ...normal, dist);
      const sides = measureCorners(square, ...normal, dist, 0.01);
      if (sides === 3) expect(measuredPartBehind(square, 0.01)).toEqual(back);
    }
  });

  it('have their centre amid their corners, and are tiny with fewer than three sides that matter', () => {
    expect(windingCenter(square)).toEqual([0, 0, 5]);
    expect(windingCenter([1, 2, 3, 3, 2, 1, 2, 5, 5])).toEqual([2, 3, 3]);
    expect(isTiny(square)).toBe(false);
    expect(isTiny(square, 21)).toBe(true);
    // A sliver: its third side is too short.
    expect(isTiny([0, 0, 0, 10, 0, 0, 10, 0.01, 0])).toBe(true);
    expect(isTiny([0, 0, 0, 10, 0, 0, 10, 0.03, 0])).toBe(false);
    expect(isTiny([])).toBe(true);
  });

  it('are bounded if planes bound them on all sides', () => {
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
    // An oblique plane far from the origin, where numbers are coarse.
    const [x, y, z] = [Math.fround(0.48), Math.fround(0.6), Math.fround(0.64)];
    expect(isEndless(planeWinding(x, y, z, 90_000), x, y, z, 90_000)).toBe(true);
  });
});

describe('random numbers', () => {
  it('are the same for the same seed, in [0, 1), and spread evenly', () => {
    const [a, b] = [createRandom(7), createRandom(7)];
    const values = Array.from({ length: 10_000 }, a);
    expect(values).toEqual(Array.from({ length: 10_000 }, b));
    expect(values.filter((x) => !(x >= 0 && x < 1))).toEqual([]);
    const sum = values.reduce((total, x) => total + x, 0);
    expect(sum / 10_000).toBeCloseTo(0.5, 1);
    expect(createRandom(8)()).not.toBe(createRandom(7)());
    expect(() => createRandom(0.5)).toThrow(RangeError);
  });

  it('are those of splitmix32 and will stay so: a seed always produces the same numbers', () => {
    const random = createRandom(7);
    expect([random(), random(), random()].map((x) => x * 2 ** 32)).toEqual([
      3838393609, 4210744933, 801465066,
    ]);
  });

  it('are the same in loops that step the state themselves', () => {
    const random = createRandom(7);
    let state = 7;
    for (let k = 0; k < 1000; k++) {
      state = nextState(state);
      expect(numberAt(state)).toBe(random());
    }
  });

  it('lie between two others, the lower one included, whatever their order of size', () => {
    const random = createRandom(4);
    const values = Array.from({ length: 10_000 }, () => between(random, -3, 5));
    expect(values.filter((x) => !(x >= -3 && x < 5))).toEqual([]);
    expect(values.reduce((sum, x) => sum + x, 0) / 10_000).toBeCloseTo(1, 1);
    expect([0, 0.25, 0.5].map((x) => between(() => x, -3, 5))).toEqual([-3, -1, 1]);
    expect(between(() => 0.75, 2, 2)).toBe(2);
  });

  it('pick each of a list about as often as any other, and nothing else', () => {
    const random = createRandom(6);
    const counts = new Map<string, number>();
    for (let k = 0; k < 9000; k++) {
      const picked = pick(random, ['a', 'b', 'c']);
      counts.set(picked, (counts.get(picked) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c']);
    for (const count of counts.values()) expect(Math.abs(count - 3000)).toBeLessThan(200);
    expect(pick(() => 1 - 2 ** -32, ['a', 'b', 'c'])).toBe('c');
  });

  it('make directions of unit length, each as likely as any other', () => {
    const random = createRandom(2);
    const directions = Array.from({ length: 10_000 }, () => direction(random));
    expect(directions.filter(([x, y, z]) => !(Math.abs(x * x + y * y + z * z - 1) < 1e-12))).toEqual([]);
    const steep = directions.filter(([, , z]) => Math.abs(z) > 0.9).length;
    // A band of a sphere has the area of a band of the cylinder around it.
    expect(steep / 10_000).toBeCloseTo(0.1, 2);
    for (const axis of [0, 1, 2] as const) {
      expect(directions.reduce((sum, along) => sum + along[axis], 0) / 10_000).toBeCloseTo(0, 1);
    }
    expect(direction(random, true)[2]).toBe(0);
  });
});

it('a vector is added to another as often as asked', () => {
  expect(addScaled([1, 2, 3], -2, [4, 0.5, -1])).toEqual([-7, 1, 5]);
});
