// Draws scenes of things, monsters and what is in their way, and has Yamagi Quake II's own game move them on its dedicated server.

import { join } from 'node:path';
import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import {
  CONTENTS_LAVA,
  CONTENTS_SLIME,
  CONTENTS_WATER,
  createQuake2World,
  MASK_MONSTERSOLID,
  MASK_PLAYERSOLID,
  MASK_SHOT,
  type Quake2World,
  readQuake2,
} from '@bspkit/quake2';
import { installed } from './dedicated.ts';
import { numberText } from './numbers.ts';
import { openServer, QUAKE2_GAME, type Server } from './quake2-server.ts';
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
import type { ThingKind, ThingRow } from './things.ts';

/** What a header says of a thing, a monster or an obstacle, in the recorder's order. Numbers and flags are the engine's. */
export interface GameThing {
  readonly movetype: number;
  /** 0 not, 1 trigger, 2 box, 3 model. */
  readonly solid: number;
  readonly flags: number;
  readonly svflags: number;
  /** Contents that stop it; 0 for the usual ones. */
  readonly mask: number;
  /** 0 for a box. */
  readonly model: number;
  /** Numbers of its owner and its enemy, counted from 1; 0 for none. */
  readonly owner: number;
  readonly enemy: number;
  readonly health: number;
  /** Whether it is gone as soon as something solid hits it. */
  readonly fragile: number;
  readonly gib: number;
  readonly player: number;
  /** Whether it is dropped to the floor first. */
  readonly drops: number;
  /** Every how many frames it is moved and linked again, or knocked if it moves by itself; 0 for never. */
  readonly period: number;
  /** Number of a monster's goal; 0 for none. */
  readonly goal: number;
  /** What it does, as in rows: 1 steps, 3 steps to its goal, 4 turns to its goal. */
  readonly call: number;
  /** Whether it steps up and down a unit only. */
  readonly nostep: number;
  readonly origin: Point;
  readonly velocity: Point;
  readonly angles: Point;
  readonly avelocity: Point;
  readonly mins: Point;
  readonly maxs: Point;
  readonly shift: Point;
  readonly gravity: number;
  /** A monster's steps: the first direction, their length, how much it turns in each, and more where it has not moved. */
  readonly yaw: number;
  readonly distance: number;
  readonly drift: number;
  readonly back: number;
  /** Where a monster wants to go at first, and by how much it turns at a time. */
  readonly idealyaw: number;
  readonly yawspeed: number;
}

/** Things that move together for some frames. */
export interface GameScene {
  readonly gravity: number;
  readonly maxvelocity: number;
  readonly frames: number;
  /** Of the numbers that are drawn. */
  readonly seed: number;
  readonly things: readonly GameThing[];
}

const f = Math.fround;

// The engine's numbers.
const [NONE, NOCLIP, PUSH, STEP, FLY, TOSS, MISSILE, BOUNCE] = [0, 1, 2, 5, 6, 7, 8, 9] as const;
const [NOT, TRIGGER, BOX, MODEL] = [0, 1, 2, 3] as const;
const [FLIES, SWIMS, PARTIAL_GROUND] = [1, 2, 256] as const;
const [DEAD_MONSTER, MONSTER] = [2, 4] as const;

const WET = CONTENTS_LAVA | CONTENTS_SLIME | CONTENTS_WATER;

export const BOXES: readonly (readonly [Point, Point])[] = [
  [NOWHERE, NOWHERE],
  [
    [-16, -16, -24],
    [16, 16, 32],
  ],
  [
    [-32, -24, -24],
    [32, 32, 64],
  ],
  [
    [-8, -8, -8],
    [8, 8, 8],
  ],
  [
    [-16, -16, 0],
    [16, 16, 40],
  ],
];

export const STILL: GameThing = {
  movetype: NONE,
  solid: BOX,
  flags: 0,
  svflags: 0,
  mask: 0,
  model: 0,
  owner: 0,
  enemy: 0,
  health: 100,
  fragile: 0,
  gib: 0,
  player: 0,
  drops: 0,
  period: 0,
  goal: 0,
  call: 1,
  nostep: 0,
  origin: NOWHERE,
  velocity: NOWHERE,
  angles: NOWHERE,
  avelocity: NOWHERE,
  mins: NOWHERE,
  maxs: NOWHERE,
  shift: NOWHERE,
  gravity: 1,
  yaw: 0,
  distance: 0,
  drift: 0,
  back: 0,
  idealyaw: 0,
  yawspeed: 0,
};

/** Perhaps it is knocked now and then. */
function drawKnocks(random: Random): Pick<GameThing, 'period' | 'shift'> {
  if (random() < 0.7) return { period: 0, shift: NOWHERE };
  return { period: 1 + Math.floor(between(random, 1, 12)), shift: speedOf(random, 400) };
}

/** Something thrown, perhaps at a place. */
export function drawThing(random: Random, origin: Point, at: Point, count: number): GameThing {
  const speed = between(random, 0.5, 5);
  const aimed = [0, 1, 2].map((k) => f((at[k]! - origin[k]!) * speed)) as unknown as Point;
  const [mins, maxs] = random() < 0.6 ? BOXES[0]! : pick(random, BOXES);
  return {
    ...STILL,
    movetype: pick(random, [BOUNCE, BOUNCE, BOUNCE, TOSS, TOSS, FLY, MISSILE, NOCLIP]),
    solid: pick(random, [BOX, BOX, BOX, TRIGGER, NOT]),
    mask: pick(random, [0, MASK_SHOT, MASK_SHOT, MASK_MONSTERSOLID, MASK_PLAYERSOLID]),
    gib: random() < 0.2 ? 1 : 0,
    origin,
    velocity: random() < 0.4 ? aimed : speedOf(random, pick(random, [200, 600, 1500, 4000])),
    angles: random() < 0.3 ? NOWHERE : speedOf(random, 180),
    avelocity: random() < 0.3 ? NOWHERE : speedOf(random, 600),
    mins,
    maxs,
    ...drawKnocks(random),
    gravity: pick(random, [1, 1, 1, 0.5, 0, -0.25, f(between(random, 0.1, 2))]),
    owner: random() < 0.3 ? drawNumber(random, count) : 0,
  };
}

function drawGoal(random: Random, floats: boolean, count: number) {
  const call = pick(random, [1, 1, 3, 3, 3, 4]);
  const goal = call === 1 ? 0 : drawNumber(random, count);
  return drawChase(random, call, goal, call === 3 || floats ? 0.7 : 0, count);
}

/** A monster that walks, flies or swims, or a dead one. */
export function drawMonster(random: Random, origin: Point, count: number): GameThing {
  const ways = pick(random, [0, 0, 0, FLIES, SWIMS]);
  const [mins, maxs] = pick(random, BOXES.slice(1));
  const isDead = random() < 0.2;
  return {
    ...STILL,
    movetype: STEP,
    svflags: random() < 0.1 ? 0 : isDead ? MONSTER | DEAD_MONSTER : MONSTER,
    flags: ways | (random() < 0.3 ? PARTIAL_GROUND : 0),
    health: isDead ? 0 : 100,
    gib: isDead && random() < 0.5 ? 1 : 0,
    origin,
    velocity: random() < 0.4 ? NOWHERE : speedOf(random, 600),
    avelocity: random() < 0.6 ? NOWHERE : speedOf(random, 300),
    mins,
    maxs,
    ...drawKnocks(random),
    gravity: pick(random, [1, 1, 0.5]),
    angles: [0, f(pick(random, [0, 0, -90, 360, between(random, -720, 720)])), 0],
    ...drawGoal(random, ways !== 0, count),
    nostep: random() < 0.15 ? 1 : 0,
    yaw: f(pick(random, [0, 90, 270, between(random, -360, 360)])),
    distance: isDead ? 0 : f(pick(random, [4, 8, 12, between(random, 1, 20)])),
    drift: f(pick(random, [0, 0, 1, between(random, -5, 5)])),
    back: f(pick(random, [90, 180, between(random, 30, 300)])),
    drops: random() < 0.2 ? 1 : 0,
  };
}

/** Something in the way, which may be moved from time to time: a box, a trigger, something that breaks, or a model. */
function drawObstacle(random: Random, origin: Point, world: Quake2World): GameThing {
  const period = random() < 0.4 ? 1 + Math.floor(between(random, 1, 12)) : 0;
  const shift = random() < 0.3 ? NOWHERE : speedOf(random, 12);
  if (random() < 0.4 && world.numModels > 1) {
    const model = 1 + Math.floor(between(random, 0, world.numModels - 1));
    const { mins, maxs } = world.model(model).bounds;
    const middle = [0, 1, 2].map((k) => f(origin[k]! - (mins[k]! + maxs[k]!) / 2)) as unknown as Point;
    const place = random() < 0.3 ? NOWHERE : middle;
    return { ...STILL, movetype: PUSH, solid: MODEL, model, origin: place, period, shift };
  }
  const [mins, maxs] = pick(random, BOXES.slice(1));
  return {
    ...STILL,
    solid: pick(random, [BOX, BOX, BOX, TRIGGER]),
    svflags: pick(random, [0, MONSTER, MONSTER | DEAD_MONSTER]),
    fragile: random() < 0.4 ? 1 : 0,
    player: random() < 0.5 ? 1 : 0,
    origin,
    mins,
    maxs,
    period,
    shift,
  };
}

/** What breaks is nobody's enemy, and nobody's goal: what is left of it in the engine is nowhere. */
function unite(things: readonly GameThing[], k: number): GameThing {
  const thing = things[k]!;
  const { call, enemy, goal } = thing;
  const lasts = (number: number): boolean =>
    number > 0 && number - 1 !== k && things[number - 1]!.fragile === 0;
  const goes = lasts(goal);
  return { ...thing, call: goes ? call : 1, goal: goes ? goal : 0, enemy: lasts(enemy) ? enemy : 0 };
}

/** Scenes of a map, without end. What begins in solid does so by chance. */
export function* drawQuake2Things(map: Uint8Array, seed: number): Generator<GameScene> {
  const world = createQuake2World(readQuake2(map));
  const random = createRandom(seed);
  const places = drawPlaces(world, world.box(...BOXES[1]!), seed);
  const count = 16;
  /** Somewhere, in a liquid if there is any. */
  const findWet = (): Point => {
    let place = places.next().value!;
    for (let k = 0; k < 200 && (world.contents(place) & WET) === 0; k++) place = places.next().value!;
    return place;
  };
  for (;;) {
    const middle = random() < 0.4 ? findWet() : places.next().value!;
    const things = drawTogether(random, places, middle, count, (k, place, target) => {
      if (k % 5 === 3) return drawObstacle(random, place, world);
      return k % 2 === 0 ? drawThing(random, place, target, count) : drawMonster(random, place, count);
    });
    drawMeeting(random, things, [3, 8], STILL);
    yield {
      gravity: f(pick(random, [800, 800, 800, 100, between(random, 1, 1200)])),
      maxvelocity: f(pick(random, [2000, 2000, 300])),
      frames: 40,
      seed: Math.floor(between(random, 0, 1 << 30)),
      things: things.map((_, k) => unite(things, k)),
    };
  }
}

/** A scene in the arena like another, in which a rocket breaks what its monsters fight and go to; most are where that is then. */
export function breakGoals(scene: GameScene, seed: number): GameScene {
  const random = createRandom(seed);
  const [rocket, glass] = [0, 3];
  const [x, y, z] = [300, -100, 60];
  const box = { model: 0, mins: [-8, -8, -8], maxs: [8, 8, 8] } as const;
  const things = scene.things.map((thing, k): GameThing => {
    if (k === rocket) {
      const flies = { movetype: MISSILE, mask: MASK_SHOT, velocity: [0, 0, -300] } as const;
      return { ...STILL, ...flies, origin: [x, y, z + 80] };
    }
    if (k === glass) return { ...STILL, ...box, fragile: 1, origin: [x, y, z] };
    if (thing.movetype !== STEP) return thing;
    const enemy = random() < 0.7 ? glass + 1 : thing.enemy;
    const goal = thing.call === 3 && random() < 0.6 ? glass + 1 : thing.goal;
    const near = [-60, -60, 20].map((low) => f(between(random, low, 60))) as unknown as Point;
    // Half a unit farther away than it steps: too far from what has no margin.
    const beside: Point = [f(thing.distance - thing.mins[0] + 1.5), 0, 30];
    const origin = pick(random, [thing.origin, near, near, beside, beside]);
    return { ...thing, enemy, goal, velocity: NOWHERE, period: 0, origin };
  });
  return { ...scene, things };
}

const thingLine = (thing: GameThing): string => Object.values(thing).flat().map(numberText).join(' ');

/** A server that has its own game move things: `yardsticks` are the folders of that name in packages/quake2 and packages/movement. */
export const openGame = (...yardsticks: readonly [server: string, game: string]): Server =>
  openServer(yardsticks[0], join(yardsticks[1], 'record-quake2.c'), { BSPKIT_GAME: installed(QUAKE2_GAME) });

/** With the monsters that show what the game can do, which it has not where players fight one another. */
const WORDS: readonly string[] = ['+set', 'coop', '1'];

/**
 * Rows about scenes of a map: one for each frame of each thing that moves; of the kind `pushes`, also one for each of a pusher, and
 * for each command of a player, in the order in which they have their turns.
 */
export function askGame(
  game: Server,
  map: Uint8Array,
  scenes: readonly GameScene[],
  kind: ThingKind = 'things',
): ThingRow[] {
  const lines = scenes.flatMap(({ gravity, maxvelocity, frames, seed, things }) => [
    `${numberText(gravity)} ${numberText(maxvelocity)} ${frames} ${things.length} ${seed} ${kind === 'pushes' ? 1 : 0}`,
    ...things.map(thingLine),
  ]);
  return game
    .ask(map, lines, WORDS)
    .map((answer) => JSON.parse(`[${answer.replaceAll(' ', ',')}]`) as ThingRow);
}
