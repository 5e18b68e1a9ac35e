import { boxBrush, CONTENTS, compileMap, frustumBrush, type SourceBrush } from '@bspkit/compile';
import type { Bounds, Tracer } from '@bspkit/core';
import { compileFixture, type FixtureName, fixtureMap } from '@bspkit/fixtures';
import { between, createRandom, lengthOf } from '@bspkit/geometry';
import { createQuake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { seedOf } from '@bspkit/testkit/seed';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';
import {
  type BruteBrush,
  box,
  brutesOf,
  createBrute,
  firstMeet,
  type Mover,
  POINT,
  type Point,
  pointIn,
  separation,
  sphere,
} from './compile-brute.ts';

/** Moves per test; BSPKIT_RUNS_RAYS=100000 is the proof run. */
const COUNT = Number(process.env.BSPKIT_RUNS_RAYS ?? 300);

const quake1 = (name: FixtureName) => createQuake1World(readQuake1(compileFixture(name, 'quake1').bytes));
const quake2 = (name: FixtureName) => createQuake2World(readQuake2(compileFixture(name, 'quake2').bytes));
const quake3 = (name: FixtureName) => createQuake3World(readQuake3(compileFixture(name, 'quake3').bytes));
const ufoai = (name: FixtureName) =>
  createUfoaiWorld([{ file: readUfoai(compileFixture(name, 'ufoai').bytes) }]);

/** Where moves start and end. */
const SPACES: Readonly<Record<FixtureName, readonly [Point, Point]>> = {
  arena: [
    [-520, -520, -100],
    [1160, 520, 380],
  ],
  torture: [
    [-380, -380, 1],
    [380, 380, 319],
  ],
  house: [
    [0, 0, 4],
    [768, 512, 300],
  ],
};

/** Moves through a map: long ones, and short ones from where the last one started. */
function createMoves([mins, maxs]: readonly [Point, Point], seed: number): () => readonly [Point, Point] {
  const random = createRandom(seedOf(seed));
  const point = (): Point => pointIn(random, mins, maxs).map(Math.fround) as unknown as Point;
  let start = point();
  let turn = 0;
  return () => {
    if (turn++ % 3 > 0) return [start, point()];
    const near = start.map((x) => Math.fround(x + between(random, -32, 32))) as unknown as Point;
    const move = [start, near] as const;
    start = point();
    return move;
  };
}

interface Rules {
  readonly brushes: readonly BruteBrush[];
  readonly mover: Mover;
  /** Distance that the format keeps from surfaces. */
  readonly epsilon: number;
  /** Whether only the brush's own planes stop the mover, so that the distance kept grows at sharp edges. */
  readonly sharp?: boolean;
  /** Whether every start in solid is reported; UFO:AI forgets some from tree to tree. */
  readonly tellsStart?: boolean;
  readonly seed: number;
}

/**
 * Checks a tracer against the brushes: a move that starts clear of all goes at least to where it meets the brushes
 * grown by the epsilon, and at most to where it meets them shrunk by it, as moves leave brushes by so much early; one
 * that starts deep in a brush says so. Returns how many moves were compared and how many hit.
 */
function compareMoves(tracer: Tracer, rules: Rules, space: readonly [Point, Point]) {
  const { brushes, mover, epsilon, seed, sharp = false, tellsStart = true } = rules;
  const next = createMoves(space, seed);
  const slack = 0.03;
  let compared = 0;
  let hits = 0;
  for (let i = 0; i < COUNT; i++) {
    const [start, end] = next();
    const gaps = brushes.map((brush) => separation(brush, mover, start));
    const apart = Math.min(...gaps);
    const trace = tracer.trace(start, end);
    const told = { start, end, fraction: trace.fraction, startSolid: trace.startSolid };
    // A sphere may start where the planes that it moves outwards meet, though farther than its radius from the brush.
    const sharpGaps = sharp ? brushes.map((brush) => separation(brush, mover, start, brush.own)) : gaps;
    if (gaps.some((gap, k) => gap > 0 && sharpGaps[k]! < epsilon + slack)) continue;
    // A start within the epsilon of one brush stops the search for others.
    if (gaps.some((gap) => Math.abs(gap) < epsilon + slack)) continue;
    if (apart < 0 && !tellsStart) continue;
    compared++;
    if (trace.startSolid !== apart < 0) expect(told).toEqual({ ...told, startSolid: apart < 0 });
    if (apart < 0) continue;
    // Rounding moves fractions by less than this.
    const rounding = 1e-5;
    const least = Math.min(firstMeet(brushes, mover, start, end, epsilon + slack, sharp), 1) - rounding;
    const most = Math.min(firstMeet(brushes, mover, start, end, -epsilon - slack), 1) + rounding;
    if (trace.fraction < 1) hits++;
    if (trace.fraction < least || trace.fraction > most) {
      expect({ ...told, least, most }).toEqual('a fraction between least and most');
    }
  }
  return { compared, hits };
}

const having = (brushes: readonly BruteBrush[], bits: number): BruteBrush[] =>
  brushes.filter((brush) => brush.bits & bits);

const SOLID = CONTENTS.solid | CONTENTS.window | CONTENTS.terrain;
const PLAYER: readonly [Point, Point] = [
  [-16, -16, -24],
  [16, 16, 32],
];

/** How far the area outside a map extends. */
const FAR = 4000;

/** Beside the arena's sky, and above it. */
const AROUND_SKY: readonly (readonly [Point, Point])[] = [
  [
    [-FAR, -FAR, 384],
    [-528, FAR, 400],
  ],
  [
    [528, -FAR, 384],
    [FAR, FAR, 400],
  ],
  [
    [-FAR, -FAR, 384],
    [FAR, -528, 400],
  ],
  [
    [-FAR, 528, 384],
    [FAR, FAR, 400],
  ],
  [
    [-FAR, -FAR, 400],
    [FAR, FAR, FAR],
  ],
];

/** A sealed Quake 1 map is solid outside; a ray that passes through the arena's sky meets what is behind it. */
const OUTSIDE: Readonly<Record<'arena' | 'torture', readonly BruteBrush[]>> = {
  arena: AROUND_SKY.map(([mins, maxs]) => createBrute(boxBrush(mins, maxs))),
  torture: [],
};

describe.each(['arena', 'torture', 'house'] as const)('moves through %s as a Quake 3 map', (name) => {
  const world = quake3(name);
  const brushes = brutesOf(name);
  const solid = having(brushes, SOLID | CONTENTS.sky);
  const body = having(brushes, SOLID | CONTENTS.sky | CONTENTS.playerclip);
  const PLAYER_SOLID = 0x10001;

  it.each([
    // Planes are moved outwards by the epsilon and by a sphere's radius, so both stop early at edges that no bevel blunts.
    ['rays', world.ray({ curves: false }), POINT, solid, true],
    ['spheres', world.sphere(20, { curves: false }), sphere(20), solid, true],
    ['players', world.box(...PLAYER, { mask: PLAYER_SOLID, curves: false }), box(...PLAYER), body, false],
    [
      'flat boxes',
      world.box([-40, -3, 0], [8, 3, 2], { curves: false }),
      box([-40, -3, 0], [8, 3, 2]),
      solid,
      false,
    ],
  ] as const)('%s end where they meet a brush', (_, tracer, mover, met, sharp) => {
    const rules = { brushes: met, mover, epsilon: 0.125, seed: 1, sharp };
    const { compared, hits } = compareMoves(tracer, rules, SPACES[name]);
    expect(compared).toBeGreaterThan(0.5 * COUNT);
    expect(hits).toBeGreaterThan(0.15 * COUNT);
  });
});

describe.each([
  ['arena', 'Quake 1', 29],
  ['torture', 'Quake 1', 29],
  ['arena', 'Half-Life', 30],
  ['torture', 'Half-Life', 30],
] as const)('moves through %s as a %s map', (name, _, version) => {
  const { bytes } = compileMap(fixtureMap(name), { format: 'quake1', version });
  const world = createQuake1World(readQuake1(bytes));
  const brushes = brutesOf(name);
  const solid = [...having(brushes, SOLID), ...OUTSIDE[name]];
  const body = [...having(brushes, SOLID | CONTENTS.sky | CONTENTS.playerclip), ...OUTSIDE[name]];

  it.each([...world.hulls.keys()])('of hull %i end where they meet a brush', (hull) => {
    const mover = box(...cornersOf(world.hulls[hull]!));
    const met = hull === 0 ? solid : body;
    const rules = { brushes: met, mover, epsilon: 1 / 32, seed: 2, sharp: hull === 0 };
    const tracer = world.hull(hull);
    const { compared, hits } = compareMoves(tracer, rules, inside(name));
    expect(compared).toBeGreaterThan(0.1 * COUNT);
    expect(hits).toBeGreaterThan(0.1 * COUNT);
  });
});

describe.each(['arena', 'torture', 'house'] as const)('moves through %s as a Quake 2 map', (name) => {
  const world = quake2(name);
  const brushes = brutesOf(name);
  const solid = having(brushes, SOLID | CONTENTS.sky);
  const body = having(brushes, SOLID | CONTENTS.sky | CONTENTS.playerclip);

  it.each([
    ['rays', world.ray(), POINT, solid, true],
    ['players', world.box(...PLAYER, { mask: 0x10003 }), box(...PLAYER), body, false],
    ['flat boxes', world.box([-40, -3, 0], [8, 3, 2]), box([-40, -3, 0], [8, 3, 2]), solid, false],
  ] as const)('%s end where they meet a brush', (_, tracer, mover, met, sharp) => {
    const rules = { brushes: met, mover, epsilon: 1 / 32, seed: 7, sharp };
    const { compared, hits } = compareMoves(tracer, rules, SPACES[name]);
    expect(compared).toBeGreaterThan(0.5 * COUNT);
    expect(hits).toBeGreaterThan(0.15 * COUNT);
  });
});

const cornersOf = ({ mins, maxs }: Bounds): [Point, Point] => [
  Array.from(mins) as unknown as Point,
  Array.from(maxs) as unknown as Point,
];

/** UFO:AI's space begins at height 0. */
const above = (name: FixtureName): readonly [Point, Point] => {
  const [[x, y, z], maxs] = SPACES[name];
  return [[x, y, Math.max(z, 1)], maxs];
};

/** The largest room, as outside the rooms everything is solid without brushes. */
const inside = (name: 'arena' | 'torture'): readonly [Point, Point] =>
  name === 'torture'
    ? SPACES.torture
    : [
        [-510, -510, 1],
        [510, 510, 383],
      ];

describe.each(['arena', 'torture', 'house'] as const)('moves through %s as a UFO:AI map', (name) => {
  const world = ufoai(name);
  const brushes = brutesOf(name);
  const options = { levels: 0x1ff, mask: 3, reject: 0 };
  const solid = having(brushes, (SOLID & ~CONTENTS.terrain) | CONTENTS.sky);

  it.each([
    ['rays', world.ray(options), POINT],
    ['soldiers', world.box([-10, -10, -20], [10, 10, 20], options), box([-10, -10, -20], [10, 10, 20])],
  ] as const)('%s end where they meet a brush', (_, tracer, mover) => {
    const { compared, hits } = compareMoves(
      tracer,
      { brushes: solid, mover, epsilon: 1 / 32, seed: 3, tellsStart: false },
      above(name),
    );
    expect(compared).toBeGreaterThan(0.5 * COUNT);
    expect(hits).toBeGreaterThan(0.15 * COUNT);
  });

  it.each([0x01, 0x02, 0x08])('rays on levels %i meet brushes of these levels and of no levels', (levels) => {
    const seen = solid.filter((brush) => brush.levels === 0 || brush.levels & levels);
    const rules = { brushes: seen, mover: POINT, epsilon: 1 / 32, seed: 4, tellsStart: false };
    expect(compareMoves(world.ray({ ...options, levels }), rules, above(name)).compared).toBeGreaterThan(
      0.5 * COUNT,
    );
  });

  it('lines are blocked where they pass through what blocks sight', () => {
    const opens = having(brushes, CONTENTS.passable | CONTENTS.water | CONTENTS.slime | CONTENTS.lava);
    const blocking = having(brushes, CONTENTS.solid | CONTENTS.sky).filter(
      (brush) => !(brush.bits & CONTENTS.passable),
    );
    const tracer = world.line({ levels: 0xff });
    const next = createMoves(above(name), 5);
    let blocked = 0;
    for (let i = 0; i < COUNT; i++) {
      const [start, end] = next();
      // What the line passes within its tolerance of a tenth of a unit may block it or not, and so may what passable things open.
      const surely = firstMeet(blocking, POINT, start, end, -0.3) <= 1;
      const maybe = firstMeet(blocking, POINT, start, end, 0.3) <= 1;
      if (surely !== maybe || firstMeet(opens, POINT, start, end, 1) <= 1) continue;
      const found = tracer.blocked(start, end);
      if (found) blocked++;
      if (found !== surely) expect({ start, end, blocked: found }).toEqual({ start, end, blocked: surely });
    }
    expect(blocked).toBeGreaterThan(0.1 * COUNT);
  });
});

/** Brushes that maps have only by mistake, each with the space for moves. */
const ODD: Readonly<
  Record<string, readonly [brushes: readonly SourceBrush[], space: readonly [Point, Point]]>
> = {
  'a plate that ends where it is thinnest': [
    [
      {
        sides: [
          ...boxBrush([1, -6, 10], [6, 42, 24]).sides.filter(({ normal }) => normal[2] !== -1),
          { normal: [0.01, 0, -1], dist: -23.905 / Math.hypot(0.01, 1) },
        ],
      },
    ],
    [
      [-10, -16, 10],
      [26, 52, 36],
    ],
  ],
  'a pyramid that hardly rises': [
    [frustumBrush([54.875, 260.6875, 145.4375], 200, 200 / 3, 1, 4)],
    [
      [-200, 0, 60],
      [300, 520, 240],
    ],
  ],
  'a wall hardly askew, far from the origin': [
    [
      {
        sides: [
          ...boxBrush([2000, 3000, 50], [2200, 3400, 200]).sides.filter(({ normal }) => normal[0] !== -1),
          { normal: [-1, 2e-4, 0], dist: (-2000 + 2e-4 * 3000) / Math.hypot(1, 2e-4) },
        ],
      },
    ],
    [
      [1900, 2900, 40],
      [2300, 3500, 220],
    ],
  ],
};

describe.each(Object.entries(ODD))('moves around %s', (_, [sources, space]) => {
  const brushes = sources.map(createBrute);
  const file = (format: 'quake1' | 'quake2' | 'quake3' | 'ufoai') => compileMap(sources, { format }).bytes;
  const player = box(...PLAYER);
  const options = { levels: 0x1ff, mask: 3, reject: 0 };

  it.each([
    [
      'Quake 1',
      1 / 32,
      () => {
        const world = createQuake1World(readQuake1(file('quake1')));
        return [world.hull(0), world.hull(1)];
      },
    ],
    [
      'Quake 2',
      1 / 32,
      () => {
        const world = createQuake2World(readQuake2(file('quake2')));
        return [world.ray(), world.box(...PLAYER, { mask: 0x10003 })];
      },
    ],
    [
      'Quake 3',
      1 / 8,
      () => {
        const world = createQuake3World(readQuake3(file('quake3')));
        return [world.ray(), world.box(...PLAYER)];
      },
    ],
    [
      'UFO:AI',
      1 / 32,
      () => {
        const world = createUfoaiWorld([{ file: readUfoai(file('ufoai')) }]);
        return [world.ray(options), world.box(...PLAYER, options)];
      },
    ],
  ] as const)('end where they meet a brush in a %s map', (name, epsilon, make) => {
    for (const [k, tracer] of make().entries()) {
      const mover = k === 0 ? POINT : player;
      const rules = { brushes, mover, epsilon, seed: 8, sharp: k === 0, tellsStart: name !== 'UFO:AI' };
      expect(compareMoves(tracer, rules, space).hits).toBeGreaterThan(0);
    }
  });
});

describe.each(['arena', 'torture'] as const)('the same rays through %s in four formats', (name) => {
  it('end at the same places, except where the formats treat contents differently', () => {
    const tracers: readonly Tracer[] = [
      quake1(name).hull(0),
      quake2(name).ray(),
      quake3(name).ray({ curves: false }),
      ufoai(name).ray({ levels: 0x1ff, mask: 3, reject: 0 }),
    ];
    const brushes = brutesOf(name);
    const solid = having(brushes, SOLID | CONTENTS.sky);
    const sky = having(brushes, CONTENTS.sky);
    const next = createMoves(inside(name), 6);
    const disagreements = { sky: 0, grazing: 0, unexplained: [] as unknown[] };
    let agreed = 0;
    for (let i = 0; i < COUNT; i++) {
      const [start, end] = next();
      if (solid.some((brush) => separation(brush, POINT, start) < 0.2)) continue;
      const length = lengthOf(end[0] - start[0], end[1] - start[1], end[2] - start[2]);
      const ends = tracers.map((tracer) => {
        const { fraction, normal } = tracer.trace(start, end);
        // The distance kept from the surface is measured along its normal, so it may be longer along the ray.
        const slope =
          fraction < 1 ? Math.abs(normal.reduce((sum, n, k) => sum + n * (end[k]! - start[k]!), 0)) : length;
        return { fraction, slope };
      });
      const fractions = ends.map(({ fraction }) => fraction);
      const spread = Math.max(...fractions) - Math.min(...fractions);
      if (spread * Math.max(...ends.map(({ slope }) => slope)) < 0.2) {
        agreed++;
        continue;
      }
      // Quake 1's sky is open, that of the others is solid.
      if (Math.abs(firstMeet(sky, POINT, start, end, 0.2) - Math.min(...fractions)) < 0.5 / length)
        disagreements.sky++;
      // Where a ray passes an edge within an eighth, the format that keeps farther away stops and the others go on.
      else if (
        firstMeet(solid, POINT, start, end, 0.16, true) <
        firstMeet(solid, POINT, start, end, -0.16) - 0.2 / length
      ) {
        disagreements.grazing++;
      } else disagreements.unexplained.push({ start, end, fractions });
    }
    expect(disagreements.unexplained).toEqual([]);
    expect(agreed).toBeGreaterThan(0.6 * COUNT);
    expect(disagreements.grazing).toBeLessThan(0.02 * COUNT);
  });
});
