import { meshFlaws } from '@bspkit/check-format';
import { arenaQuake3, compileFixture } from '@bspkit/fixtures';
import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { areasBy, dot, triangleOf } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import {
  BspError,
  brushPolygons,
  CONTENTS_PLAYERCLIP,
  CONTENTS_WATER,
  createQuake3World,
  lightmaps,
  MASK_WATER,
  type Mesh,
  mesh,
  polygons,
  type Quake3File,
  type Quake3Surface,
  readQuake3,
} from '../src/index.ts';

const arena = readQuake3(arenaQuake3());

/** Numbers of three around a vertex. */
const at = (values: Float32Array, vertex: number): number[] => [
  ...values.subarray(3 * vertex, 3 * vertex + 3),
];

/** The arena with one patch alone: control points as x, y, z, texture s, t and lightmap s, t each. */
function patchFile(width: number, height: number, points: readonly number[][], lightmap = -3): Quake3File {
  const count = width * height;
  const column = (from: number, size: number): Float32Array =>
    Float32Array.from(points.flatMap((point) => point.slice(from, from + size)));
  const vertexes = {
    ...{ count, positions: column(0, 3), texCoords: column(3, 2), lightmapCoords: column(5, 2) },
    normals: new Float32Array(3 * count),
    colors: new Uint8Array(4 * count).fill(255),
  };
  const surface: Quake3Surface = {
    ...{ shader: 0, fog: -1, type: 2, firstVertex: 0, numVertexes: count, firstIndex: 0, numIndexes: 0 },
    ...{ lightmap, normal: new Float32Array(3), patchWidth: width, patchHeight: height },
  };
  const model = { ...arena.models[0]!, firstSurface: 0, numSurfaces: 1 };
  return { ...arena, vertexes, surfaces: [surface], models: [model] };
}

/** Control points of a tube of radius 1 along z, closed, whose outside is its front. */
function tube(top = 1): number[][] {
  const ring = [
    [1, 0],
    [1, -1],
    [0, -1],
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
    [1, 0],
  ];
  return [top, (1 + top) / 2, 1].flatMap((radius, row) =>
    ring.map(([x, y], k) => [64 * radius * x!, 64 * radius * y!, 64 * (2 - row), k / 8, row / 2, 0, 0]),
  );
}

describe('mesh by texture', () => {
  it.each(['arena', 'torture'] as const)('of %s has triangles that lie in their surfaces', (name) => {
    const file = readQuake3(compileFixture(name, 'quake3').bytes);
    const made = mesh(file);
    expect(meshFlaws(made)).toEqual([]);
    let [planar, farthest, cosine] = [0, 0, 1];
    for (const [triangle, surface] of made.surfaces.entries()) {
      const { type, normal, firstVertex } = file.surfaces[surface]!;
      if (type !== 1) continue;
      planar++;
      const dist = dot(at(file.vertexes.positions, firstVertex), normal);
      for (const vertex of made.indices.subarray(3 * triangle, 3 * triangle + 3)) {
        farthest = Math.max(farthest, Math.abs(dot(at(made.positions, vertex), normal) - dist));
        cosine = Math.min(cosine, dot(at(made.normals, vertex), normal));
      }
    }
    expect(farthest).toBeLessThan(0.02);
    expect(cosine).toBeGreaterThan(0.999);
    expect(planar).toBeGreaterThan(500);
    const corners = file.surfaces.reduce(
      (sum, { type, numIndexes }) => sum + (type === 1 ? numIndexes : 0),
      0,
    );
    expect(planar).toBe(corners / 3);
  });

  it('tells sky, liquids and what is hidden by flags', () => {
    const named = (is: (group: Mesh['groups'][number]) => boolean): string[] =>
      mesh(arena)
        .groups.filter(is)
        .map(({ name }) => name.replace(/.*\//, ''));
    expect(named(({ isSky }) => isSky)).toEqual(['arena']);
    expect(named(({ isLiquid }) => isLiquid)).toEqual(['pool_water', 'slime_pool', 'lava_vent']);
    expect(named(({ isHidden }) => isHidden)).toEqual([]);
    const shaders = arena.shaders.map((shader) => ({
      ...shader,
      name: 'same',
      surfaceFlags: 0x80,
      contents: 0,
    }));
    const { groups } = mesh({ ...arena, shaders });
    expect(groups.every(({ isHidden, isSky, isLiquid }) => isHidden && !isSky && !isLiquid)).toBe(true);
  });

  it('has inline models where they were built, under their numbers', () => {
    const { groups, indices, positions } = mesh(arena);
    for (const [model, { mins, maxs }] of arena.models.entries()) {
      if (model === 0) continue;
      const vertexes = groups
        .filter((group) => group.model === model)
        .flatMap(({ firstIndex, indexCount }) => [...indices.subarray(firstIndex, firstIndex + indexCount)]);
      const points = vertexes.map((vertex) => at(positions, vertex));
      expect([0, 1, 2].map((k) => Math.min(...points.map((point) => point[k]!)))).toEqual([...mins]);
      expect([0, 1, 2].map((k) => Math.max(...points.map((point) => point[k]!)))).toEqual([...maxs]);
    }
  });

  it('leaves out what is not wanted', () => {
    const { groups, indices } = mesh(arena, { mask: CONTENTS_WATER });
    expect(groups.map(({ name }) => name)).toEqual(['textures/liquids/pool_water']);
    expect(indices.length).toBe(6);
  });

  it('refuses coordinates that are not finite, and takes those of lightmaps that are not used', () => {
    const broken = (name: 'texCoords' | 'lightmapCoords', lightmap: number): Quake3File => {
      const file = patchFile(9, 3, tube(), lightmap);
      file.vertexes[name][4] = Number.NaN;
      return { ...file, lightmaps: new Uint8Array(49152) };
    };
    expect(() => mesh(broken('texCoords', -3))).toThrow(BspError);
    expect(() => mesh(broken('lightmapCoords', 0))).toThrow(/vertexes 2: coordinates/);
    expect(meshFlaws(mesh(broken('lightmapCoords', -3)))).toEqual([]);
  });

  it.each([...realMapNames('quake3'), ''].slice(...(process.env.BSPKIT_ALL_MAPS ? [0] : [2, 4])))(
    `of real maps can be drawn: %s${skippedWithoutMaps}`,
    (name) => {
      if (!name) return;
      const file = readQuake3(readRealMap(name));
      for (const by of ['texture', 'contents'] as const) expect(meshFlaws(mesh(file, { by }))).toEqual([]);
    },
  );
});

describe('patches', () => {
  it.each([1, 4, 16])('have points and smooth normals of their curves, at level %i', (patchLevel) => {
    const made = mesh(patchFile(9, 3, tube()), { patchLevel });
    expect(meshFlaws(made)).toEqual([]);
    expect(made.positions.length / 3).toBe((4 * patchLevel + 1) * (patchLevel + 1));
    for (let vertex = 0; vertex < made.positions.length / 3; vertex++) {
      const [x, y] = at(made.positions, vertex) as [number, number];
      // Pieces of parabolas are nearly round.
      const radius = Math.sqrt(x * x + y * y);
      expect(Math.abs(radius - 64)).toBeLessThan(4.1);
      expect(dot(at(made.normals, vertex), [x / radius, y / radius, 0])).toBeGreaterThan(0.99);
    }
    // Its triangles cover all of it, once, and face outwards. Of four to a ring, it is a square.
    const area = areasBy(made, () => 0).get(0)!;
    expect(area).toBeGreaterThan(4 * 64 * Math.SQRT2 * 128 - 1);
    expect(area).toBeLessThan(2 * Math.PI * 68.1 * 128);
    for (let triangle = 0; triangle < made.indices.length / 3; triangle++) {
      expect(triangleOf(made, triangle).cosine).toBeGreaterThan(0.7);
    }
    for (let row = 0; row <= patchLevel; row++) {
      const [first, last] = [row * (4 * patchLevel + 1), row * (4 * patchLevel + 1) + 4 * patchLevel];
      expect(at(made.normals, first)).toEqual(at(made.normals, last));
      expect([made.texCoords![2 * first], made.texCoords![2 * last]]).toEqual([0, 1]);
    }
  });

  it('have unit normals where all points of a row are one, and where all points are', () => {
    const cone = mesh(patchFile(9, 3, tube(0)));
    expect(meshFlaws(cone)).toEqual([]);
    for (let vertex = 0; vertex < 17; vertex++) expect(at(cone.normals, vertex)[2]).toBeGreaterThan(0.3);
    const nothing = mesh(
      patchFile(
        3,
        3,
        Array.from({ length: 9 }, () => [1, 2, 3, 0, 0, 0, 0]),
      ),
    );
    expect(meshFlaws(nothing)).toEqual([]);
    expect(at(nothing.normals, 0)).toEqual([0, 0, 1]);
  });

  it('have the nearest normal where all points of several rows or columns are one', () => {
    // A dome: its first two curves, of either direction and from either end, have shrunk to its top.
    const points = (of: (row: number, column: number) => number[]): number[][] =>
      Array.from({ length: 25 }, (_, k) => [...of(Math.floor(k / 5), k % 5), 0, 0, 0, 0]);
    const dome = (along: number, across: number): number[] =>
      along <= 2 ? [0, 0, 64] : [32 * (along - 2), 16 * (across - 2) * (along - 2), 64 - 32 * (along - 2)];
    const ways: ((row: number, column: number) => [along: number, across: number])[] = [
      (row, column) => [row, column],
      (row, column) => [4 - row, column],
      (row, column) => [column, row],
      (row, column) => [4 - column, row],
    ];
    for (const way of ways) {
      const made = mesh(
        patchFile(
          5,
          5,
          points((row, column) => dome(...way(row, column))),
        ),
        { patchLevel: 2 },
      );
      expect(meshFlaws(made)).toEqual([]);
      const normals = new Map<string, number[]>();
      for (let k = 0; k < 25; k++) normals.set(`${way(Math.floor(k / 5), k % 5)}`, at(made.normals, k));
      for (let across = 0; across < 5; across++) {
        const nearest = normals.get(`2,${across}`)!;
        expect(Math.abs(nearest[2]!)).toBeGreaterThan(0.3);
        expect([normals.get(`0,${across}`), normals.get(`1,${across}`)]).toEqual([nearest, nearest]);
      }
    }
  });

  it('are divided as polygons are', () => {
    const file = readQuake3(arenaQuake3());
    for (const patchLevel of [1, 5]) {
      const made = polygons(createQuake3World(file), { patchLevel });
      const drawn = mesh(file, { patchLevel });
      const world = drawn.groups.filter(({ model }) => model === 0);
      expect(world.reduce((sum, { indexCount }) => sum + indexCount / 3, 0)).toBe(made.length);
    }
  });

  it('are refused where they would not fit', () => {
    const points = Array.from({ length: 961 }, (_, k) => [k % 31, Math.floor(k / 31), 0, 0, 0, 0, 0]);
    const file = patchFile(31, 31, points);
    const many = {
      ...file,
      surfaces: Array.from({ length: 8 }, () => file.surfaces[0]!),
      models: [{ ...file.models[0]!, numSurfaces: 8 }],
    };
    expect(mesh(many, { patchLevel: 2 }).positions.length).toBe(3 * 8 * 961);
    expect(() => mesh(many, { patchLevel: 64 })).toThrow(
      /^quake3: surfaces: patches have 7388168 vertices at patchLevel 64/,
    );
    const world = createQuake3World(many);
    expect(polygons(world, { patchLevel: 2 }).length).toBe(8 * 1800);
    expect(() => polygons(world, { patchLevel: 18 })).toThrow(
      /^quake3: surfaces: patches are 1166400 polygons at patchLevel 18; at most 1048576 are accepted$/,
    );
  });
});

describe('mesh by brush and by contents', () => {
  it('has clip brushes, which are not drawn, and patches, which are no brushes', () => {
    const clips = brushPolygons(arena, { mask: CONTENTS_PLAYERCLIP });
    expect(clips.length).toBe(6);
    const { groups, brushes } = mesh(arena, { by: 'brush', mask: CONTENTS_PLAYERCLIP });
    expect(groups).toMatchObject([{ brush: clips[0]!.brush, contents: CONTENTS_PLAYERCLIP, indexCount: 36 }]);
    expect(new Set(brushes)).toEqual(new Set([clips[0]!.brush]));
    const patches = mesh(arena, { by: 'brush' }).groups.filter(({ brush }) => brush < 0);
    const triangles = arena.surfaces
      .filter(({ type }) => type === 2)
      .reduce((sum, { patchWidth, patchHeight }) => sum + 8 * (patchWidth - 1) * (patchHeight - 1), 0);
    expect(patches.reduce((sum, { indexCount }) => sum + indexCount / 3, 0)).toBe(triangles);
  });

  it('groups liquids by contents', () => {
    const { groups, brushes, sides } = mesh(arena, { by: 'contents', mask: MASK_WATER });
    expect(groups.map(({ contents, isLiquid }) => [contents, isLiquid])).toEqual([
      [32, true],
      [16, true],
      [8, true],
    ]);
    for (const [triangle, brush] of brushes.entries()) {
      const first = arena.brushes.firstSides[brush]!;
      expect(sides[triangle]! >= first && sides[triangle]! < first + arena.brushes.numSides[brush]!).toBe(
        true,
      );
    }
  });

  it('leaves out sides that another side has covered already', () => {
    const [side, sides] = [arena.brushes.firstSides[0]!, arena.sides];
    const planes = sides.planes.slice();
    planes[side + 1] = planes[side]!;
    const faces = brushPolygons({ ...arena, sides: { ...sides, planes } }).filter(({ brush }) => brush === 0);
    expect(new Set(faces.map(({ side }) => side)).has(side + 1)).toBe(false);
  });
});

describe('lightmaps', () => {
  /** Pages of one colour each. */
  const pages = (...colors: readonly (readonly [number, number, number])[]): Uint8Array =>
    Uint8Array.from(colors.flatMap((color) => Array.from({ length: 128 * 128 }, () => color).flat()));

  it('are one picture, bright as in the engine, with the hue of what is too bright', () => {
    const file = { ...arena, lightmaps: pages([10, 20, 30], [100, 50, 0], [255, 255, 255]) };
    const atlas = lightmaps(file)!;
    expect([atlas.width, atlas.height, atlas.styles]).toEqual([256, 256, []]);
    const pixel = (x: number, y: number, { pixels } = atlas): number[] => [
      ...pixels.subarray(4 * (256 * y + x), 4 * (256 * y + x) + 4),
    ];
    expect([pixel(5, 5), pixel(200, 5), pixel(5, 200), pixel(200, 200)]).toEqual([
      [40, 80, 120, 255],
      [255, 127, 0, 255],
      [255, 255, 255, 255],
      [0, 0, 0, 255],
    ]);
    expect(pixel(5, 5, lightmaps(file, { brightness: 1 })!)).toEqual([10, 20, 30, 255]);
  });

  it('are where the coordinates of a mesh say', () => {
    const corners = tube().map(([x, y, z, s, t], k) => [x!, y!, z!, s!, t!, k % 2, 0.5]);
    // Two rows of three.
    const lumps = Array.from({ length: 5 }, (_, k) => [k, k, k] as const);
    const file = { ...patchFile(9, 3, corners, 4), lightmaps: pages(...lumps) };
    const made = mesh(file);
    expect(made.groups).toMatchObject([{ isLightmapped: true }]);
    expect(meshFlaws(made)).toEqual([]);
    for (let k = 0; k < made.lightmapCoords!.length; k += 2) {
      const [u, v] = [made.lightmapCoords![k]!, made.lightmapCoords![k + 1]!];
      expect(u > 0.33 && u < 0.67 && v === 0.75).toBe(true);
    }
    expect(mesh({ ...file, lightmaps: pages([1, 1, 1]) }).groups).toMatchObject([{ isLightmapped: false }]);
  });

  it('may be none, but not a part of one', () => {
    expect(lightmaps(arena)).toBeUndefined();
    expect(mesh(arena).lightmapCoords).toBeUndefined();
    const cut = { ...arena, lightmaps: new Uint8Array(49151) };
    expect(() => lightmaps(cut)).toThrow(/lightmaps: length 49151/);
    expect(() => mesh(cut)).toThrow(BspError);
    expect(() => lightmaps(arena, { brightness: 0 })).toThrow(RangeError);
  });
});
