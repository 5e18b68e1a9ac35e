import { houseUfoai } from '@bspkit/fixtures';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../src/explain.ts';
import { createUfoaiWorld, readUfoai, type UfoaiWorld } from '../src/index.ts';
import { touches } from './touch.ts';
import { boxSize, mask, move, point, reject, world } from './worlds.ts';

const RUNS = Number(process.env.BSPKIT_RUNS ?? 300);

/** Numbers as they are, signs of zero included. */
const bits = (numbers: ArrayLike<number>): string[] =>
  Array.from(numbers, (x) => (Object.is(x, -0) ? '-0' : String(x)));

const quirks = fc.record({
  phantomHeads: fc.boolean(),
  maskBits: fc.boolean(),
  maskIgnored: fc.boolean(),
});
const lineOptions = fc.record({
  levels: fc.nat(0x3ff),
  lightClip: fc.boolean(),
  compat: fc.oneof(quirks, fc.constant('engine' as const)),
});
const moves = fc.array(move, { minLength: 12, maxLength: 12 });

const house = createUfoaiWorld([
  { file: readUfoai(houseUfoai()) },
  { file: readUfoai(houseUfoai()), x: -9, y: 4, z: 1 },
]);
const anyWorld: fc.Arbitrary<UfoaiWorld> = fc.oneof({ weight: 5, arbitrary: world }, fc.constant(house));

describe('kernels answer as the literal algorithms do', () => {
  it('for lines: the test, and the place of impact', () => {
    let blocked = 0;
    fc.assert(
      fc.property(anyWorld, lineOptions, moves, (world, options, moves) => {
        const tracer = world.line(options);
        for (const { start, end } of moves) {
          const { trace, reference } = explain(tracer, start, end);
          expect(tracer.blocked(start, end)).toBe(reference.blocked);
          expect(trace.blocked).toBe(reference.hitBlocked);
          expect(bits(trace.endPos)).toEqual(bits(reference.hit));
          if (trace.blocked) blocked++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(blocked).toBeGreaterThan(RUNS);
  });

  it('for sweeps of boxes and points, through all tiles, one tile, one head', () => {
    let hits = 0;
    const levels = fc.oneof(fc.constant(0x1ff), fc.nat(0x1ff));
    fc.assert(
      fc.property(
        anyWorld,
        boxSize,
        mask,
        reject,
        levels,
        fc.nat(99),
        moves,
        (world, size, mask, reject, levels, pick, moves) => {
          const tile = pick % world.tiles.length;
          const options = { mask, reject, levels };
          const tracers = [
            world.box(size.mins, size.maxs, { ...options, tile }),
            world.box(size.mins, size.maxs, options),
          ];
          try {
            tracers.push(world.box(size.mins, size.maxs, { ...options, tile, head: pick % 3 }));
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError);
          }
          for (const [k, { start, end }] of moves.entries()) {
            // A trace through all tiles leaves out those whose bounds are clear, which the literal sweep does not know.
            const tracer = tracers[k % tracers.length]!;
            if (tracer === tracers[1] && world.tiles.length > 1) continue;
            const { trace, reference } = explain(tracer, start, end);
            if (!reference || (tracer === tracers[1] && !within(world, start, end, size))) continue;
            const { fraction, normal, dist, startSolid, allSolid, contents } = reference;
            expect(bits([trace.fraction, ...trace.normal, trace.dist])).toEqual(
              bits([fraction, ...normal, dist]),
            );
            expect(trace).toMatchObject({ startSolid, allSolid, contents });
            if (fraction < 1) hits++;
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(hits).toBeGreaterThan(RUNS / 5);
  });

  it('for position tests', () => {
    let inside = 0;
    const points = fc.array(point, { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(anyWorld, boxSize, mask, reject, points, (world, { mins, maxs }, mask, reject, points) => {
        const tracer = world.box(mins, maxs, { mask, reject, tile: 0 });
        for (const start of points) {
          const trace = tracer.trace(start, start);
          const contents = touches(tracer._memory, 0, mask, reject);
          expect(trace.startSolid).toBe(contents !== undefined);
          expect(trace.contents).toBe(contents ?? 0);
          expect(trace.fraction).toBe(contents === undefined ? 1 : 0);
          if (contents !== undefined) inside++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(inside).toBeGreaterThan(RUNS / 5);
  });

  it('for inline models, moved and turned', () => {
    let hits = 0;
    const angles = fc.oneof(fc.constant([0, 0, 0]), point);
    fc.assert(
      fc.property(
        anyWorld,
        boxSize,
        mask,
        point,
        angles,
        fc.boolean(),
        moves,
        (world, size, mask, origin, angles, engine, moves) => {
          if (world.numModels === 0) return;
          const model = world.model(1).set({ origin: origin.map((x) => x / 4), angles });
          const tracer = model.box(size.mins, size.maxs, { mask, ...(engine ? { compat: 'engine' } : {}) });
          for (const { start, end } of moves) {
            const { trace, reference } = explain(tracer, start, end);
            if (!reference) continue;
            const { fraction, dist, startSolid, allSolid, contents } = reference;
            expect(bits([trace.fraction, trace.dist])).toEqual(bits([fraction, dist]));
            expect(trace).toMatchObject({ startSolid, allSolid, contents });
            if (fraction < 1) hits++;
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(hits).toBeGreaterThan(RUNS / 20);
  });
});

/** Whether a move comes near the world's one tile, so that it is looked at. */
function within(
  world: UfoaiWorld,
  start: number[],
  end: number[],
  size: { mins: number[]; maxs: number[] },
): boolean {
  const { mins, maxs } = world.bounds;
  return [0, 1, 2].every(
    (k) =>
      Math.max(start[k]!, end[k]!) + size.maxs[k]! > mins[k]! + 1 &&
      Math.min(start[k]!, end[k]!) + size.mins[k]! < maxs[k]! - 1,
  );
}
