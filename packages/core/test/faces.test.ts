import { describe, expect, it } from 'vitest';
import { addFace, createChecks, type EdgeFaces, layoutLightmaps, MeshBuilder } from '../src/format/index.ts';
import type { Mesh } from '../src/index.ts';

type Corner = readonly [number, number, number];

/** A file of one face with these corners, counter-clockwise; edge 0 runs forwards, as it cannot run backwards. */
function faceOf(corners: readonly Corner[]): EdgeFaces {
  const count = corners.length;
  const before = (corner: number): number => (corner + count - 1) % count;
  const isBackwards = (edge: number): boolean => edge % 2 === 1;
  return {
    ...{ count: 1, firstEdges: Int32Array.of(0), numEdges: Int32Array.of(count) },
    ...{ texInfos: Int32Array.of(0), vectors: new Float32Array(8) },
    // Clockwise, as files have them: from each corner to the one before it.
    surfEdges: Int32Array.from(corners, (_, k) =>
      isBackwards(count - 1 - k) ? k + 1 - count : count - 1 - k,
    ),
    edges: Int32Array.from(corners.flatMap((_, k) => (isBackwards(k) ? [before(k), k] : [k, before(k)]))),
    positions: Float32Array.from(corners.flat()),
  };
}

const Z: Float32Array = Float32Array.of(0, 0, 1);

function groupOf(builder: MeshBuilder): number {
  const head = { model: 0, brush: -1, contents: 0, texture: 0, name: '', surfaceFlags: 0 };
  return builder.group('', () => ({
    ...head,
    ...{ isSky: false, isHidden: false, isLiquid: false, isLightmapped: false },
  }));
}

function meshOf(corners: readonly Corner[], facing = 1, normal: Corner = [0, 0, 1]): Mesh {
  const builder = new MeshBuilder({ numVertices: corners.length, numTriangles: corners.length - 2 });
  addFace(builder, faceOf(corners), 0, groupOf(builder), Float32Array.from(normal), 0, facing);
  return builder.finish();
}

/** Twice the area of each triangle, as a vector. */
function crossesOf({ positions, indices }: Mesh): number[][] {
  return Array.from({ length: indices.length / 3 }, (_, triangle) => {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[3 * triangle + k]!)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const u = [0, 1, 2].map((k) => b[k]! - a[k]!) as [number, number, number];
    const v = [0, 1, 2].map((k) => c[k]! - a[k]!) as [number, number, number];
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  });
}

// Other faces have corners on two of its edges, two of them in a row.
const NOTCHED = [
  [0, 0],
  [24, 0],
  [56, 0],
  [64, 0],
  [64, 24],
  [64, 64],
  [0, 64],
] as const;

interface Placing {
  readonly normal: Corner;
  at(x: number, y: number): Corner;
}

const PLANES: Readonly<Record<string, Placing>> = {
  'facing up': { normal: [0, 0, 1], at: (x, y) => [x, y, 8] },
  'facing along x': { normal: [1, 0, 0], at: (x, y) => [8, x, y] },
  'facing along y': { normal: [0, 1, 0], at: (x, y) => [y, 8, x] },
  slanted: { normal: [-2 / 3, -2 / 3, 1 / 3], at: (x, y) => [x - y, y - 32, 2 * x] },
};

/** A list from each of its elements on, around its end. */
const turns = <T>(list: readonly T[]): T[][] =>
  list.map((_, first) => [...list.slice(first), ...list.slice(0, first)]);

describe('faces of edges', () => {
  it.each(Object.keys(PLANES))('%s are cut into triangles that all have some area', (name) => {
    const { normal, at } = PLANES[name]!;
    for (const turned of turns(NOTCHED)) {
      const mesh = meshOf(
        turned.map(([x, y]) => at(x, y)),
        1,
        normal,
      );
      const crosses = crossesOf(mesh);
      expect(crosses).toHaveLength(5);
      for (const cross of crosses) expect(Math.hypot(...cross)).toBeGreaterThan(100);
      // All turn the same way.
      const sum = crosses.reduce((total, cross) => total + Math.hypot(...cross), 0);
      const whole = [0, 1, 2].map((k) => crosses.reduce((total, cross) => total + cross[k]!, 0));
      expect(Math.hypot(...whole)).toBeCloseTo(sum);
    }
  });

  it('with many corners on one edge are cut from a corner far from it', () => {
    const row = Array.from({ length: 100 }, (_, k) => [k, 0, 0] as const);
    for (const turned of turns<Corner>([...row, [99, 64, 0], [0, 64, 0]])) {
      const areas = crossesOf(meshOf(turned)).map(([, , z]) => z! / 2);
      expect(Math.min(...areas)).toBeGreaterThan(1);
      expect(areas.reduce((sum, one) => sum + one, 0)).toBe(99 * 64);
    }
  });

  it('with corners on all edges have as few triangles without area as possible, whichever corner is first', () => {
    const steps = [0, 16, 32, 48];
    const corners = [
      ...steps.map((x): Corner => [x, 0, 0]),
      ...steps.map((y): Corner => [64, y, 0]),
      ...steps.map((x): Corner => [64 - x, 64, 0]),
      ...[64, 40, 20].map((y): Corner => [0, y, 0]),
    ];
    for (const turned of turns(corners)) {
      const empty = crossesOf(meshOf(turned)).filter(([, , z]) => z === 0);
      // From one of the two corners within the last edge.
      expect(empty).toHaveLength(1);
    }
  });

  it('with many corners on one edge, are soon not looked at from all of these if there are hundreds of such', () => {
    const corners = [
      ...Array.from({ length: 100 }, (_, k): Corner => [k, 0, 0]),
      [99, 64, 0],
      [0, 64, 0],
    ] as const;
    const [count, numFaces] = [corners.length, 300];
    const builder = new MeshBuilder({ numVertices: count * numFaces, numTriangles: (count - 2) * numFaces });
    const faces = faceOf(corners);
    for (let k = 0; k < numFaces; k++) addFace(builder, faces, 0, groupOf(builder), Z, 0, 1);
    const apexes = Array.from(
      { length: numFaces },
      (_, k) => builder.indices[3 * (count - 2) * k]! - count * k,
    );
    expect(apexes.slice(0, 100)).toEqual(Array(100).fill(100));
    expect(Math.max(...apexes.slice(-100))).toBeLessThan(20);
    expect(crossesOf(builder.finish())).toHaveLength(100 * numFaces);
  });

  it('of thousands of corners, or of no area, keep all their triangles', () => {
    const circle = Array.from({ length: 1024 }, (_, k): Corner => {
      const angle = (k * Math.PI) / 512;
      return [1000 * Math.cos(angle), 1000 * Math.sin(angle), 0];
    });
    for (const corners of [
      circle,
      circle.map((): Corner => [1, 2, 3]),
      circle.map(([x]): Corner => [x, 0, 0]),
    ]) {
      const { indices } = meshOf(corners);
      expect(indices).toHaveLength(3 * 1022);
      expect(new Set(indices).size).toBe(1024);
    }
  });

  // As some compilers leave faces, of sky above all: the corner that points inwards is at (32, 24).
  it.each([
    [
      'one corner that points inwards',
      [
        [0, 0],
        [32, 24],
        [64, 0],
        [64, 64],
        [0, 64],
      ],
      64 * 64 - 32 * 24,
    ],
    [
      'one such corner, and corners of others on its edges',
      [
        [0, 0],
        [16, 12],
        [32, 24],
        [48, 12],
        [64, 0],
        [64, 32],
        [64, 64],
        [32, 64],
        [0, 64],
      ],
      64 * 64 - 32 * 24,
    ],
    [
      'two such corners',
      [
        [0, 0],
        [24, 24],
        [40, 24],
        [64, 0],
        [64, 64],
        [0, 64],
      ],
      64 * 64 - 40 * 24,
    ],
  ] as const)('with %s are cut into triangles that face forwards', (_, corners, area) => {
    for (const turned of turns<readonly [number, number]>(corners)) {
      for (const facing of [1, -1]) {
        // Seen from behind, corners run the other way.
        const seen = facing > 0 ? turned : [...turned].reverse();
        const areas = crossesOf(
          meshOf(
            seen.map(([x, y]) => [x, y, 0]),
            facing,
          ),
        ).map(([, , z]) => (facing * z!) / 2);
        expect(Math.min(...areas)).toBeGreaterThanOrEqual(0);
        expect(areas.reduce((sum, one) => sum + one, 0)).toBe(area);
      }
    }
  });

  it('have the normal of their plane, or the opposite one', () => {
    const corners = NOTCHED.map(([x, y]) => [x, y, 0] as const);
    expect([...meshOf(corners).normals.subarray(0, 3)]).toEqual([0, 0, 1]);
    expect(meshOf(corners, -1).normals[20]).toBe(-1);
  });

  it('with corners on every edge are drawn too', () => {
    const corners = NOTCHED.flatMap(([x, y], k): Corner[] => {
      const [nextX, nextY] = NOTCHED[(k + 1) % NOTCHED.length]!;
      return [
        [x, y, 0],
        [(x + nextX) / 2, (y + nextY) / 2, 0],
      ];
    });
    const areas = crossesOf(meshOf(corners)).map(([, , z]) => z! / 2);
    expect(Math.min(...areas)).toBeGreaterThanOrEqual(0);
    expect(areas.reduce((sum, area) => sum + area, 0)).toBe(64 * 64);
  });
});

describe('lightmaps of faces', () => {
  const checks = createChecks<'faces'>('test');

  it.each([0, 1])('have 1,024 samples at most along axis %i', (axis) => {
    const sizesOf = (first: number, last: number): number[] => {
      const corner = (x: number, y: number): Corner => (axis === 0 ? [x, y, 0] : [y, x, 0]);
      const face = faceOf([corner(first, 32), corner(last, 40), corner(last, 32)]);
      const faces = { ...face, vectors: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0) };
      // The first place is a dark sample.
      return [...layoutLightmaps(faces, 16, () => 'lit', checks).sizes.subarray(2)];
    };
    const along = (samples: number): number[] => (axis === 0 ? [samples, 2] : [2, samples]);
    expect(sizesOf(-16, 0)).toEqual(along(2));
    expect(sizesOf(-15, 1)).toEqual(along(3));
    expect(sizesOf(-16 * 1000, 16 * 23)).toEqual(along(1024));
    expect(() => sizesOf(-16 * 1000, 16 * 23 + 1)).toThrow(/^test: faces 0: is 1025 light samples long/);
    for (const beyond of [Infinity, Number.NaN]) {
      expect(() => sizesOf(0, beyond)).toThrow(/^test: faces 0: is (Infinity|NaN) light samples long/);
    }
  });
});
