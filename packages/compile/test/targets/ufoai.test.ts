import { describe, expect, it } from 'vitest';
import { boxBrush, hullBrush, type SourceBrush } from '../../src/index.ts';
import { readUfoaiFile } from '../read/ufoai.ts';
import { compile, door, map, start, wall } from './maps.ts';

describe('UFO:AI files', () => {
  const extra = [
    boxBrush([32, 32, 0], [96, 96, 40], { ...wall, levels: 0 }),
    boxBrush([132, 32, 0], [196, 96, 40], { ...wall, levels: 0xfe }),
    boxBrush([32, 200, 0], [96, 264, 64], { material: 'tex_common/actorclip', levels: 1 }),
    boxBrush([132, 200, 0], [196, 264, 64], { material: 'tex_common/weaponclip' }),
    boxBrush([232, 200, 0], [296, 264, 64], { material: 'tex_common/lightclip' }),
  ];
  const file = readUfoaiFile(compile(map(extra, [start, door]), 'ufoai').bytes);

  it('have each brush in the model of its levels, or of its clip', () => {
    const filled = file.models.flatMap(({ head }, model) => (head >= 0 ? [model] : []));
    expect(filled).toEqual([0, 254, 255, 256, 257, 258, 259]);
    expect(file.contents(0, [64, 64, 20])).toBe(1);
    expect(file.contents(254, [164, 64, 20])).toBe(0xfe01);
    expect(file.contents(255, [64, 64, 20])).toBe(0);
    expect(file.contents(255, [64, 64, -8])).toBe(0xff01);
    expect([258, 257, 256].map((model, i) => file.contents(model, [64 + 100 * i, 230, 20]))).toEqual([
      0x10100, 0x200ff00, 0x8ff00,
    ]);
  });

  it('have union nodes whose halves lie apart', () => {
    const many: SourceBrush[] = [];
    for (let x = 0; x < 12; x++)
      for (let y = 0; y < 4; y++)
        many.push(
          hullBrush([
            [80 * x, 80 * y, 0],
            [80 * x + 60, 80 * y, 0],
            [80 * x, 80 * y + 60, 0],
            [80 * x, 80 * y, 90],
          ]),
        );
    const { nodes } = readUfoaiFile(
      compile([boxBrush([-32, -32, -8], [1000, 400, 0]), ...many], 'ufoai').bytes,
    );
    const unions = nodes.filter(({ plane }) => plane === -1);
    expect(unions.length).toBeGreaterThan(0);
    for (const { children } of unions) {
      const [low, high] = children.map((child) => nodes[child]!);
      expect(low!.maxs[0]! <= high!.mins[0]! || low!.maxs[1]! <= high!.mins[1]!).toBe(true);
    }
  });

  it('have the cells they cover in the routing lump, and its empty table', () => {
    const { routing } = file;
    const view = new DataView(routing.buffer, routing.byteOffset, routing.length);
    expect([routing[0], routing[13], routing[14], routing[27]]).toEqual([12, 0, 12, 0]);
    expect([1, 5, 9].map((at) => view.getInt32(at, true))).toEqual([127, 127, 0]);
    expect([15, 19, 23].map((at) => view.getInt32(at, true))).toEqual([145, 141, 4]);
    let bytes = 0;
    let at = 28;
    for (; routing[at] !== 0; at += 2) bytes += (routing[at]! & 127) + 2;
    expect(bytes).toBe(18_874_368);
    expect(at).toBe(routing.length - 1);
  });

  it('keep surface flags and values', () => {
    const lamp = { ...boxBrush([8, 8, 8], [16, 16, 16], wall) };
    const sides = lamp.sides.map((side) => ({ ...side, surface: 'light,phong', value: 250 }));
    const read = readUfoaiFile(compile([{ ...lamp, sides }], 'ufoai').bytes);
    expect(read.texInfos[0]).toMatchObject({ flags: 0x401, value: 250, name: 'base/wall' });
  });

  it('warn of heights that the game does not look at', () => {
    const low = compile([boxBrush([0, 0, -64], [64, 64, 0])], 'ufoai');
    expect(low.warnings).toMatchObject([{ code: 'height' }]);
  });
});
