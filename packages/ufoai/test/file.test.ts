import { houseUfoai } from '@bspkit/fixtures';
import { bspError } from '@bspkit/testkit/refusals';
import { describe, expect, it } from 'vitest';
import { createUfoaiWorld, readUfoai, UfoaiWorld } from '../src/index.ts';
import { type LumpName, lumpAt, withEntry, withFloat, withNumber } from './broken.ts';
import { MapBuilder, type MapSpec, writeMap } from './writer.ts';

function twoBoxes(change: Partial<MapSpec> = {}, model = 1): Uint8Array {
  const builder = new MapBuilder();
  const a = builder.box([0, 0, 0, 32, 32, 32], 0x101);
  const b = builder.box([64, 0, 0, 96, 32, 32], 0x101);
  const models = { [model]: MapBuilder.union([a, b], [0, 0, 0, 96, 32, 32]) };
  return writeMap({ ...builder, models, entities: '{\n"classname" "worldspawn"\n}', ...change });
}

const map = twoBoxes();

describe('reading', () => {
  it('takes versions 78 and 79, which read the same', () => {
    const [one, two] = [readUfoai(twoBoxes({ version: 78 })), readUfoai(map)];
    expect([one.version, two.version]).toEqual([78, 79]);
    expect({ ...one, version: 79 }).toEqual(two);
  });

  it('returns what the lumps contain', () => {
    const file = readUfoai(map);
    expect(file.planes.count).toBe(24);
    expect(file.brushes.count).toBe(2);
    expect([...file.brushes.contents]).toEqual([0x101, 0x101]);
    expect([...file.nodes.planes].filter((plane) => plane === -1)).toHaveLength(1);
    expect(file.models).toHaveLength(259);
    expect(file.models.filter((model) => model.headNode >= 0)).toHaveLength(1);
    expect(file.textures.map((texture) => [texture.name, texture.surfaceFlags])).toEqual([
      ['test/texture0', 0x80],
      ['test/texture1', 0x100],
    ]);
    expect([...file.routing.mins, ...file.routing.maxs]).toEqual([112, 112, 0, 143, 143, 7]);
    expect(file.entities).toContain('worldspawn');
  });

  it('reads each number of a record from its own place', () => {
    let bytes = houseUfoai();
    const { nodes: tree, models: heads } = readUfoai(bytes);
    const children = [...tree.children.subarray(2, 4)];
    const { headNode } = heads[1]!;
    const floats = [-1.5, -2.5, -3.5, 4.5, 5.5, 6.5];
    const shorts = [-31, -32, -33, 34, 35, 36];
    /** Changes numbers of the second record of a lump, from a byte of it on. */
    const put = (lump: LumpName, record: number, at: number, size: 2 | 4, ...numbers: number[]): void => {
      for (const [k, number] of numbers.entries()) {
        bytes = withNumber(bytes, lump, record + at + size * k, number, size);
      }
    };
    for (const [k, value] of floats.entries()) bytes = withFloat(bytes, 'models', 48 + 4 * k, value);
    put('models', 48, 36, 4, headNode, 1, 2);
    put('nodes', 28, 0, 4, 2, ...children);
    put('nodes', 28, 12, 2, ...shorts);
    put('leafs', 24, 0, 4, 3);
    put('leafs', 24, 6, 2, ...shorts, 4, 5);
    put('brushes', 12, 0, 4, 6, 7, 9);
    put('sides', 4, 0, 2, 5, 1);
    put('texinfo', 72, 32, 4, 17, 18);
    const { nodes, leafs, brushes, sides, models, textures } = readUfoai(bytes);
    const second = [nodes, leafs, brushes, sides].map(({ count, ...columns }) =>
      Object.fromEntries(
        Object.entries(columns).map(([name, column]) => {
          const width = column.length / count;
          return [name, [...column.subarray(width, 2 * width)]];
        }),
      ),
    );
    const bounds = { mins: shorts.slice(0, 3), maxs: shorts.slice(3) };
    expect(second).toEqual([
      { planes: [2], children, ...bounds },
      { contents: [3], ...bounds, firstBrushes: [4], numBrushes: [5] },
      { firstSides: [6], numSides: [7], contents: [9] },
      { planes: [5], textures: [1] },
    ]);
    const { mins, maxs, ...numbers } = models[1]!;
    expect([...mins, ...maxs]).toEqual(floats);
    expect(numbers).toEqual({ headNode, firstFace: 1, numFaces: 2 });
    expect(textures[1]).toMatchObject({ surfaceFlags: 17, value: 18 });
  });

  it('reads the same from a Buffer inside a larger one, at an odd offset', () => {
    const large = Buffer.alloc(map.length + 7);
    large.set(map, 3);
    expect(readUfoai(large.subarray(3, 3 + map.length)).planes).toEqual(readUfoai(map).planes);
  });

  it('reads what the compiler made', () => {
    const file = readUfoai(houseUfoai());
    expect(file.version).toBe(78);
    expect(file.models.length).toBe(262);
  });
});

describe('a broken map is refused with a BspError', () => {
  const nodes = readUfoai(map).nodes.count;
  // The writer puts the union node first.
  const cases: [name: string, bytes: () => Uint8Array, code: string, says: RegExp][] = [
    [
      'nothing',
      () => new Uint8Array(0),
      'magic',
      /ufoai: the file is empty, not a UFO:AI map \(IBSP 78 or 79\); read or fetch the file again/,
    ],
    ['another format', () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 'magic', /begins with bytes 01 02 03 04/],
    [
      'another version',
      () => twoBoxes({ version: 46 }),
      'version',
      /is a map of Quake 3 \(IBSP 46\), not a UFO:AI map.*the bspkit package opens maps of every format/,
    ],
    ['a header cut short', () => map.slice(0, 100), 'truncated', /needs 144 bytes/],
    ['a lump out of the file', () => withEntry(map, 'nodes', { offset: 1 << 28 }), 'lump-range', /nodes/],
    ['a lump of negative length', () => withEntry(map, 'nodes', { length: -28 }), 'lump-range', /nodes/],
    ['half a record', () => withEntry(map, 'sides', { length: 6 }), 'lump-size', /sides.*multiple of 4/],
    ['no planes', () => withEntry(map, 'planes', { length: 0 }), 'empty', /planes/],
    ['a plane that is not a number', () => withFloat(map, 'planes', 0, Number.NaN), 'value', /planes 0.*NaN/],
    [
      'a plane without direction',
      () => withFloat(map, 'planes', 0, 0),
      'value',
      /planes 0: normal 0 0 0 has length 0/,
    ],
    ['a plane far away', () => withFloat(map, 'planes', 12, 1e5), 'value', /planes 0: distance/],
    ['a plane of no type', () => withNumber(map, 'planes', 16, 6), 'value', /planes 0: type 6/],
    [
      'a node of no plane',
      () => withNumber(map, 'nodes', 28, 99),
      'index',
      /nodes 1: plane 99 is not in 0\.\.23/,
    ],
    ['a child out of range', () => withNumber(map, 'nodes', 32, nodes), 'index', /nodes 1: child/],
    ['a leaf out of range', () => withNumber(map, 'nodes', 32, -5000), 'index', /nodes 1: leaf 4999/],
    ['a union of leafs', () => withNumber(map, 'nodes', 4, -1), 'index', /nodes 0: is a union node/],
    ['a union under a plane', () => withNumber(map, 'nodes', 28 + 4, 0), 'index', /nodes 1: is a plane node/],
    ['a tree that bites its tail', () => withNumber(map, 'nodes', 2 * 28 + 8, 1), 'cycle', /nodes 1/],
    [
      'a head out of range',
      () => withNumber(map, 'models', 48 + 36, nodes + 6),
      'index',
      /models 1: head node/,
    ],
    [
      'a union node at the head of an inline model',
      () => twoBoxes({}, 260),
      'index',
      /models 260: is an inline model, but its head node 0 is a union node/,
    ],
    ['a head below -1', () => withNumber(map, 'models', 48 + 36, -2), 'index', /models 1/],
    [
      'bounds that are not numbers',
      () => withFloat(map, 'models', 0, Number.POSITIVE_INFINITY),
      'value',
      /models 0/,
    ],
    [
      'a leaf brush of no brush',
      () => withNumber(map, 'leafBrushes', 0, 9, 2),
      'index',
      /leafBrushes 0: brush 9/,
    ],
    [
      'a leaf with brushes out of range',
      () => withNumber(map, 'leafs', 2 * 24 + 20, 9, 2),
      'index',
      /leafs 2/,
    ],
    [
      'a first leaf that is not solid',
      () => withNumber(map, 'leafs', 0, 0),
      'value',
      /leafs 0: contents are 0/,
    ],
    ['sides out of range', () => withNumber(map, 'brushes', 4, 99), 'index', /brushes 0: sides 0 to 99/],
    ['a negative number of sides', () => withNumber(map, 'brushes', 4, -1), 'index', /brushes 0/],
    ['a side of no plane', () => withNumber(map, 'sides', 0, 24, 2), 'index', /sides 0: plane 24/],
    [
      'a side plane above 32767',
      () => withNumber(map, 'sides', 0, -32768, 2),
      'index',
      /sides 0: plane 32768/,
    ],
    ['a side of no texture', () => withNumber(map, 'sides', 2, 2, 2), 'index', /sides 0: texture 2/],
    ['entities that do not parse', () => withNumber(map, 'entities', 0, 0x22, 1), 'syntax', /entities/],
    ['routing cut short', () => withEntry(map, 'routing', { length: 9 }), 'truncated', /routing/],
    [
      'a routing run too long',
      () => withNumber(map, 'routing', 3, 0xff, 1),
      'value',
      /routing.*more than 12/,
    ],
    ['a routing block too short', () => withNumber(map, 'routing', 0, 0, 1), 'value', /routing.*0 of 12/],
    ['routing out of the world', () => withNumber(map, 'routing', 2, 0x7f, 1), 'value', /routing.*cell/],
  ];
  it.each(cases)('%s', (_, bytes, code, says) => {
    const error = bspError(() => readUfoai(bytes()));
    expect(error.code).toBe(code);
    expect(error.format).toBe('ufoai');
    expect(error.message).toMatch(says);
  });

  it('a map whose leafs all contain something', () => {
    let bytes = map;
    const { length } = lumpAt(map, 'leafs');
    for (let at = 24; at < length; at += 24) bytes = withNumber(bytes, 'leafs', at, 1);
    expect(bspError(() => readUfoai(bytes)).message).toMatch(/none is empty/);
  });

  it('a tree too deep to walk', () => {
    const builder = new MapBuilder();
    let tree = builder.box([0, 0, 0, 32, 32, 32], 1);
    for (let k = 0; k < 1100; k++) tree = { plane: 0, front: tree, back: { contents: 0, brushes: [] } };
    const error = bspError(() => readUfoai(writeMap({ ...builder, models: { 1: tree } })));
    expect([error.code, error.lump]).toEqual(['limit', 'nodes']);
  });
});

describe('a world', () => {
  const file = readUfoai(map);

  it('opens elsewhere from its data, copied or shared', () => {
    const world = createUfoaiWorld([{ file }, { file, x: 4, z: 1 }], { shared: true });
    expect(world.data).toBeInstanceOf(SharedArrayBuffer);
    const copy = new Uint8Array(world.data).slice().buffer;
    for (const data of [world.data, copy]) {
      const other = UfoaiWorld.from(data);
      expect(other.tiles).toEqual(world.tiles);
      expect(other.line().trace([16, 16, 64], [16, 16, 0])).toEqual(
        world.line().trace([16, 16, 64], [16, 16, 0]),
      );
    }
  });

  it('is refused when its data is damaged', () => {
    const { data } = createUfoaiWorld([{ file }]);
    const words = new Int32Array(data.slice(0));
    const damaged = (word: number, value: number): ArrayBuffer => {
      const copy = words.slice();
      copy[word] = value;
      return copy.buffer;
    };
    expect(bspError(() => UfoaiWorld.from(new ArrayBuffer(8))).code).toBe('truncated');
    expect(bspError(() => UfoaiWorld.from(damaged(0, 1))).code).toBe('magic');
    expect(bspError(() => UfoaiWorld.from(damaged(1, 99))).code).toBe('version');
    expect(bspError(() => UfoaiWorld.from(damaged(2, 5))).code).toBe('truncated');
    expect(bspError(() => UfoaiWorld.from(damaged(8, -1))).code).toBe('lump-range');
  });

  it('refuses tiles that cannot be placed', () => {
    expect(() => createUfoaiWorld([])).toThrow('tiles must be 1 to 64, got 0');
    expect(() => createUfoaiWorld(Array.from({ length: 65 }, () => ({ file })))).toThrow(RangeError);
    for (const offset of [{ x: 128 }, { y: -128 }, { z: 8 }, { z: -1 }, { x: 0.5 }]) {
      expect(() => createUfoaiWorld([{ file, ...offset }])).toThrow(RangeError);
    }
    expect(() => createUfoaiWorld([{ file }, { file, y: 200 }])).toThrow(
      /^maps\[1\]\.y must be a whole number .*, got 200$/,
    );
    expect(() => createUfoaiWorld([{ file }, null as never])).toThrow(
      'maps[1] must be { file, x, y, z }, with a map that readUfoai has read as file, got null',
    );
  });

  it('places tiles, and looks for boxes within the bounds of the routing', () => {
    const world = createUfoaiWorld([{ file }, { file, x: 4, y: -2, z: 1 }]);
    expect(world.tiles[1]).toMatchObject({ cell: [4, -2, 1], firstModel: 1, numModels: 0 });
    expect(Array.from(world.tiles[0]!.bounds.mins)).toEqual([-512, -512, 0]);
    expect(Array.from(world.tiles[0]!.bounds.maxs)).toEqual([512, 512, 512]);
    expect(Array.from(world.tiles[1]!.bounds.mins)).toEqual([-384, -576, 64]);
    const hit = world.line().trace([128 + 16, -64 + 16, 200], [128 + 16, -64 + 16, 0]);
    expect([hit.tile, ...hit.endPos]).toEqual([1, 144, -48, 96]);
  });
});
