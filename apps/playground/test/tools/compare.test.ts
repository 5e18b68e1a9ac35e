import { suitedPresets } from '@bspkit/core/format';
import { describe, expect, it } from 'vitest';
import { entrantName, runContest } from '../../src/tools/compare/contest.ts';
import { workText } from '../../src/tools/compare/work.ts';
import { openFixture } from './maps.ts';

const CONTEST = { queries: 'open', count: 200, seed: 1 } as const;
const QUICK = { rounds: 1, roundTime: 0 };

describe('a contest', () => {
  it('offers the presets of a role that suit the map', async () => {
    const { format, world } = await openFixture('arena', 'quake1');
    expect(suitedPresets(format, world, 'point').map(({ name }) => name)).toEqual(['hull0', 'precise']);
    const bodies = suitedPresets(format, world, 'body').map(({ name }) => name);
    expect(bodies).toContain('hull2');
    expect(bodies).not.toContain('hull3');
    expect(bodies).toContain('ellipsoid');
  });

  it('finds kernels alike in every bit, and tells a tracer that differs', async () => {
    const { format, bytes } = await openFixture('arena', 'quake3');
    const stages = new Set<string>();
    const entrants = [
      { preset: 'box', kernel: 'wasm' },
      { preset: 'box', kernel: 'js' },
      { preset: 'capsule' },
      { preset: 'ellipsoid' },
    ] as const;
    const { queries, tracers } = runContest(format, bytes, { ...CONTEST, entrants }, (stage) =>
      stages.add(stage),
    );
    expect(queries).toBe(200);
    expect(tracers.map(({ name }) => name)).toEqual([
      'box, WebAssembly',
      'box, JavaScript',
      'capsule',
      'ellipsoid',
    ]);
    // There is room for a body where moves begin.
    expect(tracers[0]!.startSolid).toBe(0);
    expect(tracers[1]!.agreement.share).toBe(1);
    expect(tracers[2]!.agreement.share).toBeLessThan(1);
    expect(tracers[2]!.agreement.worst[0]!.gap).toBeGreaterThan(0.25);
    expect(tracers[0]!.time!.median).toBeGreaterThan(0);
    expect(tracers[0]!.work!.nodes).toBeGreaterThan(1);
    const works = tracers.map(({ work }) => workText(work!).replace(/[\d.]+/g, 'n'));
    expect(works).toEqual([...Array(3).fill('n nodes, n brushes'), 'n polygons']);
    expect([...stages]).toEqual(['answers', 'timing', 'work']);
  });

  it.each(['player', 'planes', 'uniform'] as const)('has queries of the kind %s', async (queries) => {
    const { format, bytes } = await openFixture('house', 'ufoai');
    const entrants = [{ preset: 'line' }, { preset: 'point' }];
    const { tracers } = runContest(
      format,
      bytes,
      { ...CONTEST, count: 50, queries, entrants },
      () => {},
      QUICK,
    );
    expect(tracers).toHaveLength(2);
  });

  it('refuses a tracer that is not there', async () => {
    const { format, bytes } = await openFixture('arena', 'quake3');
    const entrants = [{ preset: 'hull1' }];
    expect(() => runContest(format, bytes, { ...CONTEST, entrants }, () => {})).toThrow(
      "has no tracer 'hull1'",
    );
    expect(entrantName({ preset: 'ray' })).toBe('ray');
  });
});
