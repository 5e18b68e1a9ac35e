import { parseEntities } from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import { QUAKE3_CRAFTED } from '@bspkit/testkit/crafted/quake3';
import { bspError } from '@bspkit/testkit/refusals';
import { describe, expect, it } from 'vitest';
import { createQuake3World, readQuake3, SURFACE_PATCH } from '../src/index.ts';
import { type LumpName, lumpAt, visibilityLump, withEntry, withLump, withWord } from './broken.ts';

const arena = arenaQuake3();
const file = readQuake3(arena);

describe('readQuake3', () => {
  it('reads every lump', () => {
    expect(file.format).toBe('quake3');
    expect(file.version).toBe(46);
    expect(file.models.length).toBeGreaterThan(1);
    expect(file.brushes.count).toBeGreaterThanOrEqual(40);
    expect(file.planes.normals).toHaveLength(3 * file.planes.count);
    expect(file.nodes.children).toHaveLength(2 * file.nodes.count);
    expect(file.sides.planes).toHaveLength(file.sides.count);
    expect(file.shaders.some(({ contents }) => contents & 1)).toBe(true);
    expect(parseEntities(file.entities, 'quake3')[0]?.classname).toBe('worldspawn');
    const used = Object.values(file.lumps).reduce((sum, { length }) => sum + length, 0);
    expect(used).toBeLessThanOrEqual(arena.length);
  });

  it('reads each number of a record from its own place', () => {
    const floats = Float32Array.of(0.25, 0.5, 0.75, 1.25, 1.5, 1.75, 2.25, 2.5, 2.75, 3.25);
    const words = new Int32Array(floats.buffer);
    const children = [file.nodes.children[2]!, file.nodes.children[3]!];
    const lumps: [lump: LumpName, words: number, numbers: number[]][] = [
      ['nodes', 9, [2, ...children, -31, -32, -33, 34, 35, 36]],
      ['leafs', 12, [-1, 3, -41, -42, -43, 44, 45, 46, 5, 6, 7, 8]],
      ['models', 10, [...words.subarray(0, 6), 1, 2, 3, 4]],
      ['brushes', 3, [6, 7, 2]],
      ['sides', 2, [5, 3]],
      ['vertexes', 11, [...words, 0x04030201]],
      ['surfaces', 26, [2, 17, 1, 3, 40, 6, 9, 18, ...Array(13).fill(0), ...words.subarray(0, 3), 23, 24]],
    ];
    let bytes = arena;
    for (const [lump, size, numbers] of lumps) {
      for (const [k, number] of numbers.entries()) bytes = withWord(bytes, lump, size + k, number);
    }
    const { nodes, leafs, models, brushes, sides, vertexes, surfaces } = readQuake3(bytes);
    /** The second record of columns. */
    const second = (columns: object): Record<string, number[]> => {
      const { count, ...rest } = columns as Record<string, Int32Array> & { count: number };
      const entries = Object.entries(rest).map(([name, column]): [string, number[]] => {
        const width = column.length / count;
        return [name, [...column.subarray(width, 2 * width)]];
      });
      return Object.fromEntries(entries);
    };
    expect(second(nodes)).toEqual({ planes: [2], children, mins: [-31, -32, -33], maxs: [34, 35, 36] });
    expect(second(leafs)).toEqual({
      ...{ clusters: [-1], areas: [3], mins: [-41, -42, -43], maxs: [44, 45, 46] },
      ...{ firstSurfaces: [5], numSurfaces: [6], firstBrushes: [7], numBrushes: [8] },
    });
    expect(models[1]).toEqual({
      ...{ mins: floats.slice(0, 3), maxs: floats.slice(3, 6) },
      ...{ firstSurface: 1, numSurfaces: 2, firstBrush: 3, numBrushes: 4 },
    });
    expect(second(brushes)).toEqual({ firstSides: [6], numSides: [7], shaders: [2] });
    expect(second(sides)).toEqual({ planes: [5], shaders: [3] });
    expect(second(vertexes)).toEqual({
      ...{ positions: [0.25, 0.5, 0.75], texCoords: [1.25, 1.5], lightmapCoords: [1.75, 2.25] },
      ...{ normals: [2.5, 2.75, 3.25], colors: [1, 2, 3, 4] },
    });
    expect(surfaces[1]).toEqual({
      ...{ shader: 2, fog: 17, type: 1, firstVertex: 3, numVertexes: 40, firstIndex: 6, numIndexes: 9 },
      ...{ lightmap: 18, normal: floats.slice(0, 3), patchWidth: 23, patchHeight: 24 },
    });
  });

  it('reads version 47 and a view into a larger buffer alike', () => {
    const framed = new Uint8Array(arena.length + 5);
    framed.set(arena, 3);
    framed[3 + 4] = 47;
    const other = readQuake3(framed.subarray(3, 3 + arena.length));
    expect(other.version).toBe(47);
    expect(other.planes.dists).toEqual(file.planes.dists);
  });

  it('takes bytes however they are held', () => {
    const shared = new SharedArrayBuffer(arena.length);
    new Uint8Array(shared).set(arena);
    for (const bytes of [arena.slice().buffer, shared, Buffer.from(arena)]) {
      expect(readQuake3(bytes).nodes).toEqual(file.nodes);
    }
    for (const bytes of [undefined, null, 'arena.bsp', [1, 2], { length: 200 }]) {
      expect(() => readQuake3(bytes as never)).toThrow(TypeError);
    }
  });

  it.each([
    [
      'an empty file',
      new Uint8Array(0),
      'magic',
      'the file is empty, not a Quake 3 map (IBSP 46 or 47); read or fetch',
    ],
    ['6 bytes of a map', arena.slice(0, 6), 'magic', 'cut short'],
    ['10 bytes of a map', arena.slice(0, 10), 'truncated', 'needs 144 bytes, but the file has 10'],
    ['text', new TextEncoder().encode('hello, this is no map at all'), 'magic', 'the file is a text file'],
    [
      'a zip archive',
      Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0),
      'magic',
      'a zip archive (pk3), not a Quake 3 map',
    ],
    [
      'a map of UFO:AI',
      withEntry(arena, 'entities', {}).fill(78, 4, 5),
      'version',
      'the file is a map of UFO:AI (IBSP 78), not a Quake 3 map (IBSP 46 or 47); the bspkit package opens maps of every format',
    ],
    [
      'an unknown version',
      withEntry(arena, 'entities', {}).fill(48, 4, 5),
      'version',
      'a map of an unknown game (IBSP 48)',
    ],
  ])('refuses %s', (_, bytes, code, words) => {
    const error = bspError(() => readQuake3(bytes));
    expect(error).toMatchObject({ code, format: 'quake3' });
    expect(error.message).toContain(words);
  });

  it('refuses a file cut at any lump boundary, naming the lump', () => {
    const lumps = Object.keys(QUAKE3_CRAFTED.lumps) as LumpName[];
    const cuts = lumps
      .map((lump) => lumpAt(arena, lump))
      .filter(({ length }) => length > 0)
      .flatMap(({ offset, length }) => [offset, offset + length - 1]);
    expect(cuts.length).toBeGreaterThan(20);
    for (const cut of cuts) {
      const error = bspError(() => readQuake3(arena.slice(0, cut)));
      expect(['lump-range', 'truncated']).toContain(error.code);
      if (error.code === 'lump-range') expect(error.lump).toBeTypeOf('string');
    }
  });

  it.each([
    'shaders',
    'planes',
    'nodes',
    'leafs',
    'leafSurfaces',
    'leafBrushes',
    'models',
    'brushes',
    'sides',
    'vertexes',
    'indexes',
    'surfaces',
  ] as const)('refuses a %s lump that is not a whole number of records', (lump) => {
    const length = lumpAt(arena, lump).length - 1;
    const error = bspError(() => readQuake3(withEntry(arena, lump, { length })));
    expect(error).toMatchObject({ code: 'lump-size', lump });
  });

  it.each(['shaders', 'planes', 'nodes', 'leafs', 'models'] as const)('refuses an empty %s lump', (lump) => {
    expect(bspError(() => readQuake3(withEntry(arena, lump, { length: 0 }))).code).toMatch(/empty|index/);
  });

  it.each([
    ['nodes', 1, 99_999, 'index', 0, 'child 99999'],
    ['nodes', 2, -99_999, 'index', 0, 'leaf 99998'],
    ['nodes', 0, -1, 'index', 0, 'plane -1'],
    ['nodes', 1, 0, 'cycle', 0, 'has a cycle'],
    ['leafBrushes', 0, 1_000_000, 'index', 0, 'brush 1000000'],
    ['leafs', 10, 1_000_000, 'index', 0, 'leaf brushes 1000000'],
    ['leafs', 9, -1, 'index', 0, 'leaf surfaces'],
    ['leafs', 0, -2, 'index', 0, 'cluster -2'],
    ['leafs', 1, -7, 'index', 0, 'area -7'],
    ['leafs', 1, 0x8000, 'limit', 0, 'area 32768'],
    ['brushes', 3, -1, 'index', 1, 'sides -1'],
    ['brushes', 5, 4096, 'index', 1, 'shader 4096'],
    ['brushes', 1, 5, 'value', 0, 'has 5 sides'],
    ['sides', 2, 1 << 30, 'index', 1, 'plane 1073741824'],
    ['sides', 1, -1, 'index', 0, 'shader -1'],
    ['models', 9, 1 << 30, 'index', 0, 'brushes 0 to'],
    ['planes', 4, 0x7fc00000, 'value', 1, 'NaN'],
    ['planes', 3, 0x7f800000, 'value', 0, 'Infinity'],
    ['vertexes', 11, 0x7fc00000, 'value', 1, 'NaN'],
    ['surfaces', 3, -5, 'index', 0, 'vertexes -5'],
    ['indexes', 0, -1, 'index', 0, 'vertex -1'],
    ['surfaces', 0, 4096, 'index', 0, 'shader 4096'],
    ['models', 0, 0x7fc00000, 'value', 0, 'not a finite number'],
  ] as const)('refuses %s whose word %i is %i', (lump, word, value, code, index, words) => {
    const error = bspError(() => readQuake3(withWord(arena, lump, word, value)));
    expect(error).toMatchObject({ code, lump, index, format: 'quake3' });
    expect(error.message).toContain(words);
  });

  it('refuses a node that is a grandchild of itself', () => {
    const node = file.nodes.children.findIndex((child) => child > 0);
    const child = file.nodes.children[node]!;
    const error = bspError(() => readQuake3(withWord(arena, 'nodes', 9 * child + 1, node >> 1)));
    expect(error).toMatchObject({ code: 'cycle', lump: 'nodes' });
  });

  it('refuses patches of a size that the engine does not take', () => {
    const patch = file.surfaces.findIndex(({ type }) => type === SURFACE_PATCH);
    expect(patch).toBeGreaterThanOrEqual(0);
    for (const [width, height] of [
      [2, 3],
      [4, 3],
      [131, 3],
      [33, 33],
      [3, -3],
    ] as const) {
      let bytes = withWord(arena, 'surfaces', 26 * patch + 2, SURFACE_PATCH);
      bytes = withWord(bytes, 'surfaces', 26 * patch + 24, width);
      bytes = withWord(bytes, 'surfaces', 26 * patch + 25, height);
      expect(bspError(() => readQuake3(bytes))).toMatchObject({
        code: 'value',
        lump: 'surfaces',
        index: patch,
      });
    }
  });

  it('refuses a tree that is too deep to be one', () => {
    const count = 5000;
    const nodes = new Int32Array(9 * count);
    for (let k = 0; k < count; k++) nodes.set([0, k === count - 1 ? -1 : k + 1, -1], 9 * k);
    const error = bspError(() => readQuake3(withLump(arena, 'nodes', new Uint8Array(nodes.buffer))));
    expect(error).toMatchObject({ code: 'limit', lump: 'nodes' });
  });

  const all = (): boolean => true;

  it('reads visibility', () => {
    const { visibility } = readQuake3(withLump(arena, 'visibility', visibilityLump(3, 4, all)));
    expect(visibility).toMatchObject({ numClusters: 3, rowBytes: 4 });
    expect(visibility!.rows).toEqual(Uint8Array.of(7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0));
    const unvised = readQuake3(withEntry(arena, 'visibility', { length: 0 }));
    expect(unvised.visibility).toBeUndefined();
  });

  it.each([
    ['more clusters than rows', 0, 1 << 20],
    ['rows that are longer than the lump', 1, 1 << 20],
    ['rows that are too short for a bit per cluster', 1, 0],
    ['a number of clusters below 0', 0, -1],
  ] as const)('refuses visibility with %s', (_, word, value) => {
    const vised = withLump(arena, 'visibility', visibilityLump(3, 4, all));
    const error = bspError(() => readQuake3(withWord(vised, 'visibility', word, value)));
    expect(error).toMatchObject({ code: 'lump-size', lump: 'visibility' });
  });

  it('refuses a leaf in a cluster that the visibility does not have', () => {
    const vised = withLump(arena, 'visibility', visibilityLump(3, 4, all));
    const leaf = file.leafs.clusters.findIndex((cluster) => cluster >= 0);
    const error = bspError(() => readQuake3(withWord(vised, 'leafs', 12 * leaf, 3)));
    expect(error).toMatchObject({ code: 'index', lump: 'leafs', index: leaf });
  });
});

describe('a patch that the engine could not hold', () => {
  it('is refused when the world is built, with its surface', () => {
    const surface = file.surfaces.findIndex(({ numVertexes }) => numVertexes >= 3);
    const first = file.surfaces[surface]!.firstVertex;
    const words = [2, 4, 24, 25].map((word) => 26 * surface + word);
    let bytes = arena;
    for (const [k, value] of [SURFACE_PATCH, 9, 3, 3].entries())
      bytes = withWord(bytes, 'surfaces', words[k]!, value);
    const far = new Int32Array(Float32Array.of(1e7).buffer)[0]!;
    bytes = withWord(bytes, 'vertexes', 11 * (first + 1), far);
    const broken = readQuake3(bytes);
    expect(bspError(() => createQuake3World(broken))).toMatchObject({
      code: 'limit',
      lump: 'surfaces',
      index: surface,
    });
  });
});
