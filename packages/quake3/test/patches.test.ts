import { compileMap } from '@bspkit/compile';
import { createRandom, cross, dot, normalize, subtract } from '@bspkit/geometry';
import {
  buildFacets,
  type PatchFacet,
  type PatchGrid,
  type Plane4,
  subdividePatch,
  type V3,
} from '@bspkit/geometry/patches';
import { expectBelow, expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createQuake3World, patches, readQuake3 } from '../src/index.ts';
import { runs } from './worlds.ts';

/** Points of a grid, columns by rows. */
const grid = (width: number, height: number, point: (i: number, j: number) => V3): V3[][] =>
  Array.from({ length: width }, (_, i) => Array.from({ length: height }, (_, j) => point(i, j)));

const open = (columns: V3[][]): PatchGrid => ({ columns, wrapWidth: false, wrapHeight: false });

function fail(what: string): never {
  throw new Error(`more than ${what}`);
}

const coordinate = fc.integer({ min: -200, max: 200 });
const control = fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 9, maxLength: 9 });
const toGrid = (points: V3[]): V3[][] => grid(3, 3, (i, j) => points[3 * j + i]!);

/** Distance of a point from a line between two others. */
function gap(point: V3, a: V3, b: V3): number {
  const along = b.map((x, k) => x - a[k]!);
  const from = point.map((x, k) => x - a[k]!);
  const t = Math.min(1, Math.max(0, dot(from, along) / (dot(along, along) || 1)));
  return Math.hypot(...from.map((x, k) => x - t * along[k]!));
}

describe('dividing curves', () => {
  it('turns the grid, and leaves straight rows undivided', () => {
    const flat = subdividePatch(
      grid(3, 5, (i, j) => [64 * i, 32 * j, 0]),
      fail,
    );
    const turned = grid(3, 2, (i, j) => [128 * j, 64 * i, 0]);
    expect(flat).toEqual({ columns: turned, wrapWidth: false, wrapHeight: false });
  });

  it.each([0, 1, 2])('goes by the row that bends most, be it row %i', (bent) => {
    const { columns } = subdividePatch(
      grid(3, 3, (i, j) => [64 * i, i === 1 && j === bent ? 200 : 0, 64 * j]),
      fail,
    );
    // Straight rows become two, and so do straight columns.
    expect(Math.max(columns.length, columns[0]!.length)).toBeGreaterThan(2);
  });

  it('keeps within 16 units of a curve, on points of the curve', () => {
    fc.assert(
      fc.property(control, (points) => {
        // Every row is the same curve, so that it alone is divided.
        const row = points.slice(0, 3);
        const divided = subdividePatch(
          grid(3, 3, (i, j) => [row[i]![0], row[i]![1], row[i]![2] + 1000 * j]),
          fail,
        );
        const line = divided.columns[0]!;
        for (let t = 0; t <= 1; t += 1 / 64) {
          const weights = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
          const at = [0, 1, 2].map((k) =>
            row.reduce((sum, point, i) => sum + weights[i]! * point[k]!, 0),
          ) as V3;
          const gaps = line.slice(1).map((point, k) => gap(at, line[k]!, point));
          expectBelow(Math.min(gap(at, line[0]!, line[0]!), ...gaps), 16);
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it('knows a patch whose ends meet, and drops columns that come to the same', () => {
    const corners = [
      [0, 0],
      [64, 0],
      [64, 64],
      [0, 64],
      [0, 0],
    ] as const;
    const tube = subdividePatch(
      grid(5, 3, (i, j) => [...corners[i]!, 32 * j] as V3),
      fail,
    );
    expect(tube).toMatchObject({ wrapWidth: false, wrapHeight: true });
    expect(tube.columns[0]![0]).toEqual(tube.columns[0]!.at(-1));
    // Two columns in one place: a cone's tip stays, the doubled end goes.
    const doubled = subdividePatch(
      grid(5, 3, (i, j) => [64 * Math.min(i, 2), 32 * j, 0]),
      fail,
    );
    expect(doubled.columns).toEqual(grid(2, 2, (i, j) => [128 * j, 64 * i, 0]));
  });

  it('gives up on one that needs more than 129 rows', () => {
    const across = grid(3, 3, (i, j) => [i === 1 ? 1e7 : 0, 64 * j, 64 * i]);
    const down = grid(3, 3, (i, j) => [64 * i, j === 1 ? 1e7 : 0, 64 * j]);
    for (const spike of [across, down]) {
      expect(() => subdividePatch(spike, fail)).toThrow('more than 129 rows or columns');
    }
  });
});

/** Planes of a facet as its inside sees them: those that it lies behind. */
const outward = (planes: readonly Plane4[], { borders }: PatchFacet): number[][] =>
  borders.map(({ plane, inward }) => planes[plane]!.map((value) => (inward ? -value : value)));

describe('facets', () => {
  it('of a flat square are one, with a border on each edge, those of its box, and its back', () => {
    const { planes, facets } = buildFacets(open(grid(2, 2, (i, j) => [64 * i, 64 * j, 8])), fail);
    expect(facets).toHaveLength(1);
    const [facet] = facets;
    expect(planes[facet!.plane]!.map(Math.abs)).toEqual([0, 0, 1, 8]);
    expect(facet!.borders.at(-1)).toEqual({ plane: facet!.plane, inward: true });
    const sides = outward(planes, facet!).slice(0, -1);
    expect(sides.map((side) => side.map((x) => x + 0)).sort()).toEqual(
      [
        [-1, 0, 0, 0],
        [1, 0, 0, 64],
        [0, -1, 0, 0],
        [0, 1, 0, 64],
      ].sort(),
    );
  });

  it('of bent cells are their triangles: a border along each edge, and none that cuts a corner off', () => {
    const bump = fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(bump, (heights) => {
        const columns = grid(4, 4, (i, j) => [64 * i, 64 * j, 60 * i * j + heights[4 * i + j]!]);
        const made = buildFacets(open(columns), fail);
        expect(made.facets).toHaveLength(18);
        for (const [number, facet] of made.facets.entries()) {
          const [i, j] = [Math.floor(number / 6), Math.floor(number / 2) % 3];
          const [a, b] = [columns[i]![j]!, columns[i + 1]![j]!];
          const [c, d] = [columns[i + 1]![j + 1]!, columns[i]![j + 1]!];
          const corners = number % 2 === 0 ? [a, b, c] : [c, d, a];
          const sides = outward(made.planes, facet).slice(0, -1);
          const past = sides.map((side) => corners.map((corner) => dot(corner, side) - side[3]!));
          for (const distances of past) expectBelow(Math.max(...distances), 0.5);
          for (const [k] of corners.entries()) {
            const ends = [k, (k + 1) % 3];
            const along = past.filter((distances) => ends.every((end) => Math.abs(distances[end]!) < 0.5));
            expectSame(along.length > 0, true, `edge ${k} of facet ${number}`);
          }
        }
      }),
      { numRuns: runs(25) },
    );
  });

  it('have a plane along each edge and axis that has them behind it, lest boxes catch there', () => {
    const random = createRandom(seedOf(4));
    let found = 0;
    for (let k = 0; k < 20; k++) {
      const columns = grid(2, 2, (i, j) => [
        64 * i + Math.floor(24 * random()),
        64 * j + Math.floor(24 * random()),
        Math.floor(96 * random()),
      ]);
      const { planes, facets } = buildFacets(open(columns), fail);
      const [a, b, c, d] = [columns[0]![0]!, columns[1]![0]!, columns[1]![1]!, columns[0]![1]!];
      for (const [number, facet] of facets.entries()) {
        if (facets.length !== 2 || facet.borders.length >= 26) continue;
        const corners = number === 0 ? [a, b, c] : [c, d, a];
        const sides = outward(planes, facet);
        for (const [nth, corner] of corners.entries()) {
          const along = normalize(subtract(corners[(nth + 1) % 3]!, corner))!;
          for (const unit of [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ]) {
            const across = cross(along, unit);
            // Edges that are nearly along the axis need none.
            if (Math.hypot(...across) < 0.51) continue;
            const normal = normalize(across)!;
            for (const way of [1, -1]) {
              const heights = corners.map((point) => way * dot(subtract(point, corner), normal));
              if (Math.max(...heights) > 0.09) continue;
              const ends = [corner, corners[(nth + 1) % 3]!];
              // Or one that is so near to it that the engine takes them for the same.
              const has = sides.some(
                (side) =>
                  way * dot(side, normal) > 0.9996 &&
                  ends.every((end) => Math.abs(dot(end, side) - side[3]!) < 0.5),
              );
              expectSame(has, true, `edge ${nth} of facet ${number} along ${unit}`);
              found++;
            }
          }
        }
      }
    }
    expect(found).toBeGreaterThan(100);
  });

  it('name planes with unit normals, and have their back as the last border where there is room', () => {
    let found = 0;
    fc.assert(
      fc.property(control, (points) => {
        const divided = subdividePatch(toGrid(points), fail);
        const { planes, facets } = buildFacets(divided, fail);
        const used = new Set(
          facets.flatMap(({ plane, borders }) => [plane, ...borders.map((border) => border.plane)]),
        );
        expect(Math.max(-1, ...used)).toBeLessThan(planes.length);
        for (const [nx, ny, nz] of planes) expectBelow(Math.abs(Math.hypot(nx, ny, nz) - 1), 5e-6);
        for (const facet of facets) {
          found++;
          expectBelow(facet.borders.length, 27);
          // Where there is room for it.
          if (facet.borders.length < 26) {
            expectSame(facet.borders.at(-1), { plane: facet.plane, inward: true });
          }
        }
      }),
      { numRuns: runs(25), seed: seedOf(3) },
    );
    expect(found).toBeGreaterThan(100);
  });

  it('meet across the seam of a patch that wraps', () => {
    const ring = Array.from(
      { length: 9 },
      (_, k): V3 => [
        Math.fround(100 * Math.cos((k % 8) * (Math.PI / 4))),
        Math.fround(100 * Math.sin((k % 8) * (Math.PI / 4))),
        0,
      ],
    );
    const columns = ring.map(([x, y]): V3[] => [
      [x, y, 0],
      [x, y, 64],
    ]);
    const closed = buildFacets({ columns, wrapWidth: true, wrapHeight: false }, fail);
    const torn = buildFacets(open(columns), fail);
    expect(closed.facets).toHaveLength(8);
    const neighbours = ({ facets }: typeof closed, number: number): number => {
      const { plane, borders } = facets[number]!;
      const surfaces = facets.map((other) => other.plane).filter((other) => other !== plane);
      return borders.filter((border) => surfaces.includes(border.plane)).length;
    };
    expect(closed.facets.map((_, k) => neighbours(closed, k))).toEqual(Array(8).fill(2));
    expect([neighbours(torn, 0), neighbours(torn, 3), neighbours(torn, 7)]).toEqual([1, 2, 1]);
    // The other way round alike.
    const turned = columns[0]!.map((_, j) => columns.map((column) => column[j]!));
    const across = buildFacets({ columns: turned, wrapWidth: false, wrapHeight: true }, fail);
    expect(across.facets.map((_, k) => neighbours(across, k))).toEqual(Array(8).fill(2));
  });

  it('leave out cells without an area, and stand on their diagonal instead', () => {
    // The second column shrinks to a point: its cells are triangles.
    const { planes, facets } = buildFacets(
      open(grid(2, 3, (i, j) => (i === 0 ? [0, 64 * j, 0] : [64, 64, 8 * j]))),
      fail,
    );
    expect(facets.length).toBeGreaterThan(0);
    expect(planes.length).toBeGreaterThan(facets.length);
    const nothing = buildFacets(open(grid(3, 3, (i) => [64 * i, 0, 0])), fail);
    expect(nothing).toEqual({ planes: [], facets: [] });
  });

  it('come out of any grid, however small and bent', () => {
    const tiny = fc.integer({ min: -4, max: 4 }).map((x) => x / 4);
    const length = fc.oneof(tiny, fc.integer({ min: -3, max: 3 }), fc.constantFrom(-64, 64, 1000, 70000));
    const points = fc.array(fc.tuple(length, length, length), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(points, fc.boolean(), fc.boolean(), (points, wrapWidth, wrapHeight) => {
        const columns = grid(4, 3, (i, j) => points[3 * i + j]!);
        const { planes, facets } = buildFacets({ columns, wrapWidth, wrapHeight }, fail);
        expect(facets.length).toBeLessThanOrEqual(12);
        for (const { plane, borders } of facets) {
          for (const number of [plane, ...borders.map((border) => border.plane)]) {
            expectSame(planes[number]?.every(Number.isFinite), true, `plane ${number}`);
          }
        }
      }),
      { numRuns: runs(75) },
    );
  });

  it('are refused where there are too many of them, or of planes', () => {
    expect(() => buildFacets(open(grid(34, 33, (i, j) => [8 * i, 8 * j, 0])), fail)).toThrow(
      'more than 1024 facets',
    );
    const rough = grid(60, 60, (i, j) => [32 * i, 32 * j, (i * i * 7 + j * j * 13 + i * j * 29) % 61]);
    expect(() => buildFacets(open(rough), fail)).toThrow('more than 4096 planes');
  });
});

describe('patches', () => {
  it.each([20_000, -20_000])('have bounds of their own, however far out they are: %i', (x) => {
    const points = Array.from(
      { length: 9 },
      (_, k) => [x + 64 * (k % 3), 64 * Math.floor(k / 3), 0, 0, 0] as const,
    );
    const curve = { material: 'test/curve', width: 3, height: 3, points };
    const entities = [{ properties: { classname: 'worldspawn' }, patches: [curve] }];
    const world = createQuake3World(readQuake3(compileMap({ entities }, { format: 'quake3' }).bytes));
    expect([...patches(world)[0]!.bounds]).toEqual([x - 1, -1, -1, x + 129, 129, 1]);
  });

  it('list what a world collides with', () => {
    const points = Array.from({ length: 9 }, (_, k) => {
      const [i, j] = [k % 3, Math.floor(k / 3)];
      return [64 * i, 64 * j, i === 1 ? 96 : 0, i, j] as const;
    });
    const entities = [
      {
        properties: { classname: 'worldspawn' },
        patches: [{ material: 'test/curve', width: 3, height: 3, points }],
      },
    ];
    const world = createQuake3World(readQuake3(compileMap({ entities }, { format: 'quake3' }).bytes));
    const [patch, ...others] = patches(world);
    expect(others).toEqual([]);
    expect(patch).toMatchObject({ width: 3, height: 3, contents: 1 });
    expect([...patch!.bounds]).toEqual([-1, -1, -1, 129, 129, 49]);
    const divided = subdividePatch(
      grid(3, 3, (i, j) => points[3 * j + i]!.slice(0, 3) as V3),
      fail,
    );
    const { planes, facets } = buildFacets(divided, fail);
    expect([...patch!.planes]).toEqual(planes.flat());
    expect(patch!.facets).toEqual(
      facets.map(({ plane, borders }) => ({
        plane,
        borders: borders.map((border) => border.plane),
        inward: borders.map((border) => border.inward),
      })),
    );
  });
});
