import { createTrace } from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import { goldenFiles, readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { describe, expect, it } from 'vitest';
import { goldenQueriesFor, queriesFor } from '../src/queries/for-map.ts';
import { generateQueries } from '../src/queries/generate.ts';
import { createRandom, randomDirection } from '../src/queries/random.ts';
import { PLAYER_MAXS, PLAYER_MINS } from '../src/queries/shapes.ts';

const file = readQuake3(arenaQuake3());
const world = createQuake3World(file);
const COUNT = 500;

describe('random numbers', () => {
  it('are the same for a seed on every machine, and others for another', () => {
    const first = createRandom(1);
    expect([first(), first()]).toEqual([0.3678755429573357, 0.08161311969161034]);
    expect(createRandom(2)()).not.toBe(createRandom(1)());
  });

  it('fill 0 to 1 evenly', () => {
    const random = createRandom(7);
    const tenths = new Array<number>(10).fill(0);
    for (let k = 0; k < 20_000; k++) tenths[Math.floor(10 * random())]!++;
    for (const tenth of tenths) expect(Math.abs(tenth - 2000)).toBeLessThan(200);
  });

  it('give directions of length 1', () => {
    const random = createRandom(3);
    for (let k = 0; k < 100; k++) expect(Math.hypot(...randomDirection(random))).toBeCloseTo(1, 12);
  });
});

describe.each(['long', 'step'] as const)('queries: %s', (motion) => {
  const queries = queriesFor(file, world, motion, COUNT, 1);

  it('are the same again for the same seed, and others for another', () => {
    expect(queriesFor(file, world, motion, COUNT, 1)).toEqual(queries);
    expect(queriesFor(file, world, motion, COUNT, 2)).not.toEqual(queries);
  });

  it('are as many as asked for, and no two alike', () => {
    const texts = new Set(Array.from({ length: COUNT }, (_, i) => queries.subarray(6 * i, 6 * i + 6).join()));
    expect(queries.length).toBe(6 * COUNT);
    expect(texts.size).toBe(COUNT);
  });

  it('begin where a player has room, and go somewhere', () => {
    const player = world.box(PLAYER_MINS, PLAYER_MAXS);
    const trace = createTrace();
    for (let at = 0; at < queries.length; at += 6) {
      const start = queries.subarray(at, at + 3);
      expect(player.trace(start, start, trace).startSolid).toBe(false);
      expect(queries.subarray(at + 3, at + 6)).not.toEqual(start);
    }
  });

  it('reach all of the map', () => {
    const xs = Array.from({ length: COUNT }, (_, i) => queries[6 * i]!);
    expect(Math.min(...xs)).toBeLessThan(-400);
    expect(Math.max(...xs)).toBeGreaterThan(1000);
  });
});

it('steps are no longer than a frame allows', () => {
  const queries = queriesFor(file, world, 'step', COUNT, 1);
  for (let at = 0; at < queries.length; at += 6) {
    const length = Math.hypot(...[0, 1, 2].map((k) => queries[at + 3 + k]! - queries[at + k]!));
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(40.001);
  }
});

it('no open space gives no queries', () => {
  expect(generateQueries(new Float32Array(0), 'long', 10, createRandom(1)).length).toBe(0);
});

describe.skipIf(skippedWithoutMaps !== '')(`golden moves${skippedWithoutMaps}`, () => {
  it('are moves that begin where a player has room', () => {
    const golden = goldenFiles('quake3', 'oa_dm1.trace.ndjson.gz')[0]!;
    const real = createQuake3World(readQuake3(readRealMap('quake3/oa_dm1.bsp')));
    const queries = goldenQueriesFor(real, golden, 300);
    expect(queries.length).toBeGreaterThan(600);
    expect(queries.length % 6).toBe(0);
    const player = real.box(PLAYER_MINS, PLAYER_MAXS);
    const start = queries.subarray(0, 3);
    expect(player.trace(start, start).startSolid).toBe(false);
  });
});
