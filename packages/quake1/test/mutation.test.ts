import { readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createRandom, pick, type Random } from '@bspkit/geometry';
import {
  anywhere,
  checkAnswer,
  cut,
  MUTANTS,
  MUTANTS_TIMEOUT,
  type Mutation,
  nasty,
  tryMutants,
} from '@bspkit/testkit/mutants';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brushList,
  createQuake1World,
  distanceToSolid,
  hullPolygons,
  leafPolygons,
  polygons,
  type Quake1World,
  readQuake1,
  surfaceAt,
} from '../src/index.ts';
import { roomFile } from './make.ts';
import { writeQuake1 } from './writer.ts';

/** Anywhere in a file, as a fraction of its length, or in its header of 124 bytes. */
const place = fc.tuple(anywhere, fc.nat(4)).map(([at, kind]) => ({ at, inHeader: kind === 0 }));

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
/** The place of a number of `size` bytes, at a multiple of that. */
const placeOf = (
  bytes: Uint8Array,
  { at, inHeader }: { at: number; inHeader: boolean },
  size: number,
): number => size * Math.floor((at * (inHeader ? Math.min(124, bytes.length) : bytes.length)) / size);

/** A mutation of a number of `size` bytes; a file too short for it stays as it is. */
const changing =
  (size: number, change: (view: DataView, at: number) => void, at: Parameters<typeof placeOf>[1]): Mutation =>
  (bytes) => {
    const found = placeOf(bytes, at, size);
    if (found + size <= bytes.length) change(viewOf(bytes), found);
    return bytes;
  };

const mutations = fc.oneof(
  fc.tuple(place, fc.nat(255)).map(([at, value]) => changing(1, (view, k) => view.setUint8(k, value), at)),
  fc.tuple(place, nasty).map(([at, value]) => changing(4, (view, k) => view.setInt32(k, value, true), at)),
  fc.tuple(place, nasty).map(([at, value]) => changing(2, (view, k) => view.setInt16(k, value, true), at)),
  fc.tuple(place, place).map(
    ([at, from]): Mutation =>
      (bytes) => {
        const source = placeOf(bytes, from, 4);
        if (source + 4 > bytes.length) return bytes;
        return changing(4, (view, k) => view.setInt32(k, view.getInt32(source, true), true), at)(bytes);
      },
  ),
  cut,
);

/** Asks everything that a world answers. */
function askAll(world: Quake1World, random: Random): void {
  const scale = pick(random, [10, 100, 1000, 10_000]);
  const point = (): number[] => [0, 1, 2].map(() => (random() * 2 - 1) * scale);
  for (let k = 0; k < 4; k++) {
    const [a, b] = [point(), point()];
    const number = Math.floor(random() * (world.numModels + 1));
    for (let hull = 0; hull < world.hulls.length; hull++) {
      const tracer =
        number === 0 ? world.hull(hull) : world.model(number).hull(hull, { origin: point(), angles: a });
      const trace = tracer.trace(a, b);
      checkAnswer(trace);
      expect(tracer.blocked(a, b)).toBe(trace.startSolid || trace.fraction < 1);
      surfaceAt(world, trace);
      world.hullContents(hull, a);
    }
    const ray = (number === 0 ? world : world.model(number)).preciseRay().trace(a, b);
    checkAnswer(ray);
    surfaceAt(world, ray);
    const leaf = world.leaf(a);
    expect(leaf >= 0 && leaf < world.numLeafs).toBe(true);
    expect(world.contents(a)).toBeLessThan(0);
    world.visible(leaf, world.leaf(b));
    world.sight(a, b);
    const distance = distanceToSolid(world, a);
    expect(distance >= 0).toBe(true);
    world.sphereInside(a, scale / 50);
    leafPolygons(world, leaf);
  }
}

/** Reads, builds and asks, a small map also for what takes long in large ones. */
function use(bytes: Uint8Array, small: boolean): void {
  const file = readQuake1(bytes);
  const world = createQuake1World(file);
  askAll(world, createRandom(bytes.length));
  if (!small) return;
  polygons(world);
  for (let hull = 0; hull < world.hulls.length; hull++) hullPolygons(world, hull);
  world.entities();
  world.textureNames();
  brushList(file);
}

describe(`${MUTANTS} mutants give our own errors or answers, and never hang`, () => {
  const timeout = MUTANTS_TIMEOUT;

  it('of a room in every version', { timeout }, () => {
    const rooms = ([29, 30, 'BSP2', '2PSB'] as const).map((version) => {
      const room = { ...roomFile(version), visibility: Uint8Array.of(1, 0, 3, 7) };
      const textures = [{ name: 'wall', width: 8, height: 8, bytes: new Uint8Array(0) }];
      const leafs = { ...room.leafs, visOffsets: room.leafs.visOffsets.fill(1) };
      return writeQuake1({ ...room, leafs, textures }, version);
    });
    tryMutants(rooms, mutations, (bytes) => use(bytes, true));
  });

  it.skipIf(skippedWithoutMaps !== '')(`of one of the game's maps${skippedWithoutMaps}`, { timeout }, () => {
    tryMutants([readRealMap('quake1/dm4.bsp')], mutations, (bytes) => use(bytes, false));
  });
});
