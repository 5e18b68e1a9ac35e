import { parseEntities } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import {
  type BrushOptions,
  boxBrush,
  type CompileFormat,
  type CompileOptions,
  compileMap,
  hullBrush,
  type MapSource,
  pillarBrush,
  rampBrush,
  roomBrushes,
  type SourceBrush,
  type SourceEntity,
} from '../src/index.ts';
import { fitsNarrow } from '../src/quake1/write.ts';
import { readQuake1File, readQuake3File, readUfoaiFile } from './files.ts';

const FORMATS: readonly CompileFormat[] = ['quake1', 'quake3', 'ufoai'];
const wall: BrushOptions = { material: 'base/wall' };
const start: SourceEntity = { properties: { classname: 'info_player_start', origin: '64 64 32' } };
const room = (): SourceBrush[] => roomBrushes([0, 0, 0], [512, 384, 192], 16, wall);

const door: SourceEntity = {
  properties: { classname: 'func_door', note: 'say "hello"' },
  brushes: [
    boxBrush([200, 100, 0], [208, 164, 96], wall),
    boxBrush([196, 96, 40], [204, 104, 48], { material: 'common/origin' }),
  ],
};

function map(extra: readonly SourceBrush[] = [], entities: readonly SourceEntity[] = [start]): MapSource {
  return {
    entities: [{ properties: { classname: 'worldspawn' }, brushes: [...room(), ...extra] }, ...entities],
  };
}

const compile = (
  source: MapSource | readonly SourceBrush[],
  format: CompileFormat,
  options: Partial<CompileOptions> = {},
) => compileMap(source, { ...options, format });

/** Twice the area of a polygon along its normal; positive when it runs clockwise seen from the front. */
function clockwise(corners: readonly (readonly number[])[], normal: readonly number[]): number {
  let sum = 0;
  const [o] = corners;
  for (let i = 1; i + 1 < corners.length; i++) {
    const [a, b] = [corners[i]!, corners[i + 1]!].map((c) => c.map((x, k) => x - o![k]!)) as [
      number[],
      number[],
    ];
    sum -= normal[0]! * (a[1]! * b[2]! - a[2]! * b[1]!) + normal[1]! * (a[2]! * b[0]! - a[0]! * b[2]!);
    sum -= normal[2]! * (a[0]! * b[1]! - a[1]! * b[0]!);
  }
  return sum;
}

describe.each(FORMATS)('compiling to %s', (format) => {
  const detailed = map(
    [pillarBrush([256, 192, 0], 40, 192, 7, wall), rampBrush([300, 0, 0], [428, 64, 48], '+x')],
    [start, door],
  );

  it('gives the same bytes each time', () => {
    const [a, b] = [1, 2].map(() => Buffer.from(compile(detailed, format).bytes));
    expect(a!.equals(b!)).toBe(true);
  });

  it('takes brushes alone, and a map without any', () => {
    const alone = compile(room(), format);
    expect(alone.stats.sourceBrushes).toBe(6);
    expect(compile([], format).bytes.length).toBeGreaterThan(100);
    expect(compile({ entities: [] }, format).stats.counts.models).toBe(alone.stats.counts.models);
  });

  it('tells how far it is, never going back within a stage', () => {
    const parts = new Map<string, number>();
    compile(detailed, format, {
      onProgress(stage, part) {
        expect(part).toBeGreaterThanOrEqual(parts.get(stage) ?? 0);
        expect(part).toBeLessThanOrEqual(1);
        parts.set(stage, part);
      },
    });
    expect(parts.size).toBeGreaterThan(1);
    expect(parts.get('brushes')).toBe(1);
  });

  it('makes inline models of entities with brushes, around their origin', () => {
    const { bytes, stats } = compile(detailed, format);
    const text = { quake1: readQuake1File, quake3: readQuake3File, ufoai: readUfoaiFile }[format](
      bytes,
    ).entities;
    expect(parseEntities(text, format).map((entity) => ({ ...entity }))).toEqual([
      { classname: 'worldspawn' },
      { classname: 'info_player_start', origin: '64 64 32' },
      { classname: 'func_door', note: "say 'hello'", model: '*1', origin: '200 100 44' },
    ]);
    expect(stats.counts.models).toBe(format === 'ufoai' ? 260 : 2);
  });

  it('puts groups into the world, and leaves out entities that are only groups', () => {
    const group = { properties: { classname: 'func_group' }, brushes: [boxBrush([8, 8, 0], [24, 24, 8])] };
    const grouped = compile(map([], [start, group]), format);
    const plain = compile(map(group.brushes), format);
    expect(Buffer.from(grouped.bytes).equals(Buffer.from(plain.bytes))).toBe(true);
  });

  it('refuses a format that there is not', () => {
    expect(() => compile(room(), 'quake2' as CompileFormat)).toThrow(RangeError);
  });
});

describe('Quake 3 files', () => {
  const water = boxBrush([32, 32, 0], [96, 96, 40], { material: 'liquids/clear_water' });
  const pillar = pillarBrush([256, 192, 0], 40, 192, 7, wall);
  const file = readQuake3File(
    compile(
      map([water, pillar, boxBrush([300, 40, 0], [340, 80, 80], { material: 'common/clip' })], [start, door]),
      'quake3',
    ).bytes,
  );

  it('have the six axial sides of every brush first, and bounds in them', () => {
    const axes = [
      [-1, 0, 0],
      [1, 0, 0],
      [0, -1, 0],
      [0, 1, 0],
      [0, 0, -1],
      [0, 0, 1],
    ];
    for (const { first } of file.brushes) {
      const normals = file.sides
        .slice(first, first + 6)
        .map(({ plane }) => file.planes[plane]!.n.map((x) => x + 0));
      expect(normals).toEqual(axes);
    }
    const { first, count } = file.brushes[7]!;
    const dists = file.sides.slice(first, first + 6).map(({ plane }) => file.planes[plane]!.d);
    expect([dists[1]!, dists[5]!]).toEqual([296, 192]);
    // Seven walls of which one is axial, and no bevels, as all its edges lie along axes or level.
    expect(count).toBe(12);
  });

  it('have contents and surface flags in shaders by the material', () => {
    const shader = (name: string) => file.shaders.find((s) => s.name === `textures/${name}`);
    expect(shader('base/wall')).toMatchObject({ contents: 1, surface: 0 });
    expect(shader('liquids/clear_water')).toMatchObject({ contents: 0x20 });
    expect(shader('common/clip')).toMatchObject({ contents: 0x10000, surface: 0x80 });
    expect(file.contents([64, 64, 20])).toBe(0x20);
    expect(file.contents([320, 60, 20])).toBe(0x10000);
  });

  it('have open leafs in cluster 0 and solid ones in none', () => {
    expect(file.leafs[file.leaf([64, 300, 90])]!.cluster).toBe(0);
    expect(file.leafs[file.leaf([256, 192, 90])]!.cluster).toBe(-1);
    expect(file.leafs[file.leaf([256, 192, -8])]!.cluster).toBe(-1);
  });

  it('have faces clockwise about their normals, none within solid, none of clip', () => {
    for (const { corners, normal, shader } of file.surfaces.slice(0, file.models[0]!.surfaces)) {
      expect(clockwise(corners, normal)).toBeGreaterThan(0);
      expect(file.shaders[shader]!.surface & 0x80).toBe(0);
      const middle = [0, 1, 2].map(
        (k) => corners.reduce((sum, c) => sum + c[k]!, 0) / corners.length + normal[k]!,
      );
      expect(file.contents(middle) & 1).toBe(0);
    }
    const listed = new Set(file.leafs.flatMap(({ surfaces }) => surfaces));
    expect(listed.size).toBe(file.models[0]!.surfaces);
  });

  it('leave it to structure to split the world; detail is only listed', () => {
    const plain = compile(map([pillar]), 'quake3').stats.counts.nodes!;
    const detail = compile(map([{ ...pillar, detail: true }]), 'quake3');
    const none = compile(map(), 'quake3').stats.counts.nodes!;
    expect(detail.stats.counts.nodes).toBe(none);
    expect(plain).toBeGreaterThan(none);
    expect(readQuake3File(detail.bytes).contents([256, 192, 90])).toBe(0x8000001);
  });

  it('part crowded leafs', () => {
    const crates: SourceBrush[] = [];
    for (let x = 0; x < 6; x++) {
      for (let y = 0; y < 6; y++)
        crates.push({
          ...boxBrush([64 * x + 8, 48 * y + 8, 0], [64 * x + 40, 48 * y + 40, 32]),
          detail: true,
        });
    }
    const { tree } = compile(map(crates), 'quake3').stats;
    expect(tree.maxBrushes).toBeLessThan(8);
    expect(tree.depth).toBeLessThan(20);
  });

  it('hold patches, in the leafs they touch', () => {
    const points = Array.from(
      { length: 15 },
      (_, i) => [100 + 20 * (i % 3), 100 + 10 * i, 60, i / 14, 0] as const,
    );
    const patch = { material: 'base/curve', width: 3, height: 5, points };
    const source = map();
    const [world] = source.entities;
    const curved = compile({ entities: [{ ...world!, patches: [patch] }, start] }, 'quake3');
    const read = readQuake3File(curved.bytes);
    const number = read.surfaces.findIndex(({ type }) => type === 2);
    expect(read.surfaces[number]!.corners.map(([x, y, z]) => [x, y, z])).toEqual(
      points.map(([x, y, z]) => [x, y, z]),
    );
    expect(read.leafs[read.leaf([120, 160, 60])]!.surfaces).toContain(number);
    for (const format of ['quake1', 'ufoai'] as const) {
      const { warnings } = compile({ entities: [{ ...world!, patches: [patch] }, start] }, format);
      expect(warnings).toContainEqual(
        expect.objectContaining({ code: 'patch-left-out', entity: 0, patch: 0 }),
      );
    }
    const short = { ...patch, points: points.slice(1) };
    expect(() => compile({ entities: [{ ...world!, patches: [short] }] }, 'quake3')).toThrow(/has 14 points/);
  });
});

describe('Quake 1 files', () => {
  const liquids = ['*lava', '*slime', '*water'].map((material, i) =>
    boxBrush([32 + 100 * i, 32, 0], [96 + 100 * i, 96, 40], { material }),
  );
  const clip = boxBrush([32, 200, 0], [96, 264, 64], { material: 'clip' });
  const source = map([...liquids, clip], [start, door]);
  const file = readQuake1File(compile(source, 'quake1').bytes);

  it('have one solid leaf, the first, and leafs of every liquid', () => {
    expect(file.leafs.map(({ contents }) => contents).indexOf(-2)).toBe(0);
    expect(file.leafs.filter(({ contents }) => contents === -2)).toHaveLength(1);
    expect([64, 164, 264].map((x) => file.contents(0, [x, 64, 20]))).toEqual([-5, -4, -3]);
    // The door's leafs, six of air around it, come after the world's.
    expect(file.models[0]!.visLeafs).toBe(file.leafs.length - 1 - 6);
  });

  it('have hulls grown by the boxes that move, with clip in them alone', () => {
    const at = (point: readonly number[]) => [0, 1, 2].map((hull) => file.contents(hull, point));
    expect(at([64, 230, 30])).toEqual([-1, -2, -2]);
    expect(at([256, 300, 23])).toEqual([-1, -2, -2]);
    expect(at([256, 300, 25])).toEqual([-1, -1, -1]);
    expect(at([256, 300, 159])).toEqual([-1, -1, -2]);
    expect(at([17, 300, 100])).toEqual([-1, -1, -2]);
    expect(at([164, 64, 40 - 8])).toEqual([-4, -1, -1]);
  });

  it('fill the outside of a sealed map, and only of one', () => {
    expect(file.contents(0, [-40, -40, -40])).toBe(-2);
    expect(file.contents(1, [9999, 0, 0])).toBe(-2);
    const open = map().entities[0]!.brushes!.slice(1);
    const leaky = compile({ entities: [{ properties: {}, brushes: open }, start] }, 'quake1');
    expect(leaky.warnings).toMatchObject([{ code: 'leak' }]);
    const { path } = leaky.warnings[0]!;
    expect(path![0]).toEqual([64, 64, 32]);
    // Out it goes through the floor that is not there, never through a wall.
    expect(path!.at(-1)![2]).toBeLessThanOrEqual(-16);
    const read = readQuake1File(leaky.bytes);
    for (const point of path!) expect(read.contents(0, point)).toBe(-1);
    expect(read.contents(0, [-40, -40, -40])).toBe(-1);
    expect(compile(map([], []), 'quake1').warnings).toMatchObject([{ code: 'no-occupants' }]);
  });

  it('have clockwise faces that the engine can light, and liquids seen from both sides', () => {
    const long = readQuake1File(compile(map([boxBrush([0, 150, 0], [512, 180, 100], wall)]), 'quake1').bytes);
    for (const { corners, plane, side, texInfo } of [...file.faces, ...long.faces].slice(
      0,
      file.faces.length,
    )) {
      const normal = file.planes[plane]!.n.map((x) => (side ? -x : x));
      expect(clockwise(corners, normal)).toBeGreaterThan(0);
      const { axes, flags } = file.texInfos[texInfo]!;
      if (flags & 1) continue;
      for (const at of [0, 4]) {
        const values = corners.map(
          (c) => c[0]! * axes[at]! + c[1]! * axes[at + 1]! + c[2]! * axes[at + 2]! + axes[at + 3]!,
        );
        const extent = Math.ceil(Math.max(...values) / 16) - Math.floor(Math.min(...values) / 16);
        expect(extent).toBeLessThanOrEqual(16);
      }
    }
    const tops = file.faces.filter(({ corners }) => corners.every(([, , z]) => z === 40));
    expect(tops.filter(({ side }) => side === 0).length).toBe(3);
    expect(tops.filter(({ side }) => side === 1).length).toBe(3);
  });

  it('name textures as the engine needs them', () => {
    const sky = readQuake1File(
      compile(map([boxBrush([0, 0, 180], [512, 384, 192], { material: 'skies/dusk' })]), 'quake1').bytes,
    );
    expect(sky.textures).toContainEqual({ name: 'sky_dusk', width: 256, height: 128 });
    expect(file.textures.map(({ name }) => name).sort()).toEqual(['*lava', '*slime', '*water', 'wall']);
    expect(sky.contents(0, [256, 192, 186])).toBe(-6);
    expect(sky.contents(1, [256, 192, 186])).toBe(-2);
  });

  it('become BSP2 when told to or when version 29 is too small, and say the same', () => {
    const wide = readQuake1File(compile(source, 'quake1', { bsp2: true }).bytes);
    expect([file.version, wide.version]).toEqual([29, 'BSP2']);
    const { counts } = compile(source, 'quake1').stats;
    expect(fitsNarrow(counts)).toBe(true);
    expect(fitsNarrow({ ...counts, clipNodes: 32768 })).toBe(false);
    expect(fitsNarrow({ ...counts, markSurfaces: 65536 })).toBe(false);
    for (let i = 0; i < 500; i++) {
      const point = [(i * 37) % 540, (i * 53) % 410, (i * 29) % 200];
      for (const hull of [0, 1, 2]) expect(wide.contents(hull, point)).toBe(file.contents(hull, point));
    }
  });

  it('have the hulls that were asked for; others stop nothing', () => {
    const hulls = [{ mins: [-4, -4, -4], maxs: [4, 4, 4] }];
    const custom = readQuake1File(compile(source, 'quake1', { hulls }).bytes);
    expect([3, 5].map((z) => custom.contents(1, [256, 300, z]))).toEqual([-2, -1]);
    expect(custom.contents(2, [256, 300, -8])).toBe(-1);
    const inverted = [{ mins: [0, 0, 8], maxs: [8, 8, 0] }];
    expect(() => compile(source, 'quake1', { hulls: inverted })).toThrow(RangeError);
    expect(() => compile(source, 'quake1', { hulls: [...hulls, ...hulls, ...hulls, ...hulls] })).toThrow(
      /three/,
    );
  });
});

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
