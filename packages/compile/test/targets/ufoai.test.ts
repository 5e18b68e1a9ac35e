import { between, createRandom, pick } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import {
  boxBrush,
  hullBrush,
  moveBrush,
  prismBrush,
  type SourceBrush,
  type SourceEntity,
} from '../../src/index.ts';
import { holders } from '../brute.ts';
import { readUfoaiFile, type UfoaiRead } from '../read/ufoai.ts';
import { referenceCells } from '../read/ufoai-cells.ts';
import { roundedBoxes } from '../rounded.ts';
import { compile, door, map, room, start, wall } from './maps.ts';

const above = (brush: SourceBrush): SourceBrush => moveBrush(brush, [0, 0, 200]);

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

  it('have union nodes whose halves do not touch', () => {
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

  it('have a plane at the head of an inline model, however long it is: moves through it know no unions', () => {
    const bars = Array.from({ length: 40 }, (_, k) => boxBrush([32 * k, 0, 0], [32 * k + 16, 16, 64], wall));
    const fence: SourceEntity = { properties: { classname: 'func_breakable' }, brushes: bars };
    const floor = boxBrush([0, -64, -8], [1280, 64, 0], wall);
    const long = readUfoaiFile(compile(map([floor], [fence]), 'ufoai').bytes);
    expect(long.nodes[long.models[259]!.head]!.plane).toBeGreaterThanOrEqual(0);
    const held = [8, 24, 648, 1256, 1272].map((x) => long.contents(259, [x, 8, 32]) & 1);
    expect(held).toEqual([1, 0, 1, 1, 0]);
  });

  it('are of version 78, which the game accepts, unless 79 is asked for', () => {
    expect(file.version).toBe(78);
    const [older, newer] = ([78, 79] as const).map((version) => compile(room(), 'ufoai', { version }).bytes);
    expect(readUfoaiFile(newer!).version).toBe(79);
    expect(Buffer.compare(older!.subarray(8), newer!.subarray(8))).toBe(0);
    expect(() => compile(room(), 'ufoai', { version: 80 as 79 })).toThrow(RangeError);
  });

  it('state the distance of light samples, though there are none', () => {
    expect(file.lights.map((lump) => [...lump])).toEqual([[4], [4]]);
  });

  it('can be seen through in liquids, but not in solid that shares space with them', () => {
    const pools = ['*water', 'liquids/lava', 'slime'].map((material, i) =>
      boxBrush([100 * i + 20, 20, -8], [100 * i + 80, 80, 40], { material }),
    );
    const { contents, brushes } = readUfoaiFile(compile(map(pools), 'ufoai').bytes);
    for (const x of [50, 150, 250]) {
      expect(contents(255, [x, 50, 20]) & 0x20021).toBe(0x20020);
      expect(contents(255, [x, 50, -4]) & 0x20021).toBe(1);
    }
    expect(brushes.filter((brush) => brush.contents & 0x20).map((brush) => brush.contents & 0x20020)).toEqual(
      [0x20020, 0x20020, 0x20020],
    );
  });

  it('are solid where solid shares space with water, also beside a sliver thinner than the tolerance', () => {
    const brushes = [
      hullBrush([
        [0, -56.875, 0],
        [0, 104.125, 0],
        [91.625, 0, 0],
        [0, 111.875, -104.875],
      ]),
      hullBrush([
        [-95.25, 0, 0],
        [0.625, 128, 0],
        [0, 0, 82.5],
        [114.125, 31.25, 32.375],
        [0, 0.0171875, 0],
      ]),
      hullBrush(
        [
          [7.875, 0, 0],
          [0, 0, -54.375],
          [-127.375, 0, -57.125],
          [0, 15, -127.375],
          [0, 33.75, 45.125],
        ],
        { material: '*water' },
      ),
      // The part of it with x < 0 < z is 0.007 high.
      hullBrush(
        [
          [-0.75, 1.25, 0],
          [106.5, 0, -111.25],
          [-12.75, 126.25, -57],
          [108.125, -0.625, 1.125],
        ],
        { material: 'window' },
      ),
      boxBrush([104, -32, 24], [160, -29.5, 80]),
      boxBrush([24, -48, 128], [88, -47, 192]),
      boxBrush([64, -88, -16], [65, -40, 32]),
    ];
    const { contents } = readUfoaiFile(compile(brushes, 'ufoai').bytes);
    const point = [-30, 13, 2];
    expect(holders(brushes, point)?.map((brush) => brush.material)).toEqual([undefined, '*water']);
    expect(contents(255, point) & 0x20021).toBe(1);
  });

  it('are solid where solid shares space with water, whatever the order of brushes', () => {
    const parts = [
      boxBrush([0, 0, 0], [32, 64, 64], { contents: 'ladder' }),
      boxBrush([0, 0, 0], [32, 64, 64]),
      boxBrush([-32, -32, -32], [96, 96, 96]),
      boxBrush([-32, 16, 16], [96, 48, 48], { contents: 'water' }),
    ];
    for (const brushes of [parts, [...parts].reverse()]) {
      const { contents } = readUfoaiFile(compile(brushes, 'ufoai').bytes);
      const found = [-16, 16, 60].map((x) => contents(255, [x, 32, 32]) & 0x20021);
      expect(found).toEqual([1, 1, 1]);
    }
  });

  // As with the game's own compiler, which conformance's ufo2map.e2e.test.ts checks.
  it.each<[string, string, number]>([
    ['solid', 'water', 1],
    ['solid', 'solid,passable', 1],
    ['solid,translucent', 'water', 1],
    ['solid,terrain', 'solid,passable', 1],
    ['window', 'water', 2],
    ['window', 'solid,passable', 2],
    ['ladder', 'water', 0x20024],
    ['solid,passable', 'water', 0x20021],
  ])('have of %s and %s in one place what the game has', (one, other, expected) => {
    const parts = [one, other].flatMap((contents) => {
      const x = contents === one ? 0 : 32;
      return ['', ',detail'].map((detail, k) =>
        boxBrush([x, x, 16 + 100 * k], [x + 64, x + 64, 48 + 100 * k], { contents: contents + detail }),
      );
    });
    for (const brushes of [parts, [...parts].reverse()]) {
      const { contents } = readUfoaiFile(compile(brushes, 'ufoai').bytes);
      for (const z of [32, 132]) expect(contents(255, [48, 48, z]) & 0x20027).toBe(expected);
    }
  });

  const cellsOf = ({ routing }: UfoaiRead): { mins: number[]; maxs: number[] } => {
    const view = new DataView(routing.buffer, routing.byteOffset, routing.length);
    const [mins, maxs] = [1, 15].map((at) => [0, 4, 8].map((k) => view.getInt32(at + k, true)));
    return { mins: mins!, maxs: maxs! };
  };

  it('have the cells they cover in the routing lump, with an empty table', () => {
    const { routing } = file;
    expect([routing[0], routing[13], routing[14], routing[27]]).toEqual([12, 0, 12, 0]);
    expect(cellsOf(file)).toEqual({ mins: [127, 127, 0], maxs: [145, 141, 4] });
    let bytes = 0;
    let at = 28;
    for (; routing[at] !== 0; at += 2) bytes += (routing[at]! & 127) + 2;
    expect(bytes).toBe(18_874_368);
    expect(at).toBe(routing.length - 1);
  });

  it('cover all cells that there are, if they reach as far', () => {
    const [low, high] = [
      boxBrush([-4096, -4096, 0], [-4064, -4064, 32]),
      boxBrush([4064, 4064, 480], [4096, 4096, 512]),
    ];
    const read = readUfoaiFile(compile([low!, high!], 'ufoai').bytes);
    expect(cellsOf(read)).toEqual(referenceCells(read));
  });

  it('cover the cells that the engine finds in them, however little a rotated brush reaches into one', () => {
    // BSPKIT_RUNS_CELLS sets how many maps are tried; proof runs use thousands.
    const runs = Number(process.env.BSPKIT_RUNS_CELLS ?? 12);
    const random = createRandom(3);
    for (let i = 0; i < runs; i++) {
      const hair = pick(random, [-0.01, -0.001, -1e-4, 0, 1e-5, 5e-4, 0.002, 0.02]);
      const border = 32 * Math.floor(between(random, -5, 5));
      const angle = between(random, 0.1, 1.4);
      const roof = prismBrush(
        [0, 1, 2, 3].map((k) => {
          const turn = angle + (k * Math.PI) / 2;
          return [70 * Math.cos(turn), 70 * Math.sin(turn)];
        }),
        pick(random, [0, 64, 100]),
        pick(random, [128, 150, 192.0005]),
        pick(random, [wall, { material: 'tex_common/actorclip' }, { material: 'tex_common/weaponclip' }]),
      );
      const least = Math.min(...[0, 1, 2, 3].map((k) => 70 * Math.cos(angle + (k * Math.PI) / 2)));
      const turned = moveBrush(roof, [border - hair - least, 40, 0]);
      const read = readUfoaiFile(compile([turned, ...roundedBoxes(i, i % 3, 90).map(above)], 'ufoai').bytes);
      expect({ i, ...cellsOf(read) }).toEqual({ i, ...referenceCells(read) });
    }
  });

  it('have no more planes than the engine can number', () => {
    const boxes = roundedBoxes(5, 500, 800).map((brush) => moveBrush(brush, [0, 0, 900]));
    expect(() => compile(boxes, 'ufoai')).toThrow(
      expect.objectContaining({
        code: 'limit',
        message: expect.stringMatching(/^UFO:AI holds at most 32767 planes, but the map/),
      }),
    );
  });

  it('keep surface flags and values', () => {
    const lamp = { ...boxBrush([8, 8, 8], [16, 16, 16], wall) };
    const sides = lamp.sides.map((side) => ({ ...side, surface: 'light,phong', value: 250 }));
    const read = readUfoaiFile(compile([{ ...lamp, sides }], 'ufoai').bytes);
    expect(read.texInfos[0]).toMatchObject({ flags: 0x401, value: 250, name: 'base/wall' });
  });

  it('warn about heights that the game does not look at', () => {
    const low = compile([boxBrush([0, 0, -64], [64, 64, 0])], 'ufoai');
    expect(low.warnings).toMatchObject([{ code: 'height' }]);
  });
});
