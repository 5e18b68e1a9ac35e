// Draws scenes of pushers, with players, things and monsters on them and in their way, which Yamagi Quake II's own game moves.

import type { Vec3 } from '@bspkit/core';
import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import {
  createQuake2World,
  MASK_MONSTERSOLID,
  MASK_SHOT,
  type Quake2World,
  readQuake2,
} from '@bspkit/quake2';
import { BOXES, drawMonster, drawThing, type GameScene, type GameThing, STILL } from './quake2-things.ts';
import { drawPlaces, NOWHERE, type Point, speedOf } from './random-things.ts';

const f = Math.fround;

// The engine's numbers.
const [PUSH, STOP, WALK] = [2, 3, 4] as const;
const [TRIGGER, BOX, MODEL] = [1, 2, 3] as const;
const [DEAD_MONSTER, MONSTER] = [2, 4] as const;
/** The call of pushers, as in rows. */
const PUSH_CALL = 5;

const PLATFORMS: readonly (readonly [Point, Point])[] = [
  [
    [-64, -64, -8],
    [64, 64, 8],
  ],
  [
    [-8, -48, -48],
    [8, 48, 48],
  ],
  [
    [-96, -24, -16],
    [96, 24, 4],
  ],
];

const plus = (a: Point, b: Point): Point => a.map((x, k) => f(x + b[k]!)) as unknown as Point;

/** A pusher whose middle is somewhere. */
function drawPusher(random: Random, middle: Point, world: Quake2World, first: number): GameThing {
  const models = world.numModels - 1;
  const isModel = models > 0 && random() < 0.75;
  const model = isModel ? pick(random, [1, 1 + Math.floor(between(random, 0, models))]) : 0;
  const { mins, maxs } = isModel ? world.model(model).bounds : STILL;
  const box = isModel ? ([NOWHERE, NOWHERE] as const) : pick(random, PLATFORMS);
  const origin = plus(middle, [0, 1, 2].map((k) => -(mins[k]! + maxs[k]!) / 2) as unknown as Point);
  const speed = pick(random, [20, 60, 100, 200, between(random, 1, 300)]) * pick(random, [-1, 1]);
  const along = pick(random, [0, 1, 2, 2] as const);
  const straight = [0, 0, 0].map((_, k) => (k === along ? f(speed) : 0)) as unknown as Point;
  const turns = random() < 0.45;
  const turn = pick(random, [
    [0, f(between(random, -200, 200)), 0] as const,
    [0, pick(random, [90, -45, 20]), 0] as const,
    speedOf(random, 100),
  ]);
  return {
    ...STILL,
    movetype: random() < 0.85 ? PUSH : STOP,
    solid: isModel ? MODEL : BOX,
    model,
    call: PUSH_CALL,
    goal: first,
    origin: random() < 0.7 ? (origin.map(Math.round) as unknown as Point) : origin,
    angles: random() < 0.8 ? NOWHERE : [0, f(between(random, -180, 180)), 0],
    velocity: turns && random() < 0.5 ? NOWHERE : random() < 0.7 ? straight : speedOf(random, 200),
    avelocity: turns ? turn : NOWHERE,
    mins: box[0],
    maxs: box[1],
    period: 2 + Math.floor(between(random, 1, 18)),
    drops: random() < 0.6 ? 1 : 0,
  };
}

/** Where something with a box may ride, be pushed, or get caught between pushers and walls. */
function drawNear(random: Random, middle: Point, half: Point, { mins, maxs }: GameThing): Point {
  const side = (k: number): number => between(random, -half[k]! - 20, half[k]! + 20);
  const gap = pick(random, [0.125, 0.25, 1, 4]);
  if (random() < 0.7) return plus(middle, [side(0) * 0.9, side(1) * 0.9, half[2]! - mins[2]! + gap]);
  const axis = pick(random, [0, 1, 2] as const);
  const below = random() < 0.5;
  const near = below ? -half[axis]! - maxs[axis]! - gap : half[axis]! - mins[axis]! + gap;
  return plus(middle, [0, 1, 2].map((k) => (k === axis ? near : side(k))) as unknown as Point);
}

function drawRider(random: Random, count: number): GameThing {
  const still = random() < 0.75;
  // A plane of a turned model is of the type that it would be of otherwise, which only matters to gibs.
  const quiet = { goal: 0, enemy: 0, call: 1, owner: 0, gib: 0, period: random() < 0.85 ? 0 : 7 };
  if (random() < 0.5) {
    const thing = drawThing(random, NOWHERE, NOWHERE, count);
    const [mins, maxs] = pick(random, BOXES.slice(1));
    return { ...thing, ...quiet, mins, maxs, velocity: still ? NOWHERE : thing.velocity };
  }
  const monster = drawMonster(random, NOWHERE, count);
  const isDead = random() < 0.25;
  return {
    ...monster,
    ...quiet,
    solid: random() < 0.9 ? BOX : TRIGGER,
    svflags: isDead ? MONSTER | DEAD_MONSTER : monster.svflags,
    mask: pick(random, [MASK_MONSTERSOLID, MASK_MONSTERSOLID, MASK_SHOT, 0]),
    velocity: still ? NOWHERE : monster.velocity,
    distance: still ? 0 : monster.distance,
  };
}

function drawPlayer(random: Random): GameThing {
  const [mins, maxs] = BOXES[1]!;
  return {
    ...STILL,
    movetype: WALK,
    player: 1,
    mins,
    maxs,
    velocity: random() < 0.8 ? NOWHERE : [80, 40, 0],
  };
}

const boxOf = (world: Quake2World, { model, mins, maxs }: GameThing): { mins: Vec3; maxs: Vec3 } =>
  model > 0 ? world.model(model).bounds : { mins, maxs };

/** Half of what a pusher measures. */
function halfOf(world: Quake2World, pusher: GameThing): Point {
  const { mins, maxs } = boxOf(world, pusher);
  return [0, 1, 2].map((k) => (maxs[k]! - mins[k]!) / 2) as unknown as Point;
}

const onEighths = (point: Point): Point => point.map((x) => Math.round(8 * x) / 8) as unknown as Point;

/** Whether a thing overlaps neither the map nor one of some things. */
function isFree(world: Quake2World, thing: GameThing, others: Iterable<GameThing>): boolean {
  const { origin, mins, maxs } = thing;
  if (world.box(mins, maxs).trace(origin, origin).startSolid) return false;
  for (const other of others) {
    const box = boxOf(world, other);
    const meets = [0, 1, 2].every(
      (k) =>
        origin[k]! + mins[k]! < other.origin[k]! + box.maxs[k]! &&
        origin[k]! + maxs[k]! > other.origin[k]! + box.mins[k]!,
    );
    if (meets) return false;
  }
  return true;
}

/** Scenes of a map, without end. */
export function* drawQuake2Pushes(map: Uint8Array, seed: number, frames = 24): Generator<GameScene> {
  const world = createQuake2World(readQuake2(map));
  const random = createRandom(seed);
  const places = drawPlaces(world, world.box([-48, -48, -30], [48, 48, 60]), seed);
  for (;;) {
    const middle = places.next().value!;
    const count = Math.floor(between(random, 6, 15));
    const players = Math.floor(between(random, 0, 4));
    const pushers = [players + Math.floor(between(random, 0, 2)), players + 2, 7, 10].slice(
      0,
      pick(random, [1, 2, 2, 3, 4]),
    );
    const isTeam = random() < 0.7;
    const around = (reach: number): Point =>
      plus(middle, [0, 1, 2].map(() => between(random, -reach, reach)) as unknown as Point);
    const middles = pushers.map((_, k) => plus(around(k === 0 ? 10 : 110), [0, 0, -20]));
    const drawn = new Map(
      pushers.map((number, k) => [
        number,
        drawPusher(random, middles[k]!, world, k > 0 && isTeam && random() < 0.8 ? pushers[0]! + 1 : 0),
      ]),
    );
    const things = new Map(drawn);
    let last: GameThing | undefined;
    for (let k = 0; k < count; k++) {
      if (things.has(k)) continue;
      const thing = k < players ? drawPlayer(random) : drawRider(random, count);
      let placed = thing;
      const isTidy = random() < 0.9;
      for (let tries = 0; tries < 12; tries++) {
        const at = Math.floor(between(random, 0, pushers.length));
        const origin =
          last && random() < 0.2
            ? plus(last.origin, [0, 0, last.maxs[2]! - thing.mins[2]! + 0.25])
            : drawNear(random, middles[at]!, halfOf(world, drawn.get(pushers[at]!)!), thing);
        placed = { ...thing, origin: k < players ? onEighths(origin) : origin };
        if (!isTidy || isFree(world, placed, things.values())) break;
      }
      last = placed;
      things.set(k, placed);
    }
    yield {
      gravity: f(pick(random, [800, 800, 100])),
      maxvelocity: 2000,
      frames,
      seed: Math.floor(between(random, 0, 1 << 30)),
      things: [...things].sort(([a], [b]) => a - b).map(([, thing]) => thing),
    };
  }
}
