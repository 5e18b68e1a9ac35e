import {
  boxBrush,
  COMPILE_TARGETS,
  type CompileFormat,
  compileMap,
  formatMap,
  type MapSource,
  parseMap,
  type SourceBrush,
} from '@bspkit/compile';
import { FORMATS, readBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';

// Where the brushes of compiled files come from: each brush stands at a place of its own, by which it is recognised.

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

it('a map for Quake has no brushes without a list', () => {
  expect(compileMap(source, { format: 'quake1', emptyBrush: 'leave-out' }).brushes).toEqual([]);
});
