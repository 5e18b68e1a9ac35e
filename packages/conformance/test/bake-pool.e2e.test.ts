import { bake, createJob, memoryStore, openJob } from '@bspkit/bake';
import { arenaQuake3 } from '@bspkit/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BakePageReport, PARTS, POINTS } from '../src/bake-page.ts';
import { hasChromium, ISOLATED, openPage, skippedWithoutChromium, type TestPage } from './pages.ts';

/** The files of the page, made here by one thread. */
async function expected(): Promise<Record<string, number[]>> {
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

describe.skipIf(!hasChromium)(`a pool that bakes in Chromium${skippedWithoutChromium}`, () => {
  let page: TestPage;
  beforeAll(async () => {
    page = await openPage('../src/bake-page.ts', '../../bake/src/pool/web/worker.ts');
  }, 60_000);
  afterAll(() => page?.close());

  it.each([
    ['shares memory where the page is isolated', true, ISOLATED],
    ['copies elsewhere', false, {}],
  ])('%s, and writes the same files as Node', async (_, isIsolated, headers) => {
    const { files, ...report } = (await page.report(headers)) as BakePageReport;
    expect(report).toEqual({
      isIsolated,
      isShared: isIsolated,
      answered: 14,
      errors: ['BakeError worker', 'AbortError 20', 'none', 'BakeError closed'],
    });
    expect(files).toEqual(await expected());
  });
});
