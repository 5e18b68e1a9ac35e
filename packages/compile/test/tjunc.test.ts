import { areaSize, between, createRandom, type Winding } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { CompileError } from '../src/index.ts';
import { PointTree } from '../src/point-tree.ts';
import { fanOf, triangulate } from '../src/targets/quake3/triangles.ts';
import { fillEdges, largestCut } from '../src/tjunc.ts';
import { WorkCounts } from '../src/work.ts';

/** A level rectangle, clockwise seen from above. */
const rectangle = (x0: number, y0: number, x1: number, y1: number): Winding =>
  [
    [x0, y0, 0],
    [x0, y1, 0],
    [x1, y1, 0],
    [x1, y0, 0],
  ].flat();

const axes = { s: [1, 0, 0, 0], t: [0, 1, 0, 0] } as const;

const fill = (
  windings: readonly Winding[],
  { isLit = true, work = new WorkCounts(1000) } = {},
): Winding[][] =>
  fillEdges(
    windings.map((winding) => ({ winding, lightAxes: isLit ? axes : undefined, place: {} })),
    work,
  );

const corners = (winding: Winding): string[] =>
  Array.from({ length: winding.length / 3 }, (_, k) => winding.slice(3 * k, 3 * k + 3).join(' '));

/** From the corner that comes first in the alphabet. */
const turned = (winding: Winding): string[] => {
  const all = corners(winding);
  const first = all.indexOf([...all].sort()[0]!);
  return [...all.slice(first), ...all.slice(0, first)];
};

describe('corners on edges of other faces', () => {
  it('are put there, in the order of the edge, and nowhere else', () => {
    const whole = rectangle(0, 0, 64, 64);
    const parts = [rectangle(64, 0, 128, 10), rectangle(64, 10, 128, 40), rectangle(64, 40, 128, 64)];
    const [first, ...others] = fill([whole, ...parts]);
    expect(first!.map(turned)).toEqual([['0 0 0', '0 64 0', '64 64 0', '64 40 0', '64 10 0', '64 0 0']]);
    expect(others).toEqual(parts.map((part) => [part]));
  });

  it('are the same numbers as those of the other face', () => {
    // A third cannot be written down: both faces have what it is rounded to.
    const whole = [0, 0, 0, 64 / 3, 64, 0, 64, 0, 0];
    const part = [0, 0, 0, 0, 64, 0, 32 / 3, 32, 0];
    const [[filled], [other]] = fill([whole, part]) as [[Winding], [Winding]];
    expect(filled).toHaveLength(12);
    const shared = corners(other).filter((corner) => corners(filled).includes(corner));
    expect(shared).toHaveLength(2);
  });

  it.each([
    // How many corners are on the left edge, the upper, the right and the lower one, and the triangles without area.
    { onEdges: [0, 0, 4, 0], fewest: 0 },
    { onEdges: [0, 3, 4, 0], fewest: 0 },
    { onEdges: [4, 1, 2, 5], fewest: 0 },
    { onEdges: [4, 2, 3, 5], fewest: 1 },
    { onEdges: [4, 0, 3, 0], fewest: 2 },
  ])(
    'let fans begin where the fewest of three corners are on a line: $onEdges on edges',
    ({ onEdges, fewest }) => {
      const whole = rectangle(0, 0, 60, 60);
      const outside = (at: number, from: number, to: number): Winding =>
        [
          rectangle(-9, from, 0, to),
          rectangle(from, 60, to, 69),
          rectangle(60, from, 69, to),
          rectangle(from, -9, to, 0),
        ][at]!;
      const parts = onEdges.flatMap((count, edge) =>
        Array.from({ length: count + 1 }, (_, k) =>
          outside(edge, (60 * k) / (count + 1), (60 * (k + 1)) / (count + 1)),
        ),
      );
      for (let first = 0; first < 4; first++) {
        const [[filled]] = fill([[...whole.slice(3 * first), ...whole.slice(0, 3 * first)], ...parts]) as [
          [Winding],
        ];
        const fan = Array.from({ length: filled.length / 3 - 2 }, (_, k) => [
          ...filled.slice(0, 3),
          ...filled.slice(3 * k + 3, 3 * k + 9),
        ]);
        expect(fan.filter((triangle) => areaSize(triangle) === 0)).toHaveLength(fewest);
      }
    },
  );

  it('do not make a face longer by a light sample', () => {
    // The corner is a little above the edge, which ends a light sample exactly.
    const whole = rectangle(0, 0, 64, 64);
    const beside = [0, 64, 0, 0, 128, 0, 32, 64.0078125, 0];
    const [[lit]] = fill([whole, beside]) as [[Winding]];
    expect(corners(lit)).toHaveLength(4);
    const [[unlit]] = fill([whole, beside], { isLit: false }) as [[Winding]];
    expect(corners(unlit)).toHaveLength(5);
  });

  it.each([
    [1 / 128, 5],
    [-1 / 128, 5],
    [1 / 32, 4],
    [-1 / 32, 4],
  ])(
    'are put there as far as their rounding may have moved them: %f off, then there are %i',
    (off, count) => {
      const whole = rectangle(0, 0, 64, 64);
      const beside = [0, 128, 0, 64, 128, 0, 32, 64 + off, 0];
      expect(corners(fill([whole, beside], { isLit: false })[0]![0]!)).toHaveLength(count);
    },
  );

  it('are not put into the face whose corners they are', () => {
    const sliver = [0, 0, 0, 32, 0.0078125, 0, 64, 0, 0];
    expect(fill([sliver])).toEqual([[sliver]]);
  });

  it('divide a face that would have too many, at corners and into parts of noticeable area', () => {
    const whole = rectangle(0, 0, 1000, 1000);
    const parts = Array.from({ length: 250 }, (_, k) => rectangle(1000, 4 * k, 1010, 4 * k + 4));
    const [divided] = fill([whole, ...parts]) as [Winding[]];
    expect(divided.length).toBeGreaterThan(4);
    for (const part of divided) {
      expect(corners(part).length).toBeLessThanOrEqual(56);
      expect(areaSize(part)).toBeGreaterThan(1000);
    }
    expect(divided.reduce((sum, part) => sum + areaSize(part), 0)).toBe(1e6);
    const all = new Set(divided.flatMap(corners));
    expect(all).toEqual(
      new Set([whole, ...parts].flatMap(corners).filter((corner) => !corner.startsWith('1010'))),
    );
  });

  it('are cut at the first of corners that are equally good', () => {
    const square = Float64Array.of(0, 0, 0, 0, 8, 0, 8, 8, 0, 8, 0, 0);
    expect(largestCut([0, 1, 2, 3], 2, square)).toBe(0);
    // From corner 0, everything would be on one side.
    const along = Float64Array.of(0, 0, 0, 0, 4, 0, 0, 8, 0, 8, 8, 0);
    expect(largestCut([0, 1, 2, 3], 2, along)).toBe(1);
  });

  it.each([
    [52, 1],
    [53, 2],
  ])('leave a face whole up to 56 corners: %i on its edges, %i part(s)', (onEdge, count) => {
    const parts = Array.from({ length: onEdge + 1 }, (_, k) => rectangle(1000, 8 * k, 1010, 8 * k + 8));
    const whole = rectangle(0, 0, 1000, 8 * parts.length);
    expect(fill([whole, ...parts])[0]).toHaveLength(count);
  });

  it('leave a face as it is that is too thin for three corners', () => {
    const thin = [0, 0, 0, 64, 0, 0, 64, 0.0001, 0];
    expect(corners(fill([thin, rectangle(0, 0, 32, 32)])[0]![0]!)).toHaveLength(2);
  });

  it('are limited in number, in all', () => {
    const whole = rectangle(0, 0, 64, 64);
    const parts = [10, 20, 30].map((y) => rectangle(64, y, 128, y + 10));
    const most = { pairs: 0, pieces: 0, faces: 0, listed: 0 };
    expect(() => fill([whole, ...parts], { work: new WorkCounts(0, { ...most, corners: 4 }) })).not.toThrow();
    expect(() => fill([whole, ...parts], { work: new WorkCounts(0, { ...most, corners: 3 }) })).toThrow(
      CompileError,
    );
  });
});

describe('triangles of a face', () => {
  const areas = (winding: Winding, triangles: readonly number[]): number[] =>
    Array.from({ length: triangles.length / 3 }, (_, k) =>
      areaSize(
        triangles.slice(3 * k, 3 * k + 3).flatMap((corner) => winding.slice(3 * corner, 3 * corner + 3)),
      ),
    );

  it('are a fan where each has an area', () => {
    expect(triangulate(rectangle(0, 0, 64, 64))).toEqual(fanOf(4));
  });

  it.each([1, 2, 3, 7])('all have an area, with %i corners on each edge', (count) => {
    const plain = rectangle(0, 0, 64, 64);
    const winding = Array.from({ length: 4 }, (_, k) => {
      const cornerOf = (n: number): Winding => plain.slice(3 * (n % 4), 3 * (n % 4) + 3);
      const to = cornerOf(k + 1);
      return Array.from({ length: count + 1 }, (_, n) =>
        cornerOf(k).map((x, axis) => x + ((to[axis]! - x) * n) / (count + 1)),
      );
    }).flat(2);
    const corners = 4 * (count + 1);
    expect(Math.min(...areas(winding, fanOf(corners)))).toBe(0);
    const triangles = triangulate(winding);
    const own = areas(winding, triangles);
    expect(own).toHaveLength(corners - 2);
    expect(Math.min(...own)).toBeGreaterThan(1);
    expect(own.reduce((sum, area) => sum + area, 0)).toBeCloseTo(64 * 64);
    expect(new Set(triangles).size).toBe(corners);
  });
});

describe('points along a line', () => {
  it('are those that brute force finds', () => {
    const random = createRandom(5);
    const grid = new Set<string>();
    while (grid.size < 700)
      grid.add([0, 1, 2].map((k) => Math.floor(between(random, 0, k === 2 ? 8 : 12)) * 8).join());
    const points = Float64Array.from([...grid].flatMap((point) => point.split(',').map(Number)));
    const tree = new PointTree(points);
    const at = (point: number): Float64Array => points.subarray(3 * point, 3 * point + 3);
    let found = 0;
    for (let turn = 0; turn < 400; turn++) {
      const [from, to] = [0, 1].map(() => Math.floor(between(random, 0, 700))) as [number, number];
      const near: number[] = [];
      tree.visitBetween(from, to, 0.5, (point) => near.push(point));
      const length = Math.sqrt(
        [0, 1, 2].reduce((sum, k) => sum + (at(to)[k]! - at(from)[k]!) * (at(to)[k]! - at(from)[k]!), 0),
      );
      const brute = Array.from({ length: 700 }, (_, point) => point).filter((point) => {
        const [way, own] = [to, point].map((one) => [0, 1, 2].map((k) => at(one)[k]! - at(from)[k]!)) as [
          number[],
          number[],
        ];
        const along = [0, 1, 2].reduce((sum, k) => sum + way[k]! * own[k]!, 0) / length;
        const aside = [0, 1, 2].reduce((sum, k) => sum + own[k]! * own[k]!, 0) - along * along;
        return along > 0.5 && along < length - 0.5 && aside < 0.25;
      });
      expect(near.sort((a, b) => a - b)).toEqual(brute);
      found += brute.length;
    }
    expect(found).toBeGreaterThan(50);
  });

  it('are none among no points', () => {
    expect(() => new PointTree(new Float64Array(0))).not.toThrow();
  });
});
