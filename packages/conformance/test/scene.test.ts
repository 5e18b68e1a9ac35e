import type { Trace, Tracer } from '@bspkit/core';
import { arenaQuake3, compileFixture } from '@bspkit/fixtures';
import { findRealData, readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import {
  boxEntity,
  createQuake3World,
  MASK_ALL,
  MASK_PLAYERSOLID,
  MASK_SHOT,
  type Quake3BoxEntity,
  type Quake3Model,
  type Quake3World,
  readQuake3,
} from '@bspkit/quake3';
import { type Body, createBody, createScene, withPose } from '@bspkit/scene';
import { expectFields, expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bruteForce, expectTrace, type Point, place } from './scene-brute.ts';

/** Anything that makes tracers of every shape. */
type Thing = Quake3World | Quake3Model | Quake3BoxEntity | Body;
type Make = (thing: Thing, options: object) => Tracer;

/** Something in a scene, in the form that brute force needs. */
interface Standing {
  readonly thing: Thing;
  readonly origin: Point;
  readonly angles: Point;
  readonly contents: number;
}

/** Random scenes in each test; BSPKIT_RUNS_SCENES=5000 is the proof run. */
const SCENES = Number(process.env.BSPKIT_RUNS_SCENES ?? 20);
/** A random scene in a Quake 3 world, and what is in it. */
class RandomScene {
  readonly random: Random;
  readonly world: Quake3World;
  readonly scene;
  readonly standing: Map<number, Standing> = new Map();
  private readonly _other: Quake3World;

  constructor(seed: number, world: Quake3World, other: Quake3World) {
    this.random = createRandom(seedOf(seed));
    this.world = world;
    this.scene = createScene(world);
    this._other = other;
  }

  between(low: number, high: number): number {
    // Whole numbers and eighths, which lead to ties and touching, as often as any other values.
    const value = between(this.random, low, high);
    return this.random() < 0.5 ? Math.round(value * 8) / 8 : Math.fround(value);
  }

  point(): Point {
    const { mins, maxs } = this.world.bounds;
    return [0, 1, 2].map((k) => this.between(mins[k]! + 20, maxs[k]! - 20)) as Point;
  }

  add(): void {
    const place = { origin: this.point(), angles: this.angles() };
    const contents = this.random() < 0.1 ? 0x4000000 : -1;
    const thing = this.thing();
    const body = this.scene.add(thing, { ...place, contents });
    expect(this.standing.has(body)).toBe(false);
    this.standing.set(body, { thing, ...place, contents });
  }

  change(): void {
    const body = pick(this.random, [...this.standing.keys()]);
    if (this.random() < 0.2) {
      this.scene.remove(body);
      this.standing.delete(body);
      return;
    }
    const old = this.standing.get(body)!;
    const step = old.origin.map((x) => Math.fround(x + this.between(-20, 20))) as Point;
    const move =
      this.random() < 0.3 ? { angles: this.angles() } : { origin: this.random() < 0.5 ? step : this.point() };
    this.scene.move(body, move);
    this.standing.set(body, { ...old, ...move });
  }

  /** Every body, traced with a tracer made for this one question. */
  *ask(make: Make, options: { mask: number }, ignore: number, start: Point, end: Point) {
    for (const body of [...this.standing.keys()].sort((a, b) => a - b)) {
      const { thing, origin, angles, contents } = this.standing.get(body)!;
      if (body === ignore || (contents & options.mask) === 0) continue;
      const ask = (): Trace => {
        const placed = thing === this._other ? withPose(make(thing, options)) : make(thing, options);
        return place(placed, { origin, angles }).trace(start, end);
      };
      yield [body, ask] as [number, () => Trace];
    }
  }

  private angles(): Point {
    const kind = Math.floor(this.random() * 4);
    if (kind < 2) return [0, 0, 0];
    if (kind === 2) return [0, Math.round(this.random() * 8) * 45, 0];
    return [this.between(-180, 180), this.between(-180, 180), this.between(-180, 180)];
  }

  private thing(): Thing {
    const kind = Math.floor(this.random() * 6);
    const size = (): number => this.between(2, 70);
    const [mins, maxs] = [
      [-size(), -size(), -size()],
      [size(), size(), size()],
    ];
    if (kind < 2) return this.world.model(1 + Math.floor(this.random() * this.world.numModels));
    if (kind === 2) return boxEntity(mins, maxs);
    if (kind === 3) return createBody({ kind: 'box', mins, maxs });
    if (kind === 4) return createBody({ kind: 'sphere', radius: size() });
    if (this.random() < 0.2) return this._other;
    return createBody({ kind: 'capsule', mins, maxs });
  }
}

const player = [
  [-15, -15, -24],
  [15, 15, 32],
] as const;

const shapes: Record<string, Make> = {
  ray: (thing, o) => thing.ray(o),
  box: (thing, o) => thing.box(...player, o),
  flatBox: (thing, o) => thing.box([0, -40, 0], [60, 9, 0], o),
  sphere: (thing, o) => thing.sphere(12, o),
  capsule: (thing, o) => thing.capsule([-16, -16, -28], [16, 16, 28], o),
};

/**
 * Random scenes, each changed and traced many times, against brute force. Returns counts of what was met, so that tests can check
 * them.
 */
function compareScenes(world: Quake3World, other: Quake3World, scenes: number, most: number) {
  const seen = { hits: 0, worldHits: 0, startSolid: 0, allSolid: 0, turned: 0, blocked: 0 };
  const masks = [MASK_ALL, MASK_PLAYERSOLID, MASK_SHOT];
  const run = (seed: number): void => {
    const it = new RandomScene(seed, world, other);
    const { random, scene } = it;
    const count = 1 + Math.floor(random() * random() * most);
    for (let k = 0; k < count; k++) it.add();
    const mask = pick(random, masks);
    const tracers = Object.entries(shapes).map(
      ([name, make]) => [name, make, make(scene as unknown as Thing, { mask }) as unknown] as const,
    );
    for (let k = 0; k < 12; k++) {
      if (it.standing.size > 0) it.change();
      if (random() < 0.3) it.add();
      const start = it.point();
      const end = random() < 0.1 ? start : it.point();
      if (random() < 0.6)
        for (let a = 0; a < 3; a++) end[a] = Math.fround(start[a]! + (end[a]! - start[a]!) / 16);
      const ignore = random() < 0.3 && it.standing.size > 0 ? pick(random, [...it.standing.keys()]) : -1;
      for (const [name, make, maker] of tracers) {
        const tracer = maker as ReturnType<typeof scene.ray>;
        const actual = tracer.set({ ignore }).trace(start, end);
        const expected = bruteForce(
          make(world, { mask }).trace(start, end),
          it.ask(make, { mask }, ignore, start, end),
        );
        expectTrace(actual, expected, `${name} ${start} -> ${end}, mask ${mask}, ignoring ${ignore}`);
        const blocked = tracer.blocked(start, end);
        expectSame(blocked, expected.startSolid || expected.fraction < 1);
        if (actual.entity > 0) seen.hits++;
        if (actual.entity === 0) seen.worldHits++;
        if (actual.startEntity > 0) seen.startSolid++;
        if (actual.allSolid && actual.entity > 0) seen.allSolid++;
        if (actual.entity > 0 && it.standing.get(actual.entity)!.angles.some((x) => x !== 0)) seen.turned++;
        if (blocked) seen.blocked++;
      }
    }
  };
  fc.assert(fc.property(fc.noShrink(fc.integer()), run), { numRuns: scenes });
  return seen;
}

const arena = createQuake3World(readQuake3(arenaQuake3()));
const tile = createQuake3World(readQuake3(compileFixture('torture', 'quake3').bytes));

/** A third of all coordinates are whole numbers, which lead to ties and touching. */
function about(random: Random, middle: Point, most: number): Point {
  return middle.map((x) => {
    const value = x + between(random, -most, most);
    return Math.fround(random() < 0.3 ? Math.round(value) : value);
  }) as Point;
}

describe('boxes of `createBody`', () => {
  const seen = { hits: 0, misses: 0, starts: 0 };
  const compare = (mins: Point, maxs: Point, half: Point, moves: readonly [Point, Point][]): void => {
    // The engine moves others by their middle, and rounds that.
    const least = half.map((x) => -x) as Point;
    const engines = boxEntity(mins, maxs, { kernel: 'js' }).box(least, half, { mask: MASK_ALL });
    const box = createBody({ kind: 'box', mins, maxs }).box(least, half);
    for (const [start, end] of moves) {
      const [trace, expected] = [box.trace(start, end), engines.trace(start, end)];
      const { fraction, normal, dist, startSolid, allSolid } = trace;
      expectFields(expected, { fraction, dist, startSolid, allSolid });
      expectSame(normal, expected.normal);
      // The engine computes the end of a whole move, too.
      expectSame(trace.endPos, fraction < 1 ? expected.endPos : Float32Array.from(end));
      seen[startSolid ? 'starts' : fraction < 1 ? 'hits' : 'misses']++;
    }
  };

  it('stop boxes where those of Quake 3 do, to the last bit', () => {
    const random = createRandom(seedOf(1));
    for (let n = 0; n < 100; n++) {
      const middle = about(random, [0, 0, 0], 32 << (n % 7));
      const half = [0, 1, 2].map(() => Math.fround(between(random, 2, 32)));
      const [mins, maxs] = [
        middle.map((x, k) => x - half[k]!),
        middle.map((x, k) => x + half[k]!),
      ] as Point[];
      const mover = [0, 1, 2].map(() => Math.fround(between(random, 0, 32))) as Point;
      const moves = Array.from({ length: 20 }, (): [Point, Point] => [
        about(random, middle, 90),
        about(random, middle, 70),
      ]);
      compare(mins!, maxs!, mover, moves);
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(50);
  });

  it('are hit at edges and corners on the side that Quake 3 names', () => {
    const moves: [Point, Point][] = [];
    for (let n = 0; n < 27; n++) {
      const from = [n % 3, Math.floor(n / 3) % 3, Math.floor(n / 9)].map((x) => 32 * (x - 1)) as Point;
      moves.push([from, [0, 0, 0]]);
    }
    compare([-8, -8, -8], [8, 8, 8], [4, 4, 4], moves);
  });
});

describe('a scene in a Quake 3 world', () => {
  it(`answers like brute force over all bodies: ${SCENES} random scenes`, () => {
    const seen = compareScenes(arena, tile, SCENES, 60);
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(SCENES / 5);
  });

  const name = 'quake3/oa_dm1.bsp';
  it.skipIf(!findRealData())(`also in ${name}${skippedWithoutMaps}`, () => {
    const world = createQuake3World(readQuake3(readRealMap(name)));
    expect(world.numModels).toBeGreaterThan(0);
    const seen = compareScenes(world, tile, Math.ceil(SCENES / 3), 120);
    expect(seen.hits).toBeGreaterThan(SCENES / 12);
  });
});
