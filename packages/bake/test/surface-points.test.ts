import type { Mesh } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { surfacePoints } from '../src/index.ts';

/** A mesh of triangles, nine numbers each. */
function meshOf(positions: Float32Array): Mesh {
  const indices = Uint32Array.from({ length: positions.length / 3 }, (_, k) => k);
  const group = { model: 0, isSky: false, isHidden: false, firstIndex: 0, indexCount: indices.length };
  return { positions, indices, groups: [group] } as unknown as Mesh;
}

/**
 * The middles of squares on one side of all edges of a triangle seen from above: every square around it is tried. One on an edge is
 * on the side of what is just to the east of it; on an edge that leads there, of what is just to the north.
 */
function squaresIn(corners: readonly (readonly number[])[], spacing: number): number[] {
  const lines = [0, 1].map((axis) => {
    const values = corners.map((corner) => corner[axis]! / spacing - 0.5);
    return [Math.ceil(Math.min(...values)), Math.floor(Math.max(...values))] as const;
  });
  const found: number[] = [];
  for (let row = lines[1]![0]; row <= lines[1]![1]; row++) {
    for (let column = lines[0]![0]; column <= lines[0]![1]; column++) {
      const [p, q] = [(column + 0.5) * spacing, (row + 0.5) * spacing];
      const turns = corners.map(([u, v], k) => {
        const [x, y] = corners[(k + 1) % 3]! as [number, number];
        return (x - u!) * (q - v!) - (y - v!) * (p - u!) || v! - y || x - u!;
      });
      if (turns.every((turn) => turn > 0) || turns.every((turn) => turn < 0)) found.push(p, q);
    }
  }
  return found;
}

/** Triangles from above, and thin ones most of all: some have their corners on one line, but for rounding. */
function triangleBy(random: () => number, kind: number): number[][] {
  const any = (size: number): number => Math.fround((2 * random() - 1) * size);
  const [first, second] = [
    [any(300), any(300), 0],
    [any(300), any(300), 0],
  ] as const;
  const part = 2 * random() - 0.5;
  const off = [300, 2, 0.01, 1e-4][kind % 4]!;
  const third = [0, 1].map((k) => Math.fround(first[k]! + part * (second[k]! - first[k]!) + any(off)));
  const round = kind % 3 === 0 ? (x: number): number => 8 * Math.round(x / 8) : (x: number): number => x;
  return [first, second, [...third, 0]].map((corner) => corner.map(round));
}

/** A triangle cut into those between its edges and a point in it or on one of them; itself, if the point is elsewhere. */
function partsAround(corners: number[], x: number, y: number): number[][] {
  const parts = [0, 2, 4].map((k) => [
    corners[k]!,
    corners[k + 1]!,
    corners[(k + 2) % 6]!,
    corners[(k + 3) % 6]!,
    x,
    y,
  ]);
  const areas = parts.map(([a, b, c, d]) => (c! - a!) * (y - b!) - (d! - b!) * (x - a!));
  if (!areas.every((area) => area >= 0)) return [corners];
  return parts.filter((_, k) => areas[k]! > 0);
}

describe('points of surfaces', () => {
  it('are the middles of all squares on a triangle, row by row, however thin it is', () => {
    const random = createRandom(seedOf(1));
    let compared = 0;
    for (let kind = 0; kind < 600; kind++) {
      const corners = triangleBy(random, kind);
      const spacing = [8, 16, 5.3, 30][kind % 4]!;
      const { points } = surfacePoints(meshOf(Float32Array.from(corners.flat())), spacing);
      const expected = squaresIn(corners, spacing);
      if (expected.length === 0) {
        expect(points.length).toBeLessThanOrEqual(3);
        continue;
      }
      const flat = points.filter((_, k) => k % 3 !== 2);
      if (points.length > 0) expect(flat).toEqual(Float32Array.from(expected));
      compared++;
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('are there once, however a surface is cut into triangles', () => {
    const random = createRandom(seedOf(5));
    const size = 64;
    const middles: string[] = [];
    for (let x = 4; x < size; x += 8) for (let y = 4; y < size; y += 8) middles.push(`${x} ${y}`);
    for (let cut = 0; cut < 40; cut++) {
      let triangles: number[][] = [
        [0, 0, size, 0, size, size],
        [0, 0, size, size, 0, size],
      ];
      for (let k = 0; k < 12; k++) {
        // Through the middles of squares more often than not: a corner inside, or one on an edge of two.
        const [x, y] = [4 * Math.floor(17 * random()), 4 * Math.floor(17 * random())];
        triangles = triangles.flatMap((corners) => partsAround(corners, x, y));
      }
      const turned = triangles.map(([a, b, c, d, e, f], k) =>
        k % 2 ? [c, d, a, b, e, f] : [a, b, c, d, e, f],
      );
      const positions = turned.flatMap((at) => [at[0]!, at[1]!, 0, at[2]!, at[3]!, 0, at[4]!, at[5]!, 0]);
      const { points } = surfacePoints(meshOf(Float32Array.from(positions)), 8);
      const found = new Set<string>();
      let count = 0;
      for (let at = 0; at < points.length; at += 3) {
        // Triangles without such a middle have their own.
        if (points[at]! % 8 !== 4 || points[at + 1]! % 8 !== 4) continue;
        found.add(`${points[at]} ${points[at + 1]}`);
        count++;
      }
      expect([...found].sort()).toEqual([...middles].sort());
      expect(count).toBe(middles.length);
    }
  });

  it('lie on their triangles, with the unit normals of these, however they are tilted', () => {
    const random = createRandom(seedOf(3));
    const any = (): number => Math.fround((2 * random() - 1) * 100);
    for (let kind = 0; kind < 60; kind++) {
      const [a, b, c] = [0, 1, 2].map(() => [any(), any(), any()]) as [number[], number[], number[]];
      const { points, normals } = surfacePoints(meshOf(Float32Array.from([a, b, c].flat())), 16);
      const along = (to: number[], normal: Float32Array): number =>
        to.reduce((sum, x, k) => sum + (x - a[k]!) * normal[k]!, 0);
      expect(points.length).toBeGreaterThan(0);
      for (let at = 0; at < points.length; at += 3) {
        const normal = normals!.subarray(at, at + 3);
        expect(normal.reduce((sum, x) => sum + x * x, 0)).toBeCloseTo(1, 5);
        for (const on of [b, c, [...points.subarray(at, at + 3)]])
          expect(along(on, normal)).toBeCloseTo(0, 3);
      }
    }
  });

  it('are on what is drawn of the world: not on skies, on what is hidden, or on models', () => {
    const mesh = meshOf(Float32Array.from([0, 0, 0, 32, 0, 0, 0, 32, 0]));
    const countOf = (change: object): number => {
      const groups = mesh.groups.map((group) => ({ ...group, ...change }));
      return surfacePoints({ ...mesh, groups }, 16).points.length / 3;
    };
    const changes = [{}, { isSky: true }, { isHidden: true }, { model: 1 }];
    expect(changes.map(countOf)).toEqual([1, 0, 0, 0]);
  });

  it('are those on triangles that lie nearly along the rows, too', () => {
    const random = createRandom(seedOf(1));
    const any = (size: number): number => Math.fround((2 * random() - 1) * size);
    let compared = 0;
    for (let k = 0; k < 50; k++) {
      const corners = [0, 1, 2].map(() => [any(9), any(0.5), 0]);
      const { points } = surfacePoints(meshOf(Float32Array.from(corners.flat())), 0.25);
      const flat = points.filter((_, k) => k % 3 !== 2);
      const expected = squaresIn(corners, 0.25);
      if (expected.length === 0) continue;
      expect(flat).toEqual(Float32Array.from(expected));
      compared++;
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('cost as much as is on them, not around: long slivers across millions of squares', () => {
    const slivers = Array.from({ length: 20 }, (_, k) => [
      0,
      0,
      0,
      190_000,
      190_000,
      0,
      190_001 + k,
      190_000,
      0,
    ]);
    const { points } = surfacePoints(meshOf(Float32Array.from(slivers.flat())), 32);
    // The diagonal goes through the middles of squares; the last one, at the upper corner, is not below it.
    expect(points).toHaveLength(3 * 20 * Math.ceil(190_000 / 32 - 0.5));
  });

  it.each([
    [
      'points',
      [0, 0, 0, 190_000, 0, 0, 0, 190_000, 0],
      16,
      'makes more than 16777216 points: use a larger one',
    ],
    [
      'rows without any',
      [0, 0, 0, 100, 190_000, 0, 100.001, 190_000, 0],
      0.16,
      'makes more than 4194304 rows without a point on thin triangles: use a larger one',
    ],
    ['lines', [1e30, 0, 0, 2e30, 0, 0, 0, 3e30, 0], 64, 'is too small for surfaces this far from the origin'],
  ])('are refused where there would be too many %s', (_, triangle, spacing, problem) => {
    const many = Array.from({ length: 4 }, () => triangle).flat();
    const mesh = meshOf(Float32Array.from(many));
    expect(() => surfacePoints(mesh, spacing)).toThrow(new RangeError(`spacing ${spacing} ${problem}`));
  });
});
