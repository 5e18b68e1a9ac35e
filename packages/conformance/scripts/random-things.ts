// Draws what scenes of things have in common, whichever game moves them.

import { entityOrigins, openQueries } from '@bspkit/compare';
import type { BspWorld, Tracer } from '@bspkit/core';
import { between, direction, pick, type Random } from '@bspkit/geometry';

export type Point = readonly [number, number, number];

export const NOWHERE: Point = [0, 0, 0];

const f = Math.fround;

// The same numbers in both games.
const [NOT, BOX] = [0, 2] as const;
const FLIES = 1;
/** The call of things that go to a goal, as in rows. */
const TO_GOAL = 3;

/** What a thing has for chases. */
interface Chasing {
  readonly call: number;
  readonly solid: number;
  readonly flags: number;
  readonly model: number;
  readonly origin: readonly number[];
  readonly velocity: readonly number[];
  readonly mins: readonly number[];
  readonly maxs: readonly number[];
  readonly goal: number;
  readonly enemy: number;
  readonly distance: number;
}

/** Whom a monster fights with some chance, where it goes, and how it turns. */
export function drawChase(random: Random, call: number, goal: number, chance: number, count: number) {
  const fights = random() < chance;
  return {
    call,
    goal,
    enemy: fights ? (goal > 0 && random() < 0.7 ? goal : drawNumber(random, count)) : 0,
    idealyaw: f(pick(random, [0, 45, 270, between(random, -360, 720)])),
    yawspeed: f(pick(random, [20, 20, 10, 90, 360, between(random, 0, 60)])),
  };
}

/** Things near each other, `count` of them: `draw` is given the number of each, its place, and that of the one before it. */
export function drawTogether<T>(
  random: Random,
  places: Iterator<Point>,
  middle: Point,
  count: number,
  draw: (k: number, place: Point, target: Point) => T,
): T[] {
  const around = (point: Point, way: number): Point =>
    point.map((x: number) => f(x + between(random, -way, way))) as unknown as Point;
  let last = middle;
  return Array.from({ length: count }, (_, k) => {
    // In the open, near the others, above the last one, or perhaps in a wall.
    const choice = random();
    const above: Point = [last[0], last[1], f(last[2] + between(random, 60, 160))];
    const open: Point = places.next().value;
    const place =
      choice < 0.3 ? around(middle, 160) : choice < 0.5 ? above : choice < 0.6 ? around(open, 40) : open;
    const target = last;
    last = place;
    return draw(k, place, target);
  });
}

/** Places where a shape is in the open. */
export function* drawPlaces(world: BspWorld, open: Tracer, seed: number): Generator<Point> {
  const { bounds } = world;
  const middle = [0, 1, 2].map((k) => (bounds.mins[k]! + bounds.maxs[k]!) / 2);
  const origins = [...entityOrigins(world), middle];
  const places = openQueries(4000, { bounds, open, origins, seed });
  for (let at = 0; ; at = (at + 3) % places.length) {
    yield [f(places[at]!), f(places[at + 1]!), f(places[at + 2]!)];
  }
}

export const speedOf = (random: Random, most: number): Point =>
  direction(random).map((x) => f(x * between(random, 0, most))) as unknown as Point;

/** The number of one of some things. */
export const drawNumber = (random: Random, count: number): number =>
  1 + Math.floor(between(random, 0, count));

/**
 * Has a monster chase what stands still: it goes to one of two obstacles, and perhaps meets the other.
 * @param item - the flag of items, if their boxes reach farther.
 */
export function drawMeeting<T extends Chasing>(
  random: Random,
  things: T[],
  obstacles: readonly [number, number],
  motionless: T,
  item?: number,
): void {
  const chasers = things.flatMap(({ call }, k) => (call === TO_GOAL ? [k] : []));
  if (chasers.length === 0 || obstacles.some((k) => things[k]!.model > 0)) return;
  const chaser = pick(random, chasers);
  const before = things[chaser]!;
  const [corner, goal] = obstacles;
  const signs = [0, 1, 2].map(() => pick(random, [-1, 1]));
  const place = (way: Point): Point =>
    before.origin.map((x, k) => f(x + signs[k]! * way[k]!)) as unknown as Point;
  const still = {
    ...motionless,
    solid: BOX,
    mins: [-4, -4, -200] as const,
    maxs: [4, 4, 200] as const,
  };
  if (random() < 0.5) {
    // As far along one axis as along the other, but for a fraction, and the way there is not free.
    const far = between(random, 40, 200);
    const distance = f(between(random, 8, 20));
    things[chaser] = { ...before, velocity: NOWHERE, goal: goal + 1, enemy: 0, distance };
    things[corner] = { ...still, origin: place([before.maxs[0]! + 8, before.maxs[1]! + 8, 0]) };
    things[goal] = { ...still, origin: place([far + random(), far + random(), 0]) };
    return;
  }
  const origin = before.origin.map(Math.round) as unknown as Point;
  const flags = before.flags | FLIES;
  const distance = Math.round(between(random, 4, 20));
  const off = pick(random, [0, 0, 0.25, -0.25]);
  if (random() < 0.5) {
    // So near along an axis that it only just counts, or does not.
    const near = (): number => pick(random, [10 + off, 40]) * pick(random, [-1, 1]);
    const there = [origin[0] + near(), origin[1] + near(), origin[2]] as const;
    things[chaser] = { ...before, origin, flags, velocity: NOWHERE, goal: goal + 1, enemy: 0, distance };
    things[goal] = { ...still, solid: NOT, origin: there };
  } else {
    // Just as far away as it steps, or nearly.
    const axis = pick(random, [0, 1, 2] as const);
    const isItem = item !== undefined && random() < 0.3;
    const margin = isItem ? (axis === 2 ? 0 : 15) : 1;
    const reach = distance + margin + 1 + off;
    const [up, down] = [
      before.maxs[axis]! - still.mins[axis] + reach,
      before.mins[axis]! - still.maxs[axis] - reach,
    ];
    const there = origin.map((x, k) => (k === axis ? x + pick(random, [up, down]) : x)) as unknown as Point;
    const [number, velocity] = [goal + 1, NOWHERE];
    things[chaser] = { ...before, origin, flags, velocity, goal: number, enemy: number, distance };
    things[goal] = { ...still, flags: isItem ? item : still.flags, origin: there };
  }
}
