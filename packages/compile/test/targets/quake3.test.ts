import { describe, expect, it } from 'vitest';
import {
  boxBrush,
  COMPILE_TARGETS,
  formatMap,
  parseMap,
  pillarBrush,
  planeSide,
  regularOutline,
  type SourceBrush,
  type SourceEntity,
} from '../../src/index.ts';
import { errorOf } from '../error-of.ts';
import { readQuake3File } from '../read/quake3.ts';
import { clockwise, compile, door, gate, map, room, split, start, wall } from './maps.ts';

describe('Quake 3 files', () => {
  const points = Array.from(
    { length: 15 },
    (_, i) => [100 + 20 * (i % 3), 100 + 10 * i, 60, i / 14, 0] as const,
  );
  const patch = { material: 'base/curve', width: 3, height: 5, points };

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
    // Seven walls, one of them axial, and no bevels, as all edges are axial or level.
    expect(count).toBe(12);
  });

  it('have shaders with the contents and surface flags of the material', () => {
    const shader = (name: string) => file.shaders.find((s) => s.name === `textures/${name}`);
    expect(shader('base/wall')).toMatchObject({ contents: 1, surface: 0 });
    expect(shader('liquids/clear_water')).toMatchObject({ contents: 0x20 });
    expect(shader('common/clip')).toMatchObject({ contents: 0x10000, surface: 0x80 });
    expect(file.contents([64, 64, 20])).toBe(0x20);
    expect(file.contents([320, 60, 20])).toBe(0x10000);
  });

  it('let everyone through common/nodraw, as the shader of the game, which says nothing about brushes of other materials', () => {
    const pond = boxBrush([100, 100, 0], [160, 160, 64], { material: 'liquids/pond' });
    const [top, ...others] = pond.sides.map((side) => ({ ...side, material: 'textures/common/NoDraw' }));
    const sides = [{ ...top!, material: 'liquids/pond' }, ...others];
    const box = boxBrush([200, 200, 0], [260, 260, 64], { material: 'common/nodraw' });
    const { bytes, warnings } = compile(map([{ ...pond, sides }, box]), 'quake3');
    expect(warnings).toEqual([]);
    const read = readQuake3File(bytes);
    expect(read.contents([130, 130, 32])).toBe(0x20);
    expect(read.contents([230, 230, 32])).toBe(0x20000000);
    const own = compile(map([box]), 'quake3', {
      materials: { 'common/nodraw': {} },
      unknownMaterial: 'solid',
    });
    expect(readQuake3File(own.bytes).contents([230, 230, 32])).toBe(1);
  });

  it('keep brushes of contents that the game does not have, with a warning, whatever else these say', () => {
    for (const more of ['detail', 'structural', 'translucent']) {
      const ladder = { ...boxBrush([32, 32, 0], [64, 64, 64], wall), contents: `ladder,${more}` };
      const { stats, warnings } = compile([...room(), ladder], 'quake3');
      expect(stats.counts.brushes).toBe(7);
      expect(warnings.map(({ code }) => code)).toEqual(['unknown-contents']);
    }
  });

  it('have one folder of textures before their names, however it is written in the map', () => {
    for (const material of ['base/Wall', 'textures/base/Wall', 'Textures/base/Wall']) {
      const brush = boxBrush([0, 0, 0], [8, 8, 8], { material });
      const { shaders } = readQuake3File(compile([brush], 'quake3').bytes);
      expect(shaders.map(({ name }) => name)).toEqual(['textures/base/Wall']);
    }
  });

  it('have open leafs in cluster 0 and solid ones in no cluster', () => {
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

  it('have no faces that look outside if the map is sealed, but are open there', () => {
    // Its top is seen from inside and from outside.
    const slab = boxBrush([-64, 40, 0], [64, 80, 32], wall);
    const looksOf = (brushes: readonly SourceBrush[], entities: readonly SourceEntity[]) => {
      const { bytes } = compile({ entities: [{ properties: {}, brushes }, ...entities] }, 'quake3');
      const read = readQuake3File(bytes);
      expect(read.contents([-200, 100, 60])).toBe(0);
      expect(read.leafs[read.leaf([-200, 100, 60])]!.cluster).toBe(0);
      const looks = { inside: 0, outside: 0 };
      for (const { corners, normal } of read.surfaces) {
        const isInside = [512, 384, 192].every((size, k) => {
          const middle = corners.reduce((sum, corner) => sum + corner[k]!, 0) / corners.length;
          return middle + normal[k]! > 0 && middle + normal[k]! < size;
        });
        looks[isInside ? 'inside' : 'outside']++;
      }
      return looks;
    };
    const { inside, outside } = looksOf([...room(), slab], []);
    expect(inside).toBeGreaterThanOrEqual(9);
    expect(outside).toBeGreaterThanOrEqual(9);
    expect(looksOf([...room(), slab], [start])).toEqual({ inside, outside: 0 });
    // Nobody knows what is inside if it leaks, or if all stand in a wall.
    expect(looksOf([...room().slice(1), slab], [start]).outside).toBeGreaterThan(0);
    const sunk = { properties: { classname: 'light', origin: '-8 100 100' } };
    expect(looksOf([...room(), slab], [sunk])).toEqual({ inside, outside });
  });

  it('draw the walls behind weapclip, which is solid and transparent, and not the clip', () => {
    const clip = boxBrush([200, 200, 0], [264, 264, 64], { material: 'common/weapclip' });
    const floorArea = (extra: readonly SourceBrush[]): number =>
      readQuake3File(compile(map(extra), 'quake3').bytes)
        .surfaces.filter(({ normal }) => normal[2] === 1)
        .reduce((sum, { corners, normal }) => sum + clockwise(corners, normal) / 2, 0);
    expect(floorArea([clip])).toBeCloseTo(floorArea([]), 3);
  });

  it.each([64, 65, 66, 80, 127, 128, 200])('split the ends of a pillar of %d sides', (corners) => {
    const sides = regularOutline([0, 0], 500, corners).map(([x, y], i, outline) => {
      const [nextX, nextY] = outline[(i + 1) % corners]!;
      return planeSide([x, y, 0], [x, y, 64], [nextX!, nextY!, 0]);
    });
    const ends = [planeSide([0, 0, 64], [0, 1, 64], [1, 0, 64]), planeSide([0, 0, 0], [1, 0, 0], [0, 1, 0])];
    const { surfaces } = readQuake3File(compile([{ sides: [...sides, ...ends] }], 'quake3').bytes);
    const tops = surfaces.filter(({ normal }) => normal[2] === 1);
    expect(tops).toHaveLength(Math.ceil((corners - 2) / 62));
    let area = 0;
    for (const { corners: around, normal } of tops) {
      expect(around.length).toBeGreaterThanOrEqual(3);
      expect(around.length).toBeLessThanOrEqual(64);
      area += clockwise(around, normal) / 2;
    }
    expect(area).toBeCloseTo((corners / 2) * 500 ** 2 * Math.sin((2 * Math.PI) / corners), -1);
  });

  it('split the world only by structural brushes; detail is only listed', () => {
    const plain = compile(map([pillar]), 'quake3').stats.counts.nodes!;
    const detail = compile(map([{ ...pillar, detail: true }]), 'quake3');
    const none = compile(map(), 'quake3').stats.counts.nodes!;
    expect(detail.stats.counts.nodes).toBe(none);
    expect(plain).toBeGreaterThan(none);
    expect(readQuake3File(detail.bytes).contents([256, 192, 90])).toBe(0x8000001);
  });

  it('split crowded leafs', () => {
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

  it.each([
    [{ width: 4 }, /^entity 0, patch 0: width must be an odd number in 3..31, found 4$/],
    [{ height: 33 }, /^entity 0, patch 0: height must be an odd number in 3..31, found 33$/],
    [{ points: points.slice(1) }, /^entity 0, patch 0: a grid of 3 by 5 has 14 points$/],
    [{ points: points.map(([x, y, , s, t]) => [x, y, Number.NaN, s, t] as const) }, /a point is not finite$/],
    [{ points: points.map(([x, y, z]) => [x, y, z, Number.POSITIVE_INFINITY, 0] as const) }, /not finite$/],
  ])('cannot hold a patch with %o', (change, message) => {
    const properties = { classname: 'worldspawn' };
    const source = { entities: [{ properties, brushes: room(), patches: [{ ...patch, ...change }] }] };
    expect(() => compile(source, 'quake3')).toThrow(message);
    expect(() => compile(source, 'quake3')).toThrow(expect.objectContaining({ code: 'patch', patch: 0 }));
  });

  it('name the patch whose material is not known', () => {
    const [world] = map().entities;
    const source = { entities: [{ ...world!, patches: [patch, { ...patch, material: 'base/lost' }] }] };
    const materials = { 'base/wall': {}, 'base/curve': {} };
    expect(errorOf(() => compile(source, 'quake3', { materials }))).toMatchObject({
      code: 'unknown-material',
      patch: 1,
      message: "entity 0, patch 1: material 'base/lost' is not known",
    });
    expect(
      compile(source, 'quake3', { materials, unknownMaterial: 'solid' }).stats.counts.surfaces,
    ).toBeGreaterThan(1);
  });

  it('have normals of unit length on patches, upright where a row of points is a single one', () => {
    // A cone's roof: it rises from y = 0 to its tip.
    const roof = Array.from({ length: 9 }, (_, i) => {
      const [column, row] = [i % 3, Math.floor(i / 3)];
      return [200 - (column - 1) * 20 * (2 - row), 100 + 20 * row, 60 + 20 * row, 0, 0] as const;
    });
    const [world] = map().entities;
    const patches = [{ ...patch, height: 3, points: roof }];
    const { surfaces } = readQuake3File(
      compile({ entities: [{ ...world!, patches }, start] }, 'quake3').bytes,
    );
    const { normals, corners } = surfaces.find(({ type }) => type === 2)!;
    expect(corners).toEqual(roof.map((point) => point.slice(0, 3)));
    const slope = expect.closeTo(Math.SQRT1_2, 6);
    const zero = expect.closeTo(0, 6);
    expect(normals).toEqual(roof.map((_, i) => (i < 6 ? [zero, expect.any(Number), slope] : [0, 0, 1])));
    for (const [, y, z] of normals) expect(y! * y! + z! * z!).toBeCloseTo(1, 6);
  });

  it('are the same bytes whatever the sign of zeros in patches', () => {
    const [world] = map().entities;
    const bytesOf = (zero: number): Uint8Array => {
      const level = points.map(([x, y], i) => [x, i < 9 ? zero : y, zero, zero, zero] as const);
      return compile({ entities: [{ ...world!, patches: [{ ...patch, points: level }] }, start] }, 'quake3')
        .bytes;
    };
    expect(bytesOf(-0)).toEqual(bytesOf(0));
  });

  it('contain patches, in the leafs they touch', () => {
    const source = map();
    const [world] = source.entities;
    const curved = compile({ entities: [{ ...world!, patches: [patch] }, start] }, 'quake3');
    const read = readQuake3File(curved.bytes);
    const number = read.surfaces.findIndex(({ type }) => type === 2);
    expect(read.surfaces[number]!.corners.map(([x, y, z]) => [x, y, z])).toEqual(
      points.map(([x, y, z]) => [x, y, z]),
    );
    expect(read.leafs[read.leaf([120, 160, 60])]!.surfaces).toContain(number);
    for (const { id: format, text } of COMPILE_TARGETS) {
      if (text.patches) continue;
      const { warnings } = compile({ entities: [{ ...world!, patches: [patch] }, start] }, format);
      expect(warnings).toContainEqual(
        expect.objectContaining({ code: 'patch-left-out', entity: 0, patch: 0 }),
      );
    }
  });
});

describe('areas of Quake 3 files', () => {
  const rooms = [...split(160), ...split(320)];
  const areas = (...brushes: SourceBrush[]): ((x: number, y?: number, z?: number) => number) => {
    const file = readQuake3File(compile(map(brushes), 'quake3').bytes);
    return (x, y = 128, z = 60) => file.leafs[file.leaf([x, y, z])]!.area;
  };

  it('lie between portals; solid is in none, and the outside is another one', () => {
    const area = areas(...rooms, gate(160), gate(320));
    const all = [area(80), area(240), area(440), area(-400)];
    expect([...all].sort()).toEqual([0, 1, 2, 3]);
    // As in maps for other games.
    const entities = [160, 320].map((x) => ({
      properties: { classname: 'func_areaportal' },
      brushes: [gate(x)],
    }));
    const file = readQuake3File(compile(map(rooms, [start, ...entities]), 'quake3').bytes);
    expect(file.models).toHaveLength(1);
    expect([80, 240, 440].map((x) => file.leafs[file.leaf([x, 128, 60])]!.area)).toEqual(all.slice(0, 3));
    expect(area(168, 300)).toBe(-1);
    expect([area(80), area(240)]).toContain(area(168));
    expect([area(240), area(440)]).toContain(area(328));
    expect(area(80, 300)).toBe(area(80));
  });

  it('have another one of portals that touch one behind the other, which a door finds beside its room', () => {
    const slab = (x1: number, x2: number): SourceBrush =>
      boxBrush([x1, 96, 0], [x2, 160, 192], { material: 'common/areaportal' });
    const area = areas(...split(160), slab(162, 168), slab(168, 174));
    const middle = area(168);
    expect(new Set([area(80), middle, area(240)]).size).toBe(3);
    expect([161, 163, 173, 175].map((x) => area(x))).toEqual([area(80), middle, middle, area(240)]);
  });

  it('are joined without portals, around portals of detail and around those that divide nothing', () => {
    for (const gates of [[], [{ ...gate(160), detail: true }]]) {
      const area = areas(...rooms, ...gates);
      expect([area(80), area(240), area(440), area(-400)]).toEqual([0, 0, 0, 0]);
    }
    const entities = ['func_detail', 'func_door'].map((classname): SourceEntity => {
      return { properties: { classname }, brushes: [boxBrush([80, 40, 0], [96, 56, 8]), gate(160)] };
    });
    const idle = compile(parseMap(formatMap(map(rooms, [start, ...entities]))), 'quake3').warnings;
    expect(idle.map(({ code, entity, brush }) => [code, entity, brush])).toEqual([
      ['area-portal', 2, 1],
      ['area-portal', 3, 1],
    ]);
    expect(idle[0]!.message).toMatch(/^line \d+, entity 2, brush 1: the area portal is detail, and divides/);
    expect(idle[1]!.message).toMatch(/^line \d+, entity 3, brush 1: the area portal is part of a model, and/);
    const low = boxBrush([164, 96, 0], [172, 160, 100], { material: 'common/areaportal' });
    const { bytes, warnings } = compile(map([...rooms, low]), 'quake3');
    expect(warnings).toEqual([expect.objectContaining({ code: 'area-portal', entity: 0 })]);
    const file = readQuake3File(bytes);
    expect(new Set(file.leafs.map(({ area }) => area))).toEqual(new Set([-1, 0, 1]));
    expect(file.leafs[file.leaf([168, 128, 60])]!.area).toBe(file.leafs[file.leaf([80, 128, 60])]!.area);
  });

  it('leak if only detail closes a map, with a warning', () => {
    const [floor, ...rest] = room();
    const leaksOf = (brushes: readonly SourceBrush[], entities = [start]) =>
      compile({ entities: [{ properties: {}, brushes }, ...entities] }, 'quake3').warnings;
    const warnings = leaksOf(rest);
    expect(warnings).toMatchObject([{ code: 'leak', entity: 1 }]);
    expect(warnings[0]!.message).toMatch(
      /^entity 1: the map leaks: from info_player_start at \(64 64 32\) there is a way out at \(\S+ \S+ \S+\); its outside is drawn, too$/,
    );
    const { path } = warnings[0]!;
    expect(path![0]).toEqual([64, 64, 32]);
    expect(path!.at(-1)![2]).toBeLessThanOrEqual(-16);
    expect(leaksOf([{ ...floor!, detail: true }, ...rest])).toMatchObject([{ code: 'leak' }]);
    expect(leaksOf([floor!, ...rest])).toEqual([]);
    // Nothing says what is inside.
    expect(leaksOf(rest, [])).toEqual([]);
    // All walls are there.
    const astray: SourceEntity = { properties: { classname: 'light', origin: '64 9000 32' } };
    expect(leaksOf([floor!, ...rest], [start, astray])).toMatchObject([
      {
        code: 'leak',
        message: 'entity 2: the map leaks: light at (64 9000 32) stands outside; its outside is drawn, too',
        path: [[64, 9000, 32]],
      },
    ]);
    // A hole is reported whichever entity comes first.
    expect(leaksOf(rest, [astray, start])[0]!.message).toContain('a way out at');
    const buried: SourceEntity = { properties: { classname: 'light', origin: '-8 64 32' } };
    expect(leaksOf(rest, [buried])).toEqual([]);
  });

  it('have no brushes for solid models, with a warning', () => {
    const model = (spawnflags: object) => ({
      properties: { classname: 'misc_model', model: 'models/rock.md3', origin: '0 0 9', ...spawnflags },
    });
    const { warnings } = compile(
      map([], [start, model({}), model({ spawnflags: '4' }), { ...model({ spawnflags: '6' }), line: 9 }]),
      'quake3',
    );
    expect(warnings).toMatchObject([
      {
        code: 'model-left-out',
        message:
          'line 9, entity 4: is to be solid, but of models such as models/rock.md3 nothing is compiled; nobody is stopped by it',
      },
    ]);
  });
});
