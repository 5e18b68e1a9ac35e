import { existsSync } from 'node:fs';
import { arenaQuake3, compileFixture } from '@bspkit/fixtures';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, dropAll, goTo, newUser, openPage, pasteOver } from './browser.ts';
import { setUpPage, show } from './page-setup.ts';
import { BOX, toolPage } from './tools/tool-page.ts';

/** What has the focus: what it is called, or what it is. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.id || element?.getAttribute('aria-label') || element?.tagName || '';
  });

const VIEW = /^The map in three dimensions/;

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`the page for all hands and screen readers (${CHROMIUM})`, () => {
  const setup = setUpPage();
  const { openTool, saidOf } = toolPage(setup);

  it('says one thing at a time of how to move', async () => {
    const hints = setup.page.locator('.hint:visible');
    expect(await hints.allTextContents()).toEqual([expect.stringMatching(/^Drag to turn/)]);
    expect(await setup.page.locator('.crosshair').isVisible()).toBe(false);
    // As screen readers press it: without a pointer, and without a key.
    await setup.page.getByRole('button', { name: 'Walk' }).dispatchEvent('click');
    expect(await hints.allTextContents()).toEqual([expect.stringMatching(/^W A S D/)]);
  });

  it('says no more how to turn the map, once a link of where to walk was followed', async () => {
    const user = await newUser(setup.browser);
    const { page } = await openPage(user);
    await goTo(page, setup.site.url);
    await show(page, '#map=arena&format=quake3&mode=walk');
    expect(await page.locator('.hint:visible').allTextContents()).toEqual([
      expect.stringMatching(/^W A S D/),
    ]);
    await user.close();
  });

  it('keeps the focus where something is, as tools are opened and closed from the panel', async () => {
    const { page } = setup;
    await setup.follow('#map=arena&format=quake3&tool=shoot');
    const explain = page.getByRole('button', { name: 'Take it apart' });
    await explain.press('1');
    expect(await focused(page)).toMatch(VIEW);
    await page.keyboard.press('1');
    await explain.press('Enter');
    expect(await focused(page)).toBe('tool-title');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Close tool');
    await page.getByRole('button', { name: 'Close tool' }).press('Enter');
    expect(
      await page.getByRole('button', { name: 'Take apart' }).evaluate((a) => a === document.activeElement),
    ).toBe(true);
    // Handles in the view go with their tool, too.
    await openTool('arena', 'quake3', 'shoot');
    await page.locator('.tool-handle').last().focus();
    await page.keyboard.press('2');
    expect(await focused(page)).toMatch(VIEW);
  });

  it('keeps the focus where something is, as tools make their controls anew for another map', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot');
    for (const [had, has] of [
      [page.getByRole('combobox', { name: 'Shape' }), /^tool-title$/],
      [page.locator('.tool-handle').last(), VIEW],
    ] as const) {
      const name = `${has.source.length}.bsp`;
      await had.focus();
      await dropAll(page, { [name]: arenaQuake3() });
      await page.waitForFunction((to) => window.bspkitPlayground!.map?.name === to, name);
      expect(await focused(page)).toMatch(has);
    }
  });

  it('keeps it where something is, too, as controls follow later, and as buttons are of no use in another map', async () => {
    const { page } = setup;
    const house = compileFixture('house', 'ufoai').bytes;
    await openTool('arena', 'ufoai', 'sight');
    for (const [had, has, bytes] of [
      [page.getByRole('checkbox', { name: '3' }), 'tool-title', house],
      [page.locator('.tool-handle').last(), VIEW, house],
      [page.locator('nav').getByRole('button', { name: 'Sight' }), VIEW, arenaQuake3()],
    ] as const) {
      const name = `sight ${String(has)} ${bytes.length}.bsp`;
      await had.focus();
      await dropAll(page, { [name]: bytes });
      await page.waitForFunction((to) => window.bspkitPlayground!.map?.name === to, name);
      await expect.poll(() => focused(page)).toMatch(has);
    }
  });

  it('gives the focus back after a choice of maps', async () => {
    const { page } = setup;
    await page.locator('.view canvas').focus();
    for (const key of ['Escape', 'Enter']) {
      await dropAll(page, { 'a.bsp': arenaQuake3(), 'b.bsp': arenaQuake3() });
      const dialog = page.getByRole('dialog', { name: 'Which of these 2 files?' });
      await dialog.waitFor();
      await page.keyboard.press(key);
      await dialog.waitFor({ state: 'detached' });
      expect(await focused(page)).toMatch(VIEW);
    }
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'a.bsp');
  });

  it('gives the focus to the view as a message goes that had it', async () => {
    const { page } = setup;
    for (const goes of ['is closed', 'is taken back']) {
      await dropAll(page, { 'empty.bsp': new Uint8Array(0) });
      const close = page.getByRole('button', { name: 'Close message' });
      await close.focus();
      if (goes === 'is closed') await page.keyboard.press('Enter');
      else await setup.follow(`#map=arena&format=quake3&view=${goes.length},0,64,0,0`);
      await close.waitFor({ state: 'hidden' });
      expect(await focused(page), goes).toMatch(VIEW);
    }
  });

  it('reads out steps, except while they play', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'explain', { q: BOX });
    const step = page.locator('.tool-step');
    const isRead = async () => (await step.getAttribute('aria-live')) === 'polite';
    expect(await isRead()).toBe(true);
    const play = page.getByRole('button', { name: 'Play' });
    await play.press('Enter');
    await page
      .locator('.tool-step-title')
      .getByText(/^(?!1 )/)
      .waitFor();
    expect(await isRead()).toBe(false);
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    expect(await isRead()).toBe(true);
    expect(await saidOf()).toBe(`${await page.locator('.tool-step-title').textContent()}.`);
  });

  it('says what is wrong with a text, and has it with the text', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'edit');
    const area = page.getByRole('textbox', { name: 'Text of the map' });
    const described = () =>
      area.evaluate((field) => document.getElementById(field.getAttribute('aria-describedby')!)!.textContent);
    const text = await area.inputValue();
    expect(await described()).toBe('');
    await pasteOver(area, `nonsense ${text}`);
    await page.locator('.tool-problem').waitFor();
    expect(await described()).toMatch(/^Line 1, /);
    // Said once, and not in the line at the bottom, which it would fill.
    const speaking = page.locator('.panel').getByRole('status');
    expect(await speaking.allTextContents()).toEqual([await described()]);
    expect(await saidOf()).not.toMatch(/^Line/);
    await pasteOver(area, text);
    await page.locator('.tool-problem').waitFor({ state: 'hidden' });
    expect(await described()).toBe('');
    await expect.poll(saidOf).toBe(`Compiled. ${await page.locator('.tool-outcome').textContent()}.`);
    expect(await speaking.textContent()).toBe('');
  });

  it('has what is wrong with an end with its field', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot');
    const field = page.getByRole('textbox', { name: 'From' });
    await field.fill('here');
    await page.keyboard.press('Tab');
    const problem = await field.evaluate(
      (input) => document.getElementById(input.getAttribute('aria-describedby')!)!.textContent,
    );
    expect(problem).toBe('From must be three numbers, such as 0 0 64.');
  });

  it('says what the picture shows, and lets screen readers pass arrow keys on to handles', async () => {
    const { page } = setup;
    const shown = () =>
      page
        .getByRole('application', { name: VIEW })
        .evaluate((canvas) => document.getElementById(canvas.getAttribute('aria-describedby')!)!.textContent);
    const handles = page.getByRole('application', { name: 'Handles' });
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    expect(await shown()).toBe(`${await page.locator('.tool-outcome').textContent()}.`);
    expect(await handles.getByRole('button').count()).toBe(2);
    await page.getByRole('button', { name: 'Close tool' }).press('Enter');
    expect(await shown()).toMatch(/^arena: Quake 3/);
    expect(await handles.count()).toBe(0);
  });

  it('is walked through with Tab, each control once and none passed over, with the focus in sight', async () => {
    const { page } = setup;
    for (const [map, format, tool, state] of [
      ['arena', 'quake3', 'explain', { q: BOX }],
      ['arena', 'quake3', 'edit'],
      ['house', 'ufoai', 'sight'],
    ] as const) {
      await openTool(map, format, tool, state);
      await page.locator('.panel-body').locator('textarea, select, .tool-step-line').first().waitFor();
      const count = await page.evaluate(() => {
        document.body.setAttribute('tabindex', '-1');
        document.body.focus();
        document.body.removeAttribute('tabindex');
        const controls = 'a[href], button:enabled, input, select, textarea, summary, canvas';
        return [...document.querySelectorAll<HTMLElement>(controls)].filter((one) => one.checkVisibility())
          .length;
      });
      const walked: string[] = [];
      const unseen: string[] = [];
      for (let k = 0; k < count; k++) {
        await page.keyboard.press('Tab');
        const [name, isSeen] = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement & { number?: number };
          element.number ??= Math.random();
          // The text's frame is around its line numbers, too.
          const framed = element.closest<HTMLElement>('.tool-editor') ?? element;
          const style = getComputedStyle(framed);
          const reach = Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset);
          const { left, right } = framed.getBoundingClientRect();
          let isSeen = style.outlineStyle !== 'none' && !style.outlineColor.endsWith(', 0)');
          for (let box = framed.parentElement; box && isSeen; box = box.parentElement) {
            if (getComputedStyle(box).overflowX === 'visible') continue;
            const frame = box.getBoundingClientRect();
            isSeen = left - reach > frame.left - 1 && right + reach < frame.right + 1;
          }
          return [`${element.number} ${element.tagName} ${element.className}`, isSeen] as const;
        });
        walked.push(name);
        if (!isSeen) unseen.push(name);
      }
      expect(new Set(walked).size, tool).toBe(count);
      expect(unseen, tool).toEqual([]);
    }
  });

  it('begins its help with the mouse', async () => {
    const { page } = setup;
    await page.getByRole('button', { name: 'Keys and pointer (?)' }).click();
    expect(await page.locator('.help h3').first().textContent()).toBe('Mouse');
    expect(await page.locator('.help section').first().textContent()).not.toContain('Two fingers');
    await page.keyboard.press('Escape');
  });

  setup.saysNothing();
});
