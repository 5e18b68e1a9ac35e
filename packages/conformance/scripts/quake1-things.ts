// Draws scenes of things, monsters and what is in their way, for Quake's server to move.

import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import { createQuake1World, type Quake1World, readQuake1 } from '@bspkit/quake1';
import type { ServerScene, ServerThing } from './quake1-server.ts';
import {
  drawChase,
  drawMeeting,
  drawNumber,
  drawPlaces,
  drawTogether,
  NOWHERE,
  type Point,
  speedOf,
} from './random-things.ts';

const f = Math.fround;

// The engine's numbers.
const [NONE, STEP, FLY, TOSS, PUSH, NOCLIP, MISSILE, BOUNCE] = [0, 4, 5, 6, 7, 8, 9, 10] as const;
const [NOT, TRIGGER, BOX, SLIDE_BOX, MODEL] = [0, 1, 2, 3, 4] as const;
const [FLIES, SWIMS, MONSTER, ITEM, ON_GROUND, PARTIAL_GROUND] = [1, 2, 32, 256, 512, 1024] as const;

export const BOXES: readonly (readonly [Point, Point])[] = [
  [NOWHERE, NOWHERE],
  [
    [-16, -16, -24],
    [16, 16, 40],
  ],
  [
    [-32, -32, -24],
    [32, 32, 64],
  ],
  [
    [-8, -8, -8],
    [8, 8, 8],
  ],
  [
    [-16, -16, 0],
    [16, 16, 56],
  ],
];

export const STILL: ServerThing = {
  movetype: NONE,
  solid: BOX,
  flags: 0,
  origin: NOWHERE,
  velocity: NOWHERE,
  angles: NOWHERE,
  avelocity: NOWHERE,
  mins: NOWHERE,
  maxs: NOWHERE,
  model: 0,
  gravity: 0,
  owner: 0,
  enemy: 0,
  goal: 0,
  idealyaw: 0,
  yawspeed: 0,
  call: 1,
  yaw: 0,
  distance: 0,
  drift: 0,
  back: 0,
  drops: 0,
};

/** Something thrown, perhaps at a place. */
export function drawThing(random: Random, origin: Point, at: Point, count: number): ServerThing {
  const speed = between(random, 0.5, 5);
  const aimed = [0, 1, 2].map((k) => f((at[k]! - origin[k]!) * speed));
  const movetype = pick(random, [BOUNCE, BOUNCE, BOUNCE, TOSS, TOSS, FLY, MISSILE, NOCLIP]);
  const [mins, maxs] = random() < 0.6 ? BOXES[0]! : pick(random, BOXES);
  return {
    ...STILL,
    movetype,
    solid: pick(random, [BOX, BOX, SLIDE_BOX, TRIGGER, NOT]),
    flags: pick(random, [0, 0, 0, ITEM, MONSTER, ON_GROUND]),
    origin,
    velocity: random() < 0.4 ? aimed : speedOf(random, pick(random, [200, 600, 1500, 4000])),
    angles: random() < 0.3 ? NOWHERE : speedOf(random, 180),
    avelocity: random() < 0.3 ? NOWHERE : speedOf(random, 600),
    mins,
    maxs,
    gravity: pick(random, [0, 0, 0, 0.5, f(between(random, 0.1, 2))]),
    owner: random() < 0.3 ? drawNumber(random, count) : 0,
  };
}

function drawGoal(random: Random, floats: boolean, count: number) {
  const call = pick(random, [1, 1, 3, 3, 3, 4]);
  const goal = call === 3 ? drawNumber(random, count) : 0;
  return drawChase(random, call, goal, call === 3 ? 0.7 : floats ? 0.6 : 0, count);
}

/** A monster that walks, flies or swims. */
export function drawMonster(random: Random, origin: Point, count: number): ServerThing {
  const ways = pick(random, [0, 0, 0, FLIES, SWIMS]);
  const [mins, maxs] = pick(random, BOXES.slice(1));
  return {
    ...STILL,
    movetype: STEP,
    solid: SLIDE_BOX,
    flags: MONSTER | ways | (random() < 0.3 ? PARTIAL_GROUND : 0) | (random() < 0.2 ? ON_GROUND : 0),
    origin,
    velocity: random() < 0.5 ? NOWHERE : speedOf(random, 500),
    mins,
    maxs,
    gravity: pick(random, [0, 0, 0.5]),
    angles: [0, f(pick(random, [0, 0, -90, 360, between(random, -720, 720)])), 0],
    ...drawGoal(random, ways !== 0, count),
    yaw: f(pick(random, [0, 90, 270, between(random, -360, 360)])),
    distance: f(pick(random, [4, 8, 12, between(random, 1, 20)])),
    drift: f(pick(random, [0, 0, 1, between(random, -5, 5)])),
    back: f(pick(random, [90, 180, between(random, 30, 300)])),
    drops: random() < 0.2 ? 1 : 0,
  };
}

/** Something in the way that does not move: a box, a trigger or a model. */
function drawObstacle(random: Random, origin: Point, world: Quake1World): ServerThing {
  if (random() < 0.5 && world.numModels > 1) {
    const model = 1 + Math.floor(between(random, 0, world.numModels - 1));
    const { mins, maxs } = world.model(model).bounds;
    const middle = [0, 1, 2].map((k) => f(origin[k]! - (mins[k]! + maxs[k]!) / 2));
    return { ...STILL, movetype: PUSH, solid: MODEL, model, origin: random() < 0.3 ? NOWHERE : middle };
  }
  const [mins, maxs] = pick(random, BOXES.slice(1));
  const solid = pick(random, [BOX, SLIDE_BOX, SLIDE_BOX, TRIGGER]);
  return { ...STILL, solid, flags: pick(random, [0, MONSTER, ITEM]), origin, mins, maxs };
}

/** Scenes of a map, without end. What begins in solid does so by chance. */
export function* drawThings(map: Uint8Array, seed: number): Generator<ServerScene> {
  const world = createQuake1World(readQuake1(map));
  const random = createRandom(seed);
  const places = drawPlaces(world, world.hull(1), seed);
  const count = 14;
  for (;;) {
    const middle = places.next().value!;
    const things = drawTogether(random, places, middle, count, (k, place, target) => {
      if (k % 7 === 3) return drawObstacle(random, place, world);
      return k % 2 === 0 ? drawThing(random, place, target, count) : drawMonster(random, place, count);
    });
    drawMeeting(random, things, [3, 10], STILL, ITEM);
    yield {
      frametime: f(pick(random, [0.1, 0.05, 0.05, 1 / 72, 0.0137, 0.02, 0.033])),
      gravity: f(pick(random, [800, 800, 800, 100, between(random, 1, 1200)])),
      maxvelocity: f(pick(random, [2000, 2000, 300])),
      frames: 60,
      seed: Math.floor(between(random, 0, 1 << 30)),
      things,
    };
  }
}

/** Scenes of a monster in the arena whose goal is the world itself, which it is just near enough to, or not. */
export function nearNowhere(): ServerScene[] {
  return [0, 1].flatMap((axis) =>
    [0, 0.25, 1].map((off) => {
      const origin = [0, 0, f(24.03125)].map((x, k) => (k === axis ? 25 + off : x)) as unknown as Point;
      return chaseIn([{ ...STILL, origin: [300, 300, 60], mins: [-8, -8, -8], maxs: [8, 8, 8] }], {
        origin,
        enemy: 2,
        distance: 8,
      });
    }),
  );
}

/** Scenes of a monster in the arena whose goal is farther away than 32 bits of units, with pillars on the way there. */
export function farAway(): ServerScene[] {
  const pillar = (x: number, y: number): ServerThing => ({
    ...STILL,
    origin: [x, y - 200, 60],
    mins: [-4, -4, -100],
    maxs: [4, 4, 100],
  });
  const goals: readonly (readonly [number, number])[] = [
    [3e9, -300],
    [1e10, 300],
    [-3e9, 20],
    [300, 3e9],
    [-3e9, 1e9],
    [3e9, 3e9],
  ];
  return goals.map(([x, y]) => {
    const [east, north] = [Math.sign(x), Math.sign(y)];
    const goal: ServerThing = { ...STILL, solid: NOT, origin: [f(x), f(y), 60] };
    const back = east > 0 ? 180 : 0;
    return chaseIn([goal, pillar(24 * east, 48 * north), pillar(-30 * east, 0)], {
      origin: [0, -200, 60],
      angles: [0, back, 0],
      goal: 2,
      distance: 16,
      idealyaw: back,
    });
  });
}

/** A scene of a flying monster that chases, before other things. */
const chaseIn = (others: readonly ServerThing[], monster: Partial<ServerThing>): ServerScene => ({
  frametime: f(0.1),
  gravity: 800,
  maxvelocity: 2000,
  frames: 6,
  seed: 1,
  things: [
    {
      ...STILL,
      movetype: STEP,
      solid: SLIDE_BOX,
      flags: MONSTER | FLIES,
      mins: BOXES[1]![0],
      maxs: BOXES[1]![1],
      call: 3,
      yawspeed: 0.5,
      ...monster,
    },
    ...others,
  ],
});
