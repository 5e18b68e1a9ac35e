import type { Bounds, Vec3 } from '@bspkit/core';
import { areaSize, between, createRandom, lengthOf, pick, type Vec, windingArea } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { treeBounds } from '../src/box.ts';
import { type Brush, createBrush } from '../src/brushes.ts';
import { unionFaces } from '../src/csg.ts';
import { boxBrush, compileMap, hullBrush, type SourceBrush, type SourceSide } from '../src/index.ts';
import { createMaterialFinder } from '../src/materials.ts';
import { PlaneSet } from '../src/planes.ts';
import { createBoxSolid, type Solid, solidReach } from '../src/solid.ts';
import { DRAWN_RULE, expandBrush } from '../src/targets/quake1/hull.ts';
import { buildTree, type Cells } from '../src/tree.ts';
import { WorkCounts } from '../src/work.ts';
import { depth, holders } from './brute.ts';
import { readQuake1File } from './read/quake1.ts';
import { readQuake2File } from './read/quake2.ts';
import { readUfoaiFile } from './read/ufoai.ts';
import { roundedBox } from './rounded.ts';

/** Boxes rotated at random, each with a set of planes of its own. */
function* turnedBoxes(count: number): Generator<{ seed: number; planes: PlaneSet; brush: Brush }> {
  const material = createMaterialFinder(undefined, false);
  for (let seed = 1; seed <= count; seed++) {
    const source = roundedBox(createRandom(seed), 10);
    if (!source) continue;
    const planes = new PlaneSet();
    yield { seed, planes, brush: createBrush({ planes, material, warnings: [] }, source, {}) };
  }
}

/** By how much the vector areas of a body's sides fail to cancel out. */
function gap({ windings }: Solid): number {
  const sum: Vec = [0, 0, 0];
  for (const winding of windings) {
    for (const [k, x] of windingArea(winding).entries()) sum[k]! += x;
  }
  return lengthOf(...sum);
}

const PLAYER = { mins: [-16, -16, -24], maxs: [16, 16, 32] } as const;

/** By how much a box at a point is clear of a brush, along a direction in which nothing of the brush reaches farther. */
function clearance({ windings }: Solid, normal: Vec, point: Vec, { mins, maxs }: Bounds): number {
  const along = (at: readonly number[]): number =>
    at.reduce((sum, x, k) => sum + (x * normal[k]!) / lengthOf(...normal), 0);
  const corner = normal.map((n, k) => point[k]! + (n > 0 ? mins[k]! : maxs[k]!));
  let most = Number.NEGATIVE_INFINITY;
  for (const winding of windings) {
    for (let i = 0; i < winding.length; i += 3) most = Math.max(most, along(winding.slice(i, i + 3)));
  }
  return along(corner) - most;
}

describe('hulls of brushes', () => {
  const make = (source: SourceBrush): Brush => {
    const material = createMaterialFinder(undefined, false);
    return createBrush({ planes: new PlaneSet(), material, warnings: [] }, source, {});
  };
  const hullPlane = (normal: Vec3, dist: number): SourceSide => ({ normal, dist });

  it.each<[string, readonly SourceSide[], Vec, Vec]>([
    [
      'whose sides meet in a corner so flat that they differ in where it is',
      [
        hullPlane([0.0055, -0.815, 0.5795], -48.06),
        hullPlane([-0.021763, 0.225939, -0.973898], 159.545),
        hullPlane([-0.06512, 0.79912, -0.59763], 209.295),
        hullPlane([0.1, 0.2, 1], 0),
        hullPlane([-0.038764, 0.547111, -0.836162], 176.334),
      ],
      [-0.897068, 0, -0.441892],
      [-2805, 10, -57],
    ],
    [
      'with a long edge that is hardly askew',
      [
        ...boxBrush([0, 0, 0], [100, 64, 2000]).sides.filter(({ normal }) => normal[0] !== 1),
        hullPlane([1, 0.3, 0.0006], 100),
        hullPlane([1, -0.3, 0.0006], 100 - 19.2),
      ],
      [1, 0, 0.0006],
      [110, 33, 1900],
    ],
  ])('end where the box meets the edge: %s', (_, sides, normal, point) => {
    const brush = make({ sides });
    expect(clearance(brush.solid, normal, point, PLAYER)).toBeGreaterThan(0.2);
    const { contents } = readQuake1File(compileMap([{ sides }], { format: 'quake1' }).bytes);
    expect(contents(1, point)).toBe(-1);
  });
});

describe('bodies with sides that lie nearly in one plane', () => {
  it('are no larger for it: of three such sides, no two have the same place', () => {
    const source = hullBrush([
      [-35.5, 11.375, 14.125],
      [-23.625, 24.5, 20.625],
      [-19.5, -2, 12.125],
      [-7.625, 11.125, 18.625],
      [10.125, -20, -5.25],
      [21.875, -6.875, 1.25],
      [23.625, -24.5, -20.625],
      [35.5, -11.375, -14.125],
      [7.625, -11.125, -18.625],
      [19.5, 2, -12.125],
      [-21.875, 6.875, -1.25],
      [-10.125, 20, 5.25],
    ]);
    const material = createMaterialFinder(undefined, false);
    const { solid } = createBrush({ planes: new PlaneSet(), material, warnings: [] }, source, {});
    // What the hull's triangles add up to.
    expect(solid.windings.reduce((sum, winding) => sum + areaSize(winding), 0)).toBeCloseTo(4922.8, 0);
  });

  it('are closed, both as they are and expanded', () => {
    for (const { seed, planes, brush } of turnedBoxes(300)) {
      const gaps = [brush.solid, expandBrush(planes, brush, PLAYER).solid].map(gap);
      if (!gaps.every((square) => square < 20))
        expect({ seed, gaps }).toEqual('gaps of less than 20 square units');
    }
  });

  it('do not extend into thin leafs where sides lie a hundredth apart', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = createRandom(seed);
      const brushes = Array.from({ length: 16 }, () => {
        const mins = [0, 1, 2].map(
          () => 16 * Math.floor(between(random, -8, 8)) + pick(random, [0, 0.0101, 0.014]),
        );
        return boxBrush(
          mins,
          mins.map((x) => x + 16 * Math.ceil(between(random, 0, 6)) + pick(random, [0, 0.0101])),
        );
      });
      const file = readQuake1File(compileMap(brushes, { format: 'quake1', hulls: [] }).bytes);
      for (let i = 0; i < 2000; i++) {
        const point = [0, 1, 2].map(() => 16 * Math.floor(between(random, -8, 8)) + between(random, 1, 15));
        point[i % 3] = Math.round(point[i % 3]! / 16) * 16 + between(random, 0, 0.024);
        if (file.contents(0, point) === -1) continue;
        const gap = Math.min(...brushes.map((brush) => depth(brush, point)));
        if (gap > 0.1) expect({ seed, point, gap }).toEqual('open');
      }
    }
  });

  /** Each of some bodies as two, on both sides of a plane, of which the second ends a little beyond it. */
  const cut = (
    brushes: readonly SourceBrush[],
    [normal, dist]: readonly [Vec, number],
    beyond: readonly [Vec, number],
  ): SourceBrush[] =>
    brushes.flatMap(({ sides }) => [
      { sides: [...sides, { normal, dist }] },
      { sides: [...sides, { normal: beyond[0], dist: beyond[1] }] },
    ]);
  const cube = [boxBrush([-32, -32, -32], [32, 32, 32])];

  it('are solid throughout where they meet in the middle of both', () => {
    for (const normal of [
      [1, 0, 0],
      [0, 0.6, 0.8],
    ] satisfies Vec[]) {
      const [x, y, z] = normal;
      const brushes = cut(cube, [normal, 0], [[-x, -y, -z], 0]);
      const { contents } = readQuake1File(compileMap(brushes, { format: 'quake1' }).bytes);
      for (const point of [
        [0, 0, 0],
        [20, 20, 20],
        [-20, -20, -20],
      ])
        expect({ point, contents: contents(0, point) }).toEqual({ point, contents: -2 });
    }
  });

  it.each([
    ['less than a hundredth of a unit', 0.0001, 0.004, -2],
    ['less than two hundredths, as a piece of space of its own', 0.0003, 0.008, -2],
    ['two hundredths and more', 0.0003, 0.012, -1],
  ])('leave a crack open between them if it can be noticed: %s wide', (_, askew, least, contents) => {
    // Cut along a slope, and both parts again, so that the crack of those above ends there.
    const halves = cut(cube, [[0, 0.6, 0.8], 0], [[-askew, -0.6, -0.8], -least]);
    const quarters = cut(halves, [[0, 0, 1], 4], [[0, 0, -1], -4.012]);
    const file = readQuake1File(compileMap(quarters, { format: 'quake1' }).bytes);
    for (let x = -31; x < 0; x += 2) {
      const middle = (least - askew * x) / 2;
      const point = [x, -16 + 0.6 * middle, 12 + 0.8 * middle];
      expect({ point, contents: file.contents(0, point) }).toEqual({ point, contents });
    }
  });

  it('do not extend into a wedge between two of them that is too thin for faces', () => {
    const { sides } = boxBrush([55, 2, -150], [72.1, 38, -143.96]);
    const brushes = [
      boxBrush([56, -1, -152], [72, 31, -144]),
      // Reaches 0.018 beyond the first, and beside both the wedge goes on.
      {
        sides: [
          { normal: [-1, 0.00015, -0.00008], dist: -55.97 },
          { normal: [-0.01, -1, 0], dist: -2 },
          ...sides.filter(({ normal }) => normal[0] !== -1 && normal[1] !== -1),
        ],
      },
    ] satisfies SourceBrush[];
    const quake1 = readQuake1File(compileMap(brushes, { format: 'quake1' }).bytes);
    const quake2 = readQuake2File(compileMap(brushes, { format: 'quake2' }).bytes);
    for (const point of [
      [55.99, -20, -147],
      [55.991, 36, -150.6],
      [55.995, 60, -147],
    ]) {
      expect(holders(brushes, point)).toEqual([]);
      const found = [quake1.contents(0, point), quake2.leafs[quake2.leaf(point)]!.contents];
      expect({ point, found }).toEqual({ point, found: [-1, 0] });
    }
  });

  it('do not end early where a wedge beside others is too thin for faces', () => {
    const terrain = {
      sides: [
        { normal: [-0.9, -0.1, -0.4], dist: 3348 },
        { normal: [0, -1, 0], dist: 2635 },
        { normal: [0.284, 0.554, -0.783], dist: -370 },
        { normal: [0.54, 0.08, -0.84], dist: 77 },
        { normal: [-0.1, -0.1, 1], dist: -1387 },
      ],
      contents: 'terrain',
    } satisfies SourceBrush;
    const beside = boxBrush([-2481, -2035, -1858.3], [-2480, -2003, -1850.3], { contents: 'water' });
    const brushes = [
      terrain,
      boxBrush([-2480.63, -2035, -1858.4], [-2480, -1971, -1852], { contents: 'terrain' }),
      boxBrush([-2480.63, -2035, -1858], [-2480.5, -2003, -1850], { contents: 'passable' }),
      {
        ...beside,
        sides: [
          { normal: [-0.9999993, -0.0011359, -0.0002217], dist: 2483.352 },
          ...beside.sides.filter(({ normal }) => normal[0] !== -1),
        ],
      },
    ] satisfies SourceBrush[];
    const point = [-2480.6316, -2033.068, -1859.4567];
    expect(holders(brushes, point)).toEqual([terrain]);
    const { contents } = readUfoaiFile(compileMap(brushes, { format: 'ufoai' }).bytes);
    expect(contents(255, point) & 0x60021).toBe(0x40000);
  });

  it('have no thin solid leafs beside them', () => {
    for (const { seed, planes, brush } of turnedBoxes(300)) {
      const work = new WorkCounts(brush.solid.planes.length);
      const cells: Cells = new Map();
      buildTree({
        planes,
        brushes: [brush],
        faces: unionFaces(planes, [brush], DRAWN_RULE, work),
        leafs: 'contents',
        box: createBoxSolid(planes, treeBounds(brush.box)),
        costs: { oblique: 0, crowd: Number.POSITIVE_INFINITY },
        rule: DRAWN_RULE,
        work,
        onLeaf: (leaf, cell) => cells.set(leaf, cell),
      });
      for (const [{ bits, center }, cell] of cells) {
        if (bits === 0) continue;
        const out = Math.max(...brush.solid.planes.map((plane) => solidReach(planes, cell, plane)[1]));
        if (out > 0.1) expect({ seed, center, out }).toEqual('a leaf within the brush');
      }
    }
  });
});
