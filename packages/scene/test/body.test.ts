import { createTrace, type Shape, type Tracer } from '@bspkit/core';
import { expectBelow } from '@bspkit/testkit/same';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BodyShape, createBody } from '../src/index.ts';

/** Pairs of shapes to try: many more in a proof run (BSPKIT_RUNS_BODY=20000). */
const RUNS = Number(process.env.BSPKIT_RUNS_BODY ?? 300);

/** Places along a move at which the distance is measured. */
const STEPS = 200;

type Point = [number, number, number];

const at = fc.noBias(fc.float({ min: -60, max: 60, noNaN: true }));
const point: fc.Arbitrary<Point> = fc.tuple(at, at, at);
const size = fc.noBias(fc.float({ min: 1, max: 25, noNaN: true }));
const sized = fc.tuple(size, size, size, size, size, size);

const shape: fc.Arbitrary<BodyShape> = fc
  .tuple(fc.nat(2), sized)
  .map(([kind, [a, b, c, d, e, f]]): BodyShape => {
    if (kind === 0) return { kind: 'sphere', radius: a };
    return { kind: kind === 1 ? 'box' : 'capsule', mins: [-a, -b, -c], maxs: [d, e, f] };
  });

/** A shape as a rounded box. */
function rounded(it: Shape): { mins: Point; maxs: Point; radius: number } {
  if (it.kind === 'box')
    return { mins: Array.from(it.mins) as Point, maxs: Array.from(it.maxs) as Point, radius: 0 };
  if (it.kind === 'capsule') {
    const half = [0, 1, 2].map((k) => (it.maxs[k]! - it.mins[k]!) / 2);
    const radius = Math.min(half[0]!, half[2]!);
    const middle = [0, 1, 2].map((k) => (it.maxs[k]! + it.mins[k]!) / 2) as Point;
    const [low, high]: [Point, Point] = [[...middle], [...middle]];
    low[2] -= half[2]! - radius;
    high[2] += half[2]! - radius;
    return { mins: low, maxs: high, radius };
  }
  return { mins: [0, 0, 0], maxs: [0, 0, 0], radius: it.kind === 'sphere' ? it.radius : 0 };
}

/** Distance between the surfaces of a mover at a point and a body at the origin; negative where they overlap. */
function distance(body: Shape, mover: Shape, where: readonly number[]): number {
  const [a, b] = [rounded(body), rounded(mover)];
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const away = Math.max(a.mins[k]! - (where[k]! + b.maxs[k]!), where[k]! + b.mins[k]! - a.maxs[k]!, 0);
    sum += away * away;
  }
  return Math.sqrt(sum) - a.radius - b.radius;
}

function tracerOf(body: BodyShape, mover: Shape, epsilon: number): Tracer {
  const made = createBody(body);
  if (mover.kind === 'sphere') return made.sphere(mover.radius, { epsilon });
  if (mover.kind === 'box') return made.box(mover.mins, mover.maxs, { epsilon });
  if (mover.kind === 'capsule') return made.capsule(mover.mins, mover.maxs, { epsilon });
  return made.ray({ epsilon });
}

/** How near a move comes if it goes on: the distance from a convex shape falls, and then rises. */
function nearestOf(along: (t: number) => number, last: number): number {
  let [low, high] = [0, last];
  for (let k = 0; k < 200; k++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (along(a) < along(b)) high = b;
    else low = a;
  }
  return along(low);
}

describe('a body', () => {
  it('stops every shape at the distance to be kept, and not before', () => {
    const seen = { hits: 0, misses: 0, passes: 0, starts: 0, stays: 0 };
    const movers = fc.oneof(shape, fc.constant<Shape>({ kind: 'ray' }));
    const run = (body: BodyShape, mover: Shape, start: Point, end: Point): void => {
      const epsilon = 0.125;
      const tracer = tracerOf(body, mover, epsilon);
      const trace = tracer.trace(start, end);
      const sharp = rounded(body).radius + rounded(mover).radius === 0;
      const along = (t: number): number =>
        distance(
          body,
          mover,
          start.map((x, k) => x + t * (end[k]! - x)),
        );
      const far = 500 / Math.hypot(...start.map((x, k) => end[k]! - x));
      expect(tracer.blocked(start, end)).toBe(trace.startSolid || trace.fraction < 1);
      if (along(0) <= 0) {
        if (along(0) > -1e-4) return;
        expect(trace.startSolid).toBe(true);
        if (Math.abs(along(1)) < 1e-4) return;
        expect(trace.allSolid).toBe(along(1) < 0);
        expect(trace.fraction).toBe(trace.allSolid ? 0 : 1);
        if (trace.allSolid) seen.stays++;
        else seen.starts++;
        return;
      }
      if (along(0) < 1e-4) return;
      expect(trace.startSolid).toBe(false);
      let nearest = Number.POSITIVE_INFINITY;
      // A move that enters a box enters it early by epsilon, but also leaves it early, as in the engines: it may graze its edge.
      const grazes = sharp && trace.fraction === 1;
      // Round shapes pass what they would leave an eighth of epsilon if they went on, and only that.
      const leaves = Math.min(along(0), epsilon / 8);
      const least = (grazes ? -epsilon : sharp ? Math.min(along(0), epsilon) : leaves) - 1e-3;
      for (let k = 0; k <= STEPS; k++) {
        const t = (trace.fraction * k) / STEPS;
        // Up to where it stops, it is never nearer than the distance to be kept; corners of boxes stick out of that.
        expectBelow(least, along(t));
        nearest = Math.min(nearest, along(k / STEPS));
      }
      if (trace.fraction === 1) {
        seen.misses++;
        expect(nearest).toBeGreaterThan(sharp ? -epsilon - 1e-3 : -1e-3);
        if (!sharp && nearest < epsilon - 1e-3) {
          seen.passes++;
          expectBelow(leaves - 1e-3, nearestOf(along, far));
        }
        return;
      }
      seen.hits++;
      if (!sharp) expect(nearestOf(along, far)).toBeLessThan(epsilon / 8 + 1e-3);
      // Each plane of a box is moved out by epsilon, so its corners are a little farther away.
      const kept = along(trace.fraction);
      if (along(0) > epsilon) {
        expect(kept).toBeLessThan(sharp ? epsilon * Math.sqrt(3) + 1e-3 : epsilon + 1e-3);
      } else expect(trace.fraction).toBe(0);
      const [nx, ny, nz] = trace.normal as unknown as Point;
      expect(Math.hypot(nx, ny, nz)).toBeCloseTo(1, 5);
      expect(nx * (end[0] - start[0]) + ny * (end[1] - start[1]) + nz * (end[2] - start[2])).toBeLessThan(0);
      for (let k = 0; k < 3; k++) {
        expect(trace.endPos[k]).toBeCloseTo(start[k]! + trace.fraction * (end[k]! - start[k]!), 3);
      }
      expect(trace).toMatchObject({ allSolid: false, contents: 0x2000000, model: -1, brush: -1 });
      // The plane touches the body: no point of it is in front.
      const { mins, maxs, radius } = rounded(body);
      const support = [nx, ny, nz].reduce((sum, n, k) => sum + Math.max(n * mins[k]!, n * maxs[k]!), radius);
      expect(trace.dist).toBeCloseTo(support, 3);
    };
    fc.assert(fc.property(shape, movers, point, point, run), { numRuns: RUNS });
    const { passes, ...often } = seen;
    for (const [what, count] of Object.entries(often)) expect(count, what).toBeGreaterThan(RUNS / 80);
  });

  it('is not hit where the whole way is free as far as float32 can tell', () => {
    // An eighth of a unit before it, a move ends a millionth of a unit farther on.
    const end = [8.125 - 2 ** -20, 0, 0];
    for (const kind of ['sphere', 'box'] as const) {
      const body = createBody(
        kind === 'box' ? { kind, mins: [-8, -8, -8], maxs: [8, 8, 8] } : { kind, radius: 8 },
      );
      const ray = body.ray();
      expect(ray.trace([100, 0, 0], end), kind).toEqual(
        Object.assign(createTrace(), { endPos: Float32Array.from(end) }),
      );
      expect(ray.blocked([100, 0, 0], end), kind).toBe(false);
      expect(ray.trace([100, 0, 0], [8.12, 0, 0]).normal[0], kind).toBe(1);
    }
    // Exactly an eighth before it, after a way so long that its share rounds to less than 1.
    const box = createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] });
    expect(box.ray().blocked([2 ** 21 + 8.5, 0, 0], [8.125, 0, 0])).toBe(false);
  });

  it('is passed at the edge of a box where it is left as soon as it is entered, in float32', () => {
    const ray = createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] }).ray();
    // Both at 7/10 of the way, whose nearest float32 is less.
    expect(Math.fround(0.7)).toBeLessThan(0.7);
    expect(ray.trace([15.125, 0.875, 0], [5.125, 10.875, 0]).fraction).toBe(1);
    expect(ray.trace([15.125, 0.875, 0], [5.125, 10.75, 0]).fraction).toBe(Math.fround(0.7));
  });

  it('has the side that an engine clips first where a move hits an edge or a corner', () => {
    const ray = createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] }).ray();
    expect([...ray.trace([24, 24, 24], [0, 0, 0]).normal]).toEqual([1, 0, 0]);
    expect([...ray.trace([-24, -24, -24], [0, 0, 0]).normal]).toEqual([-1, 0, 0]);
    expect([...ray.trace([0, 24, -24], [0, 0, 0]).normal]).toEqual([0, 1, 0]);
  });

  it('is hit by a move that ends on the plane of another side', () => {
    const ray = createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] }).ray({ epsilon: 1 / 8 });
    // What left through that side would have passed the box.
    expect(ray.trace([24, 7.75, 0], [0, 8, 0])).toMatchObject({ fraction: Math.fround(15.875 / 24) });
    expect(ray.trace([24, 7.75, 0], [0, 8.125, 0]).fraction).toBe(1);
  });

  it('is solid where it is touched, and does not stop what leaves it', () => {
    const body = createBody({ kind: 'sphere', radius: 10 }, { contents: -2 });
    const sphere = body.sphere(5);
    expect(sphere.trace([15, 0, 0], [15, 0, 0])).toMatchObject({
      fraction: 0,
      startSolid: true,
      allSolid: true,
      contents: -2,
    });
    expect(sphere.trace([15, 0, 0], [30, 0, 0])).toMatchObject({
      fraction: 1,
      startSolid: true,
      allSolid: false,
    });
    expect(sphere.trace([15.0625, 0, 0], [30, 0, 0])).toMatchObject({ fraction: 1, startSolid: false });
    expect(sphere.trace([15.0625, 0, 0], [0, 0, 0])).toMatchObject({ fraction: 0, startSolid: false });
    expect(sphere.trace([15.0625, 0, 0], [15.0625, 50, 0])).toMatchObject({ fraction: 1, startSolid: false });
  });

  it('does not stop boxes and rays that move exactly along it, nearer than the distance to be kept', () => {
    const body = createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] });
    for (const tracer of [body.ray(), body.box([-2, -2, -2], [2, 2, 2])]) {
      const half = tracer.shape.kind === 'box' ? 2 : 0;
      for (const side of [-1, 1]) {
        const y = (gap: number): number => side * (8 + half + gap);
        expect(tracer.blocked([-50, y(0.0625), 0], [50, y(0.0625), 0])).toBe(false);
        // Nor those that come away from it, but those that come nearer.
        expect(tracer.blocked([-50, y(0.0625), 0], [50, y(0.09), 0])).toBe(false);
        expect(tracer.trace([-50, y(0.0625), 0], [50, y(0.03), 0]).normal).toEqual(Float32Array.of(-1, 0, 0));
        expect(tracer.blocked([-50, y(-0.0625), 0], [50, y(-0.0625), 0])).toBe(true);
      }
    }
  });

  it('does not stop round shapes that move exactly along it, nearer than they pass it', () => {
    const slab = createBody({ kind: 'box', mins: [-100, -100, -8], maxs: [100, 100, 0] });
    const sphere = slab.sphere(8, { epsilon: 0.125 });
    // Where a move leaves the slab's top, rounding must not make it an approach.
    const stops: number[] = [];
    for (let k = 0; k < 1000; k++) {
      const [x, far] = [k / 20, 200 + k / 20 + k / 7];
      if (sphere.trace([x, 3, 8.01], [far, 3, 8.01]).fraction < 1) stops.push(k);
    }
    expect(stops).toEqual([]);
  });

  it('gives tiny spheres the normals of its sides, though rounding leaves no distance to it', () => {
    const sphere = createBody({ kind: 'box', mins: [40, 240, -308], maxs: [824, 388, 590] }).sphere(1e-5, {
      epsilon: 0,
    });
    const normals = new Set<string>();
    for (let k = 0; k < 1000; k++) {
      const [x, y] = [823 - k / 7, 380 - k / 30];
      normals.add([...sphere.trace([x, y, -4139.75 - k / 3], [x, y, 16680 + 8 * k]).normal].join(' '));
    }
    expect([...normals]).toEqual(['0 0 -1']);
  });

  it('is hit by round shapes at corners and edges, not by those that pass them', () => {
    const cube = createBody({ kind: 'box', mins: [-10, -10, -10], maxs: [10, 10, 10] });
    const sphere = cube.sphere(10, { epsilon: 0 });
    const corner = sphere.trace([30, 30, 30], [0, 0, 0]);
    for (let k = 0; k < 3; k++) expect(corner.normal[k]).toBeCloseTo(Math.sqrt(1 / 3), 5);
    expect(corner.endPos[0]).toBeCloseTo(10 + 10 / Math.sqrt(3), 4);
    const edge = sphere.trace([30, 30, 0], [0, 0, 0]);
    expect([...edge.normal]).toEqual([Math.fround(Math.SQRT1_2), Math.fround(Math.SQRT1_2), 0]);
    // Half a unit from the edge, where a box of the same width would be stopped.
    expect(sphere.trace([17.5, 17.5, 30], [17.5, 17.5, -30]).fraction).toBe(1);
    expect(
      cube.box([-10, -10, -10], [10, 10, 10]).trace([17.5, 17.5, 30], [17.5, 17.5, -30]).fraction,
    ).toBeLessThan(1);
    // Flat capsules are spheres, as in the engine.
    const flat = cube.capsule([-20, -20, -10], [20, 20, 10], { epsilon: 0 });
    expect(flat.trace([30, 30, 30], [0, 0, 0]).fraction).toBe(corner.fraction);
  });

  it('is met by round shapes in the same way from every side: corners, edges and sides of a box', () => {
    const box = createBody({ kind: 'box', mins: [-10, -10, -10], maxs: [10, 10, 10] });
    const sphere = box.sphere(8);
    const orders = [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
      [0, 2, 1],
      [2, 1, 0],
      [1, 0, 2],
    ] as const;
    let hits = 0;
    const run = (start: Point, end: Point): void => {
      const first = sphere.trace(start, end).fraction;
      if (first < 1) hits++;
      for (const order of orders) {
        for (const sign of [1, -1]) {
          const turned = (at: Point): Point => order.map((k) => sign * at[k]) as Point;
          expect(Math.abs(sphere.trace(turned(start), turned(end)).fraction - first)).toBeLessThan(1e-4);
        }
      }
    };
    const out = fc.noBias(fc.float({ min: 19, max: 60, noNaN: true }));
    fc.assert(fc.property(fc.tuple(out, at, at), point, run), { numRuns: 300 });
    expect(hits).toBeGreaterThan(30);
  });

  it('can be left out by a mask, and placed, resized and filtered in place', () => {
    const body = createBody({ kind: 'box', mins: [-5, -5, -5], maxs: [5, 5, 5] }, { contents: 4 });
    const tracer = body.box([-1, -1, -1], [1, 1, 1], { mask: 2 });
    const out = createTrace();
    const x = (): number => tracer.trace([-100, 0, 0], [100, 0, 0], out).endPos[0]!;
    expect(x()).toBe(100);
    tracer.set({ mask: 6 });
    expect(x()).toBeCloseTo(-6.125, 5);
    tracer.place({ origin: [20, 0, 0] }).set({ epsilon: 0, mins: [-1, -1, -1], maxs: [3, 1, 1] });
    expect(x()).toBeCloseTo(12, 5);
    // One corner alone, too.
    expect(tracer.set({ maxs: [2, 1, 1] }).trace([-100, 0, 0], [100, 0, 0], out).endPos[0]).toBeCloseTo(
      13,
      5,
    );
    expect(tracer.set({ mins: [-4, -1, -1] }).trace([100, 0, 0], [-100, 0, 0], out).endPos[0]).toBeCloseTo(
      29,
      5,
    );
    tracer.set({ mins: [-1, -1, -1], maxs: [3, 1, 1] });
    body.resize({ kind: 'sphere', radius: 2 });
    expect([body.bounds.mins, body.bounds.maxs].flatMap((corner) => Array.from(corner))).toEqual([
      -2, -2, -2, 2, 2, 2,
    ]);
    expect(x()).toBeCloseTo(15, 5);
    expect(() => tracer.set({ radius: 2 })).toThrow(TypeError);
    expect(() => tracer.set({ epsilon: -1 })).toThrow('epsilon');
    expect(() => createBody({ kind: 'sphere', radius: Number.NaN })).toThrow('radius');
    expect(() => createBody({ kind: 'capsule', mins: [0, 0, 3], maxs: [1, 1, 2] })).toThrow('mins[2]');
    expect([...tracer.traceBatch(Float32Array.of(-100, 0, 0, 100, 0, 0)).fraction]).toEqual([
      Math.fround(0.575),
    ]);
  });
});
