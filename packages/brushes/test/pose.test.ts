import { describe, expect, it } from 'vitest';
import {
  createPlacement,
  isZero,
  LEAST,
  P_BACK_ROWS,
  P_ORIGIN,
  P_ROWS,
  setAngles,
  setOrigin,
  turn,
  turnBack,
} from '../src/index.ts';

const posed = (angles: readonly number[], least = LEAST): ReturnType<typeof createPlacement> => {
  const pose = createPlacement();
  setAngles(pose, angles as [number, number, number], least);
  return pose;
};

/** A vector in the middle of an array, whose other numbers must not change. */
const turned = (
  angles: readonly number[],
  vector: readonly number[],
  row = P_ROWS,
  back = false,
): number[] => {
  const all = Float32Array.of(7, ...vector, 9);
  (back ? turnBack : turn)(posed(angles).floats, row, all, 1);
  expect([all[0], all[4]]).toEqual([7, 9]);
  return Array.from(all.subarray(1, 4));
};

const near = (vector: readonly number[], x: number, y: number, z: number): void => {
  for (const [k, wanted] of [x, y, z].entries()) expect(vector[k]).toBeCloseTo(wanted, 4);
};

describe('a pose', () => {
  it('gives the parts of a vector along forward, left and up', () => {
    near(turned([0, 0, 0], [1, 2, 3]), 1, 2, 3);
    // Turned left by 90 degrees, forward is +y and left is -x.
    near(turned([0, 90, 0], [0, 1, 0]), 1, 0, 0);
    near(turned([0, 90, 0], [1, 0, 0]), 0, -1, 0);
    // A positive pitch looks down.
    near(turned([90, 0, 0], [0, 0, -1]), 1, 0, 0);
    near(turned([0, 0, 90], [0, 0, 1]), 0, 1, 0);
  });

  it('is undone by turning back for any angles, and by the negated angle if there is only one', () => {
    const vector = [3, -5, 7] as const;
    for (const angles of [
      [20, 0, 0],
      [0, 130, 0],
      [0, 0, -75],
    ]) {
      near(turned(angles, turned(angles, vector), P_ROWS, true), ...vector);
      near(turned(angles, turned(angles, vector), P_BACK_ROWS), ...vector);
    }
    const all = [20, 130, -75];
    near(turned(all, turned(all, vector), P_ROWS, true), ...vector);
    const [x] = turned(all, turned(all, vector), P_BACK_ROWS);
    expect(Math.abs(x! - 3)).toBeGreaterThan(1);
  });

  it('is turned by anything but zero, or what its engine treats as zero', () => {
    expect(posed([0, -0, 0]).rotated).toBe(false);
    expect(posed([0, 0, LEAST]).rotated).toBe(true);
    expect(posed([0, 0, 0.01], 0.1).rotated).toBe(false);
    // What rounds to zero is zero.
    expect(isZero([2 ** -151, 0, 0], 0, LEAST)).toBe(true);
    expect(isZero([9, 9, 9, 0, 0, 0], 3, LEAST)).toBe(true);
    expect(isZero([Number.NaN, 0, 0], 0, LEAST)).toBe(false);
  });

  it('keeps its origin separate', () => {
    const pose = posed([0, 90, 0]);
    const rows = pose.floats.slice(P_ROWS);
    setOrigin(pose, [1, 2, 3]);
    expect(Array.from(pose.floats.subarray(P_ORIGIN, P_ORIGIN + 3))).toEqual([1, 2, 3]);
    expect(pose.floats.slice(P_ROWS)).toEqual(rows);
  });
});
