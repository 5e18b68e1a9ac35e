import { createTrace, type PolygonStep, type TraceStep, type Vec3 } from '@bspkit/core';
import { between, createRandom, direction, dot } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { createEllipsoidWorld, createTutorialReference, explain, type TutorialTracer } from '../src/index.ts';
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
    const random = createRandom(5);
    const outcomes = new Map<string, number>();
    for (const world of await make()) {
      const tracer = world.tutorial(RADII);
      for (let k = 0; k < 100; k++) {
        const start = pointIn(random, 450);
        const [length, way] = [between(random, 0, 300), direction(random)];
        const end = start.map((x, i) => x + length * way[i]!);
        const { trace, steps } = explain(tracer, start, end);
        expect(trace).toEqual(tracer.trace(start, end));
        const polygons = polygonsOf(steps);
        expect(polygons.filter(({ outcome }) => outcome === 'hit').at(-1)?.polygon ?? -1).toBe(trace.polygon);
        let lowest = Infinity;
        for (const step of polygons) {
          outcomes.set(step.outcome, (outcomes.get(step.outcome) ?? 0) + 1);
          expect(step.startDist).toBeCloseTo(dot(step.start, step.normal) - step.dist, 3);
          if (step.outcome === 'hit') {
            expect(step.facing).toBeLessThan(lowest);
            lowest = step.facing;
            if (step.polygon === trace.polygon) expect(trace.fraction).toBeCloseTo(step.enter, 6);
          } else if (step.outcome === 'farther') expect(step.facing).toBeGreaterThanOrEqual(lowest);
          else if (step.outcome === 'apart') expect(step.enter).toBe(-1);
        }
      }
    }
    for (const outcome of ['hit', 'farther', 'missed', 'apart']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(5);
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
      ...reference.move(...ends).rounds.flatMap(({ steps }) => steps),
    ];
    const before = stepsOf();
    const kept = structuredClone(before);
    for (const step of before) {
      for (const point of Object.values(step)) if (Array.isArray(point)) point.fill(9);
    }
    expect(stepsOf()).toEqual(kept);
  });

  it('refuses the exact sweep, which is in no document, and tracers of other packages', () => {
    const ends = [
      [0, 0, 0],
      [1, 0, 0],
    ] as const;
    const exact = room.ellipsoid(RADII) as unknown as TutorialTracer;
    expect(() => explain(exact, ...ends)).toThrow(
      new TypeError(
        "tracer is an exact ellipsoid, but only the tutorial's method has steps (world.tutorial, or the option tutorial)",
      ),
    );
    for (const other of [undefined, {}, createTrace()]) {
      expect(() => explain(other as never, ...ends)).toThrow(/^tracer must be .*world.tutorial/);
    }
    expect(() => explain(room.tutorial(RADII), [0, 0, Number.NaN], [1, 0, 0])).toThrow('start[2]');
  });
});
