import { arenaQuake3 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { QUAKE3_CRAFTED } from '@bspkit/testkit/crafted/quake3';
import {
  anywhere,
  checkAnswer,
  cut,
  directoryWord,
  flippedBit,
  MUTANTS,
  MUTANTS_TIMEOUT,
  type Mutation,
  nasty,
  tryMutants,
} from '@bspkit/testkit/mutants';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
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

const mutations = fc.oneof(
  flippedBit,
  fc.tuple(anywhere, fc.oneof(nasty, fc.integer())).map(
    ([at, word]): Mutation =>
      (bytes) => {
        const words = Math.floor(bytes.length / 4);
        if (words > 0) new DataView(bytes.buffer).setInt32(4 * Math.floor(at * words), word, true);
        return bytes;
      },
  ),
  cut,
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
  directoryWord(QUAKE3_CRAFTED),
);

/** Loads a map and uses it. */
function use(bytes: Uint8Array): void {
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
}

describe(`${MUTANTS} mutants of ${maps.length} maps`, () => {
  it('load and answer, or are refused with a BspError', { timeout: MUTANTS_TIMEOUT }, () => {
    tryMutants(maps, mutations, use);
  });
});
