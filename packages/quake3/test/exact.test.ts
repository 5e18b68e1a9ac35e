import { boxBrush, compileMap, hullBrush } from '@bspkit/compile';
import { between, createRandom, dot } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  CONTENTS_BODY,
  createQuake3World,
  createTrace,
  exactSphere,
  explain,
  patches,
  type Quake3File,
  readQuake3,
  SURFACE_EPSILON,
} from '../src/index.ts';
import { aimed, brushSoup, move, patchSoup, runs, worldOf } from './worlds.ts';

type Point = readonly number[];

/** Half-spaces of a brush, in double. */
type Solid = { normal: Point; dist: number }[];

function solids(file: Quake3File): Solid[] {
  const list: Solid[] = [];
  for (let brush = 0; brush < file.brushes.count; brush++) {
    if (!(file.shaders[file.brushes.shaders[brush]!]!.contents & 1)) continue;
    const first = file.brushes.firstSides[brush]!;
    const planes = file.sides.planes.subarray(first, first + file.brushes.numSides[brush]!);
    list.push(
      Array.from(planes, (plane) => ({
        normal: [...file.planes.normals.subarray(3 * plane, 3 * plane + 3)],
        dist: file.planes.dists[plane]!,
      })),
    );
  }
  return list;
}

/** Distance of a point from a convex solid by Dykstra's projections: nothing in common with faces and edges. */
function distance(solid: Solid, point: Point, far = 40): number {
  // How far it is outside of a side is a lower bound, and good enough for what is far away.
  const least = Math.max(...solid.map(({ normal, dist }) => dot(normal, point) - dist));
  if (least > far) return least;
  const x = [...point];
  const corrections = new Float64Array(3 * solid.length);
  for (let round = 0; round < 400; round++) {
    let moved = 0;
    for (let k = 0; k < solid.length; k++) {
      const { normal, dist } = solid[k]!;
      const y = [
        x[0]! + corrections[3 * k]!,
        x[1]! + corrections[3 * k + 1]!,
        x[2]! + corrections[3 * k + 2]!,
      ];
      const over = Math.max(0, dot(normal, y) - dist) / dot(normal, normal);
      let way = 0;
      for (let axis = 0; axis < 3; axis++) {
        const next = y[axis]! - over * normal[axis]!;
        corrections[3 * k + axis] = y[axis]! - next;
        way += (next - x[axis]!) ** 2;
        x[axis] = next;
      }
      moved = Math.max(moved, way);
    }
    if (moved < 1e-14) break;
  }
  return Math.hypot(...x.map((value, axis) => value - point[axis]!));
}

/** Slack for float32 answers and for projections that have not quite arrived. */
const TOLERANCE = 0.02;

describe('exact spheres', () => {
  it('keep their distance from every brush, and stop only where they touch it', () => {
    fc.assert(
      fc.property(
        brushSoup(4),
        fc.constantFrom(1, 6, 20),
        fc.array(move, { minLength: 12, maxLength: 12 }),
        (soup, radius, moves) => {
          const file = readQuake3(compileMap(soup, { format: 'quake3' }).bytes);
          const world = createQuake3World(file);
          const all = solids(file);
          const nearest = (point: Point): number =>
            Math.min(1e9, ...all.map((solid) => distance(solid, point)));
          const exact = exactSphere(world, radius);
          // Classic ones pass a side from which they are a little nearer than they keep, so theirs is somewhat larger.
          const classic = world.sphere(radius + 3 * SURFACE_EPSILON);
          for (const [start, end] of moves) {
            const trace = exact.trace(start, end);
            const first = nearest(start);
            if (Math.abs(first - radius) > TOLERANCE) expect(trace.startSolid).toBe(first < radius);
            if (start.join() === end.join()) {
              expect(trace).toMatchObject({ allSolid: trace.startSolid, fraction: trace.startSolid ? 0 : 1 });
              continue;
            }
            if (trace.startSolid) {
              // A brush that holds the sphere at both ends stops it; one that it starts in and leaves does not.
              const stays = all.some((solid) =>
                [start, end].every((point) => distance(solid, point) < radius - TOLERANCE),
              );
              if (stays) expect(trace).toMatchObject({ allSolid: true, fraction: 0 });
              continue;
            }
            const larger = classic.trace(start, end);
            if (!larger.startSolid) expect(trace.fraction).toBeGreaterThanOrEqual(larger.fraction - 1e-5);
            for (let t = 0; t <= 1; t += 0.125) {
              const on = start.map((value, k) => value + t * trace.fraction * (end[k]! - value));
              expect(nearest(on)).toBeGreaterThan(Math.min(first, radius) - TOLERANCE);
            }
            if (trace.fraction === 1) continue;
            expect(nearest([...trace.endPos])).toBeLessThan(radius + SURFACE_EPSILON + TOLERANCE);
            expect(Math.hypot(...trace.normal)).toBeCloseTo(1, 5);
            const beyond = [...trace.endPos].map((value, k) => value - 0.5 * trace.normal[k]!);
            expect(nearest(beyond)).toBeLessThan(nearest([...trace.endPos]));
          }
        },
      ),
      { numRuns: runs(3) },
    );
  });

  it('meet patches from their front, and lie across them', () => {
    let [stopped, inside] = [0, 0];
    fc.assert(
      fc.property(
        patchSoup,
        fc.constantFrom(2, 8),
        fc.array(move, { minLength: 60, maxLength: 60 }),
        (soup, radius, moves) => {
          const world = worldOf([], soup);
          const surfaces = patches(world);
          const exact = exactSphere(world, radius);
          const ray = world.ray();
          /** The facets of all patches, whose sides but the surface and its back bound them. */
          const all = surfaces.flatMap(({ planes, facets }) =>
            facets.map(({ plane, borders, inward }): Solid => {
              const at = (number: number, sign: number): Solid[0] => ({
                normal: [0, 1, 2].map((k) => sign * planes[4 * number + k]!),
                dist: sign * planes[4 * number + 3]!,
              });
              return [at(plane, 1), ...borders.map((border, k) => at(border, inward[k] ? -1 : 1))];
            }),
          );
          /** Whether a point is within a distance of one of them. */
          const isNear = (point: Point, limit: number): boolean =>
            all.some((facet) => distance(facet, point, radius + 1) < limit);
          for (const [start, end] of aimed(moves, soup)) {
            const touches = exact.trace(start, start).startSolid;
            if (touches) {
              inside++;
              expect(isNear(start, radius + TOLERANCE)).toBe(true);
            }
            const trace = exact.trace(start, end);
            if (start.join() === end.join()) continue;
            expect(trace.startSolid).toBe(false);
            // What the sphere touches where it starts does not stop it; all else that stops a point does.
            if (touches) continue;
            const point = ray.trace(start, end);
            const delta = start.map((value, k) => end[k]! - value);
            // A point that grazes a facet stops where it is nearer than it keeps to its plane, which may be far from the
            // facet itself.
            if (radius * Math.abs(dot([...point.normal], delta)) >= SURFACE_EPSILON * Math.hypot(...delta)) {
              expect(trace.fraction).toBeLessThanOrEqual(point.fraction + 1e-5);
            }
            if (trace.fraction === 1) continue;
            stopped++;
            expect(trace.patch).toBeGreaterThanOrEqual(0);
            expect(Math.hypot(...trace.normal)).toBeCloseTo(1, 5);
            expect(isNear([...trace.endPos], radius + SURFACE_EPSILON + TOLERANCE)).toBe(true);
          }
        },
      ),
      { numRuns: runs(2), seed: 7 },
    );
    expect(stopped).toBeGreaterThan(20);
    expect(inside).toBeGreaterThan(5);
  });

  it('meet the rim of a patch if they are in front of it there, wherever they come from', () => {
    const points = Array.from(
      { length: 9 },
      (_, k) => [64 * (k % 3) - 64, 64 * Math.floor(k / 3) - 64, 0, 0, 0] as const,
    );
    const flat = worldOf([], [{ material: 'test/curve', width: 3, height: 3, points }]);
    // The front is the side at which a ray stops.
    const front = flat.ray().blocked([0, 0, 9], [0, 0, -9]) ? 1 : -1;
    const sphere = exactSphere(flat, 8);
    // Both come near the rim at x = 64 just after their middles have passed the plane of the patch.
    const toFront = sphere.trace([100, 0, -5 * front], [20, 0, 10 * front]);
    expect(Math.hypot(toFront.endPos[0]! - 64, toFront.endPos[2]!)).toBeCloseTo(8 + SURFACE_EPSILON, 3);
    expect(toFront.endPos[2]! * front).toBeGreaterThan(0);
    expect(sphere.trace([100, 0, 5 * front], [20, 0, -10 * front]).fraction).toBe(1);
  });

  const cube = compileMap([boxBrush([-32, -32, -32], [32, 32, 32])], { format: 'quake3' });
  const world = createQuake3World(readQuake3(cube.bytes));

  it('pass an edge that a classic sphere catches on', () => {
    // Along the edge x = y = 32 at a distance of 12 from both faces: 16.97 from the edge itself.
    const [start, end] = [
      [44, 44, -100],
      [44, 44, 100],
    ];
    expect(world.sphere(14).blocked(start, end)).toBe(true);
    expect(exactSphere(world, 14).blocked(start, end)).toBe(false);
    expect(exactSphere(world, 17).blocked(start, end)).toBe(true);
  });

  it('hit corners with the normal that points at their middle', () => {
    const trace = exactSphere(world, 10).trace([100, 100, 100], [0, 0, 0]);
    const away = (10 + SURFACE_EPSILON) / Math.sqrt(3);
    for (let k = 0; k < 3; k++) {
      expect(trace.endPos[k]).toBeCloseTo(32 + away, 3);
      expect(trace.normal[k]).toBeCloseTo(1 / Math.sqrt(3), 5);
    }
    expect(trace.brush).toBe(0);
    expect(trace.side).toBeGreaterThanOrEqual(0);
  });

  it('hit edges with a normal of unit length, however small they are', () => {
    for (const radius of [8, 1e-3, 1e-6]) {
      const sphere = exactSphere(world, radius, { epsilon: 0 });
      const { fraction, normal } = sphere.trace([122.5, 97, 15], [-58.5, -33, 15]);
      expect(fraction).toBeLessThan(1);
      expect(Math.hypot(...normal)).toBeCloseTo(1, 6);
    }
  });

  it('equal classic ones on faces, and rays when they have no radius', () => {
    const [start, end] = [
      [100, 5, 3],
      [0, 1, -2],
    ];
    expect(exactSphere(world, 8).trace(start, end).fraction).toBeCloseTo(
      world.sphere(8).trace(start, end).fraction,
      6,
    );
    expect(exactSphere(world, 0).trace(start, end)).toEqual(world.ray().trace(start, end));
  });

  it('stop at once when they are nearer than they keep, and go where that does not get nearer', () => {
    const sphere = exactSphere(world, 8);
    const start = [40.05, 0, 0];
    expect(sphere.trace(start, [0, 0, 0])).toMatchObject({
      fraction: 0,
      startSolid: false,
      contents: 1,
      brush: 0,
    });
    expect(sphere.trace(start, [40.05, 20, 0]).fraction).toBe(1);
    expect(sphere.trace(start, [80, 0, 0]).fraction).toBe(1);
    // However near: from here on it would not even pass the shape.
    expect(sphere.trace([40.001, 0, 0], [80, 0, 0]).fraction).toBe(1);
    expect(sphere.trace([40.001, 0, 0], [40.001, 20, 0]).fraction).toBe(1);
    expect(sphere.trace([40.001, 0, 0], [0, 0, 0]).fraction).toBe(0);
    expect(sphere.set({ epsilon: 0 }).trace(start, [0, 0, 0]).endPos[0]).toBeCloseTo(40, 4);
  });

  it('test positions by their true distance from edges and corners', () => {
    const sphere = exactSphere(world, 10);
    const at = (...point: [number, number, number]): boolean => sphere.trace(point, point).startSolid;
    expect([at(41.9, 0, 0), at(42.1, 0, 0)]).toEqual([true, false]);
    // 32 + 10 / sqrt(2) beyond an edge, 32 + 10 / sqrt(3) beyond a corner; classic spheres are stuck up to 42.
    expect([at(39, 39, 0), at(39.2, 39.2, 0)]).toEqual([true, false]);
    expect([at(37.7, 37.7, 37.7), at(37.9, 37.9, 37.9)]).toEqual([true, false]);
    expect(world.sphere(10).trace([39.2, 39.2, 0], [39.2, 39.2, 0]).startSolid).toBe(true);
    expect([at(0, 0, 0), at(31, -31, 5)]).toEqual([true, true]);
    const trace = sphere.trace([36, 36, 36], [36, 36, 36], createTrace());
    expect(trace).toMatchObject({ fraction: 0, allSolid: true, brush: 0, side: -1, contents: 1 });
  });

  it.each([1e3, 65_536, 150_000, 2 ** 24, 1e12])('meet all of a ground of %d units on each side', (size) => {
    const ground = boxEntity([-size, -size, -64], [size, size, 0]);
    const options = { mask: CONTENTS_BODY };
    for (const place of [0, size / 2, size - size / 64]) {
      const ends = [
        [place, place, 100],
        [place, place, -100],
      ] as const;
      const trace = exactSphere(ground, 8, options).trace(...ends);
      expect(trace).toEqual(ground.sphere(8, options).trace(...ends));
      expect(trace.endPos[2]).toBeCloseTo(8 + SURFACE_EPSILON, 4);
    }
  });

  it.each([0, 0.0004])('meet a plate that is %d units thick, and not what is beside it', (half) => {
    for (const axis of [0, 1, 2]) {
      const corner = [8, 8, 8].map((x, k) => (k === axis ? half : x));
      const plate = boxEntity(
        corner.map((x) => -x),
        corner,
      );
      const along = (axis + 1) % 3;
      const at = (distance: number): number[] => [0, 1, 2].map((k) => (k === along ? distance : 0));
      const sphere = exactSphere(plate, 4, { mask: CONTENTS_BODY });
      const trace = sphere.trace(at(100), at(-100));
      expect(trace.startSolid).toBe(false);
      expect(trace.normal[along]).toBeCloseTo(1, 6);
      expect(trace.endPos[along]).toBeCloseTo(12 + SURFACE_EPSILON, 3);
      expect(sphere.blocked(at(100), at(100))).toBe(false);
      expect(sphere.blocked(at(11), at(11))).toBe(true);
      expect(sphere.blocked(at(2), at(2))).toBe(true);
      expect(explain(sphere, at(100), at(-100)).steps.at(-1)).toMatchObject({ outcome: 'hit' });
    }
  });

  it.each([0, 0.0004])('meet boxes that are lines or points, %d units thick', (half) => {
    const options = { mask: CONTENTS_BODY };
    for (const axis of [0, 1, 2]) {
      const corner = [0, 1, 2].map((k) => (k === axis ? 8 : half));
      const line = boxEntity(
        corner.map((x) => -x),
        corner,
      );
      const sphere = exactSphere(line, 4, options);
      const [across, aside] = [(axis + 1) % 3, (axis + 2) % 3];
      const at = (a: number, b: number, c: number): number[] => {
        const point = [0, 0, 0];
        [point[axis], point[across], point[aside]] = [a, b, c];
        return point;
      };
      // Against its length, at an angle to the sides that a box would have; then over an end, and beside it.
      const round = sphere.trace(at(5, 40, 30), at(5, -40, -30));
      expect([round.endPos[axis], round.startSolid, round.brush]).toEqual([5, false, 0]);
      expect(Math.hypot(round.endPos[across]!, round.endPos[aside]!)).toBeCloseTo(4 + SURFACE_EPSILON, 2);
      expect([round.normal[across], round.normal[aside]]).toEqual([
        expect.closeTo(0.8, 3),
        expect.closeTo(0.6, 3),
      ]);
      expect(round.side).toBe(2 * across);
      expect(sphere.trace(at(40, 0, 0), at(-40, 0, 0)).endPos[axis]).toBeCloseTo(12 + SURFACE_EPSILON, 2);
      expect(sphere.blocked(at(12.2, 30, 0), at(12.2, -30, 0))).toBe(false);
      expect(sphere.blocked(at(3, 4.2, 0), at(3, 4.2, 0))).toBe(false);
      expect(sphere.trace(at(3, 3.9, 0), at(3, 3.9, 0))).toMatchObject({ allSolid: true, fraction: 0 });
      expect(explain(sphere, at(5, 40, 30), at(5, -40, -30)).trace).toEqual(round);
    }
    const point = exactSphere(
      boxEntity([1 - half, 2 - half, 3 - half], [1 + half, 2 + half, 3 + half]),
      4,
      options,
    );
    const { endPos, normal, side } = point.trace([101, 2, 3], [-99, 2, 3]);
    expect(endPos[0]).toBeCloseTo(5 + SURFACE_EPSILON, 2);
    expect([...normal, side]).toEqual([1, 0, 0, 0].map((x) => expect.closeTo(x, 3)));
    expect(point.blocked([101, 6.2, 3], [-99, 6.2, 3])).toBe(false);
    // Starting on it, too, and close by.
    const [on, off, away] = [
      [4, 2, 3],
      [5.1, 2, 3],
      [99, 2, 3],
    ] as const;
    expect(point.trace(on, on)).toMatchObject({ allSolid: true, fraction: 0, brush: 0 });
    expect(point.trace(on, off)).toMatchObject({ startSolid: true, allSolid: false, fraction: 1 });
    expect(point.trace(off, on)).toMatchObject({ startSolid: false, fraction: 0, brush: 0 });
    expect(point.trace(off, away)).toMatchObject({ startSolid: false, fraction: 1 });
    expect(explain(point, off, on).steps.at(-1)).toMatchObject({ outcome: 'hit', enter: 0 });
  });

  it.each([0, 0.0004, 0.3])(
    'meet all of a slanted brush that is a needle, %d units to each side of its middle',
    (half) => {
      const axes = [
        [0.64, 0.48, 0.6],
        [-0.6, 0.8, 0],
        [-0.48, -0.36, 0.8],
      ] as const;
      const around = (halves: Point): Point[] =>
        [-1, 1].flatMap((a) =>
          [-1, 1].flatMap((b) =>
            [-1, 1].map((c) =>
              [0, 1, 2].map((k) =>
                dot(
                  [a, b, c].map((x, i) => x * halves[i]!),
                  axes.map((axis) => axis[k]!),
                ),
              ),
            ),
          ),
        );
      // The tree of a thicker one around it, and its first six sides: the engine takes the brush's bounds from them.
      const thick = readQuake3(compileMap([hullBrush(around([20, 6, 6]))], { format: 'quake3' }).bytes);
      const { planes, sides, brushes } = thick;
      const own = axes.flatMap((axis, k) =>
        [1, -1].map((sign) => ({ normal: axis.map((x) => sign * x), dist: [20, half, half][k]! })),
      );
      const needle = {
        ...thick,
        planes: {
          ...planes,
          count: planes.count + 6,
          normals: Float32Array.of(...planes.normals, ...own.flatMap(({ normal }) => normal)),
          dists: Float32Array.of(...planes.dists, ...own.map(({ dist }) => dist)),
        },
        sides: { ...sides, planes: sides.planes.map((plane, k) => (k < 6 ? plane : planes.count + k - 6)) },
        brushes: { ...brushes, numSides: brushes.numSides.map(() => 12) },
      };
      const [solid] = solids(needle);
      const sphere = exactSphere(createQuake3World(needle), 4);
      for (let a = -26; a <= 26; a += 2) {
        for (let b = -5; b <= 5; b += 1) {
          const at = [0, 1, 2].map((k) =>
            dot(
              [a, b, 0.5],
              axes.map((axis) => axis[k]!),
            ),
          );
          const far = distance(solid!, at);
          if (Math.abs(far - 4) < TOLERANCE) continue;
          expect([a, b, sphere.blocked(at, at)]).toEqual([a, b, far < 4]);
        }
      }
      const [along, across] = axes;
      const trace = sphere.trace(
        across.map((x, k) => 30 * x + 15 * along[k]!),
        across.map((x, k) => -30 * x + 15 * along[k]!),
      );
      expect(dot([...trace.endPos], across)).toBeCloseTo(4 + half + SURFACE_EPSILON, 2);
      expect(dot([...trace.normal], across)).toBeCloseTo(1, 5);
      expect(trace).toMatchObject({ startSolid: false, brush: 0, side: 8 });
    },
  );

  it('meet a box that is far from its origin', () => {
    const tower = boxEntity([1e6, 1e6, 0], [1e6 + 64, 1e6 + 64, 64]);
    const ends = [
      [1e6 + 32, 1e6 + 32, 200],
      [1e6 + 32, 1e6 + 32, 0],
    ] as const;
    expect(exactSphere(tower, 8, { mask: CONTENTS_BODY }).trace(...ends).endPos[2]).toBeCloseTo(72.125, 4);
  });

  it('meet all of a brush that has its planes twice', () => {
    const turned = hullBrush([
      [-52.2, 0, 0],
      [-9.4, 42.8, 0],
      [2.1, 31.3, 0],
      [-40.7, -11.5, 0],
      [-52.2, 0, 16.3],
      [-9.4, 42.8, 16.3],
      [2.1, 31.3, 16.3],
      [-40.7, -11.5, 16.3],
    ]);
    const once = readQuake3(compileMap([turned], { format: 'quake3' }).bytes);
    const { sides, brushes } = once;
    const twice = {
      ...once,
      sides: {
        count: 2 * sides.count,
        planes: Int32Array.of(...sides.planes, ...sides.planes),
        shaders: Int32Array.of(...sides.shaders, ...sides.shaders),
      },
      brushes: { ...brushes, numSides: brushes.numSides.map((count) => 2 * count) },
    };
    const solid = solids(once)[0]!;
    const sphere = exactSphere(createQuake3World(twice), 4);
    for (let x = -90; x <= 40; x += 10) {
      for (let y = -50; y <= 80; y += 10) {
        for (const z of [-3, 8]) {
          const far = distance(solid, [x, y, z], 4.1);
          if (Math.abs(far - 4) < TOLERANCE) continue;
          expect([x, y, z, sphere.blocked([x, y, z], [x, y, z])]).toEqual([x, y, z, far < 4]);
        }
      }
    }
    expect(sphere.trace([-25, 16, 80], [-25, 16, -80]).endPos[2]).toBeCloseTo(20.3 + SURFACE_EPSILON, 4);
  });

  it('leave a brush that they start in, and stay in one that holds both ends', () => {
    const sphere = exactSphere(world, 10);
    expect(sphere.trace([41, 0, 0], [100, 0, 0])).toMatchObject({
      fraction: 1,
      startSolid: true,
      allSolid: false,
    });
    expect(sphere.trace([41, 0, 0], [41, 20, 0])).toMatchObject({ fraction: 0, allSolid: true });
    expect(sphere.blocked([41, 0, 0], [100, 0, 0])).toBe(true);
  });

  it('answer the same however often they are asked, close by a wall too', () => {
    for (const off of [0, 0.02, 0.03, 0.1, 0.12, 0.125, 0.13, 0.2, 0.5, 0.7, 1, 1.1]) {
      for (const from of [40, 35, 20, -20]) {
        const sphere = exactSphere(createQuake3World(readQuake3(cube.bytes)), 10);
        const [start, end]: Point[] = [
          [42 + off, from, 0],
          [42 + off, from - 30, 5],
        ];
        const first = sphere.trace(start!, end!);
        // A clearing is looked for where moves begin often.
        for (let k = 0; k < 60; k++) sphere.trace(start!, end!);
        expect(sphere.trace(start!, end!), `${off} off, from ${from}`).toEqual(first);
      }
    }
  });

  it('roll over the edges between the brushes of a floor, and of a ramp', () => {
    const tiles = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => boxBrush([32 * k, -64, 0], [32 * k + 32, 64, 16]));
    const ramp = [0, 1, 2, 3].map((k) =>
      hullBrush(
        [0, 64].flatMap((x) => [
          ...[40 * k, 40 * k + 40].map((y): Point => [x, 100 + y, -64]),
          ...[40 * k, 40 * k + 40].map((y): Point => [x, 100 + y, 20 + y / 4]),
        ]),
      ),
    );
    const rolling = createQuake3World(
      readQuake3(compileMap([...tiles, ...ramp], { format: 'quake3' }).bytes),
    );
    const sphere = exactSphere(rolling, 12);
    const random = createRandom(seedOf(1));
    const stops: string[] = [];
    for (let k = 0; k < 500; k++) {
      const [x, y] = [between(random, 10, 20), between(random, -30, 30)];
      const floor = sphere.trace([x, y, between(random, 30, 200)], [x, y, 0]);
      expect(floor.normal[2]).toBe(1);
      const start = [...floor.endPos];
      const roll = sphere.trace(start, [240, y + between(random, -20, 20), start[2]!]);
      if (roll.fraction < 1) stops.push(`floor ${k}: ${roll.endPos[0]}`);
      expect(sphere.trace([...roll.endPos], [240, y, start[2]! - 1]).fraction).toBeLessThan(1e-3);

      const slope = sphere.trace([x + 20, 115, between(random, 60, 200)], [x + 20, 115, 0]);
      const from = [...slope.endPos];
      const up = sphere.trace(from, [from[0]! + between(random, -5, 5), from[1]! + 120, from[2]! + 30]);
      if (up.fraction < 1) stops.push(`ramp ${k}: ${up.endPos[1]}`);
    }
    expect(stops).toEqual([]);
  });
});
