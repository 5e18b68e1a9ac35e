import { compare } from '@bspkit/compare';
import type { Plane } from '@bspkit/core';
import { skippedWithoutMaps } from '@bspkit/fixtures/real';
import { areaSize, createRandom, direction, type Winding } from '@bspkit/geometry';
import { TOY_WATER, toy, toyMap, writeToy } from '@bspkit/testkit/toy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openMap } from '../src/maps.ts';
import { createRapierPeer } from '../src/peers/rapier.ts';
import { askedOf } from '../src/queries/for-map.ts';
import { measuredShapes, presetTracer } from '../src/shapes.ts';
import { worldCurves } from '../src/triangles/curves.ts';
import { brushFaces } from '../src/triangles/faces.ts';
import { soupsOf, type TriangleSoup, triangleSoup } from '../src/triangles/soup.ts';
import { buildWorld } from '../src/world.ts';

const AXES = [
  [-1, 0, 0],
  [1, 0, 0],
  [0, -1, 0],
  [0, 1, 0],
  [0, 0, -1],
  [0, 0, 1],
] as const;

/** The planes of an axis-aligned box around the origin. */
function boxPlanes(x: number, y: number, z: number): Plane[] {
  return AXES.map((normal) => ({
    normal,
    dist: Math.abs(normal[0]) * x + Math.abs(normal[1]) * y + Math.abs(normal[2]) * z,
  }));
}

/** The sum of the faces' vector areas: zero for a closed surface, whatever its shape. */
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

/** Volume enclosed by faces that face outwards, in cubic units; negative if they face inwards. */
function enclosedVolume(faces: readonly Winding[]): number {
  let volume = 0;
  for (const face of faces) {
    const corner = (i: number): number[] => face.slice(i, i + 3);
    const [x, y, z] = corner(0) as [number, number, number];
    for (let i = 3; i + 5 < face.length; i += 3) {
      const [u, v, w] = corner(i) as [number, number, number];
      const [r, s, t] = corner(i + 3) as [number, number, number];
      volume += (x * (v * t - w * s) + y * (w * r - u * t) + z * (u * s - v * r)) / 6;
    }
  }
  return volume;
}

describe('faces of a brush', () => {
  it('of a box are those of the box', () => {
    const faces = brushFaces(boxPlanes(8, 16, 32));
    expect(faces.map((face) => face.length / 3)).toEqual([4, 4, 4, 4, 4, 4]);
    expect(enclosedVolume(faces)).toBeCloseTo(16 * 32 * 64, 3);
    expect(areaSize(faces[0]!)).toBeCloseTo(32 * 64, 4);
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
    const long = boxPlanes(8, 16, 32).map(
      ({ normal, dist }): Plane => ({ normal: Array.from(normal, (x) => x * (1 - 1e-7)), dist }),
    );
    expect(enclosedVolume(brushFaces(long))).toBeCloseTo(16 * 32 * 64, 0);
  });

  it('are whole also far out, where they are wider than maps usually are', () => {
    const faces = brushFaces(boxPlanes(262_144, 16, 32));
    expect(enclosedVolume(faces) / (524_288 * 32 * 64)).toBeCloseTo(1, 6);
    expect(openness(faces)).toBeLessThan(1e-4);
  });

  it('do not exist if the planes enclose nothing', () => {
    const planes = [...boxPlanes(8, 8, 8), { normal: [1, 0, 0] as const, dist: -9 }];
    expect(enclosedVolume(brushFaces(planes))).toBe(0);
  });

  it('form a closed body, and lose what a cut takes off', () => {
    const cut = fc
      .tuple(fc.integer(), fc.integer({ min: 5, max: 60 }))
      .map(([seed, dist]): Plane => ({ normal: direction(createRandom(seed)), dist }));
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

/** The triangles of a map, with its curves. */
async function soupOf(name: string): Promise<TriangleSoup> {
  const { format, bytes } = await openMap(name);
  const file = format.read(bytes);
  return triangleSoup(format, file, format.createWorld([file]), bytes);
}

describe('the triangles of a map', () => {
  it('come from the solid brushes of the world, not from its water or its lift', () => {
    const bytes = toyMap();
    const file = toy.read(bytes);
    const soup = triangleSoup(toy, file, toy.createWorld([file]), bytes);
    expect(soup).toMatchObject({ brushes: 8, curves: 0, triangles: 8 * 12 });
    expect(soup.positions.length).toBe(9 * soup.triangles);
  });

  it('come from whatever stops a shape by default', () => {
    const kinds = toy.tracers.kinds.map((kind) => ({
      ...kind,
      mask: kind.name === 'ray' ? 'water' : 'solid,water',
    }));
    const wet = { ...toy, tracers: { ...toy.tracers, kinds } };
    const bytes = toyMap();
    const world = toy.createWorld([toy.read(bytes)]);
    const soups = soupsOf({ format: wet, bytes }, world)!;
    expect(soups.first).toMatchObject({ brushes: 1 });
    expect(soups.of({ kind: 'ray' })).toBe(soups.first);
    expect(soups.of({ kind: 'box' })).toMatchObject({ brushes: 9 });
  });

  it('come from the world, not from its models', () => {
    const world = [{ mins: [8, 8, 8], maxs: [16, 24, 40] }] as const;
    const bytes = [world, [...world, { model: 1, mins: [0, 0, 0], maxs: [9, 9, 9] }] as const].map((boxes) =>
      writeToy(boxes),
    );
    const [alone, withModel] = bytes.map((map) => {
      const file = toy.read(map);
      return triangleSoup(toy, file, toy.createWorld([file]), map);
    });
    expect(withModel).toEqual(alone);
  });

  it('are refused if nothing is solid', () => {
    const bytes = writeToy([{ mins: [8, 8, 8], maxs: [16, 24, 40], contents: TOY_WATER }]);
    const file = toy.read(bytes);
    const world = toy.createWorld([file]);
    expect(() => triangleSoup(toy, file, world, bytes)).toThrow(
      new RangeError('the world holds nothing solid'),
    );
  });

  it('face outwards', () => {
    const bytes = writeToy([{ mins: [8, 8, 8], maxs: [16, 24, 40] }]);
    const file = toy.read(bytes);
    const { positions } = triangleSoup(toy, file, toy.createWorld([file]), bytes);
    const faces = Array.from({ length: 12 }, (_, k) => [...positions.subarray(9 * k, 9 * k + 9)]);
    expect(enclosedVolume(faces)).toBeCloseTo(8 * 16 * 32, 3);
  });

  it('include its curve, where the engine collides with it', async () => {
    const { format, bytes } = await openMap('arena');
    const world = format.createWorld([format.read(bytes)]);
    const [curve, ...others] = worldCurves(format, world, bytes);
    expect(others).toEqual([]);
    expect(curve!.faces.length).toBeGreaterThanOrEqual(4);
    const drawn = format.polygons(world).polygons();
    const corners = drawn
      .filter(({ surface }) => surface === curve!.surface)
      .flatMap(({ vertices }) => [...vertices]);
    for (const k of [0, 1, 2]) {
      const axis = (list: readonly number[]): number[] => list.filter((_, i) => i % 3 === k);
      const [low, high] = [Math.min(...axis(corners)), Math.max(...axis(corners))];
      for (const x of axis(curve!.faces.flat())) {
        expect(x).toBeGreaterThan(low - 1);
        expect(x).toBeLessThan(high + 1);
      }
    }
    const soup = await soupOf('arena');
    expect(soup.curves).toBe(1);
    expect(soup.brushes).toBeGreaterThan(30);
  });

  it.skipIf(skippedWithoutMaps !== '')(
    `are those of our own world, with its windows and what is closed to bodies alone${skippedWithoutMaps}`,
    async () => {
      for (const name of ['quake2/lab', 'ufoai/farm_f_farmhouse_a']) {
        const map = await openMap(name);
        const { format } = map;
        const world = buildWorld(map);
        const rapier = await createRapierPeer(soupsOf(map, world)!);
        const shapes = measuredShapes(format, world);
        for (const { shape, queries } of askedOf(format, world, shapes, ['long'], { count: 500, seed: 1 })) {
          const own = { name: 'own', tracer: presetTracer(format, world, shape.preset, { epsilon: 0 }) };
          const other = { name: 'rapier', tracer: rapier.prepare(shape)!.tracer };
          const asked = { distance: 0.25, sides: 'any', rounds: 0 } as const;
          const [, found] = compare([own, other], queries, asked).tracers;
          expect(found!.agreement.share, `${name}: ${shape.preset.name}`).toBeGreaterThan(0.96);
        }
        rapier.free();
      }
    },
  );

  it.skipIf(skippedWithoutMaps !== '')(`include all curves of a real one${skippedWithoutMaps}`, async () => {
    const soup = await soupOf('oa_minia');
    expect(soup.curves).toBe(272);
    expect(soup.brushes).toBe(1551);
    // The number of slivers depends on the order of cuts.
    expect(Math.abs(soup.triangles - 22_600)).toBeLessThan(30);
  });
});
