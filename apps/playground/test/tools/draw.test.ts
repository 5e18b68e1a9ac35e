import { describe, expect, it } from 'vitest';
import {
  boundsPlanes,
  edgesOf,
  faceOn,
  facesOf,
  grow,
  planePiece,
  trianglesOf,
} from '../../src/tools/draw/polygons.ts';
import { boxEdges, shapeLines, sweepPoints } from '../../src/tools/draw/shapes.ts';

const BOX = { mins: [-1, -2, -3], maxs: [4, 5, 6] };

describe('polygons', () => {
  it('finds the faces of a box, and none of planes that only touch it', () => {
    const bevel = { normal: [Math.SQRT1_2, Math.SQRT1_2, 0], dist: (4 + 5) * Math.SQRT1_2 };
    const faces = facesOf([...boundsPlanes(BOX), bevel]);
    expect(faces).toHaveLength(6);
    for (const { plane, corners } of faces) {
      expect(corners).toHaveLength(12);
      for (let at = 0; at < 12; at += 3) {
        const [x, y, z] = corners.slice(at, at + 3) as [number, number, number];
        expect(plane.normal[0]! * x + plane.normal[1]! * y + plane.normal[2]! * z).toBeCloseTo(plane.dist, 6);
      }
    }
  });

  it.each([100_000, 2 ** 20])('finds all of a body that is %d units out', (far) => {
    const mins = [far, -far, 0];
    const planes = boundsPlanes({ mins, maxs: mins.map((x) => x + 64) });
    const faces = facesOf(planes);
    expect(faces).toHaveLength(6);
    const corners = faces.flatMap(({ corners }) => [...corners]);
    for (const axis of [0, 1, 2]) {
      const values = corners.filter((_, k) => k % 3 === axis).map((x) => x - mins[axis]!);
      expect([Math.min(...values), Math.max(...values)]).toEqual([0, 64]);
    }
    const wide = planePiece(
      { normal: [0, 0, 1], dist: 0 },
      boundsPlanes({ mins: [-far, -far, 0], maxs: [far, far, 0] }),
    )!;
    expect(Math.max(...wide)).toBe(far);
  });

  it('takes a plane that stands twice once', () => {
    const planes = boundsPlanes(BOX);
    expect(facesOf([...planes, planes[2]!])).toHaveLength(6);
  });

  it('cuts a plane down to what lies behind others', () => {
    const piece = planePiece({ normal: [0, 0, 1], dist: 1 }, boundsPlanes(grow(BOX, 1)))!;
    const xs = piece.filter((_, k) => k % 3 === 0);
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([-2, 5]);
    expect(planePiece({ normal: [0, 0, 1], dist: 100 }, boundsPlanes(BOX))).toBeUndefined();
    expect(planePiece({ normal: [0, 0, 0], dist: 0 }, [])).toBeUndefined();
  });

  it('finds the face that a trace hit by its plane', () => {
    const faces = facesOf(boundsPlanes(BOX));
    expect(faceOn(faces, [0, 0, 1], 6)?.plane.dist).toBe(6);
    expect(faceOn(faces, [0, 0, 1], 7)).toBeUndefined();
    expect(faceOn(faces, [0, Math.SQRT1_2, Math.SQRT1_2], 6)).toBeUndefined();
  });

  it('gives edges and triangles of a square', () => {
    const square = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
    expect(edgesOf(square)).toHaveLength(24);
    expect(edgesOf(square).slice(-6)).toEqual([0, 1, 0, 0, 0, 0]);
    expect(trianglesOf(square)).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0]);
  });
});

describe('shapes', () => {
  /** The bounds of some segments or points. */
  const reach = (numbers: readonly number[]): number[][] =>
    [0, 1, 2].map((axis) => {
      const values = numbers.filter((_, k) => k % 3 === axis);
      return [Math.min(...values), Math.max(...values)];
    });

  it('has twelve edges for a box', () => {
    const edges = boxEdges(BOX.mins, BOX.maxs);
    expect(edges).toHaveLength(72);
    expect(reach(edges)).toEqual([
      [-1, 4],
      [-2, 5],
      [-3, 6],
    ]);
  });

  it.each([
    [{ kind: 'sphere', radius: 8 } as const, [-8, -8, -8], [8, 8, 8]],
    [{ kind: 'ellipsoid', radii: [1, 2, 3] } as const, [-1, -2, -3], [1, 2, 3]],
    [{ kind: 'capsule', mins: [-15, -15, -24], maxs: [15, 15, 32] } as const, [-15, -15, -24], [15, 15, 32]],
    [{ kind: 'capsule', mins: [-40, -40, -8], maxs: [40, 40, 8] } as const, [-8, -8, -8], [8, 8, 8]],
  ])('draws $kind as large as it is', (shape, mins, maxs) => {
    const lines = shapeLines(shape);
    expect(lines.length % 6).toBe(0);
    for (const [axis, [low, high]] of reach(lines).entries()) {
      expect(low).toBeCloseTo(mins[axis]!, 6);
      expect(high).toBeCloseTo(maxs[axis]!, 6);
    }
  });

  it('draws a capsule on its surface', () => {
    const lines = shapeLines({ kind: 'capsule', mins: [-16, -16, -24], maxs: [16, 16, 32] });
    for (let at = 0; at < lines.length; at += 6) {
      const [x, y, z] = [0, 1, 2].map((k) => (lines[at + k]! + lines[at + 3 + k]!) / 2) as [
        number,
        number,
        number,
      ];
      // Middles of lines around it are a little below.
      const far = Math.hypot(x, y, Math.max(0, Math.abs(z - 4) - 12));
      expect(far).toBeGreaterThan(15.5);
      expect(far).toBeLessThan(16.01);
    }
  });

  it('sweeps corners of boxes, ends of axes of round shapes, and the point of a ray', () => {
    expect(sweepPoints({ kind: 'ray' })).toEqual([[0, 0, 0]]);
    const ends = [
      [-1, 4],
      [-2, 5],
      [-3, 6],
    ];
    for (const [shape, count] of [
      [{ kind: 'box', ...BOX }, 8],
      [{ kind: 'ellipsoid', radii: [1, 2, 3] }, 6],
    ] as const) {
      const points = sweepPoints(shape);
      expect(new Set(points.map(String)).size).toBe(count);
      expect(reach(points.flat())).toEqual(shape.kind === 'box' ? ends : [1, 2, 3].map((x) => [-x, x]));
    }
  });
});
