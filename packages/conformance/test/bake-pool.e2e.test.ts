import { bake, createJob, memoryStore, openJob } from '@bspkit/bake';
import { arenaQuake3 } from '@bspkit/fixtures';
import { BROWSERS, ISOLATED, openBrowser, skippedWithout } from '@bspkit/testkit/browsers';
import { afterAll, describe, expect, it } from 'vitest';
import { type BakePageReport, PARTS, POINTS } from '../src/bake-page.ts';
import { bundlePage } from './pages.ts';

/** The page's files, made here in one thread. */
async function bakeAlone(): Promise<Record<string, number[]>> {
  const map = arenaQuake3();
  const inputs = { points: POINTS };
  const files: Record<string, number[]> = {};
  for (const [kind, parts] of Object.entries(PARTS)) {
    const job = await createJob({ kind, map, inputs, ...parts });
    const { run } = await openJob(job, { load: (hash) => (hash === job.map ? map : POINTS) });
    const store = memoryStore();
    await bake(job, { inputs, store, executor: { capacity: 1, run: async (chunk) => run(chunk) } });
    files[kind] = [...store.bytes()];
  }
  return files;
}

const alone = bakeAlone();

const page = await bundlePage('../src/bake-page.ts', '../../bake/src/pool/web/worker.ts');

describe.each(BROWSERS.map((browser) => [browser.name + skippedWithout(browser), browser] as const))(
  'a pool that bakes in %s',
  (_, browser) => {
    const open = openBrowser(browser);
    afterAll(() => open.close());

    it.skipIf(browser.missing !== '').each([
      ['shares memory where the page is isolated', true, ISOLATED],
      ['copies elsewhere', false, {}],
    ])('%s, and writes the same files as Node', async (_, isIsolated, headers) => {
      const { files, ...report } = (await open.reportOf(page, { headers })) as BakePageReport;
      expect(report).toEqual({
        isIsolated,
        isShared: isIsolated,
        answered: 14,
        errors: ['BakeError closed', 'AbortError 20', 'none', 'BakeError closed'],
      });
      expect(files).toEqual(await alone);
    });
  },
);
