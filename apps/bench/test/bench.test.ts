import { arenaQuake3 } from '@bspkit/fixtures';
import { skippedWithoutMaps } from '@bspkit/fixtures/real';
import { describe, expect, it } from 'vitest';
import { type BenchOptions, runBench } from '../src/bench.ts';
import { openMap, usualMaps } from '../src/maps.ts';

const options: BenchOptions = {
  shapes: ['ray', 'box', 'capsule'],
  motions: ['long', 'step'],
  peers: ['bspkit', 'three-mesh-bvh', 'rapier'],
  queries: 300,
  runs: 2,
  seed: 1,
  clock: 'wall',
};

describe('a short run on the arena', async () => {
  const report = await runBench(['arena'], openMap, { ...options, coldLoad: () => 12 });
  const [map] = report.maps;
  const of = (shape: string, motion: string) =>
    map!.series.find((series) => series.shape === shape && series.motion === motion)!.timings;

  it('times every peer in every shape that it offers', () => {
    expect(map!.series.length).toBe(6);
    expect(of('ray', 'long').map(({ peer }) => peer)).toEqual([
      'bspkit',
      'three-mesh-bvh',
      'rapier3d-compat',
    ]);
    expect(of('box', 'step').map(({ peer }) => peer)).toEqual(['bspkit', 'rapier3d-compat']);
    for (const { timings } of map!.series) for (const { runs } of timings) expect(runs.length).toBe(2);
  });

  it('finds that the peers answer the same questions', () => {
    // Rays and boxes mean the same to all; our capsules keep the engine's flat edges, theirs are round.
    for (const { agreement } of of('ray', 'long')) expect(agreement).toBeGreaterThan(0.99);
    for (const { agreement } of of('box', 'long')) expect(agreement).toBeGreaterThan(0.98);
    for (const { agreement } of of('capsule', 'long')) expect(agreement).toBeGreaterThan(0.85);
    for (const { hits } of of('ray', 'long')) expect(hits).toBeGreaterThan(0.4);
  });

  it('tells what loading takes', () => {
    expect(map!.load.coldMs).toBe(12);
    expect(map!.load.worldBytes).toBeGreaterThan(10_000);
    expect(map!.load.collisionLumps).toBeGreaterThan(map!.load.brushLumps);
    expect(map!.triangles).toBeGreaterThan(300);
    expect(map!.builds.map(({ builtFrom }) => builtFrom)).toEqual(['bytes', 'triangles', 'triangles']);
  });
});

it('peers and shapes can be left out', async () => {
  const few = { ...options, peers: ['three-mesh-bvh'], shapes: ['ray', 'box'], motions: ['step'] } as const;
  const { maps } = await runBench(['arena'], openMap, few);
  expect(maps[0]!.builds.map(({ peer }) => peer)).toEqual(['three-mesh-bvh']);
  // A series that no peer offers has nothing to show.
  expect(maps[0]!.series.map(({ timings }) => timings.length)).toEqual([1]);
});

describe('maps', () => {
  it('the arena is always there', () => expect(openMap('arena').bytes).toEqual(arenaQuake3()));

  it('what is not there is refused by name', () => {
    expect(() => openMap('no_such_map')).toThrow(/no_such_map/);
    expect(() => openMap('/no/such.bsp')).toThrow(/such\.bsp/);
  });

  it('without real maps the arena is measured', () => {
    expect(usualMaps()).toEqual(skippedWithoutMaps ? ['arena'] : expect.arrayContaining(['oa_minia']));
  });
});
