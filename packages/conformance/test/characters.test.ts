import { bodyTracer, createTracer } from '@bspkit/bake';
import { boxBrush, COMPILE_TARGETS, compileMap, hullBrush, stairBrushes } from '@bspkit/compile';
import { createController, createMoveState, step } from '@bspkit/movement';
import { formatOf, openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';

// Characters in maps of every game: how far traces keep from a floor, and what they then meet below, is different in each.

const STEPS = 3;
const TREAD = 48;
const FLOOR = 64;

describe.each(COMPILE_TARGETS.map(({ id }) => id))('a character in a map for %s', (format) => {
  it.each([18, 12])(
    'walks up and down stairs without leaving the ground, with steps of %i units',
    async (height) => {
      const top = FLOOR + STEPS * height;
      const { bytes } = compileMap(
        [
          boxBrush([-400, -100, 0], [0, 100, FLOOR]),
          ...stairBrushes([0, -100, FLOOR], [STEPS * TREAD, 100, top], STEPS, '+x'),
          boxBrush([STEPS * TREAD, -100, 0], [600, 100, top]),
        ],
        { format },
      );
      const world = await openBsp(bytes);
      const shape = createTracer(await formatOf(world), world, bodyTracer(await formatOf(world), world));
      const character = createController(shape, {
        position: [-100, 0, FLOOR + 40],
        stepHeight: height,
        snapToGround: height,
      });
      while (!character.grounded) character.walk([0, 0, 0], 1 / 60);
      const { position } = character;
      const low = position[2]!;
      for (const [ahead, end] of [
        [1, low + top - FLOOR],
        [-1, low],
      ] as const) {
        for (let frame = 0; frame < 100; frame++) {
          character.walk([200 * ahead, 0, 0], 1 / 60);
          expect(character.grounded, `at ${position}`).toBe(true);
        }
        expect(position[2]).toBeCloseTo(end, 1);
      }
    },
  );
});

describe.each([
  [
    'goes down a step that it still touches exactly',
    'quake2',
    [0, 24, 72, 120, 152],
    [0, 0, 18, 0, 12],
    8,
    1,
  ],
  ['goes down a step that it still touches exactly', 'ufoai', [0, 64, 88, 120], [0, 18, 12, 18], 8, 1],
  ['stands where it exactly touches the next step', 'ufoai', [0, 112, 160, 184], [18, 12, 0, 12], 8, -1],
  ['goes down where it exactly touches the next step', 'quake2', [0, 32, 64, 88], [0, 18, 0, 12], 11.75, -1],
  ['goes down where it exactly touches the next step', 'ufoai', [0, 32, 64, 88], [0, 18, 0, 12], 11.75, -1],
] as const)('a character %s', (_, format, edges, heights, half, way) => {
  it(`in a map for ${format}`, async () => {
    const end = edges.at(-1)!;
    const walls = [100, -116].map((y) => boxBrush([-300, y, 0], [4000, y + 16, 300]));
    const stairs = edges.map((x, k) =>
      boxBrush([k === 0 ? -300 : x, -100, 0], [edges[k + 1] ?? x + 300, 100, FLOOR + heights[k]!]),
    );
    const world = await openBsp(compileMap([...walls, ...stairs], { format }).bytes);
    if (!('box' in world)) expect.fail('this game has hulls');
    const shape = world.box([-half, -half, -24], [half, half, 32]);
    const begin = way > 0 ? -22 - half : end + 11 + half;
    const low = FLOOR + heights.at(way > 0 ? 0 : -1)!;
    const character = createController(shape, { position: [begin, 0, low + 24 + 1 / 32] });
    for (let frame = 0; frame < 500; frame++) {
      character.walk([60 * way, 0, 0], 1 / 120); // half a unit
      expect(character.grounded, `at ${character.position}`).toBe(true);
    }
  });
});

describe.each(['quake2', 'ufoai'] as const)('a character in a map for %s', (format) => {
  it.each([
    ['+x', [1, 0]],
    ['-x', [-1, 0]],
    ['+y', [0, 1]],
    ['-y', [0, -1]],
  ] as const)(
    'climbs a step towards %s, however slowly it comes to touch that exactly',
    async (_, [x, y]) => {
      const floor = boxBrush([-256, -256, 0], [256, 256, FLOOR]);
      const step = boxBrush(
        [x > 0 ? 64 : -256, y > 0 ? 64 : -256, FLOOR],
        [x < 0 ? -64 : 256, y < 0 ? -64 : 256, FLOOR + 12],
      );
      const world = await openBsp(compileMap([floor, step], { format }).bytes);
      if (!('box' in world)) expect.fail('this game has hulls');
      for (const speed of [1 / 256, 1 / 64, 1 / 32]) {
        const shape = world.box([-8, -8, -24], [8, 8, 32]);
        const character = createController(shape, { position: [55.5 * x, 55.5 * y, FLOOR + 24 + 1 / 32] });
        for (let way = 0; way < 1; way += speed) {
          character.move([speed * x, speed * y, 0]);
          expect(character.grounded, `at ${character.position}`).toBe(true);
        }
        expect(character.position[2], `${speed} a frame`).toBe(FLOOR + 36 + 1 / 32);
      }
    },
  );
});

it('backwards, steps lead where the opposite velocity leads, where they exactly touch others, too', async () => {
  const bricks = [
    boxBrush([-256, -256, 0], [64, 256, FLOOR]),
    boxBrush([64, -256, 0], [256, 256, FLOOR + 12]),
  ];
  const world = await openBsp(compileMap(bricks, { format: 'ufoai' }).bytes);
  if (!('box' in world)) expect.fail('this game has hulls');
  const shape = world.box([-8, -8, -24], [8, 8, 32]);
  for (const way of [1 / 64, 1 / 32, 1 / 16, 4]) {
    for (const begin of [56, 56 - way]) {
      const [there, back] = [1, -1].map((sign) => {
        const state = createMoveState();
        state.position.set([begin, 0, FLOOR + 24 + 1 / 32]);
        state.velocity.set([sign * way, 0, 0]);
        return { hit: step(shape, state, sign), ...state };
      });
      expect(back!.velocity.map((x) => 0 - x)).toEqual(there!.velocity);
      expect({ ...back, velocity: 0 }).toEqual({ ...there, velocity: 0 });
    }
  }
});

// In Quake 2, what touches a step exactly is in solid.
it('a character in a map for ufoai that exactly touches stairs goes up them exactly as far as it is moved', async () => {
  const stairs = [0, 64, 70].map((x, k) =>
    boxBrush([k === 0 ? -256 : x, -256, 0], [x === 70 ? 256 : 70, 256, FLOOR + 12 * k]),
  );
  const world = await openBsp(compileMap(stairs, { format: 'ufoai' }).bytes);
  if (!('box' in world)) expect.fail('this game has hulls');
  const shape = world.box([-8, -8, -24], [8, 8, 32]);
  const character = createController(shape, { position: [56, 0, FLOOR + 24 + 1 / 32], stepHeight: 12 });
  // In four parts, so that it climbs both steps.
  character.move([20, 0, 0]);
  expect(Array.from(character.position)).toEqual([76, 0, FLOOR + 48 + 1 / 32]);
});

it.each(['quake2', 'quake3', 'ufoai'] as const)(
  'a character in a map for %s goes on along where a ceiling leans down to the floor, however slowly',
  async (format) => {
    // By how much it falls for each unit, and where to.
    for (const [fall, x, y] of [
      [0.68, -0.95, -0.31],
      [0.93, 0.66, -0.75],
      [1.42, -0.77, 0.64],
    ] as const) {
      const corners = [-300, 100 / fall].flatMap((ahead) =>
        [-600, 600].flatMap((aside) => {
          const place = [ahead * x - aside * y, ahead * y + aside * x] as const;
          return [FLOOR + 100 - fall * ahead, FLOOR + 600].map((z) => [...place, z]);
        }),
      );
      const floor = boxBrush([-900, -900, 0], [900, 900, FLOOR]);
      const world = await openBsp(compileMap([floor, hullBrush(corners)], { format }).bytes);
      if (!('box' in world)) expect.fail('this game has hulls');
      const shape = world.box([-16, -16, -28], [16, 16, 28]);
      const aside = ({ position }: { readonly position: ArrayLike<number> }): number =>
        position[1]! * x - position[0]! * y;
      for (const speed of [0.05, 0.1]) {
        const character = createController(shape, { position: [0, 0, FLOOR + 28.125] });
        for (let frame = 0; frame < 3000; frame++) {
          const before = aside(character);
          for (let k = 0; k < 10; k++) character.move([speed * (x - y), speed * (y + x), 0]);
          // It comes to the wedge, and then goes along it.
          const way = aside(character) - before;
          expect(way, `at ${character.position}`).toBeGreaterThan(0.2 * speed);
          expect(way, `at ${character.position}`).toBeLessThan(15 * speed);
          if (aside(character) > 150) break;
        }
      }
    }
  },
);

it.each(COMPILE_TARGETS.map(({ id }) => id))(
  'a character in a map for %s goes on along a valley, and along a wall that leans over its floor',
  async (id) => {
    // How steeply the floor and what it leads to rise across, and the way along; all of it is turned.
    for (const [floor, slope, along] of [
      [0.58, 1.05, 0],
      [0.36, 1.2, 0.1],
      [0.18, 1.73, -0.3],
      [0.84, 1.43, 0.1],
      [-0.18, -1.73, 0.5],
      [0.58, -3.73, -0.3],
    ] as const) {
      const turned = (x: number, y: number, z: number) => [0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y, z] as const;
      const ends = [-400, 400].map((x) => [x, along * x] as const);
      const low = ends.flatMap(([x, z]) =>
        [-200, 300].flatMap((y) => [turned(x, y, z + floor * y), turned(x, y, -700)]),
      );
      const side = ends.flatMap(([x, z]) =>
        [-200, 200].flatMap((up) => [turned(x, -up / slope, z + up), turned(x, -up / slope - 400, z + up)]),
      );
      const world = await openBsp(compileMap([hullBrush(low), hullBrush(side)], { format: id }).bytes);
      const format = await formatOf(world);
      const shape = createTracer(format, world, bodyTracer(format, world));
      for (const sign of [-1, 1]) {
        const character = createController(shape, { position: turned(0, 80, 80 * floor + 60) });
        for (let frame = 0; frame < 60; frame++) {
          const [x, y] = character.position;
          if (frame > 30) character.move(turned(2 * sign, -5, 0));
          else character.walk(turned(0, -60, 0), 1 / 30);
          const way = 0.8 * (character.position[0]! - x!) + 0.6 * (character.position[1]! - y!);
          if (frame > 32) expect(sign * way, `at ${character.position}`).toBeGreaterThan(0.8);
        }
      }
    }
  },
);

it.each(COMPILE_TARGETS.map(({ id }) => id))(
  'a character in a map for %s goes up and down stairs beside a slope that is too steep, without leaving the ground',
  async (id) => {
    const [x, y] = [0.8, -0.6];
    // Along x and y, and leaning away by 20 degrees.
    const slope = [-900, 900].flatMap((along) =>
      [-30, 300].flatMap((up) =>
        [0.36 * up, 0.36 * up + 300].map((by) => [120 + along * x - by * y, along * y + by * x, FLOOR + up]),
      ),
    );
    const floor = boxBrush([-600, -600, 0], [600, 600, FLOOR]);
    const stairs = stairBrushes([0, -600, FLOOR], [240, 600, FLOOR + 180], 10, '+x');
    const landing = boxBrush([240, -600, FLOOR], [600, 600, FLOOR + 180]);
    const world = await openBsp(
      compileMap([floor, ...stairs, landing, hullBrush(slope)], { format: id }).bytes,
    );
    const format = await formatOf(world);
    const shape = createTracer(format, world, bodyTracer(format, world));
    for (const way of [1, -1]) {
      const begin = 120 - 140 * way * x + 60 * y;
      const character = createController(shape, {
        position: [begin, -140 * way * y - 60 * x, FLOOR + 220],
      });
      while (!character.grounded) character.walk([0, 0, 0], 1 / 30);
      const [from, aside] = Array.from(character.position);
      for (let frame = 0; frame < 60; frame++) {
        // At an angle of 70 degrees into the slope.
        character.move([3 * way * x - 8 * y, 3 * way * y + 8 * x, 0]);
        expect(character.grounded, `at ${character.position}`).toBe(true);
      }
      const along = (character.position[0]! - from!) * x + (character.position[1]! - aside!) * y;
      expect(way * along, `at ${character.position}`).toBeGreaterThan(160);
    }
  },
);

it.each(COMPILE_TARGETS.map(({ id }) => id))(
  'a character in a map for %s is moved no farther than it was, off the top of a slope that is too steep',
  async (id) => {
    const floor = boxBrush([-400, -200, 0], [400, 200, FLOOR]);
    const top = [-300, 12].map((z) => [z === 12 ? 0 : 7, FLOOR + Math.max(z, 0)] as const);
    const slope = top.flatMap(([x, z]) =>
      [-200, 200].flatMap((y) => [
        [x, y, z],
        [-300, y, z],
      ]),
    );
    const world = await openBsp(compileMap([floor, hullBrush(slope)], { format: id }).bytes);
    const format = await formatOf(world);
    const shape = createTracer(format, world, bodyTracer(format, world));
    const character = createController(shape, { position: [-60, 0, FLOOR + 60] });
    while (!character.grounded) character.walk([0, 0, 0], 1 / 30);
    for (let frame = 0; frame < 30; frame++) {
      const from = character.position[0]!;
      character.move([4, 0, 0]);
      expect(character.position[0]! - from, `at ${character.position}`).toBeLessThan(4.01);
    }
  },
);
