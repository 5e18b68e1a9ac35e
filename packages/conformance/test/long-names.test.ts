import { checkJob } from '@bspkit/bake';
import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { createFlagNames } from '@bspkit/core/format';
import { arenaQuake3 } from '@bspkit/fixtures';
import { openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';

// Files and tables may have names of any length; a message with one of ten thousand characters hides what it says.

const LONG = 'x'.repeat(10_000);
const MOST = 500;
const FORMATS = ['quake1', 'quake2', 'quake3', 'ufoai'] as const;

const room = roomBrushes([0, 0, 0], [512, 512, 256], 16);
const box = (material?: string) => boxBrush([100, 100, 100], [150, 150, 150], { material });
const start = { properties: { classname: 'info_player_deathmatch', origin: '256 256 64' } };

describe.each(FORMATS)('long names in a map for %s', (format) => {
  const compile = (world: object, entities: object[], options: object = {}) => {
    const worldspawn = { properties: { classname: 'worldspawn' }, brushes: room, ...world };
    return compileMap({ entities: [worldspawn, ...entities] as never }, { format, ...options } as never);
  };

  it('are cut in warnings', () => {
    const entities = [
      { properties: { classname: LONG, origin: LONG, model: `*${LONG}`, [LONG]: 'ŧ' } },
      { properties: { classname: 'misc_model', model: LONG, spawnflags: '6' } },
      start,
    ];
    const { warnings } = compile({ brushes: [...room, box(LONG)] }, entities);
    const outside = { properties: { classname: LONG, origin: '9999 0 0' } };
    const all = [...warnings, ...compile({}, [outside]).warnings];
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...all.map(({ message }) => message.length))).toBeLessThan(MOST);
  });

  it.each<[what: string, world: object, options: object]>([
    ['a material', { brushes: [...room, box(LONG)] }, { materials: { default: {} } }],
    ['a material in a table', {}, { materials: { [LONG]: { contents: [LONG] } } }],
    ['a field of a material', {}, { materials: { a: { [LONG]: 1 } } }],
    ['contents', { brushes: [{ ...box(), contents: LONG }] }, {}],
    ['a key', { properties: { classname: 'worldspawn', [LONG]: '"' } }, {}],
    ['an option', {}, { [LONG]: 1 }],
  ])('are cut in errors: %s', (_, world, options) => {
    let message = '';
    try {
      compile(world, [start], options);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toContain(`${LONG.slice(0, 40)}…`);
    expect(message.length).toBeLessThan(MOST);
  });
});

it.each<[what: string, use: () => unknown]>([
  ['options', async () => (await openBsp(arenaQuake3())).ray({ [LONG]: 1 } as never)],
  ['flags', () => createFlagNames({ solid: 1 }).bits(LONG)],
  ['fields of jobs', () => checkJob({ [LONG]: 1 })],
  [
    'inputs of jobs',
    () => checkJob({ kind: 'x', map: '0'.repeat(64), parameters: {}, inputs: { [LONG]: 5 } }),
  ],
])('cuts long names in errors of %s', async (_, use) => {
  const { message } = await Promise.resolve()
    .then(use)
    .then(
      () => ({ message: '' }),
      (error: Error) => error,
    );
  expect(message).toContain(`${LONG.slice(0, 40)}…`);
  expect(message.length).toBeLessThan(MOST);
});
