import { existsSync } from 'node:fs';
import { boxBrush, formatMap } from '@bspkit/compile';
import { arenaQuake2, arenaQuake3, fixtureText } from '@bspkit/fixtures';
import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, drop, goTo, newUser, noticeOf, openPage, pasteOver } from './browser.ts';
import { setUpPage } from './page-setup.ts';

// Each test opens a page of its own, whose compiler cannot be fetched, or does not answer.

describe.runIf(existsSync(CHROMIUM))(`the page and its compiler in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage();

  it('starts the compiler again when it could not be fetched', async () => {
    const other = await newUser(setup.browser);
    const flaky = (await openPage(other)).page;
    await flaky.route('**/assets/worker-*', (route) => route.abort(), { times: 1 });
    await flaky.goto(setup.site.url);
    const lost = 'art of the page could not be fetched. Try again, or reload the page.Reload the page';
    expect(await noticeOf(flaky)).toBe(
      `arena could not be openedThe compiler could not be started: p${lost}`,
    );
    // Its own maps can be chosen all the same.
    await flaky.getByRole('button', { name: /^Map/ }).click();
    await flaky.locator('[data-map=house][data-format=quake1]').click();
    await flaky.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    // Where a part of its own cannot be fetched, it says so: whoever opens a link to that goes on with the map that is there.
    await flaky.route('**/assets/torture-*', (route) => route.abort());
    await flaky.evaluate(() => {
      location.hash = '#map=torture&format=quake1';
    });
    expect(await noticeOf(flaky)).toBe(`torture could not be openedP${lost}`);
    await flaky.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = flaky.locator('.panel textarea');
    const wall = (x: number) => ({
      properties: { classname: 'func_wall' },
      brushes: [boxBrush([x, 0, 600], [x + 64, 64, 664])],
    });
    const edited = [[wall(0)], [wall(0), wall(128)]].map(
      (entities) => `${fixtureText('house')}\n${formatMap({ entities })}`,
    );
    const triangles = () => flaky.evaluate(() => window.bspkitPlayground!.map!.triangles);
    for (const text of edited) {
      const before = await triangles();
      await pasteOver(editor, text);
      await expect.poll(triangles).toBeGreaterThan(before);
    }
    await drop(flaky, 'arena.bsp', arenaQuake3());
    await flaky.waitForFunction(() => window.bspkitPlayground!.map?.name === 'arena.bsp');
    await flaky.evaluate(() => history.go(-2));
    await flaky.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    await flaky.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await editor.inputValue()).toBe(edited[1]);
    // So does the page, of its own parts.
    await flaky.route('**/assets/descriptor-*', (route) => route.abort());
    await drop(flaky, 'room.bsp', arenaQuake2());
    await flaky.getByText('room.bsp could not be opened', { exact: true }).waitFor();
    expect(await noticeOf(flaky)).toBe(`room.bsp could not be openedP${lost}`);
    await other.close();
  });

  it('offers to stop what the compiler does not answer, and goes on without it', async () => {
    const other = await newUser(setup.browser);
    const { page } = await openPage(other);
    await page.clock.install();
    const body = 'onmessage = () => {};';
    await page.route(
      '**/assets/worker-*',
      (route) => route.fulfill({ body, contentType: 'text/javascript' }),
      { times: 1 },
    );
    const said = page.locator('footer [role=status]');
    const notice = page.getByRole('alert');
    await page.goto(setup.site.url);
    await said.getByText('Opening arena…').waitFor();
    // The clock also goes on by itself.
    await page.clock.fastForward(3000);
    expect(await notice.isVisible()).toBe(false);
    await page.clock.fastForward(7500);
    expect(await noticeOf(page)).toContain('Still opening arena');
    await notice.getByRole('button', { name: 'Stop' }).click();
    await notice.getByText('Stopped opening arena', { exact: true }).waitFor();
    expect(await noticeOf(page)).toContain('Choose another map in the menu, or open a file.');
    expect(await said.textContent()).toBe('');
    expect(await page.locator('.is-loading').count()).toBe(0);
    // The next one has a compiler of its own.
    await page.getByRole('button', { name: /^Map/ }).click();
    await page.locator('[data-map=house][data-format=quake1]').click();
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    expect(await notice.isVisible()).toBe(false);
    await other.close();
  });

  it('keeps the map that is open, its link and its tool, when another one is stopped', async () => {
    const other = await newUser(setup.browser);
    const { page } = await openPage(other);
    await page.addInitScript(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (this: Worker, ...args: [never]) {
        if (document.documentElement.dataset.silent !== 'true') postMessage.apply(this, args);
      };
    });
    const isSilent = (silent: boolean): Promise<void> =>
      page.evaluate((to) => {
        document.documentElement.dataset.silent = String(to);
      }, silent);
    await goTo(page, `${setup.site.url}#map=house&format=quake2&tool=edit`);
    await page.clock.install();
    const place = () =>
      page.evaluate(() => {
        const { map, tool, link } = window.bspkitPlayground!;
        const { name, format } = map!;
        return { name, format, tool, link: link(), hash: location.hash, title: document.title };
      });
    const before = await place();
    expect(before).toMatchObject({ name: 'house', format: 'quake2', tool: 'edit', hash: before.link });
    const notice = page.getByRole('alert');
    const follow = (hash: string) => () =>
      page.evaluate((to) => {
        location.hash = to;
      }, hash);
    const ways: Readonly<Record<string, () => Promise<void>>> = {
      'mine.map': () => drop(page, 'mine.map', strToU8(fixtureText('arena'))),
      arena: async () => {
        await page.getByRole('button', { name: /^Map/ }).click();
        await page.locator('[data-map=arena][data-format=quake1]').click();
      },
      torture: follow('#map=torture&format=quake3&tool=shoot'),
    };
    for (const [name, open] of Object.entries(ways)) {
      await isSilent(true);
      await open();
      await page.locator('footer [role=status]').getByText(`Opening ${name}…`).waitFor();
      await page.clock.fastForward(10_500);
      await notice.getByRole('button', { name: 'Stop' }).click();
      await page.locator('footer [role=status]').getByText(`Stopped opening ${name}.`).waitFor();
      await isSilent(false);
      expect(await notice.isVisible()).toBe(false);
      expect(await page.locator('.is-loading').count()).toBe(0);
      expect(await place(), name).toEqual(before);
    }
    // Its text is compiled again, and the link has the change.
    const editor = page.locator('.panel textarea');
    await pasteOver(editor, fixtureText('house').replace('"worldspawn"', '"worldspawn" "message" "x"'));
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    expect((await place()).link).toContain('lines=');
    // A link to a file goes on waiting for it, whatever was to stand in for that.
    await isSilent(true);
    await follow('#file=there.bsp&tool=shoot')();
    await page.clock.runFor(10_500);
    await notice.getByRole('button', { name: 'Stop' }).click();
    expect(await noticeOf(page)).toContain('This link is for there.bsp');
    expect(await place()).toMatchObject({ name: 'house', tool: 'edit', hash: '#file=there.bsp&tool=shoot' });
    await isSilent(false);
    await drop(page, 'there.bsp', arenaQuake3());
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'there.bsp');
    expect((await place()).tool).toBe('shoot');
    await other.close();
  });
});
