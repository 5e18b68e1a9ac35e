import { createTrace, type FeatureStep, type PolygonStep, type TraceStep, type Vec3 } from '@bspkit/core';
import { between, createRandom, direction, dot } from '@bspkit/geometry';
import { expectBelow, expectSame, moving } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createEllipsoidWorld, createTutorialReference, explain } from '../src/index.ts';
import { ownMap } from './maps.ts';
import { boxFaces, pointIn, randomRoom, sourceOf } from './rooms.ts';

const RADII: Vec3 = [16, 16, 28];
const room = createEllipsoidWorld(sourceOf(boxFaces([-100, -100, -100], [100, 100, 100], true)));

const polygonsOf = (steps: readonly TraceStep[]): PolygonStep[] =>
  steps.filter((step): step is PolygonStep => step.kind === 'polygon');

describe('explain', () => {
  it('tells of every polygon, and of the planes around those whose plane is crossed', () => {
    const tracer = room.tutorial(RADII);
    const { trace, steps } = explain(tracer, [0, 0, 0], [200, 50, 0]);
    expect(trace).toEqual(tracer.trace([0, 0, 0], [200, 50, 0]));
    const polygons = polygonsOf(steps);
    expect(polygons.length).toBe(6);
    expect(new Set(polygons.map(({ polygon }) => polygon)).size).toBe(6);
    const [hit, ...others] = polygons.filter(({ outcome }) => outcome !== 'apart');
    expect(others).toEqual([]);
    expect(hit).toMatchObject({ polygon: trace.polygon, outcome: 'hit', enter: 0.42, normal: [-1, 0, 0] });
    const at = steps.indexOf(hit!);
    expect(steps.slice(at - 8, at)).toMatchObject(
      Array.from({ length: 8 }, (_, side) => ({ kind: 'side', side, enter: 0.42, leave: 0.58 })),
    );
    // The wall's planes are moved outwards by what the ellipsoid reaches.
    const up = steps.slice(at - 8, at).find((step) => step.kind === 'side' && step.normal[2] === 1);
    expect(up).toMatchObject({ dist: expect.closeTo(128, 4), startDist: expect.closeTo(-128, 4) });
    expect(steps.filter(({ kind }) => kind === 'side').length).toBe(8);
  });

  it.each([
    ['rooms', () => [0, 1, 2].map((k) => createEllipsoidWorld(sourceOf(randomRoom(k))))],
    ['a map', async () => [(await ownMap('quake3', 'arena')).ellipsoids]],
  ])('ends at the last hit, of the lowest facing value, in %s', async (_, make) => {
    const random = createRandom(seedOf(5));
    const outcomes = new Map<string, number>();
    for (const world of await make()) {
      const tracer = world.tutorial(RADII);
      for (let k = 0; k < 100; k++) {
        const start = pointIn(random, 450);
        const [length, way] = [between(random, 0, 300), direction(random)];
        const end = start.map((x, i) => x + length * way[i]!);
        const { trace, steps } = explain(tracer, start, end);
        expectSame(trace, tracer.trace(start, end), moving(start, end));
        const polygons = polygonsOf(steps);
        expectSame(polygons.filter(({ outcome }) => outcome === 'hit').at(-1)?.polygon ?? -1, trace.polygon);
        let lowest = Infinity;
        for (const step of polygons) {
          outcomes.set(step.outcome, (outcomes.get(step.outcome) ?? 0) + 1);
          expectBelow(Math.abs(step.startDist - (dot(step.start, step.normal) - step.dist)), 5e-4);
          if (step.outcome === 'hit') {
            expectBelow(step.facing, lowest);
            lowest = step.facing;
            if (step.polygon === trace.polygon) expectBelow(Math.abs(trace.fraction - step.enter), 5e-7);
          } else if (step.outcome === 'outfaced') expectSame(step.facing >= lowest, true);
          else if (step.outcome === 'apart') expectSame(step.enter, -1);
        }
      }
    }
    for (const outcome of ['hit', 'outfaced', 'missed', 'apart']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(0);
    }
  });

  it('gives steps that can be changed, with no effect on later ones', () => {
    const ends = [
      [0, 0, 0],
      [200, 50, 0],
    ] as const;
    const reference = createTutorialReference(room, RADII);
    const stepsOf = (): readonly TraceStep[] => [
      ...explain(room.tutorial(RADII), ...ends).steps,
      ...explain(room.ellipsoid(RADII), ...ends).steps,
      ...reference.move(...ends).rounds.flatMap(({ steps }) => steps),
    ];
    const before = stepsOf();
    const kept = structuredClone(before);
    for (const step of before) {
      for (const point of Object.values(step).flat()) if (Array.isArray(point)) point.fill(9);
      for (const point of Object.values(step)) if (Array.isArray(point)) point.fill(9);
    }
    expect(stepsOf()).toEqual(kept);
  });

  it('refuses tracers of other packages, and coordinates that are not finite', () => {
    const ends = [
      [0, 0, 0],
      [1, 0, 0],
    ] as const;
    for (const other of [undefined, {}, createTrace()]) {
      expect(() => explain(other as never, ...ends)).toThrow(/^tracer must be .*world.tutorial/);
    }
    for (const tracer of [room.tutorial(RADII), room.ellipsoid(RADII)]) {
      expect(() => explain(tracer, [0, 0, Number.NaN], [1, 0, 0])).toThrow('start[2]');
    }
  });
});

const featuresOf = (steps: readonly TraceStep[]): FeatureStep[] =>
  steps.filter((step): step is FeatureStep => step.kind === 'feature');

describe('explain, of the exact sweep', () => {
  it('tells of the face, the edges and the corners of what is met', () => {
    const tracer = room.ellipsoid(RADII);
    const { trace, steps } = explain(tracer, [0, 0, 0], [200, 50, 0]);
    expect(trace).toEqual(tracer.trace([0, 0, 0], [200, 50, 0]));
    const hit = polygonsOf(steps).filter(({ outcome }) => outcome === 'hit');
    expect(hit).toMatchObject([
      { polygon: trace.polygon, normal: [-1, 0, 0], dist: -100, startDist: 100, endDist: -100, offset: 16 },
    ]);
    expect(hit[0]).toMatchObject({ enter: 0.42, facing: expect.closeTo(-200 / Math.hypot(200, 50), 12) });
    const at = steps.indexOf(hit[0]!);
    expect(featuresOf(steps.slice(at - 9, at)).map(({ feature, number }) => `${feature} ${number}`)).toEqual([
      'face 0',
      ...['edge', 'corner'].flatMap((name) => [0, 1, 2, 3].map((number) => `${name} ${number}`)),
    ]);
    expect(steps[at - 9]).toMatchObject({ enter: 0.42, points: { length: 4 } });
    // Past the wall's side, the other wall is too far away.
    expect(featuresOf(steps).filter(({ enter }) => enter >= 0).length).toBe(1);
  });

  it('tells which edge or corner is touched', () => {
    const block = createEllipsoidWorld(sourceOf(boxFaces([0, 0, 0], [64, 64, 64], false)));
    const touched = (start: Vec3, end: Vec3): FeatureStep[] => {
      const { trace, steps } = explain(block.sphere(16), start, end);
      const hit = polygonsOf(steps)
        .filter(({ outcome }) => outcome === 'hit')
        .at(-1)!;
      expect(hit.polygon).toBe(trace.polygon);
      const before = steps.slice(0, steps.indexOf(hit));
      const own = before.slice(before.map(({ kind }) => kind).lastIndexOf('polygon') + 1);
      return featuresOf(own).filter(({ enter }) => Math.fround(enter) === trace.fraction);
    };
    // Over the upper edge at x = 0, and towards the corner at the origin.
    const [edge, ...noMore] = touched([-40, 32, 72], [40, 32, 72]);
    expect(noMore).toEqual([]);
    expect(edge).toMatchObject({ feature: 'edge', enter: (40 - Math.sqrt(16 ** 2 - 8 ** 2)) / 80 });
    for (const [x, , z] of edge!.points) expect([x, z]).toEqual([0, 64]);
    const [corner, ...none] = touched([-40, -40, -40], [40, 40, 40]);
    expect(none).toEqual([]);
    expect(corner).toMatchObject({ feature: 'corner', points: [[0, 0, 0]] });
    expect(corner!.enter).toBeCloseTo((40 - 16 / Math.sqrt(3)) / 80, 12);
  });

  it.each([
    ['rooms', 1, () => [0, 1, 2].map((k) => createEllipsoidWorld(sourceOf(randomRoom(k))))],
    ['a map', 0, async () => [(await ownMap('quake3', 'arena')).ellipsoids]],
  ])('ends at what stopped the tracer, at the first time of any feature, in %s', async (_, corners, make) => {
    const random = createRandom(seedOf(7));
    const outcomes = new Map<string, number>();
    const touched = new Map<string, number>();
    for (const world of await make()) {
      const tracer = world.ellipsoid(RADII);
      for (let k = 0; k < 250; k++) {
        const start = pointIn(random, 450);
        const [length, way] = [between(random, 0, 300), direction(random)];
        const end = start.map((x, i) => x + length * way[i]!);
        const { trace, steps } = explain(tracer, start, end);
        expectSame(trace, tracer.trace(start, end), moving(start, end));
        const isStop = ({ outcome }: PolygonStep): boolean => outcome === 'hit' || outcome === 'allSolid';
        const stop = polygonsOf(steps).filter(isStop).at(-1);
        expectSame(stop?.polygon ?? -1, trace.polygon);
        if (stop) expectSame(Math.fround(stop.enter), trace.fraction);
        let features: FeatureStep[] = [];
        for (const step of steps) {
          if (step.kind === 'feature') features.push(step);
          if (step.kind !== 'polygon') continue;
          const met = features.filter(({ enter }) => enter >= 0);
          features = [];
          outcomes.set(step.outcome, (outcomes.get(step.outcome) ?? 0) + 1);
          expectBelow(-step.startDist, Number.MIN_VALUE);
          expectBelow(Math.abs(step.startDist - (dot(step.start, step.normal) - step.dist)), 5e-10);
          expectBelow(Math.abs(step.endDist - (dot(step.end, step.normal) - step.dist)), 5e-10);
          if (step.outcome === 'apart') expectSame(step.enter, -1);
          const isMet = step.outcome === 'hit' || step.outcome === 'farther';
          if (!isMet) expectSame(met, []);
          if (!isMet || step.enter === 0) continue;
          const [first] = met.sort((a, b) => a.enter - b.enter);
          expectBelow(Math.abs(first!.enter - step.enter), 5e-10);
          touched.set(first!.feature, (touched.get(first!.feature) ?? 0) + 1);
        }
      }
    }
    for (const outcome of ['hit', 'farther', 'missed', 'apart', 'allSolid', 'startSolid']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(5);
    }
    for (const feature of ['face', 'edge']) expect(touched.get(feature), feature).toBeGreaterThan(20);
    // Those of a map's rooms point outwards, and are never touched.
    expect(touched.get('corner') ?? 0).toBeGreaterThanOrEqual(corners);
  });
});
