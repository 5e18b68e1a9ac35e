import { engineFiles, readEngineMap } from '@bspkit/fixtures/engine';
import { skippedWithoutMaps } from '@bspkit/fixtures/real';
import { toy, toyFormat, toyMap } from '@bspkit/testkit/toy-format';
import { describe, expect, it } from 'vitest';
import { type BenchOptions, runBench } from '../src/bench.ts';
import { type BenchMap, openMap, usualMaps } from '../src/maps.ts';
import type { Report } from '../src/result.ts';

const options: BenchOptions = {
  shapes: ['ray', 'box', 'capsule'],
  motions: ['long', 'step'],
  peers: ['bspkit', 'three-mesh-bvh', 'rapier'],
  queries: 300,
  rounds: 2,
  seed: 1,
  clock: 'wall',
};

const seriesOf = ({ maps }: Report, shape: string, motion: string) =>
  maps[0]!.series.find((series) => series.shape === shape && series.motion === motion)!.peers;

describe('a short run on the arena', async () => {
  const report = await runBench(['arena'], (name) => openMap(name), { ...options, coldLoad: () => 12 });
  const [map] = report.maps;
  const of = (shape: string, motion: string) => seriesOf(report, shape, motion);

  it('times every library in every shape that it offers', () => {
    expect(map!.series.length).toBe(6);
    expect(of('ray', 'long').map(({ name }) => name)).toEqual([
      'bspkit',
      'three-mesh-bvh',
      'rapier3d-compat',
    ]);
    expect(of('box', 'step').map(({ name }) => name)).toEqual(['bspkit', 'rapier3d-compat']);
    for (const { peers } of map!.series) {
      for (const { time, allocated } of peers) {
        expect(time).toMatchObject({ rounds: 2 });
        expect(time!.median).toBeGreaterThan(0);
        expect(allocated).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('finds that the libraries answer the same questions', () => {
    // Rays and boxes mean the same to all; our capsules keep the engine's flat edges, theirs are round.
    for (const { agreement } of of('ray', 'long')) expect(agreement.share).toBeGreaterThan(0.99);
    for (const { agreement } of of('box', 'long')) expect(agreement.share).toBeGreaterThan(0.99);
    for (const { agreement } of of('capsule', 'long')) expect(agreement.share).toBeGreaterThan(0.85);
    for (const { hits } of of('ray', 'long')) expect(hits / 300).toBeGreaterThan(0.4);
  });

  it('tells what loading takes', () => {
    expect(map!.load.coldMs).toBe(12);
    expect(map!.load.warmMs).toBeGreaterThan(0);
    expect(map!.load.world).toBeGreaterThan(10_000);
    expect(map!.load.lumps).toBeGreaterThan(10_000);
    expect(map!.triangles).toBeGreaterThan(300);
    expect(map!.builds.map(({ builtFrom }) => builtFrom)).toEqual(['bytes', 'triangles', 'triangles']);
  });
});

describe('a format of its own', () => {
  const open = async (): Promise<BenchMap> => ({
    name: 'toy',
    bytes: toyMap(),
    format: toy,
    golden: undefined,
  });

  it('is measured through its descriptor alone', async () => {
    const report = await runBench(['toy'], open, options);
    expect(report.maps[0]!.series.map(({ shape, motion, peers }) => [shape, motion, peers.length])).toEqual([
      ['ray', 'long', 3],
      ['box', 'long', 2],
      // It has no capsules: there is Rapier alone.
      ['capsule', 'long', 1],
      ['ray', 'step', 3],
      ['box', 'step', 2],
      ['capsule', 'step', 1],
    ]);
    for (const { agreement } of seriesOf(report, 'ray', 'long')) {
      expect(agreement.share).toBeGreaterThan(0.99);
    }
    for (const { agreement } of seriesOf(report, 'box', 'long')) {
      expect(agreement.share).toBeGreaterThan(0.97);
    }
  });

  it('needs brushes to make triangles of', async () => {
    const { brushes: _, ...without } = toy;
    const bare = async (): Promise<BenchMap> => ({ ...(await open()), format: without });
    await expect(runBench(['toy'], bare, options)).rejects.toThrow(
      new RangeError('maps of Toy keep no brushes, which triangles could be made of'),
    );
  });
});

it('libraries and shapes can be left out', async () => {
  const few = { ...options, peers: ['three-mesh-bvh'], shapes: ['ray', 'box'], motions: ['step'] } as const;
  const { maps } = await runBench(['arena'], (name) => openMap(name), few);
  expect(maps[0]!.builds.map(({ peer }) => peer)).toEqual(['three-mesh-bvh']);
  // A series that no library offers has nothing to show.
  expect(maps[0]!.series.map(({ peers }) => peers.length)).toEqual([1]);
});

it('recorded moves are measured where there are some', async () => {
  const golden = { ...options, motions: ['golden'], shapes: ['ray'], peers: ['bspkit'] } as const;
  const { maps } = await runBench(['quake3/torture', 'course'], (name) => openMap(name), golden);
  expect(maps.map(({ series }) => series.map(({ motion }) => motion))).toEqual([['golden'], []]);
  expect(maps[0]!.series[0]!.queries).toBeGreaterThan(200);
});

describe('maps', () => {
  it('of our own are always there; of several formats one that can be measured is taken', async () => {
    const arena = await openMap('arena');
    expect(arena.bytes).toEqual(readEngineMap('quake3/arena.bsp'));
    expect(arena.format.id).toBe('quake3');
    expect(arena.golden!.path).toBe(engineFiles().find(({ name }) => name === 'quake3/arena.trace')!.path);
  });

  it('can be asked for in a format', async () => {
    expect((await openMap('ufoai/house')).format.id).toBe('ufoai');
    expect((await openMap('quake1/arena')).bytes).toEqual(readEngineMap('quake1/arena.bsp'));
  });

  it('what is not there is refused by name', async () => {
    await expect(openMap('no_such_map')).rejects.toThrow(/'no_such_map'/);
    await expect(openMap('/no/such.bsp')).rejects.toThrow('there is no file /no/such.bsp');
  });

  it('are looked for in the formats of a list', async () => {
    await expect(openMap('arena', [toyFormat])).rejects.toThrow(/'arena'/);
    expect(usualMaps([toyFormat])).toEqual(['arena']);
  });

  it('without real maps the arena is measured', () => {
    expect(usualMaps()).toEqual(skippedWithoutMaps ? ['arena'] : expect.arrayContaining(['oa_minia']));
  });
});
