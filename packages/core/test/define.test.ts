import { describe, expect, it, vi } from 'vitest';
import { type BspFormat, defineFormat, defineReader, ibspVersion, openFile } from '../src/format/index.ts';
import type { BspWorld } from '../src/index.ts';

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

  it.each([
    ['files', { format: 'mine' }, {}],
    ['options', [], 7],
    ['shared', [], { shared: 1 }],
    ['offsets', [], { offsets: 7 }],
    ['offsets\\[1\\]', [], { offsets: [[0, 0, 0], 7] }],
  ])('refuses wrong %s before the format sees them', (name, files, options) => {
    const createWorld = vi.fn();
    const reader = defineReader('mine', { createWorld } as never);
    expect(() => reader.createWorld(files as never, options as never)).toThrow(new RegExp(`^${name} `));
    expect(createWorld).not.toHaveBeenCalled();
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

describe('a descriptor', () => {
  const called = vi.fn();
  const names = { names: called, bits: called };
  const ray = { name: 'ray', help: 'A ray.', create: called, options: ['mask'] };
  const box = { ...ray, name: 'box', size: 'box' };
  const format = {
    ...{ id: 'mine', name: 'Mine', contents: names, surfaceFlags: names, rows: {} },
    ...{ read: called, createWorld: called, open: called, info: called, polygons: called, surfaceAt: called },
    ...{
      traceFields: called,
      explain: called,
      point: called,
      sphere: called,
      sight: called,
      brushes: called,
    },
    tracers: {
      kinds: [ray, box],
      options: [{ name: 'mask', help: 'Contents.', type: 'number', group: 'filter' }],
      presets: [{ name: 'player', kind: 'box', role: 'body' }],
      player: 'player',
    },
    assemblies: { ending: '.mine', plan: called },
    routing: {
      ...{ stored: called, compute: called, assemble: called, work: called, join: called },
      ...{ difference: called, cell: 32, sizes: [1], cells: called },
    },
  };
  const own = defineFormat(format as never) as Required<BspFormat>;
  const world = { format: 'mine', data: {} } as never;
  const file = { format: 'mine', version: 1, entities: '' } as never;
  const bytes = new Uint8Array(1);
  const [wrong, place] = [7 as never, [0, 0, 0]];
  const routing = own.routing as Required<NonNullable<BspFormat['routing']>>;

  it.each<[string, string, () => unknown]>([
    ['info', 'file', () => own.info(wrong, world)],
    ['info', 'world', () => own.info(file, wrong)],
    ['info', 'world', () => own.info(file, { ...(world as object), data: undefined } as never)],
    ['polygons', 'world', () => own.polygons({ format: 'other', data: {} } as never)],
    ['brushes', 'file', () => own.brushes(wrong)],
    ['traceFields', 'trace', () => own.traceFields(wrong)],
    ['point', 'world', () => own.point(wrong, place)],
    ['point', 'at', () => own.point(world, [0, 0, Number.NaN])],
    ['sphere', 'world', () => own.sphere(wrong, place, 1)],
    ['sphere', 'center', () => own.sphere(world, wrong, 1)],
    ['sphere', 'radius', () => own.sphere(world, place, -1)],
    ['sight', 'world', () => own.sight(wrong, place, place)],
    ['sight', 'from', () => own.sight(world, wrong, place)],
    ['sight', 'to', () => own.sight(world, place, wrong)],
    ['a tracer', 'world', () => own.tracers.kinds[0]!.create(wrong, [], {})],
    ['a tracer', 'size', () => own.tracers.kinds[0]!.create(world, [1], {})],
    ['a tracer', 'size', () => own.tracers.kinds[1]!.create(world, [1, 2, 3, 4, 5], {})],
    ['a tracer', 'options', () => own.tracers.kinds[0]!.create(world, [], wrong)],
    ['plan', 'text', () => own.assemblies!.plan(wrong)],
    ['plan', 'options', () => own.assemblies!.plan('', wrong)],
    ['stored', 'file', () => routing.stored(wrong)],
    ['compute', 'file', () => routing.compute(wrong)],
    ['compute', 'onProgress', () => routing.compute(file, wrong)],
    ['assemble', 'files', () => routing.assemble(wrong, world)],
    ['assemble', 'file', () => routing.assemble([file, wrong], world)],
    ['assemble', 'world', () => routing.assemble([file], wrong)],
    ['assemble', 'onProgress', () => routing.assemble([file], world, wrong)],
    ['work', 'file', () => routing.work(wrong)],
    ['join', 'parts', () => routing.join(wrong)],
    ['difference', 'one', () => routing.difference(wrong, bytes)],
    ['difference', 'other', () => routing.difference(bytes, wrong)],
    ['cells', 'packed', () => routing.cells(wrong)],
    ['cells', 'size', () => routing.cells(bytes, 2)],
  ])('has no %s asked with a wrong %s: the error names it', (_, name, ask) => {
    called.mockClear();
    expect(ask).toThrow(new RegExp(`^${name}(\\[\\d\\])? `));
    expect(called).not.toHaveBeenCalled();
  });

  it.each<[string, object | undefined]>([
    ['format', undefined],
    ['format.info', { info: 7 }],
    ['format.contents.bits', { contents: { names: called } }],
    ['format.rows', { rows: undefined }],
    ['format.tracers.options[0].help', { tracers: { ...format.tracers, options: [{ name: 'mask' }] } }],
    [
      'format.tracers.kinds[0].options',
      { tracers: { ...format.tracers, kinds: [{ ...ray, options: undefined }] } },
    ],
  ])('is refused with a wrong %s', (name, change) => {
    const made = (): unknown => defineFormat((change && { ...format, ...change }) as never);
    expect(made).toThrow(expect.objectContaining({ message: expect.stringContaining(`${name} must be `) }));
  });

  it('has no reach asked with wrong arguments', () => {
    const reach = vi.fn();
    const cells = defineFormat({
      ...format,
      routing: { ...format.routing, cells: () => ({ ways: [1, 2], mostTime: 9, reach }) },
    } as never).routing!.cells(bytes);
    for (const [name, from, options] of [
      ['from', 2, {}],
      ['options', 0, 7],
      ['limit', 0, { limit: 10 }],
      ['crouched', 0, { crouched: 1 }],
    ] as const) {
      expect(() => cells.reach(from, options as never)).toThrow(new RegExp(`^${name} `));
    }
    expect(reach).not.toHaveBeenCalled();
    cells.reach(1, { limit: 9 });
    expect(reach.mock.calls).toEqual([[1, { limit: 9 }]]);
  });

  it('has only what its format has', () => {
    const optional = ['brushes', 'assemblies', 'routing', 'sphere', 'sight'] as const;
    const bare = { ...format, ...Object.fromEntries(optional.map((name) => [name, undefined])) };
    const made = defineFormat(bare as never);
    expect(optional.map((name) => made[name])).toEqual(optional.map(() => undefined));
    const { assemble: _, ...rest } = format.routing;
    expect(defineFormat({ ...format, routing: rest } as never).routing).not.toHaveProperty('assemble');
  });

  it('passes on what can be used, as it is', () => {
    const progress = (): void => {};
    const asked: [() => unknown, unknown[]][] = [
      [() => own.point(world, place), [world, place]],
      [() => own.sight(world, place, place), [world, place, place]],
      [() => routing.compute(file, progress), [file, progress]],
      [() => routing.compute(file), [file, undefined]],
      [() => routing.assemble([file], world), [[file], world, undefined]],
    ];
    for (const [ask, given] of asked) {
      called.mockClear();
      ask();
      expect(called.mock.calls).toEqual([given]);
    }
  });
});
