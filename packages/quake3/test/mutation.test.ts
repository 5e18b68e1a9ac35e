import { arenaQuake3 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { checkAnswer, MUTANTS, type Mutation, tryMutants } from '@bspkit/testkit/mutants';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BspError,
  createQuake3World,
  createTrace,
  exactSphere,
  explain,
  leafPolygons,
  readQuake3,
  surfaceAt,
} from '../src/index.ts';

const TRACES = 60;

const real = realMapNames('quake3').filter((name) => /q3dm6ish|oa_ctf2/.test(name));
const maps = [arenaQuake3(), ...real.map(readRealMap)];

/** Numbers that break things: borders of ranges, and floats that are not numbers. */
const nasty = fc.constantFrom(
  0,
  1,
  -1,
  2,
  255,
  65535,
  0x7fffffff,
  -0x80000000,
  0x7fc00000,
  0x7f800000,
  0x4b000000,
);
/** Anywhere in a file, as a fraction of it; without fast-check's liking for small numbers, which are all header. */
const place = fc.noBias(fc.nat(0xffffff)).map((step) => step / 0x1000000);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(
    ([at, bit]): Mutation =>
      (bytes) => {
        bytes[Math.floor(at * bytes.length)]! ^= 1 << bit;
        return bytes;
      },
  ),
  fc.tuple(place, fc.oneof(nasty, fc.integer())).map(
    ([at, word]): Mutation =>
      (bytes) => {
        const words = Math.floor(bytes.length / 4);
        if (words > 0) new DataView(bytes.buffer).setInt32(4 * Math.floor(at * words), word, true);
        return bytes;
      },
  ),
  place.map(
    (at): Mutation =>
      (bytes) =>
        bytes.slice(0, Math.floor(at * bytes.length)),
  ),
  fc.tuple(fc.nat(16), fc.nat(16)).map(
    ([a, b]): Mutation =>
      (bytes) => {
        if (bytes.length < 144) return bytes;
        const [one, two] = [bytes.slice(8 + 8 * a, 16 + 8 * a), bytes.slice(8 + 8 * b, 16 + 8 * b)];
        bytes.set(two, 8 + 8 * a);
        bytes.set(one, 8 + 8 * b);
        return bytes;
      },
  ),
  // A directory entry, or the words where collision lumps lie: small changes there do the most.
  fc.tuple(fc.nat(33), nasty).map(
    ([entry, word]): Mutation =>
      (bytes) => {
        if (bytes.length >= 144) new DataView(bytes.buffer).setInt32(8 + 4 * entry, word, true);
        return bytes;
      },
  ),
);

/** Loads a map and uses it; true when it loaded. Anything but a BspError gets through. */
function survives(bytes: Uint8Array): boolean {
  try {
    const world = createQuake3World(readQuake3(bytes));
    const tracers = [world.ray({ mask: -1 }), world.box([-15, -15, -24], [15, 15, 32]), world.sphere(8)];
    if (world.numModels > 0) tracers.push(world.model(1).capsule({ radius: 8, height: 40 }));
    const out = createTrace();
    for (let k = 0; k < TRACES; k++) {
      const start = [(k % 10) * 100 - 500, Math.floor(k / 10) * 100 - 500, 40];
      const end = [start[1]!, -start[0]!, 300 - 7 * k];
      checkAnswer(tracers[k % tracers.length]!.trace(start, end, out));
      world.contents(start);
      if (k % 10 === 0) surfaceAt(world, out);
      if (k % 25 === 0) {
        explain(tracers[0]!, start, end);
        leafPolygons(world, world.leaf(start), { patchLevel: 1 });
      }
    }
    checkAnswer(exactSphere(world, 8).trace([-300, 40, 40], [300, -40, 30], out));
    return true;
  } catch (error) {
    if (error instanceof BspError) return false;
    throw error;
  }
}

describe(`${MUTANTS} mutants of ${maps.length} maps`, () => {
  it('load and answer, or are refused with a BspError', { timeout: 30_000 + 100 * MUTANTS }, () => {
    const loaded = tryMutants(maps, mutation, survives);
    // Both ends must be reached, or the mutations are too mild or too wild to prove anything.
    expect(loaded).toBeGreaterThan(MUTANTS / 20);
    expect(loaded).toBeLessThan(MUTANTS);
  });
});
