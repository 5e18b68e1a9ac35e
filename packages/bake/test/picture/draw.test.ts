import { defineTracer } from '@bspkit/core';
import { between, createRandom } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { HEAT } from '../../src/picture/colors.ts';
import type { Line, Rectangle, Squares } from '../../src/picture/drawing.ts';
import { textWidth } from '../../src/picture/font.ts';
import type { ValueLayer } from '../../src/picture/layer.ts';
import { roundScale, scaleLabels } from '../../src/picture/legend.ts';
import { drawSheet, type SheetOptions } from '../../src/picture/sheet.ts';
import { showValue, solidAt, toPng, toSvg } from '../../src/picture.ts';
import { isSolid, room } from './room.ts';

const plans = (options: SheetOptions, layer = room()): Squares[] =>
  drawSheet(layer, options).shapes.filter(
    (shape): shape is Squares => shape.kind === 'squares' && shape.size > 1,
  );

describe('a sheet', () => {
  it('draws each level, or one', () => {
    const layer = room();
    const upper = layer.positions.map((x, k) => (k % 3 === 2 ? x + 128 : x));
    const two = {
      ...layer,
      positions: Float32Array.from([...layer.positions, ...upper]),
      values: [...Array.from(layer.values), ...Array.from(layer.values)],
    };
    expect(plans({}, two)).toHaveLength(2);
    expect(plans({ level: 2 }, two)).toHaveLength(1);
    expect(() => drawSheet(two, { level: 3 })).toThrow('level must be a whole number from 1 to 2, got 3');
    expect(() => drawSheet(layer, { level: 2 })).toThrow('level must be 1, got 2');
    expect(() => drawSheet(two, { levelHeight: 0 })).toThrow('levelHeight must be more than 0');
    expect(() => drawSheet(two, { width: 100 })).toThrow('width must be a whole number from 480 to 8192');
    expect(() => drawSheet(two, { wide: 1 } as never)).toThrow('wide');
  });

  it('asks a tracer where something is solid', () => {
    const tracer = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        out.startSolid = isSolid(start[0]!, start[1]!, start[2]!);
        expect([...end]).toEqual([...start]);
        return out;
      },
    });
    expect(toSvg(drawSheet(room(), { solidAt: solidAt(tracer) }))).toBe(
      toSvg(drawSheet(room(), { solidAt: isSolid })),
    );
    expect(() => solidAt(isSolid as never)).toThrow('tracer must be a tracer');
  });

  it('draws scattered places as squares of one size, and does not say how far apart they are', () => {
    const layer = { ...room(), positions: Float32Array.of(64, 64, 0, 160, 64, 40), values: [0, 1] };
    const valued = (one: ValueLayer): number[] => {
      const [plan] = plans({ solidAt: isSolid }, one);
      const { cells } = plan!;
      return [0, 63].map((shade) => cells.filter((cell) => cell === shade).length);
    };
    const [onFloor, above] = valued({ ...layer, scattered: true });
    expect(onFloor).toBe(above);
    // Otherwise the floor around has the value of the one that is on it.
    expect(valued(layer)[0]).toBeGreaterThan(4 * above!);
    expect(toSvg(drawSheet(layer))).toContain('2 cells, 32 units apart.');
    expect(toSvg(drawSheet({ ...layer, scattered: true }))).toContain('2 cells. Seen');
    expect(() => drawSheet({ ...layer, scattered: 1 as never })).toThrow(
      'layer.scattered must be true or false',
    );
  });

  it('draws each mark once, in the storey whose floors it is above', () => {
    const layer = room();
    const upper = layer.positions.map((x, k) => (k % 3 === 2 ? x + 128 : x));
    const heights = [-40, 0, 24, 100, 126, 127, 128, 152, 900];
    const two = {
      ...layer,
      positions: Float32Array.from([...layer.positions, ...upper]),
      values: [...Array.from(layer.values), ...Array.from(layer.values)],
      marks: heights.map((z) => ({ at: [16, 16, z] as const, label: `at ${z}` })),
    };
    const marksIn = (options: SheetOptions): string[] =>
      toSvg(drawSheet(two, options)).match(/(?<=>)at -?\d+(?=<)/g) ?? [];
    expect(marksIn({ level: 1 })).toEqual(['at -40', 'at 0', 'at 24', 'at 100', 'at 126']);
    expect(marksIn({ level: 2 })).toEqual(['at 127', 'at 128', 'at 152', 'at 900']);
    expect(marksIn({})).toEqual(heights.map((z) => `at ${z}`));
  });

  it('points out the highest value in the storey that it is in, however little another is above', () => {
    const positions = Float32Array.from({ length: 48 }, (_, k) =>
      k % 3 === 2 ? 60 + k / 6 : 32 * (k % 3) * k,
    );
    for (let most = 0; most < 16; most++) {
      const values = Array.from({ length: 16 }, (_, k) => (k === most ? 1 : 0.5));
      const layer = { ...room(), positions, values, marks: [], peak: 'most' };
      const level = 1 + Math.floor(positions[3 * most + 2]! / 64);
      for (const only of [1, 2]) {
        const { shapes } = drawSheet(layer, { levelHeight: 64, level: only });
        const isMarked = shapes.some((shape) => shape.kind === 'text' && shape.text.startsWith('most: '));
        expect(isMarked).toBe(only === level);
      }
    }
  });

  it('has its marks where the coordinates along its edges say', () => {
    const marks = [
      { at: [16, 16, 0], label: 'here' },
      { at: [208, 80, 0], label: 'there' },
    ] as const;
    const { shapes } = drawSheet({ ...room(), marks });
    const texts = shapes.filter((shape) => shape.kind === 'text');
    /** Where numbers are: those below the plan, or those beside it. */
    const ticks = (anchor: string): { value: number; pixel: number }[] =>
      texts
        .filter((text) => text.anchor === anchor && /^-?\d+$/.test(text.text))
        .map(({ text, x, y }) => ({ value: Number(text), pixel: anchor === 'end' ? y - 4 : x }));
    const pixel = (anchor: string, at: number): number => {
      const [one, other] = ticks(anchor);
      const scale = (other!.pixel - one!.pixel) / (other!.value - one!.value);
      return one!.pixel + scale * (at - one!.value);
    };
    for (const { at, label } of marks) {
      const before = shapes.findIndex((shape) => shape.kind === 'text' && shape.text === label) - 1;
      const { points } = shapes[before] as Line;
      const middle = (k: number): number => {
        const own = points.filter((_, i) => i % 2 === k);
        return (Math.min(...own) + Math.max(...own)) / 2;
      };
      expect(middle(0)).toBeCloseTo(pixel('middle', at[0]), 1);
      expect(middle(1)).toBeCloseTo(pixel('end', at[1]), 1);
    }
  });

  it('has coordinates as far apart as their numbers, however wide it is', () => {
    const positions = Float32Array.of(0, 0, 0, 8, 8, 0);
    for (let width = 480; width <= 8192; width += 241) {
      const { shapes } = drawSheet({ ...room(), positions, values: [0, 1], step: 8, marks: [] }, { width });
      const ticks = shapes.flatMap((shape) =>
        shape.kind === 'text' && shape.anchor === 'end'
          ? [{ value: Number(shape.text), pixel: shape.y }]
          : [],
      );
      const [first, second] = ticks;
      for (const [k, { value, pixel }] of ticks.entries()) {
        expect(value).toBe(first!.value + k * (second!.value - first!.value));
        expect(pixel).toBeCloseTo(first!.pixel + k * (second!.pixel - first!.pixel), 6);
      }
    }
  });

  /** A point on each of some floors, 80 apart. */
  const tower = (count: number): ValueLayer => ({
    ...room(),
    positions: Float32Array.from({ length: 3 * count }, (_, k) => (k % 3 === 2 ? 80 * Math.floor(k / 3) : 0)),
    values: new Float32Array(count),
    marks: [],
  });

  it('becomes higher where many storeys find no room', () => {
    const drawing = drawSheet(tower(60), { width: 480 });
    expect(drawing.width).toBeLessThanOrEqual(480);
    expect(drawing.height).toBeGreaterThan(480);
    expect(plans({ width: 480, level: 60 }, tower(60))).toHaveLength(1);
    let asked = 0;
    const solidAt = (): boolean => ++asked < 0;
    expect(() => drawSheet(tower(9000), { width: 480, levelHeight: 80, solidAt })).toThrow(
      new RangeError('level must be given: 9,000 levels make a picture higher than 65,535 pixels'),
    );
    // For each point whether something covers it: no plan has been surveyed.
    expect(asked).toBe(9000);
    expect(() => drawSheet(tower(10_001), { levelHeight: 1e-3 })).toThrow(
      new RangeError('levelHeight must be larger: 0.001 makes more than 10000 levels'),
    );
  });

  it('has no places that are too far out for coordinates, and takes points that are far apart', () => {
    const at = (x: number): ValueLayer => ({ ...tower(2), positions: Float32Array.of(0, 0, 0, x, 0, 0) });
    expect(() => drawSheet(at(1e30))).toThrow(RangeError);
    for (const x of [1e30, -1e30])
      expect(() => drawSheet(at(x))).toThrow(/^layer.positions must be at most \d+ from the origin, got -?1/);
    const marks = [...room().marks, { at: [0, 2 ** 41, 0], label: 'far' } as const];
    expect(() => drawSheet({ ...at(1), marks })).toThrow(
      new RangeError(`layer.marks[1].at must be at most ${2 ** 40} from the origin, got ${2 ** 41}`),
    );
    expect(drawSheet({ ...at(1e12), step: 1e12 }).width).toBeLessThan(1300);
  });

  it('says what is wrong with marks and scales of your own', () => {
    const { scale } = room();
    const named = { name: 'near', color: [1, 2, 3] };
    const wrong: readonly (readonly [object, string])[] = [
      [{ marks: [null] }, 'layer.marks[0] must be an object'],
      [{ marks: [{ position: [0, 0, 0], label: 'here' }] }, 'layer.marks[0].at must be three numbers'],
      [{ marks: [{ at: [0, 0], label: 'here' }] }, 'layer.marks[0].at[2] must be a finite float32'],
      [
        { marks: [{ at: [0, Number.NaN, 0], label: 'here' }] },
        'layer.marks[0].at[1] must be a finite float32',
      ],
      [{ marks: [{ at: [0, 0, 0] }] }, 'layer.marks[0].label must be a string'],
      [{ scale: {} }, 'layer.scale.ramp must be an array'],
      [
        { scale: { ...scale, ramp: [[0, 0, 0]] } },
        'layer.scale.ramp.length must be a whole number, 2 or more',
      ],
      [{ scale: { ...scale, ramp: ['#fff', '#000'] } }, 'layer.scale.ramp[0] must be three numbers'],
      [{ scale: { ...scale, high: undefined } }, 'layer.scale.high must be a finite float32'],
      [{ scale: { ...scale, most: undefined } }, 'layer.scale.most must be a finite float32'],
      [{ scale: { ...scale, unit: 'metres' } }, "layer.scale.unit must be 'percent' or 'units'"],
      [
        { scale: { ...scale, ramp: [...HEAT, [0, 256, 0]] } },
        'layer.scale.ramp[6][1] must be a whole number from 0 to 255, got 256',
      ],
      [{ scale: { classes: 1 } }, 'layer.scale.classes must be an array'],
      [
        { scale: { classes: Array.from({ length: 65 }, () => named) } },
        'layer.scale.classes.length must be a whole number from 0 to 64, got 65',
      ],
      [
        { scale: { classes: [named, { ...named, color: [0, 0, 0.5] }] } },
        'layer.scale.classes[1].color[2] must be a whole number from 0 to 255, got 0.5',
      ],
      [
        { scale: { classes: [{ ...named, name: undefined }] } },
        'layer.scale.classes[0].name must be a string',
      ],
      [
        { scale: { classes: [named, { name: 'far' }] } },
        'layer.scale.classes[1].color must be three numbers',
      ],
    ];
    for (const [part, message] of wrong)
      expect(() => drawSheet({ ...room(), ...part } as ValueLayer)).toThrow(message);
  });

  it('says which value is none, or of no class', () => {
    const layer = room();
    const named = { name: 'near', color: [1, 2, 3] as const };
    const withValue = (value: unknown, scale: ValueLayer['scale'] = layer.scale): ValueLayer => ({
      ...layer,
      values: Array.from(layer.values, (_, k) => (k === 3 ? value : 0)) as number[],
      scale,
    });
    for (const value of [NaN, Infinity, undefined, '1'])
      expect(() => drawSheet(withValue(value))).toThrow('layer.values[3] must be a finite number, got');
    for (const value of [2, 64, 255, -1, 0.5, NaN]) {
      expect(() => drawSheet(withValue(value, { classes: [named, named] }))).toThrow(
        `layer.values[3] must be the number of one of 2 classes, got ${value}`,
      );
    }
    expect(() => drawSheet(withValue(1, { classes: [named, named] }))).not.toThrow();
  });

  it('has labels that differ, however small the values are', () => {
    const labels = (high: number): string[] =>
      drawSheet({ ...room(), scale: { ramp: HEAT, high, most: high, unit: 'percent' } }).shapes.flatMap(
        (shape) => (shape.kind === 'text' && shape.text.endsWith('%') ? shape.text : []),
      );
    expect(labels(0.01)).toEqual(['0 %', '0.25 %', '0.5 %', '0.75 %', '1 %']);
    expect(labels(0.0004)).toEqual(['0 %', '0.01 %', '0.02 %', '0.03 %', '0.04 %']);
    expect([0.5, 0.04, 0.00123, 0].map((value) => showValue(value, { unit: 'units' }))).toEqual([
      '0.5',
      '0.04',
      '0.0012',
      '0',
    ]);
    expect([0.2, 0.1234, 0.00996, 2 ** -24].map((value) => showValue(value, { unit: 'percent' }))).toEqual([
      '20 %',
      '12.3 %',
      '1 %',
      '0.000006 %',
    ]);
  });

  it('is refused where points cover each other so often that it would take hours', () => {
    const count = 20_000;
    const positions = Float32Array.from({ length: 3 * count }, (_, k) =>
      k % 3 === 2 ? 0 : k % 3 === 1 ? Math.floor(k / 300) : Math.floor(k / 3) % 100,
    );
    const layer: ValueLayer = { ...room(), positions, values: new Float32Array(count), step: 2 ** 20 };
    expect(() => drawSheet(layer)).toThrow(
      new RangeError('step 1048576 is too large for 20000 points this close together'),
    );
    expect(() => drawSheet({ ...layer, step: 8 })).not.toThrow();
  });

  it('is refused as PNG where its pixels find no room', async () => {
    const drawing = { ...drawSheet(room()), width: 8192, height: 9000 };
    await expect(toPng(drawing, 8)).rejects.toThrow(
      'scale must be smaller: there are at most 268435456 pixels, got 8',
    );
  });

  it.each([
    ['a room', room(), isSolid],
    ['many storeys', tower(48), undefined],
    ['far more storeys', tower(600), undefined],
    [
      'slopes',
      { ...room(), positions: room().positions.map((x, k) => (k % 3 === 2 ? 17 * k : x)) },
      undefined,
    ],
  ])('fits a width, and its labels do not cover each other: %s', (_, layer, solidAt) => {
    for (const width of [480, 1200, 3000]) {
      const name = 'A name that is rather long, of a map';
      const drawing = drawSheet(layer, { width, name, solidAt });
      expect(drawing.width).toBeLessThanOrEqual(width);
      const boxes = drawing.shapes.flatMap((shape) => {
        if (shape.kind !== 'text') return [];
        const { x, y, text, size, anchor } = shape;
        const room = textWidth(text, size);
        const left = x - (anchor === 'end' ? room : anchor === 'middle' ? room / 2 : 0);
        return [{ text, left, right: left + room, top: y - 0.75 * size, bottom: y + 0.1 * size }];
      });
      expect(boxes.length).toBeGreaterThan(1);
      const wrong: string[] = [];
      for (const [k, a] of boxes.entries()) {
        if (a.left < 0 || a.right > drawing.width) wrong.push(`${a.text} is cut off`);
        for (const b of boxes.slice(k + 1)) {
          const covers = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
          if (covers) wrong.push(`${a.text} and ${b.text}`);
        }
      }
      expect(wrong).toEqual([]);
    }
  });

  it('breaks its title into lines where it is long, without making it small', () => {
    const titleOf = (name: string): { text: string; x: number; y: number; size: number }[] =>
      drawSheet(room(), { width: 480, name }).shapes.flatMap((shape) =>
        shape.kind === 'text' && shape.size === 22 ? shape : [],
      );
    const text = (name: string): string[] => titleOf(name).map((line) => line.text);
    expect(text('Map')).toEqual(['Map: where it is']);
    expect(text('A name that is rather long, of a map')).toEqual([
      'A name that is rather long, of a',
      'map: where it is',
    ]);
    const long = text('a_name_without_any_place_to_break_it_'.repeat(2));
    expect(long.join('').replaceAll(' ', '')).toBe(
      `${'a_name_without_any_place_to_break_it_'.repeat(2)}:whereitis`,
    );
    expect(text('much too long '.repeat(40)).at(-1)).toMatch(/…$/);
    for (const name of ['m'.repeat(300), 'A name that is rather long, of a map']) {
      for (const line of titleOf(name)) expect(1.4 * textWidth(line.text, 22)).toBeLessThan(480 - 24);
    }
  });

  it('breaks what it says below its title into lines that fit in wider fonts, too: those of DejaVu Sans are by a fifth', () => {
    for (const width of [480, 560, 640, 700]) {
      const { shapes } = drawSheet(room(), { width });
      const below = shapes.flatMap((shape) => (shape.kind === 'text' && shape.size === 14 ? shape.text : []));
      const end = below.findIndex((text) => text.endsWith('units.'));
      expect(end).toBeGreaterThanOrEqual(0);
      for (const text of below.slice(0, end + 1)) expect(1.2 * textWidth(text, 14)).toBeLessThan(width - 24);
    }
  });

  it('is no wider than it may be, wherever its squares begin', () => {
    const random = createRandom(7);
    for (let k = 0; k < 60; k++) {
      const [count, far] = [1 + (k % 7), 2 ** between(random, 4, 38)];
      const width = Math.floor(between(random, 480, 1500));
      const layer: ValueLayer = {
        ...room(),
        positions: Float32Array.from({ length: 3 * count }, () => between(random, -far, far)),
        values: new Float32Array(count),
        step: between(random, 1, 200),
        marks: [],
      };
      expect(drawSheet(layer, { width, level: 1 }).width, `${k}`).toBeLessThanOrEqual(width);
    }
  });

  it('can be empty', () => {
    const none = { ...room(), positions: new Float32Array(0), values: [], marks: [] };
    expect(drawSheet(none).shapes.some((shape) => shape.kind === 'text' && /nothing/i.test(shape.text))).toBe(
      true,
    );
    expect(() => drawSheet(none, { level: 1 })).toThrow('level');
  });

  it('has a scale whose colours go from one end of its frame to the other, without gaps', () => {
    const parts = drawSheet(room()).shapes.filter(
      (shape): shape is Rectangle => shape.kind === 'rectangle' && shape.width < 20,
    );
    expect([parts[0]!.fill, parts.at(-1)!.fill]).toEqual([HEAT[0], HEAT.at(-1)]);
    for (const [k, { x, y, width }] of parts.entries()) {
      expect([x, y]).toEqual([parts[0]!.x + k * width, parts[0]!.y]);
    }
  });

  it('has scales that end at round numbers', () => {
    expect(roundScale({ high: 0.692 })).toEqual({ high: 0.8, every: 0.2 });
    expect(roundScale({ high: 1 })).toEqual({ high: 1, every: 0.25 });
    expect(roundScale({ high: 430 })).toEqual({ high: 600, every: 200 });
    for (const high of [0, 5e-324]) expect(roundScale({ high })).toEqual({ high: 1, every: 1 });
  });

  it('has labels from 0 to the end, which says the unit, and whether there is more', () => {
    const scale = { ramp: HEAT, unit: 'units', high: 90, most: 200 } as const;
    expect(scaleLabels(scale)).toEqual(['0', '25', '50', '75', '100 units and more']);
    expect(scaleLabels({ ...scale, most: 100 })).toEqual(['0', '25', '50', '75', '100 units']);
    // What is hardly beyond the end is no more than the end.
    const hardly = 100 + 1e-8;
    expect(scaleLabels({ ...scale, high: hardly, most: hardly }).at(-1)).toBe('100 units');
    const shares = scaleLabels({ ...scale, unit: 'percent', high: 0.6, most: 0.6 });
    expect(shares).toEqual(['0 %', '20 %', '40 %', '60 %']);
  });

  it('has short labels for values of any size, also where the end is beyond the greatest float32', () => {
    const most = 2 ** 128 - 2 ** 104;
    const ends = [1e22, 8.2e24, most, 1e-30, 2 ** -149];
    const labels = (high: number, unit: 'units' | 'percent') =>
      scaleLabels({ ramp: HEAT, unit, high, most: high });
    expect(ends.map((high) => labels(high, 'units').join(' '))).toEqual([
      '0 2.5e+21 5e+21 7.5e+21 1e+22 units',
      '0 2.5e+24 5e+24 7.5e+24 1e+25 units',
      '0 1e+38 2e+38 3e+38 4e+38 units',
      '0 2.5e-31 5e-31 7.5e-31 1e-30 units',
      '0 5e-46 1e-45 1.5e-45 units',
    ]);
    expect(labels(most, 'percent').at(-1)).toBe('4e+40 %');
  });
});
