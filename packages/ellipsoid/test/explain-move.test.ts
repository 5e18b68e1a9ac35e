import type { MoveExplanation, MoveRound, PolygonStep, StepVec, TraceStep, Vec3 } from '@bspkit/core';
import { between, createRandom, cross, direction, dot, lengthOf, type Vec } from '@bspkit/geometry';
import { expectBelow, expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  createEllipsoidWorld,
  createTutorialReference,
  type Ellipsoid,
  EllipsoidSlider,
  type EllipsoidTrace,
  type EllipsoidWorld,
  explain,
  explainMove,
  type SlideOptions,
} from '../src/index.ts';
import { ownMap } from './maps.ts';
import { boxFaces, pointIn, polygonOf, randomRoom, sourceOf } from './rooms.ts';

const RADII: Vec3 = [16, 16, 28];
const room = createEllipsoidWorld(sourceOf(boxFaces([-100, -100, -100], [100, 100, 100], true)));

type Told = MoveExplanation<EllipsoidTrace>;

/** Worlds to move in, and what happens only in some. */
const PLACES: [string, () => Promise<EllipsoidWorld[]>, string[]][] = [
  [
    'rooms',
    async () => [0, 1, 2, 3].map((k) => createEllipsoidWorld(sourceOf(randomRoom(k)))),
    ['edge', 'crease', 'straight', 'corner', 'back'],
  ],
  ['a map', async () => [(await ownMap('quake3', 'arena')).ellipsoids], []],
];

/** Random moves, between places that float32s have exactly, and their difference too. */
function* moves(seed: number, count: number, most: number): Generator<[Vec, Vec]> {
  const random = createRandom(seedOf(seed));
  for (let k = 0; k < count; k++) {
    const start = pointIn(random, 450);
    const [length, way] = [between(random, 0, most), direction(random)];
    const end = start.map((x, i) => x + length * way[i]!);
    yield [start, end].map((point) => point.map((x) => Math.round(8 * x) / 8 + 0)) as [Vec, Vec];
  }
}

const bits = (numbers: ArrayLike<number>): number[] => Array.from(Float32Array.from(numbers));
const last = ({ rounds }: Told): MoveRound<EllipsoidTrace> => rounds.at(-1)!;
const hitOf = (steps: readonly TraceStep[]): PolygonStep | undefined =>
  steps
    .filter((step): step is PolygonStep => step.kind === 'polygon' && /^(hit|allSolid)$/.test(step.outcome))
    .at(-1);

describe('explainMove, of a slider', () => {
  const slider = (options?: SlideOptions, world = room): EllipsoidSlider =>
    new EllipsoidSlider(world, RADII, options);

  it('tells of each round what was touched, and where the rest leads', () => {
    const { rounds, ended, endPos, remaining, pushes } = explainMove(slider(), [0, 0, 0], [200, 100, 0]);
    const [first, second, ...more] = rounds;
    expect(more).toEqual([]);
    expect(first).toMatchObject({ start: [0, 0, 0], end: [200, 100, 0], along: [0] });
    expect(first!.touched).toMatchObject({ feature: 'face', enter: 84 / 200 });
    expect(first!.trace.fraction).toBe(Math.fround((84 - 1 / 32) / 200));
    expect(second!.along).toEqual([1]);
    const places = [first!.stop, first!.next, second!.stop, second!.next].map(bits);
    expect(places).toEqual([
      [83.96875, 41.984375, 0],
      [83.96875, 100, 0],
      [83.96875, 83.96875, 0],
      [83.96875, 83.96875, 0],
    ]);
    expect({ ended, endPos, remaining, pushes }).toEqual({
      ...{ ended: 'straight', endPos: [83.96875, 83.96875, 0], remaining: [0, 0, 0], pushes: [] },
    });
  });

  it.each<[Told['ended'], number[][], Vec, Vec, SlideOptions?]>([
    ['free', [[]], [0, 0, 0], [50, 0, 0]],
    ['free', [[0], []], [0, 0, 0], [200, 50, 0]],
    ['straight', [[0]], [0, 0, 0], [200, 0, 0]],
    ['limit', [[0], [1]], [0, 0, 0], [200, 190, 180], { maxContacts: 2 }],
  ])('ends %s after rounds %j: from %j to %j', (ended, along, start, end, options) => {
    const told = explainMove(slider(options), start, end);
    expect([told.ended, told.rounds.map((round) => round.along)]).toEqual([ended, along]);
  });

  it('ends back, and along no crease, where it is pushed straight into a valley', () => {
    const sides = [1, -1].map((side) =>
      polygonOf([
        [0, 500 * side, 0],
        [0, -500 * side, 0],
        [500 * side, -500 * side, 100],
        [500 * side, 500 * side, 100],
      ]),
    );
    const valley = createEllipsoidWorld(sourceOf(sides));
    const told = explainMove(slider({}, valley), [10, 0, 100], [10, 0, -200]);
    expect([told.ended, told.rounds.map((round) => round.along)]).toEqual(['back', [[0], [1]]]);
  });

  it('tells of the pushes out of what it overlaps, before the first round', () => {
    const { pushes, rounds, endPos } = explainMove(slider({ gap: 0.5 }), [90, 90, 0], [90, 90, 10]);
    expect(pushes.map((push) => [push.depth, push.start, bits(push.end)])).toEqual([
      [expect.closeTo(6, 12), [90, 90, 0], [90, 83.5, 0]],
      [expect.closeTo(6, 12), pushes[0]!.end, [83.5, 83.5, 0]],
    ]);
    expect(new Set(pushes.map(({ polygon }) => polygon)).size).toBe(2);
    expect(rounds[0]!.start).toEqual(pushes[1]!.end);
    expect(endPos).toEqual([83.5, 83.5, 10]);
  });

  it.each(PLACES)(
    'has the numbers of slide, bit for bit, and explains as explain does, in %s',
    async (_, worlds, rare) => {
      const seen = new Map<string, number>();
      for (const world of await worlds()) {
        for (const options of [{}, { gap: 0.25, maxContacts: 2 }]) {
          const mover = slider(options, world);
          const tracer = world.ellipsoid(RADII, { epsilon: options.gap ?? 1 / 32 });
          for (const [start, end] of moves(11, 200, 900)) {
            const told = explainMove(mover, start, end);
            const { pushes, rounds, ended } = told;
            const slide = mover.slide(start, end);
            expectSame(told.endPos, bits(slide.endPos));
            expectSame(told.remaining, bits(slide.remaining));
            expectSame(bits(last(told).stop), told.endPos);
            const touching = rounds.filter(({ along }) => along.length > 0);
            expectSame(
              touching.map(({ trace }) => trace.polygon),
              [...slide.polygons.subarray(0, slide.contacts)],
            );
            expectSame(
              touching.flatMap(({ trace }) => [...trace.normal]),
              [...slide.normals.subarray(0, 3 * slide.contacts)],
            );
            const depth = pushes.reduce((sum, push) => sum + push.depth + (options.gap ?? 1 / 32), 0);
            expectSame(depth, slide.pushed);
            expectSame(rounds[0]!.start, pushes.at(-1)?.end ?? start);
            for (const [k, round] of rounds.entries()) {
              const { trace, steps, touched } = round;
              if (k > 0) {
                expectSame(round.start, rounds[k - 1]!.stop);
                expectSame(round.end, rounds[k - 1]!.next);
              }
              expectSame(bits(trace.endPos), bits(round.stop));
              const hit = hitOf(steps);
              expectSame(hit?.polygon ?? -1, trace.polygon);
              if (touched) expectBelow(Math.abs(touched.enter - hit!.enter), 5e-10);
              // Among the steps of the polygon that stops it.
              const at = hit ? steps.indexOf(hit) : 0;
              const kinds = steps.slice(0, at).map(({ kind }) => kind);
              const before = kinds.lastIndexOf('polygon');
              if (touched) expectSame(steps.slice(before + 1, at).includes(touched), true);
              // Ends that are float32s are those of a trace.
              if ([...round.start, ...round.end].every((x) => x === Math.fround(x))) {
                expectSame({ trace, steps }, explain(tracer, round.start, round.end));
                seen.set('explain', (seen.get('explain') ?? 0) + 1);
              }
              for (const name of [
                touched?.feature ?? 'none',
                ...(round.along.length === 2 ? ['crease'] : []),
              ]) {
                seen.set(name, (seen.get(name) ?? 0) + 1);
              }
              checkTurn(told, k);
            }
            if (ended === 'limit') expectSame(slide.contacts, options.maxContacts ?? 5);
            else expectSame(slide.remaining, new Float32Array(3));
            if (ended === 'free') expectSame(last(told).trace.fraction, 1);
            else expectBelow(last(told).trace.fraction, 1);
            seen.set(ended, (seen.get(ended) ?? 0) + 1);
          }
        }
      }
      for (const name of ['explain', 'face', 'none', 'free', 'limit']) {
        expect(seen.get(name) ?? 0, name).toBeGreaterThan(5);
      }
      for (const name of rare) expect(seen.get(name) ?? 0, name).toBeGreaterThan(0);
    },
  );
});

describe("explainMove, of the tutorial's method", () => {
  const tutorial = room.tutorial(RADII);

  it('tells of each round which polygon pushes the end, and where to', () => {
    const { kind, rounds, ended, endPos } = explainMove(tutorial, [0, 0, 0], [200, 100, 0]);
    expect(kind).toBe('push');
    const start = [0, 0, 0];
    expect(rounds).toMatchObject([
      { start, end: [200, 100, 0], stop: start, next: [84, 100, 0], along: [0] },
      { start, end: [84, 100, 0], stop: start, next: [84, 84, 0], along: [1] },
      { start, end: [84, 84, 0], stop: [84, 84, 0], next: [84, 84, 0], along: [] },
    ]);
    expect([ended, endPos]).toEqual(['free', [84, 84, 0]]);
    // Facing values are those of the move as it was asked for.
    expect(hitOf(rounds[1]!.steps)!.facing).toBeCloseTo(-100 / Math.hypot(200, 100), 6);
  });

  it('tells of bodies that push', () => {
    const others: Ellipsoid[] = [{ center: [60, 0, 0], radii: [16, 16, 28] }];
    const { rounds, endPos } = explainMove(tutorial, [0, 0, 0], [40, 4, 0], others);
    expect(rounds.map(({ body, along }) => [body, along])).toEqual([
      [0, [0]],
      [undefined, []],
    ]);
    expect(endPos).toEqual(bits(tutorial.move([0, 0, 0], [40, 4, 0], others).endPos));
  });

  it('tells that the move is taken back after five pushes', () => {
    let returned = 0;
    for (let seed = 0; seed < 60 && returned < 3; seed++) {
      const world = createEllipsoidWorld(sourceOf(randomRoom(seed)));
      const tracer = world.tutorial(RADII);
      for (const [start, end] of moves(seed, 300, 300)) {
        if (!tracer.move(start, end).returned) continue;
        returned++;
        const told = explainMove(tracer, start, end);
        expect(told.ended).toBe('returned');
        expect(told.rounds.length).toBe(6);
        expect(last(told)).toMatchObject({ along: [5], next: bits(start), stop: bits(start) });
        expect(told.endPos).toEqual(bits(start));
      }
    }
    expect(returned).toBeGreaterThan(0);
  });

  it.each(PLACES)(
    'has the numbers of move, bit for bit, and the steps of the literal form, in %s',
    async (_, worlds) => {
      let pushes = 0;
      for (const world of await worlds()) {
        const tracer = world.tutorial(RADII);
        const reference = createTutorialReference(world, RADII);
        const random = createRandom(seedOf(8));
        for (const [start, end] of moves(12, 80, 400)) {
          const objects: Ellipsoid[] = [0, 1].map((k) => ({
            center: end.map((x) => x + between(random, -60, 60)),
            radii: [8 + k, 16, 24],
          }));
          const told = explainMove(tracer, start, end, objects);
          const { rounds } = told;
          const move = tracer.move(start, end, objects);
          expectSame(told.endPos, bits(move.endPos));
          expectSame(told.ended, move.returned ? 'returned' : 'free');
          const pushing = rounds.slice(0, move.iterations);
          expectSame(rounds.length, move.iterations + 1);
          expectSame(
            pushing.map(({ body, trace }) => (body === undefined ? trace.polygon : -1 - body)),
            [...move.collided.subarray(0, move.iterations)],
          );
          pushes += move.iterations;
          const literal = reference.move(start, end, objects);
          for (const [k, { steps, trace, ...round }] of rounds.entries()) {
            expectSame(round.end, literal.rounds[k]!.EndPosition);
            const crossed = steps.filter((step) => !('outcome' in step && step.outcome === 'apart'));
            expectSame(crossed, literal.rounds[k]!.steps);
            expectSame(hitOf(steps)?.polygon ?? -1, trace.polygon);
          }
          // The first round is the trace of the move as it was asked for.
          expectSame({ trace: rounds[0]!.trace, steps: rounds[0]!.steps }, explain(tracer, start, end));
        }
      }
      expect(pushes).toBeGreaterThan(20);
    },
  );
});

describe('explainMove', () => {
  it('refuses what does not slide, other bodies for a slider, and coordinates that are not finite', () => {
    const ends = [
      [0, 0, 0],
      [1, 0, 0],
    ] as const;
    for (const other of [undefined, {}, room.ellipsoid(RADII)]) {
      expect(() => explainMove(other as never, ...ends)).toThrow(
        /^mover must be an EllipsoidSlider, or a tracer/,
      );
    }
    const slider = new EllipsoidSlider(room, RADII);
    const body = { center: [0, 0, 0], radii: RADII };
    expect(() => explainMove(slider, ...ends, [body])).toThrow(/^objects must be none/);
    for (const mover of [slider, room.tutorial(RADII)]) {
      expect(() => explainMove(mover, [0, Number.NaN, 0], [1, 0, 0])).toThrow('start[1]');
      expect(() => explainMove(mover, ...ends, [{ ...body, radii: [1, 0, 1] }])).toThrow(
        'objects[0].radii[1]',
      );
    }
  });

  it('tells of whatever polygon is in the way, the first one too', () => {
    const touched = new Set<number>();
    for (const axis of [0, 1, 2]) {
      for (const side of [1, -1]) {
        const end: Vec = [0, 0, 0];
        end[axis] = 200 * side;
        for (const mover of [new EllipsoidSlider(room, RADII), room.tutorial(RADII)]) {
          const { rounds, remaining } = explainMove(mover, [0, 0, 0], end);
          expect(rounds[0]!.along).toEqual([0]);
          expect(remaining).toEqual([0, 0, 0]);
          touched.add(rounds[0]!.trace.polygon);
        }
      }
    }
    expect([...touched].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('gives places and steps that can be changed, with no effect on later ones', () => {
    const ends = [
      [0, 0, 0],
      [200, 100, 0],
    ] as const;
    const told = (): Told[] =>
      [new EllipsoidSlider(room, RADII), room.tutorial(RADII)].map((mover) => explainMove(mover, ...ends));
    const before = told();
    const kept = structuredClone(before);
    for (const { rounds } of before) {
      for (const round of rounds)
        for (const name of ['start', 'end', 'stop', 'next'] as const)
          (round[name] as unknown as number[]).fill(9);
    }
    expect(told()).toEqual(kept);
  });
});

/** How the rest of a move is turned after a round: recomputed from the places and normals of the rounds. */
function checkTurn({ rounds, ended }: Told, k: number): void {
  const { end, stop, next, along } = rounds[k]!;
  const way = (from: StepVec, to: StepVec): Vec => to.map((x, i) => x - from[i]!) as Vec;
  const turned = way(stop, next);
  if (along.length === 0) {
    expectSame(turned, [0, 0, 0]);
    return;
  }
  const normals = along.map((round) => Array.from(rounds[round]!.trace.normal) as Vec);
  const rest = way(stop, end);
  const [first, second, third] = normals as [Vec, Vec?, Vec?];
  let wanted = rest.map((x, i) => x - dot(rest, first) * first[i]!) as Vec;
  const move = way(rounds[0]!.start, rounds[0]!.end);
  if (second) {
    const crease = cross(first, second);
    const part = dot(wanted, crease) / dot(crease, crease);
    const turn = crease.map((x) => x * part) as Vec;
    // Along this round's surface alone, it would lead into an earlier one, or less far along the move.
    const isBetter = dot(turn, move) > dot(wanted, move);
    expectSame(
      isBetter || rounds.slice(0, k).some(({ trace }) => dot(wanted, trace.normal as never) < 0),
      true,
    );
    wanted = turn;
  }
  const isLast = k === rounds.length - 1;
  const reason = isLast ? ended : undefined;
  if (third) expectSame([reason, dot(wanted, third) < 0], ['corner', true]);
  if (reason === 'corner') expect(third).toBeDefined();
  if (reason === 'straight') expectBelow(lengthOf(...wanted), 1e-3);
  if (reason === 'back') {
    expect(dot(wanted, move)).toBeLessThan(1e-3);
    expect(lengthOf(...wanted)).toBeGreaterThan(1e-4);
  }
  if (isLast && reason !== 'limit') expectSame(turned, [0, 0, 0]);
  else for (let i = 0; i < 3; i++) expectBelow(Math.abs(turned[i]! - wanted[i]!), 0.005);
}
