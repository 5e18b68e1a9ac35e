import { arenaQuake2 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { checkAnswer, MUTANTS, type Mutation, tryMutants } from '@bspkit/testkit/mutants';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BspError,
  createQuake2World,
  explain,
  lightmaps,
  mesh,
  polygons,
  readQuake2,
  surfaceAt,
} from '../src/index.ts';
import { type LumpName, lumpAt, withNumber } from './broken.ts';
import { widened } from './wide.ts';
import { roomsMap } from './worlds.ts';

const real = realMapNames('quake2').filter((name) => /lab|portals/.test(name));
const maps = [roomsMap(), arenaQuake2(), widened(roomsMap()), ...real.map(readRealMap)];

const nasty = fc.constantFrom(
  ...[0, 1, -1, -2, 255, 32767, 32768, 65535, 0x7fffffff, -0x80000000, 0x7fc00000, 0x7f800000],
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
  inRecords('visibility', 1, 0, 1),
  inRecords('visibility', 4, 0, 4),
  inRecords('nodes', 28, 0, 4),
  inRecords('nodes', 28, 4, 4),
  inRecords('nodes', 28, 8, 4),
  inRecords('models', 48, 36, 4),
  inRecords('models', 48, 40, 4),
  inRecords('sides', 4, 0, 2),
  inRecords('sides', 4, 2, 2),
  inRecords('planes', 20, 0, 4),
  inRecords('planes', 20, 12, 4),
  inRecords('planes', 20, 16, 4),
  inRecords('leafs', 28, 0, 4),
  inRecords('leafs', 28, 4, 2),
  inRecords('leafs', 28, 6, 2),
  inRecords('leafs', 28, 24, 2),
  inRecords('leafs', 28, 26, 2),
  inRecords('leafBrushes', 2, 0, 2),
  inRecords('brushes', 12, 0, 4),
  inRecords('brushes', 12, 4, 4),
  inRecords('areas', 8, 0, 4),
  inRecords('areaPortals', 8, 4, 4),
  inRecords('faces', 20, 4, 4),
  inRecords('faces', 20, 8, 2),
  inRecords('surfEdges', 4, 0, 4),
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
        bytes.slice(0, Math.max(160, Math.floor(at * bytes.length))),
  ),
  fc.tuple(fc.nat(37), nasty).map(
    ([entry, word]): Mutation =>
      (bytes) => {
        new DataView(bytes.buffer).setInt32(8 + 4 * entry, word, true);
        return bytes;
      },
  ),
);

/** What throws nothing but a BspError. */
function mayRefuse(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof BspError)) throw error;
  }
}

/** Loads a map and asks it all kinds of things; true when it loaded. Anything but a BspError gets through. */
function survives(bytes: Uint8Array): boolean {
  try {
    const file = readQuake2(bytes);
    const world = createQuake2World(file);
    const tracers = [world.ray(), world.box([-16, -16, -24], [16, 16, 32], { mask: -1 })];
    if (world.numModels > 0)
      tracers.push(world.model(1).box([-2, -2, 0], [2, 2, 16], { angles: [0, 30, 9] }));
    for (let k = 0; k < 40; k++) {
      const start = [(k % 8) * 100 - 300, Math.floor(k / 8) * 120 - 200, 40];
      const end = k % 5 === 0 ? start : [start[1]!, -start[0]!, 300 - 7 * k];
      const tracer = tracers[k % tracers.length]!;
      const trace = tracer.trace(start, end);
      checkAnswer(trace);
      surfaceAt(world, trace);
      world.contents(start);
      world.visible(world.leaf(start), world.leaf(end));
    }
    for (let portal = 0; portal <= Math.min(9, world.numAreaPortals); portal++)
      world.setAreaPortal(portal, true);
    if (world.numClusters > 0) world.headHearable(0, 0);
    explain(tracers[0]!, [0, 0, 64], [0, 0, -64]);
    mayRefuse(() => world.entities());
    mayRefuse(() => mesh(file));
    mayRefuse(() => lightmaps(file));
    if (bytes.length < 100_000) polygons(world);
    return true;
  } catch (error) {
    if (error instanceof BspError) return false;
    throw error;
  }
}

describe(`${MUTANTS} mutants of ${maps.length} maps`, () => {
  it('load and answer, or are refused with a BspError', { timeout: 30_000 + 100 * MUTANTS }, () => {
    const loaded = tryMutants(maps, mutation, survives, 3);
    // Both ends must be reached, or the mutations are too mild or too wild to prove anything.
    expect(loaded).toBeGreaterThan(MUTANTS / 20);
    expect(loaded).toBeLessThan(MUTANTS);
  });
});
