import { boxBrush, type CompileOptions, compileMap, roomBrushes } from '@bspkit/compile';
import type { BspWorld } from '@bspkit/core';
import { arenaQuake3, fixtureText } from '@bspkit/fixtures';
import { writePak } from '@bspkit/testkit/pak';
import { strToU8, Zip, ZipPassThrough, zipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { COLORINGS } from '../src/app/link.ts';
import type { OpenMap } from '../src/app/open-map.ts';
import { readIntents } from '../src/camera/intents.ts';
import { directionOf, rightOf } from '../src/camera/math.ts';
import { Rig } from '../src/camera/rig.ts';
import { findSpawns } from '../src/camera/spawn.ts';
import { loadWalker } from '../src/games/index.ts';
import { openBytes } from '../src/loading/open.ts';
import { FileError, unpack } from '../src/loading/unpack.ts';
import { Layer } from '../src/view/layer.ts';
import { contentsSwatch, legendOf, SLOPES, textureColor, vertexColors } from '../src/view/palette.ts';
import { pickTriangle } from '../src/view/pick.ts';
import { type DrawArrays, drawnSurfaces, unseenBrushes } from '../src/view/surfaces.ts';
import { openFixture } from './tools/maps.ts';

let arena: OpenMap;
let drawn: DrawArrays;

beforeAll(async () => {
  arena = await openBytes(arenaQuake3(), { name: 'arena', isOwn: true, text: fixtureText('arena') });
  drawn = drawnSurfaces(arena);
});

const eye = [0, -256, 58];
/** Directions all around, evenly. */
const directions = Array.from({ length: 300 }, (_, k) =>
  directionOf((k * 137.508) % 360, Math.asin(1 - (2 * k + 1) / 300) * 57.29),
);

describe('starts', () => {
  it('are where players begin, those of a single player first; no cameras', () => {
    const classes = [
      'team_CTF_redplayer',
      'info_player_intermission',
      'info_player_deathmatch',
      'info_player_start',
    ];
    const entities = [...classes, 'light'].map((classname, k) => ({
      classname,
      origin: `${k} 0 0`,
      angle: '90',
    }));
    const world = { entities: () => entities } as unknown as BspWorld;
    expect(findSpawns(world)).toEqual([3, 2, 0].map((x) => ({ position: [x, 0, 0], yaw: 90 })));
  });
});

describe('surfaces', () => {
  it('are where rays end', () => {
    const ray = arena.format.tracers.kinds.find(({ name }) => name === 'ray')!.create(arena.world, [], {});
    let met = 0;
    for (const direction of directions) {
      const far = eye.map((x, k) => x + 4000 * direction[k]!);
      const { endPos } = ray.trace(eye, far);
      const hit = pickTriangle(drawn, eye, direction, ({ kind }) => kind === 'solid' || kind === 'sky')!;
      const off = hit.normal.reduce(
        (sum, n, k) => sum + n * (endPos[k]! - eye[k]! - hit.distance * direction[k]!),
        0,
      );
      // Lift and doors are drawn, but no part of the world that rays are traced through.
      if (off > -1 && off < 1) {
        met++;
        expect(Math.abs(off)).toBeLessThan(0.13);
      }
    }
    expect(met).toBeGreaterThan(270);
  });

  it('come in order of kind, each triangle once', () => {
    const { groups, indices } = drawn;
    let first = 0;
    for (const group of groups) {
      expect(group.first).toBe(first);
      first += group.count;
    }
    expect(first).toBe(indices.length);
    expect([...new Set(groups.map(({ kind }) => kind))]).toEqual(['solid', 'liquid', 'sky']);
    expect(
      unseenBrushes(arena).groups.map(({ contents }) => arena.format.contents.names(contents)),
    ).toContainEqual(expect.arrayContaining(['playerClip']));
  });

  it('have the colour of what their names say', () => {
    expect(textureColor('base/lava')).not.toEqual(textureColor('base/water'));
    expect(textureColor('x/Brick1')).toEqual(textureColor('x/brick1'));
    expect(contentsSwatch(['solid']).color).not.toEqual(contentsSwatch(['playerClip']).color);
    for (const coloring of COLORINGS) {
      const colors = vertexColors(arena, drawn, coloring);
      for (const index of drawn.indices)
        expect(colors[3 * index]! + colors[3 * index + 1]!).toBeGreaterThan(0);
    }
  });

  it('have colours that are explained, as far as they are few', () => {
    const explained = (coloring: (typeof COLORINGS)[number], groups = drawn.groups): string[] =>
      legendOf(arena, groups, coloring).map(({ name }) => name);
    expect(explained('texture')).toEqual([]);
    expect(explained('contents')).toEqual(expect.arrayContaining(['solid', 'water']));
    expect(explained('slope').slice(0, SLOPES.length)).toEqual(SLOPES.map(({ name }) => name));
    // What is not drawn in the game has no texture of its own.
    expect(explained('texture', unseenBrushes(arena)!.groups)).toContain('playerClip');
    // Every colour that is there is in it, once.
    const colors = legendOf(arena, drawn.groups, 'contents').map(({ color }) => String(color));
    expect(new Set(colors).size).toBe(colors.length);
    const painted = vertexColors(arena, drawn, 'contents');
    for (const index of drawn.indices)
      expect(colors).toContain(String(painted.subarray(3 * index, 3 * index + 3)));
  });

  it('have the colour of what one can do on them: stand, or not', () => {
    const colors = vertexColors(arena, drawn, 'slope');
    const counts = new Map(SLOPES.map(({ name }) => [name, 0]));
    const walls = drawn.groups.filter(({ kind }) => kind === 'solid');
    for (const { first, count } of walls) {
      for (const index of drawn.indices.subarray(first, first + count)) {
        const color = [...colors.subarray(3 * index, 3 * index + 3)];
        const { name } = SLOPES.find((slope) => slope.color.every((part, k) => part === color[k]))!;
        counts.set(name, counts.get(name)! + 1);
        const z = drawn.normals[3 * index + 2]!;
        expect(name === 'floor').toBe(z >= Math.fround(0.7));
        expect(name === 'too steep').toBe(z > 0.01 && z < Math.fround(0.7));
      }
    }
    // The arena has all of them.
    expect(Math.min(...counts.values())).toBeGreaterThan(0);
    // Liquids are not stood on.
    const water = drawn.groups.find(({ kind }) => kind === 'liquid')!;
    const at = 3 * drawn.indices[water.first]!;
    expect(colors.slice(at, at + 3)).toEqual(vertexColors(arena, drawn, 'contents').slice(at, at + 3));
  });
});

describe('the camera', () => {
  const still = readIntents(new Set(), { x: 0, y: 0, up: 0 });
  const make = async (): Promise<Rig> => {
    const rig = new Rig();
    rig.setWorld(arena.world.bounds, findSpawns(arena.world), await loadWalker(arena), false);
    return rig;
  };

  it('sees all of a map at first, in windows of any shape, and as large as there is room', () => {
    // Long along x, long along y, high.
    for (const maxs of [
      [1700, 1000, 200],
      [1000, 1700, 200],
      [600, 600, 2000],
    ]) {
      for (const lens of [
        { x: 0.55, y: 0.33 },
        { x: 0.25, y: 0.44 },
      ]) {
        const rig = new Rig();
        Object.assign(rig.lens, lens);
        rig.setWorld({ mins: [-100, -50, 0], maxs }, [], undefined, false);
        const right = rightOf(rig.yaw);
        // Where the corners are on the screen, whose edges are at 1.
        const corners = Array.from({ length: 8 }, (_, k) => {
          const from = [-100, -50, 0].map((low, i) => (k & (1 << i) ? maxs[i]! : low) - rig.position[i]!);
          const along = (axis: readonly number[]): number =>
            axis.reduce((sum, x, i) => sum + x * from[i]!, 0);
          const depth = along(rig.direction);
          return [along(right) / depth / lens.x, along(rig.up) / depth / lens.y];
        });
        const reach = [0, 1].map((axis) => {
          const all = corners.map((corner) => corner[axis]!);
          const [low, high] = [Math.min(...all), Math.max(...all)];
          expect(low).toBeGreaterThan(-1);
          expect(high).toBeLessThan(1);
          return high - low;
        });
        // Nearly from edge to edge one way, and about half the other.
        expect(Math.max(...reach)).toBeGreaterThan(1.85);
        if (maxs[2]! < 1000) expect(Math.min(...reach)).toBeGreaterThan(0.9);
      }
    }
  });

  it('keeps its side of the map when the window changes its shape', async () => {
    const rig = await make();
    const { yaw } = rig;
    Object.assign(rig.lens, { x: 0.25, y: 0.44 });
    expect(rig.refit()).toBe(true);
    expect(rig.yaw).toBe(yaw);
    expect(rig.refit()).toBe(true);
    rig.drag(3, 0);
    expect(rig.refit()).toBe(false);
    rig.reset();
    expect(rig.yaw).not.toBe(yaw);
  });

  it('goes around what it looks at', async () => {
    const rig = await make();
    const { target } = rig;
    rig.drag(80, -30);
    rig.zoom(1.5);
    for (const [k, x] of rig.target.entries()) expect(x).toBeCloseTo(target[k]!, 6);
    expect(rig.update(0.1, still)).toBe(false);
  });

  it('looks at a line from the side, and from where both of its ends are seen', async () => {
    const [from, to] = [
      [-200, -100, 40],
      [300, 80, 60],
    ] as const;
    const way = to.map((x, k) => x - from[k]!);
    for (const side of [undefined, 1, -1]) {
      const rig = await make();
      // Along the line, as after a shot from the eye.
      rig.setView({ position: [...from], yaw: (Math.atan2(way[1]!, way[0]!) * 180) / Math.PI, pitch: 0 });
      const isSeen = ([x, y]: ArrayLike<number> & Iterable<number>): boolean =>
        side === undefined || side * (way[0]! * (y! - from[1]) - way[1]! * (x! - from[0])) > 0;
      rig.lookAt(from, to, (eye) => isSeen(eye as never));
      expect(isSeen(rig.position)).toBe(true);
      const { direction } = rig;
      const cosine = way.reduce((sum, x, k) => sum + x * direction[k]!, 0) / Math.hypot(...way);
      expect(Math.abs(cosine)).toBeLessThan(0.75);
      const right = rightOf(rig.yaw);
      for (const end of [from, to]) {
        const at = end.map((x, k) => x - rig.position[k]!);
        const along = (axis: readonly number[]): number => axis.reduce((sum, x, k) => sum + x * at[k]!, 0);
        expect(along(direction)).toBeGreaterThan(0);
        expect(Math.abs(along(right) / along(direction))).toBeLessThan(rig.lens.x);
        expect(Math.abs(along(rig.up) / along(direction))).toBeLessThan(rig.lens.y);
      }
    }
  });

  it('walks from where players start, falls, and jumps', async () => {
    const rig = await make();
    expect(rig.setMode('walk', undefined)).toBe(true);
    for (let k = 0; k < 120; k++) rig.update(1 / 60, still);
    expect(rig.walker).toMatchObject({ isGrounded: true, swims: false });
    expect(rig.position[2]).toBeCloseTo(24.125 + 26, 3);
    rig.update(0.02, readIntents(new Set(['Space']), { x: 0, y: 0, up: 0 }));
    expect(rig.walker!.isGrounded).toBe(false);
  });

  it('is not put into a wall to walk there', async () => {
    const rig = await make();
    rig.setMode('fly', undefined);
    rig.setView({ position: [0, -8, -300], yaw: 10, pitch: 0 });
    rig.setMode('walk', undefined);
    expect(rig.walker!.isFree()).toBe(true);
  });

  it('walks from where players start when it flew beside the map', async () => {
    const rig = await make();
    rig.setMode('fly', undefined);
    expect(rig.position[1]).toBeLessThan(arena.world.bounds.mins[1]!);
    rig.setMode('walk', undefined);
    for (let k = 0; k < 60; k++) rig.update(1 / 60, still);
    expect(rig.walker!.isGrounded).toBe(true);
  });

  it.each([
    ['beside it', [9000, 0, 100]],
    ['high above it', [0, 0, 90_000]],
  ] as const)(
    'walks from where players start when a link puts it far from the map: %s',
    async (_, position) => {
      const rig = await make();
      rig.setMode('walk', undefined);
      const { view } = rig;
      rig.setView({ position, yaw: 0, pitch: 0 });
      expect(rig.view.position).toEqual(view.position);
    },
  );

  it('walks where players start on the very floor', async () => {
    const house = await openFixture('house', 'ufoai');
    const rig = new Rig();
    // A body of that game reaches 24 units down.
    rig.setWorld(house.world.bounds, [{ position: [64, 64, 24], yaw: 0 }], await loadWalker(house), false);
    rig.setMode('walk', undefined);
    const ahead = readIntents(new Set(['KeyW']), { x: 0, y: 0, up: 0 });
    for (let k = 0; k < 20; k++) rig.update(1 / 60, ahead);
    expect(rig.walker!.origin[0]).toBeGreaterThan(100);
  });

  it('finds room to walk in a map without starts', async () => {
    const rig = new Rig();
    // The middle of these bounds lies in the floor.
    const bounds = { mins: [-512, -512, -400], maxs: [512, 512, 384] };
    rig.setWorld(bounds, [], await loadWalker(arena), false);
    rig.setMode('walk', undefined);
    expect(rig.walker!.isFree()).toBe(true);
    for (let k = 0; k < 180; k++) rig.update(1 / 60, still);
    expect(rig.walker!.isGrounded).toBe(true);
  });

  it('starts over ground in a map without starts, where there is any', async () => {
    const rig = new Rig();
    // Under the middle of these bounds, and around it, there is nothing.
    const bounds = { mins: [-512, -512, -64], maxs: [4096, 512, 384] };
    rig.setWorld(bounds, [], await loadWalker(arena), false);
    rig.setMode('walk', undefined);
    for (let k = 0; k < 180; k++) rig.update(1 / 60, still);
    expect(rig.walker!.isGrounded).toBe(true);
    expect(rig.walker!.origin[2]).toBeGreaterThan(bounds.mins[2]!);
  });

  it('starts on top of a floor that has nothing around it', async () => {
    const floor = boxBrush([0, 0, -16], [256, 256, 0]);
    const source = { entities: [{ properties: { classname: 'worldspawn' }, brushes: [floor] }] };
    const { bytes } = compileMap(source, { format: 'quake3' });
    const map = await openBytes(bytes, { name: 'floor', isOwn: false, text: undefined });
    const rig = new Rig();
    rig.setWorld(map.world.bounds, [], await loadWalker(map), false);
    expect(rig.setMode('walk', undefined)).toBe(true);
    for (let k = 0; k < 60; k++) rig.update(1 / 60, still);
    expect(rig.walker!.isGrounded).toBe(true);
    expect([...rig.walker!.origin]).toEqual([128, 128, 24.125]);
  });

  it.each<CompileOptions>([{ format: 'quake3' }, { format: 'quake2' }, { format: 'quake1', version: 30 }])(
    'crouches where a link has the eyes of who crouched in a duct: %j',
    async (options) => {
      const duct = boxBrush([150, 0, 44], [250, 256, 192]);
      const brushes = [...roomBrushes([0, 0, 0], [512, 256, 192], 16), duct];
      const { bytes } = compileMap(
        { entities: [{ properties: { classname: 'worldspawn' }, brushes }] },
        options,
      );
      const map = await openBytes(bytes, { name: 'duct', isOwn: false, text: undefined });
      const make = async (): Promise<Rig> => {
        const rig = new Rig();
        rig.setWorld(map.world.bounds, [{ position: [50, 128, 40], yaw: 0 }], await loadWalker(map), false);
        return rig;
      };
      const rig = await make();
      rig.setMode('walk', undefined);
      const under = readIntents(new Set(['KeyW', 'KeyC']), { x: 0, y: 0, up: 0 });
      for (let k = 0; k < 600 && rig.position[0] < 200; k++) rig.update(1 / 60, under);
      for (let k = 0; k < 60; k++) rig.update(1 / 60, still);
      expect(rig.walker).toMatchObject({ isCrouched: true, isGrounded: true });
      const { view } = rig;
      const other = await make();
      other.setMode('fly', undefined);
      other.setView(view);
      expect(other.setMode('walk', undefined)).toBe(true);
      for (let k = 0; k < 60; k++) other.update(1 / 60, still);
      expect(other.walker).toMatchObject({ isCrouched: true, isGrounded: true });
      for (let k = 0; k < 3; k++) expect(other.position[k]).toBeCloseTo(view.position[k]!, 1);
      // A map that is compiled again leaves it there.
      other.setWorld(map.world.bounds, [], await loadWalker(map), true);
      for (let k = 0; k < 60; k++) other.update(1 / 60, still);
      for (let k = 0; k < 3; k++) expect(other.position[k]).toBeCloseTo(view.position[k]!, 1);
      for (let k = 0; k < 200 && other.position[0] < 300; k++) {
        other.update(1 / 60, readIntents(new Set(['KeyW']), { x: 0, y: 0, up: 0 }));
      }
      expect(other.walker!.isCrouched).toBe(false);
    },
  );

  it('does not walk in a map without ground, nor go on falling out of it', async () => {
    const rig = new Rig();
    // Beside the arena: there is room, and nothing to stand on.
    const bounds = { mins: [2000, 2000, -64], maxs: [3000, 3000, 384] };
    rig.setWorld(bounds, [], await loadWalker(arena), false);
    const { view } = rig;
    expect(rig.setMode('walk', undefined)).toBe(false);
    expect(rig).toMatchObject({ mode: 'orbit', view });
    // Where one flies one may fall.
    rig.setMode('fly', undefined);
    rig.setView({ position: [2500, 2500, 0], yaw: 0, pitch: 0 });
    expect(rig.setMode('walk', undefined)).toBe(true);
    for (let k = 0; k < 300; k++) rig.update(1 / 60, still);
    expect(rig).toMatchObject({ mode: 'orbit', view });
  });

  it('adds keys and stick up to a whole', () => {
    const both = readIntents(new Set(['KeyW', 'KeyA', 'ShiftLeft']), { x: 0, y: 0.5, up: 1 });
    expect(both).toEqual({ forward: 1, right: -1, up: 1, turn: 0, tilt: 0, isFast: true });
  });
});

describe('files', () => {
  it('are taken for what they are', async () => {
    const text = strToU8('{ }');
    expect(await unpack('a.map', text)).toMatchObject({ kind: 'map', name: 'a.map', text: '{ }' });
    const old = Uint8Array.of(0x22, 0x63, 0x61, 0x66, 0xe9, 0x22);
    expect(await unpack('old.map', old)).toMatchObject({ text: '"café"' });
    expect(await unpack('a.bsp', text)).toMatchObject({ kind: 'bsp', name: 'a.bsp' });
    const packed = await new Response(
      new Blob(['hello']).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer();
    const { kind, name, bytes } = (await unpack('b.bsp.gz', new Uint8Array(packed))) as never as {
      [key: string]: unknown;
    };
    expect([kind, name, String(bytes)]).toEqual(['bsp', 'b.bsp', String(strToU8('hello'))]);
    await expect(unpack('c.bsp', new Uint8Array(0))).rejects.toBeInstanceOf(FileError);
  });

  it('have the line ends of text fields', async () => {
    expect(await unpack('a.map', strToU8('{\r\n}\r// old\n'))).toMatchObject({ text: '{\n}\n// old\n' });
  });

  it('are listed if they are maps in an archive, as people count, sources after their levels', async () => {
    const names = ['maps/dm10.bsp', 'maps/dm2.bsp', 'maps/dm2.map', 'a.txt', 'maps/dm1.map', 'maps/DM3.BSP'];
    const archive = zipSync(Object.fromEntries(names.map((name) => [name, strToU8('{ }')])));
    const found = await unpack('pack.pk3', archive);
    expect(found.kind === 'choice' && found.maps.map(({ path }) => path)).toEqual([
      'maps/dm1.map',
      'maps/dm2.bsp',
      'maps/dm2.map',
      'maps/DM3.BSP',
      'maps/dm10.bsp',
    ]);
  });

  it('come out of a zip, the last of a name, however many there are', async () => {
    const parts: Uint8Array[] = [];
    const zip = new Zip((_, part) => parts.push(part));
    for (const text of ['{ 1 }', '{ two }']) {
      const file = new ZipPassThrough('maps/a.map');
      zip.add(file);
      file.push(strToU8(text), true);
    }
    zip.end();
    const archive = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    expect(await unpack('pack.pk3', archive)).toMatchObject({ name: 'a.map', text: '{ two }' });
    const many = writePak(
      ...Array.from({ length: 60_000 }, (_, k) => [`${k}.bsp`, new Uint8Array()] as const),
    );
    const found = await unpack('pak0.pak', many);
    expect(found.kind === 'choice' && found.maps).toHaveLength(60_000);
  });

  it('come out of a zip whose files share their bytes with no more work than its size allows', async () => {
    const texts = {
      'a.map': '{ }',
      'b.map': '{ 2 }',
      'scripts/a.shader': 'a {}',
      'scripts/b.shader': 'b {}',
    };
    const zip = zipSync(
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)])),
    );
    const view = new DataView(zip.buffer, zip.byteOffset);
    const heads: number[] = [];
    for (let at = 0; at + 4 <= zip.length; at++) if (view.getUint32(at, true) === 0x02014b50) heads.push(at);
    // What is packed may be much and unpack to nothing.
    for (const at of heads.slice(2)) {
      view.setUint32(at + 20, 4e7, true);
      view.setUint32(at + 24, 0, true);
    }
    await expect(unpack('pack.pk3', zip, 'a.map')).rejects.toThrow(
      new FileError('its shader scripts take more than 64 MB'),
    );
    // The first of a name, here of no known packing, is not unpacked.
    zip.set(strToU8('b.map'), heads[0]! + 46);
    view.setUint16(heads[0]! + 10, 99, true);
    for (const at of heads.slice(2)) zip.set(strToU8('texts'), at + 46);
    expect(await unpack('pack.pk3', zip)).toMatchObject({ name: 'b.map', text: '{ 2 }' });
  });

  it('are not looked for in a zip that lists more files than a game can read', async () => {
    // Only the records at the end, those of zip64 too: the directory is said to have 70,000 files.
    const bytes = new Uint8Array(102);
    const view = new DataView(bytes.buffer);
    for (const [at, number] of [
      [0, 0x04034b50],
      [4, 0x06064b50],
      [4 + 32, 70_000],
      [60, 0x07064b50],
      [60 + 8, 4],
      [80, 0x06054b50],
      [80 + 8, 0xffff],
    ] as const)
      view.setUint32(at, number, true);
    await expect(unpack('pack.pk3', bytes)).rejects.toThrow(
      new FileError('it lists more files than an archive of a game can'),
    );
  });

  it('come out of a pak as out of a zip, the first of a name', async () => {
    const [one, two] = ['{ 1 }', '{ 2 }'].map((text) => strToU8(text)) as [Uint8Array, Uint8Array];
    const pak = writePak(['maps/b.map', one], ['gfx.wad', two], ['maps/b.map', two], ['maps/a.bsp', two]);
    expect(await unpack('pak0.pak', pak)).toEqual({
      kind: 'choice',
      maps: ['maps/a.bsp', 'maps/b.map'].map((path) => ({ path, size: 5 })),
    });
    expect(await unpack('pak0.pak', pak, 'maps/b.map')).toMatchObject({ name: 'b.map', text: '{ 1 }' });
    const found = await unpack('pak0.pak', pak, 'maps/a.bsp');
    // All of the pak would go along to the page with a view of it.
    expect(found).toEqual({ kind: 'bsp', name: 'a.bsp', bytes: two });
    expect(found.kind === 'bsp' && found.bytes.buffer.byteLength).toBe(two.length);
    await expect(unpack('pak0.pak', writePak(['a.txt', one]))).rejects.toThrow('contains no .bsp or .map');
    await expect(unpack('pak0.pak', pak, 'maps/c.bsp')).rejects.toThrow('the archive has no maps/c.bsp');
    await expect(unpack('pak0.pak', pak.subarray(0, 50))).rejects.toThrow(
      new FileError('it begins as a pak archive, but is damaged or cut off'),
    );
  });
});

describe('a layer', () => {
  it('leaves nothing on the graphics card when it is painted in other colours', () => {
    const layer = new Layer(arena, drawn, 'texture');
    const { geometry } = layer.mesh;
    const before = geometry.getAttribute('tint');
    const released: unknown[] = [];
    // The renderer deletes the buffers of what the geometry has then.
    geometry.addEventListener('dispose', () => released.push(geometry.getAttribute('tint')));
    layer.paint('contents');
    const after = geometry.getAttribute('tint');
    expect(after.array).not.toEqual(before.array);
    if (after !== before) expect(released).toEqual([before]);
  });
});
