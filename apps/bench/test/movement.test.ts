import { describe, expect, it } from 'vitest';
import { type BenchOptions, runBench } from '../src/bench.ts';
import { openMap } from '../src/maps.ts';
import { hurry } from './clock.ts';

hurry();

describe('the benchmark', () => {
  const options: BenchOptions = {
    shapes: ['moves'],
    motions: ['step'],
    peers: ['bspkit', 'js'],
    queries: 300,
    rounds: 1,
    seed: 1,
    clock: 'wall',
  };

  it.each(['quake3/arena', 'quake2/arena', 'quake1/arena'])(
    'measures moves of players, all of whom end up the same: %s',
    async (name) => {
      const { maps } = await runBench([name], (map) => openMap(map), options);
      const { moves, series } = maps[0]!;
      expect(series).toEqual([]);
      expect(moves).toMatchObject({ motion: 'walk', commands: 400 });
      expect(moves!.peers.map((peer) => peer.name)).toEqual(['bspkit', 'bspkit-js']);
      for (const { time, allocated, same } of moves!.peers) {
        expect(time.median).toBeGreaterThan(0);
        expect(allocated).toBeGreaterThanOrEqual(0);
        expect(same).toBe(1);
      }
    },
  );

  it('measures moves before other libraries are there', async () => {
    const steps: string[] = [];
    const onProgress = (what: string): void => void steps.push(what);
    const asked = { ...options, shapes: ['ray', 'moves'], queries: 20, onProgress } as const;
    await runBench(['quake3/arena'], (map) => openMap(map), { ...asked, peers: ['bspkit', 'rapier'] });
    expect(steps).toEqual(['loading', 'moves', 'ray, step'].map((what) => `quake3/arena: ${what}`));
  });

  it('takes players from recorded rows who move alone and with the default variables', async () => {
    const golden = { ...options, motions: ['golden'], peers: ['bspkit'] } as const;
    const { maps } = await runBench(
      ['quake3/arena', 'quake1/arena', 'course'],
      (map) => openMap(map),
      golden,
    );
    expect(maps.map(({ moves }) => moves?.motion)).toEqual(['golden', 'golden', undefined]);
    expect(maps[0]!.moves!.commands).toBe(300);
    expect(maps[1]!.moves!.commands).toBe(300);
  });

  it('leaves out games without players, and players if they are not asked for', async () => {
    const { maps } = await runBench(['ufoai/house'], (map) => openMap(map), options);
    expect(maps[0]!.moves).toBeUndefined();
    const rays = { ...options, shapes: ['ray'], peers: ['bspkit'] } as const;
    expect((await runBench(['quake3/arena'], (map) => openMap(map), rays)).maps[0]!.moves).toBeUndefined();
  });
});
