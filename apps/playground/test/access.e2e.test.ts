import { existsSync } from 'node:fs';
import { compileMap, parseMap } from '@bspkit/compile';
import { arenaQuake3, fixtureText } from '@bspkit/fixtures';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, dropAll, goTo, holdMap, openPage } from './browser.ts';
import { setUpPage } from './page-setup.ts';
import { toolPage } from './tools/tool-page.ts';

/** What has the focus: what it is called, or what it is. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.id || element?.getAttribute('aria-label') || element?.tagName || '';
  });

const VIEW = /^The map in three dimensions/;

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`the page for all hands, eyes and screens (${CHROMIUM})`, () => {
  const setup = setUpPage();

  /** Does something with the page in a window of its own. */
  const elsewhere = async (
    options: BrowserContextOptions,
    work: (page: Page, open: (hash: string) => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const context = await setup.browser.newContext({ serviceWorkers: 'block', ...options });
    try {
      const { page } = await openPage(context);
      await work(page, (hash) => goTo(page, setup.site.url + hash));
    } finally {
      await context.close();
    }
  };

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

  it('lets go of keys when the page is left, as it may come back as it was', async () => {
    const { page } = setup;
    await setup.follow('#map=arena&format=quake3&mode=fly');
    await page.waitForFunction(() => window.bspkitPlayground!.mode === 'fly');
    const height = () => page.evaluate(() => window.bspkitPlayground!.view.position[2]);
    const from = await height();
    await page.locator('.view canvas').focus();
    await page.keyboard.down('e');
    await expect.poll(height).toBeGreaterThan(from);
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
    // Two frames of the page.
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
    const at = await height();
    await page.waitForTimeout(100);
    expect(await height()).toBe(at);
    await page.keyboard.up('e');
  });

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
    expect(await page.evaluate(() => window.bspkitPlayground!.mode)).toBe('fly');
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
      expect(await said.textContent()).toBe(await outcome.textContent());
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

  it('shows its help so that it can be read and closed on all screens', async () => {
    await elsewhere({}, async (page, open) => {
      await open('');
      for (const [width, height] of [
        [1280, 800],
        [800, 600],
        [640, 800],
        [480, 800],
        [360, 740],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.keyboard.press('?');
        const help = page.getByRole('dialog', { name: 'Keys and pointer' });
        const found = await help.evaluate((dialog) => {
          const lacks = [dialog.scrollWidth - dialog.clientWidth, dialog.scrollHeight - dialog.clientHeight];
          // Keys that are pressed together are on one line.
          const isBroken = [...dialog.querySelectorAll('dt span')].some(
            (keys) => keys.getClientRects().length > 1,
          );
          dialog.scrollTo(0, dialog.scrollHeight);
          const close = dialog.querySelector('button')!.getBoundingClientRect();
          return { lacks, isBroken, isClosable: close.top >= 0 && close.bottom < innerHeight };
        });
        expect(found, String(width)).toMatchObject({ isBroken: false, isClosable: true });
        expect(found.lacks[0], String(width)).toBe(0);
        if (width === 1280) expect(found.lacks[1]).toBe(0);
        await page.keyboard.press('Escape');
        await help.waitFor({ state: 'hidden' });
      }
    });
  });

  it('says so when the browser keeps the mouse', async () => {
    await setup.page.evaluate(() => document.dispatchEvent(new Event('pointerlockerror')));
    await setup.page.getByRole('status').getByText('The browser did not capture the mouse').waitFor();
  });

  it('has targets that are large enough for fingers', async () => {
    const move = { q: 'ellipsoid:16,16,28;-256,-200,100;-100,-150,-50', r: 0, s: -1 };
    for (const [tool, state] of [['explain'], ['explain', move], ['compare']] as const) {
      await toolPage(setup).openTool('arena', 'quake3', tool, state);
      const targets = setup.page
        .locator('.tool-check, .tool-step-line, .tool-rounds button')
        .filter({ visible: true });
      expect(await targets.count()).toBeGreaterThan(1);
      const heights = await targets.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().height),
      );
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    }
  });

  it('does not take a finger that rests for a click while another one moves', async () => {
    await elsewhere(
      { viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true },
      async (page, open) => {
        await open('#map=arena&format=quake3&tool=shoot');
        const answer = page.locator('.tool-fields');
        await answer.waitFor();
        const before = await answer.textContent();
        const height = () => page.evaluate(() => window.bspkitPlayground!.view.position[2]);
        const from = await height();
        const touch = await page.context().newCDPSession(page);
        const send = (type: string, ...xs: number[]): Promise<unknown> =>
          touch.send('Input.dispatchTouchEvent', {
            type: type as 'touchStart',
            touchPoints: xs.map((x, id) => ({ x, y: 90, id })),
          });
        await send('touchStart', 40);
        await send('touchStart', 40, 100);
        for (const x of [140, 180, 220]) await send('touchMove', 40, x);
        await send('touchEnd', 40);
        await send('touchEnd');
        expect(await height()).toBeLessThan(from - 100);
        expect(await answer.textContent()).toBe(before);
        await page.touchscreen.tap(40, 90);
        expect(await answer.textContent()).not.toBe(before);
      },
    );
  });

  it('moves handles up and down by touch', async () => {
    await elsewhere(
      { viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true },
      async (page, open) => {
        await open('#map=arena&format=quake3&tool=shoot');
        const handle = page.getByRole('button', { name: /^Start of the move/ });
        const place = async (): Promise<number[]> =>
          /at (.*)/
            .exec((await handle.getAttribute('aria-label'))!)![1]!
            .split(' ')
            .map(Number);
        const arrow = handle.locator('.tool-lift');
        expect(await arrow.isVisible()).toBe(false);
        await handle.tap();
        const from = await place();
        const { x, y, width, height } = (await arrow.boundingBox())!;
        const touch = await page.context().newCDPSession(page);
        const send = (type: string, ...ys: number[]): Promise<unknown> =>
          touch.send('Input.dispatchTouchEvent', {
            type: type as 'touchStart',
            touchPoints: ys.map((at) => ({ x: x + width / 2, y: at })),
          });
        const middle = y + height / 2;
        await send('touchStart', middle);
        for (const by of [10, 25, 40]) await send('touchMove', middle - by);
        await send('touchEnd');
        await expect.poll(async () => (await place())[2]).toBeGreaterThan(from[2]! + 30);
        expect((await place()).slice(0, 2)).toEqual(from.slice(0, 2));
      },
    );
  });

  it('crouches on touch screens by a tap, with a thumb on the stick, until the next tap or jump', async () => {
    const phone = { viewport: { width: 320, height: 420 }, isMobile: true, hasTouch: true };
    await elsewhere(phone, async (page, open) => {
      const crouch = page.getByRole('button', { name: 'Crouch' });
      const crouches = () => crouch.getAttribute('aria-pressed');
      const advance = (seconds: number) =>
        page.evaluate((time) => {
          const hook = window.bspkitPlayground!;
          hook.advance(time);
          return hook.view.position;
        }, seconds);
      for (const [format, eyes] of [
        ['quake3', 14],
        ['quake2', 24],
      ] as const) {
        await open(`?${format}#map=arena&format=${format}&mode=walk`);
        await page.evaluate(() => window.bspkitPlayground!.freeze());
        const [x, y, standing] = await advance(1);
        const touch = await page.context().newCDPSession(page);
        const middle = async (selector: string, id: number) => {
          const box = (await page.locator(selector).boundingBox())!;
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 - (id === 0 ? 40 : 0), id };
        };
        const send = (type: string, ...touchPoints: { x: number; y: number; id: number }[]) =>
          touch.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints });
        const thumb = await middle('.stick-base', 0);
        await send('touchStart', thumb);
        const other = await middle('.stick-crouch', 1);
        await send('touchStart', thumb, other);
        await send('touchEnd', other);
        await expect.poll(crouches).toBe('true');
        const [farX, farY, low] = await advance(0.5);
        await send('touchEnd');
        expect(Math.hypot(farX! - x!, farY! - y!)).toBeGreaterThan(16);
        expect(standing! - low!).toBeCloseTo(eyes, 1);
        expect(await page.locator('.status-state').textContent()).toMatch(/crouched$/);
        await crouch.tap();
        expect(await crouches()).toBe('false');
        expect((await advance(0.5))[2]).toBeCloseTo(standing!, 1);
        await crouch.press('Enter');
        expect(await crouches()).toBe('true');
        await page.getByRole('button', { name: 'Jump' }).tap();
        expect(await crouches()).toBe('false');
      }
      // In Quake nobody crouches.
      await open('?quake1#map=arena&format=quake1&mode=walk');
      await page.getByRole('button', { name: 'Jump' }).waitFor();
      expect(await crouch.isVisible()).toBe(false);
      const { bytes } = compileMap(parseMap(fixtureText('arena')), { format: 'quake1', version: 30 });
      await dropAll(page, { 'halflife.bsp': bytes });
      await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'halflife.bsp');
      await page.getByRole('button', { name: 'Walk' }).tap();
      await page.evaluate(() => window.bspkitPlayground!.freeze());
      const [, , standing] = await advance(1);
      await crouch.tap();
      expect(standing! - (await advance(0.5))[2]!).toBeCloseTo(18 + 28 - 12, 1);
      // Another mode begins without it.
      await page.getByRole('button', { name: 'Fly' }).tap();
      await page.getByRole('button', { name: 'Walk' }).tap();
      expect(await crouches()).toBe('false');
    });
  });

  it('keeps the stick for the first finger on it, until that one is lifted', async () => {
    const phone = { viewport: { width: 320, height: 420 }, isMobile: true, hasTouch: true };
    await elsewhere(phone, async (page, open) => {
      await open('#map=arena&format=quake3&mode=fly');
      await page.evaluate(() => window.bspkitPlayground!.freeze());
      const touch = await page.context().newCDPSession(page);
      const { x, y, width, height } = (await page.locator('.stick-base').boundingBox())!;
      const points = [-0.3, 0.2].map((down, id) => ({ x: x + width / 2, y: y + height * (0.5 + down), id }));
      const send = (type: 'touchStart' | 'touchEnd', touchPoints: typeof points) =>
        touch.send('Input.dispatchTouchEvent', { type, touchPoints });
      const knob = () => page.locator('.stick-knob').evaluate(({ style }) => style.translate);
      await page.evaluate(() => {
        const base = document.querySelector('.stick-base')!;
        base.addEventListener('pointerup', () => base.setAttribute('data-lifted', ''));
      });
      await send('touchStart', points.slice(0, 1));
      await expect.poll(knob).not.toBe('');
      const held = await knob();
      await send('touchStart', points);
      await send('touchEnd', points.slice(1));
      await page.locator('.stick-base[data-lifted]').waitFor({ timeout: 5000 });
      expect(await knob()).toBe(held);
      await send('touchEnd', []);
      await expect.poll(knob).toBe('0rem');
    });
  });

  it('flies down on touch screens as long as a button is held', async () => {
    const phone = { viewport: { width: 320, height: 420 }, isMobile: true, hasTouch: true };
    await elsewhere(phone, async (page, open) => {
      await open('#map=arena&format=quake3&mode=fly');
      const heightAfter = (seconds: number) =>
        page.evaluate((time) => {
          const hook = window.bspkitPlayground!;
          hook.freeze();
          hook.advance(time);
          return hook.view.position[2]!;
        }, seconds);
      const before = await heightAfter(0.5);
      const down = page.getByRole('button', { name: 'Down' });
      await down.dispatchEvent('pointerdown');
      const after = await heightAfter(0.5);
      expect(before - after).toBeCloseTo(240, 0);
      await down.dispatchEvent('pointerup');
      expect(await heightAfter(0.5)).toBe(after);
      expect(await down.getAttribute('aria-pressed')).toBe(null);
    });
  });

  it('keeps stick and buttons apart, and in the view, on small phones with a tool open', async () => {
    await elsewhere({ isMobile: true, hasTouch: true }, async (page, open) => {
      await open('#map=arena&format=quake3&mode=walk&tool=shoot');
      await page.locator('.tool-outcome').waitFor();
      for (const [width, height] of [
        [320, 568],
        [568, 320],
      ] as const) {
        await page.setViewportSize({ width, height });
        const boxOf = async (name: string) => (await page.locator(name).boundingBox())!;
        const [view, ...boxes] = await Promise.all(
          ['.view', '.stick-base', '.stick-jump', '.stick-crouch'].map(boxOf),
        );
        // Something is to be seen between them.
        expect(view!.height).toBeGreaterThan(190);
        for (const [k, a] of boxes.entries()) {
          expect(a.y).toBeGreaterThanOrEqual(view!.y);
          expect(a.x + a.width).toBeLessThanOrEqual(view!.x + view!.width);
          for (const b of boxes.slice(k + 1)) {
            const gap = Math.max(
              b.x - a.x - a.width,
              a.x - b.x - b.width,
              b.y - a.y - a.height,
              a.y - b.y - b.height,
            );
            expect(gap).toBeGreaterThanOrEqual(8);
          }
        }
      }
    });
  });

  it('has all tools in a row on an upright phone, and all games of a map', async () => {
    await elsewhere(
      { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
      async (page, open) => {
        // The game that has most tools.
        await open('#map=house&format=ufoai');
        await page.getByRole('button', { name: /^Map:/ }).tap();
        const rows = (selector: string): Promise<number> =>
          page.locator(selector).evaluateAll((all) => {
            const tops = all
              .filter((one) => one.checkVisibility())
              .map((one) => one.getBoundingClientRect().top);
            return new Set(tops).size;
          });
        expect(await rows('.tool')).toBe(1);
        expect(await rows('.chip')).toBe(await rows('.chips'));
        // The name of a map takes no room from the buttons beside it.
        await page.keyboard.press('Escape');
        await dropAll(page, { 'what_somebody_called_a_long_map_v2_final.bsp': arenaQuake3() });
        await page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'quake3');
        const { widths, isWide } = await page.locator('.bar').evaluate((bar) => ({
          widths: [...bar.querySelectorAll(':scope > .icon-button')].map((button) => button.clientWidth),
          isWide: bar.scrollWidth > bar.clientWidth,
        }));
        expect(Math.min(...widths)).toBeGreaterThan(30);
        expect(isWide).toBe(false);
      },
    );
  });

  it('says on a phone what a tool is for, and what it answers in one line', async () => {
    const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
    await elsewhere(phone, async (page, open) => {
      await open('#map=arena&format=quake3');
      const height = (): Promise<number> => page.locator('footer').evaluate((line) => line.clientHeight);
      const before = await height();
      await page.getByRole('button', { name: 'Shoot' }).tap();
      await page.locator('footer').getByText('Stopped after 515.83 of 640.16 units').waitFor();
      expect(await height()).toBe(before);
      expect(await page.getByText('Click in the view to shoot from the eye').isVisible()).toBe(true);
    });
  });

  it('has all of a message in reach where the view is low', async () => {
    const small = { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true };
    await elsewhere(small, async (page, open) => {
      await open('#map=arena&format=quake3&tool=shoot');
      await dropAll(page, { 'mine.map': new TextEncoder().encode(fixtureText('arena')) });
      const offer = page.getByRole('alert').getByRole('button', { name: 'UFO:AI' });
      await offer.waitFor();
      const [bottom, end] = await page.evaluate(() =>
        ['.notices', '.view'].map((name) => document.querySelector(name)!.getBoundingClientRect().bottom),
      );
      expect(bottom).toBeLessThanOrEqual(end!);
      await offer.tap();
      await page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'ufoai');
    });
  });

  it('begins its help with what a visitor has at hand', async () => {
    for (const [options, title] of [
      [{ viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true }, 'Touch'],
      [{ viewport: { width: 1000, height: 700 } }, 'Mouse'],
    ] as const) {
      await elsewhere(options, async (page, open) => {
        await open('#map=arena&format=quake3');
        await page.getByRole('button', { name: 'Keys and pointer (?)' }).click();
        expect(await page.locator('.help h3').first().textContent()).toBe(title);
        const first = (await page.locator('.help section').first().textContent())!;
        expect(first.includes('Two fingers')).toBe(title === 'Touch');
      });
    }
  });

  it('has room for the view and for all tools on a phone on its side', async () => {
    await elsewhere({ isMobile: true, hasTouch: true }, async (page, open) => {
      // The game that has most tools.
      await open('#map=house&format=ufoai&tool=shoot');
      await page.locator('.tool-outcome').waitFor();
      for (const [width, height] of [
        [667, 375],
        [844, 390],
      ] as const) {
        await page.setViewportSize({ width, height });
        const view = (await page.locator('.view').boundingBox())!;
        expect(Math.min(view.width, view.height)).toBeGreaterThan(280);
        const lacking = await page
          .locator('.tools')
          .evaluate((tools) => tools.scrollHeight - tools.clientHeight);
        expect(lacking).toBe(0);
        await expect(
          page.locator('.panel').evaluate((panel) => panel.scrollWidth - panel.clientWidth),
        ).resolves.toBe(0);
      }
    });
  });

  it('is read by scrolling one way at 400 %, with all of it in reach', async () => {
    await elsewhere({ viewport: { width: 320, height: 256 } }, async (page, open) => {
      await open('#map=house&format=ufoai');
      await page.getByRole('button', { name: 'Paths' }).click();
      await page.locator('.tool-fields dd').first().waitFor();
      expect(
        await page.locator('#tool-title').evaluate((title) => title.getBoundingClientRect().bottom),
      ).toBeLessThan(256);
      const { isWide, cut, view } = await page.evaluate(() => {
        const all = ['html', '.bar', '.map-name', '.tools', '.panel', '.status', '.status-said'];
        const boxes = all.map((name) => document.querySelector(name)!);
        return {
          isWide: boxes.some((box) => box.scrollWidth > box.clientWidth && box.clientWidth > 0),
          cut: boxes
            .slice(1)
            .flatMap((box, k) =>
              box.scrollHeight > box.clientHeight + 1 && box.clientHeight > 0 ? [all[k + 1]] : [],
            ),
          view: document.querySelector('.view')!.clientHeight,
        };
      });
      expect({ isWide, cut }).toEqual({ isWide: false, cut: [] });
      expect(view).toBeGreaterThan(120);
    });
  });

  it('grows with the font of the user', async () => {
    await elsewhere({ viewport: { width: 1600, height: 900 } }, async (page, open) => {
      const browser = await page.context().newCDPSession(page);
      const sizes: number[][] = [];
      for (const standard of [16, 24]) {
        await browser.send('Page.setFontSizes', { fontSizes: { standard } });
        await open(`?${standard}#map=arena&format=quake3&tool=edit`);
        await page.locator('.tool-editor-numbers').waitFor();
        sizes.push(
          await page.evaluate(() =>
            [
              '.map-button',
              '.tool .icon',
              '.panel',
              '.tool-editor-numbers',
              '.tool-editor-block',
              '.tool-handle',
            ].map((name) => {
              const box = document.querySelector(name)!.getBoundingClientRect();
              return name === '.panel' ? box.width : box.height;
            }),
          ),
        );
      }
      expect(sizes[0]!.map((size) => Math.round(1.5 * size))).toEqual(
        sizes[1]!.map((size) => Math.round(size)),
      );
    });
  });

  it('prints the picture and the panel, black on white', async () => {
    await elsewhere({ colorScheme: 'dark' }, async (page, open) => {
      await open('#map=arena&format=quake3&tool=shoot');
      await page.locator('.tool-outcome').waitFor();
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({ media: 'print' });
      const shown = await page.evaluate(() => {
        const paper = document.querySelector<HTMLCanvasElement>('.paper')!;
        const { width, height } = paper;
        const { data } = paper.getContext('2d')!.getImageData(0, 0, width, height);
        const at = (x: number, y: number): number[] => [
          ...data.slice(4 * (width * y + x), 4 * (width * y + x) + 3),
        ];
        const style = getComputedStyle(document.querySelector('.tool-outcome')!);
        const panel = document.querySelector('.panel')!;
        return {
          corner: at(2, 2),
          isDrawn: at(width >> 1, height >> 1).some((part) => part < 250),
          text: [style.color, getComputedStyle(document.body).backgroundColor],
          isWhole:
            panel.scrollHeight <= panel.clientHeight &&
            panel.getBoundingClientRect().top >= paper.getBoundingClientRect().bottom,
        };
      });
      expect(shown).toEqual({
        corner: [255, 255, 255],
        isDrawn: true,
        text: ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'],
        isWhole: true,
      });
      for (const name of ['.tools', '.modes', '.icon-button', '.tool-handle', '.tool-button'])
        expect(await page.locator(name).filter({ visible: true }).count(), name).toBe(0);
      await page.emulateMedia({ media: null });
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      expect(await page.locator('.paper').count()).toBe(0);
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    });
  });

  it('shows what has to wait for the first map', async () => {
    await elsewhere({}, async (page, open) => {
      const go = await holdMap(page);
      const opened = open('');
      const waiting = ['Shoot', 'Compare', 'Orbit', 'Fly', 'Walk', 'View options'].map((name) =>
        page.getByRole('button', { name }),
      );
      await page.locator('.view').waitFor();
      for (const button of waiting) expect(await button.isDisabled()).toBe(true);
      // The keys for the same wait with them, and do not do half of it.
      for (const key of ['1', 'm', 'x', '[']) await page.keyboard.press(key);
      go();
      await opened;
      for (const button of waiting) expect(await button.isEnabled()).toBe(true);
      expect(await page.evaluate(() => window.bspkitPlayground!.link())).toMatch(
        /^#map=arena&format=quake3&mode=orbit&view=[-\d.,]*$/,
      );
    });
  });

  it('says one thing at a time of how to move, once there is a map', async () => {
    await elsewhere({}, async (page, open) => {
      const go = await holdMap(page);
      const opened = open('');
      await page.locator('.view').waitFor();
      expect(await page.locator('.hint:visible, .crosshair:visible').count()).toBe(0);
      go();
      await opened;
      expect(await page.locator('.hint:visible').allTextContents()).toEqual([
        expect.stringMatching(/^Drag to turn/),
      ]);
      expect(await page.locator('.crosshair').isVisible()).toBe(false);
      await page.evaluate(() => {
        location.hash = '#map=arena&format=quake3&mode=walk';
      });
      await page.waitForFunction(() => window.bspkitPlayground!.mode === 'walk');
      expect(await page.locator('.hint:visible').allTextContents()).toEqual([
        expect.stringMatching(/^W A S D/),
      ]);
    });
  });

  it('is as bright as the system before it has its scripts', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await elsewhere({ colorScheme }, async (page) => {
        await page.route('**/*.js', (route) => route.abort());
        await page.goto(setup.site.url);
        const colors = await page.evaluate(() => {
          const [page, text] = [document.body, document.querySelector('.waiting')!].map((element) =>
            getComputedStyle(element),
          );
          return [page!.backgroundColor, page!.color, text!.color];
        });
        const areLight = colors.map((color) => Number(/\d+/.exec(color)![0]) > 128);
        const isLight = colorScheme === 'light';
        expect(areLight).toEqual([isLight, !isLight, !isLight]);
      });
    }
  });

  it('shows what is chosen where the system sets the colours', async () => {
    await elsewhere({ forcedColors: 'active' }, async (page, open) => {
      await open('#map=arena&format=quake3');
      for (const name of ['Fly', 'Shoot']) {
        const button = page.getByRole('button', { name, pressed: false });
        const plain = await button.screenshot();
        // As the page sets it, and without the focus, which shows anyway.
        await button.evaluate((element) => element.setAttribute('aria-pressed', 'true'));
        const chosen = await page.getByRole('button', { name, pressed: true }).screenshot();
        expect(plain.equals(chosen)).toBe(false);
      }
    });
  });

  setup.saysNothing();
});
