import { describe, expect, it } from 'vitest';
import { OPEN, OUTSIDE, SOLID, surveyPlan } from '../../src/picture/survey.ts';
import { isSolid, room } from './room.ts';

describe('a plan', () => {
  const frame = { left: -32, top: 224, unit: 8, columns: 40, rows: 32 };
  const { positions, values, step } = room();
  const points = Uint32Array.from(values, (_, k) => k);
  const at = (cells: Int32Array, x: number, y: number): number =>
    cells[Math.floor((224 - y) / 8) * 40 + Math.floor((x + 32) / 8)]!;

  it('has the floor up to the walls, the walls, and holes that are open', () => {
    const { cells } = surveyPlan(frame, points, positions, step, step, isSolid);
    expect(at(cells, 16, 16)).toBe(0);
    expect(at(cells, 2, 2)).toBe(0);
    expect(at(cells, 128, 96)).toBe(SOLID);
    expect(at(cells, -4, 96)).toBe(SOLID);
    expect(at(cells, 230, 160)).toBe(OPEN);
    expect(at(cells, -30, 220)).toBe(OUTSIDE);
    // Every square of the room is known.
    for (let x = 4; x < 256; x += 8)
      for (let y = 4; y < 192; y += 8) expect(at(cells, x, y)).not.toBe(OUTSIDE);
  });

  it('is not entered around a corner: what is open behind one is left blank', () => {
    // Chambers that touch the room only at its corners.
    const isOutside = (x: number, y: number): boolean => (x < 0 || x > 256) && (y < 0 || y > 192);
    const isOpen = (x: number, y: number): boolean => Math.abs(x - 128) < 144 && Math.abs(y - 96) < 112;
    const { cells } = surveyPlan(
      frame,
      points,
      positions,
      step,
      step,
      (x, y, z) => isSolid(x, y, z) && !(isOutside(x, y) && isOpen(x, y)),
    );
    for (const x of [-4, 260]) {
      for (const y of [-4, 196]) {
        expect([at(cells, x, y), at(cells, x, 96), at(cells, 60, y)]).toEqual([OUTSIDE, SOLID, SOLID]);
      }
    }
  });

  it('has squares of values alone where nobody knows the walls', () => {
    const { cells } = surveyPlan(frame, points, positions, step, step, undefined);
    expect(new Set(Array.from(cells, (cell) => Math.sign(cell)))).toEqual(new Set([0, 1, -1]));
    expect(cells.filter((cell) => cell >= 0)).toHaveLength(16 * values.length);
    expect(cells.filter((cell) => cell < OUTSIDE)).toHaveLength(0);
  });

  it('shows the upper of two points', () => {
    const two = Float32Array.from([16, 16, 64, 16, 16, 0]);
    const { cells } = surveyPlan(frame, Uint32Array.of(0, 1), two, step, step, undefined);
    expect(new Set(cells)).toEqual(new Set([OUTSIDE, 0]));
    // Also if it comes later, and where the lower one is nearer.
    const apart = Float32Array.from([20, 40, 0, 16, 16, 64]);
    expect(at(surveyPlan(frame, Uint32Array.of(0, 1), apart, step, step, undefined).cells, 20, 28)).toBe(1);
  });

  it('shows the nearer of two points on a floor', () => {
    const survey = (...two: number[]): Int32Array =>
      surveyPlan(frame, Uint32Array.of(0, 1), two, step, step, undefined).cells;
    const south = survey(16, 16, 0, 16, 32, 0);
    expect([4, 20, 28, 44].map((y) => at(south, 16, y))).toEqual([0, 0, 1, 1]);
    const east = survey(32, 16, 0, 16, 16, 0);
    expect([4, 20, 28, 44].map((x) => at(east, x, 16))).toEqual([1, 1, 0, 0]);
  });

  it('keeps the squares of a point whose own ceiling is low', () => {
    const isLow = (x: number, y: number, z: number): boolean =>
      isSolid(x, y, z) || (x > 128 && y < 64 && z > 20);
    const survey = (...x: number[]): Int32Array => {
      const low = Float32Array.from(x.flatMap((one) => [one, 40, 0]));
      return surveyPlan(
        frame,
        Uint32Array.from(x, (_, k) => k),
        low,
        64,
        0,
        isLow,
      ).cells;
    };
    // Of the first, what reaches under the ceiling is cut off.
    expect([100, 124, 132].map((x) => at(survey(112), x, 40))).toEqual([0, 0, SOLID]);
    expect([124, 132].map((x) => at(survey(400, 136), x, 40))).toEqual([1, 1]);
  });
});
