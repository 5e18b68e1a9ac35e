import { existsSync, readFileSync } from 'node:fs';
import { boxBrush, formatMap } from '@bspkit/compile';
import { arenaQuake2, fixtureText } from '@bspkit/fixtures';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CHROMIUM,
  drop,
  goTo,
  launch,
  newUser,
  noticeOf,
  openPage,
  pasteOver,
  type Site,
  serve,
} from './browser.ts';

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`the history of the page in a browser (${CHROMIUM})`, () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let said: string[];
  /** Kinds of the dialogs that came up, all of which were accepted. */
  const asked: string[] = [];
  const text = fixtureText('arena');
  // What a link does not hold: it has another number of lines.
  const longer = `${text}\n{\n"classname" "light"\n"origin" "0 0 99"\n}\n`;

  beforeAll(async () => {
    [site, browser] = await Promise.all([serve(), launch()]);
    const context = await newUser(browser);
    ({ page, said } = await openPage(context));
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await goTo(page, `${site.url}#map=arena&format=quake3&tool=edit`);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const editor = () => page.getByRole('textbox', { name: 'Text of the map' });
  const isOpen = (name: string) =>
    page.waitForFunction((to) => window.bspkitPlayground!.map?.name === to, name);
  const openHouse = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Map:/ }).click();
    await page.locator('[data-map=house][data-format=quake3]').click();
    await isOpen('house');
  };

  it('goes back to the map that was open, and to what was changed in it', async () => {
    await pasteOver(editor(), longer);
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    await openHouse();
    await page.goBack();
    await isOpen('arena');
    await expect.poll(() => editor().inputValue()).toBe(longer);
    await page.goForward();
    await isOpen('house');
    expect(await page.evaluate(() => location.hash)).toMatch(/^#map=house&/);
    await page.goBack();
    await isOpen('arena');
    await expect.poll(() => editor().inputValue()).toBe(longer);
  });

  it('keeps text that does not compile while another tool or map is open', async () => {
    const typed = `( wrong\n${text}`;
    const problem = page.locator('.tool-problem');
    const isThere = async (): Promise<void> => {
      await expect.poll(() => editor().inputValue()).toBe(typed);
      await problem.waitFor();
      expect(await problem.textContent()).toContain('Line 1');
    };
    await pasteOver(editor(), typed);
    await isThere();
    await page.getByRole('button', { name: 'Close tool' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await isThere();
    await drop(page, 'mine.bsp', arenaQuake2());
    await isOpen('mine.bsp');
    await page.goBack();
    await isOpen('arena');
    await isThere();
    // What is right is not kept as a draft, but becomes the map.
    await pasteOver(editor(), longer);
    await problem.waitFor({ state: 'hidden' });
  });

  it('goes back to files, as long as the page has them', async () => {
    await page.goForward();
    await isOpen('mine.bsp');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('asks before it is left with changes that no address holds', async () => {
    expect(asked).toEqual([]);
    await page.reload();
    expect(asked.splice(0)).toEqual(['beforeunload']);
    // After that the file is not at hand any more.
    expect(await noticeOf(page)).toContain('This link is for mine.bsp');
    await page.goBack();
    await isOpen('arena');
    await page.reload();
    expect(asked).toEqual([]);
  });

  it('saves the text as a file, and then does not ask', async () => {
    await pasteOver(editor(), longer);
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save .map' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('arena.map');
    expect(readFileSync(await download.path(), 'utf8')).toBe(longer);
    await page.reload();
    expect(asked).toEqual([]);
  });

  it('writes what the address is to hold before it is left', async () => {
    await isOpen('arena');
    const hashes = await page.evaluate(() => {
      window.bspkitPlayground!.setView({ position: [1, 2, 3], yaw: 4, pitch: 5 });
      const before = location.hash;
      window.dispatchEvent(new PageTransitionEvent('pagehide'));
      return [before, location.hash];
    });
    expect(hashes.map((hash) => hash.includes('view=1,2,3,4,5'))).toEqual([false, true]);
  });

  it('has the address of the map that stays where what was chosen in place of a link cannot be opened', async () => {
    const far = boxBrush([40_000, 0, 0], [40_064, 64, 64]);
    const wall = { properties: { classname: 'func_wall' }, brushes: [far] };
    await pasteOver(editor(), `${text}\n${formatMap({ entities: [wall] })}`);
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    // Chosen while the link's map is compiled: Quake does not reach as far as Quake 3.
    await page.evaluate(() => {
      const choose = () =>
        document.querySelector<HTMLElement>('[data-map=arena][data-format=quake1]')!.click();
      window.addEventListener('popstate', () => setTimeout(choose), { once: true });
      location.hash = '#map=house&format=ufoai';
    });
    expect(await noticeOf(page)).toMatch(/^arena could not be opened.*Quake 1 reaches/);
    const { hash, link } = await page.evaluate(() => {
      const { hash } = location;
      return { hash, link: window.bspkitPlayground!.link() };
    });
    expect(hash).toMatch(/^#map=arena&format=quake3&/);
    expect(link).toBe(hash);
    // It has an entry of its own, after that from which the link was followed.
    await page.goBack();
    await page.waitForFunction(() => location.hash.startsWith('#map=arena&format=quake3'));
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await page.goForward();
    expect(await editor().inputValue()).toContain('40064');
  });

  it('said nothing on the console', () => {
    expect(said).toEqual([]);
  });
});
