import {
  boxBrush,
  COMPILE_TARGETS,
  type CompileFormat,
  compileMap,
  formatMap,
  type MapSource,
  parseMap,
  type SourceBrush,
  type SourcePatch,
} from '@bspkit/compile';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { FORMATS, readBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';

// Where the brushes and curves of compiled files come from: each stands at a place of its own, by which it is recognised.

/** A column of 8 units whose lowest corner is at `16 * place` on x. */
const column = (place: number, options?: Parameters<typeof boxBrush>[2]): SourceBrush =>
  boxBrush([16 * place, 0, 0], [16 * place + 8, 8, 64], options);
const empty: SourceBrush = { sides: column(0).sides.map((side) => ({ ...side, dist: -side.dist - 100 })) };

const source: MapSource = {
  entities: [
    { properties: { classname: 'func_door' }, brushes: [column(0), column(1)] },
    {
      properties: { classname: 'worldspawn' },
      brushes: [
        column(2, { levels: 0x80 }),
        column(3, { contents: 'water' }),
        empty,
        column(4, { levels: 0x01, detail: true }),
        column(5, { contents: 'playerclip' }),
        column(6),
      ],
    },
    { properties: { classname: 'func_detail_illusionary' }, brushes: [column(7)] },
    { properties: { classname: 'func_group' }, brushes: [column(8, { levels: 0x01 }), column(9)] },
    { properties: { classname: 'func_door' }, brushes: [column(10)] },
  ],
};

describe.each(COMPILE_TARGETS.map(({ id }) => id))('a map compiled for %s', (format: CompileFormat) => {
  const settings = { emptyBrush: 'leave-out' } as const;
  const compile = (map: MapSource) =>
    compileMap(map, format === 'quake1' ? { format, ...settings, brushlist: true } : { format, ...settings });

  it('has the bits that the format knows by the same names', async () => {
    const { contents, surface } = COMPILE_TARGETS.find(({ id }) => id === format)!;
    const known = await FORMATS.find(({ id }) => id === format)!.load();
    for (const [written, { table }] of [
      [contents, known.contents],
      [surface, known.surfaceFlags],
    ] as const) {
      const read = Object.entries(table).map(([name, bits]) => [name.toLowerCase(), bits | 0] as const);
      const shared = read.filter(([name]) => Object.hasOwn(written, name));
      expect(written).toMatchObject(Object.fromEntries(shared));
    }
  });

  it('says where each brush of the file is in the source', async () => {
    const { bytes, brushes } = compile(source);
    const file = await readBsp(bytes);
    const { brushPolygons } = await FORMATS.find(({ id }) => id === format)!.load();
    const found = new Map<number, number>();
    for (const { brush, vertices } of brushPolygons!(file as never)) {
      found.set(brush, Math.min(found.get(brush) ?? Infinity, ...vertices.filter((_, k) => k % 3 === 0)));
    }
    expect([...found.values()].map((x) => x / 16).sort((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 8, 9, 10,
    ]);
    expect(brushes).toHaveLength(found.size);
    for (const [number, x] of found) {
      const { entity, brush } = brushes[number]!;
      expect(source.entities[entity!]!.brushes![brush!], `${number}`).toEqual(
        expect.objectContaining({ sides: column(x / 16).sides }),
      );
    }
  });

  it('knows the line of each in map text', () => {
    const text = formatMap({ entities: [{ properties: {}, brushes: [column(0), column(1)] }] });
    const lines = text.split('\n').flatMap((line, k) => (line === '{' ? [k + 1] : []));
    // The first brace opens the entity.
    expect(compile(parseMap(text)).brushes.map(({ line }) => line)).toEqual(lines.slice(1));
  });
});

it('a map for Quake 3 says where each curve is in the source', () => {
  /** A flat one above a square of 64 units, whose lowest corner is at `64 * place` on x. */
  const curve = (place: number): SourcePatch => ({
    ...{ material: 'base/curve', width: 3, height: 3 },
    points: Array.from({ length: 9 }, (_, k) => [
      64 * place + 32 * (k % 3),
      32 * Math.floor(k / 3),
      40,
      0,
      0,
    ]),
  });
  const entities = [
    { properties: { classname: 'func_door' }, patches: [curve(0)] },
    { properties: { classname: 'worldspawn' }, brushes: [column(20)], patches: [curve(1), curve(2)] },
  ];
  const { bytes, patches } = compileMap({ entities }, { format: 'quake3' });
  const world = createQuake3World(readQuake3(bytes));
  const places = [world.model(1), world, world].map((target, place) => {
    const x = 64 * place + 30;
    return patches.get(target.ray().trace([x, 30, 80], [x, 30, 0]).patch);
  });
  expect(places).toMatchObject([
    { entity: 0, patch: 0 },
    { entity: 1, patch: 0 },
    { entity: 1, patch: 1 },
  ]);
  expect(patches.size).toBe(3);
});

it('a map for Quake has no brushes without a list, nor curves', () => {
  const { brushes, patches } = compileMap(source, { format: 'quake1', emptyBrush: 'leave-out' });
  expect([brushes, patches]).toEqual([[], new Map()]);
});
