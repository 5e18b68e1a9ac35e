import { engineFiles } from '@bspkit/fixtures/engine';
import { describe, expect, it } from 'vitest';
import { openMap } from '../src/maps.ts';
import { askedOf, queriesFor } from '../src/queries/for-map.ts';
import { goldenQueries } from '../src/queries/golden.ts';
import { BUNDLE, MOTIONS, type MotionName } from '../src/queries/motions.ts';
import { measuredShapes, playerTracer, presetTracer } from '../src/shapes.ts';

const COUNT = 500;

const { format, bytes, golden } = await openMap('arena');
const world = format.createWorld([format.read(bytes)]);
const player = playerTracer(format, world);
const queriesOf = (motion: MotionName | 'golden', seed = 1, count = COUNT): Float32Array =>
  queriesFor(world, player, { motion, count, seed }, golden);

const start = (queries: Float32Array, query: number): Float32Array =>
  queries.subarray(6 * query, 6 * query + 3);

describe.each(MOTIONS)('queries: %s', (motion) => {
  const queries = queriesOf(motion);

  it('are the same for the same seed, and different for another', () => {
    expect(queriesOf(motion)).toEqual(queries);
    expect(queriesOf(motion, 2)).not.toEqual(queries);
  });

  it('are as many as asked for, all different', () => {
    const texts = new Set(Array.from({ length: COUNT }, (_, i) => queries.subarray(6 * i, 6 * i + 6).join()));
    expect(queries.length).toBe(6 * COUNT);
    expect(texts.size).toBe(COUNT);
  });

  it('start where a player has room, and go somewhere', () => {
    for (let query = 0; query < COUNT; query++) {
      const from = start(queries, query);
      expect(player.blocked(from, from)).toBe(false);
      expect(queries.subarray(6 * query + 3, 6 * query + 6)).not.toEqual(from);
    }
  });

  it.skipIf(['bundle', 'sight', 'around'].includes(motion))('reach all of the map', () => {
    const xs = Array.from({ length: COUNT }, (_, i) => queries[6 * i]!);
    expect(Math.min(...xs)).toBeLessThan(-400);
    expect(Math.max(...xs)).toBeGreaterThan(1000);
  });
});

it('long ones are shots and looks, about half of each', () => {
  const queries = queriesOf('long');
  const shots = Array.from({ length: COUNT }, (_, i) =>
    Math.hypot(...[0, 1, 2].map((k) => queries[6 * i + 3 + k]! - queries[6 * i + k]!)),
  ).filter((length) => Math.abs(length - 8192) < 0.01);
  expect(Math.abs(shots.length - COUNT / 2)).toBeLessThan(60);
});

it('looks lead everywhere, however many there are', () => {
  for (const count of [640, 7919]) {
    const queries = queriesOf('sight', 1, count);
    const ends = new Set(
      Array.from({ length: count }, (_, k) => queries.subarray(6 * k + 3, 6 * k + 6).join()),
    );
    expect(ends.size).toBe(count);
  }
});

it('bundles are shots from one place in all directions', () => {
  const queries = queriesOf('bundle');
  for (let query = 0; query < COUNT; query++) {
    const first = start(queries, query - (query % BUNDLE));
    expect(start(queries, query)).toEqual(first);
    const move = [0, 1, 2].map((k) => queries[6 * query + 3 + k]! - first[k]!);
    expect(Math.hypot(...move)).toBeCloseTo(8192, 1);
  }
  const starts = new Set(Array.from({ length: COUNT }, (_, query) => start(queries, query).join()));
  expect(starts.size).toBe(Math.ceil(COUNT / BUNDLE));
});

it('rays around places go no farther than 128 units, like those of bundles', () => {
  const [queries, bundles] = [queriesOf('around'), queriesOf('bundle')];
  for (let query = 0; query < COUNT; query++) {
    const from = start(queries, query);
    expect(from).toEqual(start(bundles, query));
    const [move, shot] = [queries, bundles].map((all) =>
      [0, 1, 2].map((k) => all[6 * query + 3 + k]! - from[k]!),
    );
    for (let k = 0; k < 3; k++) expect(move![k]).toBeCloseTo((shot![k]! * 128) / 8192, 3);
  }
});

it('looks go from one place to others where a player fits', () => {
  const queries = queriesOf('sight');
  for (let query = 0; query < COUNT; query++) {
    expect(start(queries, query)).toEqual(start(queries, query - (query % BUNDLE)));
    const to = queries.subarray(6 * query + 3, 6 * query + 6);
    expect(player.blocked(to, to)).toBe(false);
  }
});

describe('recorded moves', () => {
  it('are moves through the world that start where a player has room', () => {
    const queries = queriesOf('golden', 1, 300);
    expect(queries.length).toBeGreaterThan(600);
    expect(queries.length).toBeLessThanOrEqual(1800);
    for (let query = 0; query < queries.length / 6; query++) {
      const from = start(queries, query);
      expect(player.blocked(from, from)).toBe(false);
    }
    expect(queriesOf('golden', 1, 10).length).toBe(60);
  });

  it('are as in the file', () => {
    const file = engineFiles().find(({ name }) => name === 'quake3/arena.trace')!;
    const columns = ['model', 'ex', 'ey', 'ez', 'sx', 'sy', 'sz'];
    const rows = [
      [1, 0, 0, 0, 0, -200, 50],
      [0, 0, -200, 50, 0, -200, 50],
      [0, 1, 2, 3, 0, -200, 50],
    ];
    const read = (): string => `${[{ columns }, ...rows].map((line) => JSON.stringify(line)).join('\n')}\n`;
    expect([...goldenQueries({ ...file, read }, player, 9)]).toEqual([0, -200, 50, 1, 2, 3]);
  });
});

it('start where a shape has room that is larger than the player, and where the player has for all others', async () => {
  const map = await openMap('quake1/arena');
  const hulls = map.format.createWorld([map.format.read(map.bytes)]);
  const shapes = measuredShapes(map.format, hulls);
  const choice = { count: COUNT, seed: 1 };
  const asked = [...askedOf(map.format, hulls, shapes, ['step', 'bundle'], choice)];
  expect(asked.map(({ shape, motion }) => `${shape.preset.name} ${motion}`)).toEqual([
    'hull0 step',
    'precise step',
    'hull1 step',
    'hull2 step',
    'hull0 bundle',
    'precise bundle',
  ]);
  const usual = queriesFor(hulls, playerTracer(map.format, hulls), { ...choice, motion: 'step' });
  for (const { shape, queries } of asked.slice(0, 4)) {
    const tracer = presetTracer(map.format, hulls, shape.preset);
    for (let query = 0; query < COUNT; query++) {
      const from = start(queries, query);
      expect(tracer.trace(from, from).startSolid).toBe(false);
    }
    if (shape.preset.name === 'hull2') expect(queries).not.toEqual(usual);
    else expect(queries).toEqual(usual);
  }
});

it('leave out a shape that has no room anywhere', () => {
  const shapes = measuredShapes(format, world);
  const box = shapes.find(({ preset }) => preset.name === 'box')!;
  const huge = { ...box.preset, name: 'huge', size: [-4096, -4096, -4096, 4096, 4096, 4096] };
  const measured = [{ preset: huge, shape: presetTracer(format, world, huge).shape }, box];
  const asked = [...askedOf(format, world, measured, ['step'], { count: 10, seed: 1 })];
  expect(asked.map(({ shape }) => shape.preset.name)).toEqual(['box']);
});
