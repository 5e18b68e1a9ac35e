import { BRUSH_BOUNDS, BRUSH_WORDS } from '@bspkit/brushes';
import { arenaQuake2, compileFixture } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { expectSame, moving } from '@bspkit/testkit/same';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Bounds,
  boxEntity,
  createQuake2World,
  type Quake2Tracer,
  Quake2World,
  readQuake2,
  type Trace,
} from '../src/index.ts';
import { referenceTrace } from '../src/reference/trace.ts';
import { boxSize, cornerMap, mask, move, point, sharedLeafMap, world } from './worlds.ts';

/** How many random worlds to try; a proof run takes so many times more: BSPKIT_RUNS_QUAKE2=750. */
const RUNS = 20 * Number(process.env.BSPKIT_RUNS_QUAKE2 ?? 1);

const ignore = (): void => {};

/** An answer with its arrays as lists, so that signs of zero are compared too. */
const exact = (trace: Trace): object => ({
  ...trace,
  endPos: Array.from(trace.endPos),
  normal: Array.from(trace.normal),
});

const moves = fc.array(move, { minLength: 12, maxLength: 12 });
const pose = fc.record({
  origin: point.map((origin) => origin.map((x) => x / 4)),
  angles: fc.oneof(
    fc.constant<number[]>([0, 0, 0]),
    point,
    point.map(([, yaw]) => [0, yaw!, 0]),
  ),
});

const real = realMapNames('quake2').filter((name) => /lab|heap/.test(name));
const maps = [arenaQuake2(), compileFixture('torture', 'quake2').bytes, ...real.map(readRealMap)];
const known = maps.map((bytes) => createQuake2World(readQuake2(bytes)));
const anyWorld = fc.oneof({ weight: 5, arbitrary: world }, fc.constantFrom(...known));

/** A world as each kernel traces it. */
const kernelsOf = (made: Quake2World): Quake2World[] => [made, Quake2World.from(made.data, { kernel: 'js' })];

/** Traces as each kernel and as the engine's words have it. Whether anything was hit. */
function same(tracers: readonly Quake2Tracer[], start: number[], end: number[]): boolean {
  const reference = referenceTrace(tracers[0]!, start, end, ignore);
  for (const tracer of tracers) {
    expectSame(exact(tracer.trace(start, end)), exact(reference), moving(start, end));
    expectSame(
      tracer.blocked(start, end),
      reference.startSolid || reference.fraction < 1,
      moving(start, end),
    );
  }
  return reference.brush >= 0;
}

/**
 * How far from a side moves begin, and how much they come nearer to it or go away, of what they would: or they end within
 * the epsilon before it.
 */
const OFFSETS = [0.03, 1 / 32, 0.64, 1, 0.02, 0.2, 2];
const SLOPES = [0, undefined, 1e-4, undefined, 1];
const END = 0.03;

/** Asks for a move so often that a clearing is looked for where it starts. */
function askOften(tracer: Quake2Tracer, start: readonly number[], end: readonly number[]): void {
  for (let k = 0; k <= 25; k++) tracer.blocked(start, end);
}

/** Moves from all over some bounds through their middle, which meet what is there whatever the random ones do. */
function through({ mins, maxs }: Bounds): { readonly start: number[]; readonly end: number[] }[] {
  return Array.from({ length: 8 }, (_, corner) => {
    const start = Array.from(mins, (low, k) => ((corner >> k) & 1 ? maxs[k]! + 1 : low - 1));
    return { start, end: start.map((x, k) => mins[k]! + maxs[k]! - x) };
  });
}

describe('kernels answer in every field as the literal algorithm does from the same arguments', () => {
  it('for moves whose length overflows float32, so that a fraction of them is NaN', () => {
    const entity = boxEntity([1.8e38, -1e38, 10], [1.8e38, 10, 10]);
    const ray = entity.ray({ mask: -1, origin: [0, 100, 100] });
    expect(same([ray], [-2.2e38, 0, 0], [1.9e38, 100, 2.6e38])).toBe(false);
  });

  it('for boxes and rays through the world, moving and standing', () => {
    fc.assert(
      fc.property(anyWorld, boxSize, mask, moves, (made, { mins, maxs }, mask, moves) => {
        const pairs = [
          kernelsOf(made).map((one) => one.box(mins, maxs, { mask })),
          kernelsOf(made).map((one) => one.ray({ mask })),
          kernelsOf(made).map((one) =>
            one.box([0, 0, 0], maxs.map(Math.abs)).set({ mins: mins.map((x) => Math.min(x, 0)), mask }),
          ),
        ];
        for (const [k, { start, end }] of moves.entries()) {
          same(pairs[k % 3]!, start, end);
          same(pairs[k % 3]!, end, end);
        }
      }),
      { numRuns: RUNS },
    );
    const rays = kernelsOf(known[0]!).map((one) => one.ray());
    const hits = through(known[0]!.bounds).filter(({ start, end }) => same(rays, start, end));
    expect(hits.length).toBeGreaterThan(0);
  });

  it('for short moves near brushes, some of which stay in clearings', () => {
    const step = fc.array(fc.float({ min: -60, max: 60, noNaN: true }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(
        anyWorld,
        boxSize,
        fc.array(step, { minLength: 60, maxLength: 60 }),
        (made, { mins, maxs }, steps) => {
          const worlds = kernelsOf(made);
          const pairs = [worlds.map((one) => one.box(mins, maxs)), worlds.map((one) => one.ray())];
          const { floats, places } = made._target.memory;
          for (const [n, [x, y, z, dx, dy, dz]] of steps.entries()) {
            // Close to a side of some brush's bounds, often along it.
            const bounds = places.brushes.first + BRUSH_WORDS * (n % places.brushes.count) + BRUSH_BOUNDS;
            const [axis, isHigh] = [n % 3, n % 4 > 1];
            const reach = n % 2 ? [0, 0, 0] : isHigh ? mins.map((x) => -x) : maxs;
            const start = [x!, y!, z!].map((from, k) => {
              const side = floats[bounds + k + (isHigh ? 3 : 0)]!;
              const off = OFFSETS[n % OFFSETS.length]! + reach[k]!;
              return Math.fround(
                (Number.isFinite(side) ? side : 0) + (isHigh ? 1 : -1) * (k === axis ? off : -Math.abs(from)),
              );
            });
            const length = n % 3 === 0 ? 1 : 1 / 8;
            const slope = SLOPES[n % SLOPES.length]!;
            const end = [dx!, dy!, dz!].map((by, k) => {
              if (k !== axis) return Math.fround(start[k]! + by * length);
              if (slope !== undefined) return Math.fround(start[k]! + by * slope);
              return Math.fround(start[k]! + (isHigh ? -1 : 1) * (OFFSETS[n % OFFSETS.length]! - END));
            });
            for (const tracer of pairs[n % 2]!) askOften(tracer, start, end);
            same(pairs[n % 2]!, start, end);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('for inline models, moved and turned', () => {
    fc.assert(
      fc.property(anyWorld, boxSize, mask, pose, moves, (made, { mins, maxs }, mask, pose, moves) => {
        const pairs = [
          kernelsOf(made).map((one) => one.model(1).box(mins, maxs, { mask, ...pose })),
          kernelsOf(made).map((one) => one.model(one.numModels).ray({ mask }).place(pose)),
        ];
        for (const [k, { start, end }] of moves.entries()) same(pairs[k % 2]!, start, end);
      }),
      { numRuns: RUNS },
    );
    const rays = kernelsOf(known[0]!).map((one) => one.model(1).ray());
    const hits = through(known[0]!.model(1).bounds).filter(({ start, end }) => same(rays, start, end));
    expect(hits.length).toBeGreaterThan(0);
  });

  it('for a model that shares a leaf with the world', () => {
    const pair = kernelsOf(createQuake2World(readQuake2(sharedLeafMap()))).map((one) => one.model(1).ray());
    expect(same(pair, [50, -5, -5], [-50, -5, -5])).toBe(true);
  });

  it('for box entities', () => {
    fc.assert(
      fc.property(boxSize, boxSize, pose, moves, (entity, { mins, maxs }, { origin }, moves) => {
        const body = boxEntity(entity.mins, entity.maxs);
        const tracer = body.box(mins, maxs, { mask: -1, origin });
        for (const { start, end } of moves) same([tracer], start, end);
      }),
      { numRuns: RUNS },
    );
    const ray = boxEntity([-16, -16, -24], [16, 16, 32]).ray({ mask: -1 });
    const hits = through({ mins: [-16, -16, -24], maxs: [16, 16, 32] }).filter(({ start, end }) =>
      same([ray], start, end),
    );
    expect(hits.length).toBe(8);
  });
});

describe('a move so short that the inverse of its length is infinite', () => {
  // As Quake 2's dedicated server answers on the same map.
  it.each([
    [-7, 1e-40, true],
    [0, 1e-45, true],
    [7, 1e-40, false],
  ])('from %f, 0, 0 up by %f is in the floor as in the engine: %s', (x, up, inFloor) => {
    const size = 1 / 32;
    const tracers = kernelsOf(createQuake2World(readQuake2(cornerMap()))).map((made) =>
      made.box([-size, -size, -size], [size, size, size], { mask: 0x10000 }),
    );
    same(tracers, [x, 0, 0], [x, 0, up]);
    const { fraction, startSolid, allSolid } = tracers[0]!.trace([x, 0, 0], [x, 0, up]);
    expect({ fraction, startSolid, allSolid }).toEqual({
      fraction: 1,
      startSolid: inFloor,
      allSolid: inFloor,
    });
  });
});
