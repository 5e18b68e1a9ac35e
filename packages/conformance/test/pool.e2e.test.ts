import { BROWSERS, ISOLATED, reportOf, skippedWithout } from '@bspkit/testkit/browsers';
import { describe, expect, it } from 'vitest';
import type { PageReport } from '../src/pool-page.ts';
import { bundlePage } from './pages.ts';

const page = await bundlePage('../src/pool-page.ts', '../../bspkit/src/pool/web/worker.ts');

describe.each(BROWSERS.map((browser) => [browser.name + skippedWithout(browser), browser] as const))(
  'a pool in %s',
  (_, browser) => {
    it.skipIf(browser.missing !== '').each([
      ['shares memory where the page is isolated', true, ISOLATED, 'none', 16],
      ['copies elsewhere, and says so where it must not', false, {}, 'TracePoolError isolation', 8],
    ])('%s', async (_, isIsolated, headers, whereItMust, compared) => {
      const { same, ...report } = (await reportOf(browser, page, { headers })) as PageReport;
      expect(report).toEqual({
        isIsolated,
        isShared: isIsolated,
        traced: 5000,
        errors: [whereItMust, 'TracePoolError worker', 'BspError truncated', 'AbortError 20'],
      });
      expect(same).toEqual(Array(compared).fill(true));
    });
  },
);
