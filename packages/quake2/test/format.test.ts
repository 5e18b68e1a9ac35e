import type { Row } from '@bspkit/core/format';
import { arenaQuake2 } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { quake2 } from '../src/descriptor.ts';
import {
  CONTENTS_LAVA,
  CONTENTS_MONSTER,
  CONTENTS_PLAYERCLIP,
  CONTENTS_SOLID,
  CONTENTS_WATER,
  CONTENTS_WINDOW,
} from '../src/index.ts';
import { roomsMap } from './worlds.ts';

it('cuts each brush of a world once, however many leafs list it', () => {
  const source = quake2.polygons(quake2.createWorld([quake2.read(arenaQuake2())]));
  const ofLeafs = Array.from({ length: source.numLeafs }, (_, leaf) => source.leafPolygons(leaf)).flat();
  const distinct = new Set(ofLeafs);
  expect(distinct.size).toBeLessThan(ofLeafs.length);
  expect(source.polygons().every((polygon) => distinct.has(polygon))).toBe(true);
  expect(() => source.leafPolygons(source.numLeafs)).toThrow(RangeError);
});

describe('the descriptor', () => {
  const file = quake2.read(roomsMap());
  const world = quake2.createWorld([file]);

  it('tells what is in a map', () => {
    const { facts, models, contents } = quake2.info(file, world);
    // Area 0 is no room, and portal 0 no portal.
    expect(facts).toEqual({ clusters: 3, areas: 3, 'area portals': 2 });
    expect(models.map(({ name, figures }) => [name, figures])).toEqual([
      ['world', { brushes: 2, faces: 0 }],
      ['*1', { brushes: 1, faces: 0 }],
    ]);
    expect([...contents.counts.values()]).toEqual([2, 1]);
  });

  it('answers questions about points and sight', () => {
    const [west, middle, east, outside] = [-200, 0, 200, 400].map((x) => [x, 0, 0]);
    expect(quake2.point(world, west!)).toMatchObject({ cluster: 0, area: 1, contents: 0, contentsNames: [] });
    expect(quake2.point(world, outside!)).toMatchObject({ cluster: -1, contentsNames: ['solid'] });
    const sight = (to: number[]) => quake2.sight!(world, west!, to);
    expect(sight(middle!)).toMatchObject({
      yes: true,
      fields: { fromCluster: 0, toCluster: 1, potentiallyVisible: true, rayFraction: 1, rayStopsAt: null },
    });
    // Nothing is in the ray's way, but the sets of the map say otherwise.
    expect(sight(east!)).toMatchObject({
      yes: false,
      fields: { toCluster: 2, potentiallyVisible: false, rayFraction: 1 },
    });
    expect(sight(outside!)).toMatchObject({
      yes: false,
      fields: { toCluster: -1, potentiallyVisible: null, rayStopsAt: 'test/texture1' },
    });
    expect(quake2.sight!(world, outside!, west!).fields.potentiallyVisible).toBeNull();
  });

  it("has presets of the engine's standing player", () => {
    const { presets, player } = quake2.tracers;
    const sized = presets.filter(({ role }) => role === 'body');
    expect(sized.map(({ name }) => name)).toEqual(['box']);
    for (const { size } of sized) expect(size).toEqual([-16, -16, -24, 16, 16, 32]);
    expect(player).toBe('box');
  });

  it('knows which polygons stop players', () => {
    const { polygons, isSolid } = quake2.polygons(world);
    const stops = (contents: number): boolean => isSolid({ ...polygons()[0]!, contents });
    expect([CONTENTS_SOLID, CONTENTS_WINDOW, CONTENTS_PLAYERCLIP].map(stops)).toEqual([true, true, true]);
    expect([0, CONTENTS_WATER, CONTENTS_LAVA].map(stops)).toEqual([false, false, false]);
  });
});

describe('rows', () => {
  const bytes = roomsMap();
  const world = quake2.createWorld([quake2.read(bytes)]);
  const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez', 'minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'mask'];
  const POSE = ['ox', 'oy', 'oz', 'pitch', 'yaw', 'roll'];
  const START = ['x', 'y', 'z'];

  /** Answers rows of a kind on the map of rooms, one after the other. */
  function answer(kind: string, columns: string[], questions: number[][]): Record<string, unknown>[] {
    const { results, open } = quake2.rows[kind]!;
    const header = { game: 'quake2', map: 'rooms', kind, columns: [...columns, ...results] };
    const { answer } = open(header, { format: quake2 as never, load: () => bytes });
    return questions.map((question) => {
      const row: Row = [...question, ...results.map(() => null)];
      answer(row);
      return Object.fromEntries(results.map((name, k) => [name, row[columns.length + k]!]));
    });
  }

  it('are moves in the world, or against a model where it stands', () => {
    const east = [-250, 0, 0, 250, 0, 0, -2, -2, -2, 2, 2, 2, -1];
    const asked = answer(
      'trace',
      ['model', ...POSE, ...MOVE],
      [
        [0, 0, 0, 0, 0, 0, 0, ...east],
        [1, 0, 0, 0, 0, 0, 0, ...east],
        [1, 50, 0, 0, 0, 90, 0, ...east],
        [1, 50, 0, 0, 0, 90, 0, ...east.slice(0, -1), CONTENTS_WATER],
      ],
    );
    expect(asked[0]).toMatchObject({ fraction: 1, endx: 250 });
    expect(asked[1]).toMatchObject({ endx: -10.03125, nx: -1, dist: 8, contents: 0x8000001, startsolid: 0 });
    // Turned, its broad side is ahead.
    expect(asked[2]).toMatchObject({ endx: 50 - 66.03125, contents: 0x8000001 });
    expect(asked[3]).toMatchObject({ fraction: 1, contents: 0 });
  });

  it('are moves against a box, which does not turn, and what it is where they start', () => {
    const box = ['tminx', 'tminy', 'tminz', 'tmaxx', 'tmaxy', 'tmaxz', ...POSE];
    const at = [-4, -8, -8, 4, 8, 8, 100, 0, 0, 0, 90, 0];
    const asked = answer(
      'tempbox',
      [...box, ...MOVE],
      [
        [...at, 0, 0, 0, 200, 0, 0, -1, -1, -1, 1, 1, 1, -1],
        [...at, 101, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0, 0, -1],
      ],
    );
    expect(asked[0]).toMatchObject({ endx: 95 - 1 / 32, startsolid: 0, pointContents: 0 });
    expect(asked[1]).toMatchObject({ startsolid: 1, pointContents: CONTENTS_MONSTER });
  });

  it('are points, boxes, and what is seen and heard', () => {
    expect(answer('points', START, [[200, 0, 0]])).toEqual([
      { leaf: world.leaf([200, 0, 0]), cluster: 2, area: 3, contents: 0 },
    ]);
    expect(answer('modelpoints', ['model', ...POSE, ...START], [[1, 5, 5, 5, 0, 90, 0, 1, 2, 3]])).toEqual([
      { contents: 0x8000001 },
    ]);
    const leafs = world.boxLeafs([-150, -9, -9], [150, 9, 9]);
    const box = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'capacity'];
    const wide = [-150, -9, -9, 150, 9, 9];
    const asked = answer(
      'boxleafs',
      box,
      [9, 2].map((capacity) => [...wide, capacity]),
    );
    expect(asked).toEqual([
      { count: 3, topnode: 0, leafs },
      { count: 2, topnode: 0, leafs: leafs.slice(0, 2) },
    ]);
    expect(() => answer('boxleafs', box, [[...wide, -1]])).toThrow('cell 7 is not 0 or more: -1');
    expect(
      answer(
        'vis',
        ['a', 'b'],
        [
          [0, 1],
          [0, 2],
        ],
      ),
    ).toEqual([
      { pvs: 1, phs: 1 },
      { pvs: 0, phs: 1 },
    ]);
    expect(answer('nodevis', ['node', 'cluster'], [[-1 - leafs[0]!, 0]])).toEqual([{ pvs: 0, phs: 1 }]);
  });

  it('are areas, whose portals stay as rows before have left them', () => {
    const asked = answer(
      'areas',
      ['portal', 'open', 'a', 'b', 'area'],
      [
        [-1, 0, 1, 3, 1],
        [1, 1, 1, 2, 1],
        [2, 1, 1, 3, 1],
        [-1, 1, 1, 3, 0],
        [1, 0, 1, 3, 3],
      ],
    );
    expect(asked.map(({ connected, bits }) => [connected, bits])).toEqual([
      [0, '02'],
      [1, '06'],
      [1, '0e'],
      [1, '0f'],
      [0, '0c'],
    ]);
  });
});
