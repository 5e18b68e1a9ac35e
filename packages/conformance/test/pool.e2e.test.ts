import { bake, createJob, memoryStore, openJob } from '@bspkit/bake';
import { arenaQuake3 } from '@bspkit/fixtures';
import { BROWSERS, ISOLATED, openBrowser, skippedWithout } from '@bspkit/testkit/browsers';
import { afterAll, describe, expect, it } from 'vitest';
import { type BakePageReport, PARTS, POINTS } from '../src/bake-page.ts';
import type { PageReport } from '../src/pool-page.ts';
import type { TrustedPageReport } from '../src/trusted-page.ts';
import { bundlePage } from './pages.ts';

const page = await bundlePage('../src/pool-page.ts', '../../bspkit/src/pool/web/worker.ts');
const bakePage = await bundlePage('../src/bake-page.ts', '../../bake/src/pool/web/worker.ts');
const trusted = await bundlePage('../src/trusted-page.ts', '../../bspkit/src/pool/web/worker.ts');

/** What a page with the strictest policy needs: the test's own script is inline. */
const POLICY = "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; require-trusted-types-for 'script'";

// Scripts other than its worker, as bundlers and servers deliver them under such names, and one that takes its time.
page.set('ready.js', Buffer.from(`postMessage('ready'); onmessage = () => {};`));
page.set('silent.js', Buffer.from('onmessage = () => {};'));
page.set('page.html', Buffer.from('<!doctype html><title>Not found</title>'));
page.set(
  'late.js',
  Buffer.from(`await new Promise((go) => setTimeout(go, 100)); await import('/worker.js');`),
);

/** The files of the page that bakes, made here in one thread. */
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

const ADVICE = 'the option `worker` of pools is for one that calls it at its start';
const ENDED = 'a worker of the pool has ended:';

describe.each(BROWSERS.map((browser) => [browser.name + skippedWithout(browser), browser] as const))(
  'pools in %s',
  (_, browser) => {
    const open = openBrowser(browser);
    afterAll(() => open.close());

    it.skipIf(browser.missing !== '').each([
      ['shares memory where the page is isolated', true, ISOLATED, 'none', 16],
      ['copies elsewhere, and says so where it must not', false, {}, 'TracePoolError isolation', 8],
    ])('traces: %s', async (_, isIsolated, headers, whereItMust, compared) => {
      const { same, strangers, ...report } = (await open.reportOf(page, { headers })) as PageReport;
      expect(report).toEqual({
        isIsolated,
        isShared: isIsolated,
        traced: 5000,
        late: 5000,
        errors: [whereItMust, 'TracePoolError worker', 'BspError truncated', 'AbortError 20'],
      });
      expect(strangers).toEqual({
        '/ready.js': `${ENDED} /ready.js: it is another script: it sent something before it had called serveTracePool(); ${ADVICE}`,
        '/silent.js': `${ENDED} /silent.js: it has not called serveTracePool() within 1 s, its startLimit; ${ADVICE}`,
        '/page.html': expect.stringMatching(/^a worker of the pool has ended: \/page\.html: /),
      });
      expect(same).toEqual(Array(compared).fill(true));
    });

    it.skipIf(browser.missing !== '')(
      'traces: takes trusted addresses where a page requires them',
      async () => {
        const headers = { 'Content-Security-Policy': POLICY };
        const { hasTypes, ...report } = (await open.reportOf(trusted, { headers })) as TrustedPageReport;
        const errors = hasTypes ? Array(2).fill('TracePoolError worker') : [];
        expect(report).toEqual({ traced: 100, errors });
        expect(hasTypes || browser.name !== 'Chromium').toBe(true);
      },
    );

    it.skipIf(browser.missing !== '').each([
      ['shares memory where the page is isolated', true, ISOLATED],
      ['copies elsewhere', false, {}],
    ])('bakes: %s, and writes the same files as Node', async (_, isIsolated, headers) => {
      const { files, ...report } = (await open.reportOf(bakePage, { headers })) as BakePageReport;
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
