import { inspect } from 'node:util';
import type { BspError } from '@bspkit/core';
import { arenaQuake1 } from '@bspkit/fixtures';
import { bspError } from '@bspkit/testkit/refusals';
import { expectSame } from '@bspkit/testkit/same';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../src/check.ts';
import {
  brushList,
  createQuake1World,
  type Quake1File,
  type Quake1Version,
  Quake1World,
  readQuake1,
} from '../src/index.ts';
import { across, type MadeTree, makeFile, roomFile, solidBox } from './make.ts';
import { assemble, writeQuake1 } from './writer.ts';

const VERSIONS: readonly Quake1Version[] = [29, 30, 'BSP2', '2PSB'];
const bytes = writeQuake1(roomFile(), 29);

/** The error for reading a room with some of its parts changed. */
const broken = (changes: Partial<Quake1File>): BspError =>
  bspError(() => readQuake1(writeQuake1({ ...roomFile(), ...changes }, 29)));

/** The error for reading the room with one 32-bit number of its bytes changed. */
function patched(offset: number, value: number, from = bytes): BspError {
  const copy = new Uint8Array(from);
  new DataView(copy.buffer).setInt32(offset, value, true);
  return bspError(() => readQuake1(copy));
}

/** A copy of numbers with one changed. */
function changed<A extends Int32Array | Float32Array>(numbers: A, index: number, value: number): A {
  const copy = numbers.slice() as A;
  copy[index] = value;
  return copy;
}

/** The room with numbers that change from place to place, in each part of the file that has any. */
function filledFile(version: Quake1Version): Quake1File {
  const file = roomFile(version);
  let last = 0;
  /** Numbers that go on from those of the list before, in steps that the version can hold. */
  const fill = (length: number, step = 1): Float32Array =>
    Float32Array.from({ length }, () => step * (++last % 1000) + 1);
  const ints = (length: number, most: number, first = 0): Int32Array =>
    Int32Array.from({ length }, (_, k) => first + ((k * 7 + ++last) % (most - first)));
  const bounds = (count: number): { mins: Float32Array; maxs: Float32Array } => {
    const step = version === 'BSP2' ? 0.5 : -1;
    return { mins: fill(3 * count, step), maxs: fill(3 * count, step) };
  };
  const { nodes, leafs, planes } = file;
  const numFaces = 9;
  const numEdges = 20;
  return {
    ...file,
    nodes: {
      ...nodes,
      ...bounds(nodes.count),
      firstFaces: ints(nodes.count, 4),
      numFaces: ints(nodes.count, 5),
    },
    leafs: {
      ...{ ...leafs, ...bounds(leafs.count), visOffsets: ints(leafs.count, 99) },
      ...{ firstMarkSurfaces: ints(leafs.count, 4), numMarkSurfaces: ints(leafs.count, 6) },
    },
    vertexes: { count: 11, positions: fill(33, 0.25) },
    texInfos: { count: 3, vectors: fill(24, 0.25), textures: ints(3, 5), flags: ints(3, 99) },
    faces: {
      ...{ count: numFaces, planes: ints(numFaces, planes.count), sides: ints(numFaces, 2) },
      ...{ firstEdges: ints(numFaces, 6), numEdges: ints(numFaces, 5), texInfos: ints(numFaces, 3) },
      styles: Uint8Array.from({ length: 4 * numFaces }, (_, k) => k),
      lightOffsets: ints(numFaces, 99),
    },
    markSurfaces: ints(10, numFaces),
    edges: ints(2 * numEdges, 11),
    surfEdges: ints(12, numEdges, -numEdges + 1),
  };
}

/** Where a lump's directory entry is. */
const entry = (lump: number): number => 4 + 8 * lump;

describe('readQuake1', () => {
  it.each(VERSIONS)('reads version %s and returns what was written', (version) => {
    const file = readQuake1(writeQuake1(roomFile(version), version));
    const { lumps, ...read } = file;
    const { lumps: _, entities, ...made } = roomFile(version);
    expect(read).toMatchObject({ ...made, entities });
    expect(lumps.models).toHaveLength(128);
  });

  it.each(VERSIONS)('reads each number of version %s from its own place', (version) => {
    const file = filledFile(version);
    const { nodes, leafs, faces, texInfos, ...read } = readQuake1(writeQuake1(file, version));
    for (const [records, made] of [
      [nodes, file.nodes],
      [leafs, file.leafs],
      [faces, file.faces],
      [texInfos, file.texInfos],
    ] as const) {
      expect(records).toEqual(made);
    }
    const { vertexes, edges, surfEdges, markSurfaces, models, planes } = file;
    expect(read).toMatchObject({ vertexes, edges, surfEdges, markSurfaces, models, planes });
  });

  it('takes contents of leafs that fit into six bits', () => {
    const { leafs } = roomFile();
    const open = (contents: number): Partial<Quake1File> => ({
      leafs: { ...leafs, contents: leafs.contents.map((old) => (old === -1 ? contents : old)) },
    });
    const file = readQuake1(writeQuake1({ ...roomFile(), ...open(-63) }, 29));
    expect(createQuake1World(file).contents([40, 0, 0])).toBe(-63);
    expect(broken(open(-64))).toMatchObject({ code: 'value', lump: 'leafs' });
    expect(broken(open(0))).toMatchObject({ code: 'value', lump: 'leafs' });
  });

  it('recognises files of other kinds and versions', () => {
    expect(bspError(() => readQuake1(new Uint8Array(0)))).toMatchObject({ code: 'magic', format: 'quake1' });
    expect(bspError(() => readQuake1(Uint8Array.of(1, 2)))).toMatchObject({ code: 'magic' });
    expect(bspError(() => readQuake1(assemble(28, [])))).toMatchObject({ code: 'version' });
    expect(bspError(() => readQuake1(bytes.subarray(0, 100)))).toMatchObject({ code: 'truncated' });
    const foreign = Uint8Array.of(...new TextEncoder().encode('IBSP'), 78, 0, 0, 0);
    expect(bspError(() => readQuake1(foreign)).message).toBe(
      'quake1: the file is a map of UFO:AI (IBSP 78), not a Quake 1 map (BSP 29, BSP2, 2PSB, or BSP 30 of Half-Life); ' +
        'the bspkit package opens maps of every format',
    );
    const archive = new TextEncoder().encode('PACK....');
    expect(bspError(() => readQuake1(archive)).message).toMatch(/a Quake pak archive.*; unpack it/);
  });

  it.each([1, 4])('recognises maps of Hexen II by the size of their models: %d of them', (count) => {
    // The arena with models of eight hulls, the other models without faces. Four of them are as long as five of Quake's.
    const map = arenaQuake1();
    const view = new DataView(map.buffer, map.byteOffset);
    const at = view.getInt32(entry(14), true);
    const models = new Uint8Array(80 * count);
    for (let k = 0; k < count; k++) models.set(map.subarray(at, at + 52), 80 * k);
    new DataView(models.buffer).setInt32(76, readQuake1(map).faces.count, true);
    const file = new Uint8Array(map.length + models.length);
    file.set(map);
    file.set(models, map.length);
    new DataView(file.buffer).setInt32(entry(14), map.length, true);
    new DataView(file.buffer).setInt32(entry(14) + 4, models.length, true);
    const { code, message } = bspError(() => readQuake1(file));
    expect(code).toBe('version');
    expect(message).toContain('models: are of Hexen II, which is not supported');
  });

  it('takes bytes in any kind of buffer, and nothing else', () => {
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    const odd = new Uint8Array(bytes.length + 1);
    odd.set(bytes, 1);
    for (const held of [bytes.slice().buffer, shared, Buffer.from(bytes), odd.subarray(1)]) {
      const { visibility: _, lighting: __, lumps: ___, ...file } = readQuake1(held);
      expect(readQuake1(bytes)).toMatchObject(file);
    }
    expect(() => readQuake1([29] as unknown as Uint8Array)).toThrow(TypeError);
    expect(() => readQuake1(undefined as unknown as Uint8Array)).toThrow(/bytes must be/);
  });

  it('checks where lumps lie and that their records are whole', () => {
    expect(patched(entry(1), bytes.length)).toMatchObject({ code: 'lump-range', lump: 'planes' });
    expect(patched(entry(5) + 4, -24)).toMatchObject({ code: 'lump-range', lump: 'nodes' });
    expect(patched(entry(10) + 4, 29)).toMatchObject({ code: 'lump-size', lump: 'leafs' });
    for (const lump of [1, 5, 10, 14]) expect(patched(entry(lump) + 4, 0)).toMatchObject({ code: 'empty' });
  });

  it('checks every index between lumps', () => {
    const { nodes, clipNodes, models, leafs } = roomFile();
    const withChild = (child: number): Int32Array => changed(clipNodes.children, 0, child);
    expect(broken({ nodes: { ...nodes, children: changed(nodes.children, 0, -30000) } }).message).toContain(
      'leaf 29999',
    );
    expect(broken({ nodes: { ...nodes, children: changed(nodes.children, 1, 999) } })).toMatchObject({
      code: 'index',
      lump: 'nodes',
      index: 0,
    });
    expect(broken({ nodes: { ...nodes, planes: changed(nodes.planes, 2, 99999) } })).toMatchObject({
      code: 'index',
      index: 2,
    });
    // -16 is not contents, so it is node number 65520, which does not exist.
    expect(broken({ clipNodes: { ...clipNodes, children: withChild(-16) } }).message).toContain(
      'child 65520',
    );
    expect(broken({ clipNodes: { ...clipNodes, children: withChild(500) } })).toMatchObject({
      lump: 'clipNodes',
    });
    const wide = { ...roomFile(), clipNodes: { ...clipNodes, children: withChild(-16) } };
    expect(bspError(() => readQuake1(writeQuake1(wide, 'BSP2'))).message).toContain('contents -16');
    const head = { ...models[0]!, heads: Int32Array.of(0, 77, 0, 0) };
    expect(broken({ models: [head] })).toMatchObject({ code: 'index', lump: 'models' });
    expect(broken({ models: [{ ...models[0]!, numVisLeafs: 50 }] })).toMatchObject({ lump: 'models' });
    expect(broken({ models: [{ ...models[0]!, firstFace: -1 }] })).toMatchObject({ lump: 'models' });
    expect(broken({ leafs: { ...leafs, contents: changed(leafs.contents, 1, 3) } })).toMatchObject({
      code: 'value',
    });
    expect(
      broken({ leafs: { ...leafs, numMarkSurfaces: changed(leafs.numMarkSurfaces, 1, 3) } }),
    ).toMatchObject({
      code: 'index',
      lump: 'leafs',
      index: 1,
    });
    expect(broken({ surfEdges: Int32Array.of(0) })).toMatchObject({ lump: 'surfEdges' });
    expect(broken({ edges: Int32Array.of(0, 1) })).toMatchObject({ lump: 'edges', index: 0 });
    expect(broken({ markSurfaces: Int32Array.of(5) })).toMatchObject({ lump: 'markSurfaces' });
  });

  it('checks numbers', () => {
    const { planes, models } = roomFile();
    const nan = { ...planes, normals: changed(planes.normals, 4, Number.NaN) };
    expect(broken({ planes: nan })).toMatchObject({ code: 'value', lump: 'planes', index: 1 });
    expect(broken({ planes: { ...planes, types: changed(planes.types, 3, -1) } })).toMatchObject({
      index: 3,
    });
    const far = { ...models[0]!, mins: Float32Array.of(0, 0, Number.POSITIVE_INFINITY) };
    expect(broken({ models: [far] })).toMatchObject({ code: 'value', lump: 'models' });
  });

  it('refuses trees with a cycle, and trees too deep', () => {
    const { nodes, clipNodes } = roomFile();
    expect(broken({ nodes: { ...nodes, children: changed(nodes.children, 3, 0) } })).toMatchObject({
      code: 'cycle',
      lump: 'nodes',
    });
    expect(
      broken({ clipNodes: { ...clipNodes, children: changed(clipNodes.children, 1, 0) } }),
    ).toMatchObject({
      code: 'cycle',
      lump: 'clipNodes',
    });
    let deep: MadeTree = -1;
    for (let k = 0; k < 2049; k++) deep = { plane: across(0, k), front: deep, back: -2 };
    expect(bspError(() => readQuake1(writeQuake1(makeFile([{ nodes: deep }]), 29)))).toMatchObject({
      code: 'limit',
    });
  });

  it('takes more models than fit on a stack', () => {
    const file = roomFile();
    const models = Array.from({ length: 70_000 }, () => file.models[0]!);
    expect(createQuake1World({ ...file, models }).numModels).toBe(69_999);
  });

  it('takes branches shared by several nodes, as some compilers write them', () => {
    const file = roomFile();
    const { children, ...rest } = file.clipNodes;
    // Node 0's front becomes the same as node 1's front.
    const shared = { ...file, clipNodes: { ...rest, children: changed(children, 0, 2) } };
    expect(() => createQuake1World(readQuake1(writeQuake1(shared, 30)))).not.toThrow();
  });

  it('checks that visibility rows end within their lump', () => {
    const { leafs, models } = roomFile();
    const { numVisLeafs } = models[0]!;
    const rows = (visibility: number[], offset: number): Quake1File => ({
      ...roomFile(),
      visibility: Uint8Array.from(visibility),
      leafs: {
        ...leafs,
        visOffsets: leafs.visOffsets.map((none, leaf) => (leaf === numVisLeafs ? offset : none)),
      },
    });
    const read = (file: Quake1File): BspError => bspError(() => readQuake1(writeQuake1(file, 29)));
    expect(read(rows([0], 0))).toMatchObject({ code: 'truncated', lump: 'visibility' });
    expect(read(rows([1], 1))).toMatchObject({ code: 'index', lump: 'leafs' });
    expect(read(rows([1], -2))).toMatchObject({ code: 'index', lump: 'leafs' });
    // A run that continues beyond the row is allowed, and does no harm.
    const world = createQuake1World(readQuake1(writeQuake1(rows([0, 255], 0), 29)));
    expect(world.visible(numVisLeafs, 1)).toBe(false);
    // And so are a few runs of length 0, but not so many that looking for a bit takes as long as the lump.
    const empty = (runs: number): Quake1File => rows([...new Array<number>(2 * runs).fill(0), 255, 255], 0);
    const late = createQuake1World(readQuake1(writeQuake1(empty(16), 29)));
    expect(late.visible(numVisLeafs, 1)).toBe(true);
    expect(read(empty(17))).toMatchObject({ code: 'truncated', lump: 'visibility' });
  });

  it('ignores the offsets of leafs without a row: leaf 0, and those of inline models', () => {
    const tree = { plane: across(0, 0), front: -1, back: -2 };
    const file = { ...makeFile([{ nodes: tree }, { nodes: tree }]), visibility: Uint8Array.of(1) };
    const visOffsets = Int32Array.of(99, 0, -7);
    const read = readQuake1(writeQuake1({ ...file, leafs: { ...file.leafs, visOffsets } }, 29));
    expect([read.leafs.visOffsets, read.models[0]!.numVisLeafs]).toEqual([visOffsets, 1]);
  });

  it('checks rows that share bytes without reading the bytes again for each row', () => {
    // Every leaf's row begins one byte after that of the one before last.
    const count = 2000;
    let reads = 0;
    const visibility = new Proxy(new Uint8Array(count).fill(1), {
      get(rows, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return Reflect.get(rows, key, rows);
      },
    });
    const { lumps } = readQuake1(writeQuake1(roomFile(), 29));
    checkFile({
      ...roomFile(),
      lumps,
      visibility,
      leafs: {
        count,
        contents: new Int32Array(count).fill(-1).fill(-2, 0, 1),
        visOffsets: Int32Array.from({ length: count }, (_, k) => k >> 1),
        mins: new Float32Array(3 * count),
        maxs: new Float32Array(3 * count),
        firstMarkSurfaces: new Int32Array(count),
        numMarkSurfaces: new Int32Array(count),
      },
      models: [{ ...roomFile().models[0]!, numVisLeafs: count - 1 }],
    });
    expect(reads).toBeGreaterThanOrEqual(count);
    expect(reads).toBeLessThan(3 * count);
  });

  it('reads nodes above 32767 where a child is neither contents nor a leaf', () => {
    // Node 0 in front of 40,000 others, whose numbers do not fit into 15 bits. -2 is solid, or leaf 1.
    const count = 40_000;
    const file = roomFile();
    const children = new Int32Array(2 * count).fill(-2);
    children[0] = count - 1;
    const planes = new Int32Array(count);
    const [boxes, none] = [new Float32Array(3 * count), new Int32Array(count)];
    const heads = Int32Array.of(0, 0, 0, 0);
    const many = {
      ...file,
      nodes: { count, planes, children, mins: boxes, maxs: boxes, firstFaces: none, numFaces: none },
      clipNodes: { count, planes, children },
      models: file.models.map((model) => ({ ...model, heads })),
    };
    const { nodes, clipNodes } = readQuake1(writeQuake1(many, 29));
    expectSame(nodes.children, children);
    expectSame(clipNodes.children, children);
  });

  it('finds planes and entities in either order in Half-Life maps', () => {
    const swapped = writeQuake1(roomFile(30), 30);
    const view = new DataView(swapped.buffer);
    for (const k of [0, 4]) {
      const [first, second] = [view.getInt32(entry(0) + k, true), view.getInt32(entry(1) + k, true)];
      view.setInt32(entry(0) + k, second, true);
      view.setInt32(entry(1) + k, first, true);
    }
    const file = readQuake1(swapped);
    expect(file).toMatchObject({ entities: roomFile().entities, planes: roomFile(30).planes });
    // So that a program that writes them again, with others among them, writes a map of the same game.
    expect(Object.keys(file.lumps).slice(0, 3)).toEqual(['planes', 'entities', 'textures']);
  });

  it('recognises planes in Half-Life maps, whatever their first byte', () => {
    const file = roomFile(30);
    const normals = file.planes.normals.slice();
    // The beginning of a text: a brace.
    new Uint8Array(normals.buffer)[0] = 0x7b;
    const changed = { ...file, planes: { ...file.planes, normals } };
    expect(readQuake1(writeQuake1(changed, 30))).toMatchObject({
      entities: file.entities,
      planes: changed.planes,
    });
  });

  it('reads texture names, and leaves out those that are missing', () => {
    const named = { name: '*water1', width: 64, height: 32 };
    const textures = [{ ...named, bytes: new Uint8Array(0) }, undefined];
    const read = readQuake1(writeQuake1({ ...roomFile(), textures }, 29)).textures;
    expect([read.length, read[1]]).toEqual([2, undefined]);
    expect(read[0]).toMatchObject(named);
    const file = writeQuake1({ ...roomFile(), textures }, 29);
    const at = new DataView(file.buffer).getInt32(entry(2), true);
    expect(patched(at, 1000, file)).toMatchObject({ code: 'truncated', lump: 'textures' });
    expect(patched(at + 4, 1 << 20, file)).toMatchObject({ code: 'index', lump: 'textures', index: 0 });
  });
});

describe('BSPX', () => {
  /** One model of one brush with one plane that is not axial. */
  function brushes(version = 1): Uint8Array {
    const out = new DataView(new ArrayBuffer(16 + 28 + 16));
    for (const [k, n] of [version, 0, 1, 1].entries()) out.setInt32(4 * k, n, true);
    for (const [k, n] of [-1, -2, -3, 1, 2, 3].entries()) out.setFloat32(16 + 4 * k, n, true);
    out.setInt16(40, -2, true);
    out.setUint16(42, 1, true);
    for (const [k, n] of [0.6, 0.8, 0, 1].entries()) out.setFloat32(44 + 4 * k, n, true);
    return new Uint8Array(out.buffer);
  }

  it('keeps the directory and reads the brushes', () => {
    const file = readQuake1(
      writeQuake1(roomFile(), 29, { RGBLIGHTING: Uint8Array.of(1, 2, 3), BRUSHLIST: brushes() }),
    );
    expect(file.extensions.map(({ name, bytes: { length } }) => [name, length])).toEqual([
      ['RGBLIGHTING', 3],
      ['BRUSHLIST', 60],
    ]);
    expect(brushList(file)).toEqual([
      {
        model: 0,
        brushes: [
          {
            contents: -2,
            mins: Float32Array.of(-1, -2, -3),
            maxs: Float32Array.of(1, 2, 3),
            planes: Float32Array.of(0.6, 0.8, 0, 1),
          },
        ],
      },
    ]);
  });

  it('has no brushes if there are none, or in an unknown version', () => {
    expect(readQuake1(bytes).extensions).toEqual([]);
    expect(brushList(readQuake1(bytes))).toBeUndefined();
    expect(brushList(readQuake1(writeQuake1(roomFile(), 29, { BRUSHLIST: brushes(2) })))).toBeUndefined();
  });

  it('checks both', () => {
    const cut = writeQuake1(roomFile(), 29, { BRUSHLIST: brushes().subarray(0, 50) });
    expect(bspError(() => brushList(readQuake1(cut)))).toMatchObject({
      code: 'truncated',
      lump: 'BRUSHLIST',
    });
    const whole = writeQuake1(roomFile(), 29, { BRUSHLIST: brushes() });
    const at = (bytes.length + 3) & ~3;
    expect(patched(at + 4, 3, whole)).toMatchObject({ code: 'truncated', lump: 'BSPX' });
    expect(patched(at + 36, 999, whole)).toMatchObject({ code: 'lump-range', lump: 'BRUSHLIST' });
  });
});

describe('world data', () => {
  it('opens elsewhere with the same answers, shared or not', () => {
    for (const shared of [false, true]) {
      const world = createQuake1World(roomFile(), { shared });
      expect(world.data instanceof SharedArrayBuffer).toBe(shared);
      const opened = Quake1World.from(world.data);
      expect(opened.data).toBe(world.data);
      const move = [
        [40, 40, 0],
        [100, 30, 20],
      ] as const;
      expect(opened.hull(1).trace(...move)).toEqual(world.hull(1).trace(...move));
      expect(opened.entities()).toEqual(world.entities());
      expect(opened.textureNames()).toEqual(world.textureNames());
      expect(opened.version).toBe(29);
    }
  });

  it('reads entities and names of textures once, and keeps them', () => {
    const entities = '{\n"classname" "worldspawn"\n"message" "caf\xe9"\n}';
    const bytes = new Uint8Array(0);
    const textures = [
      { name: '*water1', width: 64, height: 32, bytes },
      undefined,
      { name: 'wall', width: 8, height: 8, bytes },
    ];
    const world = createQuake1World({ ...roomFile(), entities, textures });
    expect(world.entities()).toEqual([{ classname: 'worldspawn', message: 'caf\xe9' }]);
    expect(world.entities()).toBe(world.entities());
    expect(world.textureNames()).toEqual(['*water1', '', 'wall']);
    expect(world.textureNames()).toBe(world.textureNames());
    expect(createQuake1World(roomFile()).textureNames()).toEqual([]);
  });

  it('is printed on one line', () => {
    expect(inspect(createQuake1World(roomFile()))).toBe('Quake1World { BSP 29, 13 leafs, 1 model, 3 hulls }');
    expect(inspect(createQuake1World(roomFile()).model(1))).toBe('Quake1Model { *1 }');
  });

  it('refuses unknown options', () => {
    expect(() => createQuake1World(roomFile(), { share: true } as object)).toThrow(/no option 'share'/);
  });

  it.each(VERSIONS)('remembers version %s', (version) => {
    expect(createQuake1World(roomFile(version)).version).toBe(version);
  });

  it('is checked when it is opened', () => {
    const { data } = createQuake1World(roomFile());
    const open = (change: (words: Int32Array) => void): BspError => {
      const copy = data.slice(0);
      change(new Int32Array(copy));
      return bspError(() => Quake1World.from(copy));
    };
    expect(open((words) => words.fill(0, 0, 1))).toMatchObject({ code: 'magic' });
    expect(open((words) => words.fill(9, 1, 2))).toMatchObject({ code: 'version' });
    expect(open((words) => words.fill(17, 3, 4))).toMatchObject({ code: 'version' });
    expect(open((words) => words.fill(1 << 28, 10, 11))).toMatchObject({ code: 'lump-range' });
    expect(bspError(() => Quake1World.from(data.slice(0, -4)))).toMatchObject({ code: 'truncated' });
    expect(bspError(() => Quake1World.from(new ArrayBuffer(6)))).toMatchObject({ code: 'truncated' });
  });

  it('is small: at most half as large again as the lumps it comes from', () => {
    const file = readQuake1(writeQuake1(makeFile([{ nodes: solidBox([0, 0, 0], [1, 1, 1]) }]), 29));
    expect(createQuake1World(file).data.byteLength).toBeLessThan(1000);
  });
});
