import type { Vec3 } from '@bspkit/core';
import { between, createRandom, direction, type Vec } from '@bspkit/geometry';
import { createBody, createScene, withPose } from '@bspkit/scene';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  createEllipsoidBody,
  createEllipsoidTrace,
  createEllipsoidWorld,
  type Ellipsoid,
  ellipsoidsTouch,
  ellipsoidsTouchBySum,
  nearestOnEllipsoid,
  sweepEllipsoids,
} from '../src/index.ts';
import { boxFaces, pointIn, sourceOf } from './rooms.ts';

const radiiOf = (random: () => number): Vec => [0, 1, 2].map(() => between(random, 4, 40)) as Vec;

/**
 * Whether two ellipsoids have a point in common, computed in another way: for every share s between 0 and 1, the weighted sum of
 * both quadratic forms has a minimum that is easy to find; if that is above 1 for some share, there is no such point.
 */
function haveCommonPoint(a: Ellipsoid, b: Ellipsoid): number {
  let most = -Infinity;
  const least = (s: number): number => {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const gap = b.center[k]! - a.center[k]!;
      const [p, q] = [s / a.radii[k]! ** 2, (1 - s) / b.radii[k]! ** 2];
      sum += ((p * q) / (p + q)) * gap * gap;
    }
    return sum;
  };
  let [low, high] = [1e-12, 1 - 1e-12];
  for (let step = 0; step < 90; step++) {
    const [p, q] = [low + (high - low) / 3, high - (high - low) / 3];
    if (least(p) < least(q)) low = p;
    else high = q;
    most = Math.max(most, least(p), least(q));
  }
  return most;
}

describe('ellipsoids against each other', () => {
  it('touch when they have a point in common', () => {
    const random = createRandom(seedOf(1));
    let touching = 0;
    for (let k = 0; k < 1_000; k++) {
      const a: Ellipsoid = { center: pointIn(random, 40), radii: radiiOf(random) };
      const b: Ellipsoid = { center: pointIn(random, 40), radii: radiiOf(random) };
      const most = haveCommonPoint(a, b);
      if (Math.abs(most - 1) < 1e-9) continue;
      expect(ellipsoidsTouch(a, b)).toBe(most < 1);
      if (most < 1) touching++;
      // The document's test never misses.
      if (most < 1) expect(ellipsoidsTouchBySum(a, b)).toBe(true);
      // Concentric ellipsoids have no line between their centres.
      expect(ellipsoidsTouchBySum(a, { ...b, center: a.center })).toBe(true);
    }
    expect(touching).toBeGreaterThan(250);
    expect(touching).toBeLessThan(950);
  });

  it('meet when they first touch, to within 1e-9 of the move', () => {
    const random = createRandom(seedOf(2));
    let hits = 0;
    for (let k = 0; k < 300; k++) {
      const moving: Ellipsoid = { center: pointIn(random, 200), radii: radiiOf(random) };
      const other: Ellipsoid = { center: pointIn(random, 60), radii: radiiOf(random) };
      if (ellipsoidsTouch(moving, other)) continue;
      const aim = pointIn(random, 60);
      const end = [0, 1, 2].map((i) => 2 * other.center[i]! + aim[i]! - moving.center[i]!);
      const met = sweepEllipsoids(moving, end, other);
      const at = (time: number): Ellipsoid => ({
        radii: moving.radii,
        center: [0, 1, 2].map((i) => moving.center[i]! + time * (end[i]! - moving.center[i]!)),
      });
      if (met) {
        hits++;
        expect(haveCommonPoint(at(met.time - 1e-9), other)).toBeGreaterThan(1 - 1e-12);
        expect(haveCommonPoint(at(Math.min(1, met.time + 1e-9)), other)).toBeLessThan(1 + 1e-7);
      } else {
        for (let i = 0; i <= 10; i++) expect(haveCommonPoint(at(i / 10), other)).toBeGreaterThan(1 - 1e-9);
      }
    }
    expect(hits).toBeGreaterThan(100);
  });

  it.each([0.001, 0.01, 1])(
    'meet also where a plate %d thick falls along a needle and drifts towards it',
    (thickness) => {
      const other: Ellipsoid = { center: [0, 0, 0], radii: [0.01, 0.01, 1e6] };
      const radii: Vec3 = [1_000, 1_000, thickness];
      for (const drift of [1, 10]) {
        const moving: Ellipsoid = { center: [-1_000.01 - drift / 2, 0, 50_000], radii };
        const met = sweepEllipsoids(moving, [-1_000.01 + drift / 2, 0, -50_000], other);
        expect(met).toEqual({
          time: expect.closeTo(0.5, 3),
          normal: [expect.closeTo(-1, 5), 0, expect.any(Number)],
        });
        const inside: Ellipsoid = { center: [-999, 0, 50_000], radii };
        expect(sweepEllipsoids(inside, [-999 + drift, 0, -50_000], other)?.time).toBe(0);
        expect(sweepEllipsoids(inside, [-999 - drift, 0, -50_000], other)).toBe(undefined);
      }
    },
  );

  it('meet also where one as large as a map comes down on a pebble at a glancing angle', () => {
    const moving: Ellipsoid = { center: [-100, 0, 1e6 + 1], radii: [1e6, 1e6, 1e6] };
    const pebble: Ellipsoid = { center: [0, 0, 0], radii: [1, 1, 1] };
    // The root of x² / 2e6 = 0.002 t, where x = 200 t - 100.
    const time = (44 - Math.sqrt(44 * 44 - 1600)) / 80;
    const met = sweepEllipsoids(moving, [100, 0, 1e6 + 0.998], pebble);
    expect(met).toEqual({
      time: expect.closeTo(time, 5),
      normal: [expect.any(Number), 0, expect.closeTo(1, 6)],
    });
  });

  it('meet at once where they overlap and the move goes deeper, and not where it leads out', () => {
    const other: Ellipsoid = { center: [10, 20, 30], radii: [8, 16, 32] };
    const radii: Vec3 = [4, 6, 12];
    // Just inside, far inside, and from the very centre, from which the way out is up.
    for (const center of [
      [21.5, 20, 30],
      [13, 20, 30],
      [10, 20, 30],
    ] as Vec[]) {
      const isCentral = center[0] === 10;
      const [x, y, z] = center;
      const [deeper, out]: [Vec, Vec] = isCentral
        ? [
            [x, y, z - 100],
            [x, y, z + 100],
          ]
        : [
            [x - 100, y, z],
            [x + 100, y, z],
          ];
      const normal = isCentral ? [0, 0, 1] : [1, 0, 0];
      expect(sweepEllipsoids({ center, radii }, deeper, other), `${center}`).toEqual({ time: 0, normal });
      expect(sweepEllipsoids({ center, radii }, out, other), `${center}`).toBe(undefined);
    }
  });

  it('by the sum of radii are up to 7.7 units too far apart, for a player of radii 15, 15, 28', () => {
    const radii: Vec3 = [15, 15, 28];
    const random = createRandom(seedOf(3));
    let worst = 0;
    for (let k = 0; k < 1_000; k++) {
      const way = direction(random);
      const distanceBy = (test: typeof ellipsoidsTouch): number => {
        let [near, far] = [0, 100];
        for (let step = 0; step < 50; step++) {
          const middle = (near + far) / 2;
          const other = { center: way.map((x) => x * middle), radii };
          if (test({ center: [0, 0, 0], radii }, other)) near = middle;
          else far = middle;
        }
        return far;
      };
      const excess = distanceBy(ellipsoidsTouchBySum) - distanceBy(ellipsoidsTouch);
      expect(excess).toBeGreaterThan(-1e-6);
      worst = Math.max(worst, excess);
    }
    expect(worst).toBeGreaterThan(7.3);
    expect(worst).toBeLessThan(7.7);
  });

  it('have a point inside as its own nearest point, to the last bit', () => {
    const random = createRandom(seedOf(5));
    for (let k = 0; k < 500; k++) {
      const center = pointIn(random, 50);
      const point = center.map((x) => x + between(random, -5, 5)) as Vec;
      expect(nearestOnEllipsoid(center, [9, 10, 11], point)).toEqual(point);
    }
  });

  it.each([1e6, 1e30, 3e38])('have a nearest point for one that is %d units away', (away) => {
    for (const radii of [
      [0.001, 0.001, 0.001],
      [0.001, 1e6, 1],
    ]) {
      const near = nearestOnEllipsoid([0, 0, 0], radii, [away, 0, 0]);
      expect(near[0]! / 0.001).toBeCloseTo(1, 9);
      expect(near.slice(1)).toEqual([0, 0]);
    }
  });

  it('have a nearest point for a point straight out along the normal', () => {
    const random = createRandom(seedOf(4));
    for (let k = 0; k < 500; k++) {
      const center = pointIn(random, 50);
      const radii = radiiOf(random);
      const far = pointIn(random, 300);
      const near = nearestOnEllipsoid(center, radii, far);
      const on = near.reduce((sum, x, i) => sum + ((x - center[i]!) / radii[i]!) ** 2, 0);
      if (on < 1 - 1e-9) {
        expect(near).toEqual(far);
        continue;
      }
      expect(on).toBeCloseTo(1, 9);
      const normal = near.map((x, i) => (x - center[i]!) / radii[i]! ** 2);
      const away = far.map((x, i) => x - near[i]!);
      const [a, b] = [Math.hypot(...normal), Math.hypot(...away)];
      expect(normal.reduce((sum, x, i) => sum + (x / a) * (away[i]! / b), 0)).toBeCloseTo(1, 9);
    }
  });
});

describe('a body in a scene', () => {
  const world = createEllipsoidWorld(sourceOf(boxFaces([-200, -200, -200], [200, 200, 200], true)));

  it('is met where it is, and otherwise the walls behind it are', () => {
    const scene = createScene(world);
    const body = scene.add(createEllipsoidBody([16, 16, 28]), { origin: [100, 0, 0] });
    const tracer = scene.ellipsoid([16, 16, 28]);
    const trace = tracer.trace([0, 0, 0], [180, 0, 0]);
    expect([trace.entity, trace.endPos[0], ...trace.normal]).toEqual([body, 68, -1, 0, 0]);
    expect([trace.polygon, ...trace.point]).toEqual([-1, 84, 0, 0]);
    expect(trace).toMatchObject({ model: -1, texture: -1 });
    scene.move(body, { origin: [100, 100, 0] });
    const wall = tracer.trace([0, 0, 0], [250, 0, 0]);
    expect([wall.entity, wall.endPos[0]]).toEqual([0, 184]);
    expect(wall.polygon).toBeGreaterThanOrEqual(0);
    expect(wall).toMatchObject({ model: 0, texture: 0, contents: 1 });
    expect(scene.sphere(8).trace([0, 100, 0], [180, 100, 0]).endPos[0]).toBeCloseTo(76, 4);
  });

  it('is ignored if the tracer is told to, and otherwise kept at a distance of epsilon', () => {
    const scene = createScene(world);
    const body = scene.add(createEllipsoidBody([16, 16, 28]), { origin: [100, 0, 0] });
    const tracer = scene.ellipsoid([16, 16, 28], { epsilon: 2 });
    expect(tracer.trace([0, 0, 0], [180, 0, 0]).endPos[0]).toBe(66);
    tracer.set({ ignore: body });
    expect(tracer.trace([0, 0, 0], [250, 0, 0]).endPos[0]).toBe(182);
    expect(() => tracer.set({ radius: 8 })).toThrow(/radius/);
  });

  it('is met by tracers whose mask has its contents, and by no others', () => {
    const scene = createScene(world);
    const body = scene.add(createEllipsoidBody([16, 16, 28], { contents: 6 }), { origin: [100, 0, 0] });
    const own = createEllipsoidBody([16, 16, 28], { contents: 6 });
    for (const [mask, isMet] of [
      [undefined, true],
      [2, true],
      [4, true],
      [-7, false],
      [0, false],
    ] as const) {
      const { entity } = scene.ellipsoid([16, 16, 28], { mask }).trace([0, 0, 0], [250, 0, 0]);
      expect([mask, entity]).toEqual([mask, isMet ? body : 0]);
      for (const tracer of [own.sphere(8, { mask }), own.ellipsoid([8, 8, 8], { mask })]) {
        const trace = tracer.trace([0, 0, 50], [0, 0, 0]);
        expect([mask, trace.fraction < 1, trace.contents]).toEqual([mask, isMet, isMet ? 6 : 0]);
        expect([mask, tracer.trace([0, 0, 0], [0, 0, 1]).startSolid]).toEqual([mask, isMet]);
        expect([mask, tracer.blocked([0, 0, 50], [0, 0, 0])]).toEqual([mask, isMet]);
      }
    }
  });

  it('stays where it is where a pose has no origin', () => {
    const tracer = createEllipsoidBody([16, 16, 28]).sphere(8);
    tracer.place({ origin: [100, 0, 0] }).place({ angles: [0, 90, 0] });
    expect(tracer.trace([0, 0, 0], [200, 0, 0]).endPos[0]).toBeCloseTo(76, 4);
  });

  it('does not stop what passes it, which is answered as where nothing is met', () => {
    const body = createEllipsoidBody([16, 16, 28], { contents: 6 });
    for (const tracer of [body.sphere(8), body.ellipsoid([8, 8, 8])]) {
      tracer.place({ origin: [100, 0, 0] });
      const out = tracer.trace([0, 0, 0], [200, 0, 0]);
      expect([out.fraction < 1, out.contents]).toEqual([true, 6]);
      for (const [start, end] of [
        [
          [0, 50, 3],
          [200, 60, 7],
        ],
        [
          [200, 0, 0],
          [300, 0, 0],
        ],
        [
          [0, 0, 0],
          [50, 0, 0],
        ],
        [
          [0, 0, 0],
          [0, 0, 0],
        ],
        // As seen from the body, the end would be rounded.
        [
          [0, 50, 3],
          [Math.fround(1e-9), 60, 7],
        ],
        // Inside, but on the way out.
        [
          [110, 0, 0],
          [300, 1, 2],
        ],
      ] as const) {
        tracer.trace(start, end, out);
        expect([out.fraction, ...out.endPos], `${start} to ${end}`).toEqual([1, ...end]);
        expect([out.contents, out.dist, ...out.normal, ...out.point]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
        expect([out.startSolid, out.allSolid]).toEqual([start[0] === 110, false]);
      }
    }
  });

  it('is refused by name where it is not valid', () => {
    expect(() => createEllipsoidBody([16, 0, 28])).toThrow(/radii\[1\]/);
    expect(() => createEllipsoidBody([16, 16, 28], { contents: 0.5 })).toThrow(/contents/);
    expect(() => createScene(world).ellipsoid([1, -1, 1])).toThrow(/radii\[1\]/);
    expect(() => createEllipsoidBody([1, 1, 1]).sphere(Number.NaN)).toThrow(/radius/);
    expect(() =>
      createEllipsoidBody([1, 1, 1])
        .sphere(1)
        .place({ origin: [0, Number.NaN, 0] }),
    ).toThrow(/origin/);
  });
});

describe('a door in a scene', () => {
  const room = createEllipsoidWorld(sourceOf(boxFaces([-200, -200, -200], [200, 200, 200], true)));
  const door = createEllipsoidWorld(sourceOf(boxFaces([-8, -40, -40], [8, 40, 40])));

  it('is touched at a point of the scene, however far it has moved and turned', () => {
    const scene = createScene(room);
    const number = scene.add(door, { origin: [0, 0, 0] });
    const tracer = scene.sphere(16);
    const trace = tracer.createTrace();
    tracer.trace([-100, 3, 5], [100, 3, 5], trace);
    expect([trace.entity, ...trace.point]).toEqual([number, -8, 3, 5]);
    scene.move(number, { origin: [100, 20, 4] });
    tracer.trace([0, 3, 5], [180, 3, 5], trace);
    expect([trace.entity, ...trace.point]).toEqual([number, 92, 3, 5]);
    scene.move(number, { angles: [0, 90, 0] });
    tracer.trace([103, -100, 5], [103, 180, 5], trace);
    expect([trace.entity, ...trace.point]).toEqual([number, 103, 12, 5]);
    // The wall is where it always was, and what is free touches nothing.
    tracer.trace([0, -100, 5], [250, -100, 5], trace);
    expect([trace.entity, ...trace.point]).toEqual([0, 200, -100, 5]);
    tracer.trace([0, -100, 5], [10, -100, 5], trace);
    expect([trace.entity, ...trace.point]).toEqual([-1, 0, 0, 0]);
  });

  it('is touched where the end of the move says, at random', () => {
    const random = createRandom(seedOf(9));
    const scene = createScene(room);
    const number = scene.add(door);
    const tracer = scene.sphere(12);
    let hits = 0;
    for (let k = 0; k < 500; k++) {
      const angles = [0, 1, 2].map(() => between(random, 0, 360));
      scene.move(number, { origin: pointIn(random, 60), angles });
      const { entity, point, endPos, normal } = tracer.trace(pointIn(random, 180), pointIn(random, 60));
      if (entity !== number) continue;
      hits++;
      for (let i = 0; i < 3; i++) expect(point[i]).toBeCloseTo(endPos[i]! - 12 * normal[i]!, 3);
    }
    expect(hits).toBeGreaterThan(100);
  });
});

describe('a tracer that withPose has made', () => {
  const door = createEllipsoidWorld(sourceOf(boxFaces([-8, -40, -40], [8, 40, 40])));
  const at = { origin: [100, 0, 0] };

  it('says where it touches in the frame that it is asked in', () => {
    const trace = withPose(door.sphere(16)).place(at).trace([0, 3, 5], [180, 3, 5]);
    expect(Array.from(trace.point)).toEqual([92, 3, 5]);
  });

  it('leaves a point alone that is not its own', () => {
    const out = createEllipsoidTrace();
    out.point.set([1, 2, 3]);
    const body = createBody({ kind: 'sphere', radius: 8 });
    withPose(body.sphere(16)).place(at).trace([0, 0, 0], [180, 0, 0], out);
    expect([out.endPos[0], ...out.point]).toEqual([75.875, 1, 2, 3]);
  });
});
