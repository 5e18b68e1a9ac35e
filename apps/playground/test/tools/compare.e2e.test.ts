import { existsSync } from 'node:fs';
import { showShare } from '@bspkit/compare';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { runContest } from '../../src/tools/compare/contest.ts';
import { readQuery } from '../../src/tools/query/query.ts';
import { CHROMIUM, goTo, newUser, openPage } from '../browser.ts';
import { setUpPage, show } from '../page-setup.ts';
import { openFixture } from './maps.ts';
import { toolPage } from './tool-page.ts';

describe.runIf(existsSync(CHROMIUM))(`comparisons in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 900, height: 560 } });
  const { openTool, stateOf, answerOf, shot } = toolPage(setup);
  let arena: OpenMap;

  beforeAll(async () => {
    arena = await openFixture('arena', 'quake3');
  });

  /** Keeps the next question to a worker back until the page is told to `ask()`. */
  const holdQuestion = () =>
    setup.page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message) {
        Worker.prototype.postMessage = postMessage;
        Object.assign(window, { ask: () => this.postMessage(message) });
      };
    });

  it('compares tracers, and opens where they differ', async () => {
    const { page } = setup;
    const form = { role: 'body', queries: 'open', count: 2000, tracers: ['box', 'capsule'] };
    await openTool('arena', 'quake3', 'compare', form);
    await page.getByRole('button', { name: 'Compare', exact: true }).last().click();
    const rows = page.locator('.tool-table tbody tr');
    await rows.first().waitFor();
    expect(await page.getByRole('table', { name: 'Hits, agreement and time' }).count()).toBe(1);
    const contest = { ...form, queries: 'open', seed: 1 } as const;
    const entrants = [{ preset: 'box' }, { preset: 'capsule' }];
    const quick = { rounds: 1, roundTime: 0 };
    const { tracers } = runContest(arena.format, arena.bytes, { ...contest, entrants }, () => {}, quick);
    const hits = await rows.locator('td:nth-of-type(1)').allTextContents();
    expect(hits).toEqual(tracers.map((report) => report.hits.toLocaleString('en')));
    // As the command has it: 100 % is all of them.
    expect(await rows.locator('td:nth-of-type(2)').allTextContents()).toEqual([
      'baseline',
      showShare(tracers[1]!.agreement.share),
    ]);
    const bars = page.locator('.tool-chart').last().locator('div');
    expect(await bars.allTextContents()).toEqual([
      '10 %',
      `2${+(100 * (1 - tracers[1]!.agreement.share)).toPrecision(3)} %`,
    ]);
    const [none, longest] = await bars
      .locator('span')
      .evaluateAll((all) => all.map((bar) => bar.clientWidth));
    expect([none, longest! > 100]).toEqual([0, true]);
    expect((await stateOf()).ran).toBe(true);
    const meanings = page.locator('.tool-swatches span');
    expect(await meanings.allTextContents()).toEqual(['its end', 'gap to the baseline', 'move']);
    const colors = await meanings
      .locator('i')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    expect(new Set(colors).size).toBe(3);
    expect(colors).not.toContain('rgba(0, 0, 0, 0)');
    await page.locator('.tool-steps').scrollIntoViewIfNeeded();
    await shot('compare');
    await page.locator('.tool-steps button').first().click();
    await page.waitForFunction(() => window.bspkitPlayground!.tool === 'shoot');
    await page.locator('.tool-outcome').waitFor();
    const [worst] = tracers[1]!.agreement.worst;
    const query = readQuery(String((await stateOf()).q), arena.format)!;
    expect(query.kind).toBe('capsule');
    expect(query.start.map(Math.fround)).toEqual(worst!.start);
    expect((await answerOf()).fraction).toBe(String(Number(worst!.own.fraction.toFixed(6))));
  });

  it('offers the kernel in JavaScript where there is another', async () => {
    const { page } = setup;
    const offered = (of: typeof page): Promise<string[]> =>
      of.locator('fieldset input').evaluateAll((all) => all.map((box) => box.closest('label')!.textContent));
    await openTool('arena', 'quake3', 'compare', { role: 'point' });
    expect((await offered(page)).filter((name) => name.startsWith('ray'))).toHaveLength(2);
    const user = await newUser(setup.browser);
    await user.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
    const bare = await openPage(user);
    await goTo(bare.page, setup.site.url);
    const state = encodeURIComponent(JSON.stringify({ role: 'point' }));
    await show(bare.page, `#map=arena&format=quake3&tool=compare&state=${state}`);
    expect((await offered(bare.page)).filter((name) => name.startsWith('ray'))).toHaveLength(1);
    await user.close();
  });

  it('goes on comparing while another tool is open', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'compare', { role: 'body', queries: 'planes', count: 2000 });
    const main = page.locator('.tool-button.is-main');
    // Its worker is asked only when the other tool is open.
    await holdQuestion();
    await main.click();
    expect(await main.textContent()).toBe('Stop');
    await page.getByRole('button', { name: 'Shoot' }).click();
    await page.locator('.tool-outcome').waitFor();
    await page.evaluate('ask()');
    await page.getByRole('status').getByText('The comparison is done.').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.tool-table tbody tr').first().waitFor();
    expect(await main.textContent()).toBe('Compare');
    // The form is that of the run.
    expect(await stateOf()).toMatchObject({ role: 'body', queries: 'planes', count: 2000, ran: true });
    expect(await page.getByLabel('Shape').inputValue()).toBe('body');
    // Whoever stops it has no answer to come back to.
    await main.click();
    await main.click();
    await page.locator('.panel [role=status]').getByText('Stopped.').waitFor();
    await page.getByRole('button', { name: 'Shoot' }).click();
    await page.locator('.tool-outcome').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await main.waitFor();
    expect(await page.locator('.tool-table').count()).toBe(0);
    expect(await page.getByLabel('Shape').inputValue()).toBe('body');
  });

  it('does not say of what was stopped, or of another map, that it was run', async () => {
    const { page } = setup;
    const form = { role: 'point', queries: 'open', count: 2000 };
    await openTool('arena', 'quake3', 'shoot');
    await holdQuestion();
    await openTool('arena', 'quake3', 'compare', { ...form, ran: true });
    const main = page.locator('.tool-button.is-main');
    expect(await main.textContent()).toBe('Stop');
    await page.getByRole('button', { name: 'Shoot' }).click();
    await page.locator('.tool-outcome').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await main.click();
    await page.locator('.panel [role=status]').getByText('Stopped.').waitFor();
    expect(await stateOf()).toMatchObject({ ...form, ran: false });
    await main.click();
    expect(await stateOf()).toMatchObject({ ...form, ran: true });
    await page.getByRole('button', { name: /^Map:/ }).click();
    await page.locator('[data-map=house][data-format=quake1]').click();
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    expect(await main.textContent()).toBe('Compare');
    expect(await page.evaluate(() => window.bspkitPlayground!.link())).not.toContain('state=');
  });

  it('keeps the tracer that was chosen as the colours change, and while another tool is open', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'compare', { role: 'body', queries: 'open', count: 2000, ran: true });
    const title = page.locator('.tool-stack h3').last();
    const agreements = page.locator('.tool-link');
    await agreements.nth(1).waitFor();
    const first = await title.textContent();
    await agreements.last().click();
    const chosen = await title.textContent();
    expect(chosen).not.toBe(first);
    // Bars and the focus of whoever uses keys, too.
    await agreements.last().focus();
    const focused = await page.evaluateHandle(() => document.activeElement);
    const color = () =>
      page
        .locator('.tool-chart span')
        .last()
        .evaluate((bar) => getComputedStyle(bar).backgroundColor);
    const dark = await color();
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    expect(await title.textContent()).toBe(chosen);
    expect(await color()).not.toBe(dark);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await title.textContent()).toBe(chosen);
    expect(await color()).toBe(dark);
    expect(await focused.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Shoot' }).click();
    await page.locator('.tool-outcome').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await agreements.nth(1).waitFor();
    expect(await title.textContent()).toBe(chosen);
  });

  setup.saysNothing();
});
