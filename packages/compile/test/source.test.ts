import { describe, expect, it } from 'vitest';
import {
  boxBrush,
  COMPILE_TARGETS,
  CompileError,
  type CompileFormat,
  type CompileOptions,
  commonMaterial,
  compileMap,
  formatMap,
  type MapSource,
  moveBrush,
  roomBrushes,
  type SourceBrush,
  type SourceSide,
} from '../src/index.ts';
import { fitName } from '../src/target.ts';
import { SOLID } from '../src/targets/quake1/flags.ts';
import { TextureTable } from '../src/targets/quake1/textures.ts';
import { readQuake1File } from './read/quake1.ts';

const box = boxBrush([0, 0, 0], [64, 32, 16]);
const world = (properties: object): MapSource => ({
  entities: [{ properties: { classname: 'worldspawn', ...properties }, brushes: [box] }],
});
const with_ = (side: object): SourceBrush => ({ sides: box.sides.map((old) => ({ ...old, ...side })) });

describe.each(COMPILE_TARGETS.map(({ id }) => id))('compiling to %s', (format) => {
  const compile = (map: unknown): (() => unknown) => {
    return () => compileMap(map as MapSource, { format });
  };

  it.each([
    ['no entities', { entities: [] }],
    ['no brushes', []],
    [
      'a hint and an origin alone',
      [
        { ...box, material: 'hint' },
        { ...box, material: 'origin' },
      ],
    ],
  ])('refuses a map with %s', (_, map) => {
    expect(compile(map)).toThrow(expect.objectContaining({ code: 'empty' }));
  });

  it('treats a key without a value like one that is missing', () => {
    // TypeScript gives object literals with different keys one type, in which each has the others' keys as undefined.
    const world = { properties: { classname: 'worldspawn' }, brushes: [box] };
    const entities = [world, { properties: { classname: 'light', origin: '0 0 99' } }];
    const holes = { classname: 'worldspawn', origin: undefined, 7: undefined };
    const map = { entities: [{ ...world, properties: holes }, ...entities.slice(1)] };
    expect(compileMap(map, { format }).bytes).toEqual(compileMap({ entities }, { format }).bytes);
    expect(formatMap(map, { format })).toBe(formatMap({ entities }, { format }));
  });

  it('refuses brushes of more sides than there is time for', () => {
    const sides = Array.from({ length: 1025 }, (_, k) => box.sides[k % 6]!);
    expect(compile([{ sides }])).toThrow(
      'entity 0, brush 0: a brush may have at most 1024 sides, but this one has 1025',
    );
    expect(compile([{ sides: sides.slice(1) }])).not.toThrow();
  });

  it('refuses more entities than readers accept', () => {
    const light = { properties: { classname: 'light' } };
    const map = { entities: [...world({}).entities, ...Array.from({ length: 65_536 }, () => light)] };
    expect(compile(map)).toThrow('a map holds at most 65536 entities, but the map has 65537');
  });

  it.each([
    [
      'a NUL in a value',
      world({ message: 'a\0b' }),
      /^entity 0: the value of 'message' holds the character U\+0000/,
    ],
    ['a quote in a value', world({ message: 'say "hello"' }), /holds the character "/],
    ['a line break in a value', world({ message: 'a\nb' }), /U\+000a/],
    ['a quote in a key', world({ 'a"b': '' }), /^entity 0: the key holds/],
    ['a letter that is not Latin in a material', [{ ...box, material: 'мост' }], /U\+043c/],
    ['a quote in a material', [{ ...box, material: 'a"b' }], /^entity 0, brush 0: the material holds/],
    [
      'a NUL in a material of a side',
      [with_({ material: '\0' })],
      /^entity 0, brush 0, side 0: the material/,
    ],
  ])('refuses %s', (_, map, message) => {
    expect(compile(map)).toThrow(message);
    expect(compile(map)).toThrow(expect.objectContaining({ code: 'unwritable' }));
  });

  it('keeps Latin-1 as it is', () => {
    const { bytes } = compileMap(world({ message: 'Brücke é ÿ' }), { format });
    const text = Buffer.from(bytes).toString('latin1');
    expect(text).toContain('"message" "Brücke é ÿ"');
  });

  it('writes other characters as question marks, and says so where they would have been kept', () => {
    const { entities } = world({ message: 'мост 🌉', wad: 'C:\\q.wad' });
    const layer = { properties: { classname: 'func_group', _tb_name: 'мост' }, brushes: [box], line: 7 };
    const { bytes, warnings } = compileMap({ entities: [{ ...entities[0]!, line: 1 }, layer] }, { format });
    expect(Buffer.from(bytes).toString('latin1')).toContain('"message" "???? ?"');
    const told = warnings.filter(({ code }) => code === 'characters');
    expect(told.map(({ message }) => message)).toEqual([
      "line 1, entity 0: the value of 'message' has characters such as м, which files cannot hold; they become '?'",
    ]);
  });

  it('adds detail brushes of every kind to the world, except those that stop nothing', () => {
    const shifted = (x: number) => boxBrush([x, 0, 0], [x + 64, 32, 16]);
    const part = (classname: string, x: number) => ({ properties: { classname }, brushes: [shifted(x)] });
    const classes = ['func_detail', 'func_detail_wall', 'func_detail_fence'];
    const parts = classes.map((name, k) => part(name, 100 * (k + 1)));
    const alone = {
      entities: [
        {
          properties: { classname: 'worldspawn' },
          brushes: [box, ...classes.map((_, k) => ({ ...shifted(100 * (k + 1)), detail: true }))],
        },
      ],
    };
    const open = part('func_detail_illusionary', 400);
    const { bytes, warnings } = compileMap({ entities: [...world({}).entities, ...parts, open] }, { format });
    expect(bytes).toEqual(compileMap(alone, { format }).bytes);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'brush-left-out', entity: 4 }));
    const wrong = { ...open, brushes: [{ sides: box.sides.slice(1) }] };
    expect(compile({ entities: [...world({}).entities, wrong] })).toThrow(
      /^entity 1, brush 0: the planes leave/,
    );
  });

  it('merges all worlds into one, with the keys of the first', () => {
    const second = world({ message: 'second' }).entities[0]!;
    const other = boxBrush([100, 0, 0], [164, 32, 16]);
    const source = { entities: [...world({ message: 'first' }).entities, { ...second, brushes: [other] }] };
    const { bytes, warnings } = compileMap(source, { format });
    const both = world({ message: 'first' }).entities[0]!;
    expect(bytes).toEqual(compileMap({ entities: [{ ...both, brushes: [box, other] }] }, { format }).bytes);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'second-world', entity: 1 }));
  });

  it('warns about entities without a place, and about those that lack the model they need', () => {
    const marker = boxBrush([8, 8, 32], [16, 16, 40], { material: 'common/origin' });
    const entities = [
      { properties: { classname: 'light', origin: '8 8' } },
      { properties: { classname: 'func_door', origin: '8, 8, 40' }, brushes: [moveBrush(box, [0, 0, 64])] },
      { properties: { classname: 'func_door', origin: ' ' }, brushes: [marker] },
      { properties: { classname: 'func_wall', model: '*1' } },
      { properties: { classname: 'func_wall', model: '*2' }, line: 70 },
      { properties: { classname: 'func_wall', model: '*2' }, brushes: [marker] },
      ...['*0', '*', '*door', 'maps/door.bsp'].map((model) => ({
        properties: { classname: 'func_wall', model },
      })),
    ];
    const { warnings } = compileMap({ entities: [...world({}).entities, ...entities] }, { format });
    expect(
      warnings.map(({ message }) => message).filter((message) => /origin '|model/.test(message)),
    ).toEqual([
      "entity 1: the origin '8 8' is not three numbers that games can hold, and counts as none",
      "entity 2: the origin '8, 8, 40' is not three numbers that games can hold, and counts as none",
      'entity 3: leaves nothing in the file, so it has no model',
      'entity 6: leaves nothing in the file, so it has no model',
      'line 70, entity 5: names the model *2, which the map does not have',
      'entity 6: names the model *2, which the map does not have',
      'entity 7: names the model *0, which is the world',
      'entity 8: names the model *, which the map does not have',
      'entity 9: names the model *door, which the map does not have',
    ]);
  });

  it('takes the place of a model from its origin brush, whatever its key says', () => {
    const marker = boxBrush([-4, -4, -4], [4, 4, 4], { material: 'common/origin' });
    const compileFan = (place: number, origin: string | undefined) => {
      const brushes = [box, marker].map((brush) => moveBrush(brush, [place, 0, 0]));
      const fan = { properties: { classname: 'func_rotating', origin }, brushes };
      const { bytes } = compileMap({ entities: [...world({}).entities, fan] }, { format });
      return /"func_rotating"\n("origin" ".*")?/.exec(Buffer.from(bytes).toString('latin1'))?.[1];
    };
    expect(compileFan(24, '10 0 0')).toBe('"origin" "24 0 0"');
    // In the middle of the map, too.
    expect(compileFan(0, '10 0 0')).toBe('"origin" "0 0 0"');
    expect(compileFan(0, undefined)).toBe(undefined);
  });

  it('warns about entities without a class', () => {
    const source = { entities: [...world({}).entities, { properties: { origin: '0 0 99' }, line: 9 }] };
    expect(compileMap(source, { format }).warnings).toContainEqual({
      code: 'no-classname',
      entity: 1,
      line: 9,
      message: 'line 9, entity 1: has no classname, so games ignore it',
    });
  });

  it.each([
    [
      'levels of 300',
      [{ ...box, levels: 300 }],
      /^entity 0, brush 0: levels must be a whole number in 0..255/,
    ],
    ['levels of -1', [{ ...box, levels: -1 }], /levels must/],
    ['half a value', [with_({ value: 0.5 })], /^entity 0, brush 0, side 0: value must be a whole number/],
    [
      'a texture nowhere',
      [with_({ texture: { s: [0, 0, Number.NaN, 0], t: [0, 1, 0, 0] } })],
      /texture axes/,
    ],
    ['a texture of 1e39', [with_({ texture: { s: [0, 0, 1e39, 0], t: [0, 1, 0, 0] } })], /texture axes/],
    [
      'a texture that ends up at 3e39 in its model',
      {
        entities: [
          ...world({}).entities,
          {
            properties: { classname: 'func_wall', origin: '10 0 0' },
            brushes: [with_({ material: 'nodraw', texture: { s: [3e38, 0, 0, 0], t: [0, 1, 0, 0] } })],
          },
        ],
      },
      /^entity 1, brush 0, side 0: texture axes must be finite, got 3e\+38 0 0 3e\+39 0 1 0 0$/,
    ],
  ])('refuses %s', (_, map, message) => {
    expect(compile(map)).toThrow(message);
    expect(compile(map)).toThrow(expect.objectContaining({ code: 'limit' }));
  });

  it.each([
    [{ entities: {} }, 'map.entities must be an array, got an object'],
    [{ entities: [null] }, 'map.entities[0] must be an object, got null'],
    [{ entities: [{}] }, 'map.entities[0].properties must be an object, got undefined'],
    [world({ wait: 5 }), "map.entities[0].properties['wait'] must be a string, got 5"],
    [{ entities: [{ properties: {}, brushes: 'no' }] }, "map.entities[0].brushes must be an array, got 'no'"],
    [
      { entities: [{ properties: {}, brushes: [box, {}] }] },
      'map.entities[0].brushes[1].sides must be an array, got undefined',
    ],
    [[box, 5], 'map[1] must be an object, got 5'],
    [[{}], 'map[0].sides must be an array, got undefined'],
    [[{ sides: [7] }], 'map[0].sides[0] must be an object, got 7'],
    [[{ sides: [{}] }], 'map[0].sides[0].normal must be three numbers, got undefined'],
    [[with_({ normal: [0, '1', 0] })], 'map[0].sides[0].normal must be three numbers, got an array'],
    [[with_({ dist: '64' })], "map[0].sides[0].dist must be a number, got '64'"],
    [[with_({ texture: 7 })], 'map[0].sides[0].texture must be an object, got 7'],
    [
      [with_({ texture: { s: { ...[1, 0, 0, 8] }, t: [0, 1, 0, 0] } })],
      'map[0].sides[0].texture.s must be four numbers, got an object',
    ],
    [
      [with_({ texture: { s: [1, 0, 0, '8'], t: [0, 1, 0, 0] } })],
      'map[0].sides[0].texture.s must be four numbers, got an array',
    ],
    [
      [with_({ texture: { s: [1, 0, 0, 8] } })],
      'map[0].sides[0].texture.t must be four numbers, got undefined',
    ],
    [[with_({ material: 3 })], 'map[0].sides[0].material must be a string, got 3'],
    [
      { entities: [{ properties: {}, patches: [{}] }] },
      'map.entities[0].patches[0].material must be a string, got undefined',
    ],
    [
      {
        entities: [{ properties: {}, patches: [{ material: '', width: 3, height: 3, points: [[0, 0, 0]] }] }],
      },
      'map.entities[0].patches[0].points[0] must be five numbers, got an array',
    ],
    [
      { entities: [{ properties: {}, patches: [{ material: '', points: [{ ...[0, 0, 0, 0, 0] }] }] }] },
      'map.entities[0].patches[0].points[0] must be five numbers, got an object',
    ],
  ])('names what is wrong in %j', (map, message) => {
    expect(compile(map)).toThrow(new TypeError(message));
  });

  it('refuses flags that are not 32 bits', () => {
    expect(compile([{ ...box, contents: 2 ** 40 }])).toThrow(RangeError);
    expect(compile([with_({ surface: 0.5 })])).toThrow(RangeError);
  });

  it.each([
    [[box, { ...box, contents: 'mud' }], "entity 0, brush 1: contents: unknown name 'mud'"],
    [
      [with_({ contents: ['solid', 'mud'] })],
      "entity 0, brush 0, side 0: contents: unknown name 'mud'; known names are solid",
    ],
    [
      [with_({ surface: 'shiny' })],
      "entity 0, brush 0, side 0: surface: unknown name 'shiny'; known names are nodraw",
    ],
  ])('says where flags have an unknown name in %j', (map, message) => {
    expect(compile(map)).toThrow(RangeError);
    expect(compile(map)).toThrow(message);
  });

  it('warns once about a material whose name is cut off', () => {
    const brush = { ...box, material: `folder/${'long'.repeat(20)}` };
    const { warnings } = compileMap([brush], { format });
    expect(warnings).toHaveLength(['quake1', 'quake2'].includes(format) ? 2 : 1);
    expect(warnings.at(-1)).toMatchObject({ code: 'name-cut' });
    const [, cut] = /'.*longlong.*' is cut to '(.*long.*)'$/.exec(warnings.at(-1)!.message)!;
    // A NUL ends it in the file.
    expect(cut).toHaveLength({ quake1: 16, quake2: 32, quake3: 64, ufoai: 32 }[format] - 1);
  });
});

describe('maps of which little is left', () => {
  it('have a corner for edge 0 in Quake 1, even without faces', () => {
    const { bytes, stats } = compileMap([{ ...box, material: 'clip' }], { format: 'quake1' });
    expect(stats.counts).toMatchObject({ vertexes: 1, edges: 1, faces: 0 });
    expect(readQuake1File(bytes).contents(1, [32, 16, 8])).toBe(-2);
  });

  it('are refused by UFO:AI when none of their brushes has a meaning there', () => {
    expect(() => compileMap([{ ...box, material: 'fog' }], { format: 'ufoai' })).toThrow(
      expect.objectContaining({ code: 'empty' }),
    );
  });
});

describe('common materials', () => {
  it.each([
    ['common/hint', 0],
    ['textures/common/hintskip', 0],
    ['common/nodrawnonsolid', 0],
    ['common/trigger', 'trigger'],
    ['COMMON/Clip', 'playerclip'],
    ['*slime1', 'slime'],
    ['liquids/hot_lava', 'lava'],
    ['*teleport', 'water'],
    ['!water2', 'water'],
    ['!ToxicSlime', 'slime'],
    ['common/caulk', undefined],
    ['skies/dusk', 'sky'],
    ['base/sky_dawn', 'sky'],
  ])('%s has contents %s', (name, contents) => {
    const material = commonMaterial(name);
    expect(material).toBeDefined();
    expect(material!.contents).toBe(contents);
  });

  it('do not include other names', () => {
    for (const name of ['base/wall', 'hints', 'hint/wall', 'constructor'])
      expect(commonMaterial(name)).toBeUndefined();
  });
});

describe('textures that are too small', () => {
  /** A box of 20 units with a texture `texels` texels a unit. */
  const papered = (x: number, texels: number): SourceBrush => ({
    material: 'wall/tiles',
    sides: boxBrush([x, 0, 0], [x + 20, 20, 20]).sides.map((side): SourceSide => {
      const alongX = [texels, 0, 0, 0] as const;
      const alongY = [0, texels, 0, 0] as const;
      const alongZ = [0, 0, texels, 0] as const;
      const { normal } = side;
      if (normal[2] !== 0) return { ...side, texture: { s: alongX, t: alongY } };
      return { ...side, texture: { s: normal[0] !== 0 ? alongY : alongX, t: alongZ } };
    }),
  });
  const refusal = (brushes: readonly SourceBrush[], format: CompileFormat, options = {}): string => {
    try {
      compileMap(brushes, { format, ...options } as CompileOptions);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      expect(error).toMatchObject({ code: 'limit', entity: 0, brush: 1 });
      return error.message;
    }
    throw new Error('nothing was thrown');
  };
  const boxes = [
    papered(0, 1),
    papered(40, 3000),
    ...Array.from({ length: 10 }, (_, k) => papered(80 + 40 * k, 2000)),
  ];
  const problem =
    'by their textures, faces come to 2041686 pieces for their light, where the compiler takes on at most 131144: ' +
    "'wall/tiles' is so small on this brush that one makes 62500; give it a greater scale";

  // The pieces are counted without making them, which would take a minute, and more memory than the limit below.
  it('are refused at the brush with the smallest', () => {
    for (const options of [{}, { bsp2: false }, { bsp2: true }]) {
      expect(refusal(boxes, 'quake1', options)).toBe(`entity 0, brush 1: ${problem}`);
    }
    expect(refusal(boxes, 'quake2')).toBe(`entity 0, brush 1: ${problem}`);
  });

  it('are refused whatever their scale', () => {
    for (const texels of [1e6, 1e12, 1e33]) {
      expect(refusal([box, papered(80, texels)], 'quake1')).toMatch(
        /^entity 0, brush 1: by their textures, faces come to/,
      );
    }
  });

  it('are cut where that makes only a few thousand pieces', () => {
    for (const format of ['quake1', 'quake2'] as const) {
      const { faces } = compileMap([papered(0, 600)], { format }).stats.counts;
      expect(faces).toBeGreaterThan(6 * 50 ** 2 - 1);
    }
  });

  it('do not matter on faces that nobody sees', () => {
    const room = (texels: number): MapSource => {
      const [floor, ...walls] = roomBrushes([0, 0, 0], [256, 256, 128], 16);
      const outside = floor!.sides.map((side) => ({
        ...side,
        ...(side.normal[2] === -1 ? { texture: { s: [texels, 0, 0, 0], t: [0, texels, 0, 0] } } : {}),
      })) as SourceSide[];
      const start = { classname: 'info_player_start', origin: '64 64 32' };
      return {
        entities: [
          { properties: { classname: 'worldspawn' }, brushes: [{ ...floor, sides: outside }, ...walls] },
          { properties: start },
        ],
      };
    };
    for (const format of ['quake1', 'quake2'] as const) {
      const [fine, plain] = [1e6, 1].map((texels) => compileMap(room(texels), { format }).stats.counts);
      expect(fine).toEqual(plain);
    }
  });

  it('are counted without the pieces that are too small for the file', () => {
    // Its texture alone would give 70,000 strips, which are too thin to cut.
    const strips = with_({ texture: { s: [262_500, 0, 0, 0], t: [0, 1, 0, 0] } });
    const brush = { sides: box.sides.map((side, k) => (side.normal[2] === 1 ? strips.sides[k]! : side)) };
    for (const options of [{ format: 'quake1', bsp2: false }, { format: 'quake2' }] as const) {
      const { faces } = compileMap([brush], options).stats.counts;
      expect(faces).toBe(6);
    }
  });
});

describe('many names', () => {
  const names = Array.from({ length: 50_000 }, (_, k) => `base/a_name_that_is_too_long_${k}`);

  it('are cut without going through the previous warnings', () => {
    let told = 0;
    const warnings = {
      push: () => {
        told++;
      },
    };
    const made = { warnings: warnings as never, cutNames: new Set<string>() };
    for (const name of [...names, ...names]) fitName(name, 20, made);
    expect(told).toBe(names.length);
  });

  // So many that this would exceed the time limit of a test if each went through all those before it.
  it('of textures are numbered in time', () => {
    const many = Array.from({ length: 250_000 }, (_, k) => k);
    const table = new TextureTable({ warnings: [], cutNames: new Set<string>() } as never, false);
    const axes = { s: [1, 0, 0, 0], t: [0, 1, 0, 0] } as const;
    const numbers = many.map((k) =>
      table.number({ material: { name: `t${k}` }, texture: axes } as never, SOLID),
    );
    expect(numbers.findIndex((number, k) => number !== k)).toBe(-1);
    expect(table.textureCount).toBe(many.length);
  });
});
