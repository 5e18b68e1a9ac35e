import { describe, expect, it } from 'vitest';
import { boxBrush, CONTENTS, hullBrush, planeSide, regularOutline, roomBrushes } from '../../src/index.ts';
import { checkLimits } from '../../src/target.ts';
import { type Hull, packHull } from '../../src/targets/quake1/hull.ts';
import { countClipNodes, NARROW_LIMITS } from '../../src/targets/quake1/write.ts';
import type { Tree, TreeLeaf } from '../../src/tree.ts';
import { readQuake1File } from '../read/quake1.ts';
import { clockwise, compile, door, map, room, start, wall } from './maps.ts';

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

  it('have hulls grown by the boxes that move, and only these contain clip', () => {
    const at = (point: readonly number[]) => [0, 1, 2].map((hull) => file.contents(hull, point));
    expect(at([64, 230, 30])).toEqual([-1, -2, -2]);
    expect(at([256, 300, 23])).toEqual([-1, -2, -2]);
    expect(at([256, 300, 25])).toEqual([-1, -1, -1]);
    expect(at([256, 300, 159])).toEqual([-1, -1, -2]);
    expect(at([17, 300, 100])).toEqual([-1, -1, -2]);
    expect(at([164, 64, 40 - 8])).toEqual([-4, -1, -1]);
  });

  it('are not made of what the game does not know, or of curves alone', () => {
    const odd = boxBrush([32, 32, 0], [64, 64, 64], { material: 'common/botclip' });
    expect(() => compile([odd], 'quake1')).toThrow(
      /^the map has no brushes .* contents botclip mean nothing to Quake 1/,
    );
    const patch = { material: 'base/curve', width: 3, height: 3, points: Array(9).fill([0, 0, 0, 0, 0]) };
    const curves = { entities: [{ properties: { classname: 'worldspawn' }, patches: [patch] }] };
    expect(() => compile(curves, 'quake1')).toThrow(/^the map has no brushes .* Quake 1 has no curves/);
    // One that is only in clip hulls, or only in the drawn one, or only in a model, is enough.
    for (const source of [
      [{ ...odd, material: 'clip' }],
      [{ ...odd, material: '*water' }],
      { entities: [door] },
    ]) {
      expect(compile(source, 'quake1').bytes.length).toBeGreaterThan(300);
    }
  });

  it('have their brushes in a BSPX lump if asked to', () => {
    const plain = compile(source, 'quake1').bytes;
    const { bytes } = compile(source, 'quake1', { brushlist: true });
    // Everything else stays as it is.
    expect(bytes.subarray(0, plain.length)).toEqual(plain);
    const text = (at: number, length: number): string =>
      String.fromCharCode(...bytes.subarray(at, at + length)).replace(/\0+$/, '');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const i32 = (at: number): number => view.getInt32(at, true);
    expect([text(plain.length, 4), i32(plain.length + 4), text(plain.length + 8, 24)]).toEqual([
      ...['BSPX', 1, 'BRUSHLIST'],
    ]);
    const list = i32(plain.length + 32);
    expect(list + i32(plain.length + 36)).toBe(bytes.length);
    // The world: six walls and those above them, all of them boxes, so that no sides remain to be listed.
    expect([i32(list), i32(list + 4), i32(list + 8), i32(list + 12)]).toEqual([1, 0, 10, 0]);
    const contents = Array.from({ length: 10 }, (_, k) => view.getInt16(list + 16 + 28 * k + 24, true));
    expect(contents).toEqual([...Array(6).fill(-2), -5, -4, -3, -8]);
    const clipAt = list + 16 + 28 * 9;
    const box = Array.from({ length: 6 }, (_, k) => view.getFloat32(clipAt + 4 * k, true));
    expect(box).toEqual([32, 200, 0, 96, 264, 64]);
    const door = list + 16 + 280;
    expect([i32(door), i32(door + 4), i32(door + 8)]).toEqual([1, 1, 1]);
  });

  it('fill the outside of a sealed map, and of no other', () => {
    expect(file.contents(0, [-40, -40, -40])).toBe(-2);
    expect(file.contents(1, [9999, 0, 0])).toBe(-2);
    const open = map().entities[0]!.brushes!.slice(1);
    const leaky = compile({ entities: [{ properties: {}, brushes: open }, start] }, 'quake1');
    expect(leaky.warnings).toMatchObject([{ code: 'leak', entity: 1 }]);
    expect(leaky.warnings[0]!.message).toMatch(
      /^entity 1: the map leaks: from info_player_start at \(64 64 32\) there is a way out at \(/,
    );
    const { path } = leaky.warnings[0]!;
    expect(path![0]).toEqual([64, 64, 32]);
    // The path leads out through the missing floor, never through a wall.
    expect(path!.at(-1)![2]).toBeLessThanOrEqual(-16);
    const read = readQuake1File(leaky.bytes);
    for (const point of path!) expect(read.contents(0, point)).toBe(-1);
    expect(read.contents(0, [-40, -40, -40])).toBe(-1);
    expect(compile(map([], []), 'quake1').warnings).toMatchObject([{ code: 'no-occupants' }]);
  });

  it('have no faces outside a sealed map, however nearly sides of what sticks out lie in one plane', () => {
    const stones = [
      hullBrush([
        [177.875, 256.75, 162.75],
        [207.625, 260.25, 162.625],
        [207.5, 263.75, 231.125],
        [192.5, 136.25, 168.875],
        [222.25, 139.875, 168.75],
        [177.75, 260.125, 231.25],
        [192.375, 139.75, 237.375],
        [222.125, 143.25, 237.25],
      ]),
      hullBrush([
        [-169.875, -150.75, 150.75],
        [-161.375, -178.5, 138.375],
        [-160.375, -199, 264.75],
        [-239.625, -201, 135.25],
        [-248, -173.25, 147.75],
        [-152, -226.75, 252.25],
        [-230.125, -249.25, 249.25],
        [-238.625, -221.5, 261.625],
      ]),
    ];
    const walls = roomBrushes([-200, -200, -200], [200, 200, 200], 18);
    const lamp = { properties: { classname: 'light', origin: '37 -46 -91' } };
    for (const stone of stones) {
      const world = { properties: { classname: 'worldspawn' }, brushes: [...walls, stone] };
      const { faces } = readQuake1File(compile({ entities: [world, lamp] }, 'quake1', { hulls: [] }).bytes);
      const reach = faces.flatMap(({ corners }) => corners.flat().map(Math.abs));
      expect(reach.reduce((most, x) => Math.max(most, x))).toBe(200);
    }
  });

  it('have an inside only if an entity is in the open', () => {
    const sunk = { properties: { classname: 'light', origin: '64 64 -0.5' } };
    const open = [{ properties: {}, brushes: room().slice(0, 5) }, sunk];
    const leaky = compile({ entities: open }, 'quake1');
    expect(leaky.warnings).toMatchObject([{ code: 'no-occupants' }]);
    for (const hull of [0, 1]) {
      expect(readQuake1File(leaky.bytes).contents(hull, [256, 192, 96])).toBe(-1);
      expect(readQuake1File(leaky.bytes).contents(hull, [-4000, 0, 0])).toBe(-1);
    }
    // Close to a wall, a light is inside solid only in the hulls: these are filled too.
    const close = { properties: { classname: 'light', origin: '2 2 2' } };
    const sealed = compile(map([], [sunk, close]), 'quake1');
    expect(sealed.warnings).toEqual([]);
    for (const hull of [0, 1, 2]) expect(readQuake1File(sealed.bytes).contents(hull, [-4000, 0, 0])).toBe(-2);
    expect(readQuake1File(sealed.bytes).contents(1, [256, 192, 96])).toBe(-1);
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

  it('have no liquid faces that the engine cannot animate', () => {
    const around = regularOutline([256, 192], 150, 80);
    const sides = around.map(([x, y], i) => {
      const [nextX, nextY] = around[(i + 1) % 80]!;
      return planeSide([x, y, 0], [x, y, 64], [nextX!, nextY!, 0]);
    });
    const ends = [planeSide([0, 0, 64], [0, 1, 64], [1, 0, 64]), planeSide([0, 0, 0], [1, 0, 0], [0, 1, 0])];
    const pool = { sides: [...sides, ...ends], material: '*pool' };
    const { faces } = readQuake1File(compile(map([pool]), 'quake1').bytes);
    const tops = faces.filter(({ corners }) => corners.every(([, , z]) => z === 64));
    // The top as seen from above and from below, in two pieces each.
    expect(tops).toHaveLength(4);
    for (const { corners } of tops) expect(corners.length).toBeLessThanOrEqual(60);
  });

  it('name textures as the engine needs them', () => {
    const sky = readQuake1File(
      compile(map([boxBrush([0, 0, 180], [512, 384, 192], { material: 'skies/dusk' })]), 'quake1').bytes,
    );
    expect(sky.textures).toContainEqual({ name: 'sky_dusk', width: 256, height: 128 });
    expect(file.textures.map(({ name }) => name).sort()).toEqual(['*lava', '*slime', '*water', 'wall']);
    // What only sounds like sky, a liquid or frames of an animation must not look so to the engine.
    const odd = ['base/skylight', '*marble', 'base/+0button'].map((material, k) =>
      boxBrush([64 * k, 200, 0], [64 * k + 32, 232, 32], { material }),
    );
    const solid = readQuake1File(
      compile(map(odd), 'quake1', { materials: () => ({ contents: 'solid' }) }).bytes,
    );
    expect(solid.textures.map(({ name }) => name).sort()).toEqual([
      '_0button',
      '_marble',
      '_skylight',
      'wall',
    ]);
    expect(sky.contents(0, [256, 192, 186])).toBe(-6);
    expect(sky.contents(1, [256, 192, 186])).toBe(-2);
  });

  it('become BSP2 when told to or when version 29 is too small, with the same contents', () => {
    const wide = readQuake1File(compile(source, 'quake1', { bsp2: true }).bytes);
    expect([file.version, wide.version]).toEqual([29, 'BSP2']);
    for (let i = 0; i < 500; i++) {
      const point = [(i * 37) % 540, (i * 53) % 410, (i * 29) % 200];
      for (const hull of [0, 1, 2]) expect(wide.contents(hull, point)).toBe(file.contents(hull, point));
    }
  });

  it.each([
    ['clipNodes', 32767],
    ['leafs', 32767],
    ['visibleLeafs', 8192],
    ['markSurfaces', 32767],
    ['vertexes', 65535],
  ])('have at most so many %s in version 29: %d', (name, limit) => {
    const { counts } = compile(source, 'quake1').stats;
    expect(counts[name]).toBeGreaterThan(0);
    const check = (count: number): void => checkLimits({ ...counts, [name]: count }, NARROW_LIMITS, '29');
    check(limit);
    expect(() => check(limit + 1)).toThrow(`29 holds at most ${limit} ${name}, but the map has ${limit + 1}`);
  });

  it('have their clip nodes counted before they are written', () => {
    const leaf = (): TreeLeaf => ({ plane: -1, brushes: [] as readonly number[] }) as TreeLeaf;
    const leafs = [leaf(), leaf(), leaf(), leaf()];
    const node = (front: Tree, back: Tree): Tree => ({ plane: 0, front, back }) as Tree;
    const tree = node(node(leafs[0]!, leafs[1]!), node(leafs[2]!, leafs[3]!));
    const counts = [
      [0, 5, 0, 5],
      [0, 0, 0, 5],
      [0, 0, 5, 5],
      [5, 5, 5, 5],
    ].map((classes) => {
      const hull = { tree, classes: new Map(leafs.map((part, i) => [part, classes[i]!])) } as unknown as Hull;
      const clips = [packHull(hull)];
      return countClipNodes([{ drawn: hull, clips, brushes: [], box: { mins: [0, 0, 0], maxs: [0, 0, 0] } }]);
    });
    expect(counts).toEqual([3, 2, 1, 1]);
  });

  it('may have any number of edges in version 29, as faces number them with 32 bits', () => {
    const { counts } = compile(source, 'quake1').stats;
    checkLimits({ ...counts, edges: 100_000 }, NARROW_LIMITS, '29');
  });

  it('become BSP2 when there are more visible leafs than the engine has room for', () => {
    const side = 48;
    const crates = Array.from({ length: side * side }, (_, i) => {
      const [x, y] = [side * (i % side), side * Math.floor(i / side)];
      const size = [20 + ((7 * i) % 13), 20 + ((5 * i) % 11), 20 + ((3 * i) % 7)] as const;
      return boxBrush([x, y, 0], [x + size[0], y + size[1], size[2]], wall);
    });
    const { bytes, stats } = compile(crates, 'quake1', { hulls: [] });
    expect(stats.counts.leafs).toBeLessThan(32768);
    expect(stats.counts.visibleLeafs).toBeGreaterThan(8192);
    const read = readQuake1File(bytes);
    expect([read.version, read.models[0]!.visLeafs]).toEqual(['BSP2', stats.counts.visibleLeafs]);
    expect(readQuake1File(compile(source, 'quake1', { bsp2: false }).bytes).version).toBe(29);
    // Which Half-Life does not have.
    expect(() => compile(crates, 'quake1', { hulls: [], version: 30 })).toThrow(
      expect.objectContaining({
        code: 'limit',
        message: expect.stringMatching(
          /BSP version 30 holds at most 8192 visibleLeafs, but the map has \d+$/,
        ),
      }),
    );
  });

  it('have leafs with any number of faces: more than a call takes arguments', () => {
    // Two walls that face each other, with a texture so small that each is cut into 256 by 256 pieces.
    const texture = { s: [0, 960, 0, 0], t: [0, 0, 960, 0] } as const;
    const brushes = [1, -1].map((inward) => {
      const { sides } = boxBrush([-96 * inward - 32, 0, 0], [-96 * inward + 32, 64, 64]);
      return { sides: sides.map((side) => (side.normal[0] === inward ? { ...side, texture } : side)) };
    });
    const { bytes } = compile(brushes, 'quake1', { hulls: [], bsp2: true, tjunc: false });
    const most = Math.max(...readQuake1File(bytes).leafs.map(({ marks }) => marks.length));
    expect(most).toBeGreaterThanOrEqual(2 * 256 ** 2);
  });

  it('have the requested hulls; others stop nothing', () => {
    const hulls = [{ mins: [-4, -4, -4], maxs: [4, 4, 4] }];
    const custom = readQuake1File(compile(source, 'quake1', { hulls }).bytes);
    expect([3, 5].map((z) => custom.contents(1, [256, 300, z]))).toEqual([-2, -1]);
    expect(custom.contents(2, [256, 300, -8])).toBe(-1);
    const inverted = [{ mins: [0, 0, 8], maxs: [8, 8, 0] }];
    expect(() => compile(source, 'quake1', { hulls: [...hulls, ...inverted] })).toThrow(
      new RangeError('hulls[1].mins[2] must not be above hulls[1].maxs[2], got 8 and 0'),
    );
    expect(() => compile(source, 'quake1', { hulls: [...hulls, ...hulls, ...hulls, ...hulls] })).toThrow(
      /three/,
    );
  });
});

it.each([
  ['Quake', 29, ['-16 -16 -24 16 16 32', '-32 -32 -24 32 32 64']],
  ['Half-Life', 30, ['-16 -16 -36 16 16 36', '-32 -32 -32 32 32 32', '-16 -16 -18 16 16 18']],
] as const)('%s files have hulls of the boxes of that game', (_, version, boxes) => {
  const file = readQuake1File(compile(map(), 'quake1', { version }).bytes);
  const size = [512, 384, 192];
  for (const [k, box] of boxes.entries()) {
    const numbers = box.split(' ').map(Number);
    for (const [axis, length] of size.entries()) {
      const at = (x: number): number =>
        file.contents(
          k + 1,
          size.map((most, other) => (other === axis ? x : most / 2)),
        );
      const [low, high] = [-numbers[axis]!, length - numbers[axis + 3]!];
      expect([low - 0.5, low + 0.5, high - 0.5, high + 0.5].map(at)).toEqual([-2, -1, -1, -2]);
    }
  }
});

describe('Half-Life files', () => {
  const pool = ['*pool', 'swamp', '!lava'].map((material, i) =>
    boxBrush([32 + 100 * i, 32, 0], [96 + 100 * i, 96, 40], { material, contents: CONTENTS.water }),
  );
  const lintel = boxBrush([0, 240, 60], [512, 260, 192], wall);
  const odd = boxBrush([400, 300, 0], [440, 340, 20], { material: '!odd', contents: CONTENTS.solid });
  const source = map([...pool, lintel, odd], [start, door]);
  const { bytes } = compile(source, 'quake1', { version: 30 });
  const file = readQuake1File(bytes);

  it('have three clip hulls, for players who stand, large monsters and players who crouch', () => {
    expect(file.version).toBe(30);
    const at = (point: readonly number[]) => [0, 1, 2, 3].map((hull) => file.contents(hull, point));
    expect(at([256, 320, 17])).toEqual([-1, -2, -2, -2]);
    expect(at([256, 320, 19])).toEqual([-1, -2, -2, -1]);
    expect(at([256, 320, 31])).toEqual([-1, -2, -2, -1]);
    expect(at([256, 320, 33])).toEqual([-1, -2, -1, -1]);
    expect(at([256, 320, 37])).toEqual([-1, -1, -1, -1]);
    // Below the lintel, only who crouches has room.
    expect(at([256, 250, 30])).toEqual([-1, -2, -2, -1]);
    expect(at([256, 250, 50])).toEqual([-1, -2, -2, -2]);
    // The door has hulls of its own.
    for (const hull of [0, 1, 2, 3]) expect(file.contents(hull, [4, 30, 10], 1)).toBe(-2);
    expect(file.contents(3, [-10, 30, 10], 1)).toBe(-2);
    expect(file.contents(3, [-20, 30, 10], 1)).toBe(-1);
  });

  it('name liquids as that game does, and give each texture a palette', () => {
    expect(file.textures.map(({ name }) => name).sort()).toEqual([
      '!lava',
      '!pool',
      '!swamp',
      '_odd',
      'wall',
    ]);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const lump = view.getInt32(4 + 8 * 2, true);
    const end = lump + view.getInt32(4 + 8 * 2 + 4, true);
    const offsets = file.textures.map((_, k) => lump + view.getInt32(lump + 4 + 4 * k, true));
    for (const [k, { width, height }] of file.textures.entries()) {
      const at = offsets[k]! + 40 + (85 * width * height) / 64;
      expect(view.getUint16(at, true)).toBe(256);
      // The two greys of checks, and the last colours, which are white; then nothing.
      const colors = [5, 8, 16, 255].map((color) => [
        ...bytes.subarray(at + 2 + 3 * color, at + 5 + 3 * color),
      ]);
      expect(colors).toEqual([80, 128, 255, 255].map((grey) => [grey, grey, grey]));
      expect(view.getUint16(at + 2 + 768, true)).toBe(0);
      expect(at + 2 + 768 + 2).toBe(offsets[k + 1] ?? end);
    }
  });

  it('name no texture as if there were others to choose from at random, which would have to be there', () => {
    const tile = boxBrush([400, 200, 0], [440, 220, 20], { material: '-1tile', contents: CONTENTS.solid });
    const namesIn = (version: 29 | 30) =>
      readQuake1File(compile(map([tile]), 'quake1', { version }).bytes).textures.map(({ name }) => name);
    expect(namesIn(30).sort()).toEqual(['_1tile', 'wall']);
    // To Quake, this is a name like any other.
    expect(namesIn(29).sort()).toEqual(['-1tile', 'wall']);
  });

  it('have the hulls that they are asked for, and then no others', () => {
    const hulls = [{ mins: [-8, -8, -8], maxs: [8, 8, 8] }] as const;
    const own = readQuake1File(compile(map(), 'quake1', { version: 30, hulls }).bytes);
    const at = (point: readonly number[]) => [0, 1, 2, 3].map((hull) => own.contents(hull, point));
    expect(at([256, 300, 7])).toEqual([-1, -2, -1, -1]);
    expect(at([256, 300, -9])).toEqual([-2, -2, -1, -1]);
  });

  it('are named after their game in errors and warnings', () => {
    const odd = boxBrush([32, 32, 0], [64, 64, 64], { material: 'common/botclip' });
    const far = boxBrush([32, 32, 0], [40000, 64, 64], wall);
    const patch = { material: 'base/curve', width: 3, height: 3, points: Array(9).fill([0, 0, 0, 0, 0]) };
    const curves = { entities: [{ properties: {}, brushes: room(), patches: [patch] }] };
    for (const [version, name] of [
      [29, 'Quake 1'],
      [30, 'Half-Life'],
    ] as const) {
      expect(() => compile([odd], 'quake1', { version })).toThrow(
        `contents botclip mean nothing to ${name}: such brushes do nothing`,
      );
      expect(() => compile([far], 'quake1', { version })).toThrow(`${name} reaches 32000 units`);
      const [warning] = compile(curves, 'quake1', { version }).warnings;
      expect(warning!.message).toContain(`${name} has no curves`);
    }
  });

  it('have no other form', () => {
    const wrong = (options: object) => () => compile(map(), 'quake1', options);
    expect(wrong({ version: 30, bsp2: true })).toThrow(
      new TypeError('bsp2 must not be true for version 30: Half-Life has no such files'),
    );
    expect(wrong({ version: 31 })).toThrow(new RangeError('version must be 29 or 30, got 31'));
    for (const bsp2 of [false, 'auto'] as const) {
      expect(compile(source, 'quake1', { version: 30, bsp2 }).bytes).toEqual(bytes);
    }
  });
});
