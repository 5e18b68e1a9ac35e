import { BspError } from '@bspkit/core';
import { readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { describe, expect, it } from 'vitest';
import { createQuake1World, type Quake1World, readQuake1 } from '../src/index.ts';
import { roomFile } from './make.ts';
import { pick, randomNumbers } from './random.ts';
import { writeQuake1 } from './write.ts';

/** All of the proof: `BSPKIT_MUTANTS=20000`. */
const MUTANTS = Number(process.env.BSPKIT_MUTANTS ?? 3000);

/** Values that break things: the ends of ranges, and floats that are none. */
const NASTY = [
  0, 1, -1, -2, -15, -16, 0x7fff, 0x8000, 0x7fffffff, -0x80000000, 0x7f800000, 0x7fc00000, 0x7f7fffff,
];

/** A copy with a few numbers changed, swapped or cut off: mostly where the small and dense lumps are. */
function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = new Uint8Array(bytes);
  const view = new DataView(copy.buffer);
  const changes = 1 + pick(random, 4);
  for (let k = 0; k < changes; k++) {
    const at = random() < 0.2 ? pick(random, 124) : pick(random, copy.length);
    const word = Math.min(at & ~3, copy.length - 4);
    const kind = pick(random, 4);
    if (kind === 0) copy[at] = pick(random, 256);
    else if (kind === 1) view.setInt32(word, NASTY[pick(random, NASTY.length)]!, true);
    else if (kind === 2) view.setInt16(word, NASTY[pick(random, NASTY.length)]!, true);
    else
      view.setInt32(
        word,
        view.getInt32(Math.min(pick(random, copy.length) & ~3, copy.length - 4), true),
        true,
      );
  }
  return random() < 0.05 ? copy.subarray(0, pick(random, copy.length)) : copy;
}

/** Asks everything that a world answers. */
function askAll(world: Quake1World, random: () => number): void {
  const scale = 10 ** (1 + pick(random, 4));
  const point = (): number[] => [0, 1, 2].map(() => (random() * 2 - 1) * scale);
  for (let k = 0; k < 4; k++) {
    const [a, b] = [point(), point()];
    const model = world.model(pick(random, world.numModels + 1));
    for (let hull = 0; hull < world.hulls.length; hull++) {
      const tracer = model.hull(hull, { origin: point() });
      const { fraction, startSolid } = tracer.trace(a, b);
      if (Number.isFinite(fraction)) expect(tracer.blocked(a, b)).toBe(startSolid || fraction < 1);
      world.hullContents(hull, a);
    }
    const ray = model.ray({ precise: true }).trace(a, b);
    expect(ray.fraction >= 0 && ray.fraction <= 1).toBe(true);
    const leaf = world.leaf(a);
    expect(leaf >= 0 && leaf < world.numLeafs).toBe(true);
    expect(world.contents(a)).toBeLessThan(0);
    world.visible(leaf, world.leaf(b));
    world.sight(a, b);
    const distance = world.distanceToSolid(a);
    expect(distance >= 0).toBe(true);
    world.sphereInside(a, scale / 50);
    world.leafPolygons(leaf);
  }
}

/** Reads, builds and asks; only errors of ours may come out. True when the map was taken. */
function survives(bytes: Uint8Array, seed: number, allOf: boolean): boolean {
  try {
    const world = createQuake1World(readQuake1(bytes));
    askAll(world, randomNumbers(seed + 1));
    if (allOf) {
      world.polygons();
      for (let hull = 0; hull < world.hulls.length; hull++) world.hullPolygons(hull);
      world.entities();
    }
    return true;
  } catch (error) {
    if (error instanceof BspError) return false;
    throw new Error(`mutant ${seed}`, { cause: error });
  }
}

function surviveAll(base: Uint8Array, count: number, seed: number, allOf: boolean): void {
  let taken = 0;
  for (let k = 0; k < count; k++) {
    if (survives(mutate(base, randomNumbers(seed + k)), seed + k, allOf)) taken++;
  }
  // Some changes do no harm and some are refused: a test that only ever sees one of both tests little.
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(count);
}

describe('broken maps give errors of ours or answers, and never hang', () => {
  const share = Math.ceil(MUTANTS / 5);

  it.each([29, 30, 'BSP2', '2PSB'] as const)(
    'made in version %s',
    (version) => {
      const room = { ...roomFile(version), visibility: Uint8Array.of(1, 0, 3, 7) };
      const rows = { ...room.leafs, visOffsets: room.leafs.visOffsets.fill(1) };
      surviveAll(writeQuake1({ ...room, leafs: rows }, version), share, 1_000_000, true);
    },
    600_000,
  );

  it.skipIf(skippedWithoutMaps !== '')(
    `of the game${skippedWithoutMaps}`,
    () => {
      surviveAll(readRealMap('quake1/dm4.bsp'), share, 2_000_000, false);
    },
    600_000,
  );
});
