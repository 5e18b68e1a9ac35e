import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeFigures } from '../../../scripts/figures.mjs';
import { type Farm, type FarmReport, playFarm } from './farm.ts';

// A thousand machines are not at hand; their coordinator is. BSPKIT_RUNS_FARM=1 plays the farms of the guide about scaling
// and compares its table, BSPKIT_RUNS_FARM=write writes it.

const RUN = process.env.BSPKIT_RUNS_FARM;
const GUIDE = new URL('../../../apps/docs/guides/scaling.md', import.meta.url);

/** What a chunk costs the coordinator and Redis: `scripts/queue-cost.mjs`, occlusion, rounded up. */
const COST = { coordinator: 0.002, redis: 0.001 };
/** A worker lives for 20 minutes; another one takes its place half a minute later. */
const LIFE = { life: 1200, replace: 30, lock: 10, ...COST, seed: 1 };

function check({ taken, failed, retried, deaths, end, ideal, late }: FarmReport): void {
  expect(failed).toEqual([]);
  expect(taken.every((times) => times === 1)).toBe(true);
  expect(deaths).toBeGreaterThan(0);
  expect(retried).toBeGreaterThan(0);
  expect(late).toBeLessThanOrEqual(retried);
  expect(end).toBeGreaterThan(0.9 * ideal);
}

describe('a farm whose workers die', () => {
  const small: Farm = { ...LIFE, workers: 20, chunks: 1500, chunk: 1, life: 60 };

  it('has every chunk answered and taken once', async () => {
    check(await playFarm(small));
  });

  it('takes as long with the same seed, and another time with another', async () => {
    const [a, b, c] = await Promise.all([1, 1, 2].map((seed) => playFarm({ ...small, seed })));
    expect(a).toEqual(b);
    expect(c!.end).not.toBe(a!.end);
  });

  it('gives up a chunk only when every attempt had a worker that died', async () => {
    const { failed, taken } = await playFarm({
      ...small,
      workers: 5,
      chunks: 100,
      chunk: 10,
      life: 8,
      replace: 1,
    });
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(100);
    for (const { chunk, attempts } of failed) expect([attempts, taken[chunk]]).toEqual([4, 0]);
  });

  it.skipIf(!RUN)(
    'is as the guide has it',
    async () => {
      const lines = [
        '| workers | a chunk takes | chunks | no deaths, no waiting | actual time | the last 1 % | deaths | tried again | in flight | coordinator | Redis |',
        '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
      ];
      for (const [workers, chunk, chunks] of [
        [10, 0.1, 60_000],
        [100, 0.1, 200_000],
        [1000, 0.1, 200_000],
        [1000, 1, 300_000],
        [1000, 10, 60_000],
      ] as const) {
        const report = await playFarm({ ...LIFE, workers, chunks, chunk });
        check(report);
        const s = (time: number): string => `${time.toFixed(0)} s`;
        const percent = (part: number): string => `${(100 * part).toFixed(0)} %`;
        const { ideal, end, tail, deaths, retried, mostAhead, coordinatorLoad, redisLoad } = report;
        const counts = [workers.toLocaleString('en'), `${chunk} s`, chunks.toLocaleString('en')];
        const times = [s(ideal), s(end), s(tail)];
        const rest = [deaths, retried, mostAhead].map((number) => number.toLocaleString('en'));
        lines.push(
          `| ${[...counts, ...times, ...rest, percent(coordinatorLoad), percent(redisLoad)].join(' | ')} |`,
        );
      }
      const table = lines.join('\n');
      console.info(table);
      if (RUN === 'write') {
        writeFigures(GUIDE, 'farm.mjs', table);
      }
      expect(readFileSync(GUIDE, 'utf8')).toContain(table);
    },
    600_000,
  );
});
