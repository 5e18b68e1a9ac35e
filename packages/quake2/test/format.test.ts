import { arenaQuake2, arenaQuake3, compileFixture } from '@bspkit/fixtures';
import { checkFormat } from '@bspkit/testkit/check-format';
import { describe, expect, it } from 'vitest';
import { quake2 } from '../src/descriptor.ts';
import { quake2Format } from '../src/format.ts';
import {
  CONTENTS_LAVA,
  CONTENTS_PLAYERCLIP,
  CONTENTS_SOLID,
  CONTENTS_WATER,
  CONTENTS_WINDOW,
} from '../src/index.ts';
import { roomsMap } from './worlds.ts';

const maps = [
  { name: 'arena', bytes: arenaQuake2() },
  { name: 'house', bytes: compileFixture('house', 'quake2').bytes },
];

await checkFormat(quake2Format, maps, { foreign: [arenaQuake3()] });

it('cuts each brush of a world once, however many leafs list it', () => {
  const source = quake2.polygons(quake2.createWorld([quake2.read(maps[0]!.bytes)]));
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

  it('knows which polygons stop players', () => {
    const { polygons, isSolid } = quake2.polygons(world);
    const stops = (contents: number): boolean => isSolid({ ...polygons()[0]!, contents });
    expect([CONTENTS_SOLID, CONTENTS_WINDOW, CONTENTS_PLAYERCLIP].map(stops)).toEqual([true, true, true]);
    expect([0, CONTENTS_WATER, CONTENTS_LAVA].map(stops)).toEqual([false, false, false]);
  });
});
