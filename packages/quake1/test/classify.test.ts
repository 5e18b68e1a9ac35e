import { arenaQuake1 } from '@bspkit/fixtures';
import { between, createRandom } from '@bspkit/geometry';
import { clearingsLookedFor, LOOKED_FOR } from '@bspkit/testkit/clearings';
import { expectAllOrNothing } from '@bspkit/testkit/getters';
import { expectBelow, expectFields, expectSame, moving } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createHullTrace,
  createNote,
  createQuake1World,
  distanceToSolid,
  Quake1World,
  readQuake1,
  SURFACE_EPSILON,
  sphereInsideExact,
  surfaceAt,
} from '../src/index.ts';
import type { Quake1PreciseTracer } from '../src/precise-tracer.ts';
import { pathUnblocked, pointIsInside, sphereIsInside } from '../src/reference/note.ts';
import { tracePrecise } from '../src/reference/trace.ts';
import { type ReferenceTree, worldTree } from '../src/reference/tree.ts';
import { across, boxTree, type MadeTree, makeFile, point, roomFile, runs, solidBox, tree } from './make.ts';

const worldOf = (nodes: MadeTree): Quake1World => createQuake1World(makeFile([{ nodes }]));
const room = createQuake1World(roomFile());
/** The node tree of a world, for the literal algorithms. */
const nodesOf = ({ _memory: { trees, places } }: Quake1World): ReferenceTree =>
  worldTree(trees[0], places.nodes.first, true);
const radius = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.double({ min: 0, max: 60, noNaN: true }));
const anywhere = fc.tuple(...[0, 1, 2].map(() => fc.float({ noNaN: true, noDefaultInfinity: true })));

describe('points', () => {
  it('every finite one is in a leaf', () => {
    fc.assert(
      fc.property(tree, anywhere, (nodes, p) => {
        const world = worldOf(nodes);
        const leaf = world.leaf(p);
        expectSame(leaf >= 0 && leaf < world.numLeafs, true);
      }),
    );
  });

  it('equal the note where no rounding matters, and have the contents of their leaf', () => {
    fc.assert(
      fc.property(tree, point, (nodes, p) => {
        const world = worldOf(nodes);
        const exact = distanceToSolid(world, p) > 1e-3;
        if (exact) expectSame(world.isInside(p), pointIsInside(nodesOf(world), p));
        expectSame(world.isInside(p), world.leafContents(p) !== -2);
        expectSame(world.contents(p), world.leafContents(p));
      }),
    );
  });

  it('on a plane are behind it for leafs and in front of it for hulls', () => {
    const world = worldOf({ plane: across(2, 0), front: -1, back: -2 });
    expect(world.leafContents([5, 5, 0])).toBe(-2);
    expect(world.hullContents(0, [5, 5, 0])).toBe(-1);
    expect(world.leaf([5, 5, 0])).toBe(0);
    expect(world.leaf([5, 5, 1])).toBe(1);
  });

  it('count liquids and sky as options say', () => {
    const pool = (contents: number): Quake1World =>
      worldOf(boxTree([-8, -8, -8], [8, 8, 8], { plane: across(2, 0), front: -1, back: contents }));
    const below = [0, 0, -4];
    for (const [contents, option] of [
      [-3, 'water'],
      [-4, 'slime'],
      [-5, 'lava'],
      [-6, 'sky'],
      [-12, 'water'],
    ] as const) {
      const world = pool(contents);
      expect(world.isInside(below)).toBe(true);
      expect(world.isInside(below, { [option]: false })).toBe(false);
      expect(world.isInside([0, 0, 4], { [option]: false })).toBe(true);
      expect(world.sphereInside([0, 0, 4], 3.9, { [option]: false })).toBe(true);
      expect(world.sphereInside([0, 0, 4], 4.1, { [option]: false })).toBe(false);
      expect(distanceToSolid(world, [0, 0, 3], 100, { [option]: false })).toBe(3);
      const ray = world.preciseRay({ [option]: false });
      expect(ray.trace([0, 0, 4], [0, 0, -4])).toMatchObject({ fraction: 0.5, contents });
      expect(tracePrecise(ray as Quake1PreciseTracer, [0, 0, 4], [0, 0, -4]).time).toBe(0.5);
      expect(ray.set({ [option]: true }).blocked([0, 0, 4], [0, 0, -4])).toBe(false);
    }
  });

  it('in a model are as in the world for its hull, and solid where a trace would start in solid', () => {
    fc.assert(
      fc.property(tree, point, point, point, (nodes, p, origin, angles) => {
        for (const version of [29, 30] as const) {
          const { data } = createQuake1World(makeFile([{ nodes }, { nodes }], version));
          for (const kernel of ['js', 'wasm'] as const) {
            const world = Quake1World.from(data, { kernel });
            const model = world.model(1);
            expectSame(model.contents(p), world.hullContents(0, p));
            const { startSolid } = model.ray({ origin, angles }).trace(p, p);
            expectSame(model.contents(p, { origin, angles }) === -2, startSolid);
          }
        }
      }),
      runs(30),
    );
    // Version 29 does not turn it: the long box stays along x.
    const long = solidBox([-50, -4, -4], [50, 4, 4]);
    const ask = (version: 29 | 30): number =>
      createQuake1World(makeFile([{ nodes: -1 }, { nodes: long }], version))
        .model(1)
        .contents([0, 40, 0], { angles: [0, 90, 0] });
    expect([ask(29), ask(30)]).toEqual([-1, -2]);
  });

  it('that are not finite are refused', () => {
    expect(() => room.leaf([Number.NaN, 0, 0])).toThrow(/point\[0\]/);
    expect(() => room.hullContents(7, [0, 0, 0])).toThrow(/hull/);
  });
});

describe('spheres', () => {
  it('inside by the quick test are inside by the exact one', () => {
    fc.assert(
      fc.property(tree, point, radius, (nodes, p, r) => {
        const world = worldOf(nodes);
        fc.pre(world.sphereInside(p, r));
        // Two ways of computing a distance may differ in the last place where the sphere just touches.
        expectBelow(r * (1 - 1e-12) - 1e-12, distanceToSolid(world, p));
      }),
      runs(500),
    );
  });

  it('equal the note, fixed', () => {
    fc.assert(
      fc.property(tree, point, radius, (nodes, p, r) => {
        const world = worldOf(nodes);
        expectSame(world.sphereInside(p, r), sphereIsInside(nodesOf(world), p, r));
      }),
    );
  });

  it('have a distance that agrees with dense sampling', () => {
    const directions = Array.from({ length: 400 }, (_, k) => {
      // A spiral over the sphere.
      const z = 1 - (2 * k + 1) / 400;
      const turn = k * 2.399963;
      const flat = Math.sqrt(1 - z * z);
      return [flat * Math.cos(turn), flat * Math.sin(turn), z];
    });
    fc.assert(
      fc.property(tree, point, (nodes, p) => {
        const world = worldOf(nodes);
        const distance = distanceToSolid(world, p);
        const at = (d: number[], length: number): number[] => p.map((c, k) => c + length * d[k]!);
        const reach = Math.min(distance, 100);
        for (const d of directions) {
          for (const share of [0.2, 0.6, 0.9, 0.999]) {
            if (distance > 1e-3) expectSame(world.isInside(at(d, share * reach - 1e-4)), true);
          }
        }
      }),
      runs(30),
    );
  });

  it('have a distance at which there is solid', () => {
    const [x, y, z] = [30, 30, 40];
    // The pillar's edge at (8, 8) and its corner are nearer than any wall.
    expect(distanceToSolid(room, [x, y, 0])).toBeCloseTo(Math.hypot(22, 22), 12);
    expect(distanceToSolid(worldOf(solidBox([-8, -8, -8], [8, 8, 8])), [x, y, z])).toBeCloseTo(
      Math.hypot(22, 22, 32),
      12,
    );
    expect(distanceToSolid(worldOf(solidBox([-8, -8, -8], [8, 8, 8])), [x, 0, 0])).toBe(22);
    expect(distanceToSolid(room, [0, 0, 0])).toBe(0);
  });

  it('are rejected near an edge only by the quick test', () => {
    const box = worldOf(solidBox([-8, -8, -8], [8, 8, 8]));
    expect(box.sphereInside([14, 14, 14], 8)).toBe(false);
    expect(sphereInsideExact(box, [14, 14, 14], 8)).toBe(true);
    expect(sphereInsideExact(box, [14, 14, 14], 11)).toBe(false);
  });

  it('that touch are not inside, down to radius 0', () => {
    const quick = (center: number[], radius: number): boolean => room.sphereInside(center, radius);
    const exact = (center: number[], radius: number): boolean => sphereInsideExact(room, center, radius);
    for (const test of [quick, exact]) {
      expect(test([40, 40, 0], 24)).toBe(false);
      expect(test([40, 40, 0], 23.999)).toBe(true);
      expect(test([64, 40, 0], 0)).toBe(false);
      expect(test([63, 40, 0], 0)).toBe(true);
      expect(test([70, 40, 0], 0)).toBe(false);
      expect(() => test([0, 0, 0], -1)).toThrow(/radius/);
      expect(() => test([0, 0, 0], Number.NaN)).toThrow(/radius/);
    }
    // On a plane with solid on both sides, the note's literal test goes to neither and says inside.
    const split = worldOf({ plane: across(0, 0), front: -2, back: -2 });
    expect(split.sphereInside([0, 0, 0], 0)).toBe(false);
  });

  it('have no distance beyond the maximum', () => {
    expect(distanceToSolid(room, [40, 40, 0], 24)).toBe(24);
    expect(distanceToSolid(room, [40, 40, 0], 23)).toBe(Number.POSITIVE_INFINITY);
    expect(distanceToSolid(worldOf({ plane: across(0, 0), front: -1, back: -3 }), [1, 1, 1])).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(() => distanceToSolid(room, [0, 0, 0], -1)).toThrow(/max/);
  });
});

describe('precise rays', () => {
  const EPSILON = 1 / 32;
  /** By how much times may differ that are computed in two ways. */
  const ROUNDING = 5e-13;

  it('equal the note, fixed', () => {
    fc.assert(
      fc.property(tree, point, point, (nodes, a, b) => {
        const world = worldOf(nodes);
        const tracer = world.preciseRay() as Quake1PreciseTracer;
        const trace = tracer.trace(a, b);
        const reference = tracePrecise(tracer, a, b);
        expectSame(trace.startSolid, reference.startsOutside);
        expectBelow(Math.abs(trace.fraction - reference.time), ROUNDING);
        expectSame(world.pathUnblocked(a, b), !(trace.startSolid || trace.fraction < 1), moving(a, b));
        expectSame(tracer.blocked(a, b), !world.pathUnblocked(a, b), moving(a, b));
        // Of a hit in the very last moment, one may see nothing.
        const first = Math.min(trace.fraction, reference.time);
        if (first < 1 && first > 1 - ROUNDING) return;
        expectSame(pathUnblocked(nodesOf(world), a, b), world.pathUnblocked(a, b), moving(a, b));
      }),
      runs(500),
    );
  });

  it('answer short moves as before once a clearing is known where they start', () => {
    const by = fc.constantFrom(0, 0.01, -0.01, 0.6, -0.6, 1, -1, 20);
    fc.assert(
      fc.property(tree, point, fc.tuple(by, by, by), fc.boolean(), (nodes, start, way, water) => {
        const end = start.map((x, k) => x + way[k]!);
        const tracer = worldOf(nodes).preciseRay({ water });
        const { endPos, normal, localEnd, ...rest } = tracer.trace(start, end);
        for (let k = 0; k < 30; k++)
          expectSame(tracer.blocked(start, end), rest.startSolid || rest.fraction < 1, moving(start, end));
        const later = tracer.trace(start, end);
        expectFields(later, rest);
        expectSame(
          [...later.endPos, ...later.normal, ...later.localEnd],
          [...endPos, ...normal, ...localEnd],
        );
      }),
      runs(500),
    );
  });

  it('answer as before where a plane only claims to be axial: hulls go by the axis, rays by the normal', () => {
    const world = worldOf({ plane: { normal: [0, 1, 0], dist: 0, type: 0 }, front: -1, back: -2 });
    const tracer = world.preciseRay();
    for (const [x, y] of [
      [20, -20],
      [-20, 20],
    ] as const) {
      for (let k = 0; k < 30; k++) {
        expectSame(tracer.blocked([x, y, 20], [x + 1, y, 20]), y < 0);
        expectSame(world.hull(0).blocked([x, y, 20], [x + 1, y, 20]), x < 0);
      }
    }
  });

  it('look for clearings where short moves often start', () => {
    const looked = clearingsLookedFor(() => {
      const world = createQuake1World(readQuake1(arenaQuake1()));
      return { tracer: world.preciseHull(1), areas: () => world._memory.clearings[1]?.areas.size ?? 0 };
    });
    expect(looked).toEqual(LOOKED_FOR);
  });

  it('go 1/32 farther than the hull trace, along the normal of the plane that both hit', () => {
    let compared = 0;
    let apart = 0;
    const ray = room.preciseRay();
    fc.assert(
      fc.property(point, point, (a, b) => {
        const hull = room.hull(0).trace(a, b);
        const { fraction, normal, plane, startSolid } = ray.trace(a, b);
        if (hull.startSolid || startSolid || hull.plane !== plane || plane < 0) return;
        const along = [0, 1, 2].reduce((sum, k) => sum + normal[k]! * (b[k]! - a[k]!), 0);
        // From nearer than 1/32, the hull does not move at all.
        if (fraction * Math.abs(along) < EPSILON) return;
        compared++;
        if (Math.abs((fraction - hull.fraction) * Math.abs(along) - EPSILON) > 2e-3) apart++;
      }),
      runs(1000),
    );
    // Near an edge, where an earlier plane cuts the move short of the wall, the two may differ.
    expect(compared).toBeGreaterThan(150);
    expect(apart / compared).toBeLessThan(0.02);
  });

  it('distinguish a start in solid from a hit at once', () => {
    const ray = room.preciseRay();
    expect(ray.trace([70, 40, 0], [40, 40, 0])).toMatchObject({
      startSolid: true,
      allSolid: false,
      fraction: 0,
      plane: -1,
    });
    expect(ray.trace([70, 40, 0], [80, 40, 0])).toMatchObject({
      startSolid: true,
      allSolid: true,
      fraction: 0,
    });
    const hit = ray.trace([40, 40, 0], [88, 40, 0]);
    expect(hit).toMatchObject({ startSolid: false, fraction: 0.5, contents: -2, model: 0, dist: -64 });
    expect([...hit.endPos]).toEqual([64, 40, 0]);
    expect([...hit.normal]).toEqual([-1, 0, 0]);
  });

  it('along a wall, from it or up to it are not stopped by it', () => {
    const ray = room.preciseRay();
    // On the plane of the greater wall, a point is behind it, in the room; on that of the lesser wall, it is in the wall.
    expect(ray.blocked([64, 40, 0], [64, 50, 10])).toBe(false);
    expect(ray.blocked([-64, 40, 0], [-64, 50, 10])).toBe(true);
    expect(ray.blocked([-64, 40, 0], [0, 40, 0])).toBe(false);
    expect(ray.blocked([0, 40, 0], [-64, 40, 0])).toBe(false);
    expect(ray.blocked([64, 40, 0], [65, 40, 0])).toBe(true);
    expect(ray.trace([40, 40, 0], [40, 40, 0])).toMatchObject({ fraction: 1, startSolid: false });
  });

  it('through an edge of two solids go one way', () => {
    const box = worldOf(solidBox([-8, -8, -8], [8, 8, 8]));
    expect(box.preciseRay().blocked([16, 0, 0], [0, 16, 0])).toBe(false);
    expect(box.preciseRay().blocked([16, -0.001, 0], [-0.001, 16, 0])).toBe(true);
  });

  it('move with their model', () => {
    const ray = room.model(1).preciseRay({ origin: [10, 0, 0] });
    expect(ray.trace([-40, 0, 0], [40, 0, 0]).endPos[0]).toBe(6);
    expect(ray.place({ origin: [0, 0, 0] }).trace([-40, 0, 0], [40, 0, 0]).endPos[0]).toBe(-4);
  });
});

describe('precise hulls', () => {
  const arena = createQuake1World(readQuake1(arenaQuake1()));

  it('equal the note in the tree of their hull', () => {
    for (const tracer of [
      room.preciseHull(1, { epsilon: 0 }),
      room.preciseHull(2, { epsilon: 0 }),
      room.model(1).preciseHull(1, { epsilon: 0, origin: [10, 0, 0] }),
    ]) {
      fc.assert(
        fc.property(point, point, (a, b) => {
          const trace = tracer.trace(a, b);
          const reference = tracePrecise(tracer as Quake1PreciseTracer, a, b);
          expectSame(trace.startSolid, reference.startsOutside);
          expect(trace.fraction).toBeCloseTo(reference.time, 12);
          expectSame(trace.plane, reference.time < 1 && !trace.startSolid ? reference.plane : -1);
          expectSame(tracer.blocked(a, b), trace.startSolid || trace.fraction < 1, moving(a, b));
        }),
        runs(300),
      );
    }
    expect(room.preciseHull(0, { epsilon: 0 }).shape).toEqual({ kind: 'ray' });
    expect(room.preciseHull(1).shape).toEqual(room.hull(1).shape);
  });

  it('stop 1/32 before what they hit, or as far as options say', () => {
    const move = [
      [0, -256, 100],
      [0, -256, -100],
    ] as const;
    const tracer = arena.preciseHull(1);
    expect(tracer.trace(...move).endPos[2]).toBe(24 + SURFACE_EPSILON);
    expect(tracer.set({ epsilon: 0 }).trace(...move).endPos[2]).toBe(24);
    expect(tracer.set({ epsilon: 1 / 8 }).trace(...move).endPos[2]).toBe(24.125);
    expect(arena.preciseRay({ epsilon: 1 }).trace(...move).endPos[2]).toBe(1);
    // Along the normal, not along the move.
    expect(tracer.trace([0, -256, 100], [200, -256, -100]).endPos[2]).toBeCloseTo(24.125, 5);
    // From nearer than that, it does not move at all.
    const near = tracer.trace([0, -256, 24.0625], [0, -256, 0]);
    expect([near.fraction, near.startSolid, near.endPos[2]]).toEqual([0, false, 24.0625]);
  });

  it('never leave their move, even where it only crosses a plane by rounding', () => {
    const normal = [0.6, Math.fround(-0.48), 0.64].map(Math.fround) as [number, number, number];
    const tracer = worldOf({ plane: { normal, dist: 296.36, type: 3 }, front: -1, back: -2 }).preciseHull(0, {
      epsilon: SURFACE_EPSILON,
    });
    const [x, y, z] = normal;
    const random = createRandom(seedOf(5));
    /** Somewhere on the plane, or along it, as exactly as doubles can be. */
    const alongPlane = (reach: number, dist: number): number[] => {
      const [a, b] = [between(random, -reach, reach), between(random, -reach, reach)];
      return [a, b, (dist - x * a - y * b) / z];
    };
    let hits = 0;
    for (let k = 0; k < 20_000; k++) {
      const start = alongPlane(600, Math.fround(296.36));
      const way = alongPlane(200, 0);
      const { fraction, plane } = tracer.trace(
        start,
        start.map((c, axis) => c + way[axis]!),
      );
      if (plane >= 0) hits++;
      expectSame(fraction >= 0 && fraction <= 1, true, `fraction ${fraction} from ${start} by ${way}`);
    }
    expect(hits).toBeGreaterThan(30);
  });

  it("are not stopped by rounding, as the engine's are where a move passes an edge", () => {
    const start = [-207.85540771484375, -128.6227569580078, 326.6408386230469];
    const end = [86.37782287597656, -484.5877990722656, 282.3023986816406];
    expect(arena.hull(1).trace(start, end).fraction).toBeCloseTo(0.1216, 4);
    expect(arena.preciseHull(1).trace(start, end)).toMatchObject({ fraction: 1, startSolid: false });
    // Nothing is in the way.
    for (let k = 0; k <= 4096; k++) {
      const at = start.map((x, axis) => x + (k / 4096) * (end[axis]! - x));
      expectSame(arena.hullContents(1, at), -1);
    }
  });

  it("go as far as the engine's nearly everywhere", () => {
    const [hull, precise] = [arena.hull(1), arena.preciseHull(1)];
    const { mins, maxs } = arena.bounds;
    const inside = fc.tuple(
      ...[0, 1, 2].map((k) => fc.integer({ min: Math.ceil(mins[k]!), max: Math.floor(maxs[k]!) })),
    );
    let compared = 0;
    let apart = 0;
    fc.assert(
      fc.property(inside, inside, (a, b) => {
        const faithful = hull.trace(a, b);
        const exact = precise.trace(a, b);
        if (faithful.startSolid || exact.startSolid) return;
        compared++;
        const length = Math.hypot(...[0, 1, 2].map((k) => b[k]! - a[k]!));
        if (Math.abs(faithful.fraction - exact.fraction) * length > 1) apart++;
      }),
      runs(1000),
    );
    expect(compared).toBeGreaterThan(200);
    expect(apart / compared).toBeLessThan(0.02);
  });

  it('say what they hit', () => {
    const move = [
      [0, -256, 100],
      [400, -256, 24.5],
    ] as const;
    // An answer that was written for another hull before.
    const out = Object.assign(createHullTrace(), { hull: 2 });
    const trace = arena.preciseHull(1).trace(...move, out);
    expect(trace.hull).toBe(1);
    expect(surfaceAt(arena, trace)).toEqual(surfaceAt(arena, arena.hull(1).trace(...move)));
  });

  it('are changed as a whole, even where a getter throws', () => {
    const pool = worldOf({ plane: across(2, 0), front: -1, back: -3 });
    const tracer = pool.preciseHull(0, { epsilon: 1 });
    const answers = () => ({ ...tracer.trace([0, 0, 9], [0, 0, -9]) });
    const settings = { epsilon: 3, water: false, slime: false, lava: false, sky: false };
    // Without water in the way, the epsilon would not show.
    tracer.set({ water: false });
    expectAllOrNothing({ ...settings, water: true }, (changes) => tracer.set(changes), answers);
    tracer.set({ epsilon: 1, water: false });
    expectAllOrNothing(settings, (changes) => tracer.set(changes), answers);
  });

  it('refuse invalid arguments', () => {
    expect(() => room.preciseHull(3)).toThrow(RangeError);
    expect(() => room.preciseHull(1, { epsilon: -1 })).toThrow(/epsilon/);
    expect(() => room.preciseHull(1, { rules: 'quake1' } as object)).toThrow(/no option 'rules'/);
    const tracer = room.preciseHull(1);
    expect(() => tracer.set({ epsilon: 1, water: 5 } as object)).toThrow(/water/);
    expect(tracer.trace([40, 0, 0], [80, 0, 0]).endPos[0]).toBe(48 - SURFACE_EPSILON);
  });
});

describe('the note', () => {
  const { pointLocate, pointIsInside, sphereIsInside, rayIntersect, pathUnblocked } = createNote(room);

  it('answers under its own names', () => {
    expect(pointLocate([40, 40, 0])).toBe(room.leaf([40, 40, 0]));
    expect([pointIsInside([40, 40, 0]), pointIsInside([0, 0, 0])]).toEqual([true, false]);
    expect([sphereIsInside([40, 40, 0], 20), sphereIsInside([40, 40, 0], 30)]).toEqual([true, false]);
    expect([pathUnblocked([40, 0, 0], [40, 40, 0]), pathUnblocked([40, 0, 0], [-40, 0, 0])]).toEqual([
      true,
      false,
    ]);
  });

  it('has rays that begin and end at given times', () => {
    const hit = rayIntersect([40, 40, 0], [2, 0, 0], 1, 100);
    expect(hit.time).toBeCloseTo(12, 12);
    expect(hit.plane).toBe(room.preciseRay().trace([40, 40, 0], [90, 40, 0]).plane);
    expect(rayIntersect([40, 40, 0], [2, 0, 0], 1, 10)).toEqual({
      time: 10,
      plane: -1,
      startsOutside: false,
    });
    expect(rayIntersect([40, 40, 0], [2, 0, 0], 20, 30)).toEqual({
      time: 20,
      plane: -1,
      startsOutside: true,
    });
    expect(rayIntersect([40, 40, 0], [0, 0, 0], 0, 1).time).toBe(1);
    // As far as numbers go: farther, it is the time that is wrong, not the ends of some move.
    expect(rayIntersect([40, 40, 0], [1, 0, 0], 0, 3e38).time).toBeCloseTo(24, 12);
    const reaches = 'must be a time at which the ray is where float32 reaches, got';
    expect(() => rayIntersect([40, 40, 0], [2, 0, 0], 0, 3e38)).toThrow(
      new RangeError(`max ${reaches} 3e+38`),
    );
    expect(() => rayIntersect([40, 40, 0], [2, 0, 0], -3e38, 0)).toThrow(
      new RangeError(`min ${reaches} -3e+38`),
    );
  });

  it('has rays whose time is exactly the last one where nothing stops them', () => {
    const random = createRandom(seedOf(1));
    for (let k = 0; k < 200; k++) {
      const [min, max] = [between(random, -5, 0) / 3, between(random, 0, 5) / 3];
      const { time, plane } = rayIntersect([40, 40, 0], [0, 0, 1], min, max);
      expect({ time, plane }).toEqual({ time: max, plane: -1 });
    }
  });
});

describe('boxes', () => {
  const f = Math.fround;

  /** The engine's recursion (SV_FindTouchedLeafs, BoxOnPlaneSide), without its limit of 16 leafs. */
  function touched(nodes: ReferenceTree, node: number, mins: number[], maxs: number[]): number[] {
    if (node < 0) return nodes.contents(node) === -2 ? [] : [nodes.leaf(node)];
    const { normal, dist, type } = nodes.plane(node);
    let sides = 0;
    if (type < 3) sides = dist <= mins[type]! ? 1 : dist >= maxs[type]! ? 2 : 3;
    else {
      const sum = (far: boolean): number =>
        normal.reduce((total, n, k) => f(total + f(n * (n < 0 === far ? mins : maxs)[k]!)), 0);
      if (sum(true) >= dist) sides |= 1;
      if (sum(false) < dist) sides |= 2;
    }
    return [0, 1].flatMap((side) =>
      sides & (1 << side) ? touched(nodes, nodes.child(node, side), mins, maxs) : [],
    );
  }

  const extent = fc.tuple(...[0, 1, 2].map(() => fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80 }))));

  it('touch the leafs that the engine finds for an entity, in its order', () => {
    const out = new Int32Array(64);
    fc.assert(
      fc.property(tree, point, extent, (nodes, at, size) => {
        const file = makeFile([{ nodes }]);
        // More solid leafs than the one that all share.
        for (let leaf = 1; leaf < file.leafs.count; leaf += 3) file.leafs.contents[leaf] = -2;
        const world = createQuake1World(file);
        const mins = at.map((x) => f(x));
        const maxs = mins.map((x, k) => f(x + size[k]!));
        const leafs = touched(nodesOf(world), world._memory.places.nodes.first, mins, maxs);
        expectSame(world.boxLeafs(mins, maxs), leafs);
        expectSame(world.boxLeafs(mins, maxs, out), leafs.length);
        expectSame(Array.from(out.subarray(0, leafs.length)), leafs);
      }),
    );
  });

  it('leave out what is solid, and refuse corners that are wrong', () => {
    expect(room.boxLeafs([-1e4, -1e4, -1e4], [1e4, 1e4, 1e4])).not.toContain(0);
    expect(() => room.boxLeafs([0, 0, 1], [0, 0, 0])).toThrow(RangeError);
    expect(() => room.boxLeafs([0, 0, 0], [0, 0, 0], [] as unknown as Int32Array)).toThrow(
      new TypeError('out must be an Int32Array, got an array'),
    );
  });
});

describe('sight', () => {
  const file = makeFile([
    {
      nodes: boxTree([-8, -8, -8], [8, 8, 8], {
        plane: across(0, 0),
        front: -1,
        back: { plane: across(1, 0), front: -1, back: -1 },
      }),
    },
  ]);
  // Leafs 1, 2, 3; leaf 1 sees itself and 3, leaf 2 all, leaf 3 has no row.
  const vised = createQuake1World({
    ...file,
    visibility: Uint8Array.of(0b101, 0b111),
    leafs: { ...file.leafs, visOffsets: Int32Array.of(-1, 0, 1, -1) },
  });

  it('depends on the rows of the leafs', () => {
    const seen = [1, 2, 3].map((from) => [1, 2, 3].map((to) => vised.visible(from, to)));
    expect(seen).toEqual([
      [true, false, true],
      [true, true, true],
      [true, true, true],
    ]);
    expect([vised.visible(0, 2), vised.visible(1, 0)]).toEqual([true, false]);
    expect(() => vised.visible(4, 1)).toThrow(/from/);
    expect(() => vised.visible(1, -1)).toThrow(/to/);
  });

  it('needs both the row and a free path', () => {
    const [one, two, three] = [
      [4, 4, 0],
      [-4, 4, 0],
      [-4, -4, 0],
    ] as const;
    expect([vised.leaf(one), vised.leaf(two), vised.leaf(three)]).toEqual([1, 2, 3]);
    expect(vised.pathUnblocked(one, two)).toBe(true);
    expect(vised.sight(one, two)).toBe(false);
    expect(vised.sight(two, one)).toBe(true);
    expect(vised.sight(one, three)).toBe(true);
    expect(vised.sight(one, [20, 4, 0])).toBe(false);
    expect(room.sight([40, 0, 0], [-40, 0, 0])).toBe(false);
    expect(room.sight([40, 40, 0], [-40, 40, 0])).toBe(true);
  });

  it('from a wall depends only on the ray', () => {
    expect(vised.leaf([-8, -4, 0])).toBe(0);
    expect(vised.sight([4, 4, 0], [-8, -4, 0])).toBe(true);
  });
});
