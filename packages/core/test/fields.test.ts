import { describe, expect, it } from 'vitest';
import { HeaderFields, listedModels, modelRange } from '../src/format/index.ts';

const world = { numModels: 3 };
const fields = new HeaderFields({
  word: 'a',
  empty: '',
  zero: 0,
  half: 0.5,
  below: -0.5,
  great: 1e39,
  infinite: Number.POSITIVE_INFINITY,
  bits: 0xffffffff,
  many: 2 ** 32,
  nothing: null,
  yes: true,
  point: [1, 2.1, -0],
  pair: [1, 2],
  mixed: [1, null, 2],
  scenes: [{ things: [{ owner: 3, mins: [0, 5, 0], maxs: [1, 4, 1] }] }, [{ model: 2 }]],
  models: [[2, 0, 0, 8, 0, 90, 0], [4, 0, 0, 0, 0, 0, 0], [1]],
});
const things = fields.list('scenes').object(0).objects('things');

describe('fields of headers', () => {
  it('are read as the engine had them', () => {
    expect(fields.text('word')).toBe('a');
    expect(fields.number('half')).toBe(0.5);
    expect(fields.vector('point')).toEqual([1, Math.fround(2.1), -0]);
    expect(fields.whole('bits')).toBe(0xffffffff);
    expect(fields.flag('zero', 1)).toBe(false);
    expect(fields.choice('word', ['a', 'b'])).toBe('a');
    expect(fields.list('scenes').objects(1)[0]!.model('model', world)).toBe(2);
    expect(listedModels(new HeaderFields({ models: [[2, 0, 0, 8, 0, 90, 0]] }), 'models', world)).toEqual([
      { model: 2, origin: [0, 0, 8], angles: [0, 90, 0] },
    ]);
  });

  it('have what they are by default only if they are left out', () => {
    expect(fields.number('absent', 800)).toBe(800);
    expect(fields.whole('absent', 3, 0, 5)).toBe(3);
    expect(fields.flag('absent', 1)).toBe(true);
    expect(fields.choice('absent', ['a', 'b'], 'b')).toBe('b');
    expect(fields.vector('absent', [1, 2, 3])).toEqual([1, 2, 3]);
    expect(fields.model('absent', world, 0)).toBe(0);
    expect(fields.objects('absent', true)).toEqual([]);
    for (const ask of [
      () => fields.number('nothing', 800),
      () => fields.whole('nothing', 3),
      () => fields.flag('nothing', 1),
      () => fields.choice('nothing', ['a'], 'a'),
      () => fields.vector('nothing', [1, 2, 3]),
      () => fields.model('nothing', world, 0),
      () => fields.objects('nothing', true),
    ]) {
      expect(ask).toThrow(/^line 1: nothing must be .*, got null$/);
      expect(ask).toThrow(SyntaxError);
    }
  });

  it.each<[string, () => unknown]>([
    ['absent is missing; it must be text', () => fields.text('absent')],
    ['empty must be text, got ""', () => fields.text('empty')],
    ['word must be a number, got "a"', () => fields.number('word')],
    ['great must be a finite float32, got 1e+39', () => fields.number('great')],
    ['infinite must be a finite float32, got Infinity', () => fields.number('infinite')],
    ['below must be a finite float32, 0 or more, got -0.5', () => fields.number('below', 1, 0)],
    ['half must be a whole number of 32 bits, got 0.5', () => fields.whole('half')],
    ['many must be a whole number of 32 bits, got 4294967296', () => fields.whole('many')],
    ['yes must be 0 or 1, got true', () => fields.flag('yes')],
    ['word must be "b", "c" or "d", got "a"', () => fields.choice('word', ['b', 'c', 'd'])],
    ['pair must be three numbers, got [1,2]', () => fields.vector('pair')],
    ['mixed[1] must be a number, got null', () => fields.vector('mixed')],
    ['word must be a list, got "a"', () => fields.list('word')],
    ['point must be an object, got [1,2.1,0]', () => fields.object('point')],
    ['point[0] must be an object, got 1', () => fields.objects('point')],
    [
      'scenes[0].things[0].owner must be a whole number from 0 to 2, got 3',
      () => things[0]!.whole('owner', 0, 0, 2),
    ],
    ['scenes[0].things[0].owner must be 0, got 3', () => things[0]!.whole('owner', 0, 0, 0)],
    ['scenes[0].things[0].mins[1] must be at most 4, as in maxs, got 5', () => things[0]!.box()],
    [
      'scenes[1][0].model must be the number of a model, 1, got 2',
      () => fields.list('scenes').objects(1)[0]!.model('model', { numModels: 1 }),
    ],
    [
      'models[1][0] must be the number of a model, 1 to 3, got 4',
      () => listedModels(fields, 'models', world),
    ],
  ])('are named where they are wrong: %s', (message, ask) => {
    expect(ask).toThrow(new SyntaxError(`line 1: ${message}`));
  });

  it('of a line between rows leave its number to others', () => {
    const line = new HeaderFields({ entities: [{ origin: 5 }] }, '');
    expect(() => line.objects('entities')[0]!.vector('origin')).toThrow(
      new RangeError('entities[0].origin must be three numbers, got 5'),
    );
  });

  it('say which models a map has', () => {
    expect([0, 1, 2].map((count) => modelRange(count, '*'))).toEqual([
      'of which the map has none',
      '*1',
      '*1 to *2',
    ]);
  });
});
