import { BspError } from '@bspkit/core';
import { houseUfoai } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { checkAnswer, MUTANTS, type Mutation, tryMutants } from '@bspkit/testkit/mutants';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUfoaiWorld, heads, readUfoai } from '../src/index.ts';
import { LUMP, type LumpName, lumpAt, withNumber } from './broken.ts';
import { MapBuilder, writeMap } from './writer.ts';

/** A map of three boxes under unions and a door, so small that most bytes of it matter. */
function smallMap(): Uint8Array {
  const builder = new MapBuilder();
  const boxes = [0, 64, 128].map((x) => builder.box([x, 0, 0, x + 32, 32, 32], 0x101));
  const models = {
    1: MapBuilder.union(boxes, [0, 0, 0, 160, 32, 32]),
    258: builder.box([0, 64, 0, 32, 96, 32], 0x10000),
    259: builder.box([-16, -2, 0, 16, 2, 56], 1),
  };
  const entities = '{ "classname" "func_door" "model" "*1" "origin" "64 64 0" }';
  return writeMap({ ...builder, models, entities });
}

const real = realMapNames('ufoai').filter((name) => /silo|quarters|beach_w_1/.test(name));
const maps = [smallMap(), houseUfoai(), ...real.map(readRealMap)];

const nasty = fc.constantFrom(
  0,
  1,
  -1,
  -2,
  255,
  32767,
  32768,
  65535,
  0x7fffffff,
  -0x80000000,
  0x7fc00000,
  0x7f800000,
);
/** Anywhere in a lump or file, as a fraction of it; without fast-check's liking for small numbers. */
const place = fc.noBias(fc.nat(0xffffff)).map((step) => step / 0x1000000);

/** A number of `size` bytes at some place of a record of a lump. */
const inRecords = (lump: LumpName, record: number, at: number, size: 1 | 2 | 4): fc.Arbitrary<Mutation> =>
  fc.tuple(place, fc.oneof(nasty, fc.integer({ min: -5000, max: 5000 }))).map(([where, value]) => (bytes) => {
    const { offset, length } = lumpAt(bytes, lump);
    const records = Math.floor(length / record);
    if (records < 1 || offset < 0 || offset + length > bytes.length) return bytes;
    return withNumber(bytes, lump, record * Math.floor(where * records) + at, value, size);
  });

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  // Routing runs, union nodes and their children, heads, side planes: the parts that are this format's own.
  inRecords('routing', 1, 0, 1),
  inRecords('nodes', 28, 0, 4),
  inRecords('nodes', 28, 4, 4),
  inRecords('nodes', 28, 8, 4),
  inRecords('nodes', 28, 12, 2),
  inRecords('nodes', 28, 18, 2),
  inRecords('models', 48, 36, 4),
  inRecords('sides', 4, 0, 2),
  inRecords('planes', 20, 0, 4),
  inRecords('planes', 20, 12, 4),
  inRecords('planes', 20, 16, 4),
  inRecords('leafs', 24, 0, 4),
  inRecords('leafs', 24, 18, 2),
  inRecords('leafs', 24, 20, 2),
  inRecords('leafBrushes', 2, 0, 2),
  inRecords('brushes', 12, 0, 4),
  inRecords('brushes', 12, 4, 4),
  inRecords('entities', 1, 0, 1),
  fc.tuple(place, fc.nat(7)).map(
    ([at, bit]): Mutation =>
      (bytes) => {
        bytes[Math.floor(at * bytes.length)]! ^= 1 << bit;
        return bytes;
      },
  ),
  place.map(
    (at): Mutation =>
      (bytes) =>
        bytes.slice(0, Math.max(144, Math.floor(at * bytes.length))),
  ),
  fc.tuple(fc.nat(33), nasty).map(
    ([entry, word]): Mutation =>
      (bytes) => {
        new DataView(bytes.buffer).setInt32(8 + 4 * entry, word, true);
        return bytes;
      },
  ),
);

/** Loads a map and traces through it; returns whether it loaded. Errors other than BspError are not caught. */
function survives(bytes: Uint8Array): boolean {
  try {
    const world = createUfoaiWorld([{ file: readUfoai(bytes) }]);
    const models = world.models();
    const lines = [world.line(), world.line({ compat: 'engine', models }), world.line({ levels: 0x301 })];
    const boxes = [
      world.box([-9, -9, -24], [9, 9, 20]),
      world.ray({ mask: -1, compat: 'engine', models }),
      world.box([-2, -2, 0], [2, 2, 16], { tile: 0, levels: 4 }),
    ];
    const [line, box] = [lines[0]!.createTrace(), boxes[0]!.createTrace()];
    for (let k = 0; k < 40; k++) {
      const start = [(k % 8) * 100 - 300, Math.floor(k / 8) * 120 - 200, 40];
      const end = k % 5 === 0 ? start : [start[1]!, -start[0]!, 300 - 7 * k];
      checkAnswer(lines[k % 3]!.trace(start, end, line));
      lines[k % 3]!.blocked(start, end);
      boxes[k % 3]!.trace(start, end, box);
      // The engine's own answer if there is nothing to meet: a fraction of 2.
      if (k % 3 !== 1 || box.fraction !== 2) checkAnswer(box);
      world.contents(start);
    }
    heads(world);
    return true;
  } catch (error) {
    if (error instanceof BspError) return false;
    throw error;
  }
}

describe(`${MUTANTS} mutants of ${maps.length} maps`, () => {
  it('load and answer, or are refused with a BspError', { timeout: 30_000 + 100 * MUTANTS }, () => {
    const loaded = tryMutants(maps, mutation, survives, 3);
    // Some must be refused and some accepted, or the mutations are too wild or too mild to prove anything.
    expect(loaded).toBeGreaterThan(MUTANTS / 20);
    expect(loaded).toBeLessThan(MUTANTS);
  });

  it('has its mutations hit every lump that tracing reads', () => {
    for (const lump of Object.keys(LUMP) as LumpName[])
      expect(lumpAt(maps[0]!, lump).length).toBeGreaterThan(0);
  });
});
