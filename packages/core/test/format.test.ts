import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askedModel,
  BinaryReader,
  checkPlaces,
  columnPlaces,
  countValues,
  createChecks,
  createRecorder,
  defineReader,
  defineSections,
  describeBytes,
  float32Cell,
  floatCell,
  floatCells,
  ibspVersion,
  intCell,
  openFile,
  packTexts,
  printAsString,
  type Row,
  readFloats,
  readInts,
  STOP_COLUMNS,
  showShape,
  toBytes,
  unpackTexts,
  writeHit,
  writeStop,
} from '../src/format/index.ts';
import type { BspWorld } from '../src/index.ts';
import { BspError, type BspErrorCode, createTrace } from '../src/index.ts';

const codeOf = (work: () => unknown): BspErrorCode => {
  try {
    work();
  } catch (error) {
    if (error instanceof BspError) return error.code;
    throw error;
  }
  throw new Error('nothing was thrown');
};

const ascii = (text: string, ...rest: number[]): Uint8Array =>
  Uint8Array.from([...Array.from(text, (letter) => letter.charCodeAt(0)), ...rest]);

describe('a reader', () => {
  it('takes files that only have what all files have, and none of another format', () => {
    const file = { format: 'mine', version: 1, entities: '', stats: { count: 3, sizes: [1, 2] } };
    const reader = defineReader<typeof file, BspWorld>('mine', {
      read: () => file,
      createWorld: ([first]) => ({ format: first!.format }) as BspWorld,
      open: () => ({ format: 'mine' }) as BspWorld,
    });
    expect(reader.createWorld([file]).format).toBe('mine');
    for (const wrong of [{ ...file, format: 'other' }, { ...file, entities: () => [] }, undefined]) {
      expect(() => reader.createWorld([wrong as never])).toThrow('file must be a map that readBsp has read');
    }
  });

  it('names the version of a relative that it does not support', () => {
    const versionOf = (bytes: Uint8Array): number | undefined =>
      ibspVersion(bytes, 'RBSP') === 1 ? 1 : undefined;
    const open = (bytes: Uint8Array): unknown =>
      openFile(
        bytes,
        'mine',
        'a map of mine (RBSP 1)',
        8,
        versionOf,
        (file) => ibspVersion(file, 'RBSP') !== undefined,
      );
    const headed = (magic: string, version: number): Uint8Array =>
      Uint8Array.of(...[...magic].map((letter) => letter.charCodeAt(0)), version, 0, 0, 0);
    expect(() => open(headed('RBSP', 2))).toThrow(
      'the file is a map of version 2 (RBSP), not a map of mine (RBSP 1); other versions are not read',
    );
    expect(() => open(headed('IBSP', 46))).toThrow(
      'the file is a map of Quake 3 (IBSP 46), not a map of mine',
    );
    expect(open(headed('RBSP', 1))).toMatchObject({ version: 1 });
  });
});

describe('columns', () => {
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  for (const [record, at] of [0, 12].entries()) {
    view.setInt32(at, -7 - record, true);
    view.setUint16(at + 4, 0xfff0 + record, true);
    view.setInt16(at + 6, -1, true);
    view.setFloat32(at + 8, 0.5 + record, true);
  }
  const lump = new BinaryReader(bytes, 'test', 'things');

  it('are read field by field, as integers and as floats', () => {
    expect([...readInts(lump, 12, 0)]).toEqual([-7, -8]);
    expect([...readInts(lump, 12, 4, 1, 'u16')]).toEqual([0xfff0, 0xfff1]);
    expect([...readInts(lump, 12, 4, 2, 'i16')]).toEqual([-16, -1, -15, -1]);
    expect([...readFloats(lump, 12, 8)]).toEqual([0.5, 1.5]);
    expect(readFloats(lump, 12, 4, 2, 'i16')).toEqual(Float32Array.of(-16, -1, -15, -1));
  });

  it.each([0, 1, 2, 3])('are the same in a lump that begins %d bytes later, aligned or not', (shift) => {
    const file = new Uint8Array(24 + shift);
    file.set(bytes, shift);
    const moved = new BinaryReader(file, 'test').lump({ name: 'things', offset: shift, length: 24 });
    expect([...readInts(moved, 12, 0)]).toEqual([-7, -8]);
    expect([...readInts(moved, 12, 6, 1, 'i16')]).toEqual([-1, -1]);
    expect([...readFloats(moved, 12, 8)]).toEqual([0.5, 1.5]);
    const words = [0, 4, 8, 12, 16, 20].map((at) => view.getInt32(at, true));
    expect([...readInts(moved, 4, 0)]).toEqual(words);
    expect([...readInts(moved, 12, 0, 3)]).toEqual(words);
    expect([...readInts(moved, 2, 0, 1, 'u16')].slice(0, 4)).toEqual([0xfff9, 0xffff, 0xfff0, 0xffff]);
  });

  it('refuse an incomplete record', () => {
    expect(codeOf(() => readInts(lump, 7, 0))).toBe('lump-size');
  });
});

describe('checks', () => {
  const checks = createChecks<'nodes' | 'leafs'>('test');
  const full = new Uint8Array(1);

  it('name format, lump, record, and what they found', () => {
    expect(() => checks.filled({ nodes: full, leafs: new Uint8Array() }, ['nodes', 'leafs'])).toThrow(
      'test: leafs: is empty, but a map needs it',
    );
    expect(() => checks.finite('nodes', [0, 1, 2, Number.NaN], 2)).toThrow('test: nodes 1: holds NaN');
    expect(() => checks.indexes('nodes', 'plane', [0, 3, 4], 4)).toThrow('nodes 2: plane 4 is not in 0..3');
    expect(() => checks.indexes('nodes', 'plane', [0, -1], 4, 2)).toThrow('nodes 0: plane -1');
    expect(() => checks.index('nodes', 5, 'plane', 0, 0)).toThrow('nodes 5: plane 0, but there are none');
    expect(() => checks.ranges('leafs', 'faces', [0, 2], [2, 3], 4)).toThrow(
      'leafs 1: faces 2 to 5 are not within 0..4',
    );
    expect(codeOf(() => checks.range('leafs', 0, 'faces', 0, -1, 4))).toBe('index');
    checks.filled({ nodes: full, leafs: full }, ['nodes', 'leafs']);
    checks.finite('nodes', [1, -0], 1);
    checks.indexes('nodes', 'plane', [0, 3], 4);
    checks.ranges('leafs', 'faces', [0, 4], [4, 0], 4);
  });

  it('refuse numbers that are out of all proportion', () => {
    expect(() => checks.finite('nodes', [0, -(2 ** 25)], 1)).toThrow(
      'nodes 1: holds -33554432, which is not within',
    );
    expect(() => checks.finite('nodes', [Number.POSITIVE_INFINITY], 1)).toThrow(
      'which is not a finite number',
    );
    checks.finite('nodes', [-(2 ** 24), 2 ** 24], 1);
  });

  it('refuse normals that are not of unit length', () => {
    const unit = [0.6, 0, 0.8].map(Math.fround);
    checks.normals('nodes', [1, 0, 0, ...unit, 0, -1, 0]);
    expect(() => checks.normals('nodes', [1, 0, 0, 0.6, 0, 0.81])).toThrow(
      'nodes 1: normal 0.6 0 0.81 has length',
    );
    for (const odd of [0, 2, 1.00001, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(codeOf(() => checks.normals('nodes', [0, odd, 0]))).toBe('value');
    }
  });

  it('refuse records that together list far more than there is', () => {
    checks.owned('leafs', 'faces', [100, 0, 100], 100);
    checks.owned('leafs', 'faces', [16_384], 0);
    checks.owned('leafs', 'faces', new Int32Array(36).fill(1000), 5000);
    expect(() => checks.owned('leafs', 'faces', new Int32Array(37).fill(1000), 5000)).toThrow(
      'leafs: list 37000 faces, but there are only 5000: at most 4 times as many and 16384 more are accepted',
    );
    const ranges = (records: number): void =>
      checks.ranges('leafs', 'faces', new Int32Array(records), new Int32Array(records).fill(100), 100);
    ranges(160);
    expect(codeOf(() => ranges(1000))).toBe('limit');
  });

  it('refuse records too long for work that grows with the square of their length', () => {
    checks.squares('leafs', 'sides', [6, 8], 100);
    expect(() => checks.squares('leafs', 'sides', [6, 9], 100)).toThrow(
      'leafs: have too many sides each: the squares of their numbers make 117, and at most 100 is accepted',
    );
  });

  const depth = (children: number[], heads: number[], shared = false, most = 10): number =>
    checks.depth('nodes', Int32Array.from(children), heads, { most, shared });

  it('measure trees', () => {
    expect(depth([], [-1])).toBe(0);
    expect(depth([-1, -2], [0])).toBe(1);
    expect(depth([1, 2, -1, -1, 3, -1, -1, -1], [0])).toBe(3);
    expect(depth([-1, -1, -1, 3, -1, -1, -1, -1], [0, 1, 2])).toBe(2);
  });

  it('refuse cycles, and shared branches unless they are allowed', () => {
    expect(codeOf(() => depth([0, -1], [0]))).toBe('cycle');
    expect(codeOf(() => depth([1, -1, 0, -1], [0], true))).toBe('cycle');
    const diamond = [1, 2, 3, -1, -1, 3, -1, -1];
    expect(codeOf(() => depth(diamond, [0]))).toBe('cycle');
    expect(depth(diamond, [0], true)).toBe(3);
    expect(codeOf(() => depth([1, 1, -1, -1], [0]))).toBe('cycle');
    expect(depth([1, 1, -1, -1], [0, 1, 1], true)).toBe(2);
    // The lower one is met first on the stack, then again from above.
    expect(codeOf(() => depth([1, 2, 2, -1, -1, -1], [0]))).toBe('cycle');
    expect(codeOf(() => depth([-1, -1], [0, 0]))).toBe('cycle');
  });

  it('refuse trees that are too deep, however deep, without recursion', () => {
    const chain = Array.from({ length: 400_000 }, (_, k) => (k % 2 === 0 ? k / 2 + 1 : -1));
    chain[chain.length - 2] = -1;
    expect(codeOf(() => depth(chain, [0]))).toBe('limit');
    expect(depth(chain, [0], false, 200_000)).toBe(200_000);
  });
});

describe('trees of shared branches', () => {
  const checks = createChecks<'nodes'>('test');
  /** Both children of each node are the next node: 2^n ways down, and at the last node one for each of its ways. */
  const doubling = (levels: number): Int32Array =>
    Int32Array.from({ length: 2 * levels }, (_, k) => (k >> 1 < levels - 1 ? (k >> 1) + 1 : -1));
  const measure = (levels: number): number =>
    checks.depth('nodes', doubling(levels), [0], { most: 4096, shared: true });

  it('are refused where walks would not end', () => {
    expect(measure(19)).toBe(19);
    expect(codeOf(() => measure(22))).toBe('limit');
    expect(() => measure(2000)).toThrow('shared branches make Infinity nodes of 2000');
  });
});

describe('texts', () => {
  it('are unpacked as they were packed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.nat({ max: 254 }).map((code) => String.fromCharCode(code + 1)) })),
        (texts) => {
          expect(unpackTexts(packTexts(texts))).toEqual(texts);
        },
      ),
    );
  });
});

describe('sections', () => {
  const layout = defineSections({
    format: 'test',
    magic: 0x54534554,
    version: 3,
    headerWords: 4,
    sections: { nodes: 4, leafs: 2 },
  });
  const written = (): Int32Array => {
    const { places, words } = layout.plan({ nodes: 2, leafs: 3 });
    const ints = new Int32Array(words);
    layout.write(ints, places);
    return ints;
  };

  it('are read back where they were planned', () => {
    expect(layout.read(written().buffer)).toEqual(layout.plan({ nodes: 2, leafs: 3 }).places);
  });

  it('refuse anything but such a world', () => {
    const changed = (word: number, value: number): ArrayBufferLike => {
      const ints = written();
      ints[word] = value;
      return ints.buffer;
    };
    expect(codeOf(() => layout.read(new ArrayBuffer(3)))).toBe('truncated');
    expect(codeOf(() => layout.read(changed(0, 1)))).toBe('magic');
    expect(codeOf(() => layout.read(changed(1, 2)))).toBe('version');
    expect(codeOf(() => layout.read(changed(2, 2)))).toBe('truncated');
    expect(codeOf(() => layout.read(changed(4, 1)))).toBe('lump-range');
    expect(codeOf(() => layout.read(changed(5, 1000)))).toBe('lump-range');
  });
});

describe('bytes', () => {
  it('are taken from arrays and buffers of every kind, without a copy', () => {
    const array = new Uint8Array(8);
    expect(toBytes(array)).toBe(array);
    expect(toBytes(Buffer.from(array))).toHaveLength(8);
    expect(toBytes(array.buffer).buffer).toBe(array.buffer);
    expect(toBytes(new SharedArrayBuffer(4))).toHaveLength(4);
    for (const wrong of [undefined, null, 'text', 5, [1, 2], {}, new Int8Array(4)]) {
      expect(() => toBytes(wrong as never)).toThrow('bytes must be a Uint8Array or an ArrayBuffer, got');
    }
  });

  it('that were transferred are refused, not taken for an empty file', () => {
    const array = new Uint8Array(8);
    const { buffer } = array;
    structuredClone(buffer, { transfer: [buffer] });
    for (const gone of [array, buffer]) {
      expect(() => toBytes(gone)).toThrow(new TypeError('bytes were transferred'));
    }
    expect(toBytes(new Uint8Array(0))).toHaveLength(0);
    expect(toBytes(new ArrayBuffer(0))).toHaveLength(0);
  });

  it('may be from another realm: from a frame, or read by Node in tests with jsdom', () => {
    const array: Uint8Array = runInNewContext('new Uint8Array(8)');
    expect(array).not.toBeInstanceOf(Uint8Array);
    expect(toBytes(array)).toBe(array);
    expect(describeBytes(array).name).toContain('of no known kind');
    expect(toBytes(runInNewContext('new ArrayBuffer(8)'))).toHaveLength(8);
    const posing = { [Symbol.toStringTag]: 'Uint8Array', length: 8 };
    expect(() => toBytes(posing as never)).toThrow('got an object');
    expect(() => toBytes(Promise.resolve(new Uint8Array()) as never)).toThrow(
      new TypeError('bytes must be a Uint8Array or an ArrayBuffer, got an object (Promise)'),
    );
    expect(() => toBytes(runInNewContext('new Int8Array(8)'))).toThrow(TypeError);
  });

  const ibsp = (version: number): Uint8Array => ascii('IBSP', version, 0, 0, 0);
  it.each([
    [ascii(''), 'empty'],
    [ascii('IB'), 'cut short: it has 2 bytes'],
    // These begin as BSP2 maps do, but end too early.
    [ascii('BSP'), 'cut short: it has 3 bytes'],
    [ascii('hello\n'), 'a text file'],
    [ascii('{}'), 'cut short: it has 2 bytes'],
    [ibsp(46), 'a map of Quake 3 (IBSP 46)'],
    [ibsp(78), 'a map of UFO:AI (IBSP 78)'],
    [ibsp(38), 'a map of Quake 2 (IBSP 38)'],
    [ibsp(99), 'a map of an unknown game (IBSP 99)'],
    [ascii('QBSP', 38, 0, 0, 0), 'a map of Quake 2 (QBSP 38)'],
    [ascii('QBSP', 46, 0, 0, 0), 'a map of an unknown game (QBSP 46)'],
    [ascii('QBSP&'), 'cut short: it has 5 bytes'],
    [ascii('', 29, 0, 0, 0, 0, 0, 0, 0), 'a map of Quake (BSP 29)'],
    [ascii('', 30, 0, 0, 0, 0, 0, 0, 0), 'a map of Half-Life (BSP 30)'],
    [ascii('', 28, 0, 0, 0, 0, 0, 0, 0), 'a BSP map of version 28'],
    [ascii('BSP2', 0, 0, 0, 0), 'a map of Quake (BSP2)'],
    [ascii('VBSP', 20, 0, 0, 0), 'a map of the Source engine (VBSP)'],
    [ascii('PK\x03\x04', 0, 0, 0, 0), 'a zip archive (pk3)'],
    [ascii('', 0x1f, 0x8b, 8, 0, 0, 0, 0, 0), 'gzip data'],
    [ascii('', 0x1f, 0xa0, 8, 0, 0, 0, 0, 9), 'of no known kind: it begins with bytes 1f a0 08 00'],
    [ascii('IDP3', 15, 0, 0, 0), 'a Quake 3 model (MD3)'],
    [ascii('<!DOCTYPE html>'), 'a web page or XML'],
    [ascii('version https://git-lfs.github.com/spec/v1'), 'a Git LFS pointer'],
    [ascii('// entity 0\n{'), 'text, perhaps the source of a map'],
    [ascii('{\n"classname" "worldspawn"'), 'text, perhaps the source of a map'],
    [ascii('{ "error": "no such map" }'), 'JSON'],
    [ascii('hello\tworld\r\n'), 'a text file'],
    [ascii('', 0xde, 0xad, 0xbe, 0xef, 0, 0, 0, 0), 'of no known kind: it begins with bytes de ad be ef'],
  ])('are described (%#)', (bytes, name) => {
    expect(describeBytes(bytes).name).toBe(name);
  });

  it('are described with what to do about them, if anything helps', () => {
    expect(describeBytes(ascii('PK\x03\x04')).advice).toBe('unpack it and open the .bsp inside');
    expect(describeBytes(ascii('IDP3')).advice).toBe('it is not a map');
    expect(describeBytes(ibsp(46)).advice).toBe('');
  });

  it('are described whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(describeBytes(bytes).name.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('cells of rows', () => {
  const header = { game: 'test', map: 'm', kind: 'k', columns: ['a', 'fraction', 'b'] };

  it('are found by the names of their columns', () => {
    const { a, b, c } = columnPlaces(header, ['b', 'a', 'c']);
    expect([a, b]).toEqual([0, 2]);
    expect(c).toBeLessThan(0);
    const { a: none } = columnPlaces({ game: 'test', map: 'm', kind: 'k' }, ['a']);
    expect(none).toBeLessThan(0);
    // A missing column is known by its name, however often it is missing.
    expect(columnPlaces(header, ['x', 'c', 'a'])).toMatchObject({ c, a: 0 });
    expect(() => floatCell([1, 2], c)).toThrow(new RangeError("the column 'c' is missing"));
    expect(() => intCell([1, 2], none)).toThrow(new RangeError("the column 'a' is missing"));
  });

  it('are numbers, or say that they are not', () => {
    const row: Row = [0.1, 3, null, 'x', 0.5];
    expect(floatCell(row, 0)).toBe(Math.fround(0.1));
    expect(floatCells(row, [1, 0])).toEqual([3, Math.fround(0.1)]);
    expect(intCell(row, 1)).toBe(3);
    expect(() => floatCell(row, 2)).toThrow('cell 3 is not a number: null');
    expect(() => floatCell(row, -1e6)).toThrow('a column is missing');
    expect(() => intCell(row, 4)).toThrow('cell 5 is not a whole number: 0.5');
    expect(() => intCell(row, -1e6)).toThrow('a column is missing');
  });

  it('hold float32 in nine digits that read back the same, zeros with their sign', () => {
    expect(float32Cell(-0)).toBe(-0);
    expect(float32Cell(Math.fround(0.1))).toBe(0.100000001);
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(Math.fround(float32Cell(value)), value)).toBe(true);
      }),
    );
    // Whole eighths, just below and above where they have more than nine digits.
    fc.assert(
      fc.property(fc.integer({ min: -9e6, max: 9e6 }), (eighths) => {
        expect(float32Cell(eighths / 8)).toBe(Number((eighths / 8).toPrecision(9)) || eighths / 8);
      }),
    );
  });

  it('are written with what all traces have', () => {
    const trace = createTrace();
    trace.fraction = 0.25;
    trace.endPos.set([1, 2, 3]);
    trace.normal.set([0, 0, -1]);
    trace.startSolid = true;
    const row: Row = [];
    writeStop(row, { fraction: 0, endx: 1, endy: 2, endz: 3 }, trace);
    writeHit(row, { nx: 4, ny: 5, nz: 6, dist: 7, startsolid: 8, allsolid: 9 }, trace);
    expect(row).toEqual([0.25, 1, 2, 3, 0, 0, -1, 0, 1, 0]);
    expect(STOP_COLUMNS).toHaveLength(4);
  });
});

describe('what descriptors share', () => {
  it('finds the model that was asked for', () => {
    expect(askedModel({}, 0)).toBe(0);
    expect(askedModel({ model: 2, origin: [0, 0, 0] }, 2)).toBe(2);
    expect(() => askedModel({ origin: [0, 0, 0] }, 2)).toThrow('the world does not move');
    expect(() => askedModel({ model: 3 }, 2)).toThrow('there is no model *3: the map has *1 to *2');
    expect(() => askedModel({ model: 3 }, 1)).toThrow('only *1');
    expect(() => askedModel({ model: 1 }, 0)).toThrow('the map has none');
    expect(() => askedModel({ model: 1, angles: [0, 90] }, 1)).toThrow(
      'angles must have three numbers for each model, 3 in all, and has 2',
    );
  });

  it('takes three numbers for the place of each model, and says what is wrong with anything else', () => {
    checkPlaces({}, 2);
    checkPlaces({ origin: [] }, 0);
    checkPlaces({ origin: [1, 2, 3], angles: Float32Array.of(0, -0, 90) as never }, 1);
    checkPlaces({ origin: undefined, angles: [1, 2, 3, 4, 5, 6] }, 2);
    for (const [values, count, error, message] of [
      [{ origin: [1, 2, 3] }, 2, RangeError, 'three numbers for each model, 6 in all, and has 3'],
      [{ origin: [1, 2, 3], angles: [1, 2, 3, 4] }, 1, RangeError, 'angles must have three numbers'],
      [{ angles: [1, 2, Number.NaN] }, 1, RangeError, 'angles[2] must be a finite float32, got NaN'],
      [{ origin: [1, 2, 1e39] }, 1, RangeError, 'origin[2] must be a finite float32, got 1e+39'],
      [{ origin: ['1', 2, 3] }, 1, TypeError, "origin[0] must be a finite float32, got '1'"],
      [{ origin: '1,2,3' }, 1, TypeError, "origin must be an array of numbers, got '1,2,3'"],
      [{ angles: null }, 1, TypeError, 'angles must be an array of numbers, got null'],
    ] as const) {
      const check = (): void => checkPlaces(values as never, count);
      expect(check).toThrow(error);
      expect(check).toThrow(message);
    }
  });

  it('counts and shows', () => {
    expect([...countValues([3, 1, 3])]).toEqual([
      [3, 2],
      [1, 1],
    ]);
    class Box {
      readonly size = 8;

      constructor() {
        printAsString(this);
      }

      toString(): string {
        return `a box of ${this.size}`;
      }
    }
    class Cube extends Box {
      override toString(): string {
        return `a cube, ${super.toString()}`;
      }
    }
    expect(inspect([new Cube(), new Box()])).toBe('[ a cube, a box of 8, a box of 8 ]');
    expect(Reflect.ownKeys(new Box())).toEqual(['size']);
    class Fixed {
      constructor() {
        printAsString(this);
      }
    }
    Object.preventExtensions(Fixed.prototype);
    expect(() => new Fixed()).not.toThrow();
    expect(showShape({ kind: 'ray' })).toBe('ray');
    expect(showShape({ kind: 'sphere', radius: 8 })).toBe('sphere of radius 8');
    expect(showShape({ kind: 'box', mins: [-1, -1, 0], maxs: Float32Array.of(1, 1, 0.1) })).toBe(
      'box -1 -1 0 to 1 1 0.1',
    );
    expect(showShape({ kind: 'ellipsoid', radii: [1, 2, 3] })).toBe('ellipsoid of radii 1 2 3');
  });
});

describe('createRecorder', () => {
  it('collects steps, up to a limit', () => {
    const { steps, record } = createRecorder('toy');
    const step = { kind: 'leaf', leaf: 1, depth: 0, contents: 1, startFraction: 0, endFraction: 1 } as const;
    for (let k = 0; k < 131_072; k++) record(step);
    expect(steps).toHaveLength(131_072);
    expect(codeOf(() => record(step))).toBe('limit');
    expect(() => record(step)).toThrow('toy: the explanation has more than 131072 steps');
  });
});
