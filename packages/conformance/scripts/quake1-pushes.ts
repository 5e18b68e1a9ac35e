// Draws scenes of doors, lifts and trains with what rides on them and is in their way, for Quake's server to move.

import type { Bounds } from '@bspkit/core';
import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import { createQuake1World, type Quake1World, readQuake1 } from '@bspkit/quake1';
import type { ServerScene, ServerThing } from './quake1-server.ts';
import { BOXES, drawMonster, drawThing, STILL } from './quake1-things.ts';
import { drawPlaces, NOWHERE, type Point, speedOf } from './random-things.ts';

const f = Math.fround;

// The engine's numbers.
const [STEP, TOSS, PUSH, NOCLIP, MISSILE, BOUNCE] = [4, 6, 7, 8, 9, 10] as const;
const [NOT, TRIGGER, BOX, SLIDE_BOX, MODEL] = [0, 1, 2, 3, 4] as const;
const [MONSTER, ITEM, ON_GROUND] = [32, 256, 512] as const;

const COUNT = 14;
/** Which of them push. */
const PUSHERS: readonly number[] = [2, 7, 11];
/** From a player's origin down to its feet. */
const FEET = 24;

const PLAYER: readonly [Point, Point] = [
  [-16, -16, -24],
  [16, 16, 32],
];

const around = (random: Random, way: number): number => between(random, -way, way);

/** A pusher whose middle is at a place. */
function drawPusher(random: Random, world: Quake1World, middle: Point): ServerThing {
  const model = 1 + Math.floor(between(random, 0, world.numModels - 1));
  const { mins, maxs } = world.model(model).bounds;
  const origin = [0, 1, 2].map((k) => f(middle[k]! - (mins[k]! + maxs[k]!) / 2)) as unknown as Point;
  const speed = f(pick(random, [20, 50, 100, 200, between(random, 10, 400)]) * pick(random, [-1, 1]));
  const velocity = pick<Point>(random, [
    [0, 0, speed],
    [0, 0, speed],
    [0, 0, speed],
    [speed, 0, 0],
    [0, speed, 0],
    speedOf(random, 200),
  ]);
  const back = velocity.map((x) => 0 - x) as unknown as Point;
  return {
    ...STILL,
    movetype: PUSH,
    solid: MODEL,
    model,
    origin,
    velocity,
    lasting: f(pick(random, [0.3, 0.5, 1, between(random, 0.1, 1.5)])),
    other: pick<Point>(random, [back, back, back, NOWHERE, speedOf(random, 150)]),
    yields: pick(random, [0, 1, 1]),
  };
}

/** Something that can be pushed, at rest as yet. */
function drawPushed(random: Random, origin: Point): ServerThing {
  const [mins, maxs] = pick(random, BOXES.slice(1));
  const at = { ...STILL, origin, mins, maxs };
  return pick<() => ServerThing>(random, [
    () => ({ ...drawMonster(random, origin, COUNT), velocity: NOWHERE }),
    () => ({ ...at, movetype: STEP, solid: SLIDE_BOX, flags: MONSTER }),
    () => ({ ...at, movetype: STEP, solid: SLIDE_BOX, walks: 1, mins: PLAYER[0], maxs: PLAYER[1] }),
    () => ({ ...at, movetype: STEP, solid: SLIDE_BOX, walks: 1, mins: PLAYER[0], maxs: PLAYER[1] }),
    () => ({ ...at, movetype: TOSS, solid: pick(random, [BOX, SLIDE_BOX]) }),
    () => ({ ...at, movetype: pick(random, [TOSS, BOUNCE]), mins: NOWHERE, maxs: NOWHERE }),
    // Corpses, and what can be picked up.
    () => ({ ...at, movetype: pick(random, [TOSS, STEP]), solid: NOT }),
    () => ({ ...at, movetype: TOSS, solid: TRIGGER, flags: pick(random, [0, ITEM]) }),
    () => ({ ...at, movetype: MISSILE, velocity: [0, 0, f(-between(random, 1, 50))] }),
    () => ({ ...at, movetype: NOCLIP }),
    () => at,
    () => drawThing(random, origin, origin, COUNT),
  ])();
}

/** Where the model of a pusher is. */
function boxOf(world: Quake1World, { model, origin }: ServerThing): Bounds {
  const { mins, maxs } = world.model(model).bounds;
  return { mins: origin.map((x, k) => x + mins[k]!), maxs: origin.map((x, k) => x + maxs[k]!) };
}

/** Puts something onto a pusher, onto what was put there before, under it, or beside it. */
function putNear(random: Random, { mins, maxs }: Bounds, thing: ServerThing, last: ServerThing): ServerThing {
  const inside = [0, 1].map((k) => between(random, mins[k]! - 8, maxs[k]! + 8)) as [number, number];
  const gap = pick(random, [0, 0.03125, 1, between(random, 0, 16)]);
  const top = maxs[2]! - thing.mins[2]! + gap;
  const place = pick<() => readonly number[]>(random, [
    () => [...inside, top],
    () => [...inside, top],
    () => [...inside, top],
    () => [
      last.origin[0]! + around(random, 20),
      last.origin[1]! + around(random, 20),
      last.origin[2]! + last.maxs[2]! - thing.mins[2]! + gap,
    ],
    () => [...inside, mins[2]! - thing.maxs[2]! - between(random, 0, 40)],
    () => {
      const axis = pick(random, [0, 1] as const);
      const beside: [number, number, number] = [...inside, between(random, mins[2]!, maxs[2]! + 30)];
      beside[axis] = pick(random, [
        mins[axis]! - thing.maxs[axis]! - between(random, 0, 20),
        maxs[axis]! - thing.mins[axis]! + between(random, 0, 20),
      ]);
      return beside;
    },
  ])();
  return { ...thing, origin: place.map(f) };
}

/** Whether something begins in a wall, or in another. */
function isStuck(world: Quake1World, thing: ServerThing, others: readonly Bounds[]): boolean {
  const { origin, mins, maxs } = thing;
  if (world.box(mins, maxs).trace(origin as Point, origin as Point).startSolid) return true;
  return others.some((other) =>
    origin.every((x, k) => x + mins[k]! < other.maxs[k]! && x + maxs[k]! > other.mins[k]!),
  );
}

/** Two boxes of the same height beside each other on a pusher, and a wider one that falls onto both. */
function drawTwins(random: Random, { mins, maxs }: Bounds): ServerThing[] {
  const [x, y] = [0, 1].map((k) => (mins[k]! + maxs[k]!) / 2 + around(random, 30)) as [number, number];
  const flags = pick(random, [0, MONSTER]);
  const at = (way: number, box: readonly [Point, Point], height: number): ServerThing => ({
    ...STILL,
    movetype: pick(random, [STEP, TOSS]),
    solid: SLIDE_BOX,
    flags,
    origin: [f(x + way), f(y), f(maxs[2]! - box[0][2]! + height)],
    mins: box[0],
    maxs: box[1],
  });
  const small = BOXES[3]!;
  return [at(-10, small, 0.03125), at(10, small, 0.03125), at(0, BOXES[2]!, 16.5 + between(random, 0, 60))];
}

/** Scenes of a map, without end. What begins in solid does so by chance. */
export function* drawPushes(map: Uint8Array, seed: number, frames = 60): Generator<ServerScene> {
  const world = createQuake1World(readQuake1(map));
  const random = createRandom(seed);
  const player = world.hull(1);
  const places = drawPlaces(world, player, seed);
  for (;;) {
    const place = places.next().value as Point;
    const floor = player.trace(place, [place[0], place[1], place[2] - 500]).endPos[2]! - FEET;
    const things: ServerThing[] = [];
    const low: Point = [place[0], place[1], floor + pick(random, [-8, 0, 8, between(random, -30, 60)])];
    const pushers = PUSHERS.map((_, k) => {
      const way = k === 0 ? 0 : pick(random, [24, 24, 150]);
      const height = k === 0 ? 0 : between(random, 0, pick(random, [120, 240]));
      const middle: Point = [low[0] + around(random, way), low[1] + around(random, way), low[2] + height];
      return drawPusher(random, world, middle);
    });
    const boxes = pushers.map((pusher) => boxOf(world, pusher));
    let last: ServerThing | undefined;
    for (let k = 0; k < COUNT; k++) {
      if (PUSHERS.includes(k)) {
        things.push(pushers[PUSHERS.indexOf(k)]!);
        continue;
      }
      const drawn = drawPushed(random, place);
      let thing = drawn;
      for (let tries = 0; tries < 8; tries++) {
        thing = putNear(random, pick(random, boxes.slice(0, 3)), drawn, last ?? drawn);
        if (!isStuck(world, thing, boxes)) break;
      }
      last = thing;
      const { origin, mins, maxs } = thing;
      boxes.push({
        mins: origin.map((x, axis) => x + mins[axis]!),
        maxs: origin.map((x, axis) => x + maxs[axis]!),
      });
      things.push(random() < 0.05 ? { ...thing, flags: thing.flags | ON_GROUND } : thing);
    }
    if (random() < 0.4) {
      const twins = drawTwins(random, boxOf(world, pushers[0]!));
      for (const [k, twin] of twins.entries()) things[[0, 5, 3][k]!] = twin;
    }
    yield {
      frametime: f(pick(random, [0.1, 0.05, 0.05, 1 / 72, 0.02, 0.033])),
      gravity: f(pick(random, [800, 800, 800, 100])),
      maxvelocity: 2000,
      frames,
      seed: Math.floor(between(random, 0, 1 << 30)),
      things,
    };
  }
}

/**
 * Scenes of a corpse in the arena that is stuck, and of a pusher that comes from each side: so near, or nearly, that it pushes it.
 */
export function nearCorpse(): ServerScene[] {
  const middle: Point = [0, -300, 160];
  const [plate, door] = [
    { model: 1, half: [64, 64, 8], middle: [-64, 320, 8] },
    { model: 2, half: [4, 64, 60], middle: [0, 64, 0] },
  ] as const;
  const way = 10;
  const at = ({ model, middle: own }: typeof plate | typeof door, place: readonly number[]): ServerThing => ({
    ...STILL,
    movetype: PUSH,
    solid: MODEL,
    model,
    origin: place.map((x, k) => x - own[k]!),
  });
  const corpse: ServerThing = {
    ...STILL,
    movetype: TOSS,
    solid: NOT,
    flags: ON_GROUND,
    origin: middle,
    mins: [-8, -8, -8],
    maxs: [8, 8, 8],
  };
  return [0, 1, 2].flatMap((axis) =>
    [-1, 1].flatMap((sign) =>
      [0, 0.25].map((nearer): ServerScene => {
        const far = plate.half[axis]! + 8 + 2 + way - nearer;
        const place = middle.map((x, k) => (k === axis ? x - sign * far : x));
        const velocity = place.map((_, k) => (k === axis ? sign * way * 10 : 0));
        const pusher = { ...at(plate, place), velocity, lasting: 100, other: NOWHERE };
        return {
          ...{ frametime: f(0.1), gravity: 800, maxvelocity: 2000, frames: 2, seed: 1 },
          things: [at(door, middle), corpse, pusher],
        };
      }),
    ),
  );
}

/** The scenes that are recorded. */
export function* recordedPushes(map: Uint8Array, seed: number): Generator<ServerScene> {
  yield* nearCorpse();
  yield* drawPushes(map, seed, 40);
}
