import type { Vec3 } from '@bspkit/core';
import { between, createRandom, direction } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  createEllipsoidWorld,
  createTutorialMove,
  createTutorialReference,
  type Ellipsoid,
  EllipsoidWorld,
  type Errata,
} from '../src/index.ts';
import {
  createBody,
  createPolygon,
  GET_COLLIDING_POLYGON,
  GET_COLLIDING_POLYGON_SORTED,
} from '../src/reference/tutorial.ts';
import { ownMap } from './maps.ts';
import { boxFaces, pointIn, polygonOf, randomRoom, sourceOf } from './rooms.ts';

const RADII: Vec3 = [16, 16, 28];

/** A floor of 1,024 units at height 0. */
const FLOOR = polygonOf([
  [-512, -512, 0],
  [512, -512, 0],
  [512, 512, 0],
  [-512, 512, 0],
]);
const floor = createEllipsoidWorld(sourceOf([FLOOR]));

/** A room around the origin. */
const room = createEllipsoidWorld(sourceOf(boxFaces([-100, -100, -100], [100, 100, 100], true)));

describe('the fast form', () => {
  it('moves as the literal form does, corrected, in rooms', () => {
    const random = createRandom(seedOf(3));
    let pushes = 0;
    for (let k = 0; k < 5; k++) {
      const world = createEllipsoidWorld(sourceOf(randomRoom(k)));
      const reference = createTutorialReference(world, RADII);
      const tracer = world.tutorial(RADII);
      for (let move = 0; move < 60; move++) {
        const start = pointIn(random, 450);
        const way = direction(random);
        const length = between(random, 0, move % 2 ? 400 : 20);
        const end = start.map((x, i) => x + length * way[i]!);
        const objects: Ellipsoid[] = (move % 3 ? [] : [0, 1, 2]).map((i) => ({
          center: end.map((x) => x + between(random, -60, 60)),
          radii: [8 + i, 16, 24],
        }));
        const wanted = reference.move(start, end, objects);
        const given = tracer.move(start, end, objects);
        expect(Array.from(given.collided.subarray(0, given.iterations))).toEqual(wanted.collided);
        for (let i = 0; i < 3; i++) {
          expect(given.endPos[i]).toBe(Math.fround(wanted.EndPosition[i]!));
        }
        expect(given.returned).toBe(wanted.returned);
        pushes += given.iterations;
        const [a, b] = [tracer.trace(start, end), reference.tracer.trace(start, end)];
        expect([a.fraction, ...a.endPos, ...a.normal]).toEqual([b.fraction, ...b.endPos, ...b.normal]);
        // Objects may push it against a polygon that it would not have met.
        const alone = objects.length > 0 ? reference.move(start, end, []) : wanted;
        expect(tracer.blocked(start, end)).toBe(a.fraction < 1 || alone.collided.some((at) => at >= 0));
      }
    }
    expect(pushes).toBeGreaterThan(30);
  });

  it('moves as the literal form does where a corner comes twice', () => {
    const twice = { ...FLOOR, vertices: Float32Array.of(...FLOOR.vertices.slice(0, 3), ...FLOOR.vertices) };
    const world = createEllipsoidWorld(sourceOf([twice]));
    const tracer = world.tutorial(RADII);
    const reference = createTutorialReference(world, RADII);
    for (const [x, hits] of [
      [0, true],
      [-500, true],
      [600, false],
    ] as const) {
      const [a, b] = [tracer, reference.tracer].map((each) => each.trace([x, 8, 50], [x, 0, -50]));
      expect([a!.fraction, ...a!.endPos]).toEqual([b!.fraction, ...b!.endPos]);
      expect(a!.fraction < 1).toBe(hits);
    }
  });

  it('still finds polygons after its counter of moves starts over', () => {
    const tracer = room.tutorial(RADII);
    const move: [Vec3, Vec3] = [
      [0, 0, 0],
      [200, 0, 0],
    ];
    // The first move marks polygons with 1, as does the first after that.
    const before = tracer.trace(...move);
    expect(before.fraction).toBeLessThan(0.5);
    const counter = tracer as unknown as { _stamp: number };
    counter._stamp = 0x7fffffff;
    expect(tracer.trace(...move)).toEqual(before);
    expect(counter._stamp).toBe(1);
  });

  it('has its planes made once, by the first of a world, beside what all share', () => {
    const world = createEllipsoidWorld(sourceOf(randomRoom(1)));
    world.ellipsoid([16, 16, 28]).trace([0, 0, 0], [500, 0, 0]);
    expect(world._memory.planes).toBeUndefined();
    world.tutorial([16, 16, 28]);
    const { planes } = world._memory;
    // Two planes of four numbers for each corner.
    const corners = Array.from({ length: world.numPolygons }, (_, k) => world.polygon(k).corners);
    expect(planes).toHaveLength(8 * corners.reduce((sum, count) => sum + count, 0));
    world.tutorial([8, 8, 8]);
    expect(world._memory.planes).toBe(planes);
  });

  it('uses the polygons of those leafs of a map that the move passes', async () => {
    const { ellipsoids, spawns } = await ownMap('quake3', 'arena');
    const reference = createTutorialReference(ellipsoids, RADII);
    const tracer = ellipsoids.tutorial(RADII);
    const random = createRandom(seedOf(4));
    let pushes = 0;
    for (let move = 0; move < 40; move++) {
      const [x, y, z] = spawns[move % spawns.length]!;
      const way = direction(random);
      const start = [x, y, z + 10];
      const end = start.map((at, k) => at + 100 * way[k]!);
      const wanted = reference.move(start, end);
      const given = tracer.move(start, end);
      expect(Array.from(given.endPos)).toEqual(Array.from(Float32Array.from(wanted.EndPosition)));
      pushes += given.iterations;
    }
    expect(pushes).toBeGreaterThan(10);
  });
});

describe('a move', () => {
  it('needs an answer that holds an end and all that it may collide with', () => {
    const tracer = room.tutorial(RADII);
    for (const field of ['endPos', 'collided'] as const) {
      const out = createTutorialMove();
      // As of one that was sent to another thread.
      structuredClone(out, { transfer: [out[field].buffer as ArrayBuffer] });
      expect(() => tracer.move([0, 0, 0], [50, 0, 0], [], out), field).toThrow(
        new TypeError('out must be an answer made by createTutorialMove, got an object'),
      );
    }
  });
});

describe('objects', () => {
  it('must be ellipsoids, and are named when they are not', () => {
    const tracer = room.tutorial(RADII);
    const good: Ellipsoid = { center: [60, 0, 0], radii: [8, 8, 8] };
    const moving = (object: unknown) => () => tracer.move([0, 0, 0], [50, 0, 0], [good, object as Ellipsoid]);
    expect(moving(good)().iterations).toBeGreaterThan(0);
    const least = 'a radius from 0.001 to 1000000';
    for (const [object, error] of [
      [
        { ...good, center: [60, Number.NaN, 0] },
        new RangeError('objects[1].center[1] must be a finite float32, got NaN'),
      ],
      [
        { ...good, radii: [Number.NaN, 8, 8] },
        new RangeError('objects[1].radii[0] must be a finite float32, got NaN'),
      ],
      [{ ...good, radii: [8, 0, 8] }, new RangeError(`objects[1].radii[1] must be ${least}, got 0`)],
      [{ ...good, radii: [8, 8, -8] }, new RangeError(`objects[1].radii[2] must be ${least}, got -8`)],
    ] as const) {
      expect(moving(object)).toThrow(error);
    }
    expect(moving({ ...good, radii: ['8', '8', '8'] })).toThrow(TypeError);
    expect(moving({ ...good, radii: ['8', '8', '8'] })).toThrow('objects[1].radii[0]');
    expect(moving(null)).toThrow('objects[1] must be an ellipsoid');
  });

  it('have float32 positions, as ends of moves do: from the exact centre of one the way out is up', () => {
    const end = [10.1, 20.2, 30.3];
    const object: Ellipsoid = { center: end, radii: [8, 8, 8] };
    const { endPos } = room.tutorial(RADII).move([0, 0, 0], end, [object]);
    expect([endPos[0], endPos[1]]).toEqual([Math.fround(10.1), Math.fround(20.2)]);
    expect(endPos[2]).toBeCloseTo(30.3 + RADII[2]! + 8, 4);
  });
});

describe('the literal form', () => {
  it('finds by sorting what it finds in a single pass', () => {
    const random = createRandom(seedOf(5));
    const polygons = randomRoom(9).map((polygon, k) => createPolygon(polygon, k));
    let found = 0;
    for (let k = 0; k < 200; k++) {
      const start = pointIn(random, 450);
      const body = createBody(
        start,
        start.map((x) => x + between(random, -200, 200)),
        RADII,
      );
      const sorted = GET_COLLIDING_POLYGON_SORTED(body, polygons);
      expect(GET_COLLIDING_POLYGON(body, polygons)).toBe(sorted);
      if (sorted) found++;
    }
    expect(found).toBeGreaterThan(20);
  });

  it('tells what each round tested', () => {
    const { rounds, collided } = createTutorialReference(room, RADII).move([0, 0, 0], [200, 50, 0]);
    expect(rounds.map(({ EndPosition, numPolygons }) => [EndPosition, numPolygons])).toEqual([
      [[200, 50, 0], 6],
      [[84, 50, 0], 6],
    ]);
    expect(rounds.map(({ steps }) => steps.length)).toEqual([9, 0]);
    const test = rounds[0]!.steps.at(-1)!;
    expect(test).toMatchObject({ kind: 'polygon', polygon: collided[0], outcome: 'hit', enter: 0.42 });
    expect(test).toMatchObject({ start: [0, 0, 0], end: [200, 50, 0], startDist: 100, endDist: -100 });
    expect(test).toMatchObject({
      offset: 16,
      facing: expect.closeTo(-200 / Math.sqrt(200 * 200 + 50 * 50), 9),
    });
    // Past the edge of the floor at x = 512, which is its second.
    const beside = createTutorialReference(floor, RADII).move([700, 0, 60], [700, 0, 0]);
    expect(beside.rounds[0]!.steps).toMatchObject([
      { kind: 'side', side: 0 },
      {
        kind: 'side',
        side: 1,
        normal: [1, 0, 0],
        dist: expect.closeTo(528, 4),
        startDist: expect.closeTo(172, 4),
      },
      { kind: 'polygon', polygon: 0, outcome: 'missed' },
    ]);
  });

  it('slides: a move into a wall loses the part that leads into it', () => {
    expect(Array.from(room.tutorial(RADII).move([0, 0, 0], [200, 50, 0]).endPos)).toEqual([84, 50, 0]);
    expect(Array.from(room.tutorial(RADII).move([0, 0, 0], [200, 200, 0]).endPos)).toEqual([84, 84, 0]);
  });
});

it('pushes once out of a polygon however far it is, though its normal is of float32s', () => {
  const random = createRandom(seedOf(8));
  for (let k = 0; k < 200; k++) {
    const [x, y, z] = direction(random) as [number, number, number];
    // Two directions in the plane, across each other.
    const u = Math.abs(x) > 0.5 ? [y, -x, 0] : [0, z, -y];
    const v = [y * u[2]! - z * u[1]!, z * u[0]! - x * u[2]!, x * u[1]! - y * u[0]!];
    const corner = (a: number, b: number): [number, number, number] =>
      [0, 1, 2].map((i) => 4000 * (a * u[i]! + b * v[i]!)) as [number, number, number];
    const world = createEllipsoidWorld(
      sourceOf([polygonOf([corner(1, 0), corner(0, 1), corner(-1, 0), corner(0, -1)])]),
    );
    const [start, end] = [40, -900].map((far) => [far * x, far * y, far * z] as const);
    const facing = world.tutorial(RADII).trace(start!, end!).fraction < 1;
    const ends = facing ? [start!, end!] : [end!, start!];
    const { iterations } = world.tutorial(RADII).move(ends[0]!, ends[1]!);
    expect(iterations).toBe(1);
  }
});

describe('errata of the document, one option each', () => {
  const moved = (
    world: typeof room,
    [start, end]: readonly [Vec3, Vec3],
    errata: Errata,
    objects: readonly Ellipsoid[] = [],
  ): number[] =>
    createTutorialReference(world, RADII, errata)
      .move(start, end, objects)
      .EndPosition.map((x) => Math.fround(x));

  it('are true or false, and objects ellipsoids', () => {
    const text = { preCheck: 'no' } as never;
    expect(() => moved(floor, [RADII, RADII], text)).toThrow("preCheck must be true or false, got 'no'");
    expect(() => moved(floor, [RADII, RADII], {}, [5 as never])).toThrow(
      /^objects\[0\] must be an ellipsoid/,
    );
    const thin = { center: [0, 0, 0], radii: [1, 1, '1'] } as never;
    expect(() => moved(floor, [RADII, RADII], {}, [thin])).toThrow(/^objects\[0\].radii\[2\] must be/);
  });

  it('preCheck: what rests at its radius falls through the floor', () => {
    const fall = [
      [0, 0, 28],
      [0, 0, -80],
    ] as const;
    expect(moved(floor, fall, {})).toEqual([0, 0, 28]);
    expect(moved(floor, fall, { preCheck: true })).toEqual([0, 0, -80]);
    // And what moves out of an overlap is pulled back to the plane.
    const away = [
      [0, 0, 20],
      [0, 0, 60],
    ] as const;
    expect(moved(floor, away, {})).toEqual([0, 0, 60]);
    expect(moved(floor, away, { preCheck: true })).toEqual([0, 0, 28]);
  });

  it('inward: planes of polygons away from the origin face outwards, and the polygon is never met', () => {
    const off = polygonOf([
      [100, 100, 0],
      [300, 100, 0],
      [300, 300, 0],
      [100, 300, 0],
    ]);
    const world = createEllipsoidWorld(sourceOf([off]));
    const fall = [
      [200, 200, 60],
      [200, 200, 0],
    ] as const;
    expect(moved(world, fall, {})).toEqual([200, 200, 28]);
    expect(moved(world, fall, { inward: true })).toEqual([200, 200, 0]);
  });

  it('inward: planes of corners are inverted copies of those of the edges opposite, wherever these face', () => {
    const corners: [number, number, number][] = [
      [300, 100, 0],
      [100, 300, 0],
      [-50, 40, 0],
    ];
    for (const errata of [{}, { inward: true }]) {
      const { Planes } = createPolygon(polygonOf(corners), 0, errata);
      for (const [k, corner] of corners.entries()) {
        const opposite = Planes[(k + 1) % 3]!.Normal;
        const { Normal, Distance } = Planes[3 + k]!;
        for (let i = 0; i < 3; i++) expect(Normal[i]! + opposite[i]!).toBe(0);
        expect(Distance).toBeCloseTo(Normal[0] * corner[0] + Normal[1] * corner[1], 9);
      }
    }
  });

  it('movesPlanes: polygons grow with every test, and are met where they are not', () => {
    const reference = createTutorialReference(floor, RADII, { movesPlanes: true });
    const beside = [
      [700, 0, 60],
      [700, 0, 0],
    ] as const;
    expect(reference.move(...beside).EndPosition).toEqual([700, 0, 0]);
    for (let k = 0; k < 20; k++) reference.move([0, 0, 60], [0, 0, 0]);
    expect(reference.move(...beside).EndPosition).toEqual([700, 0, 28]);
  });

  it('endOnly: a fast move through a polygon ends beside it, and is not met', () => {
    const move = [
      [400, 0, 100],
      [700, 0, -200],
    ] as const;
    expect(moved(floor, move, {})).toEqual([700, 0, 28]);
    expect(moved(floor, move, { endOnly: true })).toEqual([700, 0, -200]);
  });

  it('corrected, a move that goes through the plane beside a polygon passes behind it', () => {
    const through = [600, 700].map((x) => [[x, 0, 100] as const, [x - 300, 0, -200] as const] as const);
    const [over, beside] = through.map((move) => [
      moved(floor, move, {}),
      Array.from(floor.tutorial(RADII).move(...move).endPos),
      floor.tutorial(RADII).blocked(...move),
    ]);
    // It touches the plane from x = 528 to 472 the first time, and from 628 to 572 the second.
    expect(over).toEqual([[300, 0, 28], [300, 0, 28], true]);
    expect(beside).toEqual([[400, 0, -200], [400, 0, -200], false]);
  });

  it('touchingEdges: what a block has pushed to its side is pushed on top as well', () => {
    const block = createEllipsoidWorld(sourceOf(boxFaces([0, -100, -100], [100, 100, 0])));
    const move = [
      [-30, 0, 10],
      [40, 0, -4],
    ] as const;
    expect(moved(block, move, {})).toEqual([-16, 0, -4]);
    expect(moved(block, move, { touchingEdges: true })).toEqual([-16, 0, 28]);
  });

  it('extraRound: a sixth round, and back to the start though nothing collides any more', () => {
    // Six walls, one after the other, each of which pushes once.
    const slabs = Array.from({ length: 6 }, (_, k) => {
      const x = 100 - k;
      return polygonOf([
        [x, -200 - k, -200],
        [x, -200 - k, 200],
        [x, 200, 200],
        [x, 200, -200],
      ]);
    });
    const world = createEllipsoidWorld(sourceOf(slabs));
    const reference = createTutorialReference(world, RADII, { extraRound: true });
    const handled = reference.move([0, 0, 0], [90, 0, 0]);
    expect([handled.Iterations, handled.returned]).toEqual([6, true]);
    const corrected = createTutorialReference(world, RADII).move([0, 0, 0], [90, 0, 0]);
    expect(corrected.Iterations).toBe(5);
  });

  it('lastNode: polygons of all nodes but the last are walked through', () => {
    const polygons = boxFaces([-100, -100, -100], [100, 100, 100], true);
    const world = createEllipsoidWorld({
      ...sourceOf(polygons),
      numLeafs: 2,
      leafPolygons: (leaf) => (leaf === 0 ? polygons.slice(0, 5) : polygons.slice(5)),
      boxLeafs(_mins, _maxs, out) {
        out.set([0, 1]);
        return 2;
      },
    });
    const move = [
      [0, 0, 0],
      [200, 0, 0],
    ] as const;
    expect(moved(world, move, {})).toEqual([84, 0, 0]);
    expect(moved(world, move, { lastNode: true })).toEqual([200, 0, 0]);
  });

  it('nodesOnce: what a push out of the nodes passed leads into is not tested', () => {
    // A slope pushes the object up, into a ceiling that the move as asked comes nowhere near.
    const slope = polygonOf([
      [0, -200, 0],
      [200, -200, 400],
      [200, 200, 400],
      [0, 200, 0],
    ]);
    const ceiling = polygonOf([
      [-200, -200, 75],
      [-200, 200, 75],
      [200, 200, 75],
      [200, -200, 75],
    ]);
    const world = createEllipsoidWorld({
      ...sourceOf([slope, ceiling]),
      numLeafs: 2,
      leafPolygons: (leaf) => (leaf === 0 ? [slope] : [ceiling]),
      boxLeafs(_mins, maxs, out) {
        out.set([0, 1]);
        return maxs[2]! < 75 ? 1 : 2;
      },
    });
    const move: [Vec3, Vec3] = [
      [-20, 0, 40],
      [30, 0, 40],
    ];
    const tracer = world.tutorial(RADII);
    const once = createTutorialReference(world, RADII, { nodesOnce: true }).move(...move);
    expect(once.EndPosition[2] + RADII[2]!).toBeGreaterThan(80);
    const again = createTutorialReference(world, RADII).move(...move);
    expect(again.EndPosition[2] + RADII[2]!).toBeLessThan(75.001);
    expect(again.collided).toContain(1);
    const { endPos, collided, iterations } = tracer.move(...move);
    expect(Array.from(endPos)).toEqual(again.EndPosition.map(Math.fround));
    expect(Array.from(collided.subarray(0, iterations))).toEqual(again.collided);
  });

  it('leafs that a source does not have are refused, and so are invalid counts', () => {
    const source = sourceOf(boxFaces([-100, -100, -100], [100, 100, 100], true));
    for (const [leaf, count, message] of [
      [1, 1, 'source.boxLeafs() gave leaf 1, but the world has 1'],
      [-1, 1, 'source.boxLeafs() gave leaf -1, but the world has 1'],
      [0, Number.NaN, 'source.boxLeafs() must be a whole number from 0 to 16777216, got NaN'],
      [0, -1, 'source.boxLeafs() must be a whole number from 0 to 16777216, got -1'],
      [0, undefined, 'source.boxLeafs() must be a whole number from 0 to 16777216, got undefined'],
    ] as const) {
      const boxLeafs = (_mins: Vec3, _maxs: Vec3, out: Int32Array): number => {
        out[0] = leaf;
        return count as number;
      };
      const world = createEllipsoidWorld({ ...source, boxLeafs });
      const move = [[0, 0, 0] as const, [200, 0, 0] as const] as const;
      expect(() => world.tutorial(RADII).trace(...move)).toThrow(message);
      expect(() => createTutorialReference(world, RADII).move(...move)).toThrow(message);
    }
    // Opened with a source that returns leafs of another world.
    const boxLeafs = (_mins: Vec3, _maxs: Vec3, out: Int32Array): number => {
      out[0] = 7;
      return 1;
    };
    const opened = EllipsoidWorld.from(createEllipsoidWorld(source).data, {
      ...source,
      boxLeafs,
    });
    expect(() => opened.tutorial(RADII).trace([0, 0, 0], [200, 0, 0])).toThrow('leaf 7, but the world has 1');
  });

  it('pushTowards: an object is pushed into', () => {
    const other: Ellipsoid = { center: [60, 0, 28], radii: RADII };
    const move = [
      [0, 0, 28],
      [40, 0, 28],
    ] as const;
    expect(moved(floor, move, {}, [other])[0]).toBeCloseTo(28, 4);
    expect(moved(floor, move, { pushTowards: true, objectsLast: true }, [other])[0]).toBe(52);
  });

  it('objectsLast: an object pushes through a wall', () => {
    const other: Ellipsoid = { center: [60, 0, 0], radii: [30, 30, 30] };
    const move = [
      [80, 0, 0],
      [80, 10, 0],
    ] as const;
    expect(moved(room, move, { objectsLast: true }, [other])[0]).toBeGreaterThan(100);
    expect(moved(room, move, {}, [other])[0]).toBeLessThanOrEqual(84);
  });
});
