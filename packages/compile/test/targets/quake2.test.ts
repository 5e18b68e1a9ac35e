import { describe, expect, it } from 'vitest';
import {
  boxBrush,
  formatMap,
  type MapSource,
  moveBrush,
  parseMap,
  pillarBrush,
  rampBrush,
  roomBrushes,
  type SourceBrush,
  type SourceEntity,
} from '../../src/index.ts';
import { reachOf } from '../every-target.ts';
import { readQuake2File } from '../read/quake2.ts';
import { clockwise, compile, door, gate, map, split, start, wall } from './maps.ts';

const read = (source: MapSource) => readQuake2File(compile(source, 'quake2').bytes);

describe('Quake 2 files', () => {
  const brushes = [
    pillarBrush([256, 192, 0], 40, 192, 7, wall),
    boxBrush([32, 32, 0], [96, 96, 40], { material: 'liquids/clear_water', currents: 1 | 32 }),
    boxBrush([300, 40, 0], [340, 80, 80], { material: 'common/clip' }),
    boxBrush([400, 300, 0], [420, 320, 120], { material: 'common/ladder' }),
    boxBrush([440, 40, 0], [448, 120, 120], { material: 'glass/window' }),
    boxBrush([460, 200, 0], [480, 220, 40], { ...wall, detail: true }),
  ];
  const file = read(map(brushes, [start, door]));
  const at = (point: readonly number[]) => file.leafs[file.leaf(point)]!;

  it('have a texture, which readers require, even when everything is clip', () => {
    const clip = boxBrush([0, 0, 0], [64, 64, 64], { material: 'common/clip' });
    const one = readQuake2File(compile([clip], 'quake2').bytes);
    expect(one.texInfos).toMatchObject([{ name: 'common/clip' }]);
    expect(one.sides.every(({ texInfo }) => texInfo === -1)).toBe(true);
  });

  it('have the six axial sides of every brush first', () => {
    const axes = [0, 1, 2].flatMap((k) => [-1, 1].map((sign) => [0, 1, 2].map((i) => (i === k ? sign : 0))));
    for (const { first } of file.brushes) {
      const normals = file.sides
        .slice(first, first + 6)
        .map(({ plane }) => file.planes[plane]!.n.map((x) => x + 0));
      expect(normals).toEqual(axes);
    }
  });

  it('have bounds of 16 bits in maps of any size that they can hold', () => {
    const reach = reachOf('quake2');
    const ends = [-1, 1].map((sign) =>
      moveBrush(boxBrush([-16, -16, 0], [16, 16, 16]), [sign * (reach - 16), 0, 0]),
    );
    expect(
      read({ entities: [{ properties: { classname: 'worldspawn' }, brushes: ends }] }).brushes,
    ).toHaveLength(2);
  });

  it('list brushes in all leafs that they extend into, however thin they are there', () => {
    // Starts without thickness, and is still very thin at the edge of a floor that divides the leafs.
    const plate = rampBrush([67, -218, 57], [267, -22, 57.0625], '+x', { material: 'common/clip' });
    const thin = readQuake2File(compile([plate, boxBrush([-102, -102, -2], [102, 102, -1])], 'quake2').bytes);
    for (const x of [75, 90, 101, 103, 250]) {
      expect(thin.leafs[thin.leaf([x, -60, 57])]!.brushes).toContain(0);
      expect(thin.leafs[thin.leaf([x, -150, 57])]!.brushes).toContain(0);
    }
  });

  it('of IBSP are refused before trees are built if there are more brushes than they can hold', () => {
    const many = Array.from({ length: 8192 }, (_, k) => boxBrush([2 * k, 0, 0], [2 * k + 1, 1, 1]));
    const stages = new Set<string>();
    const onProgress = (stage: string): void => void stages.add(stage);
    expect(() => compile(many, 'quake2', { onProgress, qbsp: false })).toThrow(
      'IBSP version 38 holds at most 8191 brushes, but the map has 8192',
    );
    expect([...stages]).toEqual(['brushes']);
  });

  it('of IBSP hold as much text about entities as the engine takes, which refuses one byte more', () => {
    const withText = (length: number): MapSource => ({
      entities: [
        {
          properties: { classname: 'worldspawn', message: 'x'.repeat(length) },
          brushes: [boxBrush([0, 0, 0], [8, 8, 8])],
        },
      ],
    });
    const textOf = (bytes: Uint8Array): number =>
      new DataView(bytes.buffer, bytes.byteOffset).getInt32(12, true);
    const own = textOf(compile(withText(0), 'quake2').bytes);
    const most = compile(withText(262_143 - own), 'quake2', { qbsp: false }).bytes;
    expect(textOf(most)).toBe(262_143);
    const more = withText(262_144 - own);
    expect(() => compile(more, 'quake2', { qbsp: false })).toThrow(
      'IBSP version 38 holds at most 262143 bytes of entities, but the map has more',
    );
    expect(String.fromCharCode(...compile(more, 'quake2').bytes.subarray(0, 4))).toBe('QBSP');
  });

  it('have contents of brushes and leafs as the game knows them', () => {
    // Flows along x and down.
    const flowing = 0x20 | 0x40000 | 0x800000;
    const contents = file.brushes.slice(6, 12).map((brush) => brush.contents);
    expect(contents).toEqual([1, flowing, 0x8010000, 0x20010000, 2, 0x8000001]);
    expect(at([64, 64, 20]).contents).toBe(flowing);
    expect(at([410, 310, 60]).contents).toBe(0x20010000);
    expect(at([444, 80, 60]).contents).toBe(2);
    // Clips do not divide leafs: their contents count for the whole leaf.
    expect(at([320, 60, 20]).contents & 0x10000).toBe(0x10000);
    expect(at([100, 300, 100]).contents).toBe(0);
    // Solid hides all other contents.
    expect(at([470, 210, 20]).contents).toBe(1);
    expect(at([256, 192, 90]).contents).toBe(1);
  });

  it('have no texture on sides of clip, and names and flags on all others', () => {
    const clip = file.brushes[8]!;
    for (const [k, { texInfo }] of file.sides.entries()) {
      const isClip = k >= clip.first && k < clip.first + clip.count;
      expect(texInfo === -1).toBe(isClip);
    }
    expect(file.texInfos.map(({ name }) => name)).toContain('base/wall');
    expect(file.texInfos.every(({ next }) => next === -1)).toBe(true);
    expect(file.texInfos.find(({ name }) => name === 'liquids/clear_water')!.flags).toBe(8);
  });

  it('are solid outside if the map is sealed', () => {
    expect(at([-200, 100, 60])).toMatchObject({ contents: 1, cluster: -1, area: 0 });
    expect(at([100, 300, 100])).toMatchObject({ cluster: 0, area: 1 });
    const leaky = compile({ entities: [{ properties: {}, brushes: [brushes[0]!] }, start] }, 'quake2');
    expect(leaky.warnings.at(-1)).toMatchObject({ code: 'leak' });
    const open = readQuake2File(leaky.bytes);
    expect(open.leafs[open.leaf([-900, 0, 0])]).toMatchObject({ contents: 0, area: 1 });
    // An entity inside solid does not show what is inside.
    const sunk = { properties: { classname: 'light', origin: '256 192 20' } };
    const unknown = compile({ entities: [{ properties: {}, brushes: [brushes[0]!] }, sunk] }, 'quake2');
    expect(unknown.warnings.at(-1)).toMatchObject({ code: 'no-occupants' });
    const around = readQuake2File(unknown.bytes);
    expect(around.leafs[around.leaf([-900, 0, 0])]).toMatchObject({ contents: 0 });
  });

  it('have faces clockwise about their normals, none within solid or outside, and liquids have them on both sides', () => {
    const { firstFace, numFaces } = file.models[0]!;
    const waters: number[] = [];
    for (const { corners, normal, texInfo } of file.faces.slice(firstFace, firstFace + numFaces)) {
      expect(clockwise(corners, normal)).toBeGreaterThan(0);
      const middle = [0, 1, 2].map(
        (k) => corners.reduce((sum, c) => sum + c[k]!, 0) / corners.length + normal[k]!,
      );
      expect(at(middle).contents).not.toBe(1);
      if (file.texInfos[texInfo]!.name.includes('water')) waters.push(normal[2]!);
    }
    expect(new Set(waters)).toEqual(new Set([1, -1, 0]));
    const listed = new Set(file.leafs.flatMap(({ faces }) => faces));
    for (let face = firstFace; face < firstFace + numFaces; face++) expect(listed.has(face)).toBe(true);
  });

  it.each([
    ['small pieces, where the game lights it', 0, 256],
    ['one piece, where it moves', 'warp', 512],
  ])('have the surface of water in %s', (_what, surface, most) => {
    const pond = boxBrush([0, 0, 0], [512, 384, 40], { material: 'pond' });
    const materials = { pond: { contents: 'water', surface }, 'base/wall': {} };
    const { faces, texInfos } = readQuake2File(compile(map([pond]), 'quake2', { materials }).bytes);
    const seen = faces.filter(({ texInfo }) => texInfos[texInfo]!.name === 'pond');
    expect(new Set(seen.map(({ normal }) => normal[2]))).toEqual(new Set([1, -1]));
    const lengths = seen.map(({ corners }) => {
      const along = corners.map((corner) => corner[0]!);
      return Math.max(...along) - Math.min(...along);
    });
    expect(Math.max(...lengths)).toBeLessThanOrEqual(most);
    expect(Math.max(...lengths)).toBeGreaterThan(most / 2);
  });

  it.each(['nodraw', 'skip'])('have no faces on sides that are %s', (surface) => {
    const box = boxBrush([100, 100, 0], [160, 160, 64], wall);
    const sides = box.sides.map((side) => (side.normal[2] === 1 ? { ...side, surface } : side));
    const tops = [box, { ...box, sides }].map((brush) =>
      read(map([brush], [start])).faces.filter(({ corners }) => corners.every((corner) => corner[2] === 64)),
    );
    expect(tops.map((faces) => faces.length > 0)).toEqual([true, false]);
  });

  it('leave out what the game does not know, and curves', () => {
    const odd = boxBrush([32, 32, 0], [64, 64, 64], { material: 'common/botclip' });
    expect(read(map([odd])).brushes).toHaveLength(6);
    expect(() => compile([odd], 'quake2')).toThrow(/contents botclip mean nothing to Quake 2/);
    const patch = { material: 'base/curve', width: 3, height: 3, points: Array(9).fill([0, 0, 0, 0, 0]) };
    const portal = { properties: { classname: 'func_areaportal' }, patches: [patch] };
    const source = { entities: [{ ...map().entities[0]!, patches: [patch] }, start, portal] };
    const leftOut = compile(source, 'quake2').warnings.filter(({ code }) => code === 'patch-left-out');
    expect(leftOut).toMatchObject([
      { entity: 0, patch: 0 },
      { entity: 2, patch: 0 },
    ]);
  });

  it('have the currents of each piece of a stream, where pieces touch and where they overlap', () => {
    const piece = (x: number, y: number, currents: number): SourceBrush =>
      boxBrush([x, y, 0], [x + 64, y + 64, 40], { material: 'liquids/stream', currents });
    const stream = read(map([piece(32, 32, 1), piece(96, 32, 2), piece(160, 32, 0), piece(128, 64, 32)]));
    const flow = (x: number, y: number) => stream.leafs[stream.leaf([x, y, 20])]!.contents;
    expect([flow(40, 40), flow(90, 90), flow(100, 40), flow(200, 40), flow(150, 110)]).toEqual([
      0x40020, 0x40020, 0x80020, 0x20, 0x800020,
    ]);
    // Where they overlap, in both directions.
    expect([flow(150, 80), flow(170, 80)]).toEqual([0x880020, 0x800020]);
  });

  it('have triggers that are solid in inline models, where games look for them, and nothing in the world', () => {
    const brushes = [boxBrush([100, 100, 0], [164, 140, 64], { material: 'common/trigger' })];
    const trigger = { properties: { classname: 'trigger_once' }, brushes };
    const { models, ...all } = read(map(brushes, [start, trigger]));
    expect(models[1]).toMatchObject({ mins: [100, 100, 0], maxs: [164, 140, 64] });
    expect(all.brushes.map(({ contents }) => contents)).toEqual(Array(7).fill(1));
    expect(all.leafs[all.leaf([132, 120, 32])]!.contents).toBe(0);
  });

  it('keep currents in text', () => {
    const text = formatMap(map(brushes.slice(0, 5)), { format: 'quake2' });
    const back = parseMap(text, { format: 'quake2' });
    expect(back.entities[0]!.brushes![7]!.currents).toBe(33);
    expect(compile(back, 'quake2').bytes).toEqual(compile(map(brushes.slice(0, 5)), 'quake2').bytes);
    expect(() => formatMap(map(brushes))).toThrow(/currents 33 cannot be written/);
  });

  it.each([64, -1, 1.5])('refuse currents of %s', (currents) => {
    expect(() => compile([{ ...brushes[1]!, currents }], 'quake2')).toThrow(
      /currents must be a whole number/,
    );
  });
});

describe('areas of Quake 2 files', () => {
  const portal = (name: string, ...gates: SourceBrush[]): SourceEntity => ({
    properties: { classname: 'func_areaportal', targetname: name },
    brushes: gates,
  });

  it('lie between portals, which doors open by number', () => {
    const rooms = [...split(160), ...split(320)];
    const file = read(map(rooms, [start, portal('a', gate(160)), portal('b', gate(320))]));
    const area = (x: number): number => file.leafs[file.leaf([x, 128, 60])]!.area;
    const [west, middle, east] = [area(80), area(240), area(440)];
    expect(new Set([west, middle, east]).size).toBe(3);
    expect(file.areas[0]).toEqual([]);
    expect(file.areas[west]).toEqual([[1, middle]]);
    expect(file.areas[middle]).toEqual([
      [1, west],
      [2, east],
    ]);
    expect(file.areas[east]).toEqual([[2, middle]]);
    expect([west, middle]).toContain(area(168));
    expect(file.leafs[file.leaf([168, 128, 60])]!.contents).toBe(0x8000);
    expect(file.entities).toContain('"targetname" "b"\n"style" "2"');
    expect(file.models).toHaveLength(1);
  });

  it('leave no old number on a portal that divides nothing, which another one may have now', () => {
    const style = '1';
    const idle = portal('idle', boxBrush([40, 40, 40], [48, 80, 80]));
    const live = portal('live', gate(160));
    const old = [idle, live].map((entity) => ({ ...entity, properties: { ...entity.properties, style } }));
    const { entities } = read(map(split(160), [start, ...old]));
    expect(entities).toContain('"targetname" "idle"\n}');
    expect(entities).toContain('"targetname" "live"\n"style" "1"\n}');
  });

  it('have one portal for the brushes of an entity, and one for each brush of the world', () => {
    const two = [gate(160), boxBrush([164, 40, 100], [172, 80, 140], { material: 'common/areaportal' })];
    const wallWithHole = [
      boxBrush([160, 0, 0], [176, 40, 192], wall),
      boxBrush([160, 80, 0], [176, 96, 192], wall),
      boxBrush([160, 160, 0], [176, 384, 192], wall),
      boxBrush([160, 40, 0], [176, 80, 100], wall),
      boxBrush([160, 40, 140], [176, 80, 192], wall),
    ];
    const joined = read(map(wallWithHole, [start, portal('a', ...two)]));
    expect(joined.areas.map(({ length }) => length)).toEqual([0, 1, 1]);
    const single = read(map([...wallWithHole, ...two]));
    expect(single.areas.map(({ length }) => length)).toEqual([0, 2, 2]);
    const group = { properties: { classname: 'func_group' }, brushes: two };
    expect(read(map(wallWithHole, [start, group])).areas.map(({ length }) => length)).toEqual([0, 2, 2]);
  });

  it('have a portal for each leaf of a double door, and none is said to divide nothing', () => {
    const leaf = (y: number): SourceBrush =>
      boxBrush([164, y, 0], [172, y + 32, 192], { material: 'common/areaportal' });
    const source = map(split(160), [start, portal('left', leaf(96)), portal('right', leaf(128))]);
    const { bytes, warnings } = compile(source, 'quake2');
    const file = readQuake2File(bytes);
    const [west, east] = [80, 240].map((x) => file.leafs[file.leaf([x, 128, 60])]!.area);
    expect([warnings, file.areas[west!]]).toEqual([
      [],
      [
        [1, east],
        [2, east],
      ],
    ]);
    expect(file.entities).toContain('"targetname" "right"\n"style" "2"');
    expect(compile(source, 'quake3').warnings).toEqual([]);
  });

  it('have another one of portals that touch one behind the other: the way is open if both are', () => {
    const slab = (x1: number, x2: number, y1 = 96, y2 = 160): SourceBrush =>
      boxBrush([x1, y1, 0], [x2, y2, 192], { material: 'common/areaportal' });
    const areasOf = (...portals: SourceEntity[]) => {
      const { bytes, warnings } = compile(map(split(160), [start, ...portals]), 'quake2');
      const file = readQuake2File(bytes);
      const area = (x: number): number => file.leafs[file.leaf([x, 128, 60])]!.area;
      return { lists: [80, 168, 240].map((x) => file.areas[area(x)]), area, warnings };
    };
    for (const [end, begin] of [
      [168, 168],
      [170, 166],
    ] as const) {
      const { lists, area, warnings } = areasOf(portal('a', slab(162, end)), portal('b', slab(begin, 174)));
      const [west, middle, east] = [area(80), area(168), area(240)];
      expect(new Set([0, west, middle, east, area(163), area(173)])).toEqual(
        new Set([0, west, middle, east]),
      );
      expect(lists).toEqual([
        [[1, middle]],
        [
          [1, west],
          [2, east],
        ],
        [[2, middle]],
      ]);
      expect(warnings).toEqual([]);
    }
    // A double door, and a single one behind it.
    const leafs = [slab(162, 168, 96, 128), slab(162, 168, 128, 160)].map((leaf) => portal('leaf', leaf));
    const doors = areasOf(...leafs, portal('b', slab(168, 174)));
    expect(doors.lists.map((list) => list!.map(([number]) => number))).toEqual([[1, 2], [1, 2, 3], [3]]);
    expect(doors.warnings).toEqual([]);
    // One that only touches others is not needed.
    const three = areasOf(
      portal('a', slab(162, 166)),
      portal('b', slab(166, 170)),
      portal('c', slab(170, 174)),
    );
    expect(three.lists.map((list) => list!.map(([number]) => number))).toEqual([[1], [1, 2], [2]]);
    expect(three.warnings.map(({ code, entity }) => [code, entity])).toEqual([['area-portal', 3]]);
  });

  it('are one for all places that nobody gets to, of which there may be more than the game has areas', () => {
    const pockets = [0, 1, 2, 3].map((k) => [100 * k + 70, 200, 60] as const);
    const walls = pockets.flatMap(([x, y, z]) =>
      roomBrushes([x - 24, y - 24, z - 24], [x + 24, y + 24, z + 24], 8),
    );
    const lamp = { properties: { classname: 'light', origin: pockets[3]!.join(' ') } };
    const file = read(map(walls, [start, lamp]));
    const areas = [[256, 60, 60], ...pockets].map((point) => file.leafs[file.leaf(point)]!.area);
    expect(file.areas).toHaveLength(4);
    expect(areas).toEqual([areas[0], areas[1], areas[1], areas[1], areas[4]]);
    expect(new Set([0, ...areas]).size).toBe(4);
  });

  it('are closed for good where a portal belongs to no func_areaportal, with a warning', () => {
    const group = { properties: { classname: 'func_group' }, brushes: [gate(320)] };
    const rooms = [...split(160), ...split(320)];
    const { warnings } = compile(map([...rooms, gate(160)], [start, group]), 'quake2');
    expect(warnings.map(({ code, entity, brush }) => [code, entity, brush])).toEqual([
      ['area-portal', 0, rooms.length + 6],
      ['area-portal', 2, 0],
    ]);
    expect(warnings[0]!.message).toMatch(
      /the area portal belongs to no func_areaportal, so no door opens it$/,
    );
  });

  it('lie on both sides of a func_areaportal of any material', () => {
    for (const material of ['base/wall', 'common/trigger', 'common/hint']) {
      const one: SourceBrush = { ...gate(160), material, detail: true };
      const { bytes, warnings } = compile(map(split(160), [start, portal('a', one)]), 'quake2');
      const file = readQuake2File(bytes);
      expect([warnings, file.areas.map(({ length }) => length)]).toEqual([[], [0, 1, 1]]);
      expect(file.leafs[file.leaf([168, 128, 60])]!.contents).toBe(0x8000);
    }
  });

  it('are joined around portals of models, with a warning that names these', () => {
    const source = map(split(160), [
      start,
      {
        properties: { classname: 'func_door' },
        brushes: [boxBrush([160, 96, 0], [176, 160, 192]), gate(160)],
      },
    ]);
    const { bytes, warnings } = compile(parseMap(formatMap(source)), 'quake2');
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'area-portal', entity: 2, brush: 1, line: expect.any(Number) }),
    ]);
    expect(warnings[0]!.message).toMatch(/the area portal is part of a model, and divides nothing$/);
    expect(readQuake2File(bytes).areas).toHaveLength(2);
  });

  it('are joined where a portal does not lie between two, with a warning', () => {
    const lone = compile(map([gate(160)]), 'quake2');
    expect(lone.warnings).toEqual([expect.objectContaining({ code: 'area-portal', entity: 0, brush: 6 })]);
    expect(lone.warnings[0]!.message).toMatch(/touches 1 area, not two/);
    expect(readQuake2File(lone.bytes).areas).toHaveLength(2);
    // A portal in the crossing of two walls, with four rooms around it.
    const cross = [
      ...split(160),
      boxBrush([0, 120, 0], [160, 136, 192], wall),
      boxBrush([176, 120, 0], [512, 136, 192], wall),
    ];
    const wide = boxBrush([160, 96, 0], [176, 160, 192], { material: 'common/areaportal' });
    const crossed = compile(map(cross, [start, portal('a', wide)]), 'quake2');
    expect(crossed.warnings[0]!.message).toMatch(/touches 4 areas, not two/);
    expect(readQuake2File(crossed.bytes).areas).toHaveLength(2);
    const marker: SourceBrush = { ...gate(160), material: 'common/origin' };
    for (const empty of [portal('a', marker), portal('a')]) {
      const { warnings } = compile(map(split(160), [start, empty]), 'quake2');
      expect(warnings).toEqual([expect.objectContaining({ code: 'area-portal', entity: 2 })]);
      expect(warnings[0]!.message).toMatch(/func_areaportal has no brush that stays, and divides nothing$/);
    }
  });
});
