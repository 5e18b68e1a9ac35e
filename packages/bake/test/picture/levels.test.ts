import { describe, expect, it, vi } from 'vitest';
import { splitLevels } from '../../src/picture/levels.ts';

const STEP = 32;

/** The points of a floor: columns west to east, rows south to north, at heights of their own. */
function floor(columns: number, rows: number, height: (column: number, row: number) => number): number[] {
  const points: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      points.push(STEP * column, STEP * row, height(column, row));
    }
  }
  return points;
}

const heights = (points: readonly number[], height?: number): [number, number][] =>
  splitLevels(points, STEP, height).map(({ low, high }) => [low, high]);

describe('levels', () => {
  it('are apart where floors lie above each other', () => {
    const house = [0, 64, 128].flatMap((z) => floor(8, 8, () => z));
    expect(heights(house)).toEqual([
      [0, 0],
      [64, 64],
      [128, 128],
    ]);
  });

  it('hold what is seen from above at once: a ramp, terraces, a pit', () => {
    expect(heights(floor(16, 4, (column) => 16 * column))).toEqual([[0, 240]]);
    expect(heights(floor(9, 9, (column) => 96 * Math.floor(column / 3)))).toEqual([[0, 192]]);
  });

  it('are the same wherever the grid begins, and however wide its squares are', () => {
    // As float32, some of the points are a little before the multiple of the step that they stand for.
    const slope = floor(24, 20, (column) => 16 * column);
    for (const step of [32, 12.8, 38.4, 33.3, 0.7]) {
      for (const [x, y] of [
        [0, 0],
        [-12, -10],
        [0.5, 0.25],
        [-11.5, 1 / 3],
      ] as const) {
        const points = Float32Array.from(slope, (at, k) =>
          k % 3 === 2 ? at : step * (at / STEP + (k % 3 === 0 ? x : y)),
        );
        expect(splitLevels(points, step).map(({ low, high }) => [low, high])).toEqual([[0, 368]]);
      }
    }
  });

  it('are cut between stairs and the floor above, and tear no stairs apart', () => {
    // A hall with stairs up to a gallery above a part of it.
    const hall = floor(20, 10, (column) => (column < 12 ? 0 : Math.min(8, column - 11) * 16));
    const gallery = floor(10, 10, () => 136);
    expect(heights([...hall, ...gallery])).toEqual([
      [0, 128],
      [136, 136],
    ]);
  });

  it('leave a few points under a bridge where they are', () => {
    const canyon = floor(20, 20, () => 0);
    const bridge = [0, 128, 32, 0, 160, 32].map((x, k) => (k % 3 === 2 ? 96 : x));
    expect(splitLevels([...canyon, ...bridge], STEP)).toHaveLength(1);
  });

  it('can be as high as a game has them', () => {
    expect(
      heights(
        floor(8, 1, (column) => 20 * column),
        64,
      ),
    ).toEqual([
      [0, 60],
      [80, 120],
      [140, 140],
    ]);
    expect(heights([0, 0, -1, 0, 0, 0], 64)).toEqual([
      [-1, -1],
      [0, 0],
    ]);
  });

  it('of a height cost what there is of them, and are refused where there would be too many', () => {
    // A storey each for some points that are billions of storeys apart.
    expect(heights([0, 0, -4000, 0, 0, 0, 0, 0, 4000], 1e-6)).toHaveLength(3);
    const tower = Array.from({ length: 30_003 }, (_, k) => (k % 3 === 2 ? k : 0));
    expect(heights(tower.slice(3), 1)).toHaveLength(10_000);
    expect(() => heights(tower, 1)).toThrow(
      new RangeError('height must be larger: 1 makes more than 10000 levels'),
    );
    expect(() => heights([0, 0, 4000], 1e-307)).toThrow('height must be larger');
  });

  it('need no map with an entry for each column: JavaScript has none with more than 2^24', () => {
    let most = 0;
    const { set } = Map.prototype;
    const spy = vi.spyOn(Map.prototype, 'set').mockImplementation(function (
      this: Map<unknown, unknown>,
      ...entry
    ) {
      set.apply(this, entry);
      most = Math.max(most, this.size);
      return this;
    });
    const found = heights(floor(100, 50, (column) => (column < 50 ? 0 : 300)));
    spy.mockRestore();
    expect(found).toEqual([[0, 300]]);
    expect(most).toBeLessThanOrEqual(100);
  });

  it('name each point once, whatever they are', () => {
    const points = Array.from({ length: 3000 }, (_, k) => ((k * 7919) % 4001) - 2000);
    const levels = splitLevels(points, STEP);
    const all = levels.flatMap(({ points: own }) => Array.from(own));
    expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, k) => k));
    for (const [k, { low, high }] of levels.entries()) {
      expect(low).toBeLessThanOrEqual(high);
      if (k > 0) expect(low).toBeGreaterThan(levels[k - 1]!.high);
    }
    expect(splitLevels([], STEP)).toEqual([]);
  });
});
