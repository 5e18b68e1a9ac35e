import { existsSync } from 'node:fs';
import { arenaQuake3 } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, dropAll, goTo } from './browser.ts';
import { setUpPage } from './page-setup.ts';

describe.runIf(existsSync(CHROMIUM))(`the page's keys (${CHROMIUM})`, () => {
  const setup = setUpPage();

  const height = () => setup.page.evaluate(() => window.bspkitPlayground!.view.position[2]);
  const mode = () => setup.page.evaluate(() => window.bspkitPlayground!.mode);

  /** Flies up with a key held down, until something happens after which the key must count as released. */
  const flyUntil = async (happens: () => Promise<unknown>): Promise<void> => {
    const { page } = setup;
    await setup.show('#map=arena&format=quake3&mode=fly');
    const from = await height();
    await page.locator('.view canvas').focus();
    await page.keyboard.down('e');
    await expect.poll(height).toBeGreaterThan(from);
    await happens();
    // Two frames of the page.
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
    const at = await height();
    await page.waitForTimeout(100);
    expect(await height()).toBe(at);
    await page.keyboard.up('e');
  };

  it('lets go of keys when the page is left, as it may come back as it was', () =>
    flyUntil(() =>
      setup.page.evaluate(() =>
        window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })),
      ),
    ));

  it('lets go of keys with Command, as Macs say nothing of those that were let go meanwhile', () =>
    flyUntil(() => setup.page.keyboard.press('Meta')));

  it('leaves the letters to the page where a box to tick or a slider has the focus', async () => {
    const { page } = setup;
    await setup.follow('#map=arena&format=quake3&tool=explain');
    const title = page.locator('.tool-step-title');
    await title.getByText(/^1 /).waitFor();
    const box = page.getByRole('checkbox', { name: 'Also list what was skipped' });
    await box.press('.');
    expect(await title.textContent()).toMatch(/^2 /);
    await page.getByRole('slider', { name: 'Step' }).press('.');
    expect(await title.textContent()).toMatch(/^3 /);
    // What they take for themselves they have.
    await page.keyboard.press('ArrowRight');
    expect(await title.textContent()).toMatch(/^4 /);
    await box.press(' ');
    expect(await box.isChecked()).toBe(true);
    await box.press('m');
    expect(await mode()).toBe('fly');
  });

  it('keeps its keys to the view for those who choose so', async () => {
    const { page } = setup;
    await setup.show('#map=arena&format=quake3&mode=fly');
    const place = () => page.evaluate(() => window.bspkitPlayground!.view.position);
    const choose = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Keys and pointer (?)' }).press('Enter');
      await page.getByRole('checkbox', { name: 'Keys work only while the view has the focus' }).press(' ');
      await page.keyboard.press('Escape');
    };
    await choose();
    const at = await place();
    for (const key of ['m', 'e', '1', '?']) await page.keyboard.press(key, { delay: 40 });
    const tool = () => page.evaluate(() => window.bspkitPlayground!.tool);
    expect([await mode(), await tool(), await place()]).toEqual(['fly', undefined, at]);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.locator('.view canvas').focus();
    await page.keyboard.down('e');
    await expect.poll(async () => (await place())[2]).toBeGreaterThan(at[2]!);
    await page.keyboard.up('e');
    await page.keyboard.press('m');
    expect(await mode()).toBe('walk');
    // It stays chosen on the next visit.
    await goTo(page, setup.site.url);
    await page.getByRole('button', { name: 'Fly' }).press('m');
    expect(await mode()).toBe('orbit');
    await choose();
    await page.getByRole('button', { name: 'Fly' }).press('m');
    expect(await mode()).toBe('fly');
  });

  it('goes nearer and farther by keys, too', async () => {
    const { page } = setup;
    await setup.show('#map=arena&format=quake3');
    const first = await height();
    await page.keyboard.press('=');
    const nearer = await height();
    expect(nearer).toBeLessThan(first);
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    expect(await height()).toBeGreaterThan(first);
    await page.keyboard.press('NumpadAdd');
    expect(await height()).toBeCloseTo(first, 0);
  });

  it('knows keys by their letters where these are elsewhere, and by their place where there are none', async () => {
    const { page } = setup;
    await setup.show('#map=arena&format=quake3&tool=explain');
    const title = page.locator('.tool-step-title');
    await title.getByText(/^1 /).waitFor();
    const press = (key: string, code: string) =>
      page
        .locator('.view canvas')
        .evaluate(
          (canvas, how) =>
            canvas.dispatchEvent(new KeyboardEvent('keydown', { ...how, bubbles: true, cancelable: true })),
          { key, code },
        );
    // French, where a comma is in the place of the M.
    await press('.', 'Comma');
    expect(await title.textContent()).toMatch(/^2 /);
    await press(',', 'KeyM');
    expect([await mode(), await title.textContent()]).toEqual(['orbit', expect.stringMatching(/^1 /)]);
    await press('m', 'Semicolon');
    expect(await mode()).toBe('fly');
    // Dvorak: what moves the camera does not open a file, too.
    const chosen = page.waitForEvent('filechooser', { timeout: 300 }).catch(() => undefined);
    await press('o', 'KeyS');
    expect(await chosen).toBe(undefined);
    await page.evaluate(() => window.dispatchEvent(new KeyboardEvent('keyup', { code: 'KeyS' })));
    // Russian.
    await press('к', 'KeyR');
    expect(await mode()).toBe('orbit');
  });

  it('says what comes of keys and of what is typed', async () => {
    const { page } = setup;
    await setup.follow('#map=arena&format=quake3&tool=shoot');
    const outcome = page.locator('.tool-outcome');
    await outcome.waitFor();
    const said = page.locator('footer [role=status]');
    const steps: readonly (() => Promise<unknown>)[] = [
      () => page.getByRole('button', { name: /^Start of the move/ }).press('ArrowUp'),
      () => page.getByRole('textbox', { name: 'To' }).fill('0 900 64'),
      () => page.getByRole('combobox', { name: 'Shape' }).selectOption({ label: 'Box' }),
    ];
    for (const step of steps) {
      const before = await outcome.textContent();
      await step();
      await page.keyboard.press('Tab');
      await expect.poll(() => outcome.textContent()).not.toBe(before);
      expect(await said.textContent()).toBe(`${await outcome.textContent()}.`);
    }
  });

  it('says why a key does nothing for the map at hand', async () => {
    const { page } = setup;
    const said = page.locator('footer [role=status]');
    const press = async (key: string): Promise<string | null> => {
      await page.keyboard.press(key);
      return said.textContent();
    };
    await setup.follow('#map=arena&format=quake3');
    await page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'quake3');
    await page.waitForFunction(() => window.bspkitPlayground!.tool === undefined);
    expect(await press('5')).toBe('Hulls: this map has no clip hulls.');
    expect(await press('6')).toBe('Sight: this map has no cells to look from.');
    expect(await press('7')).toBe('Paths: this map has no cells to walk on.');
    expect(await page.getByRole('button', { name: 'Hulls' }).getAttribute('title')).toMatch(
      /^Hulls: this map has no clip hulls\. /,
    );
    expect(await press('g')).toBe('No tool is open.');
    expect(await press('x')).toBe('Coloured by contents.');
    await setup.follow('#map=arena&format=quake3&mode=fly');
    await page.waitForFunction(() => window.bspkitPlayground!.mode === 'fly');
    expect(await press('[')).toBe('The cut is only shown in orbit.');
    await dropAll(page, { 'a.bsp': arenaQuake3() });
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'a.bsp');
    await said.getByText(/^a\.bsp: Quake 3 \(IBSP 46\), /).waitFor();
    expect(await press('4')).toBe('Edit: this map has no source text.');
  });

  it('says so when the browser keeps the mouse', async () => {
    await setup.page.evaluate(() => document.dispatchEvent(new Event('pointerlockerror')));
    await setup.page.getByRole('status').getByText('The browser did not capture the mouse').waitFor();
  });

  setup.saysNothing();
});
