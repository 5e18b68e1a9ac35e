import { between, createRandom, pick } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import {
  type Clearings,
  clearingBytes,
  clearingGrid,
  createClearings,
  isClear as isClearAtOnce,
  type ObstacleLister,
} from '../src/format/index.ts';

const POINT = [0, 0, 0];

/** What formats promise: an epsilon of half a unit, and room for rounding. */
const ROUNDING = 0.02;
const AWAY = 0.5 + ROUNDING;

/** Whether engines do not mind how close a move that is in front of a side comes to it. */
const passes = (first: number, last: number): boolean => first > ROUNDING && (last >= first || last > AWAY);

/** Whether a move is clear, once its cell has been asked for often enough for a clearing to be looked for. */
function isClear(...move: Parameters<typeof isClearAtOnce>): boolean {
  for (let k = 0; k < 25; k++) isClearAtOnce(...move);
  return isClearAtOnce(...move);
}

/** Clearings of a world of 1,000 units, among these obstacles. */
function among(...obstacles: readonly number[][]): Clearings {
  const grid = clearingGrid({ mins: [-500, -500, -500], maxs: [500, 500, 500] }, 1e6)!;
  return createClearings(grid, () => Float32Array.from(obstacles.flat()));
}

describe('clearings', () => {
  it('have nothing in them', () => {
    const random = createRandom(1);
    const place = (): number => between(random, -500, 500);
    let clear = 0;
    let met = 0;
    let total = 0;
    for (let world = 0; world < 20; world++) {
      const obstacles = Array.from({ length: 60 }, () => {
        // Where planes of most maps are.
        const low = [Math.round(place()), place(), Math.round(place())];
        const bounds = [...low, ...low.map((x) => x + pick(random, [8, 64, between(random, 0, 200)]))];
        // Now and then inside out, infinite or NaN.
        if (random() < 0.1) bounds[pick(random, [0, 3])] = pick(random, [place(), -Infinity, Infinity, NaN]);
        return bounds;
      });
      const clearings = among(...obstacles);
      for (let n = 0; n < 300; n++) {
        const start = Float32Array.of(place(), place(), place());
        const mins = [0, 0, 0].map(() => -between(random, 0, 12));
        const maxs = [0, 0, 0].map(() => between(random, 0, 12));
        // Some hover above a side, or slide along it.
        const bounds = obstacles[n % 60]!;
        const [axis, off] = [n % 3, between(random, -0.1, 0.8)];
        const side = bounds[n % 6]! + (n % 6 < 3 ? -maxs[axis]! - off : off - mins[axis]!);
        if (n % 7 < 4 && bounds.every(Number.isFinite)) {
          for (let k = 0; k < 3; k++)
            start[k] = k === axis ? side : between(random, bounds[k]!, bounds[3 + k]!);
        }
        const end = start.map((x) =>
          Math.fround(x + pick(random, [0, between(random, -0.1, 0.1), between(random, -20, 20)])),
        );
        total++;
        if (!isClear(clearings, start, end, mins, maxs)) continue;
        clear++;
        for (const bounds of obstacles) {
          const isApart = [0, 1, 2].some((k) => {
            const [from, to] = [start[k]!, end[k]!];
            const [low, high] = [bounds[k]! - maxs[k]!, bounds[3 + k]! - mins[k]!];
            return passes(low - from, low - to) || passes(from - high, to - high);
          });
          if (!isApart) met++;
        }
      }
    }
    expect(met).toBe(0);
    expect(clear).toBeGreaterThan(total / 3);
    expect(clear).toBeLessThan(total);
  });

  it('reach as far as obstacles let them', () => {
    const clearings = among([-500, -500, -500, 500, 500, 0], [40, -500, 0, 60, 500, 500]);
    const start = [20, 20, 20];
    const at = (x: number, z: number): boolean => isClear(clearings, start, [x, 20, z], POINT, POINT);
    expect(at(39.3, 20)).toBe(true);
    expect(at(39.5, 20)).toBe(false);
    expect(at(20, 0.7)).toBe(true);
    expect(at(20, 0.5)).toBe(false);
    expect(at(-40, 70)).toBe(true);
    // Much closer, where nothing comes nearer to them.
    const above = (from: number, to: number): boolean =>
      isClear(clearings, [20, 20, from], [30, 20, to], POINT, POINT);
    expect(above(0.03, 0.03)).toBe(true);
    expect(above(0.03, 0.2)).toBe(true);
    expect(above(0.03, 0.0299)).toBe(false);
    expect(above(0.6, 0.5)).toBe(false);
    expect(above(0.02, 0.02)).toBe(false);
    expect(above(0.02, 0.2)).toBe(false);
  });

  it('are not looked for once listing obstacles has taken too many steps', () => {
    const makeGrid = () => clearingGrid({ mins: [-8000, -8000, 0], maxs: [8000, 8000, 100] }, 1e6)!;
    /** Asks in 40 areas. Returns how often obstacles were listed, and in how many of the areas there was a clearing. */
    const ask = (list: ObstacleLister, grid = makeGrid()): number[] => {
      let listed = 0;
      const clearings = createClearings(grid, (...area) => {
        listed++;
        return list(...area);
      });
      let clear = 0;
      for (let k = 0; k < 40; k++) {
        const [x, y] = [800 * (k % 8) - 3000, 800 * Math.floor(k / 8) - 2000];
        if (isClear(clearings, [x, y, 50], [x + 1, y, 50], POINT, POINT)) clear++;
      }
      return [listed, clear];
    };
    const one = (): Float32Array => new Float32Array(6).fill(-7999);
    const many = (): Float32Array => new Float32Array(6 * 2 ** 16).fill(-7999);
    expect(ask(one)).toEqual([40, 40]);
    // Lists take memory.
    expect(ask(many)).toEqual([24, 24]);
    // Some formats have one list for all areas.
    const all = many();
    expect(ask(() => all)).toEqual([40, 40]);
    // What listers look at takes time.
    const slow: ObstacleLister = (_mins, _maxs, work) => {
      work.left -= 2 ** 23;
      return work.left < 0 ? null : one();
    };
    expect(ask(slow)).toEqual([18, 17]);
    // The steps are those of the world, however many hulls it has.
    const grid = makeGrid();
    expect([ask(many, grid), ask(many, grid)]).toEqual([
      [24, 24],
      [0, 0],
    ]);
  });

  it('are where they were asked for, though another part of the cell is larger', () => {
    const wall = [40, -500, -500, 50, 500, 500];
    const clear = (clearings: Clearings, x: number): boolean =>
      isClear(clearings, [x, 20, 20], [x + 1, 20, 20], POINT, POINT);
    const behind = among(wall);
    expect([clear(behind, 55), clear(behind, 52), clear(behind, 20)]).toEqual([true, true, false]);
    const before = among(wall);
    expect([clear(before, 20), clear(before, 55)]).toEqual([true, false]);
    const justBefore = among([20, -500, -500, 30, 500, 500]);
    expect([clear(justBefore, 15), clear(justBefore, 35)]).toEqual([true, false]);
    // Where it begins within the bounds of something, the larger part counts.
    const within = among(wall);
    expect([clear(within, 45), clear(within, 20)]).toEqual([false, true]);
  });

  it('are for moves that are short but not of length 0 in float32, finite, and in the world', () => {
    const clearings = among();
    const clear = (start: readonly number[], end: readonly number[], size = 0): boolean =>
      isClear(clearings, start, end, [-size, -size, -size], [size, size, size]);
    expect(clear([0, 0, 0], [1, 0, 0])).toBe(true);
    expect(clear([0, 0, 0], [0, 0, 63.9], 8)).toBe(true);
    expect(clear([0, 0, 0], [0, 64, 0])).toBe(false);
    expect(clear([0, 0, 0], [0, -64, 0])).toBe(false);
    expect(clear([0, 0, 0], [-0, 0, 0])).toBe(false);
    expect(clear([100, 0, 0], [100 + 1e-9, 0, 0])).toBe(false);
    expect(clear([0, 0, 0], [1, 0, 0], 1000)).toBe(false);
    for (const none of [NaN, Infinity, -Infinity, 1e30]) {
      expect(clear([0, none, 0], [1, none, 0])).toBe(false);
      expect(clear([0, 0, 0], [1, none, 0])).toBe(false);
    }
    expect(clear([], [])).toBe(false);
    expect(clear([600, 0, 0], [599, 0, 0])).toBe(false);
  });

  it('do not exist in solid, or where there are too many obstacles', () => {
    const solid = among([-500, -500, -500, 500, 500, 500]);
    expect(isClear(solid, [0, 0, 0], [1, 0, 0], POINT, POINT)).toBe(false);
    const corner = [-500, -500, -500, -499, -499, -499];
    const few = among(...Array.from({ length: 256 }, () => corner));
    expect(isClear(few, [-450, -450, -450], [-449, -450, -450], POINT, POINT)).toBe(true);
    const many = among(...Array.from({ length: 257 }, () => corner));
    expect(isClear(many, [-450, -450, -450], [-449, -450, -450], POINT, POINT)).toBe(false);
    expect(isClear(many, [0, 0, 0], [1, 0, 0], POINT, POINT)).toBe(true);
  });

  it('are looked for where many moves ask for them', () => {
    const clearings = among();
    const ask = (x: number): boolean => isClearAtOnce(clearings, [x, 9, 9], [x + 1, 9, 9], POINT, POINT);
    expect(Array.from({ length: 25 }, () => ask(20)).includes(true)).toBe(false);
    expect(ask(36)).toBe(true);
    expect(ask(100)).toBe(false);
  });

  it('list the obstacles of an area once, when the first of it is looked for', () => {
    const lists: (readonly [ArrayLike<number>, ArrayLike<number>])[] = [];
    const clearings = createClearings(
      clearingGrid({ mins: [0, 0, 0], maxs: [999, 99, 99] }, 1e6)!,
      (mins, maxs) => {
        lists.push([mins, maxs]);
        // As if it took too long in the second area.
        return mins[0]! < 0 ? new Float32Array(0) : null;
      },
    );
    const clear = (x: number): boolean => isClear(clearings, [x, 9, 9], [x + 1, 9, 9], POINT, POINT);
    isClear(clearings, [0, 0, 0], [90, 0, 0], POINT, POINT);
    expect(lists).toEqual([]);
    // Areas are as wide as a clearing reaches on either side of their eight cells of 64 units.
    expect([9, 90, 500].map(clear)).toEqual([true, true, true]);
    expect(lists).toEqual([
      [
        [-64, -64, -64],
        [576, 576, 576],
      ],
    ]);
    expect([600, 900].map(clear)).toEqual([false, false]);
    expect(lists.length).toBe(2);
  });

  it('are kept where something moves first, while there is room', () => {
    const grid = clearingGrid({ mins: [-500, -500, -500], maxs: [500, 500, 500] }, 1)!;
    const clearings = createClearings({ ...grid, kept: 2 }, () => new Float32Array(0));
    const at = (x: number): boolean => isClear(clearings, [x, 0, 0], [x + 1, 0, 0], POINT, POINT);
    expect(isClear(clearings, [-200, 0, 0], [-200, 0, 0], POINT, POINT)).toBe(false);
    expect(at(-400)).toBe(true);
    expect(at(20)).toBe(true);
    expect(at(400)).toBe(false);
    expect(at(-390)).toBe(true);
    // No block is beyond their room, where kernels in WebAssembly would read something else.
    expect(Math.max(...clearings.blocks)).toBe(2);
  });

  it('have room for 2,048 blocks together, whatever the bytes allowed', () => {
    const bounds = { mins: [-2000, -2000, -2000], maxs: [2000, 2000, 2000] };
    expect(clearingGrid(bounds, 1)!.kept).toBe(2048);
    expect(clearingGrid(bounds, 200_000)!.kept).toBe(3125);
    expect(clearingGrid(bounds, 1, 4)!.kept).toBe(512);
  });

  it('lie on a grid that is coarser for larger worlds, within the bytes allowed', () => {
    for (const size of [100, 2000, 20000, 1e9, Infinity]) {
      const grid = clearingGrid({ mins: [-size, -size, -size], maxs: [size, size, size] }, 1e6)!;
      expect(clearingBytes(grid)).toBeLessThan(1e6 + 140000);
      expect(clearingBytes({ ...grid, kept: 0 }) + 64 * grid.kept).toBe(clearingBytes(grid));
      expect(grid.scale === 1).toBe(size <= 2000);
      const most = Math.min(size, 32767);
      expect(grid.x).toBeLessThanOrEqual(-most);
      expect(grid.z + (256 * grid.nz) / grid.scale).toBeGreaterThan(most);
      const clearings = createClearings(grid, () => Float32Array.of(8, -9e9, -9e9, 9e9, 9e9, 9e9));
      const end = 8 - 2.1 / grid.scale;
      expect(isClear(clearings, [-20, 9, 9], [end, 9, 9], POINT, POINT)).toBe(true);
      expect(isClear(clearings, [-20, 9, 9], [7.4, 9, 9], POINT, POINT)).toBe(false);
    }
    expect(clearingGrid({ mins: [0, 0, 0], maxs: [0, 9, 9] }, 1e6)).toBeUndefined();
    expect(clearingGrid({ mins: [0, 0, 9], maxs: [9, 9, 0] }, 1e6)).toBeUndefined();
    expect(clearingGrid({ mins: [0, 0, NaN], maxs: [9, 9, 9] }, 1e6)).toBeUndefined();
  });
});
