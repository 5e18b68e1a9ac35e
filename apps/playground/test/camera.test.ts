import { boxBrush, type CompileOptions, compileMap, roomBrushes, type SourceBrush } from '@bspkit/compile';
import type { BspWorld } from '@bspkit/core';
import { arenaQuake3, fixtureText } from '@bspkit/fixtures';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../src/app/open-map.ts';
import { readIntents } from '../src/camera/intents.ts';
import { rightOf } from '../src/camera/math.ts';
import { Rig } from '../src/camera/rig.ts';
import { findSpawns, highestCeiling } from '../src/camera/spawn.ts';
import { loadWalker } from '../src/games/index.ts';
import { openBytes } from '../src/loading/open.ts';
import { drawnSurfaces, unseenBrushes } from '../src/view/surfaces.ts';
import { openFixture } from './tools/maps.ts';

let arena: OpenMap;

beforeAll(async () => {
  arena = await openBytes(arenaQuake3(), { name: 'arena', isOwn: true, text: fixtureText('arena') });
});

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
    // As many as some file may have: compared with each other, they take minutes.
    const many = Array.from({ length: 200_000 }, (_, k) => ({
      classname: 'info_player_deathmatch',
      origin: `${k} 0 0`,
    }));
    expect(findSpawns({ entities: () => many } as unknown as BspWorld)).toHaveLength(many.length);
  });

  it.each([
    ['an angle', { angle: '90' }, 90],
    ['three angles', { angles: '10 -90 0' }, -90],
    ['both', { angles: '0 45 0', angle: '90' }, 45],
    ['angles that are none', { angles: 'north', angle: '90' }, 90],
    ['up, which is no way to look', { angle: '-1' }, 0],
    ['neither', {}, 0],
    ['no number', { angle: 'north' }, 0],
  ])('look where their keys say: %s', (_, keys, yaw) => {
    const entities = [{ classname: 'info_player_start', origin: '0 0 0', ...keys }];
    expect(findSpawns({ entities: () => entities } as unknown as BspWorld)[0]!.yaw).toBe(yaw);
  });
});

describe('ceilings', () => {
  /** A map of rooms, each with starts at these heights, in all of them. */
  const opened = (
    format: CompileOptions['format'],
    brushes: SourceBrush[],
    ...starts: number[][]
  ): Promise<OpenMap> => {
    const entities = [
      { properties: { classname: 'worldspawn' }, brushes },
      ...starts.map((origin) => ({
        properties: { classname: 'info_player_start', origin: origin.join(' ') },
      })),
    ];
    return openBytes(compileMap({ entities }, { format }).bytes, { name: 'rooms', isOwn: false, text: '' });
  };
  const low = roomBrushes([0, 0, 0], [256, 256, 128], 16);
  const high = roomBrushes([512, 0, 0], [768, 256, 200], 16);

  it.each(['quake1', 'quake2', 'quake3', 'ufoai'] as const)(
    'are found above starts in %s, the highest of them',
    async (format) => {
      const inside = [128, 128, 40];
      const all = await opened(format, [...low, ...high], inside, [640, 128, 40], [136, 128, 8]);
      expect(highestCeiling(all)).toBeGreaterThanOrEqual(199);
      expect(highestCeiling(all)).toBeLessThanOrEqual(200);
      expect(highestCeiling(await opened(format, low, inside))).toBeLessThanOrEqual(128);
      // Under the open sky, or where nobody starts but in a wall, one sees the map as it is.
      expect(highestCeiling(await opened(format, low, inside, [400, 400, 8]))).toBeUndefined();
      expect(highestCeiling(await opened(format, low, [-8, 128, 40]))).toBeUndefined();
      expect(highestCeiling(await opened(format, low))).toBeUndefined();
    },
  );
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

  it('flies ahead, to the right and up, each by its key', async () => {
    const rig = await make();
    rig.setMode('fly', undefined);
    const moved = (intents: object): number[] => {
      const before = [...rig.position];
      rig.update(0.1, { ...still, ...intents });
      return [...rig.position].map((x, k) => x - before[k]!);
    };
    const ways = [rig.direction, rightOf(rig.yaw), [0, 0, 1]];
    const far = moved({ up: 1 })[2]!;
    expect(far).toBeGreaterThan(0);
    const found = [moved({ forward: 1 }), moved({ right: 1 }), moved({ up: 1 })];
    for (const [key, way] of ways.entries()) {
      for (const [k, x] of way.entries()) expect(found[key]![k]).toBeCloseTo(far * x, 6);
    }
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

  it.each(['quake1', 'quake2', 'quake3', 'ufoai'] as const)(
    'passes over starts and doors beyond all numbers that games can hold (%s)',
    async (format) => {
      const room = roomBrushes([0, 0, 0], [512, 512, 192], 16);
      const start = (origin: string) => ({ properties: { classname: 'info_player_start', origin } });
      const entities = [
        { properties: { classname: 'worldspawn' }, brushes: room },
        ...['1e39 0 0', '0 -1e40 0', '3.4e38 0 0', '256 256 64'].map(start),
        {
          properties: { classname: 'func_door', origin: '0 0 1e39' },
          brushes: [boxBrush([0, 0, 0], [16, 16, 96])],
        },
      ];
      const { bytes } = compileMap({ entities }, { format });
      const map = await openBytes(bytes, { name: 'far', isOwn: false, text: undefined });
      expect(drawnSurfaces(map).positions.every(Number.isFinite)).toBe(true);
      expect(unseenBrushes(map).positions.every(Number.isFinite)).toBe(true);
      expect(highestCeiling(map)).toBeUndefined();
      const rig = new Rig();
      rig.setWorld(map.world.bounds, findSpawns(map.world), await loadWalker(map), false);
      expect(rig.setMode('walk', undefined)).toBe(true);
      for (let k = 0; k < 60; k++) rig.update(1 / 60, still);
      const [x, y] = rig.walker!.origin;
      expect([x, y, rig.walker!.isGrounded]).toEqual([256, 256, true]);
    },
  );

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

  it.each<CompileOptions>([
    { format: 'quake3' },
    { format: 'quake2' },
    { format: 'quake1' },
    { format: 'quake1', version: 30 },
  ])('stands on a floor that is raised by an edit: %j', async (options) => {
    const opened = (height: number): Promise<OpenMap> => {
      const floor = boxBrush([0, 0, -16], [256, 256, height]);
      const brushes = [...roomBrushes([0, 0, 0], [256, 256, 192], 16), floor];
      const source = { entities: [{ properties: { classname: 'worldspawn' }, brushes }] };
      return openBytes(compileMap(source, options).bytes, { name: 'room', isOwn: false, text: undefined });
    };
    const rig = new Rig();
    const first = await opened(0);
    rig.setWorld(first.world.bounds, [{ position: [128, 128, 60], yaw: 0 }], await loadWalker(first), false);
    rig.setMode('walk', undefined);
    const settle = (): number => {
      for (let k = 0; k < 60; k++) rig.update(1 / 60, still);
      expect(rig.walker).toMatchObject({ isGrounded: true });
      return rig.walker!.origin[2]!;
    };
    const low = settle();
    for (const height of [8, 16, 40]) {
      const { world, ...rest } = await opened(height);
      rig.setWorld(world.bounds, [], await loadWalker({ world, ...rest }), true);
      expect(settle()).toBe(low + height);
    }
    // Where there is no room above, either, nobody is taken through what is there.
    const { world, ...rest } = await opened(140);
    rig.setWorld(world.bounds, [], await loadWalker({ world, ...rest }), true);
    expect(rig.walker!.origin[2]).toBe(low + 40);
  });

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
