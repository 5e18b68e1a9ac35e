import { createHash } from 'node:crypto';
import type { Tracer, Vec3 } from '@bspkit/core';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { describe, expect, it } from 'vitest';
import {
  actorSight,
  computeRouting,
  createRerouter,
  createUfoaiWorld,
  encodeRouting,
  joinRouting,
  type LineOptions,
  readUfoai,
  type SightActor,
  type UfoaiFile,
} from '../src/index.ts';
import { looks, passes } from './looks.ts';

const house = readUfoai(readEngineMap('ufoai/house.bsp'));
/** The house, with the table that the compiler leaves to a function. */
const file: UfoaiFile = {
  ...house,
  lumps: { ...house.lumps, routing: encodeRouting(computeRouting(house)) },
};

/** Doors as the game opens them once it has loaded the house. */
const OPEN = [-90, -90, 0];

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

const world = createUfoaiWorld(file);
const routing = joinRouting(world, [file]);
const things = world.models();
const rerouter = createRerouter(world, things, routing, { compat: 'engine' });
rerouter.update();
for (const [k, thing] of things.entries()) {
  thing.place({ angles: [0, OPEN[k]!, 0] });
  rerouter.update();
}

describe('the sight of actors', () => {
  it("begins with the table that the game's server has once it has loaded the map", () => {
    expect(sha256(routing.bytes)).toBe('af1a94413173fb74311abfe3da6065e0fadda2c1c144e29fa56b391a8d02e8b6');
  });

  // Of the answers of the game's server (2.5): how many points of each of 1,500 actors are in sight.
  it.each([
    [
      'as the game leaves them',
      1,
      OPEN,
      [1015, 26, 30, 429],
      '7f948086587e7b73291d9242c2324d32f4bb49b72ee26a07508163a6ec385ac4',
    ],
    [
      'turned otherwise',
      2,
      [45, 90, 45],
      [988, 27, 32, 453],
      '5e5455a12f36ed03fbb02c412525434f69615259be78a2d28095c28b26a2dae8',
    ],
  ] as const)("is that of the game's server, with doors %s", (_, seed, yaws, counts, sha) => {
    for (const kernel of ['js', 'wasm'] as const) {
      const seen = createUfoaiWorld(file, { kernel });
      const models = seen.models();
      for (const [k, model] of models.entries()) model.place({ angles: [0, yaws[k]!, 0] });
      const line = seen.line({ models, compat: 'engine' });
      const answers = looks(routing, seed, 1500).map(({ from, to }) =>
        [0, 0.1, 0.5, 1].indexOf(actorSight(line, routing, from, to)),
      );
      expect(
        [0, 1, 2, 3].map((seenPoints) => answers.filter((answer) => answer === seenPoints).length),
      ).toEqual(counts);
      expect(sha256(answers.join(''))).toBe(sha);
    }
  });

  const here = [130, 129, 0] as const;
  const there = [136, 129, 0] as const;

  /** Where an actor looks from, then the points that it looks at; and the answer if only the first points are in sight. */
  function look(from: SightActor, to: SightActor, inSight = 3): { points: number[][]; answer: number } {
    const points: number[][] = [];
    const round = (point: Vec3): number[] => Array.from(point, (value) => Math.round(1e3 * value) / 1e3);
    const tracer = {
      blocked(start: Vec3, end: Vec3): boolean {
        if (points.length === 0) points.push(round(start));
        points.push(round(end));
        return points.length - 2 >= inSight;
      },
    };
    const answer = actorSight(tracer as Tracer, routing, from, to);
    return { points, answer };
  }

  it('goes from the eyes to a point beside the head, the middle, and a point beside the feet', () => {
    expect(look({ cell: here }, { cell: there }).points).toEqual([
      [80, 48, 51],
      [272, 41, 56],
      [272, 48, 36],
      [272, 55, 16],
    ]);
    expect(look({ cell: here, stance: 'crouching' }, { cell: there, stance: 'crouching' }).points).toEqual([
      [80, 48, 39],
      [272, 41, 39],
      [272, 48, 27],
      [272, 55, 15],
    ]);
    expect(look({ cell: here, eye: 0 }, { cell: there, stance: 'dead' }).points).toEqual([
      [80, 48, 36],
      [272, 41, 24],
    ]);
    expect(look({ cell: here, size: 2 }, { cell: [130, 136, 0], size: 2 }).points).toEqual([
      [96, 64, 51],
      [103, 288, 56],
      [96, 288, 36],
      [89, 288, 16],
    ]);
  });

  it('goes to the points that the server asks for, to the last bit', () => {
    const ends: number[][] = [];
    const tracer = { blocked: (_: Vec3, end: Vec3) => ends.push([end[0]!, end[1]!]) === 0 };
    actorSight(tracer as Tracer, routing, { cell: [78, 207, 0], size: 2 }, { cell: [137, 95, 0] });
    // Other ways of computing them differ in the first and the last point.
    expect(ends).toEqual([
      [297.7895202636719, -1043.2294921875],
      [304, -1040],
      [310.2104797363281, -1036.7705078125],
    ]);
  });

  it('counts the points in sight as the game does', () => {
    const counts = [0, 1, 2, 3].map((inSight) => look({ cell: here }, { cell: there }, inSight).answer);
    expect(counts).toEqual([0, 0.1, 0.5, 1]);
    const dead = [0, 1].map(
      (inSight) => look({ cell: here }, { cell: there, stance: 'dead' }, inSight).answer,
    );
    expect(dead).toEqual([0, 1]);
  });

  it('does not look aside if one actor is straight above the other', () => {
    const [from, ...points] = look({ cell: here }, { cell: [130, 129, 2] }).points;
    expect(points.map((point) => point.slice(0, 2))).toEqual([0, 1, 2].map(() => from!.slice(0, 2)));
  });

  it('goes to the same points if what is in the way asks what others see meanwhile', () => {
    const lines: number[][] = [];
    const curious = {
      blocked(start: Vec3, end: Vec3): boolean {
        lines.push([start, end].flatMap((point) => Array.from(point, (x) => Math.round(1e3 * x) / 1e3)));
        actorSight({ blocked: () => false } as unknown as Tracer, routing, { cell: there }, { cell: here });
        return false;
      },
    } as unknown as Tracer;
    actorSight(curious, routing, { cell: here }, { cell: there });
    expect(lines).toEqual([
      [80, 48, 51, 272, 41, 56],
      [80, 48, 51, 272, 48, 36],
      [80, 48, 51, 272, 55, 16],
    ]);
  });

  it('takes a world, which has no doors in the way', () => {
    const closed = createUfoaiWorld(file);
    const line = closed.line({ models: [closed.model(1)] });
    const [from, to] = [{ cell: [140, 130, 0] }, { cell: [140, 132, 0] }] as const;
    expect(actorSight(closed, routing, from, to)).toBe(1);
    expect(actorSight(line, routing, from, to)).toBe(0);
  });
});

describe('lines past turned models', () => {
  it("are those of the game's server, with cubes", () => {
    for (const kernel of ['js', 'wasm'] as const) {
      const seen = createUfoaiWorld(file, { kernel });
      const models = seen.models();
      const lines = passes(models, 4, 4000);
      const angles = [
        [10, 200, 5],
        [0, 300, 40],
        [80, 0, 0],
      ];
      for (const [k, model] of models.entries()) model.place({ angles: angles[k]! });
      /** Whether lines are blocked, then whether they have a place of impact. */
      const answers = (compat: LineOptions['compat']): string[] => {
        const line = seen.line({ models, compat });
        return [
          lines.map(([start, end]) => Number(line.blocked(start!, end!))).join(''),
          lines.map(([start, end]) => Number(line.trace(start!, end!).blocked)).join(''),
        ];
      };
      const server = answers({
        phantomHeads: true,
        maskBits: true,
        maskIgnored: true,
        entities: true,
        cubes: true,
      });
      // Of the answers of the game's server (2.5).
      expect(server.map(sha256)).toEqual([
        'e28604df28da48066fb6442b40664f6c15e45d26381e13dbdbd68cd59b443e60',
        'b3c562565ef5c0e5aa35d234ba6b7ee8a7a4ab834553af031321a837f1ec9db3',
      ]);
      const newest = answers('engine');
      for (const [k, answer] of newest.entries()) expect(answer).not.toBe(server[k]);
    }
  });
});
