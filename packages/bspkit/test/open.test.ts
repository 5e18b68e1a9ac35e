import { runInNewContext } from 'node:vm';
import * as core from '@bspkit/core';
import type { BspFormat, BspFormatEntry } from '@bspkit/core/format';
import { findRealData, readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { Quake1World } from '@bspkit/quake1';
import { Quake3World } from '@bspkit/quake3';
import { type ToyFile, type ToyFormat, ToyWorld, toyFormat, toyMap } from '@bspkit/testkit/toy';
import type { UfoaiWorld } from '@bspkit/ufoai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as bspkit from '../src/index.ts';
import {
  BspError,
  type BspFile,
  type BspMap,
  type Bytes,
  createWorld,
  type Detected,
  detectBsp,
  FORMATS,
  type FormatId,
  type FormatNamed,
  formatOf,
  openBsp,
  readBsp,
  type Tracer,
} from '../src/index.ts';
import { everyMap, maps } from './maps.ts';

/** The available formats, as messages list them: `'one', 'two' or 'three'`. */
const KNOWN = `${FORMATS.map(({ id }) => `'${id}'`).join(', ')} or another one listed in formats`;

describe.each(everyMap)('%s', (format, bytes) => {
  it('is refused with tables whose arrays have the wrong number of records, as programs may make them', async () => {
    const { read, createWorld } = await FORMATS.find(({ id }) => id === format)!.loadReader();
    const file = read(bytes) as unknown as Record<string, { count?: number }>;
    const tables = Object.keys(file).filter((name) => file[name]?.count !== undefined);
    expect(tables.length).toBeGreaterThan(4);
    for (const name of tables) {
      // The first cannot be gone through in the time that a test has, so nothing is built before.
      for (const count of [1e11, -7, Number.NaN, 0.5, 0, 1n]) {
        // The file may have none to begin with.
        if (count === file[name]!.count) continue;
        const changed = { ...file, [name]: { ...file[name], count } };
        expect(() => createWorld([changed as never]), `${name} ${count}`).toThrow(
          `file.${name}.count must be the number of its records, got ${count}`,
        );
      }
    }
  });

  it('opens as the world of its package', async () => {
    const world = await openBsp(bytes);
    const { read, open } = await FORMATS.find(({ id }) => id === format)!.loadReader();
    expect(read(bytes).format).toBe(format);
    expect(world.constructor).toBe(open(world.data).constructor);
    expect(world.format).toBe(format);
    expect(world.data).toBeInstanceOf(ArrayBuffer);
  });

  it('opens from an ArrayBuffer, as fetch returns it', async () => {
    const world = await openBsp(Uint8Array.from(bytes).buffer);
    expect(new Uint8Array(world.data)).toEqual(new Uint8Array((await openBsp(bytes)).data));
  });

  it('consists of plain arrays, even if read from a Buffer of Node, whose slice copies nothing', async () => {
    const found: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (ArrayBuffer.isView(value)) {
        if (Buffer.isBuffer(value)) found.push(path);
      } else if (value && typeof value === 'object') {
        for (const [key, part] of Object.entries(value)) look(part, `${path}.${key}`);
      }
    };
    look(await readBsp(Buffer.from(bytes)), 'file');
    expect(found).toEqual([]);
  });

  it('has its lumps in the order of its directory, for programs that write it with other ones', async () => {
    const { lumps } = (await readBsp(bytes)) as unknown as { lumps: Readonly<Record<string, Uint8Array>> };
    const parts = Object.entries(lumps);
    const places = parts.map(([, part]) => (part.length > 0 ? part.byteOffset - bytes.byteOffset : Infinity));
    // The directory ends where our own maps have their first lump, and begins after the version.
    const head = Math.min(...places) - 8 * parts.length;
    expect([4, 8]).toContain(head);
    const view = new DataView(bytes.buffer, bytes.byteOffset + head);
    for (const [k, [name, { length }]] of parts.entries()) {
      expect(view.getInt32(8 * k + 4, true), name).toBe(length);
      if (length > 0) expect(view.getInt32(8 * k, true), name).toBe(places[k]);
    }
  });

  it('says so if its bytes were transferred, before opening them or while loading the code to open them', async () => {
    const array = Uint8Array.from(bytes);
    const opened = openBsp(array);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    const problem = new TypeError('bytes must not have been transferred or cut off');
    await expect(opened).rejects.toThrow(problem);
    await expect(openBsp(array)).rejects.toThrow(problem);
    await expect(readBsp(array.buffer)).rejects.toThrow(problem);
    expect(() => detectBsp(array)).toThrow(problem);
  });

  it('opens from bytes of another realm, as Node reads them in tests with jsdom', async () => {
    const foreign: Uint8Array = runInNewContext('Uint8Array.from(bytes)', { bytes });
    expect(foreign).not.toBeInstanceOf(Uint8Array);
    expect(detectBsp(foreign)).toEqual(detectBsp(bytes));
    const world = await openBsp(foreign);
    expect(new Uint8Array(world.data)).toEqual(new Uint8Array((await openBsp(bytes)).data));
    expect(world.textureNames()).toEqual((await openBsp(bytes)).textureNames());
  });

  it('opens into shared memory', async () => {
    expect((await openBsp(bytes, { shared: true })).data).toBeInstanceOf(SharedArrayBuffer);
  });

  it('uses the kernel that it is asked for, with the same answers', async () => {
    const world = await openBsp(bytes, { kernel: 'js' });
    const { kernels = ['js'] } = (await formatOf(world)) as BspFormat;
    expect(world.kernel).toBe('js');
    expect((await openBsp(bytes, { kernel: 'auto' })).kernel).toBe(kernels.includes('wasm') ? 'wasm' : 'js');
    expect((await createWorld(await readBsp(bytes), { kernel: 'js' })).kernel).toBe('js');
    const { mins, maxs } = world.bounds;
    expect(world.ray().trace(mins, maxs)).toEqual((await openBsp(bytes)).ray().trace(mins, maxs));
    await expect(openBsp(bytes, { kernel: 'fast' as never })).rejects.toThrow('kernel must be');
  });

  it('is read as a file, from which a world can be built', async () => {
    const file = await readBsp(bytes);
    const found = detectBsp(bytes);
    expect(file.format).toBe(found.format);
    const world = await createWorld(file);
    await expect(createWorld(world as never)).rejects.toThrow('file must be a map that readBsp has read');
    expect(new Uint8Array(world.data)).toEqual(new Uint8Array((await openBsp(bytes)).data));
  });

  it('has tracers of its own, used without knowing which', async () => {
    const world = await openBsp(bytes);
    const tracers: Tracer[] = [world.ray(), world.box([-8, -8, -8], [8, 8, 8])];
    const [x, y, z] = [0, 1, 2].map((k) => (world.bounds.mins[k]! + world.bounds.maxs[k]!) / 2);
    for (const tracer of tracers) {
      const { fraction } = tracer.trace([x!, y!, z!], [x!, y!, z! - 10_000]);
      expect(fraction).toBeLessThan(1);
    }
  });

  it('is refused when it is cut short, as by its package', async () => {
    const error = await openBsp(bytes.subarray(0, 1000)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(bspkit.BspError);
    expect(error).toMatchObject({ format });
  });
});

describe('a requested format', () => {
  it('is opened as its own type', async () => {
    const world = await openBsp(maps.quake3, { format: 'quake3', shared: true });
    expectTypeOf(world).toEqualTypeOf<Quake3World>();
    expectTypeOf(openBsp(maps.quake1, { format: 'quake1' })).resolves.toEqualTypeOf<Quake1World>();
    expectTypeOf(openBsp(maps.quake1, { shared: true })).resolves.toEqualTypeOf<BspMap>();
    expect(world).toBeInstanceOf(Quake3World);
    expect(world.data).toBeInstanceOf(SharedArrayBuffer);
  });

  it('is not confused with another', async () => {
    await expect(openBsp(maps.ufoai, { format: 'quake3' })).rejects.toThrow(
      new BspError(
        'magic',
        { format: 'bsp' },
        'the file is a map of UFO:AI (IBSP 78), not of Quake 3 (IBSP 46, IBSP 47)',
      ),
    );
    await expect(openBsp(maps.ufoai, { format: 'quake9' as 'quake3' })).rejects.toThrow(
      new RangeError(`format must be ${KNOWN}, got 'quake9'`),
    );
  });
});

describe('a list of your own', () => {
  const formats = [...FORMATS, toyFormat];

  it('opens its formats', async () => {
    const world = await openBsp(toyMap(), { formats });
    expectTypeOf(world).toEqualTypeOf<BspMap | ToyWorld>();
    expect(world).toBeInstanceOf(ToyWorld);
    expect(await openBsp(maps.quake1, { formats })).toBeInstanceOf(Quake1World);
    expect(await openBsp(toyMap(), { formats: [toyFormat], format: 'toy' })).toBeInstanceOf(ToyWorld);
    await expect(openBsp(toyMap())).rejects.toThrow(
      /^bsp: the file is of no known kind: .*; bspkit reads Quake 1/,
    );
  });

  it('has entries that load', async () => {
    for (const name of ['detect', 'loadReader', 'load']) {
      const broken = [...FORMATS, { ...toyFormat, [name]: undefined }];
      const problem = new TypeError(`formats[${FORMATS.length}].${name} must be a function, got undefined`);
      await expect(openBsp(maps.quake1, { formats: broken })).rejects.toThrow(problem);
      await expect(readBsp(maps.quake1, { formats: broken })).rejects.toThrow(problem);
      await expect(formatOf('quake1', broken)).rejects.toThrow(problem);
    }
  });

  it('returns only what belongs to the format that it names', async () => {
    const own = { ...toyFormat, id: 'mine' };
    const answer = (what: string): TypeError =>
      new TypeError(`the format 'mine' must give ${what} of its own, got one of 'toy'`);
    await expect(openBsp(toyMap(), { formats: [own] })).rejects.toThrow(answer('a file'));
    await expect(formatOf('mine', [own])).rejects.toThrow(answer('a descriptor'));
    const reader = await toyFormat.loadReader();
    const renamed = {
      ...reader,
      read: (bytes: Bytes) => ({ ...reader.read(bytes), format: 'mine' as 'toy' }),
    };
    const world = reader.createWorld([reader.read(toyMap())]);
    const lent = { ...own, loadReader: () => Promise.resolve({ ...renamed, createWorld: () => world }) };
    await expect(openBsp(toyMap(), { formats: [lent] })).rejects.toThrow(answer('a world'));
    const module = { ...toyFormat, loadReader: () => Promise.resolve({ reader } as never) };
    await expect(openBsp(toyMap(), { formats: [module] })).rejects.toThrow(
      "read of the reader of 'toy' must be a function, got undefined",
    );
  });

  it('has each format once', async () => {
    const twice = [...FORMATS, { ...toyFormat, id: 'quake3' }];
    const problem = new RangeError("formats must have one entry for each id, got 'quake3' twice");
    await expect(openBsp(toyMap(), { formats: twice })).rejects.toThrow(problem);
    expect(() => detectBsp(toyMap(), twice)).toThrow(problem);
  });

  it('has descriptors whose types say what they accept', async () => {
    const world = await openBsp(toyMap(), { formats });
    const any = await formatOf(world, formats);
    expectTypeOf(any).toEqualTypeOf<BspFormat>();
    expect(any.point(world, [0, 0, 0])).toHaveProperty('contents');
    const one = await formatOf('quake3', FORMATS);
    expectTypeOf(one).toEqualTypeOf<FormatNamed<'quake3'>>();
    const toy = await formatOf('toy', formats);
    expectTypeOf(toy).toEqualTypeOf<ToyFormat>();
    const three = await openBsp(maps.quake3, { formats, format: 'quake3' });
    expectTypeOf(three).toEqualTypeOf<Quake3World>();
    expect(three.format).toBe(one.id);
    // An entry whose type does not state its format may be any of them.
    const wide: readonly BspFormatEntry[] = formats;
    const either = await formatOf('quake3' as 'quake3' | 'toy', wide);
    expectTypeOf(either).toEqualTypeOf<BspFormat>();
  });

  it('reads its files and builds their worlds', async () => {
    const file = await readBsp(toyMap(), { formats });
    expectTypeOf(file).toEqualTypeOf<BspFile | ToyFile>();
    const world = await createWorld(file, { formats, shared: true });
    expect(world).toBeInstanceOf(ToyWorld);
    expect(world.data).toBeInstanceOf(SharedArrayBuffer);
    const unknown = new RangeError(`format must be ${KNOWN}, got 'toy'`);
    await expect(createWorld(file as never)).rejects.toThrow(unknown);
    await expect(formatOf(world as never)).rejects.toThrow(unknown);
  });
});

describe('the descriptor', () => {
  it('is found by world, file or name', async () => {
    const world = await openBsp(maps.quake3, { format: 'quake3' });
    const format = await formatOf(world);
    expectTypeOf(format).toEqualTypeOf<FormatNamed<'quake3'>>();
    expect(format.id).toBe('quake3');
    expect(format.point(world, [0, 0, 64])).toMatchObject({ contents: 0 });
    expect(await formatOf(await readBsp(maps.quake3))).toBe(format);
    expect(await formatOf('quake3')).toBe(format);
    expect(await formatOf('toy', [toyFormat])).toMatchObject({ id: 'toy' });
    await expect(formatOf('toy' as 'quake3')).rejects.toThrow(RangeError);
    for (const target of [undefined, new Uint8Array(4), {}]) {
      const message = 'target must be a world, a file or the name of a format, got';
      await expect(formatOf(target as never)).rejects.toThrow(message);
    }
  });

  it('takes worlds of any format if its own is not known', async () => {
    const world = await openBsp(maps.quake1);
    const format = await formatOf(world);
    expectTypeOf(format).toEqualTypeOf<BspFormat>();
    expect(format.polygons(world).polygons().length).toBeGreaterThan(0);
  });

  it.each(FORMATS)('of $name is the one in the list', async (entry) => {
    const { id, name, versions } = await entry.load();
    expect({ id, name, versions }).toEqual({ id: entry.id, name: entry.name, versions: entry.versions });
  });
});

describe('types', () => {
  it('are narrowed by format', async () => {
    const world = await openBsp(maps.quake3);
    expectTypeOf(world).toEqualTypeOf<BspMap>();
    expectTypeOf<BspMap['format']>().toEqualTypeOf<FormatId>();
    // A list of names, whatever else is on it.
    expectTypeOf<'quake1' | 'quake2' | 'quake3' | 'ufoai'>().toExtend<FormatId>();
    expectTypeOf<string>().not.toExtend<FormatId>();
    if (world.format === 'quake3') expectTypeOf(world).toEqualTypeOf<Quake3World>();
    if (world.format === 'quake1') expectTypeOf(world.hull(1)).toExtend<Tracer>();
    if (world.format === 'ufoai') expectTypeOf(world.line()).toExtend<Tracer>();
    const file = await readBsp(maps.ufoai);
    if (file.format === 'ufoai') expectTypeOf(createWorld(file)).resolves.toEqualTypeOf<UfoaiWorld>();
    expect(world.format).toBe('quake3');
  });

  it('of variables can be derived from functions', () => {
    expectTypeOf<Awaited<ReturnType<typeof openBsp>>>().toEqualTypeOf<BspMap>();
    expectTypeOf<Awaited<ReturnType<typeof createWorld>>>().toEqualTypeOf<BspMap>();
    expectTypeOf<Awaited<ReturnType<typeof readBsp>>>().toEqualTypeOf<BspFile>();
    expectTypeOf<Awaited<ReturnType<typeof formatOf>>>().toEqualTypeOf<BspFormat>();
    expectTypeOf<ReturnType<typeof detectBsp>>().toEqualTypeOf<Detected>();
  });

  it('of what is detected are narrowed too', () => {
    const found = detectBsp(maps.ufoai);
    if (found.format === undefined) expectTypeOf(found.advice).toEqualTypeOf<string>();
    else expectTypeOf<typeof found.format>().toEqualTypeOf<FormatId>();
    expect(found.version).toBe('IBSP 78');
  });
});

describe('core', () => {
  it('is re-exported as a whole', () => {
    expect({ ...bspkit }).toMatchObject({ ...core });
  });
});

describe.skipIf(!findRealData())(`real maps${skippedWithoutMaps}`, () => {
  it.each(FORMATS.map(({ id }) => id))('of %s open', async (format) => {
    for (const name of realMapNames(format).slice(0, 1)) {
      expect((await openBsp(readRealMap(name))).format).toBe(format);
    }
  });
});
