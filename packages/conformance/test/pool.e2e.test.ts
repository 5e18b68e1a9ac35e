import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageReport } from '../src/pool-page.ts';
import { hasChromium, ISOLATED, openPage, skippedWithoutChromium, type TestPage } from './pages.ts';

describe.skipIf(!hasChromium)(`a pool in Chromium${skippedWithoutChromium}`, () => {
  let page: TestPage;
  beforeAll(async () => {
    page = await openPage('../src/pool-page.ts', '../../bspkit/src/pool/web/worker.ts');
  }, 60_000);
  afterAll(() => page?.close());

  it('shares memory where the page is isolated', async () => {
    const { same, ...report } = (await page.report(ISOLATED)) as PageReport;
    expect(report).toEqual({
      isIsolated: true,
      isShared: true,
      traced: 5000,
      errors: ['none', 'TracePoolError worker', 'BspError truncated', 'AbortError 20'],
    });
    expect(same).toEqual(Array(16).fill(true));
  });

  it('copies elsewhere, and says so where it must not', async () => {
    const { same, ...report } = (await page.report({})) as PageReport;
    expect(report).toEqual({
      isIsolated: false,
      isShared: false,
      traced: 5000,
      errors: ['TracePoolError isolation', 'TracePoolError worker', 'BspError truncated', 'AbortError 20'],
    });
    expect(same).toEqual(Array(8).fill(true));
  });
});
