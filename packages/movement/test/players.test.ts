import type { BoxWorld, BspWorld, RayWorld } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { createBody, createScene } from '@bspkit/scene';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createController, pushBody } from '../src/index.ts';
import { quake1Arena, quake3Arena } from './arena.ts';

// Many players in one map, each a body of the scene that the others walk into.

/** Seconds of walking; a proof run sets more. */
const SECONDS = Number(process.env.BSPKIT_RUNS_PLAYERS ?? 2);
const PLAYERS = 64;
const TICK = 0.025;

const MINS = [-15, -15, -24];
const MAXS = [15, 15, 32];

type World = BspWorld & BoxWorld & RayWorld;

function crowd(world: World) {
  const scene = createScene(world as World & { box: BoxWorld['box'] });
  const random = createRandom(seedOf(11));
  const place = world.box(MINS, MAXS);
  const body = createBody({ kind: 'box', mins: MINS, maxs: MAXS });
  const between = (low: number, high: number): number => low + random() * (high - low);
  const { mins, maxs } = world.bounds;
  const players: { number: number; character: ReturnType<typeof createController>; heading: number[] }[] = [];
  while (players.length < PLAYERS) {
    const at = [0, 1, 2].map((k) => between(mins[k]!, maxs[k]!));
    const isApart = players.every(({ character: { position } }) => !meet(position, at));
    // In the open, and not outside the map.
    const isInside = world.ray().trace(at, [at[0]!, at[1]!, mins[2]! - 100]).fraction < 1;
    if (!isApart || !isInside || place.blocked(at, at)) continue;
    const number = scene.add(body, { origin: at });
    const tracer = scene.box(MINS, MAXS, { ignore: number });
    players.push({ number, character: createController(tracer, { position: at }), heading: [0, 0, 0] });
  }
  return { scene, random, players, place };
}

/** Whether two players' boxes overlap. */
const meet = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  Math.abs(a[0]! - b[0]!) < 30 && Math.abs(a[1]! - b[1]!) < 30 && Math.abs(a[2]! - b[2]!) < 56;

describe.each([
  ['quake3', quake3Arena()],
  ['quake1', quake1Arena()],
] as const)(`64 players walk for ${SECONDS} seconds: %s`, (_, given) => {
  const world = given as unknown as World;

  it(
    'none in solid, none through a wall, none through another',
    () => {
      const { scene, random, players, place } = crowd(world);
      const ray = world.ray();
      const before = new Float32Array(3);
      const found: string[] = [];
      let way = 0;
      let met = 0;
      for (let tick = 0; tick * TICK < SECONDS && found.length === 0; tick++) {
        for (const { number, character, heading } of players) {
          before.set(character.position);
          if (random() < 0.02 || tick === 0) {
            heading[0] = 640 * (random() - 0.5);
            heading[1] = 640 * (random() - 0.5);
          }
          if (character.grounded && random() < 0.005) character.verticalSpeed = 270;
          character.walk(heading, TICK);
          const { position } = character;
          scene.move(number, { origin: position });
          way += Math.abs(position[0]! - before[0]!) + Math.abs(position[1]! - before[1]!);
          if (character.touched.subarray(0, character.numTouched).some((entity) => entity > 0)) met++;
          if (place.blocked(position, position))
            found.push(`${number} in solid at ${position}, tick ${tick}`);
          if (ray.blocked(before, position))
            found.push(`${number} through a wall at ${position}, tick ${tick}`);
          for (const other of players) {
            if (other.number !== number && meet(other.character.position, position)) {
              found.push(`${number} in ${other.number} at ${position}, tick ${tick}`);
            }
          }
        }
      }
      expect(found).toEqual([]);
      // They did walk, and did meet.
      expect(way / PLAYERS / SECONDS).toBeGreaterThan(20);
      expect(met).toBeGreaterThan(0);
    },
    60_000 + 1000 * SECONDS,
  );
});

it('a lift carries a crowd, and is blocked where it would crush one', () => {
  const world = quake3Arena();
  const scene = createScene(world);
  const platform = scene.add(createBody({ kind: 'box', mins: [-100, -100, 0], maxs: [100, 100, 8] }), {
    origin: [0, -256, 8],
  });
  const body = createBody({ kind: 'box', mins: MINS, maxs: MAXS });
  const numbers = new Map<object, number>();
  const characters = [-40, 0, 40].map((x) => {
    const at = [x, -256, 40.125];
    const number = scene.add(body, { origin: at });
    const character = createController(scene.box(MINS, MAXS, { ignore: number }), { position: at });
    numbers.set(character, number);
    return character;
  });
  const follow = (character: (typeof characters)[number]): void =>
    scene.move(numbers.get(character)!, { origin: character.position });
  let blocked: unknown;
  let rises = 0;
  for (; !blocked && rises < 400; rises++) {
    blocked = pushBody(scene, platform, [0, 0, 2], characters, follow);
  }
  // Under the ceiling.
  expect(characters).toContain(blocked);
  expect(rises).toBeGreaterThan(20);
  for (const character of characters) {
    expect(character.groundEntity).toBe(platform);
    expect(character.position).toEqual(
      characters[0]!.position.map((z, k) => (k === 0 ? character.position[0]! : z)),
    );
    expect(Array.from(scene.body(numbers.get(character)!).origin)).toEqual(Array.from(character.position));
  }
});
