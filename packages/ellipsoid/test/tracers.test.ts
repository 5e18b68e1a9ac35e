import { compare, openQueries } from '@bspkit/compare';
import type { Tracer } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { createController } from '@bspkit/movement';
import { expectAllOrNothing } from '@bspkit/testkit/getters';
import { expectSame, moving } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createEllipsoidBody, createEllipsoidWorld } from '../src/index.ts';
import { openMemory } from '../src/kernel/memory.ts';
import { boxFaces, sourceOf } from './rooms.ts';

/** A room with a block in it. */
const world = createEllipsoidWorld(
  sourceOf([...boxFaces([-200, -200, 0], [200, 200, 200], true), ...boxFaces([60, -200, -1], [120, 0, 100])]),
);
const RADII = [16, 16, 28];

describe('its tracers can be used where others can', () => {
  it('in a character, which falls, and walks along a block to the wall', () => {
    const walker = createController(world.ellipsoid(RADII, { epsilon: 1 / 32 }), { position: [0, -40, 60] });
    for (let frame = 0; frame < 60; frame++) walker.walk([0, 0, 0], 1 / 60);
    expect([walker.grounded, walker.stuck]).toEqual([true, false]);
    expect(walker.position[2]).toBeCloseTo(28, 0);
    for (let frame = 0; frame < 120; frame++) walker.walk([200, 60, 0], 1 / 60);
    expect(walker.stuck).toBe(false);
    expect(walker.position[0]).toBeCloseTo(184, 0);
    expect(walker.position[1]).toBeGreaterThan(10);
    expect(walker.position[2]).toBeCloseTo(28, 0);
  });

  it.each([60, 200, 320])('in a character that climbs steps of 12 units, at %i units per second', (speed) => {
    const stairs = createEllipsoidWorld(
      sourceOf([
        ...boxFaces([-200, -200, 0], [200, 200, 200], true),
        ...boxFaces([0, -200, -1], [200, 200, 12]),
        ...boxFaces([40, -200, 11], [200, 200, 24]),
        // A step that is too high.
        ...boxFaces([100, -200, 23], [200, 200, 43]),
      ]),
    );
    const walker = createController(stairs.ellipsoid(RADII, { epsilon: 1 / 32 }), {
      position: [-60, 0, 28.1],
    });
    for (let frame = 0; frame < (60 * 200) / speed; frame++) {
      walker.walk([speed, 0, 0], 1 / 60);
      expect([walker.grounded, walker.stuck], `frame ${frame}`).toEqual([true, false]);
    }
    expect(walker.position[2]).toBeCloseTo(28 + 24, 0);
    expect(walker.position[0]).toBeGreaterThan(80);
    expect(walker.position[0]).toBeLessThan(100);
    // And down again.
    for (let frame = 0; frame < (60 * 200) / speed; frame++) walker.walk([-speed, 0, 0], 1 / 60);
    expect(walker.position[2]).toBeCloseTo(28, 0);
    expect(walker.position[0]).toBeLessThan(-60);
  });

  it('in comparisons', () => {
    const exact = world.ellipsoid(RADII);
    const queries = openQueries(300, { open: exact, bounds: world.bounds, seed: 1 });
    const { tracers } = compare(
      [
        { name: 'exact', tracer: exact },
        { name: 'document', tracer: world.tutorial(RADII) },
      ],
      queries,
      { rounds: 0 },
    );
    const [first, second] = tracers;
    expect(first!.hits).toBeGreaterThan(50);
    // Among axial boxes, the two methods differ only at edges and corners.
    expect(second!.agreement.share).toBeGreaterThan(0.6);
  });
});

describe('the data of a world', () => {
  it('may be larger than 2 GiB', () => {
    const { places } = world._memory;
    // Only promised by the system: nothing of it is touched.
    const data = new ArrayBuffer(2 ** 31 + 8);
    expect(openMemory(data, places).doubles.length).toBe(2 ** 28 + 1);
  });
});

describe('what is hit at the very end of a move is in the way', () => {
  const far = (random: () => number): number => 1000 * (random() - 0.5);
  const floor = createEllipsoidWorld(sourceOf(boxFaces([-5000, -5000, -100], [5000, 5000, 0])));
  const body = createEllipsoidBody([16, 16, 16]);
  it.each<[string, Tracer, number]>([
    ['exactly', floor.ellipsoid([8, 8, 28]), 28],
    ["by the tutorial's method", floor.tutorial([8, 8, 28]), 28],
    ['another ellipsoid', body.sphere(16), 32],
  ])('%s', (_, tracer, height) => {
    const random = createRandom(seedOf(2));
    let hits = 0;
    for (let k = 0; k < 3000; k++) {
      const start = [far(random), far(random), height + 10 ** (6 * random() - 2)];
      // As deep as rounding is, or a bit deeper.
      const end = [0, 0, height - height * 2 ** (-30 * random() - 10)];
      const { fraction, startSolid } = tracer.trace(start, end);
      expectSame(tracer.blocked(start, end), startSolid || fraction < 1, moving(start, end));
      if (fraction > 0.999) hits++;
    }
    expect(hits).toBeGreaterThan(100);
  });
});

describe('a start inside something is recognized by how deep it is', () => {
  const FLAT = [
    [1000, 1000, 0.001],
    [0.001, 1000, 1000],
    [1000, 0.001, 50],
  ] as const;
  const wall = createEllipsoidWorld(sourceOf(boxFaces([-4e5, -4e5, -4e5], [0, 4e5, 4e5])));

  it.each(FLAT)('an ellipsoid of radii %f %f %f, among polygons', (...radii) => {
    const [x] = radii;
    const tracer = wall.ellipsoid(radii);
    for (const share of [0.05, 0.5, 0.9, 0.999]) {
      // Moving out, so that only startSolid tells.
      const { startSolid, fraction } = tracer.trace([share * x, 0, 0], [3 * x, 0, 0]);
      expect([startSolid, fraction]).toEqual([(1 - share) * x > 1 / 1024, 1]);
      expect(tracer.blocked([share * x, 0, 0], [3 * x, 0, 0])).toBe(startSolid);
    }
  });

  it.each(FLAT)('and against a body', (...radii) => {
    const [x] = radii;
    const body = createEllipsoidBody([500, 20, 20]).ellipsoid(radii);
    for (const share of [0.05, 0.5, 0.9, 0.999]) {
      const { startSolid, fraction } = body.trace([500 + share * x, 0, 0], [600 + 3 * x, 0, 0]);
      expect([startSolid, fraction]).toEqual([(1 - share) * x > 1 / 1024, 1]);
    }
  });

  it.each([0.001, 0.1, 10])('also in the middle of a body: a ball of %f', (radius) => {
    const body = createEllipsoidBody([500, 20, 20])
      .sphere(radius)
      .place({ origin: [1e5, 0, 0] });
    for (const x of [0, 100, -400, 499]) {
      expect(body.trace([1e5 + x, 0, 0], [2e5 * Math.sign(x), 0, 0]).startSolid).toBe(true);
      expect(body.trace([1e5 + x, 0, 0.5], [1e5 + x, 0, 100]).startSolid).toBe(true);
    }
  });

  it('not where it was stopped, however far out that is', () => {
    const random = createRandom(seedOf(6));
    const size = (): number => 10 ** (5 * random() - 2);
    for (let k = 0; k < 3000; k++) {
      const radii = [size(), size(), size()];
      const origin = [0, 1, 2].map(() => Math.fround(2e5 * (random() - 0.5)));
      const body = createEllipsoidBody([size(), size(), size()]).ellipsoid(radii).place({ origin });
      const start = origin.map((x) => x + 20_000 * (random() - 0.5));
      for (const [tracer, from, to] of [
        [body, start, origin],
        [
          wall.ellipsoid(radii),
          [radii[0]! + 1e5 * random(), start[1]!, start[2]!],
          [-1, origin[1]!, origin[2]!],
        ],
      ] as const) {
        const { endPos, startSolid } = tracer.trace(from, to);
        if (startSolid) continue;
        expect(tracer.trace(endPos, to).startSolid, `${radii}: ${from} to ${to}`).toBe(false);
      }
    }
  });
});

it('tracers keep their size where only the distance to keep changes, and the other way round', () => {
  const world = createEllipsoidWorld(sourceOf(boxFaces([-20, -20, -20], [20, 20, 20])));
  const ellipsoid = world.ellipsoid([1, 2, 3], { epsilon: 1 });
  const sphere = world.sphere(4, { epsilon: 1 });
  const endOf = (tracer: typeof sphere): number => tracer.trace([100, 0, 0], [0, 0, 0]).endPos[0]!;
  expect([endOf(ellipsoid.set({ epsilon: 5 })), endOf(sphere.set({ epsilon: 5 }))]).toEqual([26, 29]);
  expect([endOf(ellipsoid.set({ radii: [2, 2, 2] })), endOf(sphere.set({ radius: 7 }))]).toEqual([27, 32]);
  expect(ellipsoid.shape).toEqual({ kind: 'ellipsoid', radii: Float32Array.of(2, 2, 2) });
  expect(sphere.shape).toEqual({ kind: 'sphere', radius: 7 });
});

it('tracers are changed and placed as a whole, even where a getter throws', () => {
  const body = createEllipsoidBody([5, 5, 5]).ellipsoid([1, 1, 1]);
  const world = createEllipsoidWorld(sourceOf(boxFaces([-20, -20, -20], [20, 20, 20])));
  const tracer = world.ellipsoid([1, 1, 1]);
  const answers = () => [body, tracer].map((each) => ({ ...each.trace([100, 0, 0], [-100, 0, 0]) }));
  expectAllOrNothing({ origin: [50, 0, 0], angles: [0, 0, 0] }, (pose) => body.place(pose), answers);
  expectAllOrNothing({ epsilon: 1, radii: [2, 3, 4] }, (changes) => tracer.set(changes), answers);
});
