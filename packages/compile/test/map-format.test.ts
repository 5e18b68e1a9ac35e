import { between, createRandom } from '@bspkit/geometry';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxBrush,
  COMPILE_TARGETS,
  CompileError,
  type CompileFormat,
  compileMap,
  formatMap,
  type MapSource,
  moveBrush,
  parseMap,
  pillarBrush,
  rampBrush,
  type SourceBrush,
  type SourceSide,
} from '../src/index.ts';
import { PlaneSet } from '../src/planes.ts';
import { roundedBox, roundedBoxes } from './rounded.ts';

const FORMATS: readonly CompileFormat[] = COMPILE_TARGETS.map(({ id }) => id);
const PLAIN = 'no format';
type TextFormat = CompileFormat | typeof PLAIN;

/** Compiles a map directly and from its text; the files must be the same for every game that reads the text. */
function expectSame(map: MapSource, text: TextFormat): void {
  const format = text === PLAIN ? undefined : text;
  const back = parseMap(formatMap(map, { format }), { format });
  for (const game of format ? [format] : FORMATS) {
    const [first, second] = [map, back].map((source) =>
      Buffer.from(compileMap(source, { format: game }).bytes),
    );
    if (!first!.equals(second!))
      throw new Error(`other bytes for ${game}, by way of ${formatMap(map, { format })}`);
  }
}

/** A side's plane as a file stores it. */
function asStored({ normal, dist }: SourceSide): unknown {
  const planes = new PlaneSet();
  const number = planes.find(normal[0]!, normal[1]!, normal[2]!, dist);
  return { number, n: [planes.nx[0], planes.ny[0], planes.nz[0]], dist: planes.dist[0] };
}

const world = (brushes: readonly SourceBrush[]): MapSource => ({
  entities: [{ properties: { classname: 'worldspawn' }, brushes }],
});
/** Maps of all the brushes: a single one of those of a proof run would be more than games hold. */
const worlds = (brushes: readonly SourceBrush[]): MapSource[] =>
  Array.from({ length: Math.ceil(brushes.length / 120) }, (_, k) =>
    world(brushes.slice(120 * k, 120 * (k + 1))),
  );
const with_ = (brush: SourceBrush, side: object): SourceBrush => ({
  ...brush,
  sides: brush.sides.map((old) => ({ ...old, ...side })),
});
const box = boxBrush([0, 0, 0], [64, 32, 16]);

const number = fc.oneof(
  fc.integer({ min: -64, max: 64 }).map((x) => x * 8),
  fc.integer({ min: -4096, max: 4096 }).map((x) => x / 8),
  fc.double({ min: -512, max: 512, noNaN: true }),
);
const point = fc.tuple(number, number, number);
const shape = fc.oneof(
  fc
    .tuple(point, fc.integer({ min: 1, max: 99 }))
    .map(([[x, y, z], s]) => boxBrush([x, y, z], [x + s, y + 2 * s, z + 9])),
  fc
    .tuple(point, fc.integer({ min: 3, max: 9 }))
    .map(([base, corners]) => pillarBrush(base, 40, 64, corners)),
  fc.integer().map((seed) => roundedBox(createRandom(seed)) ?? box),
  fc
    .constantFrom('+x', '-x', '+y', '-y')
    .map((heading) => rampBrush([1, 2, 3], [60, 50, 40], heading as '+x')),
);
const latin = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((c) => c !== 0x22 && c !== 0x7f)
    .map((c) => String.fromCharCode(c)),
  maxLength: 9,
});
const name = fc.oneof(
  latin,
  fc.constantFrom(
    'wall',
    '*water',
    '*lava',
    'common/clip',
    'skies/dusk',
    'caulk',
    'hint',
    '//x',
    'a b',
    '}',
    '{',
    '(',
    '7',
  ),
);
const optional = <T>(value: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: value, weight }, { arbitrary: fc.constant(undefined), weight: 10 });
const contents = fc.constantFrom(
  'solid',
  'water',
  'window',
  'playerclip',
  'fog',
  'solid,terrain',
  'slime',
  'passable',
  'origin',
);
// Finer textures would be cut into thousands of faces in Quake 1.
const slope = number.map((x) => x / 256);
const axis = fc.tuple(slope, slope, slope, number);
const texture = fc.oneof(
  fc.tuple(axis, axis).map(([s, t]) => ({ s, t })),
  fc.constantFrom(
    { s: [0.5, 0, 0, 8], t: [0, -0.25, 0, -0] } as const,
    { s: [0, 1, 0, 0], t: [-0, 0, -1, 0] } as const,
  ),
);
const side = fc.record({
  material: optional(name, 10),
  contents: optional(contents),
  surface: optional(fc.constantFrom('nodraw', 'light,phong', 'slick', 'sky', 0)),
  value: optional(fc.integer({ min: 0, max: 300 })),
  texture: optional(texture, 5),
});
const brush = fc
  .record({
    shape,
    side: optional(side, 10),
    first: optional(side),
    material: optional(name, 10),
    contents: optional(contents),
    detail: optional(fc.boolean()),
    levels: optional(fc.integer({ min: 0, max: 255 })),
  })
  .map(({ shape: { sides }, side: every = {}, first = {}, ...own }): SourceBrush => {
    return {
      ...own,
      sides: sides.map((old, k): SourceSide => ({ ...old, ...every, ...(k === 0 ? first : {}) })),
    };
  });
const patch = fc
  .array(fc.tuple(number, number, number, number, number), { minLength: 9, maxLength: 9 })
  .map((points) => ({
    material: 'curves/arch',
    width: 3,
    height: 3,
    points,
  }));
const entity = fc
  .record({
    classname: fc.constantFrom('worldspawn', 'func_door', 'func_group', 'func_detail', 'light', ''),
    keys: fc.dictionary(latin, latin, { maxKeys: 3 }),
    origin: optional(point, 10),
    brushes: optional(fc.array(brush, { maxLength: 4 }), 40),
    patches: optional(fc.array(patch, { maxLength: 1 })),
  })
  .map(({ classname, keys, origin, ...parts }) => ({
    properties: { ...keys, classname, ...(origin ? { origin: origin.join(' ') } : {}) },
    ...parts,
  }));
const map = fc.array(entity, { minLength: 1, maxLength: 3 }).map((entities) => ({ entities }));

// BSPKIT_RUNS_TEXT sets how many random maps (and ten times as many rounded boxes) make the round trip; proof runs use thousands.
const runs = { numRuns: Number(process.env.BSPKIT_RUNS_TEXT ?? 12) };

describe.each<TextFormat>([PLAIN, ...FORMATS])('text for %s', (text) => {
  it('compiles to the same bytes as the map it was written from, or is refused', () => {
    fc.assert(
      fc.property(map, (source) => {
        try {
          expectSame(source, text);
        } catch (error) {
          // Most are refused, and then they do not count.
          fc.pre(!(error instanceof CompileError));
          throw error;
        }
      }),
      { numRuns: Math.ceil(runs.numRuns / 5) },
    );
  });
});

describe('text', () => {
  it('keeps overlapping liquids, which a game may take for one', () => {
    const liquids = ['*slime', '*water', '*lava'].map((material, k) =>
      boxBrush([20 * k, 20 * k, 20 * k], [100 - 10 * k, 100, 100], { material }),
    );
    for (const { id } of COMPILE_TARGETS) expectSame(world(liquids), id);
  });

  it('keeps diagonals, where the last bit decides which axis a side is nearest to', () => {
    const random = createRandom(1);
    const pillars = Array.from({ length: runs.numRuns }, (_, i) => {
      const base = [between(random, -900, 900), between(random, -900, 900), 0];
      return pillarBrush(base, between(random, 5, 90), 64, [4, 8, 12][i % 3]!);
    });
    for (const source of worlds(pillars)) expectSame(source, PLAIN);
  });

  it('keeps sides that lean as much along one axis as along another', () => {
    const random = createRandom(1);
    const brushes = Array.from({ length: 10 * runs.numRuns }, (_, i) => {
      const lean = i % 4 === 0 ? 1 : between(random, -2, 2);
      const normal = [lean, 1, 1];
      [normal[i % 3], normal[0]] = [normal[0]!, normal[i % 3]!];
      if (i % 2 === 1) normal[2]! *= -1;
      const length = Math.sqrt(lean * lean + 2);
      const middle = [0, 1, 2].map(() => between(random, -900, 900));
      const unit = normal.map((n) => n / length) as [number, number, number];
      const dist = unit.reduce((sum, n, k) => sum + n * middle[k]!, 0);
      const { sides } = boxBrush(
        middle.map((m) => m - 40),
        middle.map((m) => m + 40),
      );
      return { sides: [...sides, { normal: unit, dist }] };
    });
    for (const source of worlds(brushes)) expectSame(source, 'quake3');
    for (const source of worlds(brushes.slice(0, runs.numRuns))) expectSame(source, PLAIN);
  });

  it('keeps every side of rounded boxes, even those that nearly share a plane', () => {
    const brushes = roundedBoxes(7, 10 * runs.numRuns);
    const back = parseMap(formatMap(world(brushes))).entities[0]!.brushes!;
    for (const [k, { sides }] of brushes.entries()) {
      const read = back[k]!.sides;
      expect(read).toHaveLength(sides.length);
      for (const [i, side] of sides.entries()) expect(asStored(read[i]!)).toEqual(asStored(side));
    }
  });

  it('gives planes by corners where these are whole numbers', () => {
    const text = formatMap(
      world([boxBrush([-8, -8, 0.125], [8, 8, 64]), rampBrush([0, 0, 0], [64, 64, 24], '+x')]),
    );
    for (const match of text.matchAll(/\(([^)]*)\)/g)) expect(match[1]).toMatch(/^( -?\d+(\.125)?){3} $/);
  });

  it("has the world's map version where it has Valve 220 axes, and files do not", () => {
    const texture = { s: [0, 0.5, 0, 3], t: [0, 0, -2, 4] } as const;
    const textured = formatMap(world([with_(box, { texture })]));
    expect(parseMap(textured).entities[0]!.properties).toEqual({
      classname: 'worldspawn',
      mapversion: '220',
    });
    expect(parseMap(textured).entities[0]!.brushes![0]!.sides[0]!.texture).toEqual(texture);
    expect(
      Buffer.from(compileMap(parseMap(textured), { format: 'quake1' }).bytes).includes('mapversion'),
    ).toBe(false);
    const plain = formatMap({ entities: [{ properties: { mapversion: '220' }, brushes: [box] }] });
    expect(plain).not.toContain('mapversion');
  });

  it('has old texture axes for games that need them: offsets, rotation and scales', () => {
    const turned = [
      'wall 3 -4 0 1 1',
      'wall 0.5 0 30 0.25 0.5',
      'wall 8 8 -90 1 -2',
      'wall 0 0 33.75 -1 1.5',
      'wall 0 0 180 0.1 3',
      'wall 1 2 45.125 0.333333 0.7',
    ];
    const sides = formatMap(world([box]))
      .split('\n')
      .filter((line) => line.startsWith('('));
    const lines = sides.map((line, k) => line.replace('default 0 0 0 1 1', `${turned[k]} 65280 0 0`));
    const source = parseMap(`{\n{\n${lines.join('\n')}\n}\n}`);
    const text = formatMap(source, { format: 'ufoai' });
    expect(text).not.toContain('[');
    expect(text).toContain('wall 0.5 0 30 0.25 0.5 65280 0 0');
    expect(text).toContain('wall 1 2 45.125 0.333333 0.7 65280 0 0');
    expectSame(source, 'ufoai');
    expectSame(source, PLAIN);
  });

  it.each([...Array(24).keys()])(
    'has old texture axes for those of a file, turned by %d times 15.3 degrees',
    (k) => {
      const [sin, cos] = [Math.sin((15.3 * k * Math.PI) / 180), Math.cos((15.3 * k * Math.PI) / 180)];
      const texture = {
        s: [Math.fround(cos / 0.35), Math.fround(sin / 0.35), 0, Math.fround(17.3)],
        t: [Math.fround(sin / 0.7), Math.fround(-cos / 0.7), 0, 96],
      } as const;
      expectSame(
        world([{ ...box, sides: box.sides.map((side) => (side.normal[2] ? { ...side, texture } : side)) }]),
        'ufoai',
      );
    },
  );

  it.each([
    // As they were, or the same half a turn on.
    ['350 -1.6319 0.5999', '170 1.6319 -0.5999'],
    ['350 0.7 0.5999', '-10 0.7 0.5999'],
    ['350 1 0.5999', '-10 1 0.5999'],
    ['33.3 0.7 0.125', '33.3 0.7 0.125'],
    // Only the angles of both axes together are near enough to one of six digits.
    ['142.113843 0.104932 -2.5525', '142.113843 0.104932 -2.5525'],
  ])('has the numbers again that made texture axes of a file: %s', (numbers, again) => {
    const text = formatMap(world([box]), { format: 'ufoai' }).replaceAll('0 0 0 1 1', `3 4 ${numbers}`);
    const { sides } = parseMap(text).entities[0]!.brushes![0]!;
    const stored = sides.map(({ normal, dist, texture }) => {
      const [s, t] = [texture!.s, texture!.t].map((axis) => axis.map(Math.fround));
      return { normal, dist, texture: { s, t } as never };
    });
    const lines = formatMap(world([{ sides: stored }]), { format: 'ufoai' }).match(/ 3 4 .*/g)!;
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line).toMatch(new RegExp(`^ 3 4 ${again} `));
  });

  it.each<[rotation: number, s: [number, number], t: [number, number]]>([
    [0, [1, 0], [0, -1]],
    [90, [0, 1], [1, 0]],
    [180, [-1, 0], [0, 1]],
    [270, [0, -1], [-1, 0]],
    [-90, [0, -1], [-1, 0]],
    [-450, [0, -1], [-1, 0]],
    [360, [1, 0], [0, -1]],
  ])('turns old texture axes of a floor by exactly %d degrees', (rotation, [sx, sy], [tx, ty]) => {
    const text = formatMap(world([box]), { format: 'ufoai' }).replaceAll('0 0 0 1 1', `3 4 ${rotation} 1 1`);
    const { sides } = parseMap(text).entities[0]!.brushes![0]!;
    const { s, t } = sides.find(({ normal }) => normal[2] === 1)!.texture!;
    // Zeros of either sign.
    expect([...s, ...t].map((x) => x + 0)).toEqual([sx, sy, 0, 3, tx, ty, 0, 4]);
  });

  it.each<[string, TextFormat, SourceBrush, RegExp]>([
    [
      'contents',
      PLAIN,
      { ...box, contents: 'water' },
      /^entity 0, brush 0: contents water cannot be written to text without numbers/,
    ],
    [
      'contents',
      'quake3',
      { ...box, contents: 'water' },
      /contents water cannot be written to the text of Quake 3$/,
    ],
    ['contents', 'ufoai', { ...box, contents: 'fog' }, /contents fog cannot/],
    ['no contents', 'ufoai', { ...box, contents: 0 }, /contents 0 cannot/],
    [
      'surface flags',
      'quake1',
      with_(box, { surface: 'nodraw' }),
      /^entity 0, brush 0, side 0: surface nodraw cannot/,
    ],
    ['surface flags', 'ufoai', with_(box, { surface: 'flesh,light' }), /surface flesh cannot/],
    ['detail', PLAIN, { ...box, detail: true }, /contents solid, detail cannot/],
    ['levels', PLAIN, { ...box, levels: 3 }, /levels 3 cannot/],
    ['a value', PLAIN, with_(box, { value: 9 }), /side 0: value 9 cannot/],
    [
      'askew axes',
      'ufoai',
      with_(box, { texture: { s: [1, 0, 0, 0], t: [1, 1, 1, 0] } }),
      /side 0: offsets, a rotation and scales cannot say exactly how the texture lies: it is askew/,
    ],
    ...(['s', 't'] as const).map((name): [string, 'ufoai', SourceBrush, RegExp] => {
      const texture = { s: [0, 1, 0, 0], t: [0, 0, -1, 0], [name]: [0, 0, 0, 0] };
      return ['axes of length 0', 'ufoai', with_(box, { texture }), /side 0: .* an axis of length 0/];
    }),
  ])('does not lose %s for %s', (_, text, brush, message) => {
    const format = text === PLAIN ? undefined : text;
    expect(() => formatMap(world([brush]), { format })).toThrow(message);
    expect(() => formatMap(world([brush]), { format })).toThrow(
      expect.objectContaining({ code: 'unwritable' }),
    );
  });

  it('writes every liquid as water for a game that has no other', () => {
    const pools = ['liquids/slime', 'liquids/lava', 'liquids/pond'].map((material, k) => ({
      ...moveBrush(box, [128 * k, 0, 0]),
      material,
    }));
    const source = world([...pools, with_(moveBrush(box, [512, 0, 0]), { contents: 'slime' })]);
    const text = formatMap(source, { format: 'ufoai' });
    expect(text.match(/ 65312 0 0$/gm)).toHaveLength(24);
    expectSame(source, 'ufoai');
    expect(() => formatMap(source, { format: 'quake2' })).not.toThrow();
    expect(formatMap(source, { format: 'quake2' }).match(/ 16 0 0$/gm)).toHaveLength(12);
  });

  it('leaves out what its game does not need', () => {
    const odd = with_({ ...box, detail: true, levels: 3 }, { value: 9 });
    expect(formatMap(world([odd]), { format: 'quake1' })).not.toMatch(/ 9$/m);
    expect(formatMap(world([odd]), { format: 'quake3' })).toContain(' 134217728 0 0\n');
    expect(formatMap(world([odd]), { format: 'ufoai' })).toContain(` ${0x8000300} 0 9\n`);
  });

  it('uses the materials that it is given', () => {
    const materials = { moss: { contents: 'water' }, wall: {} };
    const source = world([{ ...box, material: 'moss', contents: 'water' }]);
    expect(() => formatMap(source)).toThrow(/contents water/);
    expect(formatMap(source, { materials })).toContain(' moss 0 0 0 1 1\n');
    expect(formatMap(source, { materials, format: 'ufoai' })).toContain(` ${0xff20} 0 0\n`);
    expect(() => formatMap(world([box]), { materials: { wall: {} } })).not.toThrow();
    expect(() => formatMap(world([{ ...box, material: 'rust' }]), { materials })).toThrow(
      /'rust' is not known/,
    );
    const rusty = world([{ ...box, material: 'rust' }]);
    expect(formatMap(rusty, { materials, unknownMaterial: 'solid' })).toContain(' rust 0 0 0 1 1\n');
    expect(() => formatMap(rusty, { unknownMaterial: 'error' })).toThrow(/'rust' is not known/);
    expect(() => formatMap(rusty, { unknownMaterial: 'water' as never })).toThrow(/^unknownMaterial must be/);
  });

  it('writes textures that are given as repeats in texels', () => {
    const texture = { s: [0.5, 0, 0, 0.25], t: [0, -0.5, 0, 1], repeats: true } as const;
    const source = world([with_(box, { texture })]);
    for (const format of ['quake2', 'quake3'] as const) expectSame(source, format);
    expect(formatMap(source, { format: 'quake3' })).toContain(' [ 32 0 0 16 ] [ 0 -32 0 64 ] 0 1 1 ');
  });

  it('has patches only for games with curves', () => {
    const points = Array.from({ length: 9 }, (_, i) => [i % 3, i, 2 * i, i / 8, 0.1] as const);
    const curve = { material: 'my curve', width: 3, height: 3, points };
    const source = { entities: [{ properties: {}, brushes: [box], patches: [curve] }] };
    expect(parseMap(formatMap(source)).entities[0]!.patches![0]).toMatchObject(curve);
    // As if -0 were 0, which is what the text has.
    const below = curve.points.map((at) =>
      at.map((x) => (x === 0 ? -0 : x)),
    ) as unknown as typeof curve.points;
    expectSame({ entities: [{ ...source.entities[0]!, patches: [{ ...curve, points: below }] }] }, 'quake3');
    expectSame(source, 'quake3');
    for (const { id: format, text } of COMPILE_TARGETS) {
      if (text.patches) continue;
      expect(() => formatMap(source, { format })).toThrow(
        /^entity 0, patch 0: the text of .* has no patches/,
      );
    }
    const short = { ...curve, points: points.slice(1) };
    expect(() => formatMap({ entities: [{ properties: {}, patches: [short] }] })).toThrow(/has 8 points/);
  });

  it('keeps keys with any name', () => {
    const properties = JSON.parse(
      '{ "classname": "worldspawn", "__proto__": "x", "constructor": "y", "7": "z" }',
    );
    const source = { entities: [{ properties, brushes: [box] }] };
    expect(Object.entries(parseMap(formatMap(source)).entities[0]!.properties)).toEqual(
      Object.entries(properties),
    );
    expectSame(source, PLAIN);
  });

  it('says what is wrong with a map as compileMap does', () => {
    expect(() => formatMap(undefined as never)).toThrow(TypeError);
    expect(() => formatMap(world([{ sides: box.sides.slice(1) }]))).toThrow(/leave the brush open/);
    expect(() => formatMap({ entities: [{ properties: { message: '"' } }] })).toThrow(
      expect.objectContaining({ code: 'unwritable' }),
    );
  });
});
