import { arenaQuake2, arenaQuake3 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { records } from '@bspkit/testkit/ibsp';
import { bspError } from '@bspkit/testkit/refusals';
import { describe, expect, it } from 'vitest';
import { createQuake2World, readQuake2 } from '../src/index.ts';
import { type LumpName, lumpAt, withFloat, withLump, withNumber } from './broken.ts';
import { widened } from './wide.ts';
import { roomsMap } from './worlds.ts';

const map = arenaQuake2();
const rooms = roomsMap();

describe('a file', () => {
  it('is read with all that worlds need', () => {
    const file = readQuake2(map);
    expect([file.format, file.version]).toEqual(['quake2', 38]);
    expect(file.entities).toContain('worldspawn');
    expect(file.planes.count).toBe(lumpAt(map, 'planes').length / 20);
    expect(file.leafs.contents[0]).toBe(1);
    expect(file.models).toHaveLength(4);
    expect(file.textures[0]!.name).not.toBe('');
    expect(readQuake2(rooms).numClusters).toBe(3);
  });

  it('is read in both versions, each number of a record from its own place', () => {
    const { nodes: tree, models: heads } = readQuake2(map);
    const children = [...tree.children.subarray(2, 4)];
    const { headNode } = heads[1]!;
    const second: [lump: LumpName, kinds: string, numbers: number[]][] = [
      ['planes', 'ffffi', [0, 0, 1, 17.5, 2]],
      ['nodes', 'iiihhhhhhhh', [2, ...children, -31, -32, -33, 34, 35, 36, 1, 2]],
      ['leafs', 'ihhhhhhhhhhhh', [3, -1, 1, -41, -42, -43, 44, 45, 46, 5, 6, 7, 8]],
      ['models', 'fffffffffiii', [-1.5, -2.5, -3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, headNode, 1, 2]],
      ['brushes', 'iii', [6, 7, 9]],
      ['sides', 'hh', [5, 1]],
    ];
    let bytes = map;
    for (const [lump, kinds, numbers] of second) {
      const { offset, length } = lumpAt(bytes, lump);
      const record = records([numbers], kinds);
      const changed = bytes.slice(offset, offset + length);
      changed.set(record, record.length);
      bytes = withLump(bytes, lump, changed);
    }
    for (const file of [readQuake2(bytes), readQuake2(widened(bytes))]) {
      const { planes, nodes, leafs, models, brushes, sides } = file;
      const read = [planes, nodes, leafs, brushes, sides].map(({ count, ...columns }) =>
        Object.fromEntries(
          Object.entries(columns).map(([name, column]) => {
            const width = column.length / count;
            return [name, [...column.subarray(width, 2 * width)]];
          }),
        ),
      );
      expect(read).toEqual([
        { normals: [0, 0, 1], dists: [17.5], types: [2] },
        { planes: [2], children, mins: [-31, -32, -33], maxs: [34, 35, 36] },
        {
          ...{ contents: [3], clusters: [-1], areas: [1], mins: [-41, -42, -43], maxs: [44, 45, 46] },
          ...{ firstFaces: [5], numFaces: [6], firstBrushes: [7], numBrushes: [8] },
        },
        { firstSides: [6], numSides: [7], contents: [9] },
        { planes: [5], textures: [1] },
      ]);
      const { mins, maxs, origin, ...numbers } = models[1]!;
      expect([...mins, ...maxs, ...origin]).toEqual([-1.5, -2.5, -3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]);
      expect(numbers).toEqual({ headNode, firstFace: 1, numFaces: 2 });
    }
  });

  const real = realMapNames('quake2');
  it.skipIf(real.length === 0)('from the game is read, however large', { timeout: 60_000 }, () => {
    for (const name of real) {
      const file = readQuake2(readRealMap(name));
      const { data, numLeafs } = createQuake2World(file);
      expect(numLeafs, name).toBe(file.leafs.count);
      const { lighting, faces, edges, surfEdges, vertexes, leafFaces, pop, ...held } = file.lumps;
      const bytes = Object.values(held).reduce((sum, { length }) => sum + length, 0);
      expect(lighting.length + faces.length + edges.length + surfEdges.length).toBeGreaterThan(0);
      expect(vertexes.length + leafFaces.length + pop.length).toBeGreaterThan(0);
      expect(data.byteLength / bytes, name).toBeLessThan(1.5);
    }
  });
});

/** A lump, the byte in it, what is written there, and what the error says. */
type Flaw = readonly [
  lump: LumpName,
  at: number,
  value: number,
  size: 1 | 2 | 4,
  code: string,
  index: number | undefined,
  words: string,
];

const FLAWS: readonly Flaw[] = [
  ['nodes', 0, 1 << 20, 4, 'index', 0, 'plane'],
  ['nodes', 4, 1 << 20, 4, 'index', 0, 'child'],
  ['nodes', 8, -70_000, 4, 'index', 0, 'leaf'],
  ['nodes', 28 + 4, 0, 4, 'cycle', 0, 'is below itself'],
  ['leafs', 0, 2, 4, 'value', 0, 'the first leaf is the solid one'],
  ['leafs', 28 + 4, 0xfffe, 2, 'index', 1, 'cluster -2'],
  ['leafs', 28 + 6, 99, 2, 'index', 1, 'area 99'],
  ['leafs', 28 + 24, 0xffff, 2, 'index', 1, 'leaf brushes'],
  ['leafBrushes', 0, 0xffff, 2, 'index', 0, 'brush'],
  ['sides', 0, 0xffff, 2, 'index', 0, 'plane'],
  ['sides', 2, 0x7fff, 2, 'index', 0, 'texture'],
  ['brushes', 0, -1, 4, 'index', 0, 'sides'],
  ['brushes', 4, 1 << 20, 4, 'index', 0, 'sides'],
  ['models', 48 + 36, 1 << 20, 4, 'index', 1, 'head node'],
  ['models', 48 + 36, -(1 << 20), 4, 'index', 1, 'leaf'],
];

describe('an inconsistent file is refused', () => {
  it.each(FLAWS)('%s at byte %i: %i', (lump, at, value, size, code, index, words) => {
    const error = bspError(() => readQuake2(withNumber(map, lump, at, value, size)));
    expect(error).toMatchObject({ code, format: 'quake2', lump, index });
    expect(error.message).toContain(words);
  });

  it.each([
    ['planes', 0, Number.NaN],
    ['planes', 0, 0.5],
    ['planes', 12, Number.POSITIVE_INFINITY],
    ['models', 0, Number.NaN],
  ] as const)('%s at byte %i: %f', (lump, at, value) => {
    const error = bspError(() => readQuake2(withFloat(map, lump, at, value)));
    expect(error).toMatchObject({ code: 'value', lump, index: 0 });
  });

  it.each(['planes', 'nodes', 'texinfo', 'leafs', 'leafBrushes', 'models'] as const)('without %s', (lump) => {
    const error = bspError(() => readQuake2(withLump(map, lump, new Uint8Array(0))));
    expect(error).toMatchObject({ code: 'empty', lump });
  });

  it('with a record that is cut, or a lump outside the file', () => {
    const cut = map.slice();
    new DataView(cut.buffer).setInt32(12 + 8 * 4, lumpAt(map, 'nodes').length - 1, true);
    expect(bspError(() => readQuake2(cut))).toMatchObject({ code: 'lump-size', lump: 'nodes' });
    const far = map.slice();
    new DataView(far.buffer).setInt32(8 + 8 * 4, map.length, true);
    expect(bspError(() => readQuake2(far))).toMatchObject({ code: 'lump-range', lump: 'nodes' });
    expect(bspError(() => readQuake2(map.subarray(0, 100)))).toMatchObject({ code: 'truncated' });
  });

  it('of another version or game, with what it is', () => {
    const other = map.slice();
    other[4] = 39;
    expect(bspError(() => readQuake2(other))).toMatchObject({ code: 'version' });
    expect(bspError(() => readQuake2(arenaQuake3())).message).toMatch(
      /a map of Quake 3 \(IBSP 46\), not .*; the bspkit package opens maps of every format$/,
    );
    expect(bspError(() => readQuake2(new Uint8Array(99)))).toMatchObject({ code: 'magic' });
  });

  it('with sets that lie outside their lump, or have too few rows', () => {
    const row = withNumber(rooms, 'visibility', 4, 1 << 20);
    expect(bspError(() => readQuake2(row))).toMatchObject({ code: 'index', lump: 'visibility', index: 0 });
    // The last row, what the last cluster hears, becomes a run of zeros without its count.
    const cut = withNumber(rooms, 'visibility', 30, 0x00070707);
    expect(bspError(() => readQuake2(cut))).toMatchObject({
      ...{ code: 'index', lump: 'visibility', index: 2 },
      message: expect.stringMatching(/row at byte \d+ runs past the lump/),
    });
    const few = withNumber(rooms, 'visibility', 0, 2);
    expect(bspError(() => readQuake2(few))).toMatchObject({ code: 'lump-size', lump: 'visibility' });
    const most = withNumber(rooms, 'visibility', 0, 0x7fffffff);
    expect(bspError(() => readQuake2(most))).toMatchObject({ code: 'lump-size', lump: 'visibility' });
  });

  it('with a cycle of nodes that no model has, which nothing but `headVisible` walks', () => {
    const { offset, length } = lumpAt(map, 'nodes');
    const node = length / 28;
    const nodes = new Uint8Array(length + 28);
    nodes.set(map.subarray(offset, offset + length));
    const withOrphan = (child: number): Uint8Array => {
      new DataView(nodes.buffer).setInt32(length + 4, child, true);
      return withLump(map, 'nodes', nodes);
    };
    expect(createQuake2World(readQuake2(withOrphan(0))).headVisible(node, -1)).toBe(false);
    expect(bspError(() => readQuake2(withOrphan(node)))).toMatchObject({ code: 'cycle', index: node });
  });

  it('with areas or portals that are not there', () => {
    const area = withNumber(rooms, 'areaPortals', 8 + 4, 9);
    expect(bspError(() => readQuake2(area))).toMatchObject({ code: 'index', lump: 'areaPortals', index: 1 });
    const portal = withNumber(rooms, 'areaPortals', 8, -1);
    expect(bspError(() => readQuake2(portal))).toMatchObject({ lump: 'areaPortals', index: 1 });
    const range = withNumber(rooms, 'areas', 8, 1000);
    expect(bspError(() => readQuake2(range))).toMatchObject({ lump: 'areas', index: 1 });
  });
});
