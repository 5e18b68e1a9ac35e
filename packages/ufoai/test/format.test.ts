import { boxBrush, compileMap } from '@bspkit/compile';
import { createTrace } from '@bspkit/core';
import type { Row, RowHeader, RowSource, TracerValues } from '@bspkit/core/format';
import { arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { ufoai } from '../src/descriptor.ts';
import { ufoaiFormat } from '../src/format.ts';
import {
  ALL_LEVELS,
  CONTENTS_ACTORCLIP,
  CONTENTS_SOLID,
  CONTENTS_WATER,
  CONTENTS_WEAPONCLIP,
  CONTENTS_WINDOW,
  computeRouting,
  encodeRouting,
  levels,
  MASK_SOLID,
  type UfoaiTracer,
  WITH_ACTORCLIP,
} from '../src/index.ts';

const bytes = houseUfoai();
const file = ufoai.read(bytes);
const world = ufoai.createWorld([file]);
const [outside, inside] = [
  [256, 50, 30],
  [256, 200, 30],
] as const;

describe('the light half', () => {
  it('detects UFO:AI by 8 bytes, and nothing else', () => {
    expect(ufoaiFormat.versions).toEqual(['IBSP 78', 'IBSP 79']);
    expect(ufoaiFormat.detect(bytes.subarray(0, 8))).toBe('IBSP 78');
    const other = bytes.slice(0, 64);
    other[4] = 79;
    expect(ufoaiFormat.detect(other)).toBe('IBSP 79');
    other[6] = 1;
    expect(ufoaiFormat.detect(other)).toBeUndefined();
    expect(ufoaiFormat.detect(bytes.subarray(0, 7))).toBeUndefined();
    expect(ufoaiFormat.detect(arenaQuake3())).toBeUndefined();
  });
});

describe('the descriptor', () => {
  it('makes worlds of files and offsets, and opens their data', () => {
    const two = ufoai.createWorld([file, file], {
      offsets: [
        [0, 0, 0],
        [30, -2, 1],
      ],
    });
    expect(two.tiles.map(({ cell }) => cell)).toEqual([
      [0, 0, 0],
      [30, -2, 1],
    ]);
    expect(ufoai.open(two.data).numModels).toBe(6);
    expect(() =>
      ufoai.createWorld([file], {
        offsets: [
          [0, 0, 0],
          [1, 0, 0],
        ],
      }),
    ).toThrow('offsets must be one per file');
  });

  it('describes what is in a map', () => {
    const info = ufoai.info(file, world);
    expect(info).toMatchObject({ version: 'IBSP 78', bounds: world.bounds, entities: world.entities() });
    expect(info.facts).toMatchObject({ levels: '1 2 3 4 5 6 7 8', tiles: 1, doors: 2, 'line heads': 9 });
    expect(info.models.map(({ name }) => name)).toEqual([
      'no level',
      'level 1',
      'level 4 5 6 7 8',
      'level 3 4 5 6 7 8',
      'level 2 3 4 5 6 7 8',
      'level 1 2 3 4 5 6 7 8',
      'light clip',
      'weapon clip',
      'actor clip',
      '*1',
      '*2',
      '*3',
    ]);
    expect(info.lumps).toHaveLength(17);
    expect(info.lumps.find(({ name }) => name === 'brushes')).toMatchObject({ records: file.brushes.count });
    expect([...info.contents.counts.values()].reduce((sum, count) => sum + count)).toBe(file.brushes.count);
    expect(info.memory.lumps).toBeLessThan(bytes.length);
  });

  it('lists brushes with their planes', () => {
    const brushes = [...ufoai.brushes!(file)];
    expect(brushes).toHaveLength(file.brushes.count);
    expect(brushes[3]).toMatchObject({ brush: 3, contents: file.brushes.contents[3] });
    expect(brushes[3]!.planes).toHaveLength(file.brushes.numSides[3]!);
  });

  it('finds polygons and surfaces', () => {
    const source = ufoai.polygons(world);
    expect(source.polygons().length).toBeGreaterThan(100);
    const ofLeafs = Array.from({ length: world.numLeafs }, (_, leaf) => source.leafPolygons(leaf)).flat();
    // Each brush is cut once, however many leafs list it.
    const brushes = new Set(ofLeafs);
    expect(brushes.size).toBeLessThan(ofLeafs.length);
    expect(source.polygons().some((polygon) => brushes.has(polygon))).toBe(true);
    expect(() => source.leafPolygons(world.numLeafs)).toThrow(RangeError);
    expect(ufoai.surfaceAt(world, world.ray().trace(outside, inside))?.name).toBe('house/wall');
  });

  it('knows which polygons stop players', () => {
    const { polygons, isSolid } = ufoai.polygons(world);
    const stops = (contents: number): boolean => isSolid({ ...polygons()[0]!, contents });
    expect([CONTENTS_SOLID, CONTENTS_WINDOW, CONTENTS_ACTORCLIP].map(stops)).toEqual([true, true, true]);
    expect([0, 0xff00, CONTENTS_WATER, CONTENTS_WEAPONCLIP].some(stops)).toBe(false);
  });

  it('gives the fields that only UFO:AI has', () => {
    expect(ufoai.traceFields(world.line().trace(outside, inside))).toEqual({
      tile: 0,
      head: 'level 1 2 3 4 5 6 7 8',
    });
    const { leaf } = world.ray().trace(outside, inside);
    expect(ufoai.traceFields(world.ray().trace(outside, inside))).toEqual({ tile: 0, leaf });
    expect(ufoai.traceFields(createTrace())).toEqual({});
  });

  it('says what is at a point, and who sees whom', () => {
    expect(ufoai.point(world, [256, 100, 30])).toEqual({
      point: [256, 100, 30],
      cell: [136, 131, 0],
      level: 1,
      contents: 0xff01,
      contentsNames: expect.arrayContaining(['solid', 'level1', 'level8']),
    });
    expect(ufoai.sight!(world, outside, inside)).toMatchObject({
      yes: false,
      fields: { visible: false, rayEnd: [256, 96, 30], rayStopsAt: 'level 1 2 3 4 5 6 7 8', cellsSee: 0 },
    });
    expect(ufoai.sight!(world, outside, [200, 60, 30])).toMatchObject({
      yes: true,
      fields: { visible: true, rayFraction: 1, rayStopsAt: null },
    });
  });
});

describe('the catalog of tracers', () => {
  const { kinds, options, presets, player } = ufoai.tracers;
  const make = (kind: string, size: number[] = [], values: object = {}): UfoaiTracer =>
    kinds.find(({ name }) => name === kind)!.create(world, size, values as never) as UfoaiTracer;
  const hitOf = (...args: Parameters<typeof make>): number => make(...args).trace(outside, inside).fraction;

  it('has lines first, and names existing options', () => {
    expect(kinds.map(({ name }) => name)).toEqual(['line', 'ray', 'box']);
    const known = options.map(({ name }) => name);
    for (const kind of kinds) expect(known).toEqual(expect.arrayContaining([...kind.options]));
    expect(presets.map(({ name }) => name)).toEqual(['line', 'point', 'engine', 'box']);
    expect(presets.some(({ name }) => name === player)).toBe(true);
  });

  it('makes every preset', () => {
    for (const { kind, size = [], options = {} } of presets) {
      expect(hitOf(kind, [...size], options)).toBeLessThan(1);
    }
  });

  it('reads levels and clips of lines, and masks of the rest', () => {
    const same = (values: object, options: object): void =>
      expect(make('line', [], values)).toMatchObject({ _filter: world.line(options)._filter });
    same({}, {});
    same({ levels: '1, 3' }, { levels: levels(1, 3) });
    same({ levels: 'all,actorClip' }, { actorClip: true });
    for (const text of ['all,1', '1,all', '0x1,all']) same({ levels: text }, { levels: ALL_LEVELS });
    same({ levels: 'all,0x100' }, { levels: ALL_LEVELS | WITH_ACTORCLIP });
    same({ levels: '0x105' }, { levels: 0x105 });
    // A number is a mask, as in `world.line`; text lists levels.
    for (const mask of [levels(1, 3), levels(4), 0x105, 0]) same({ levels: mask }, { levels: mask });
    same({ levels: '3' }, { levels: levels(3) });
    expect(() => make('line', [], { levels: '0x100000105' })).toThrow('0x100000105 has more than 32 bits');
    same(
      { levels: '2,0x200,LightClip', compat: 'engine' },
      { levels: 0x202, lightClip: true, compat: 'engine' },
    );
    expect(make('ray', [], { mask: 'solid,window' })._asked[1]).toBe(MASK_SOLID);
    expect(hitOf('box', [-9, -9, -24, 9, 9, 20])).toBe(
      world.box([-9, -9, -24], [9, 9, 20]).trace(outside, inside).fraction,
    );
  });

  it('traces models, where options put them', () => {
    const [start, end] = [
      [384, 50, 30],
      [384, 200, 30],
    ] as const;
    for (const kind of ['line', 'ray']) {
      expect(make(kind, [], { model: 1 }).trace(start, end).model).toBe(1);
      expect(make(kind, [], { model: 1, origin: [352, 150, 32] }).trace(start, end).endPos[1]).toBeCloseTo(
        148,
        1,
      );
      expect(make(kind, [], { model: 1, angles: [0, 90, 0] }).blocked(start, end)).toBe(false);
    }
    expect(make('box', [-1, -1, -1, 1, 1, 1], { model: 1, mask: 'water' }).blocked(start, end)).toBe(false);
  });

  it('includes doors, by number or all of them', () => {
    const [start, end] = [
      [632, 256, 32],
      [640, 256, 32],
    ] as const;
    for (const [kind, size] of [
      ['line', []],
      ['ray', []],
      ['box', [-1, -1, -1, 1, 1, 1]],
    ] as const) {
      expect(make(kind, [...size]).blocked(start, end)).toBe(false);
      for (const models of ['all', ' All', '2', '3, 2', '*3, *2 ', [2]]) {
        expect(make(kind, [...size], { models }).blocked(start, end)).toBe(true);
      }
      for (const models of ['1,3', [3], []]) {
        expect(make(kind, [...size], { models }).blocked(start, end)).toBe(false);
      }
      expect(() => make(kind, [...size], { models: '2,door' })).toThrow("models has 'door'");
      expect(() => make(kind, [...size], { models: '2,**1' })).toThrow("models has '**1'");
      for (const models of [null, {}, Float32Array.of(1)]) {
        expect(() => make(kind, [...size], { models: models as never })).toThrow('models must be an array');
      }
      expect(() => make(kind, [...size], { models: [1, 1.5] })).toThrow('models[1] must be a whole number');
      expect(() => make(kind, [...size], { models: '4' })).toThrow('there is no model *4');
      expect(() => make(kind, [...size], { models: [0] })).toThrow('models has 0, which is the world');
      expect(() => make(kind, [...size], { models: '2', model: 1 })).toThrow('models belong to the world');
      expect(() => make(kind, [...size], { compat: 'game' })).toThrow("compat must be 'engine'");
      expect(() => make(kind, [...size], { compat: true as never })).toThrow("compat must be 'engine'");
    }
  });

  it('includes doors where they are put, each by itself', () => {
    const [start, end] = [
      [632, 256, 32],
      [640, 256, 32],
    ] as const;
    const [origin, angles] = [world.models().flatMap((model) => [...model.origin]), [0, 0, 0, 0, 90, 0]];
    const [door, other] = [world.model(2), world.model(1)];
    const opened = [...door.origin.map((x, k) => (k === 2 ? x + 200 : x))];
    for (const [kind, size] of [
      ['line', []],
      ['ray', []],
      ['box', [-1, -1, -1, 1, 1, 1]],
    ] as const) {
      const blocked = (values: TracerValues): boolean => make(kind, [...size], values).blocked(start, end);
      expect(blocked({ models: [2], origin: opened })).toBe(false);
      expect(blocked({ models: '2', origin: Float32Array.from(opened) as never })).toBe(false);
      expect(blocked({ models: [2], origin: [...door.origin] })).toBe(true);
      expect(blocked({ models: 'all', origin })).toBe(true);
      expect(blocked({ models: [1, 2], origin: [...other.origin, ...opened], angles })).toBe(false);
      // If a model is listed twice, it stands there twice.
      expect(blocked({ models: [2, 2], origin: [...opened, ...door.origin] })).toBe(true);
      expect(blocked({ models: [], origin: [], angles: [] })).toBe(false);
    }
    const place = { origin: [352, 150, 32], angles: [0, 10, 0] };
    const move = [
      [384, 50, 30],
      [384, 200, 30],
    ] as const;
    const moved = world.line({ models: [world.model(1).place(place)] }).trace(...move);
    const described = make('line', [], { models: [1], ...place }).trace(...move);
    expect(moved.model).toBe(1);
    expect(described).toEqual(moved);
  });

  it.each([
    [{ origin: [1, 2] }, RangeError, 'origin must have three numbers for each model, 6 in all, got 2'],
    [{ angles: new Array(7) }, RangeError, 'angles must have three numbers for each model, 6 in all'],
    [{ origin: [1, 2, 3, 4, Number.NaN, 6] }, RangeError, 'origin[4] must be a finite float32, got NaN'],
    [{ angles: [1, 2, 3, 4, 5, 1e39] }, RangeError, 'angles[5] must be a finite float32, got 1e+39'],
    [{ origin: [1, 2, 3, '4', 5, 6] }, TypeError, "origin[3] must be a finite float32, got '4'"],
    [{ origin: new Array(6) }, TypeError, 'origin[0] must be a finite float32, got undefined'],
    [{ angles: 'left' }, TypeError, "angles must be an array of numbers, got 'left'"],
    [{ origin: null }, TypeError, 'origin must be an array of numbers, got null'],
    [{ origin: { length: 6 } }, TypeError, 'origin must be an array of numbers, got an object'],
    [{ model: 1, origin: [0, 0, 0] }, TypeError, 'models belong to the world: a model is traced alone'],
  ])('names what is wrong with the poses of doors: %j', (values, error, message) => {
    for (const kind of ['line', 'ray', 'box']) {
      const size = kind === 'box' ? [-1, -1, -1, 1, 1, 1] : [];
      const ask = (): unknown => make(kind, size, { models: [2, 3], ...(values as object) });
      expect(ask).toThrow(error);
      expect(ask).toThrow(message);
    }
  });

  it('refuses invalid values', () => {
    expect(() => make('line', [], { levels: '9' })).toThrow(RangeError);
    expect(() => make('line', [], { levels: 'ground' })).toThrow("levels has 'ground'");
    expect(() => make('line', [], { levels: '1,NaN' })).toThrow("levels has 'NaN'");
    for (const levels of [[1, 3], Object.create(null), true]) {
      expect(() => make('line', [], { levels })).toThrow(/^levels must be text or a number, got /);
    }
    expect(() => make('line', [], { mask: 'solid' })).toThrow('mask belongs to a box, a ray or a model');
    expect(() => make('ray', [], { levels: '1,actorClip' })).toThrow('clips in levels belong to lines');
    expect(() => make('line', [], { model: 4 })).toThrow('there is no model *4');
    expect(() => make('ray', [], { origin: [0, 0, 0] })).toThrow(RangeError);
    expect(() => make('ray', [], { mask: 'jelly' })).toThrow(RangeError);
  });
});

describe('query rows', () => {
  const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'];
  const BOX = ['brushmask', 'brushreject', 'minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'];
  const source: RowSource = { format: ufoai, load: () => bytes };
  /** Answers one row; the answer by column. */
  function answer(
    kind: string,
    names: string[],
    cells: number[],
    rest: object = {},
  ): Record<string, unknown> {
    const { results, open } = ufoai.rows[kind]!;
    const columns = [...names, ...results];
    const row: Row = [...cells, ...results.map(() => null)];
    open({ game: 'ufoai', map: 'house', kind, columns, ...rest } as RowHeader, source).answer(row);
    expect(row).not.toContain(null);
    return Object.fromEntries(columns.map((name, k) => [name, row[k]]));
  }
  const move = [...outside, ...inside];

  it('of lines', () => {
    const given = answer('line', ['levelmask', ...MOVE], [1, ...move]);
    expect(given).toMatchObject({
      blocked: 1,
      dmBlocked: 1,
      dmx: 256,
      dmy: 96,
      dmz: 30,
      cblocked: 1,
      cdmy: 96,
    });
  });

  it.each([
    [5, 'line 1: models must be a list, got 5'],
    [[null], 'line 1: models[0] must be an object, got null'],
    [[{ name: 1 }], 'line 1: models[0].name must be text, got 1'],
    [[{ name: '*9' }], 'line 1: models[0].name must be the name of a model, *1 to *3, got "*9"'],
    [[{ name: '*1', origin: [1, 2] }], 'line 1: models[0].origin must be three numbers, got [1,2]'],
    [[{ name: '*1', origin: [1, 2, 3] }], 'line 1: models[0].angles is missing; it must be three numbers'],
  ])('name what is wrong with the poses of a header: %j', (models, message) => {
    expect(() => answer('ent', ['levelmask', ...MOVE, ...BOX], [1, ...move], { models })).toThrow(message);
  });

  it.each([
    [0, 'the name of a model, of which the map has none'],
    [1, 'the name of a model, *1'],
  ])('name which models a map with %d has', (count, known) => {
    const brushes = [boxBrush([0, 0, 0], [32, 32, 32], { material: 'tex_common/wall' })];
    const doors = Array.from({ length: count }, () => ({ properties: { classname: 'func_door' }, brushes }));
    const { bytes } = compileMap(
      { entities: [{ properties: { classname: 'worldspawn' }, brushes }, ...doors] },
      { format: 'ufoai' },
    );
    const columns = ufoai.rows.ent!.question;
    const header: RowHeader = { game: 'ufoai', map: 'one', kind: 'ent', columns, models: [{ name: '*2' }] };
    const open = (): unknown => ufoai.rows.ent!.open(header, { format: ufoai, load: () => bytes });
    expect(open).toThrow(`line 1: models[0].name must be ${known}, got "*2"`);
  });

  const table = encodeRouting(computeRouting(file));
  it.each([[[null]], ['abc'], [5], [{}]])('name what is wrong with targets of paths: %j', (targets) => {
    const columns = ['x', 'y', 'z', 'size', 'crouched', 'limit', 'blocked', 'targets'];
    const header = { game: 'ufoai', map: 'house', kind: 'paths', columns } as RowHeader;
    const { open, asked } = ufoai.rows.paths!;
    const { answer: answerRow } = open(header, { ...source, load: () => table });
    const message = 'targets must be a list of cells, three whole numbers each';
    expect(() => answerRow([130, 130, 0, 1, 0, 50, [], targets as never])).toThrow(message);
    expect(() => asked!.targets!(targets as never)).toThrow(message);
    const row: Row = [130, 130, 0, 1, 0, 50, [], null];
    answerRow(row);
    expect(row[7]).toBeNull();
  });

  it.each<[cells: (number | number[])[], targets: number[][] | null, message: string]>([
    [[256, 130, 0, 1, 0, 50, []], null, 'cell 1 is not a whole number from 0 to 255: 256'],
    [[130, -1, 0, 1, 0, 50, []], null, 'cell 2 is not a whole number from 0 to 255: -1'],
    [[130, 130, 8, 1, 0, 50, []], null, 'cell 3 is not a whole number from 0 to 7: 8'],
    [[130, 130, 0.5, 1, 0, 50, []], null, 'cell 3 is not a whole number from 0 to 7: 0.5'],
    ...[
      [1, 2, 3],
      [1, 2, 3, 3],
      [1, 2, 3.5, 1],
      [2 ** 31, 2, 3, 1],
    ].map((held): [(number | number[])[], null, string] => [
      [130, 130, 0, 1, 0, 50, held],
      null,
      `cell 7 is not a list of x, y, z and size, 1 or 2, of each actor: [${held}]`,
    ]),
    ...[
      [256, 0, 0],
      [0, 0, 8],
      [0, 0],
      [0, 0.5, 0],
    ].map((target): [number[], number[][], string] => [
      [130, 130, 0, 1, 0, 50],
      [[130, 130, 0], target],
      `targets[1] must begin with x and y, 0 to 255, and z, 0 to 7, got [${target}]`,
    ]),
  ])('name the column of a cell that is out of range: %j to %j', (cells, targets, message) => {
    const columns = ['x', 'y', 'z', 'size', 'crouched', 'limit', 'blocked', 'targets'];
    const header = { game: 'ufoai', map: 'house', kind: 'paths', columns } as RowHeader;
    const { answer: answerRow } = ufoai.rows.paths!.open(header, { ...source, load: () => table });
    const row = [...cells.slice(0, 6), cells[6] ?? [], targets] as Row;
    expect(() => answerRow(row)).toThrow(message);
  });

  it('name the column of a cell to which a far path is wanted', () => {
    const columns = ufoai.rows.farpaths!.question;
    const header = { game: 'ufoai', map: 'house', kind: 'farpaths', columns } as RowHeader;
    const { answer: answerRow } = ufoai.rows.farpaths!.open(header, { ...source, load: () => table });
    const row = columns.map((name) =>
      name === 'tz' ? 9 : name === 'size' ? 1 : name === 'blocked' ? [] : 130,
    ) as Row;
    row[columns.indexOf('z')] = 0;
    expect(() => answerRow(row)).toThrow(
      `cell ${columns.indexOf('tz') + 1} is not a whole number from 0 to 7: 9`,
    );
  });

  it('of boxes: one tile, all tiles, one head', () => {
    const names = ['mode', 'tile', 'head', 'levelmask', ...MOVE, ...BOX];
    const rest = [0x1ff, ...move, 0x10003, 0x20020, -9, -9, -24, 9, 9, 20];
    const box = world.box([-9, -9, -24], [9, 9, 20], { compat: 'engine' });
    for (const [mode, tracer] of [
      [0, box],
      [1, box],
      [2, world.box([-9, -9, -24], [9, 9, 20], { tile: 0, head: 5, compat: 'engine' })],
    ] as const) {
      const { fraction, contents, texture } = tracer.trace(outside, inside);
      const given = answer('box', names, [mode, 0, 5, ...rest]);
      expect(given.fraction).toBeCloseTo(fraction, 8);
      expect(given).toMatchObject({ contentFlags: contents, texinfo: texture, mapTile: 0 });
    }
    for (const mode of [3, -1]) {
      const ask = (): unknown => answer('box', names, [mode, 0, 5, ...rest]);
      expect(ask).toThrow(`cell 1 is not 0, 1 or 2: ${mode}`);
    }
  });

  it('of models, and of the world with its models, posed as the header says', () => {
    const model = ['model', 'ox', 'oy', 'oz', 'ax', 'ay', 'az', 'useShift', 'fractionIn'];
    const box = [-1, 0, 0, 0, 0, 0, 0, 0];
    const through = [384, 50, 30, 384, 200, 30];
    const names = [...model, ...MOVE, ...BOX];
    const at = (origin: number[], limit: number): number[] => [1, ...origin, 0, 0, 0, 1, limit];
    const hit = answer('model', names, [...at([352, 100, 32], 1), ...through, ...box]);
    expect(hit).toMatchObject({ ny: -1, contentFlags: 0xff01 });
    const limited = answer('model', names, [...at([352, 100, 32], 0.25), ...through, ...box]);
    expect(limited).toMatchObject({ fraction: 0.25, ny: 0 });
    expect(() => answer('model', names, [9, ...at([0, 0, 0], 1).slice(1), ...through, ...box])).toThrow(
      'cell 1 is not the number of a model, 1 to 3: 9',
    );
    const entNames = ['levelmask', ...MOVE, ...BOX];
    const ent = [255, ...through, ...box];
    expect(answer('ent', entNames, ent)).toMatchObject({ blocked: 1, contentFlags: 0xff01 });
    const models = [{ name: '*1', origin: [352, 300, 32], angles: [0, 0, 0] }];
    expect(answer('ent', entNames, ent, { models })).toMatchObject({ blocked: 0, fraction: 1 });
  });

  it('of an assembly, whose tiles the header names', () => {
    const tiles = [
      { map: 'house', x: 0, y: 0, z: 0 },
      { map: 'house', x: 30, y: 0, z: 1 },
    ];
    const moved = move.map((x, k) => x + [960, 0, 64][k % 3]!);
    const given = answer('line', ['levelmask', ...MOVE], [255, ...moved], { tiles });
    expect(given).toMatchObject({ blocked: 1, dmx: 1216, dmy: 96, dmz: 94 });
  });

  it('names what is wrong with a row', () => {
    expect(() => answer('line', ['levelmask', ...MOVE.slice(1)], [1, ...move.slice(1)])).toThrow(
      `missing columns: ${MOVE[0]}`,
    );
  });
});
