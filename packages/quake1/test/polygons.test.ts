import type { Polygon } from '@bspkit/core';
import { expectBelow } from '@bspkit/testkit/same';
import { describe, expect, it } from 'vitest';
import { createQuake1World, hullPolygons, leafPolygons, polygons, type Quake1File } from '../src/index.ts';
import { across, boxTree, type MadeTree, makeFile, roomFile } from './make.ts';

/** The area vector of a polygon, doubled: along its normal if its corners are counter-clockwise around it. */
function areaVector({ vertices }: Polygon): number[] {
  const sum = [0, 0, 0];
  const count = vertices.length / 3;
  for (let k = 0; k < count; k++) {
    const [a, b] = [vertices.subarray(3 * k), vertices.subarray(3 * ((k + 1) % count))];
    for (let axis = 0; axis < 3; axis++) {
      const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
      sum[axis]! += a[i]! * b[j]! - a[j]! * b[i]!;
    }
  }
  return sum;
}

const area = (polygon: Polygon): number => Math.hypot(...areaVector(polygon)) / 2;

/** Checks that a polygon lies in its plane and turns around its normal. */
function expectSound(polygon: Polygon): void {
  const { vertices, normal, dist } = polygon;
  for (let k = 0; k < vertices.length; k += 3) {
    const along = [0, 1, 2].reduce((sum, axis) => sum + normal[axis]! * vertices[k + axis]!, 0);
    expectBelow(Math.abs(along - dist), 0.005);
  }
  const turn = areaVector(polygon).reduce((sum, c, axis) => sum + c * normal[axis]!, 0);
  expectBelow(0, turn);
}

/** A room half full of water, with its floor drawn from above and the water's surface from both sides. */
function poolFile(): Quake1File {
  const pool = { plane: across(2, 0), front: -1, back: -3 };
  const file = makeFile([{ nodes: boxTree([-8, -8, -8], [8, 8, 8], pool) }]);
  const square = (z: number): number[] => [-8, -8, z, -8, 8, z, 8, 8, z, 8, -8, z];
  const { planes, leafs } = file;
  const plane = (dist: number): number =>
    planes.dists.findIndex((d, k) => d === dist && planes.normals[3 * k + 2] === 1);
  return {
    ...file,
    textures: new Array(8).fill(undefined),
    vertexes: { count: 8, positions: Float32Array.from([...square(-8), ...square(0)]) },
    edges: Int32Array.of(0, 0, 0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 7, 7, 4),
    surfEdges: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8, -8, -7, -6, -5, 1, 2),
    texInfos: {
      count: 2,
      vectors: new Float32Array(16),
      textures: Int32Array.of(7, 3),
      flags: new Int32Array(2),
    },
    faces: {
      count: 4,
      planes: Int32Array.of(plane(-8), plane(0), plane(0), plane(0)),
      sides: Int32Array.of(0, 0, 1, 0),
      firstEdges: Int32Array.of(0, 4, 8, 12),
      numEdges: Int32Array.of(4, 4, 4, 2),
      texInfos: Int32Array.of(0, 1, 1, 1),
      styles: new Uint8Array(16).fill(255),
      lightOffsets: Int32Array.of(-1, -1, -1, -1),
    },
    markSurfaces: Int32Array.of(1, 0, 2),
    leafs: { ...leafs, firstMarkSurfaces: Int32Array.of(0, 0, 1), numMarkSurfaces: Int32Array.of(0, 1, 2) },
    models: [{ ...file.models[0]!, numFaces: 4 }],
  };
}

describe('polygons', () => {
  const world = createQuake1World(poolFile());

  it('are the faces of the world that have some area', () => {
    const faces = polygons(world);
    expect(faces.map(({ surface }) => surface)).toEqual([0, 1, 2]);
    for (const polygon of faces) {
      expectSound(polygon);
      expect(area(polygon)).toBe(256);
    }
    expect([...faces[0]!.normal]).toEqual([0, 0, 1]);
    expect([...faces[2]!.normal]).toEqual([0, 0, -1]);
    expect(faces.map(({ texture }) => texture)).toEqual([7, 3, 3]);
  });

  it('have no texture in a map without a list of textures, whatever its numbers say', () => {
    const bare = createQuake1World({ ...poolFile(), textures: [] });
    expect(polygons(bare).map(({ texture }) => texture)).toEqual([-1, -1, -1]);
  });

  it('know what they bound: solid, or water from either side', () => {
    expect(polygons(world).map(({ contents }) => contents)).toEqual([-2, -3, -3]);
  });

  it('are available by leaf too, as the same objects', () => {
    const [open, water] = [world.leaf([0, 0, 4]), world.leaf([0, 0, -4])];
    expect(leafPolygons(world, open).map(({ surface }) => surface)).toEqual([1]);
    expect(leafPolygons(world, water)).toEqual([polygons(world)[0], polygons(world)[2]]);
    expect(leafPolygons(world, water)[0]).toBe(polygons(world)[0]);
    expect(leafPolygons(world, 0)).toEqual([]);
    expect(() => leafPolygons(world, 3)).toThrow(/leaf/);
  });
});

describe('hull polygons', () => {
  const world = createQuake1World(roomFile());

  it.each([
    [0, 0],
    [1, 16],
    [2, 24],
  ])('of hull %i are the room shrunk, and its pillar grown, by %i', (hull, by) => {
    const faces = hullPolygons(world, hull);
    for (const polygon of faces) {
      expectSound(polygon);
      expect(polygon.contents).toBe(-2);
    }
    const side = 128 - 2 * by;
    const pillar = 16 + 2 * by;
    const expected = 6 * side ** 2 - 2 * pillar ** 2 + 4 * side * pillar;
    expect(faces.reduce((sum, polygon) => sum + area(polygon), 0)).toBeCloseTo(expected, 1);
  });

  it('are there in a room of a million units, too', () => {
    const { planes, ...rest } = roomFile();
    const times = 2 ** 14;
    const dists = planes.dists.map((x) => x * times);
    const large = createQuake1World({ ...rest, planes: { ...planes, dists } });
    const sizes = [world, large].map((of) => hullPolygons(of, 1).reduce((sum, face) => sum + area(face), 0));
    expect(sizes[1]! / times ** 2).toBeCloseTo(sizes[0]!, 1);
  });

  it('face the open', () => {
    for (const { vertices, normal } of hullPolygons(world, 1)) {
      const count = vertices.length / 3;
      const aside = (by: number): number[] =>
        [0, 1, 2].map((axis) => {
          let sum = 0;
          for (let k = axis; k < vertices.length; k += 3) sum += vertices[k]!;
          return sum / count + by * normal[axis]!;
        });
      expect(world.hullContents(1, aside(0.5))).toBe(-1);
      expect(world.hullContents(1, aside(-0.5))).toBe(-2);
    }
  });

  it('are refused for a hull that does not exist', () => {
    expect(() => hullPolygons(world, 3)).toThrow(/hull/);
  });

  it('are refused for trees deeper than any that a compiler makes', () => {
    // A well with 2,000 walls: each plane is cut by all above it.
    const walls = Array.from({ length: 2000 }, (_, k) => 2 * Math.PI * ((k * 0.618) % 1));
    const well = walls.reduce((inside: MadeTree, angle) => {
      const normal = [Math.fround(Math.cos(angle)), Math.fround(Math.sin(angle)), 0] as const;
      return { plane: { normal, dist: 500, type: 3 }, front: -2, back: inside };
    }, -1);
    const deep = createQuake1World(
      makeFile([{ nodes: boxTree([-99, -99, -99], [99, 99, 99]), hulls: [well] }]),
    );
    expect(deep.hull(1).trace([0, 0, 0], [700, 0, 0]).fraction).toBeCloseTo(5 / 7, 3);
    expect(() => hullPolygons(deep, 1)).toThrow(/faces of a hull take cuts of more than/);
  });
});
