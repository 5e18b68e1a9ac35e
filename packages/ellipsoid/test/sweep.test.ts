import type { Polygon } from '@bspkit/core';
import { FIXTURE_FORMATS, fixtureFor } from '@bspkit/fixtures';
import { between, createRandom, direction, type Random, type Vec } from '@bspkit/geometry';
import { expectBelow, expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createEllipsoidWorld, type EllipsoidTrace, explain } from '../src/index.ts';
import { bruteSweep, triangleDistance, trianglesOf, useTriangle } from './brute.ts';
import { ownMap } from './maps.ts';
import { boxFaces, pointIn, polygonOf, randomRoom, sourceOf } from './rooms.ts';

const DEFAULT_RUNS = 1_200;
const RUNS = Number(process.env.BSPKIT_RUNS_ELLIPSOID ?? DEFAULT_RUNS);
const MOVES_PER_ROOM = 200;
/** Moves on each of our own maps, which have many times as many triangles as a room. */
const MAP_RUNS = RUNS > DEFAULT_RUNS ? RUNS / 4 : 80;

/** A quarter of the moves each: as short as a player's, of a room's length, and very fast. */
const LENGTHS = [12, 60, 400, 10_000];

type Answer = Omit<EllipsoidTrace, 'polygon' | 'texture'>;

/** The results of some moves. */
interface Tally {
  moves: number;
  hits: number;
  missed: number;
  /** Moves that start in an overlap. */
  overlaps: number;
  /** Moves that pass a surface so closely that a last bit decides, and whose results differ. */
  close: number;
  /** Largest difference of fractions. */
  worst: number;
}

const createTally = (): Tally => ({ moves: 0, hits: 0, missed: 0, overlaps: 0, close: 0, worst: 0 });

/** Sweeps among polygons, by the package and by brute force. */
function checkMoves(
  polygons: readonly Polygon[],
  count: number,
  random: Random,
  startOf: () => Vec,
  tally: Tally,
): void {
  const triangles = trianglesOf(polygons);
  const world = createEllipsoidWorld(sourceOf(polygons));
  expect(world.numDropped).toBe(0);
  const tracer = world.ellipsoid([1, 1, 1]);
  const trace = tracer.createTrace();
  for (let k = 0; k < count; k++) {
    const radii = [0, 1, 2].map(() => Math.fround(between(random, 2, 40))) as Vec;
    const start = startOf().map(Math.fround) as Vec;
    const length = LENGTHS[k % LENGTHS.length]! * random();
    const way = direction(random);
    const end = start.map((x, i) => Math.fround(x + length * way[i]!)) as Vec;
    tracer.set({ radii }).trace(start, end, trace);
    expect(tracer.blocked(start, end)).toBe(trace.startSolid || trace.fraction < 1);
    const brute = bruteSweep(triangles, start, end, radii);
    tally.moves++;
    if (brute.time < 1) tally.hits++;
    if (brute.overlaps) tally.overlaps++;
    if (trace.startSolid) expect(brute.overlaps).toBe(true);
    // The answer's fraction is a float32.
    const difference = Math.min(
      Math.abs(trace.fraction - Math.fround(brute.time)),
      Math.abs(trace.fraction - Math.fround(brute.inPieces)),
    );
    if (brute.close && difference > 1e-6) {
      tally.close++;
      continue;
    }
    if (brute.time < 1 && brute.inPieces < 1 && trace.fraction === 1) tally.missed++;
    tally.worst = Math.max(tally.worst, difference);
    const says = `${start} to ${end}, radii ${radii}: ${trace.fraction}, not ${brute.time}`;
    expect(difference, says).toBeLessThan(1e-6);
  }
}

function checkTally(name: string, tally: Tally): void {
  if (RUNS > DEFAULT_RUNS) console.log(name, JSON.stringify(tally));
  expect(tally.missed).toBe(0);
  expect(tally.hits).toBeGreaterThan(tally.moves / 8);
  expect(tally.overlaps).toBeGreaterThan(0);
  expect(tally.close).toBeLessThan(1 + tally.moves / 200);
}

describe('the exact sweep meets what brute force over all triangles meets, at the same time', () => {
  it(`in generated rooms (${RUNS} moves)`, () => {
    const random = createRandom(seedOf(7));
    const tally = createTally();
    for (let room = 0; room * MOVES_PER_ROOM < RUNS; room++) {
      const count = Math.min(RUNS - room * MOVES_PER_ROOM, MOVES_PER_ROOM);
      checkMoves(randomRoom(room), count, random, () => pointIn(random, 460), tally);
    }
    checkTally('rooms', tally);
  });

  it.each([
    ...FIXTURE_FORMATS.map((game) => [game, fixtureFor(game)] as const),
    ['quake3', 'torture'] as const,
  ])(`on maps of our own: %s/%s (${MAP_RUNS} moves)`, async (game, fixture) => {
    const { source, world } = await ownMap(game, fixture);
    const random = createRandom(seedOf(8));
    const { mins, maxs } = world.bounds;
    const start = (): Vec => [0, 1, 2].map((k) => between(random, mins[k]!, maxs[k]!)) as Vec;
    const tally = createTally();
    const polygons = source.polygons().filter((polygon) => source.isSolid(polygon));
    checkMoves(polygons, MAP_RUNS, random, start, tally);
    checkTally(`${game}/${fixture}`, tally);
  });
});

describe('a plate that falls along an upright edge, and drifts towards it', () => {
  const height = 60_000;
  const wall = polygonOf([
    [0, 0, -height],
    [100, 0, -height],
    [100, 0, height],
    [0, 0, height],
  ]);
  const world = createEllipsoidWorld(sourceOf([wall]));

  it.each([0.001, 0.01, 1])('meets it, and goes no deeper, however thin it is: %d', (thickness) => {
    const radii: Vec = [1_000, 1_000, thickness];
    const tracer = world.ellipsoid(radii);
    for (const drift of [1, 10]) {
      const [start, end]: [Vec, Vec] = [
        [-1_000 - drift / 2, 0, height],
        [-1_000 + drift / 2, 0, -height],
      ];
      const met = tracer.trace(start, end);
      expect(met).toMatchObject({
        startSolid: false,
        fraction: expect.closeTo(0.5, 6),
        normal: Float32Array.of(-1, 0, 0),
      });
      expect(tracer.blocked(start, end)).toBe(true);
      const enter = explain(tracer, start, end).steps.flatMap((step) =>
        step.kind === 'feature' && step.enter >= 0 ? step.enter : [],
      );
      expect(Math.min(...enter)).toBeCloseTo(0.5, 6);
      const inside: Vec = [-999, 0, 50_000];
      const deeper = tracer.trace(inside, [-999 + drift, 0, -50_000]);
      expect(deeper).toMatchObject({ startSolid: true, allSolid: true, fraction: 0 });
      expect(tracer.trace(inside, [-999 - drift, 0, -50_000]).fraction).toBe(1);
    }
    expect(tracer.trace([-1_000, 0, 50_000], [-1_000, 0, -50_000]).fraction).toBe(1);
  });
});

describe('a plate that falls from far away', () => {
  const flat = (...corners: Vec[]): Polygon[] => [polygonOf(corners)];
  it.each([
    ['a corner', flat([0, 0, 0], [500, -100, 0], [500, 100, 0])],
    ['an edge', flat([0, -3_000, 0], [500, -3_000, 0], [500, 3_000, 0], [0, 3_000, 0])],
  ])('meets %s with its rim', (_, polygons) => {
    const world = createEllipsoidWorld(sourceOf(polygons));
    const random = createRandom(seedOf(11));
    for (const thickness of [0.001, 0.01, 0.1, 1]) {
      for (let k = 0; k < 50; k++) {
        const radius = Math.fround(between(random, 16, 1_000));
        const tracer = world.ellipsoid([radius, radius, thickness]);
        const height = Math.fround(between(random, 10_000, 50_000));
        const x = Math.fround(-radius * (1 - 10 ** between(random, -5, -1)));
        const rim = Math.fround(thickness) * Math.sqrt(1 - (x / radius) ** 2);
        const met = tracer.trace([x, 0, height], [x, 0, -height]);
        const says = `${radius} by ${thickness} at ${x}, from ${height}`;
        expect(Math.abs(met.fraction - (height - rim) / (2 * height)), says).toBeLessThan(6e-8);
        expect(met.normal[0], says).toBeLessThan(0);
        expect(tracer.trace([-1.0001 * radius, 0, height], [-1.0001 * radius, 0, -height]).fraction).toBe(1);
      }
    }
  });

  it('has the normal of the edge that it drifts into', () => {
    const wall = flat([0, 0, -60_000], [100, 0, -60_000], [100, 0, 60_000], [0, 0, 60_000]);
    const tracer = createEllipsoidWorld(sourceOf(wall)).ellipsoid([1_000, 1_000, 0.001]);
    const random = createRandom(seedOf(12));
    for (let k = 0; k < 100; k++) {
      const start: Vec = [between(random, -1_009, -1_001), 0, between(random, 20_000, 50_000)];
      const { fraction, normal } = tracer.trace(start, [between(random, -999, -990), 0, -20_000]);
      expect(fraction).toBeLessThan(1);
      expect(Math.abs(normal[2]!), `${start}`).toBeLessThan(1e-9);
    }
  });
});

describe('where the centre starts exactly in a polygon', () => {
  it('moves towards its back are stopped at once, and those towards its front are free', () => {
    const slanted = polygonOf([
      [0, 0, 0],
      [0, 300, 0],
      [300, 300, 400],
      [300, 0, 400],
    ]);
    for (const face of [...boxFaces([-100, -100, -100], [100, 100, 100]), slanted]) {
      const tracer = createEllipsoidWorld(sourceOf([face])).ellipsoid([16, 12, 28]);
      const center = [0, 1, 2].map((k) => (face.vertices[k]! + face.vertices[6 + k]!) / 2) as Vec;
      const [back, front] = [-50, 50].map((way) => center.map((x, k) => x + way * face.normal[k]!));
      const stopped = tracer.trace(center, back!);
      expect(stopped).toMatchObject({ startSolid: true, allSolid: true, fraction: 0, polygon: 0 });
      for (let k = 0; k < 3; k++) expect(stopped.normal[k]).toBeCloseTo(face.normal[k]!, 6);
      expect(tracer.trace(center, front!)).toMatchObject({ startSolid: true, allSolid: false, fraction: 1 });
    }
  });
});

describe('where several polygons are overlapped at the start', () => {
  it('the deepest one stops the move, in whatever order they are listed', () => {
    const random = createRandom(seedOf(9));
    let [stopped, several] = [0, 0];
    for (let room = 0; room < 12; room++) {
      const polygons = randomRoom(room);
      const triangles = trianglesOf(polygons);
      const worlds = [polygons, [...polygons].reverse()].map((list) => createEllipsoidWorld(sourceOf(list)));
      for (let k = 0; k < 60; k++) {
        const radii = [0, 1, 2].map(() => between(random, 20, 160)) as Vec;
        const start = pointIn(random, 460);
        const end = pointIn(random, 460);
        const answers = worlds.map((world) => {
          const {
            polygon: _,
            texture: __,
            ...answer
          }: EllipsoidTrace = world.ellipsoid(radii).trace(start, end);
          return answer;
        });
        const [{ normal, ...one }, { normal: other, ...two }] = answers as [Answer, Answer];
        expectSame(one, two);
        // At an edge of two polygons, the normal is that of either, as it was rounded.
        for (const [i, n] of normal.entries()) expectBelow(Math.abs(n - other[i]!), 1e-6);
        if (answers[0]!.allSolid) stopped++;
        const at = start.map((x, i) => x / radii[i]!) as Vec;
        const near = triangles.filter((triangle) => {
          useTriangle(triangle, radii);
          return triangleDistance(...at) < 1;
        });
        if (new Set(near.map(({ polygon }) => polygon)).size > 1) several++;
      }
    }
    expect(Math.min(stopped, several)).toBeGreaterThan(100);
  });
});
