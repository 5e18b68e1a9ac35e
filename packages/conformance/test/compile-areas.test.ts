import { boxBrush, compileMap, type MapSource, roomBrushes, type SourceBrush } from '@bspkit/compile';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { createBody, createScene, type SceneOptions } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';

// In compiled maps, doors hide what is behind them: three rooms in a row, with an area portal in each doorway.

const wall = { material: 'base/wall' };
const across = (x: number): SourceBrush[] => [
  boxBrush([x, 0, 0], [x + 16, 96, 192], wall),
  boxBrush([x, 160, 0], [x + 16, 256, 192], wall),
];
const gate = (x: number): SourceBrush =>
  boxBrush([x + 4, 96, 0], [x + 12, 160, 192], { material: 'common/areaportal' });
const map: MapSource = {
  entities: [
    {
      properties: { classname: 'worldspawn' },
      brushes: [
        ...roomBrushes([0, 0, 0], [512, 256, 192], 16, wall),
        ...across(160),
        ...across(320),
        gate(160),
        gate(320),
      ],
    },
    { properties: { classname: 'info_player_start', origin: '80 128 40' } },
  ],
};
const ROOMS = [80, 240, 420].map((x) => Float32Array.of(x, 128, 60));
/** In the first doorway, and in the first room beside it. */
const DOORS = [
  [168, 128, 60],
  [140, 128, 60],
];

/** What a format's world does when the portal between the first rooms opens or closes. */
const WORLDS = {
  quake2() {
    const world = createQuake2World(readQuake2(compileMap(map, { format: 'quake2' }).bytes));
    return { world, set: (open: boolean) => world.setAreaPortal(1, open) };
  },
  quake3() {
    const world = createQuake3World(readQuake3(compileMap(map, { format: 'quake3' }).bytes));
    // As a game finds them for a door.
    const touched = world.boxLeafs([159, 96, 0], [177, 160, 192]).map((leaf) => world.area(leaf));
    const [a, b] = [...new Set(touched)].filter((area) => area >= 0);
    return { world, set: (open: boolean) => world.adjustAreaPortal(a!, b!, open) };
  },
};

describe.each(['quake2', 'quake3'] as const)('area portals of %s maps', (format) => {
  it('hide bodies in other rooms while they are closed', () => {
    const { world, set } = WORLDS[format]();
    const seers = [{ areaPortals: true }, {}].map((options: SceneOptions) => {
      const scene = createScene(world, { rules: format, ...options });
      const body = createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] });
      for (const origin of [...ROOMS, ...DOORS]) scene.add(body, { origin });
      return scene;
    });
    const found = new Int32Array(8);
    const seen = (which: number, room: number): number[] =>
      Array.from(found.subarray(0, seers[which]!.visibleFrom(ROOMS[room]!, -1, found)));
    const areas = ROOMS.map((room) => world.area(world.leaf(room)));
    expect(new Set(areas).size).toBe(3);
    const all = [1, 2, 3, 4, 5];
    // The fourth is in the doorway, so it touches both rooms.
    expect([0, 1, 2].map((room) => seen(0, room))).toEqual([[1, 4, 5], [2, 4], [3]]);
    set(true);
    expect([0, 1, 2].map((room) => seen(0, room))).toEqual([[1, 2, 4, 5], [1, 2, 4, 5], [3]]);
    set(false);
    expect([0, 1, 2].map((room) => seen(0, room))).toEqual([[1, 4, 5], [2, 4], [3]]);
    expect([0, 1, 2].map((room) => seen(1, room))).toEqual([all, all, all]);
  });
});
