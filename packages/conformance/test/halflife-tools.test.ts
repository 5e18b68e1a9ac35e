import {
  boxBrush,
  compileMap,
  type Materials,
  parseMap,
  roomBrushes,
  type SourceBrush,
} from '@bspkit/compile';
import { between, createRandom } from '@bspkit/geometry';
import { createQuake1World, pointContents, type Quake1World, readQuake1 } from '@bspkit/quake1';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { box, createBrute, type Mover, POINT, type Point, separation } from './compile-brute.ts';

const AROUND: readonly [Point, Point] = [
  [0, 0, 0],
  [512, 512, 384],
];
const start = { properties: { classname: 'info_player_start', origin: '64 64 64' } };

const worldOf = (brushes: readonly SourceBrush[], version: 29 | 30 = 30): Quake1World => {
  const world = {
    properties: { classname: 'worldspawn' },
    brushes: [...roomBrushes(...AROUND, 16), ...brushes],
  };
  return createQuake1World(
    readQuake1(compileMap({ entities: [world, start] }, { format: 'quake1', version }).bytes),
  );
};

/** Contents in the drawn hull, weakest first, and the hulls in which it is solid to those who move. */
type Meaning = readonly [drawn: number, ...solidIn: number[]];

const MEANINGS: Readonly<Record<string, Meaning>> = {
  wall: [-2, 1, 2, 3],
  ladder: [-2, 1, 2, 3],
  NULL: [-2, 1, 2, 3],
  AAATRIGGER: [-2, 1, 2, 3],
  BEVEL: [-2, 1, 2, 3],
  SOLIDHINT: [-2, 1, 2, 3],
  sky: [-6, 1, 2, 3],
  CLIP: [-1, 1, 2, 3],
  CLIPBEVEL: [-1, 1, 2, 3],
  CLIPHULL1: [-1, 1],
  CLIPHULL2: [-1, 2],
  CLIPHULL3: [-1, 3],
  NOCLIP: [-2],
  HINT: [-1],
  SKIP: [-1],
  SPLITFACE: [-1],
  ORIGIN: [-1],
  BOUNDINGBOX: [-1],
  CONTENTEMPTY: [-1],
  CONTENTWATER: [-3],
  '!pool': [-3],
  '!cur_0': [-9],
  '!cur_90': [-10],
  '!cur_180': [-11],
  '!cur_270': [-12],
  '!cur_up': [-13],
  '!cur_dwn': [-14],
  '!slime': [-4],
  '!lava': [-5],
};
/** Contents from those that hide all others to the weakest; where currents meet, one counts. */
const RANKS = [-2, -6, -5, -4, -9, -10, -11, -12, -13, -14, -3, -1];
const HULLS: readonly Mover[] = [
  POINT,
  box([-16, -16, -36], [16, 16, 36]),
  box([-32, -32, -32], [32, 32, 32]),
  box([-16, -16, -18], [16, 16, 18]),
];

describe("brushes of the textures of Half-Life's tools", () => {
  it('mean what they mean there, in each hull', () => {
    const random = createRandom(seedOf(7));
    const names = Object.keys(MEANINGS);
    const sources = Array.from({ length: 60 }, (_, k) => {
      const mins = [0, 1, 2].map((axis) =>
        Math.round(between(random, 16, AROUND[1][axis as 0 | 1 | 2] - 100)),
      );
      const maxs = mins.map((at) => at + Math.round(between(random, 8, 80)));
      return boxBrush(mins, maxs, { material: names[k % names.length]! });
    });
    const world = worldOf(sources);
    const brutes = sources.map((source) => ({
      brute: createBrute(source),
      meaning: MEANINGS[source.material!]!,
    }));
    const points = Array.from(
      { length: 4000 },
      (): Point => [
        Math.fround(between(random, 33, 479)),
        Math.fround(between(random, 33, 479)),
        Math.fround(between(random, 37, 347)),
      ],
    );
    let compared = 0;
    for (const [hull, mover] of HULLS.entries()) {
      for (const point of points) {
        const apart = brutes.map(({ brute }) => separation(brute, mover, point));
        if (apart.some((distance) => Math.abs(distance) < 0.05)) continue;
        const found = brutes.filter((_, k) => apart[k]! < 0).map(({ meaning }) => meaning);
        const expected =
          hull === 0
            ? (RANKS.find((rank) => found.some(([drawn]) => drawn === rank)) ?? -1)
            : found.some(([, ...solidIn]) => solidIn.includes(hull))
              ? -2
              : -1;
        compared++;
        if (world.hullContents(hull, point) !== expected) {
          expect({ hull, point, contents: world.hullContents(hull, point) }).toEqual({
            ...{ hull, point },
            contents: expected,
          });
        }
      }
    }
    expect(compared).toBeGreaterThan(14_000);
    expect(names.every((name) => sources.some(({ material }) => material === name))).toBe(true);
  });

  const stops = (material: string, version: 29 | 30 = 30): readonly number[] => {
    const world = worldOf([boxBrush([200, 0, 0], [232, 512, 384], { material })], version);
    const tracers = [world.ray(), ...[1, 2, 3].slice(0, version === 30 ? 3 : 2).map((n) => world.hull(n))];
    return tracers.map((tracer) => tracer.trace([100, 256, 100], [400, 256, 100]).endPos[0]!);
  };

  it('stop shots but no players, or only some of those who move', () => {
    const through = 400;
    const near = [200 - 1 / 32, 184 - 1 / 32, 168 - 1 / 32, 184 - 1 / 32];
    expect(stops('null')).toEqual(near);
    expect(stops('noclip')).toEqual([near[0], through, through, through]);
    expect(stops('clip')).toEqual([through, ...near.slice(1)]);
    expect(stops('cliphull2')).toEqual([through, through, near[2], through]);
    expect(stops('contentwater')).toEqual([through, through, through, through]);
    expect(stops('skip')).toEqual([through, through, through, through]);
    // To Quake these are textures like any other, and skips are solid.
    for (const name of ['noclip', 'cliphull2', 'contentwater', 'skip']) {
      expect(stops(name, 29)).toEqual([near[0], 184 - 1 / 32, 168 - 1 / 32]);
    }
  });

  it('carry players as water with a current does, which is water to the game', () => {
    const pool = boxBrush([0, 0, 0], [512, 512, 100], { material: '!cur_90' });
    const world = worldOf([pool]);
    expect([world.contents([100, 100, 50]), pointContents(world, [100, 100, 50])]).toEqual([-10, -3]);
    expect(worldOf([pool], 29).contents([100, 100, 50])).toBe(-3);
  });
});

describe('brushes whose sides are of several tools', () => {
  const side = (axis: number, sign: number, material: string) => {
    const plane = [
      [
        [0, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [
        [0, 0, 0],
        [0, 0, 1],
        [1, 0, 0],
      ],
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
    ][axis]!;
    const at = sign > 0 ? 300 : 200;
    const points = plane.map((point) => point.map((x, k) => (k === axis ? at : 200 + 64 * x)));
    if (sign > 0) points.reverse();
    return `${points.map((point) => `( ${point.join(' ')} )`).join(' ')} ${material} 0 0 0 1 1`;
  };
  const ORDER = [
    [0, 1],
    [0, -1],
    [1, 1],
    [1, -1],
    [2, 1],
    [2, -1],
  ] as const;
  const compiled = (materials: readonly string[], version: 29 | 30) => {
    const text = `{\n"classname" "worldspawn"\n{\n${ORDER.map(([axis, sign], k) => side(axis, sign, materials[k] ?? materials.at(-1)!)).join('\n')}\n}\n}`;
    const { brushes } = parseMap(text, { target: 'quake1' }).entities[0]!;
    const world = {
      properties: { classname: 'worldspawn' },
      brushes: [...roomBrushes(...AROUND, 16), ...brushes!],
    };
    const { bytes, warnings } = compileMap({ entities: [world, start] }, { format: 'quake1', version });
    const file = readQuake1(bytes);
    return {
      contents: [0, 1].map((hull) => createQuake1World(file).hullContents(hull, [250, 250, 250])),
      textures: file.textures.map((texture) => texture?.name),
      warnings: warnings.map(({ code }) => code),
    };
  };

  it('are hints if some side is one and all others are skips, whichever comes first', () => {
    for (const version of [29, 30] as const) {
      for (const materials of [
        ['HINT', 'SKIP'],
        ['SKIP', 'HINT'],
        ['SKIP', 'SKIP', 'SKIP', 'SKIP', 'HINT', 'SKIP'],
        ['hintskip', 'hint'],
      ]) {
        const { contents, warnings } = compiled(materials, version);
        expect({ version, materials, contents, warnings }).toEqual({
          ...{ version, materials },
          contents: [-1, -1],
          warnings: [],
        });
      }
    }
  });

  it('are water or empty if one side says so, and what the others say if one is skipped', () => {
    expect(compiled(['!pool', 'wall', 'CONTENTWATER'], 30)).toMatchObject({
      contents: [-3, -1],
      warnings: [],
    });
    expect(compiled(['wall', 'wall', 'CONTENTEMPTY', 'wall'], 30)).toMatchObject({
      contents: [-1, -1],
      warnings: [],
    });
    const skipped = compiled(['SKIP', 'rock'], 30);
    expect(skipped).toMatchObject({ contents: [-2, -2], warnings: [] });
    expect(skipped.textures).toContain('rock');
    expect(compiled(['rock', '!pool'], 30).warnings).toEqual(['mixed-contents']);
  });

  it('leave out what the tools do not draw', () => {
    for (const name of ['NULL', 'BEVEL', 'NOCLIP', 'AAATRIGGER', 'CONTENTWATER']) {
      expect(compiled([name], 30).textures).toEqual(['default']);
    }
    expect(compiled(['!cur_up'], 30).textures).toEqual(['default', '!cur_up']);
  });
});

it('textures of the tools are known where unknown ones are errors, and a table of materials comes first', () => {
  const brush = boxBrush([200, 200, 200], [300, 300, 300], { material: 'NoClip' });
  const strict = (materials: Materials, version: 29 | 30) => {
    const room = roomBrushes(...AROUND, 16, { material: 'clip' });
    const { bytes } = compileMap([...room, brush], { format: 'quake1', version, materials });
    const world = createQuake1World(readQuake1(bytes));
    return [0, 1].map((hull) => world.hullContents(hull, [250, 250, 250]));
  };
  expect(strict({}, 30)).toEqual([-2, -1]);
  expect(strict({ noclip: {} }, 30)).toEqual([-2, -2]);
  expect(() => strict({}, 29)).toThrow("material 'NoClip' is not known");
});
