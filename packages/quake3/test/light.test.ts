import { arenaQuake3 } from '@bspkit/fixtures';
import { between, createRandom } from '@bspkit/geometry';
import { refusal } from '@bspkit/testkit/refusals';
import { expectSame } from '@bspkit/testkit/same';
import { SEED } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createLightSampler, type Quake3File, readQuake3 } from '../src/index.ts';

const arena = readQuake3(arenaQuake3());

/** A map with a light grid, which its entities may give a size. */
function gridFile(
  mins: readonly number[],
  maxs: readonly number[],
  lightGrid: readonly number[],
  gridsize?: string,
): Quake3File {
  const entities = `{ "classname" "worldspawn"${gridsize ? ` "gridsize" "${gridsize}"` : ''} }`;
  const world = { ...arena.models[0]!, mins: Float32Array.from(mins), maxs: Float32Array.from(maxs) };
  return { ...arena, entities, models: [world], lightGrid: Uint8Array.from(lightGrid) };
}

/** 2 x 2 x 2 cells of 64 x 64 x 128 units, whose bounds are a bit larger than that. */
const MINS = [-10, -20, -30];
const MAXS = [100, 70, 255];

/** Straight up is 0 0; along the axes x and y, 64 and the quarter turns from x on. */
const [UP, X, Y] = [
  [0, 0],
  [64, 0],
  [64, 64],
] as const;

const CELLS = [
  ...[40, 0, 0, 8, 0, 0, ...UP],
  ...[0, 40, 0, 0, 8, 0, ...UP],
  ...[0, 0, 40, 0, 0, 8, ...UP],
  ...[20, 20, 20, 80, 80, 80, ...X],
  ...[10, 10, 10, 0, 0, 0, ...Y],
  ...[0, 0, 0, 255, 255, 255, ...X],
  ...[0, 0, 0, 255, 255, 255, ...X],
  ...[30, 30, 30, 20, 20, 20, ...X],
];
const file = gridFile(MINS, MAXS, CELLS);

/** 255 times what a sampler says, then the direction, with four places each. */
function ask(map: Quake3File, point: readonly number[], brightness = 1): number[] {
  const sampler = createLightSampler(map, { brightness });
  const { ambient, directed, direction, surface } = sampler.at(point, {
    ...sampler.createSample(),
    surface: 9,
  });
  expect(surface).toBe(-1);
  const colors = [...ambient, ...directed].map((x) => 255 * x);
  return [...colors, ...direction].map((x) => Math.round(1e4 * x) / 1e4);
}

describe('light at points', () => {
  it('is that of a cell at its corner, with 64 x 64 x 128 units to the next', () => {
    expect(ask(file, [0, 0, 0])).toEqual([40, 0, 0, 8, 0, 0, 0, 0, 1]);
    expect(ask(file, [64, 0, 0])).toEqual([0, 40, 0, 0, 8, 0, 0, 0, 1]);
    expect(ask(file, [0, 64, 0])).toEqual([0, 0, 40, 0, 0, 8, 0, 0, 1]);
    // The engine's sines are a bit off: there are 1024 for a whole turn, and one more.
    expect(ask(file, [64, 64, 0])).toEqual([20, 20, 20, 80, 80, 80, 1, 0, -0.0031]);
    expect(ask(file, [0, 0, 128])).toEqual([10, 10, 10, 0, 0, 0, -0.0031, 1, -0.0031]);
  });

  it('is interpolated, without cells that are in walls', () => {
    expect(ask(file, [32, 0, 0]).slice(0, 6)).toEqual([20, 20, 0, 4, 4, 0]);
    expect(ask(file, [16, 16, 0]).slice(0, 6)).toEqual(
      [0, 1, 2].map((k) => [40 * 9, 40 * 3, 40 * 3][k]! / 16 + 20 / 16).concat([9.5, 6.5, 6.5]),
    );
    // Of the four cells at the top, two count.
    expect(ask(file, [32, 32, 128]).slice(0, 6)).toEqual([20, 20, 20, 10, 10, 10]);
    expect(ask(file, [16, 0, 128]).slice(0, 6)).toEqual([10, 10, 10, 0, 0, 0]);
    // There, none does.
    expect(ask(file, [64, 0, 128])).toEqual(new Array(9).fill(0));
  });

  it('is that of the nearest cells outside the grid', () => {
    expect(ask(file, [0, 0, 1000]).slice(0, 3)).toEqual([10, 10, 10]);
    expect(ask(file, [-1e9, -64, 0]).slice(0, 3)).toEqual([40, 0, 0]);
    expect(ask(file, [3e38, 0, 0]).slice(0, 3)).toEqual([0, 40, 0]);
    // Here, the distance in cells is beyond float32.
    const fine = gridFile([0, 0, 0], [0.5, 0, 0], [...CELLS.slice(0, 16)], '0.5 64 128');
    expect(ask(fine, [3e38, 0, 0]).slice(0, 3)).toEqual([0, 40, 0]);
    // The engine interpolates there as it does inside.
    expect(ask(file, [-32, 0, 0]).slice(0, 3)).toEqual([20, 20, 0]);
  });

  it('is as bright as asked, with the hue of what is too bright', () => {
    const bright = gridFile(MINS, MAXS, [100, 50, 3, 10, 20, 64, ...UP, ...CELLS.slice(8)]);
    expect(ask(bright, [0, 0, 0], 4).slice(0, 6)).toEqual([255, 127, 7, 39, 79, 255]);
    expect(ask(bright, [0, 0, 0], 0.5).slice(0, 6)).toEqual([50, 25, 1.5, 5, 10, 32]);
  });

  it('has the size of cells and the bounds that the entities and the world say', () => {
    const cells = [1, 2, 3, 4].flatMap((x) => [x, x, x, 0, 0, 0, ...UP]);
    const long = gridFile([-33, 0, 0], [70, 20, 30], cells, '32 32 32');
    expect([-32, 0, 32, 64].map((x) => ask(long, [x, 0, 0])[0])).toEqual([1, 2, 3, 4]);
    // The engine asks for the key in small or capital letters, and takes as many numbers as there are.
    const capital = long.entities.replace('gridsize', 'gridSize');
    expect(ask({ ...long, entities: capital }, [64, 0, 0])[0]).toBe(4);
    const coloured = long.entities.replace(' }', ' "_color" "1 1 1" }');
    expect(ask({ ...long, entities: coloured }, [64, 0, 0])[0]).toBe(4);
    for (const gridsize of ['32 32 32 32', '32', '32 64 many']) {
      expect(ask(gridFile([-33, 0, 0], [70, 20, 30], cells, gridsize), [64, 0, 0])[0]).toBe(4);
    }
    for (const gridsize of ['many', 'nan 1 1']) {
      expect(ask(gridFile(MINS, MAXS, CELLS, gridsize), [64, 0, 0])[1]).toBe(40);
    }
  });

  it('is what the engine computes, to the bit', () => {
    const bytes = Array.from({ length: 8 * 6 * 4 * 3 }, (_, k) => (k * 7919) >> 2);
    // Half of the cells are in walls.
    for (let k = 0; k < bytes.length; k += 16) bytes.fill(0, k, k + 3);
    const map = gridFile([-120.5, -33, 7], [181, 170.25, 500], bytes, '60.1 50.3 160');
    const sampler = createLightSampler(map);
    const random = createRandom(SEED);
    const out = sampler.createSample();
    let lit = 0;
    for (let k = 0; k < 600; k++) {
      const point = [-200, -100, -100].map((low) => Math.fround(between(random, low, low + 700)));
      sampler.at(point, out);
      expectSame(
        [...out.ambient, ...out.directed, ...out.direction],
        lightOfGrid(map.lightGrid, point),
        `${point}`,
      );
      if (out.ambient[0]! > 0) lit++;
    }
    expect(lit).toBeGreaterThan(250);
  });

  it('ignores options of other formats, but not their mistakes', () => {
    const ambient = createLightSampler(file, { brightness: 1, styles: [0], smooth: true }).at([
      0, 0, 0,
    ]).ambient;
    expect(ambient[0]! * 255).toBeCloseTo(40, 4);
    expect(() => createLightSampler(file, { smooth: 1 as never })).toThrow(TypeError);
  });

  it('is full in a map without, and refused where the grid does not fit the world', () => {
    const { isLit, at } = createLightSampler(arena);
    expect([isLit, ...at([0, 0, 0]).ambient]).toEqual([false, 1, 1, 1]);
    expect(refusal(() => createLightSampler(gridFile(MINS, MAXS, CELLS.slice(8))))).toBe(
      'lump-size: quake3: lightGrid: length 56 is not that of 2 x 2 x 2 cells',
    );
    for (const gridsize of ['0 0 0', '-1 -1 1', '1e30 1 1']) {
      expect(refusal(() => createLightSampler(gridFile(MINS, MAXS, CELLS, gridsize)))).toMatch(/^lump-size/);
    }
    // Two negative numbers of cells do not make a positive one.
    const inside = gridFile([10, 10, 0], [-190, -190, 0], new Array(8 * 9).fill(1), '64 64 128');
    expect(refusal(() => createLightSampler(inside))).toMatch(/cells$/);
    const bytes = Uint8Array.from(CELLS);
    const gone = createLightSampler({ ...file, lightGrid: bytes });
    structuredClone(bytes, { transfer: [bytes.buffer] });
    expect(() => gone.at([0, 0, 0])).toThrow(
      new TypeError("the file's bytes must not have been transferred or cut off"),
    );
  });
});

/** The engine's table of sines. */
const SINES = Array.from({ length: 1024 }, (_, k) =>
  Math.fround(Math.sin((Math.fround((k * 360) / 1023) * Math.PI) / 180)),
);

/** The grid of the test above at a point: its eight cells one by one, as the engine computes it; colours divided by 255. */
function lightOfGrid(bytes: Uint8Array, point: readonly number[]): number[] {
  const f = Math.fround;
  const sizes = [f(60.1), f(50.3), 160];
  // Multiples of these within the bounds: -2 to 3, 0 to 3 and 1 to 3.
  const origin = [-2 * sizes[0]!, 0, 160];
  const counts = [6, 4, 3];
  const places = point.map((x, k) => f(f(x - origin[k]!) * f(1 / sizes[k]!)));
  const parts = places.map((place) => f(place - Math.floor(place)));
  const cells = places.map((place, k) => Math.min(Math.max(Math.floor(place), 0), counts[k]! - 1));
  const sum = new Float32Array(9);
  let total = 0;
  for (const [dx, dy, dz] of [
    ...[[0, 0, 0] as const, [1, 0, 0] as const, [0, 1, 0] as const, [1, 1, 0] as const],
    ...[[0, 0, 1] as const, [1, 0, 1] as const, [0, 1, 1] as const, [1, 1, 1] as const],
  ]) {
    const [x, y, z] = [cells[0]! + dx, cells[1]! + dy, cells[2]! + dz];
    if (x > 5 || y > 3 || z > 2) continue;
    const weights = [dx, dy, dz].map((d, k) => (d === 1 ? parts[k]! : f(1 - parts[k]!)));
    const weight = f(f(weights[0]! * weights[1]!) * weights[2]!);
    const data = bytes.subarray(8 * (x + 6 * (y + 4 * z)));
    if (data[0] === 0 && data[1] === 0 && data[2] === 0) continue;
    total = f(total + weight);
    for (const first of [0, 3]) {
      const shifted = [0, 1, 2].map((k) => data[first + k]! << 2);
      const most = Math.max(...shifted);
      for (const [k, value] of shifted.entries()) {
        sum[first + k]! += f(weight * (most > 255 ? Math.trunc((value * 255) / most) : value));
      }
    }
    const [long, lat] = [4 * data[6]!, 4 * data[7]!];
    const normal = [
      f(SINES[(lat + 256) & 1023]! * SINES[long]!),
      f(SINES[lat]! * SINES[long]!),
      SINES[(long + 256) & 1023]!,
    ];
    for (let k = 0; k < 3; k++) sum[6 + k]! += f(normal[k]! * weight);
  }
  if (total > 0 && total < 0.99) {
    const share = f(1 / total);
    for (let k = 0; k < 6; k++) sum[k]! *= share;
  }
  const [x, y, z] = sum.subarray(6) as unknown as readonly [number, number, number];
  const square = f(f(f(x * x) + f(y * y)) + f(z * z));
  const scale = square === 0 ? 0 : f(1 / f(Math.sqrt(square)));
  return [...sum.subarray(0, 6).map((color) => color / 255), ...sum.subarray(6).map((each) => each * scale)];
}
