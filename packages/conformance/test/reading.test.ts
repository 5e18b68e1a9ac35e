import type { Bounds, Changeable, Placeable, Placed, Pose, Tracer, Vec3 } from '@bspkit/core';
import { createEllipsoidWorld, EllipsoidSlider } from '@bspkit/ellipsoid';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { createRandom, pick } from '@bspkit/geometry';
import { createQuake1World, distanceToSolid, pointContents, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { quake3Format } from '@bspkit/quake3/format';
import { createBody, createScene } from '@bspkit/scene';
import { expectSame } from '@bspkit/testkit/same';
import { SEED, seedOf } from '@bspkit/testkit/seed';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
import { expect, it } from 'vitest';
import { pointIn, subjectsOf } from './subjects.ts';

// The numbers of a vector may be getters, as of reactive objects, and these may ask a world too. What works in memory that is
// shared reads all of them before it begins: searches for leafs that began in the tree of another map never ended.

/**
 * What asks, where, and about how many points; of two, the second is above the first in all three coordinates. Where something may
 * have been moved, they are a point, an origin, and angles.
 */
interface Question {
  readonly bounds: Bounds;
  readonly points: 1 | 2 | 'posed';
  ask(...points: Vec3[]): unknown;
}

/** What may have been moved. */
interface Posed {
  readonly bounds: Bounds;
  contents(point: Vec3, pose?: Pose): number;
  ray(): Placed<Tracer>;
}

const { polygons } = await quake3Format.load();

function questions(): Readonly<Record<string, Question>> {
  const quake1 = createQuake1World(readQuake1(readEngineMap('quake1/arena.bsp')));
  const quake2 = createQuake2World(readQuake2(readEngineMap('quake2/arena.bsp')));
  const quake3 = createQuake3World(readQuake3(readEngineMap('quake3/arena.bsp')));
  const ufoai = createUfoaiWorld(readUfoai(readEngineMap('ufoai/house.bsp')));
  const door = ufoai.model(1);
  const scene = createScene(quake3);
  const cube = createBody({ kind: 'box', mins: [-30, -30, -30], maxs: [30, 30, 30] });
  const random = createRandom(seedOf(3));
  for (let k = 0; k < 40; k++) scene.add(cube, { origin: pointIn(random, quake3.bounds) });
  const found = new Int32Array(40);
  const touching = (area: Parameters<typeof scene.touching>[0]): number[] =>
    Array.from(found.subarray(0, scene.touching(area, -1, found)));
  const ellipsoids = createEllipsoidWorld(polygons(quake3));
  const slider = new EllipsoidSlider(ellipsoids, [16, 16, 28]);
  const [one, two] = [1, 2] as const;
  const of = (bounds: Bounds, points: Question['points'], ask: Question['ask']): Question => ({
    ...{ bounds, points, ask },
  });
  const made: Record<string, Question> = {};
  for (const world of [quake1, quake2, quake3]) {
    const { format, bounds } = world;
    made[`leaf of ${format}`] = of(bounds, one, (at) => world.leaf(at!));
    made[`contents of ${format}`] = of(bounds, one, (at) => world.contents(at!));
    made[`sight of ${format}`] = of(bounds, two, (from, to) => world.sight(from!, to!));
    made[`leafs of ${format}`] = of(bounds, two, (mins, maxs) => world.boxLeafs(mins!, maxs!));
  }
  for (const world of [quake1, quake2, quake3, ufoai]) {
    const model: Posed = world.model(1);
    made[`contents of a model of ${world.format}`] = of(model.bounds, 'posed', (at, origin, angles) =>
      model.contents(at!, { origin, angles }),
    );
    made[`a model of ${world.format} that is placed`] = of(model.bounds, 'posed', (at, origin, angles) =>
      model.ray().place({ origin, angles }).trace([0, 0, 400], at!),
    );
  }
  return {
    ...made,
    'a placed model of ufoai': of(door.bounds, 'posed', (at, origin, angles) =>
      ufoai.model(1).place({ origin, angles }).contents(at!),
    ),
    'contents of ufoai': of(ufoai.bounds, one, (at) => ufoai.contents(at!)),
    'sight of ufoai': of(ufoai.bounds, two, (from, to) => ufoai.sight(from!, to!)),
    'contents of hull 1': of(quake1.bounds, one, (at) => quake1.hullContents(1, at!)),
    'contents with liquids': of(quake1.bounds, one, (at) => pointContents(quake1, at!)),
    'distance to solid': of(quake1.bounds, one, (at) => distanceToSolid(quake1, at!, 60)),
    'bodies that touch a sphere': of(quake3.bounds, one, (center) =>
      touching({ center: center!, radius: 90 }),
    ),
    'bodies that touch a box': of(quake3.bounds, two, (mins, maxs) => touching({ mins: mins!, maxs: maxs! })),
    'bodies that are linked in a box': of(quake3.bounds, two, (mins, maxs) =>
      Array.from(found.subarray(0, scene.linked({ mins: mins!, maxs: maxs! }, -1, found))),
    ),
    'contents of a scene': of(quake3.bounds, one, (at) => scene.contents(at!)),
    'bodies that may be seen': of(quake3.bounds, one, (eye) =>
      Array.from(found.subarray(0, scene.visibleFrom(eye!, -1, found))),
    ),
    'bodies that may be seen from a box': of(quake3.bounds, two, (mins, maxs) =>
      Array.from(found.subarray(0, scene.visibleFrom({ mins: mins!, maxs: maxs! }, -1, found))),
    ),
    'nearest polygon': of(quake3.bounds, one, (at) => ellipsoids.closest(at!)),
    'polygon nearest to an ellipsoid': of(quake3.bounds, one, (at) => ellipsoids.distance(at!, [16, 16, 28])),
    slide: of(quake3.bounds, two, (from, to) => {
      const { endPos, remaining, contacts } = slider.slide(from!, to!);
      return [...endPos, ...remaining, contacts];
    }),
  };
}

const all = questions();

it.each(Object.entries(all))('may run a getter that asks, for %s', (_, asked) => {
  const random = createRandom(SEED);
  const draw = ({ bounds, points }: Question): number[][] => {
    const first = [...pointIn(random, bounds)];
    if (points === 1) return [first];
    const second = first.map(() => 150 * random());
    if (points === 2) return [first, first.map((x, k) => x + second[k]!)];
    // In the middle of it, wherever it is, however it is turned: most things are solid there. Or nowhere near it.
    const by = random() < 0.5 ? 0 : 900;
    const at = first.map((_, k) => (bounds.mins[k]! + bounds.maxs[k]!) / 2 + second[k]! + by);
    return [at, second, first.map(() => 2 * random())];
  };
  for (let k = 0; k < 12; k++) {
    // Itself, and any other.
    const within = k % 2 ? asked : pick(random, Object.values(all));
    const [points, others] = [draw(asked), draw(within)];
    const [expected, expectedWithin] = [asked.ask(...points), within.ask(...others)];
    let reads = 0;
    const given = points.map((point) =>
      [0, 1, 2].reduce(
        (vector, axis) =>
          Object.defineProperty(vector, axis, {
            get() {
              reads++;
              expectSame(within.ask(...others), expectedWithin);
              return point[axis];
            },
          }),
        [...point],
      ),
    );
    expectSame(asked.ask(...given), expected);
    expect(reads).toBeGreaterThan(0);
  }
});

/** Three numbers of which the read that makes `reads.left` negative throws. */
const failing = (values: readonly number[], reads: { left: number }): Vec3 => {
  const made = { length: 3 };
  values.forEach((value, k) => {
    const get = (): number => {
      if (--reads.left < 0) throw new Error('cannot be read');
      return value;
    };
    Object.defineProperty(made, k, { get });
  });
  return made as unknown as Vec3;
};

/** Tracers that can be moved or changed. */
type Movable = Tracer & Partial<Placeable> & Partial<Changeable>;

it('tracers are moved and changed as a whole, even where a number of a vector cannot be read', () => {
  const called = { place: 0, set: 0, radii: 0 };
  for (const kernel of ['auto', 'js'] as const) {
    for (const [name, { bounds, make }] of subjectsOf(kernel)) {
      const random = createRandom(seedOf(5));
      const moves = Float32Array.from(
        Array.from({ length: 40 }, () => [pointIn(random, bounds), pointIn(random, bounds)])
          .flat()
          .flatMap((point) => [...point]),
      );
      const tracer = make() as Movable;
      const expectWhole = (change: (...vectors: Vec3[]) => unknown, ...values: number[][]): void => {
        const state = (): unknown => [
          structuredClone({ ...tracer.shape }),
          tracer.traceBatch(moves).fraction,
        ];
        const before = structuredClone(state());
        const reads = { left: 0 };
        for (let count = 0; ; count++) {
          reads.left = count;
          try {
            change(...values.map((numbers) => failing(numbers, reads)));
            // Each is read at least twice: to check it, and to take it.
            expect(count, name).toBeGreaterThanOrEqual(3 * values.length);
            return;
          } catch (error) {
            if ((error as Error).message !== 'cannot be read') throw error;
            expect(state(), `${name}: read ${count}`).toEqual(before);
          }
        }
      };
      if (tracer.place) {
        called.place++;
        expectWhole((origin, angles) => tracer.place!({ origin, angles }), [7, -9, 30], [3, 200, 5]);
      }
      if ('radii' in tracer.shape && tracer.set) {
        called.radii++;
        expectWhole((radii) => tracer.set!({ radii, epsilon: 1 } as never), [3, 40, 5]);
      }
      if (!('mins' in tracer.shape)) continue;
      const { mins, maxs } = tracer.shape;
      // What else may change with a box, if a box is of this tracer's settings at all.
      const filter = [{ mask: 1 }, { rules: 'quakeworld' }, {}].find((settings) => {
        try {
          return (make() as Movable).set?.({ mins, maxs, ...settings } as never);
        } catch {
          return false;
        }
      });
      if (!filter) continue;
      called.set++;
      expectWhole(
        (low, high) => tracer.set!({ ...filter, mins: low, maxs: high } as never),
        [-3, -40, -5],
        [30, 4, 50],
      );
    }
  }
  expect(called.place).toBeGreaterThan(50);
  expect(called.set).toBeGreaterThan(30);
  expect(called.radii).toBeGreaterThan(0);
});
