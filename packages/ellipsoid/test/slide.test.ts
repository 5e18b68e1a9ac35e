import type { Polygon, PolygonSource } from '@bspkit/core';
import { between, createRandom, direction, type Vec } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it, vi } from 'vitest';
import {
  createEllipsoidWorld,
  createSlide,
  createTutorialReference,
  EllipsoidSlider,
  EllipsoidWorld,
  nearestOnEllipsoid,
} from '../src/index.ts';
import { leastOf, type Triangle, triangleDistance, trianglesOf, useTriangle } from './brute.ts';
import { ownMap } from './maps.ts';
import { boxFaces, pointIn, polygonOf, randomRoom, sourceOf } from './rooms.ts';

const room = createEllipsoidWorld(sourceOf(boxFaces([-100, -100, -100], [100, 100, 100], true)));

describe('a slide', () => {
  const slider = new EllipsoidSlider(room, [16, 16, 28], { gap: 0.5 });

  it('goes on along the wall that it meets, keeping the gap', () => {
    const { endPos, contacts, normals, polygons, remaining, pushed } = slider.slide([0, 0, 0], [200, 50, 0]);
    expect(Array.from(endPos)).toEqual([83.5, 50, 0]);
    expect([contacts, ...normals.subarray(0, 3), pushed]).toEqual([1, -1, 0, 0, 0]);
    expect(room.polygon(polygons[0]!).corners).toBe(4);
    expect(Array.from(remaining)).toEqual([0, 0, 0]);
  });

  it('goes on along the crease of two walls, and stops in the corner of three', () => {
    expect(Array.from(slider.slide([0, 0, 0], [200, 200, 40]).endPos)).toEqual([83.5, 83.5, 40]);
    const { endPos, contacts, remaining } = slider.slide([0, 0, 0], [200, 200, 200]);
    expect(Array.from(endPos)).toEqual([83.5, 83.5, 71.5]);
    expect([contacts, ...remaining]).toEqual([3, 0, 0, 0]);
  });

  it('returns what remains of the move when it has used up its contacts', () => {
    const once = new EllipsoidSlider(room, [16, 16, 28], { gap: 0.5, maxContacts: 1 });
    const { endPos, remaining } = once.slide([0, 0, 0], [167, 100, 0]);
    expect(endPos[0]).toBe(83.5);
    expect(Array.from(remaining)).toEqual([0, 50, 0]);
  });

  it('can be made only in worlds of this package, and answers where there is room', () => {
    // Maps' worlds keep their memory under the same name.
    const foreign = { _memory: room._memory } as EllipsoidWorld;
    const { tutorial, ellipsoid } = {
      tutorial: room.tutorial([1, 1, 1]),
      ellipsoid: room.ellipsoid([1, 1, 1]),
    };
    for (const Made of [
      EllipsoidSlider,
      tutorial.constructor,
      ellipsoid.constructor,
    ] as (typeof EllipsoidSlider)[]) {
      expect(() => new Made(foreign, [1, 1, 1])).toThrow(/world must be a world that createEllipsoidWorld/);
    }
    for (const name of ['endPos', 'remaining', 'normals', 'polygons'] as const) {
      const out = createSlide();
      Object.assign(out, { [name]: out[name].subarray(1) });
      expect(() => slider.slide([0, 0, 0], [200, 50, 0], out), name).toThrow(TypeError);
    }
  });

  it('goes all the way where nothing is in it, from anywhere', () => {
    const { endPos, contacts } = slider.slide([10, -20, 30], [-40, 60, -5]);
    expect([...endPos, contacts]).toEqual([-40, 60, -5, 0]);
  });

  it('first leaves what it overlaps', () => {
    const { endPos, pushed } = slider.slide([90, 0, 0], [90, 0, 0]);
    expect([endPos[0], pushed]).toEqual([83.5, 6.5]);
  });

  it('leaves a polygon that its centre is on to the front, as from just before it', () => {
    for (const x of [99.99999, 100]) {
      const { endPos, pushed } = slider.slide([x, 10, 0], [x, 20, 0]);
      expect([endPos[0], endPos[1], pushed]).toEqual([83.5, 20, expect.closeTo(16.5, 4)]);
    }
    // In a corner too, and where a polygon is not along an axis.
    expect(Array.from(slider.slide([100, -100, 100], [100, -100, 100]).endPos)).toEqual([83.5, -83.5, 71.5]);
    const slope = polygonOf([
      [-100, -100, -100],
      [100, -100, 100],
      [100, 100, 100],
      [-100, 100, -100],
    ]);
    const { endPos } = new EllipsoidSlider(createEllipsoidWorld(sourceOf([slope])), [6, 5, 8]).slide(
      [3, 2, 3],
      [3, 2, 3],
    );
    const away = (Math.sqrt(50) + 1 / 32) / Math.SQRT2;
    [3 - away, 2, 3 + away].forEach((at, i) => {
      expect(endPos[i]).toBeCloseTo(at, 5);
    });
  });

  it('leaves both sides of an acute corner, where each push out of one leads into the other', () => {
    for (const degrees of [40, 60, 80]) {
      const angle = (degrees * Math.PI) / 180;
      const [x, z] = [500 * Math.cos(angle), 500 * Math.sin(angle)];
      const sides = [
        [0, 500],
        [z, x],
      ].map(([height, away]) =>
        polygonOf([
          [0, -500, 0],
          [away!, -500, height!],
          [away!, 500, height!],
          [0, 500, 0],
        ]),
      );
      const world = createEllipsoidWorld(sourceOf(sides));
      // A ball that touches both sides has its centre this far from the edge, in the middle.
      const least = 16 / Math.sin(angle / 2);
      for (const depth of [0.1, 1, 3]) {
        const at = least - depth;
        const start = [at * Math.cos(angle / 2), 0, at * Math.sin(angle / 2)];
        const { endPos, pushed } = new EllipsoidSlider(world, [16, 16, 16]).slide(start, start);
        expect(pushed).toBeGreaterThan(0);
        expect([degrees, depth, world.sphere(16).blocked(endPos, endPos)]).toEqual([degrees, depth, false]);
      }
    }
  });

  it('may begin in its own answer', () => {
    const slide = createSlide();
    slide.endPos.set([0, 0, 0]);
    slider.slide(slide.endPos, [200, 0, 0], slide);
    slider.slide(slide.endPos, [200, 30, 0], slide);
    expect(Array.from(slide.endPos)).toEqual([83.5, 30, 0]);
  });

  it('goes all along a valley that it is pushed into, and climbs neither side', () => {
    const random = createRandom(seedOf(7));
    for (let k = 0; k < 30; k++) {
      const side = (x: number, angle: number): Polygon => {
        const z = Math.abs(x) * Math.tan(angle);
        const corners: Vec[] = [
          [0, -500, 0],
          [x, -500, z],
          [x, 500, z],
          [0, 500, 0],
        ];
        return polygonOf(x > 0 ? corners : corners.reverse());
      };
      const sides = [side(-500, between(random, 0.05, 1.3)), side(500, between(random, 0.05, 1.3))];
      const world = createEllipsoidWorld(sourceOf(sides));
      const mover = new EllipsoidSlider(
        world,
        [0, 0, 0].map(() => between(random, 4, 30)),
      );
      const into = [between(random, 0.5, 5), between(random, 0.5, 5)];
      const slide = createSlide();
      slide.endPos.set([0, 0, 200]);
      const move = (frames: number, pushes: number, along: number): void => {
        for (let frame = 0; frame < frames; frame++) {
          const end = slide.endPos.map(
            (x, i) => x - pushes * (into[0]! * sides[0]!.normal[i]! + into[1]! * sides[1]!.normal[i]!),
          );
          end[1]! += along;
          mover.slide(slide.endPos, end, slide);
        }
      };
      const along = between(random, -4, 4);
      move(60, 50, 0);
      move(2, 1, along);
      const [x, y, z] = slide.endPos;
      move(10, 1, along);
      expect(slide.endPos[1]! - y!).toBeCloseTo(10 * along, 2);
      expect(Math.hypot(slide.endPos[0]! - x!, slide.endPos[2]! - z!)).toBeLessThan(0.01);
    }
  });

  it('never ends in anything, in random rooms', () => {
    const random = createRandom(seedOf(2));
    for (let k = 0; k < 6; k++) {
      const polygons = randomRoom(100 + k);
      const triangles = trianglesOf(polygons);
      const world = createEllipsoidWorld(sourceOf(polygons));
      const radii = [between(random, 4, 20), between(random, 4, 20), between(random, 4, 30)].map(Math.fround);
      const mover = new EllipsoidSlider(world, radii);
      const tracer = world.ellipsoid(radii);
      const slide = createSlide();
      for (let move = 0; move < 50; move++) {
        const start = pointIn(random, 400).map(Math.fround);
        if (tracer.blocked(start, start)) continue;
        const way = direction(random);
        const length = between(random, 1, 600);
        mover.slide(
          start,
          start.map((x, i) => x + length * way[i]!),
          slide,
        );
        expect(scaledDistance(triangles, slide.endPos, radii)).toBeGreaterThan(1 - 1e-4);
      }
    }
  });
});

function scaledDistance(
  triangles: readonly Triangle[],
  at: ArrayLike<number>,
  radii: readonly number[],
): number {
  let least = Infinity;
  for (const triangle of triangles) {
    useTriangle(triangle, radii);
    least = Math.min(least, triangleDistance(at[0]! / radii[0]!, at[1]! / radii[1]!, at[2]! / radii[2]!));
  }
  return least;
}

/**
 * How far outside an ellipsoid a triangle is: the distance is convex over it, so the minimum is found by narrowing in both
 * directions.
 */
function bruteDistance({ corners }: Triangle, center: readonly number[], radii: readonly number[]): number {
  // For millions of points: none gets arrays of its own.
  const [a, b, point] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  const from = (): number => {
    const on = nearestOnEllipsoid(center, radii, point);
    return Math.hypot(point[0]! - on[0]!, point[1]! - on[1]!, point[2]! - on[2]!);
  };
  const least = (distance: (share: number) => number): number => distance(leastOf(distance, 1, 0));
  const across = (share: number): number => {
    for (let k = 0; k < 3; k++) point[k] = a[k]! + share * (b[k]! - a[k]!);
    return from();
  };
  return least((share) => {
    for (let k = 0; k < 3; k++) {
      a[k] = corners[k]! + share * (corners[3 + k]! - corners[k]!);
      b[k] = corners[k]! + share * (corners[6 + k]! - corners[k]!);
    }
    return least(across);
  });
}

describe('distances', () => {
  it('of points match those found by brute force', () => {
    const random = createRandom(seedOf(3));
    const polygons = randomRoom(7);
    const triangles = trianglesOf(polygons);
    const world = createEllipsoidWorld(sourceOf(polygons));
    for (let k = 0; k < 200; k++) {
      const at = pointIn(random, 600);
      const found = world.closest(at)!;
      expect(found.distance).toBeCloseTo(scaledDistance(triangles, at, [1, 1, 1]), 9);
      expect(Math.hypot(...found.point.map((x, i) => x - at[i]!))).toBeCloseTo(found.distance, 9);
      expect(scaledDistance(triangles, found.point, [1, 1, 1])).toBeCloseTo(0, 9);
      expect(world.closest(at, found.distance * 0.999)).toBeUndefined();
      expect(world.closest(at, found.distance)).toEqual(found);
    }
  });

  it('of ellipsoids: moved by that much they touch, moved by less they do not', () => {
    const random = createRandom(seedOf(4));
    const polygons = randomRoom(8);
    const world = createEllipsoidWorld(sourceOf(polygons));
    let free = 0;
    for (let k = 0; k < 60; k++) {
      const center = pointIn(random, 460);
      const radii = [between(random, 4, 20), between(random, 4, 20), between(random, 4, 40)];
      const found = world.distance(center, radii)!;
      const tracer = world.ellipsoid(radii);
      if (found.distance === 0) {
        expect(tracer.blocked(center, center)).toBe(true);
        continue;
      }
      free++;
      const way = found.point.map((x, i) => (x - found.from[i]!) / found.distance);
      expect(Math.hypot(...way)).toBeCloseTo(1, 6);
      const moved = (by: number): number[] => center.map((x, i) => x + by * way[i]!);
      expect(tracer.blocked(center, moved(found.distance + 0.01))).toBe(true);
      expect(tracer.blocked(center, moved(found.distance - 0.01))).toBe(false);
      // No other direction is shorter.
      for (let other = 0; other < 20; other++) {
        const elsewhere = direction(random);
        const to = center.map((x, i) => x + (found.distance - 0.01) * elsewhere[i]!);
        expect(tracer.blocked(center, to)).toBe(false);
      }
    }
    expect(free).toBeGreaterThan(20);
  });

  it('of flat, long and round ellipsoids match those found by brute force', () => {
    const random = createRandom(seedOf(5));
    const polygons = randomRoom(9);
    const triangles = trianglesOf(polygons);
    const world = createEllipsoidWorld(sourceOf(polygons));
    let free = 0;
    for (let k = 0; k < 30; k++) {
      const center = pointIn(random, 460);
      const sizes = [between(random, 0.01, 1), between(random, 1, 30), between(random, 1, 200)];
      const radii = [0, 1, 2].map((axis) => sizes[(axis + k) % 3]!);
      if (k % 4 === 0) radii.fill(sizes[1]!);
      const found = world.distance(center, radii)!;
      const deepest = scaledDistance(triangles, center, radii);
      expect(found.distance === 0).toBe(deepest <= 1);
      if (found.distance === 0) {
        // The point is where it reaches deepest.
        expect(found.from).toEqual(found.point);
        const scaled = found.point.map((x, axis) => (x - center[axis]!) / radii[axis]!);
        expect(Math.hypot(...scaled)).toBeCloseTo(deepest, 9);
        continue;
      }
      free++;
      expect(world.distance(center, radii, found.distance)).toEqual(found);
      let least = Infinity;
      for (const triangle of triangles) {
        // None is nearer than its distance from the centre less the largest radius.
        const beyond = scaledDistance([triangle], center, [1, 1, 1]) - Math.max(...radii);
        if (beyond < least) least = Math.min(least, bruteDistance(triangle, center, radii));
      }
      expect(found.distance).toBeCloseTo(least, 7);
      expect(Math.hypot(...found.point.map((x, axis) => x - found.from[axis]!))).toBeCloseTo(least, 7);
      // One point is on a polygon, the other on the ellipsoid.
      expect(scaledDistance(triangles, found.point, [1, 1, 1])).toBeCloseTo(0, 7);
      const scaled = found.from.map((x, axis) => (x - center[axis]!) / radii[axis]!);
      expect(Math.hypot(...scaled)).toBeCloseTo(1, 7);
    }
    expect(free).toBeGreaterThan(12);
  });

  it.each([1e6, 1e12, 1e18, 1e24, 1e30, 3e38])('from %d units away', (away) => {
    const random = createRandom(seedOf(6));
    const far = createEllipsoidWorld(sourceOf(randomRoom(10)));
    const ways = [
      [1, 0, 0],
      [1, 1, -1],
      [-1, 0.5, 0],
      ...Array.from({ length: 20 }, () => direction(random)),
    ];
    for (const way of ways) {
      const center = way.map((x, axis) => x * away + 100 * axis);
      const length = Math.hypot(...center);
      for (const radii of [
        [16, 16, 28],
        [0.001, 0.001, 0.001],
        [0.001, 100, 1],
      ]) {
        // The room is less than 1,000 units around the origin.
        const error = 1000 + Math.max(...radii) + 1e-12 * away;
        expect(Math.abs(far.distance(center, radii)!.distance - length)).toBeLessThan(error);
      }
      expect(Math.abs(far.closest(center)!.distance - length)).toBeLessThan(1000 + 1e-12 * away);
    }
  });

  it('only within some distance', () => {
    expect(room.closest([0, 0, 0], 99)).toBeUndefined();
    expect(room.closest([0, 0, 0], 100)?.distance).toBe(100);
    expect(room.distance([0, 0, 0], [16, 16, 28], 71)).toBeUndefined();
    expect(room.distance([0, 0, 0], [16, 16, 28], 72)?.distance).toBeCloseTo(72, 9);
  });
});

describe('wrong arguments', () => {
  const triangle = polygonOf([
    [0, 0, 0],
    [10, 0, 0],
    [0, 10, 0],
  ]);

  it('are refused by name', () => {
    expect(() => room.ellipsoid([16, 16, 0])).toThrow(/^radii\[2\] must be a radius/);
    expect(() => room.ellipsoid([16, -1, 28])).toThrow(RangeError);
    expect(() => room.sphere(8).set({ radius: 0 })).toThrow(/radius/);
    expect(() => room.tutorial([0, 1, 1])).toThrow(/radii\[0\]/);
    expect(() => new EllipsoidSlider(room, [1, 1, 1], { gap: 0 })).toThrow(/gap/);
    expect(() => new EllipsoidSlider(room, [1, 1, 1], { maxContacts: 17 })).toThrow(/maxContacts/);
    expect(() => new EllipsoidSlider({} as never, [1, 1, 1])).toThrow(/world/);
    expect(() => room.polygon(6)).toThrow(/polygon/);
    expect(() => createEllipsoidWorld({} as never)).toThrow(
      "source.polygons must be a function; for a map, pass format.polygons(map), with the format from bspkit's formatOf(map), got undefined",
    );
    expect(() => createEllipsoidWorld(sourceOf([triangle]), { broken: 'keep' as never })).toThrow(/broken/);
    const source = sourceOf([triangle]);
    for (const numLeafs of [-1, 0.5, Number.NaN, Infinity, 1e30, 2 ** 24 + 1]) {
      const wrong = { ...source, numLeafs };
      const what = `source.numLeafs must be a whole number from 0 to 16777216, got ${numLeafs}`;
      expect(() => createEllipsoidWorld(wrong)).toThrow(new RangeError(what));
      expect(() => EllipsoidWorld.from(createEllipsoidWorld(source).data, wrong)).toThrow(RangeError);
    }
    for (const numLeafs of [undefined, null, '1']) {
      const wrong = { ...source, numLeafs } as never;
      expect(() => createEllipsoidWorld(wrong)).toThrow(TypeError);
      expect(() => createEllipsoidWorld(wrong)).toThrow('source.numLeafs must be a whole number');
    }
    for (const [own, fault] of [
      ...[undefined, null].map((own) => [own, ` must be an array of polygons, got ${own}`] as const),
      [{}, ' must be an array of polygons, got an object'],
      ['x', " must be an array of polygons, got 'x'"],
      [[triangle, undefined], '[1] must be a polygon, got undefined'],
      [new Array(1), '[0] must be a polygon, got undefined'],
      [[{}], '[0] must be a polygon, got an object'],
      [[{ vertices: [0] }], '[0] must be a polygon, got an object'],
    ] as const) {
      const wrong = { ...source, leafPolygons: () => own } as never;
      expect(() => createEllipsoidWorld(wrong)).toThrow(new TypeError(`source.leafPolygons(0)${fault}`));
    }
    expect(createEllipsoidWorld({ ...source, numLeafs: 0 }).numPolygons).toBe(1);
  });

  it('change nothing', () => {
    const tracer = room.ellipsoid([16, 16, 28]);
    expect(() => tracer.set({ radii: [8, 8, 8], epsilon: -1 })).toThrow(/epsilon/);
    expect(tracer.trace([0, 0, 0], [200, 0, 0]).endPos[0]).toBe(84);
    expect(tracer.set({ radii: [8, 8, 8], epsilon: 1 }).trace([0, 0, 0], [200, 0, 0]).endPos[0]).toBe(91);
    // A ball stays a ball.
    const ball = room.sphere(8);
    expect(() => ball.set({ radii: [1, 2, 3] })).toThrow("there is no option 'radii' here");
    expect(ball.set({ radius: 4 }).shape).toEqual({ kind: 'sphere', radius: 4 });
    const out = { ...createSlide(), polygons: [] };
    const slider = new EllipsoidSlider(room, [1, 1, 1]);
    expect(() => slider.slide([0, 0, 0], [1, 0, 0], out as never)).toThrow('an answer made by createSlide');
  });

  it.each(['texture', 'contents', 'surface'])(
    'a polygon whose %s is not of 32 bits is refused by name',
    (field) => {
      for (const value of [undefined, null, NaN, 0.5, 2 ** 33, '1', Symbol('one'), 1n]) {
        const polygons = boxFaces([-1, -1, -1], [1, 1, 1]);
        Object.assign(polygons[4]!, { [field]: value });
        expect(() => createEllipsoidWorld(sourceOf(polygons))).toThrow(`polygons()[4].${field}`);
      }
    },
  );

  it('polygons are met alike whether their corners come once or twice, and in line or not', () => {
    const square = polygonOf([
      [-50, -50, 0],
      [50, -50, 0],
      [50, 50, 0],
      [-50, 50, 0],
    ]);
    const corners = Array.from({ length: 4 }, (_, k) => [...square.vertices.slice(3 * k, 3 * k + 3)]);
    const more = [corners[0]!, corners[0]!, [0, -50, 0], corners[1]!, corners[2]!, corners[2]!, corners[3]!];
    const [one, other] = [square.vertices, Float32Array.from(more.flat())].map((vertices) =>
      createEllipsoidWorld(sourceOf([{ ...square, vertices }])).ellipsoid([5, 6, 7]),
    );
    const random = createRandom(seedOf(3));
    const point = (z: number): number[] => [150 * random() - 75, 150 * random() - 75, z];
    let hits = 0;
    for (let k = 0; k < 300; k++) {
      const [from, to] = [point(40), point(-40)];
      const trace = one!.trace(from, to);
      const again = other!.trace(from, to);
      expect([...again.endPos, ...again.normal]).toEqual([...trace.endPos, ...trace.normal]);
      hits += trace.fraction < 1 ? 1 : 0;
    }
    expect(hits).toBeGreaterThan(100);
    expect(hits).toBeLessThan(300);
  });

  it('broken polygons are dropped and counted, or refused', () => {
    const line = { ...triangle, vertices: Float32Array.of(0, 0, 0, 5, 0, 0, 10, 0, 0) };
    const dented = polygonOf([
      [0, 0, 0],
      [10, 0, 0],
      [10, 10, 0],
      [7, 2, 0],
    ]);
    const turned = { ...triangle, normal: Float32Array.of(0, 0, -1) };
    const world = createEllipsoidWorld(sourceOf([triangle, line, dented, turned]));
    expect([world.numPolygons, world.numDropped]).toEqual([1, 3]);
    const refuse =
      (...polygons: (typeof triangle)[]) =>
      () =>
        createEllipsoidWorld(sourceOf(polygons), { broken: 'refuse' });
    expect(refuse(triangle, line)).toThrow(/^polygons\(\)\[1\] is degenerate/);
    expect(refuse(dented)).toThrow(/not convex/);
    expect(refuse(turned)).toThrow(/not convex/);
    // Compilers round corners off their plane, but not this far.
    const bent = (by: number): typeof triangle => ({
      ...triangle,
      vertices: triangle.vertices.map((x, k) => (k === 8 ? x + by : x)),
    });
    expect(createEllipsoidWorld(sourceOf([bent(0.4)])).numPolygons).toBe(1);
    expect(refuse(bent(0.6))).toThrow(/not convex/);
    expect(refuse(bent(-0.6))).toThrow(/not convex/);
    // So thin that no corner is far outside an edge, whichever way it winds.
    const sliver = polygonOf([
      [0, 0, 0],
      [100, 0, 0],
      [50, 0.05, 0],
    ]);
    expect(createEllipsoidWorld(sourceOf([sliver])).numPolygons).toBe(1);
    expect(refuse({ ...sliver, normal: Float32Array.of(0, 0, -1) })).toThrow(/not convex/);
    // So thin that no piece of it has a normal, although it is long enough for some area: a world of it alone was never left.
    const hair = { ...triangle, vertices: Float32Array.of(0, 0, 0, 100, 0, 0, 100, 3e-8, 0) };
    expect(refuse(hair)).toThrow(/is degenerate/);
    expect(createEllipsoidWorld(sourceOf([hair, triangle]))).toMatchObject({ numPolygons: 1, numDropped: 1 });
    const cut = { ...triangle, vertices: triangle.vertices.slice(0, 8) };
    expect(refuse(cut)).toThrow('polygons()[0].vertices must hold three numbers per corner');
    expect(refuse({ ...triangle, dist: Number.NaN })).toThrow(
      'polygons()[0].dist holds NaN, which is not finite',
    );
    expect(() => createEllipsoidWorld(sourceOf([]))).toThrow(/no polygons/);
    expect(() => createEllipsoidWorld(sourceOf([line]))).toThrow(/1 of 1 are degenerate/);
    const round = (corners: number): typeof triangle =>
      polygonOf(
        Array.from({ length: corners }, (_, k) => {
          const angle = (2 * Math.PI * k) / corners;
          return [4000 * Math.cos(angle), 4000 * Math.sin(angle), 0];
        }),
      );
    expect(createEllipsoidWorld(sourceOf([round(1024)])).numPolygons).toBe(1);
    expect(() => createEllipsoidWorld(sourceOf([round(1025)]))).toThrow(
      'polygons()[0] has 1025 corners; at most 1024 are accepted',
    );
    // With this many leafs, each of which may list all polygons, no more leafs are read.
    let asked = 0;
    const listed = (count: number): ReturnType<typeof sourceOf> => ({
      ...sourceOf([]),
      polygons: () => new Array<typeof triangle>(count).fill(triangle),
      numLeafs: 10_000,
      leafPolygons: () => {
        asked++;
        return new Array<typeof triangle>(count).fill(triangle);
      },
    });
    expect(() => createEllipsoidWorld(listed(9))).not.toThrow();
    asked = 0;
    const most = 32 * 1000 + 64 * 10_000 + 2 ** 20;
    expect(() => createEllipsoidWorld(listed(1000))).toThrow(
      `source.leafPolygons() of 10000 leafs list more than ${most} polygons together, of 1000 that there are`,
    );
    expect(asked).toBe(Math.ceil(most / 1000));
    const lost = { ...triangle, vertices: Float32Array.of(0, 0, 0, 5, 0, Number.NaN, 10, 0, 0) };
    expect(() => createEllipsoidWorld(sourceOf([lost]))).toThrow(/polygons\(\)\[0\].vertices holds NaN/);
    const aimless = { ...triangle, normal: Float32Array.of(0, Number.NaN, 1) };
    expect(() => createEllipsoidWorld(sourceOf([aimless]))).toThrow(/polygons\(\)\[0\].normal holds NaN/);
    const long = { ...triangle, normal: Float32Array.of(0, 0, 2) };
    expect(() => createEllipsoidWorld(sourceOf([long]))).toThrow(/unit length/);
    // Named before the source is asked whether it is solid.
    const solid = {
      ...sourceOf([triangle, null as never]),
      isSolid: (polygon: Polygon) => polygon.contents === 1,
    };
    expect(() => createEllipsoidWorld(solid)).toThrow(
      new TypeError('polygons()[1] must be a polygon, got null'),
    );
  });

  it.each([0.5, 100])(
    'a corner may be an eighth of a unit outside an edge, however long: %d units',
    (length) => {
      const pulledIn = (by: number): Polygon =>
        polygonOf([
          [2 * length, 0, 0],
          [length, 10, 0],
          [0, 0, 0],
          [length, by, 0],
        ]);
      expect(createEllipsoidWorld(sourceOf([pulledIn(0.06)])).numDropped).toBe(0);
      expect(() => createEllipsoidWorld(sourceOf([pulledIn(0.11)]))).toThrow(
        /1 of 1 are degenerate or not convex/,
      );
    },
  );
});

it('keep says which polygons block, whatever the source calls solid', () => {
  const wall = (x: number, surface: number): Polygon => {
    const corners: Vec[] = [
      [x, -50, -50],
      [x, -50, 50],
      [x, 50, 50],
      [x, 50, -50],
    ];
    return polygonOf(corners, surface);
  };
  const polygons = [wall(100, 1), wall(200, 2), wall(300, 3)];
  const source = { ...sourceOf(polygons), isSolid: ({ surface }: Polygon) => surface !== 1 };
  const stops = (surfaces?: readonly number[]): number => {
    const keep = surfaces && (({ surface }: Polygon): boolean => surfaces.includes(surface));
    const world = createEllipsoidWorld(source, { keep });
    expect(world.numPolygons).toBe(surfaces?.length ?? 2);
    return Math.ceil(world.ellipsoid([8, 8, 8]).trace([0, 0, 0], [400, 0, 0]).endPos[0]! / 100);
  };
  expect([stops(), stops([3]), stops([1, 2, 3]), stops([1])]).toEqual([2, 3, 1, 1]);
});

describe('data', () => {
  it('is the same whether a source returns the same objects every time or new ones', () => {
    const polygons = randomRoom(5);
    // One is listed twice: leafs get the later one.
    const source = sourceOf([...polygons, { ...polygons[3]! }]);
    const fresh = (all: readonly Polygon[]): Polygon[] =>
      all.map((one) => ({ ...one, vertices: one.vertices.map((x) => (x === 0 ? -0 : x)) }));
    const [kept, copied] = [
      createEllipsoidWorld(source),
      createEllipsoidWorld({ ...source, leafPolygons: (leaf) => fresh(source.leafPolygons(leaf)) }),
    ].map(({ data }) => new Uint8Array(data));
    expect(copied).toEqual(kept);
  });

  it('opens anywhere, and is refused when it is something else', () => {
    const polygons = randomRoom(5);
    const source = sourceOf(polygons);
    const world = createEllipsoidWorld(source, { shared: true });
    expect(world.data).toBeInstanceOf(SharedArrayBuffer);
    const again = EllipsoidWorld.from(world.data, source);
    const [a, b] = [world, again].map((each) => each.ellipsoid([8, 8, 16]).trace([0, 0, 0], [900, 30, 10]));
    expect(a).toEqual(b);
    // Only the tutorial's method asks a source.
    const alone = EllipsoidWorld.from(world.data);
    expect(alone.ellipsoid([8, 8, 16]).trace([0, 0, 0], [900, 30, 10])).toEqual(a);
    expect(alone.closest([0, 0, 0])).toEqual(world.closest([0, 0, 0]));
    expect(() => alone.tutorial([8, 8, 16])).toThrow(/^source must be a source of polygons.*got undefined$/);
    expect(() => createTutorialReference(alone, [8, 8, 16])).toThrow(/^source must be/);
    // Which takes long to compare, and is compared once.
    const asked = vi.fn(() => source.polygons());
    const compared = EllipsoidWorld.from(world.data, { ...source, polygons: asked });
    expect(asked).not.toHaveBeenCalled();
    for (let k = 0; k < 2; k++) compared.tutorial([8, 8, 16]);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(() => EllipsoidWorld.from(new ArrayBuffer(8), source)).toThrow(/ellipsoid/);
    const numLeafs = source.numLeafs + 1;
    expect(() => EllipsoidWorld.from(world.data, { ...source, numLeafs })).toThrow(/numLeafs must be/);
  });

  it('is refused with the polygons of another map, however many leafs that has', () => {
    // Surface numbers may be any 32-bit value.
    const polygons = randomRoom(5).map((polygon, k) => ({ ...polygon, surface: 0xffffff00 + k }));
    const source = sourceOf(polygons);
    const { data } = createEllipsoidWorld(source);
    const openedWith = (other: PolygonSource) => (): EllipsoidWorld => {
      const world = EllipsoidWorld.from(data, other);
      // This asks the source for nothing, so any source will do.
      world.ellipsoid([16, 16, 28]).trace([0, 0, 0], [0, 0, 1]);
      world.tutorial([16, 16, 28]);
      return world;
    };
    const message = (what: string): TypeError =>
      new TypeError(
        `source must be the one that data was made from, got that of another map: ${what} differs`,
      );
    const moved = polygons.map((polygon, k) =>
      k === 7 ? { ...polygon, vertices: polygon.vertices.map((x) => x + 1) } : polygon,
    );
    expect(openedWith(sourceOf(moved))).toThrow(message('polygons()[7]'));
    expect(openedWith(sourceOf(polygons.slice(0, 7)))).toThrow(message('polygons()[7]'));
    const cut = polygons.map((polygon, k) =>
      k === 7 ? { ...polygon, vertices: polygon.vertices.slice(0, -3) } : polygon,
    );
    expect(openedWith(sourceOf(cut))).toThrow(message('polygons()[7]'));
    // The last one of a leaf may be what differs.
    for (const more of [[], [polygons[0]!]]) {
      const other = { ...source, leafPolygons: () => [...polygons.slice(0, -1), ...more] };
      expect(openedWith(other)).toThrow(message('leafPolygons(0)'));
    }
    expect(openedWith(sourceOf([...polygons].reverse()))).toThrow(message('polygons()[0]'));
    expect(openedWith({ ...source, polygons: () => [null] as never })).toThrow(message('polygons()[0]'));
    expect(openedWith({ ...source, polygons: () => 1 as never })).toThrow(
      'source.polygons() must be an array of polygons, got 1',
    );
    // The same polygons, in other leafs.
    expect(openedWith({ ...source, leafPolygons: () => polygons.slice(1) })).toThrow(
      message('leafPolygons(0)'),
    );
    // Copies, and polygons that are in nobody's way, make no difference.
    const ghost = polygonOf(
      [
        [0, 0, 0],
        [9, 0, 0],
        [0, 9, 0],
      ],
      999,
    );
    expect(openedWith(sourceOf([...structuredClone(polygons), ghost]))().numPolygons).toBe(polygons.length);
  });

  it.each(['quake1', 'quake2', 'quake3', 'ufoai'] as const)(
    'of a map of %s opens with that map, opened again, and with no other',
    async (game) => {
      const [map, other] = await Promise.all([ownMap(game, 'house'), ownMap(game, 'arena')]);
      const again = map.format.open(map.world.data);
      const { data } = createEllipsoidWorld(map.format.polygons(map.world));
      const world = EllipsoidWorld.from(data, map.format.polygons(again));
      expect(world.tutorial([16, 16, 28]).blocked([0, 0, 64], [0, 0, -512])).toBe(true);
      const { numLeafs } = map.format.polygons(map.world);
      const source = other.format.polygons(other.world);
      // As if it had the same number of leafs.
      const alike: PolygonSource = {
        numLeafs,
        polygons: () => source.polygons(),
        leafPolygons: (leaf) => (leaf < source.numLeafs ? source.leafPolygons(leaf) : []),
        boxLeafs: source.boxLeafs.bind(source),
        isSolid: source.isSolid.bind(source),
      };
      expect(() => EllipsoidWorld.from(data, source)).toThrow(RangeError);
      const alien = EllipsoidWorld.from(data, alike);
      for (let time = 0; time < 2; time++)
        expect(() => alien.tutorial([16, 16, 28])).toThrow('got that of another map');
      expect(() => createTutorialReference(alien, [16, 16, 28])).toThrow('got that of another map');
    },
  );
});
