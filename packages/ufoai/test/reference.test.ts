import { dot, readLeaf } from '@bspkit/brushes/reference';
import { houseUfoai } from '@bspkit/fixtures';
import { expectSame, moving } from '@bspkit/testkit/same';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createUfoaiWorld,
  readUfoai,
  type Trace,
  type UfoaiModel,
  type UfoaiTracer,
  UfoaiWorld,
} from '../src/index.ts';
import { BOX_HEAD_BOUNDS, BOX_HEAD_WORDS, TILE_BOX_HEADS } from '../src/layout.ts';
import { referenceBox } from '../src/reference/box.ts';
import { referenceLine } from '../src/reference/line.ts';
import { firstNumbers, readLineNode, tileRange } from '../src/reference/tree.ts';
import { boxSize, mask, move, point, reject, world } from './worlds.ts';

/** How many random worlds to try; a proof run takes more: BSPKIT_RUNS_UFOAI=20000. */
const RUNS = Number(process.env.BSPKIT_RUNS_UFOAI ?? 25);

const ignore = (): void => {};

/** An answer with its arrays as lists, so that signs of zero are compared too. */
const exact = (trace: Trace): object => ({
  ...trace,
  endPos: Array.from(trace.endPos),
  normal: Array.from(trace.normal),
});

const quirks = fc.record({
  phantomHeads: fc.boolean(),
  maskBits: fc.boolean(),
  maskIgnored: fc.boolean(),
  entities: fc.boolean(),
  cubes: fc.boolean(),
});
const lineOptions = fc.record({
  levels: fc.oneof(fc.nat(0x3ff), fc.constantFrom(-1, 0x400, 0)),
  lightClip: fc.boolean(),
  compat: fc.oneof(quirks, fc.constant('engine' as const)),
});
const compat = fc.constantFrom('engine' as const, undefined);
const levels = fc.oneof(fc.constant(0x1ff), fc.nat(0x1ff), fc.constantFrom(-1, 0x100, 0x400));
const moves = fc.array(move, { minLength: 12, maxLength: 12 });
/** Models are small: few moves hit one. */
const manyMoves = fc.array(move, { minLength: 36, maxLength: 36 });
const poses = fc.array(
  fc.record({
    origin: point.map((origin) => origin.map((x) => x / 4)),
    angles: fc.oneof(fc.constant<number[]>([0, 0, 0]), point),
  }),
  { minLength: 2, maxLength: 2 },
);

const house = createUfoaiWorld([
  { file: readUfoai(houseUfoai()) },
  { file: readUfoai(houseUfoai()), x: -9, y: 4, z: 1 },
]);
const anyWorld: fc.Arbitrary<UfoaiWorld> = fc.oneof({ weight: 5, arbitrary: world }, fc.constant(house));

/** A world as each kernel traces it. */
const kernelsOf = (world: UfoaiWorld): UfoaiWorld[] => [world, UfoaiWorld.from(world.data, { kernel: 'js' })];

/** The world's models, some of them moved and turned, or none. */
function someModels(world: UfoaiWorld, poses: { origin: number[]; angles: number[] }[]): UfoaiModel[] {
  const models = world.models();
  for (const [k, pose] of poses.entries()) models[k]?.place(pose);
  return models;
}

/** Traces with each kernel and with the literal algorithm. Returns whether anything was hit. */
function same(tracers: readonly UfoaiTracer[], start: number[], end: number[]): boolean {
  const reference = referenceBox(tracers[0]!, start, end, ignore, ignore);
  for (const tracer of tracers)
    expectSame(exact(tracer.trace(start, end)), exact(reference), moving(start, end));
  return reference.brush >= 0;
}

/** The tracers that a function makes for each of the worlds: for each place in its list, one for every kernel. */
function tracersOf(
  worlds: readonly UfoaiWorld[],
  make: (world: UfoaiWorld) => UfoaiTracer[],
): UfoaiTracer[][] {
  const lists = worlds.map(make);
  return lists[0]!.map((_, k) => lists.map((list) => list[k]!));
}

describe('kernels answer in every field as the literal algorithms do from the same arguments', () => {
  it('for lines: the test, and the place of impact; with and without models', () => {
    let blocked = 0;
    fc.assert(
      fc.property(
        anyWorld,
        lineOptions,
        fc.boolean(),
        poses,
        moves,
        (world, options, withModels, poses, moves) => {
          const tracers = kernelsOf(world).map((world) =>
            world.line({ ...options, models: withModels ? someModels(world, poses) : [] }),
          );
          for (const { start, end } of moves) {
            const reference = referenceLine(tracers[0]!, start, end, ignore, ignore);
            for (const tracer of tracers) {
              expectSame(tracer.blocked(start, end), reference.blocked, moving(start, end));
              expectSame(exact(tracer.trace(start, end)), exact(reference.trace), moving(start, end));
            }
            if (reference.blocked) blocked++;
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(blocked).toBeGreaterThan(RUNS);
  });

  it('for boxes and rays, moving and standing, through all tiles, one tile, one head', () => {
    let hits = 0;
    fc.assert(
      fc.property(
        anyWorld,
        boxSize,
        fc.record({ mask, reject, levels, compat }),
        fc.nat(99),
        moves,
        (world, { mins, maxs }, options, pick, moves) => {
          const tile = pick % world.tiles.length;
          const heads = world._memory.places.boxHeads.count;
          const tracers = tracersOf(kernelsOf(world), (world) => {
            const made = [
              world.box(mins, maxs, options),
              world.ray(options),
              world.box(mins, maxs, { ...options, tile }),
              world.box(mins, maxs, options).set({ maxs: maxs.map((x) => x + 3), levels: 0 }),
            ];
            if (world.tiles.length === 1 && heads > 0) {
              made.push(world.box(mins, maxs, { ...options, tile, head: pick % heads }));
            }
            return made;
          });
          for (const [k, { start, end }] of moves.entries()) {
            const tracer = tracers[k % tracers.length]!;
            if (same(tracer, start, end)) hits++;
            if (same(tracer, end, end)) hits++;
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(hits).toBeGreaterThan(RUNS / 5);
  });

  it('for worlds with models, and for models alone, moved and turned', () => {
    let hits = 0;
    fc.assert(
      fc.property(
        anyWorld,
        boxSize,
        fc.record({ mask, reject, levels, compat }),
        fc.record({ limit: fc.constantFrom(0, 0.5, 1, 2), shift: fc.boolean() }),
        poses,
        manyMoves,
        (world, { mins, maxs }, options, alone, poses, moves) => {
          const tracers = tracersOf(kernelsOf(world), (world) => {
            const models = someModels(world, poses);
            const made: UfoaiTracer[] = [world.box(mins, maxs, { ...options, models })];
            if (models[0]) made.push(models[0].box(mins, maxs, { ...options, ...alone }));
            if (models[0]) made.push(models[0].line({ compat: options.compat }));
            if (models[0]) made.push(models[0].box(mins, maxs, { ...options, ...alone, ...poses[1] }));
            return made;
          });
          for (const [k, { start, end }] of moves.entries()) {
            if (same(tracers[k % tracers.length]!, start, end)) hits++;
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(hits).toBeGreaterThan(RUNS / 5);
  });

  it('for contents: those of a leaf in every tree of the requested levels whose brushes reach there', () => {
    let inside = 0;
    fc.assert(
      fc.property(
        anyWorld,
        levels,
        fc.array(point, { minLength: 12, maxLength: 12 }),
        (world, levels, points) => {
          const memory = world._memory;
          for (const at of points) {
            let expected = 0;
            for (let tile = 0; tile < world.tiles.length; tile++) {
              for (const head of tileRange(memory, tile, TILE_BOX_HEADS)) {
                const record = memory.places.boxHeads.first + BOX_HEAD_WORDS * head;
                const [root, level] = memory.ints.subarray(record, record + 2);
                if (level! > 0 && level! < 256 && levels !== 0 && (level! & levels) === 0) continue;
                const reach = memory.floats.subarray(record + BOX_HEAD_BOUNDS, record + BOX_HEAD_BOUNDS + 6);
                if (at.some((x, k) => x < reach[k]! || x > reach[k + 3]!)) continue;
                let child = root!;
                while (child >= 0) {
                  const { type, normal, dist, children } = readLineNode(memory, tile, child);
                  const height = type < 3 ? at[type]! : dot(at as never, normal);
                  child = children[Math.fround(height - dist) < 0 ? 1 : 0];
                }
                expected |= readLeaf(memory, firstNumbers(memory, tile), -1 - child).contents;
              }
            }
            expect(world.contents(at, levels)).toBe(expected);
            if (expected !== 0) inside++;
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(inside).toBeGreaterThan(RUNS);
  });
});
