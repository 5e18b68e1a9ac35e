import { arenaQuake3 } from '@bspkit/fixtures';
import { readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createQuake3World, MASK_SOLID, readQuake3 } from '@bspkit/quake3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quake3Triangles } from '../src/triangles/quake3.ts';
import {
  type BrushPlane,
  brushFaces,
  enclosedVolume,
  type Winding,
  windingArea,
} from '../src/triangles/winding.ts';

const AXES = [
  [-1, 0, 0],
  [1, 0, 0],
  [0, -1, 0],
  [0, 1, 0],
  [0, 0, -1],
  [0, 0, 1],
] as const;

/** The planes of an axis-aligned box around the origin. */
function boxPlanes(x: number, y: number, z: number): BrushPlane[] {
  return AXES.map((normal) => ({
    normal,
    dist: Math.abs(normal[0]) * x + Math.abs(normal[1]) * y + Math.abs(normal[2]) * z,
  }));
}

/** The sum of the faces' areas as vectors: zero for a closed surface, whatever its form. */
function openness(faces: readonly Winding[]): number {
  const sum = [0, 0, 0];
  for (const face of faces) {
    for (let i = 3; i + 5 < face.length; i += 3) {
      const a = [0, 1, 2].map((k) => face[i + k]! - face[k]!);
      const b = [0, 1, 2].map((k) => face[i + 3 + k]! - face[k]!);
      for (let k = 0; k < 3; k++) {
        sum[k]! += (a[(k + 1) % 3]! * b[(k + 2) % 3]! - a[(k + 2) % 3]! * b[(k + 1) % 3]!) / 2;
      }
    }
  }
  return Math.hypot(...sum);
}

describe('faces of a brush', () => {
  it('are those of the box that it is', () => {
    const faces = brushFaces(boxPlanes(8, 16, 32));
    expect(faces.map((face) => face.length / 3)).toEqual([4, 4, 4, 4, 4, 4]);
    expect(enclosedVolume(faces)).toBeCloseTo(16 * 32 * 64, 3);
    expect(windingArea(faces[0]!)).toBeCloseTo(32 * 64, 4);
    expect(openness(faces)).toBeLessThan(1e-4);
  });

  it('leave out bevels and planes given twice', () => {
    const corner = { normal: [0.6, 0.8, 0] as const, dist: 0.6 * 8 + 0.8 * 16 };
    const faces = brushFaces([...boxPlanes(8, 16, 32), corner, boxPlanes(8, 16, 32)[1]!]);
    expect(faces[6]).toEqual([]);
    expect(faces[7]).toEqual([]);
    expect(enclosedVolume(faces)).toBeCloseTo(16 * 32 * 64, 3);
  });

  it('do not need normals of exactly one unit', () => {
    const long = boxPlanes(8, 16, 32).map(({ normal, dist }): BrushPlane => {
      const [x, y, z] = normal;
      return { normal: [x * (1 - 1e-7), y * (1 - 1e-7), z * (1 - 1e-7)], dist };
    });
    expect(enclosedVolume(brushFaces(long))).toBeCloseTo(16 * 32 * 64, 0);
  });

  it('are none where the planes enclose nothing', () => {
    const planes = [...boxPlanes(8, 8, 8), { normal: [1, 0, 0] as const, dist: -9 }];
    expect(enclosedVolume(brushFaces(planes))).toBe(0);
  });

  it('close up, and lose what a cut takes off', () => {
    const cut = fc
      .tuple(
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 6.28, noNaN: true }),
        fc.integer({ min: 5, max: 60 }),
      )
      .map(([z, angle, dist]): BrushPlane => {
        const r = Math.sqrt(1 - z * z);
        return { normal: [r * Math.cos(angle), r * Math.sin(angle), z], dist };
      });
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 6 }), (cuts) => {
        const faces = brushFaces([...boxPlanes(64, 64, 64), ...cuts]);
        const volume = enclosedVolume(faces);
        expect(openness(faces)).toBeLessThan(0.01);
        expect(volume).toBeGreaterThan(0);
        expect(volume).toBeLessThanOrEqual(128 ** 3 + 1);
        const more = enclosedVolume(brushFaces([...boxPlanes(64, 64, 64), ...cuts.slice(1)]));
        expect(volume).toBeLessThanOrEqual(more + 1);
      }),
    );
  });
});

describe('the triangles of a map', () => {
  it.skipIf(skippedWithoutMaps !== '')(`include its curved patches${skippedWithoutMaps}`, () => {
    const file = readQuake3(readRealMap('quake3/oa_minia.bsp'));
    const world = createQuake3World(file);
    const soup = quake3Triangles(file, world);
    expect(soup.patches).toBeGreaterThan(200);
    // The last triangles are of the last patch: they lie within its bounds.
    const { bounds } = world
      .patches()
      .filter((patch) => patch.contents & MASK_SOLID)
      .at(-1)!;
    for (let i = -9; i < 0; i++) {
      const value = soup.positions.at(i)!;
      expect(value).toBeGreaterThanOrEqual(bounds[(i + 9) % 3]! - 0.01);
      expect(value).toBeLessThanOrEqual(bounds[3 + ((i + 9) % 3)]! + 0.01);
    }
  });

  it('are of its solid brushes', () => {
    const file = readQuake3(arenaQuake3());
    const soup = quake3Triangles(file, createQuake3World(file));
    expect(soup.positions.length).toBe(9 * soup.triangles);
    expect(soup.brushes).toBeGreaterThan(30);
    // Water and clip brushes are not solid.
    expect(soup.brushes).toBeLessThan(file.models[0]!.numBrushes);
    expect(soup.triangles).toBeGreaterThanOrEqual(12 * 30);
  });
});
