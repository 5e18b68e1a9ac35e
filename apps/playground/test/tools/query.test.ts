import { createTrace } from '@bspkit/core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { answerLines } from '../../src/tools/query/answer.ts';
import {
  createTracer,
  firstSize,
  kindOf,
  optionsOf,
  type Query,
  readNumbers,
  readQuery,
  readValue,
  roundPoint,
  writeQuery,
} from '../../src/tools/query/query.ts';
import { openFixture } from './maps.ts';

let arena: OpenMap;
let hulls: OpenMap;
beforeAll(async () => {
  arena = await openFixture('arena', 'quake3');
  hulls = await openFixture('arena', 'quake1');
});

const BOX: Query = {
  kind: 'box',
  size: [-15, -15, -24, 15, 15, 32],
  options: { mask: 'solid,playerClip', curves: false, epsilon: 0.25 },
  start: [0, -256, 32],
  end: [0, 512.125, 0.1],
};

describe('a query in a link', () => {
  it('comes back as it was, its coordinates as the same float32', () => {
    const text = writeQuery(BOX);
    expect(text).toBe(
      'box:-15,-15,-24,15,15,32;mask=solid,playerClip;curves=false;epsilon=0.25;0,-256,32;0,512.125,0.1',
    );
    const third = Math.fround(1 / 3);
    expect(readQuery(text, arena.format)).toEqual(BOX);
    const back = readQuery(writeQuery({ ...BOX, start: [third, -third, 0] }), arena.format)!;
    expect(back.start.map(Math.fround)).toEqual([third, -third, 0]);
  });

  it('keeps text with signs of its own', () => {
    const odd = { ...BOX, options: { mask: 'a;b=c%3B' } };
    expect(readQuery(writeQuery(odd), arena.format)).toEqual(odd);
  });

  it.each([
    '',
    'box',
    'nothing;0,0,0;1,1,1',
    'ray;0,0;1,1,1',
    'ray;0,0,x;1,1,1',
    'ray;0,0,1e39;1,1,1',
    'ray;rules=quake1;0,0,0;1,1,1',
    'ray;curves=true;0,0,0;1,1,1',
    'box:1,x;0,0,0;1,1,1',
  ])('is refused when it is %j', (text) => {
    expect(readQuery(text, arena.format)).toBeUndefined();
  });
});

describe('tracers of a catalog', () => {
  it('all can be made as they are offered at first', async () => {
    const others = [await openFixture('arena', 'quake2'), await openFixture('house', 'ufoai')];
    for (const { format, world } of [arena, hulls, ...others]) {
      for (const kind of format.tracers.kinds) {
        const size = firstSize(format, kind);
        const tracer = createTracer(format, world, { kind: kind.name, size, options: {} });
        expect(tracer.trace([0, 0, 40], [0, 0, 48]).fraction).toBeLessThanOrEqual(1);
      }
    }
  });

  it("take the player's size where the format has one", () => {
    expect(firstSize(arena.format, kindOf(arena.format, 'box')!)).toEqual([-15, -15, -24, 15, 15, 32]);
    expect(firstSize(arena.format, kindOf(arena.format, 'ellipsoid')!)).toEqual([]);
    expect(firstSize(hulls.format, kindOf(hulls.format, 'hull')!)).toEqual([0]);
  });

  it('have the options of their kind', () => {
    const names = optionsOf(arena.format, kindOf(arena.format, 'sphere')!).map(({ name }) => name);
    expect(names).toContain('exact');
    expect(optionsOf(arena.format, kindOf(arena.format, 'ray')!).map(({ name }) => name)).not.toContain(
      'exact',
    );
    expect(() => createTracer(arena.format, arena.world, { kind: 'hull', size: [1], options: {} })).toThrow(
      'Quake 3 maps have no hull',
    );
  });
});

describe('what is typed', () => {
  it('is read as numbers, or not at all', () => {
    expect(readNumbers('1, 2  -3.5')).toEqual([1, 2, -3.5]);
    expect(readNumbers('  ')).toBeUndefined();
    expect(readNumbers('1 two')).toBeUndefined();
    // Nothing beside a comma is no 0.
    expect(readNumbers('1, 2,')).toBeUndefined();
    expect(readNumbers(',1 2')).toBeUndefined();
    expect(roundPoint([0.06, -0.06, 1.07])).toEqual([0, 0, 1.125]);
  });

  it('is a value only if its option can have it', () => {
    const option = (type: 'on' | 'off' | 'number' | 'count' | 'points' | 'text') =>
      ({ name: 'x', type, group: 'filter', help: '' }) as const;
    expect(readValue(option('count'), '3')).toBe(3);
    expect(readValue(option('count'), '-3')).toBeUndefined();
    expect(readValue(option('count'), '1.5')).toBeUndefined();
    expect(readValue(option('points'), '1 2 3')).toEqual([1, 2, 3]);
    expect(readValue(option('points'), '1 2 3, 4 5 6')).toEqual([1, 2, 3, 4, 5, 6]);
    expect(readValue(option('points'), '1 2')).toBeUndefined();
    expect(readValue(option('points'), '')).toBeUndefined();
    expect(readValue(option('text'), ' solid ')).toBe('solid');
    expect(readValue(option('off'), 'false')).toBe(false);
  });
});

describe('an answer in words', () => {
  it('tells what was hit, where, and what it is made of', () => {
    const { format, world } = arena;
    const tracer = createTracer(format, world, {
      kind: 'box',
      size: [-15, -15, -24, 15, 15, 32],
      options: {},
    });
    const trace = tracer.trace([0, -200, 100], [0, -200, -100]);
    const lines = new Map(answerLines(format, world, trace, format.surfaceAt(world, trace)));
    expect(lines.get('end')).toBe('0 -200 24.125');
    expect(lines.get('normal')).toBe('0 0 1');
    expect(lines.get('texture')).toBe('textures/arena/floor');
    expect(lines.get('contents')).toContain('solid');
    expect(lines.get('hit')).toMatch(/^the world, brush \d+, side \d+$/);
  });

  it('names no surface where none stopped the move, and none that is not drawn', async () => {
    const namesOf = ({ format, world }: OpenMap, kind: string, start: number[], end: number[]): string[] => {
      const trace = createTracer(format, world, { kind, size: [], options: {} }).trace(start, end);
      expect(trace.fraction).toBeLessThan(1);
      return answerLines(format, world, trace, format.surfaceAt(world, trace)).map(([name]) => name);
    };
    // Against an edge between two faces.
    const names = namesOf(hulls, 'ray', [-475.126, -449.433, 111.729], [1032.827, 428.009, 177.237]);
    expect(names).toContain('plane');
    expect(names).not.toContain('texture');
    // A line that starts in solid.
    const lines = await openFixture('arena', 'ufoai');
    const inside = namesOf(lines, 'line', [341.515, -357.933, 87.655], [113.088, 371.913, 218.579]);
    for (const name of ['normal', 'plane']) expect(inside).not.toContain(name);
  });

  it('has a fraction of 1 only for all of a move', () => {
    const trace = { ...createTrace(), fraction: 1 - 2 ** -24 };
    expect(answerLines(arena.format, arena.world, trace, undefined)[0]).toEqual(['fraction', '0.99999994']);
  });

  it('says little of a miss', () => {
    const trace = arena.world && createTrace();
    expect(answerLines(arena.format, arena.world, trace, undefined).map(([name]) => name)).toEqual([
      'fraction',
      'end',
    ]);
  });
});
