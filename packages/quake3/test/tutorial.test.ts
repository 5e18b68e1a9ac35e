import { boxBrush, compileMap, type SourceBrush } from '@bspkit/compile';
import type { Vec3 } from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import { between, createRandom, dot } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  createQuake3World,
  createTutorial,
  type Quake3World,
  readQuake3,
  TUTORIAL_EPSILON,
  type Tutorial,
  type TutorialMove,
} from '../src/index.ts';

const worldOf = (brushes: readonly SourceBrush[]): Quake3World =>
  createQuake3World(readQuake3(compileMap(brushes, { format: 'quake3' }).bytes));

const floor = worldOf([boxBrush([-256, -256, -16], [256, 256, 0])]);

describe('the tutorials', () => {
  const { traceRay, traceSphere, traceBox } = createTutorial(floor);

  it('keeps the distance even from a surface that the move does not reach, as the engine does and CheckBrush does not', () => {
    const near = TUTORIAL_EPSILON / 2;
    expect(traceRay([0, -100, 64], [0, -100, near])).toMatchObject({
      fraction: Math.fround((64 - TUTORIAL_EPSILON) / (64 - near)),
      endPoint: Float32Array.of(0, -100, TUTORIAL_EPSILON),
    });
    // Not if it leads along the surface, or away from it.
    expect(traceRay([0, -100, near], [64, -100, near]).fraction).toBe(1);
    expect(traceRay([0, -100, near / 2], [0, -100, near]).fraction).toBe(1);
  });

  it('answers in the words of the documents', () => {
    const move = traceRay([0, -100, 64], [0, -100, -64]);
    expect(move).toEqual({
      fraction: (64 - TUTORIAL_EPSILON) / 128,
      endPoint: Float32Array.of(0, -100, TUTORIAL_EPSILON),
      collisionNormal: Float32Array.of(0, 0, 1),
      startOut: true,
      allSolid: false,
    });
    expect(traceRay([0, -100, -8], [1, -100, -8])).toMatchObject({ startOut: false, allSolid: true });
    expect(traceSphere([0, -100, 64], [0, -100, -64], 8).endPoint[2]).toBeCloseTo(8 + TUTORIAL_EPSILON, 4);
    expect(traceBox([0, -100, 64], [0, -100, -64], [-4, -4, -9], [4, 4, 9]).endPoint[2]).toBeCloseTo(
      9 + TUTORIAL_EPSILON,
      4,
    );
    expect(traceBox([0, -100, 64], [0, -100, -64], [0, 0, 0], [0, 0, 0])).toEqual(move);
  });
});

describe('the second tutorial as printed', () => {
  const { traceRay, traceSphere, traceBox } = createTutorial(floor, { asPrinted: true });

  it('stops no move by the brush that it stays in, but by another one', () => {
    const world = worldOf([boxBrush([-64, -64, -64], [64, 64, 64]), boxBrush([16, -8, -8], [32, 8, 8])]);
    const printed = createTutorial(world, { asPrinted: true });
    const inside = { startOut: false, allSolid: true };
    expect(printed.traceRay([0, 20, 0], [40, 20, 0])).toEqual({
      ...inside,
      fraction: 1,
      endPoint: Float32Array.of(40, 20, 0),
      collisionNormal: Float32Array.of(0, 0, 0),
    });
    expect(printed.traceRay([0, 0, 0], [40, 0, 0])).toEqual({
      ...inside,
      fraction: Math.fround((16 - TUTORIAL_EPSILON) / 40),
      endPoint: Float32Array.of(16 - TUTORIAL_EPSILON, 0, 0),
      collisionNormal: Float32Array.of(-1, 0, 0),
    });
    const box = printed.traceBox([0, 0, 0], [40, 0, 0], [-4, -4, -4], [4, 4, 4]);
    expect(box).toMatchObject({ ...inside, fraction: Math.fround((12 - TUTORIAL_EPSILON) / 40) });
    expect(createTutorial(world).traceRay([0, 0, 0], [40, 0, 0])).toMatchObject({ ...inside, fraction: 0 });
  });

  it('keeps no distance from a surface that the move does not reach', () => {
    const near = TUTORIAL_EPSILON / 2;
    expect(traceRay([0, -100, 64], [0, -100, near]).fraction).toBe(1);
    expect(traceRay([0, -100, 64], [0, -100, -near]).endPoint[2]).toBeCloseTo(TUTORIAL_EPSILON, 5);
  });

  it('answers otherwise as on the walk of the engine', () => {
    const world = createQuake3World(readQuake3(arenaQuake3()));
    const [printed, engine] = [createTutorial(world, { asPrinted: true }), createTutorial(world)];
    const random = createRandom(seedOf(7));
    const { mins, maxs } = world.bounds;
    let compared = 0;
    for (let k = 0; k < 3000; k++) {
      const start = [0, 1, 2].map((axis) => between(random, mins[axis]!, maxs[axis]!));
      const end = start.map((x) => x + between(random, -60, 60));
      const ask = (tutorial: Tutorial): TutorialMove => {
        if (k % 3 === 0) return tutorial.traceRay(start, end);
        if (k % 3 === 1) return tutorial.traceSphere(start, end, 12);
        return tutorial.traceBox(start, end, [-15, -15, -24], [15, 15, 32]);
      };
      const [ours, theirs] = [ask(printed), ask(engine)];
      expect(ours).toMatchObject({ startOut: theirs.startOut, allSolid: theirs.allSolid });
      if (theirs.allSolid) continue;
      if (theirs.fraction === 1 || ours.fraction < 1) {
        expect(ours.fraction).toBeCloseTo(theirs.fraction, 4);
      } else {
        // It does not reach the surface, as above, but ends nearer to it than the epsilon.
        const rest = end.map((x, axis) => (1 - theirs.fraction) * (x - start[axis]!));
        expect(Math.abs(dot(rest, theirs.collisionNormal))).toBeLessThan(TUTORIAL_EPSILON + 0.001);
      }
      if (theirs.fraction < 1) compared++;
    }
    expect(compared).toBeGreaterThan(150);
  });

  it('refuses other options, and wrong points and sizes', () => {
    // @ts-expect-error: there is no such option.
    expect(() => createTutorial(floor, { printed: true })).toThrow(TypeError);
    // @ts-expect-error: it is no boolean.
    expect(() => createTutorial(floor, { asPrinted: 1 })).toThrow(/^asPrinted must be/);
    const [start, end]: Vec3[] = [
      [0, 0, 0],
      [0, 0, Number.NaN],
    ];
    expect(() => traceRay(start!, end!)).toThrow(/^end\b/);
    expect(() => traceSphere(start!, start!, -1)).toThrow(/^radius\b/);
    expect(() => traceBox(start!, start!, [1, 1, 1], [0, 0, 0])).toThrow(RangeError);
  });
});
