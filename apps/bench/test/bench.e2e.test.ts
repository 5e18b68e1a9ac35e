import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { compare, type Timing } from '@bspkit/compare';
import { engineFiles, readEngineMap } from '@bspkit/fixtures/engine';
import { skippedWithoutMaps } from '@bspkit/fixtures/real';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { expectSame } from '@bspkit/testkit/same';
import { toy, toyFormat, toyMap } from '@bspkit/testkit/toy';
import { FORMATS } from 'bspkit';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type BenchOptions, runBench } from '../src/bench.ts';
import { type BenchMap, openMap, usualMaps } from '../src/maps.ts';
import { createBatchPeer } from '../src/peers/bspkit.ts';
import { createNativePeer } from '../src/peers/native.ts';
import { benchInProcesses, mergeReports, outputOf } from '../src/processes.ts';
import { queriesFor } from '../src/queries/for-map.ts';
import type { Report } from '../src/result.ts';
import { measuredShapes, playerTracer } from '../src/shapes.ts';
import { buildWorld } from '../src/world.ts';
import { hurry } from './clock.ts';

hurry();

const options: BenchOptions = {
  motions: ['long', 'step'],
  peers: ['bspkit', 'three-mesh-bvh', 'rapier'],
  queries: 300,
  rounds: 2,
  seed: 1,
  clock: 'wall',
};

const seriesOf = ({ maps }: Report, shape: string, motion: string) =>
  maps[0]!.series.find((series) => series.shape === shape && series.motion === motion)!.peers;

const COLD = { loadMs: 12, firstMs: 3, compileMs: 1, instanceMs: 0.5, tracesMs: 5 };

describe('a short run on the arena', async () => {
  const report = await runBench(['arena'], (name) => openMap(name), { ...options, coldStart: () => COLD });
  const [map] = report.maps;
  const of = (shape: string, motion: string) => seriesOf(report, shape, motion);

  it('times every library in every shape that it offers', () => {
    expect(map!.series.length).toBe(8);
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
    // Rays and boxes mean the same in all libraries; our capsules keep the engine's flat edges, theirs are round.
    for (const { agreement } of of('ray', 'long')) expect(agreement.share).toBeGreaterThan(0.99);
    for (const { agreement } of of('box', 'long')) expect(agreement.share).toBeGreaterThan(0.99);
    for (const { agreement } of of('capsule', 'long')) expect(agreement.share).toBeGreaterThan(0.85);
    for (const { hits } of of('ray', 'long')) expect(hits / 300).toBeGreaterThan(0.4);
  });

  it('reports what loading takes', () => {
    expect(map!.load.cold).toBe(COLD);
    expect(map!.load.warmMs).toBeGreaterThan(0);
    expect(map!.load.world).toBeGreaterThan(10_000);
    expect(map!.load.lumps).toBeGreaterThan(10_000);
    expect(map!.triangles).toBeGreaterThan(300);
    expect(map!.builds.map(({ builtFrom }) => builtFrom)).toEqual(['bytes', 'triangles', 'triangles']);
  });
});

describe('batches', async () => {
  const asked = { ...options, shapes: ['ray', 'box'], peers: ['bspkit', 'batch', 'pool'] } as const;
  const { maps } = await runBench(['arena'], (name) => openMap(name), {
    ...asked,
    motions: ['step', 'bundle', 'sight'],
  });
  const [map] = maps;

  it('are timed beside single traces, with the same answers; bundles are only of rays', () => {
    expect(map!.series.map(({ shape, motion }) => `${shape} ${motion}`)).toEqual([
      'ray step',
      'box step',
      'ray bundle',
      'ray sight',
      'box sight',
    ]);
    for (const { peers } of map!.series) {
      expect(peers.map(({ name }) => name)).toEqual(['bspkit', 'bspkit-batch']);
      expect(peers[1]!.agreement.share).toBe(1);
      expect(peers[1]!.hits).toBe(peers[0]!.hits);
      expect(peers[1]!.time!.median).toBeGreaterThan(0);
    }
  });

  it('are timed in pools of one thread and of two', () => {
    expect(map!.threads).toMatchObject({ shape: 'ray', segments: 15_000 });
    expect(map!.threads!.pools.map(({ threads }) => threads)).toEqual([1, 2]);
    for (const { ms } of [...map!.threads!.pools, { ms: map!.threads!.aloneMs }])
      expect(ms).toBeGreaterThan(0);
  });
});

describe.skipIf(skippedWithoutMaps !== '')(`an assembly${skippedWithoutMaps}`, () => {
  it('is one world, for which C gives the same answers', async () => {
    const map = await openMap('asm_mansion');
    expect(map.tiles).toHaveLength(5);
    const world = buildWorld(map);
    expect(world.data.byteLength).toBeGreaterThan(buildWorld({ ...map, tiles: undefined }).data.byteLength);
    const native = createNativePeer(map.format, world);
    const player = playerTracer(map.format, world);
    const queries = queriesFor(world, player, { motion: 'long', count: 300, seed: 4 });
    const batch = createBatchPeer(map);
    for (const shape of measuredShapes(map.format, world)) {
      const entries = [batch, ...(typeof native === 'string' ? [] : [native])].flatMap((peer) => {
        const way = peer.prepare(shape);
        return way ? [{ name: peer.name, tracer: way.tracer }] : [];
      });
      const { tracers } = compare(entries, queries, { rounds: 0, sides: 'any' });
      for (const { agreement } of tracers) expect(agreement.share, shape.preset.name).toBe(1);
      expect(tracers[0]!.hits).toBeGreaterThan(50);
    }
  });
});

describe('a format of its own', () => {
  const open = async (): Promise<BenchMap> => ({
    name: 'toy',
    bytes: toyMap(),
    format: toy,
    golden: undefined,
  });

  it('is measured only through its descriptor', async () => {
    const report = await runBench(['toy'], open, options);
    expect(report.maps[0]!.series.map(({ shape, motion, peers }) => [shape, motion, peers.length])).toEqual([
      ['ray', 'long', 3],
      ['player', 'long', 2],
      ['ray', 'step', 3],
      ['player', 'step', 2],
    ]);
    for (const { agreement } of seriesOf(report, 'ray', 'long')) {
      expect(agreement.share).toBeGreaterThan(0.99);
    }
    for (const { agreement } of seriesOf(report, 'player', 'long')) {
      expect(agreement.share).toBeGreaterThan(0.97);
    }
  });

  it('without brushes is measured without the libraries that need triangles', async () => {
    const { brushes: _, ...without } = toy;
    const bare = async (): Promise<BenchMap> => ({ ...(await open()), format: without });
    const [map] = (await runBench(['toy'], bare, options)).maps;
    expect(map!.triangles).toBe(0);
    expect(map!.series.map(({ peers }) => peers.length)).toEqual([1, 1, 1, 1]);
  });

  it('has no yardstick in C', async () => {
    const [map] = (await runBench(['toy'], open, { ...options, peers: ['bspkit', 'c'] })).maps;
    expect(map!.withoutNative).toBe('there is no yardstick in C for toy');
    expect(map!.builds.map(({ peer }) => peer)).toEqual(['bspkit']);
  });
});

it('libraries and shapes can be left out', async () => {
  const few = { ...options, peers: ['three-mesh-bvh'], shapes: ['ray', 'box'], motions: ['step'] } as const;
  const { maps } = await runBench(['arena'], (name) => openMap(name), few);
  expect(maps[0]!.builds.map(({ peer }) => peer)).toEqual(['three-mesh-bvh']);
  // A series that no library offers has nothing to show.
  expect(maps[0]!.series.map(({ peers }) => peers.length)).toEqual([1]);
});

it('recorded moves are measured if there are any', async () => {
  const golden = { ...options, motions: ['golden'], shapes: ['ray'], peers: ['bspkit'] } as const;
  const { maps } = await runBench(['quake3/torture', 'course'], (name) => openMap(name), golden);
  expect(maps.map(({ series }) => series.map(({ motion }) => motion))).toEqual([['golden'], []]);
  expect(maps[0]!.series[0]!.queries).toBeGreaterThan(200);
});

describe('maps', () => {
  it('of our own are always there; of several formats, one that can be measured is used', async () => {
    const arena = await openMap('arena');
    expectSame(new Uint8Array(arena.bytes), new Uint8Array(readEngineMap('quake3/arena.bsp')));
    expect(arena.format.id).toBe('quake3');
    expect(arena.golden!.path).toBe(engineFiles().find(({ name }) => name === 'quake3/arena.trace')!.path);
  });

  it('can be asked for in a format', async () => {
    expect((await openMap('ufoai/house')).format.id).toBe('ufoai');
    const { bytes } = await openMap('quake1/arena');
    expectSame(new Uint8Array(bytes), new Uint8Array(readEngineMap('quake1/arena.bsp')));
  });

  it('in files are named by their paths, as files of two folders may have the same name', async () => {
    const folder = temporaryFolder(onTestFinished);
    const [plain, packed] = [join(folder, 'map.bsp'), join(folder, 'map.bsp.gz')] as const;
    writeFileSync(plain, readEngineMap('quake3/arena.bsp'));
    writeFileSync(packed, gzipSync(readEngineMap('quake1/arena.bsp')));
    const maps = [await openMap(plain), await openMap(packed)];
    expect(maps.map(({ name, format }) => [name, format.id])).toEqual([
      [plain, 'quake3'],
      [packed, 'quake1'],
    ]);
  });

  it('what is not there is refused by name', async () => {
    await expect(openMap('no_such_map')).rejects.toThrow(/'no_such_map'/);
    await expect(openMap('/no/such.bsp')).rejects.toThrow('there is no file /no/such.bsp');
  });

  it('are looked for in the formats of a list', async () => {
    await expect(openMap('arena', [toyFormat])).rejects.toThrow(/'arena'/);
    expect(usualMaps(false, [toyFormat])).toEqual(['arena']);
  });

  it('without real maps the arena is measured', () => {
    expect(usualMaps(false)).toEqual(
      skippedWithoutMaps ? ['arena'] : expect.arrayContaining(['quake1/e1m1', 'quake3/oa_minia']),
    );
  });

  it.skipIf(skippedWithoutMaps !== '')(
    `are two of each game for a first look${skippedWithoutMaps}`,
    async () => {
      const maps = await Promise.all(usualMaps(true).map((name) => openMap(name)));
      const games = maps.map(({ format }) => format.id);
      for (const { id } of FORMATS) expect(games.filter((game) => game === id).length).toBeLessThanOrEqual(2);
      expect(games.length).toBeLessThan(usualMaps(false).length);
    },
  );
});

describe('several processes', () => {
  const timing = (median: number): Timing => ({
    ...{ median, low: median, high: median, min: median, max: median },
    ...{ rounds: 3, speed: 1 },
  });

  const one = (median: number): Report => ({
    date: '2026-01-31',
    cpu: 'cpu',
    node: 'v20',
    clock: 'cpu',
    seed: 1,
    rounds: 3,
    processes: 1,
    maps: [
      {
        map: 'm',
        triangles: 0,
        withoutNative: undefined,
        load: {
          cold: {
            loadMs: median,
            firstMs: 3 * median,
            compileMs: 2 * median,
            instanceMs: median / 2,
            tracesMs: 4 * median,
          },
          warmMs: 2 * median,
          lumps: 1,
          world: 1,
        },
        builds: [{ peer: 'p', buildMs: median, builtFrom: 'bytes', bytes: 1 }],
        series: [],
        moves: {
          motion: 'walk',
          commands: 9,
          peers: [{ name: 'p', time: timing(median), allocated: median, same: 1 }],
        },
      },
    ],
  });

  it('are merged by their medians', () => {
    const [map] = mergeReports([one(9), one(1), one(2)]).maps;
    expect(map!.load).toMatchObject({
      cold: { loadMs: 2, firstMs: 6, compileMs: 4, instanceMs: 1, tracesMs: 8 },
      warmMs: 4,
    });
    expect(map!.builds[0]!.buildMs).toBe(2);
    expect(map!.moves!.peers[0]).toMatchObject({
      time: { median: 2, min: 1, max: 9 },
      allocated: 2,
      same: 1,
    });
    expect(mergeReports([one(9), one(1)])).toMatchObject({
      processes: 2,
      maps: [{ load: { cold: { loadMs: 5 } } }],
    });
  });

  it('are merged by what they have measured, in whatever order, and only if all have measured the same', () => {
    const peerOf = (name: string, median: number) =>
      ({ name, time: timing(median), allocated: median }) as Report['maps'][0]['series'][0]['peers'][0];
    const withSeries = (...series: [motion: string, peers: [string, number][]][]): Report => ({
      ...one(1),
      maps: one(1).maps.map((map) => ({
        ...map,
        series: series.map(([motion, peers]) => ({
          ...{ shape: 'ray', motion: motion as 'long', queries: 1 },
          peers: peers.map(([name, median]) => peerOf(name, median)),
        })),
      })),
    });
    const mediansOf = ({ maps }: Report): unknown[] =>
      maps[0]!.series.map(({ motion, peers }) => [
        motion,
        peers.map(({ name, time }) => [name, time!.median]),
      ]);
    const first = withSeries(
      [
        'long',
        [
          ['a', 1],
          ['b', 10],
        ],
      ],
      ['step', [['a', 100]]],
    );
    const other = withSeries(
      ['step', [['a', 300]]],
      [
        'long',
        [
          ['b', 30],
          ['a', 3],
        ],
      ],
    );
    expect(mediansOf(mergeReports([first, other]))).toEqual([
      [
        'long',
        [
          ['a', 2],
          ['b', 20],
        ],
      ],
      ['step', [['a', 200]]],
    ]);
    const without = withSeries(['long', [['b', 30]]], ['step', [['a', 300]]]);
    const problem = 'process 2 of 2 has not measured ray long of a, which others have';
    expect(() => mergeReports([first, without])).toThrow(problem);
    expect(() => mergeReports([without, first])).toThrow(problem.replace('process 2', 'process 1'));
    const still = { ...first, maps: first.maps.map((map) => ({ ...map, moves: undefined })) };
    expect(() => mergeReports([first, still])).toThrow('process 2 of 2 has not measured moves');
  });

  it('measure maps one after the other, and report what fails in one', async () => {
    const program = fileURLToPath(new URL('./part.mjs', import.meta.url));
    const seen: string[] = [];
    const report = await benchInProcesses(program, ['a', 'b'], { options, processes: 2 }, (what) =>
      seen.push(what),
    );
    expect(report).toMatchObject({ processes: 2, maps: [{ map: 'a' }, { map: 'b' }] });
    expect(seen).toEqual([
      'a: process 1 of 2',
      'a: process 2 of 2',
      'b: process 1 of 2',
      'b: process 2 of 2',
    ]);
    const asked = { options, processes: 1 };
    await expect(benchInProcesses(program, ['bad'], asked, () => {})).rejects.toThrow('no such map');
    const mute = benchInProcesses(program, ['mute'], asked, () => {});
    await expect(mute).rejects.toThrow('a process printed what is not JSON: {"maps":');
  });

  it('end with the one that has started them, even if they hear of nothing', async () => {
    const folder = temporaryFolder(onTestFinished);
    const file = join(folder, 'started');
    const program = fileURLToPath(new URL('./part.mjs', import.meta.url));
    const once = vi.spyOn(process, 'once');
    const output = outputOf(program, ['--maps', `deaf ${file}`]);
    const atExit = once.mock.calls.find(([event]) => event === 'exit')![1] as () => void;
    once.mockRestore();
    await expect.poll(() => existsSync(file)).toBe(true);
    atExit();
    await expect(output).rejects.toThrow();
  });
});
