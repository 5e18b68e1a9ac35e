import { CONTENTS, compileMap } from '@bspkit/compile';
import { compileFixture, fixtureMap } from '@bspkit/fixtures';
import { createQuake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';
import {
  type BruteBrush,
  box,
  brutesOf,
  createPoints,
  type Mover,
  POINT,
  type Point,
  separation,
} from './compile-brute.ts';

/** Points per test; BSPKIT_RUNS_POINTS=100000 is the proof run. */
const COUNT = Number(process.env.BSPKIT_RUNS_POINTS ?? 800);
/** Points closer than this to where an answer changes are left out. */
const SHELL = 0.05;

/** The brushes that a mover at a point touches; `undefined` if it is within the shell of one that would change the answer. */
function touched(brushes: readonly BruteBrush[], mover: Mover, at: Point): BruteBrush[] | undefined {
  const found: BruteBrush[] = [];
  for (const brush of brushes) {
    const apart = separation(brush, mover, at);
    if (Math.abs(apart) < SHELL) return undefined;
    if (apart < 0) found.push(brush);
  }
  return found;
}

const bitsOf = (brushes: readonly BruteBrush[]): number => brushes.reduce((sum, { bits }) => sum | bits, 0);

/** Compares answers at many points and shows the first that differs. Returns how many were compared. */
function comparePoints(
  brushes: readonly BruteBrush[],
  mover: Mover,
  ask: {
    expected: (found: readonly BruteBrush[], point: Point) => number;
    found: (point: Point) => number;
    seed: number;
  },
  within: { mins: Point; maxs: Point },
): number {
  const next = createPoints(brushes, within.mins, within.maxs, ask.seed);
  let compared = 0;
  for (let i = 0; i < COUNT; i++) {
    // Worlds take float32, so the brushes must be asked about the same point.
    const point = next().map(Math.fround) as unknown as Point;
    const here = touched(brushes, mover, point);
    if (!here) continue;
    compared++;
    const expected = ask.expected(here, point);
    const found = ask.found(point);
    if (found !== expected) expect({ point, contents: found }).toEqual({ point, contents: expected });
  }
  return compared;
}

/** Bounds of all brushes, extended a little. */
function around(brushes: readonly BruteBrush[], margin: number): { mins: Point; maxs: Point } {
  const low = (k: 0 | 1 | 2): number => Math.min(...brushes.map(({ mins }) => mins[k])) - margin;
  const high = (k: 0 | 1 | 2): number => Math.max(...brushes.map(({ maxs }) => maxs[k])) + margin;
  return { mins: [low(0), low(1), low(2)], maxs: [high(0), high(1), high(2)] };
}

const QUAKE3_BITS: readonly (readonly [number, number])[] = [
  [CONTENTS.solid | CONTENTS.sky | CONTENTS.window | CONTENTS.terrain, 1],
  [CONTENTS.lava, 8],
  [CONTENTS.slime, 0x10],
  [CONTENTS.water, 0x20],
  [CONTENTS.playerclip, 0x10000],
];

describe.each(['arena', 'torture', 'house'] as const)('points of %s as a Quake 3 map', (name) => {
  it('have the contents of the brushes that contain them', () => {
    const brushes = brutesOf(name);
    const world = createQuake3World(readQuake3(compileFixture(name, 'quake3').bytes));
    const mask = QUAKE3_BITS.reduce((sum, [, theirs]) => sum | theirs, 0);
    const compared = comparePoints(
      brushes,
      POINT,
      {
        seed: 1,
        expected: (found) => {
          const bits = bitsOf(found);
          return QUAKE3_BITS.reduce((sum, [ours, theirs]) => (bits & ours ? sum | theirs : sum), 0);
        },
        found: (point) => world.contents(point) & mask,
      },
      around(brushes, 48),
    );
    expect(compared).toBeGreaterThan(0.8 * COUNT);
  });
});

/** Quake 1's contents for what a point is in. */
function quake1Contents(bits: number): number {
  if (bits & (CONTENTS.solid | CONTENTS.window | CONTENTS.terrain)) return -2;
  if (bits & CONTENTS.sky) return -6;
  if (bits & CONTENTS.lava) return -5;
  if (bits & CONTENTS.slime) return -4;
  return bits & CONTENTS.water ? -3 : -1;
}

const STOPPING = CONTENTS.solid | CONTENTS.window | CONTENTS.terrain | CONTENTS.sky | CONTENTS.playerclip;
const HULLS: Readonly<Record<29 | 30, readonly Mover[]>> = {
  29: [POINT, box([-16, -16, -24], [16, 16, 32]), box([-32, -32, -24], [32, 32, 64])],
  30: [
    POINT,
    box([-16, -16, -36], [16, 16, 36]),
    box([-32, -32, -32], [32, 32, 32]),
    box([-16, -16, -18], [16, 16, 18]),
  ],
};

/** Boxes that make up the inside of the sealed maps; outside of them and of the brushes, everything is filled. */
const ROOMS: Readonly<Record<'arena' | 'torture', readonly (readonly [Point, Point])[]>> = {
  arena: [
    [
      [-512, -512, 0],
      [512, 512, 384],
    ],
    [
      [128, 128, -112],
      [384, 384, 0],
    ],
    [
      [512, -64, 0],
      [656, 64, 128],
    ],
    [
      [656, -256, 0],
      [1168, 256, 256],
    ],
  ],
  torture: [
    [
      [-384, -384, 0],
      [384, 384, 320],
    ],
  ],
};

const isInside = (name: keyof typeof ROOMS, [x, y, z]: Point): boolean =>
  ROOMS[name].some(
    ([low, high]) => x > low[0] && y > low[1] && z > low[2] && x < high[0] && y < high[1] && z < high[2],
  );

describe.each([
  ['arena', 'Quake 1', 29],
  ['torture', 'Quake 1', 29],
  ['arena', 'Half-Life', 30],
  ['torture', 'Half-Life', 30],
] as const)('points of %s as a %s map', (name, _, version) => {
  const brushes = brutesOf(name);
  const { bytes } = compileMap(fixtureMap(name), { format: 'quake1', version });
  const world = createQuake1World(readQuake1(bytes));
  const movers = HULLS[version];

  it('are moved through by the boxes of the game', () => {
    const sizes = world.hulls.map(({ mins, maxs }) => [...mins, ...maxs]);
    expect(sizes).toEqual(movers.map(({ mins, maxs }) => [...mins, ...maxs]));
  });

  it('have the contents of the strongest brush that contains them, and solid outside', () => {
    const compared = comparePoints(
      brushes,
      POINT,
      {
        seed: 2,
        expected: (found, point) =>
          found.length === 0 && !isInside(name, point) ? -2 : quake1Contents(bitsOf(found)),
        found: (point) => world.contents(point),
      },
      around(brushes, 48),
    );
    expect(compared).toBeGreaterThan(0.8 * COUNT);
  });

  it.each([...movers.keys()].slice(1))('are solid in hull %i where its box touches a brush', (hull) => {
    const stopping = brushes.filter(({ bits }) => bits & STOPPING);
    const compared = comparePoints(
      stopping,
      movers[hull]!,
      {
        seed: 3 + hull,
        expected: (found, point) => (found.length > 0 || !isInside(name, point) ? -2 : -1),
        found: (point) => world.hullContents(hull, point),
      },
      around(stopping, 80),
    );
    expect(compared).toBeGreaterThan(0.8 * COUNT);
  });
});

const QUAKE2_BITS: readonly (readonly [number, number])[] = [
  [CONTENTS.window, 2],
  [CONTENTS.lava, 8],
  [CONTENTS.slime, 0x10],
  [CONTENTS.water, 0x20],
];

/** Quake 2's contents for what a point is in, except for clips, whose bits extend over their whole leafs. */
function quake2Contents(bits: number): number {
  if (bits & (CONTENTS.solid | CONTENTS.sky | CONTENTS.terrain)) return 1;
  return QUAKE2_BITS.reduce((sum, [ours, theirs]) => (bits & ours ? sum | theirs : sum), 0);
}

describe.each(['arena', 'torture'] as const)('points of %s as a Quake 2 map', (name) => {
  const brushes = brutesOf(name);
  const world = createQuake2World(readQuake2(compileFixture(name, 'quake2').bytes));

  it('have the contents of the brushes that contain them, and are solid outside', () => {
    const mask = QUAKE2_BITS.reduce((sum, [, theirs]) => sum | theirs, 1);
    const compared = comparePoints(
      brushes,
      POINT,
      {
        seed: 6,
        expected: (found, point) =>
          found.length === 0 && !isInside(name, point) ? 1 : quake2Contents(bitsOf(found)),
        found: (point) => world.contents(point) & mask,
      },
      around(brushes, 48),
    );
    expect(compared).toBeGreaterThan(0.8 * COUNT);
  });
});

const UFOAI_BITS: readonly (readonly [number, number])[] = [
  [CONTENTS.solid | CONTENTS.sky, 0x1],
  [CONTENTS.window, 0x2],
  // The game's own compiler makes water passable too, whatever it is called.
  [CONTENTS.water | CONTENTS.slime | CONTENTS.lava, 0x20020],
  [CONTENTS.playerclip, 0x10000],
  [CONTENTS.passable, 0x20000],
  [CONTENTS.lightclip, 0x80000],
  [CONTENTS.weaponclip, 0x2000000],
];

const HIDES = CONTENTS.solid | CONTENTS.sky | CONTENTS.window;
const OPENS = CONTENTS.passable | CONTENTS.water | CONTENTS.slime | CONTENTS.lava;

describe.each(['arena', 'torture', 'house'] as const)('points of %s as a UFO:AI map', (name) => {
  const brushes = brutesOf(name);
  const world = createUfoaiWorld([{ file: readUfoai(compileFixture(name, 'ufoai').bytes) }]);

  it.each([0xff, 0x01, 0x02, 0x08])('have the contents of the brushes of levels %i', (levels) => {
    const mask = UFOAI_BITS.reduce((sum, [, theirs]) => sum | theirs, 0);
    // Inside solid, windows may end anywhere.
    const told = (contents: number): number => contents & mask & (contents & 1 ? ~2 : -1);
    const seen = brushes.filter(
      (brush) =>
        brush.bits & (CONTENTS.playerclip | CONTENTS.weaponclip | CONTENTS.lightclip) ||
        brush.levels === 0 ||
        brush.levels & levels,
    );
    const compared = comparePoints(
      seen,
      POINT,
      {
        seed: 6,
        expected: (found) => {
          // A model contains all brushes of the same levels; in it, solid and windows hide what is passable.
          const models = new Set(found.map((brush) => brush.levels));
          const bits = [...models].reduce((sum, own) => {
            const here = found.filter((brush) => brush.levels === own);
            const hides = here.some((brush) => brush.bits & HIDES && !(brush.bits & OPENS));
            return sum | bitsOf(hides ? here.filter((brush) => !(brush.bits & OPENS)) : here);
          }, 0);
          return told(UFOAI_BITS.reduce((sum, [ours, theirs]) => (bits & ours ? sum | theirs : sum), 0));
        },
        found: (point) => told(world.contents(point, levels)),
      },
      around(brushes, 48),
    );
    expect(compared).toBeGreaterThan(0.8 * COUNT);
  });
});
