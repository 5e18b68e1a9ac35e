import { existsSync } from 'node:fs';
import { compileMap, parseMap } from '@bspkit/compile';
import { arenaQuake3, fixtureText } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, dropAll } from './browser.ts';
import { setUpPage } from './page-setup.ts';
import { BOX } from './tools/tool-page.ts';

/** Shoot with a move of a box. */
const MOVE = `#map=arena&format=quake3&tool=shoot&state=${encodeURIComponent(JSON.stringify({ q: BOX }))}`;

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`the page on a phone (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true });

  /** Follows a link where the screen has that size. */
  const open = async (width: number, height: number, hash: string): Promise<void> => {
    await setup.resize(width, height);
    await setup.show(hash);
  };

  /** Sends touches at these places; each has the number of its place in the list. */
  const touches = async () => {
    const session = await setup.context.newCDPSession(setup.page);
    return (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...points: readonly (readonly [x: number, y: number, id?: number])[]
    ) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([x, y, id], k) => ({ x, y, id: id ?? k })),
      });
  };

  it('says how to look around, until somebody does', async () => {
    const { page } = setup;
    await setup.show('#map=arena&format=quake3&mode=walk');
    const hint = page.getByText('Drag to look around', { exact: true });
    await hint.waitFor();
    const send = await touches();
    await send('touchStart', [200, 300]);
    await send('touchMove', [240, 300]);
    await send('touchMove', [280, 300]);
    await send('touchEnd');
    await hint.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Orbit' }).tap();
    await page.getByRole('button', { name: 'Walk' }).tap();
    expect(await hint.isVisible()).toBe(false);
  });

  it('begins its help with fingers', async () => {
    const { page } = setup;
    await page.getByRole('button', { name: 'Keys and pointer (?)' }).tap();
    expect(await page.locator('.help h3').first().textContent()).toBe('Touch');
    expect(await page.locator('.help section').first().textContent()).toContain('Two fingers');
    const keys = await page.locator('.help dt').allTextContents();
    expect(keys).toContain('Tap');
    expect(keys).not.toContain('Click');
    await page.keyboard.press('Escape');
  });

  it('keeps stick and buttons apart, and in the view, with a tool open', async () => {
    const { page } = setup;
    await open(320, 568, '#map=arena&format=quake3&mode=walk&tool=shoot');
    await page.locator('.tool-outcome').waitFor();
    for (const [width, height] of [
      [320, 568],
      [568, 320],
    ] as const) {
      await setup.resize(width, height);
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

  it('does not take a finger that rests for a click while another one moves', async () => {
    const { page } = setup;
    await open(390, 700, '#map=arena&format=quake3&tool=shoot');
    const answer = page.locator('.tool-fields');
    await answer.waitFor();
    const before = await answer.textContent();
    const height = () => page.evaluate(() => window.bspkitPlayground!.view.position[2]);
    const from = await height();
    const send = await touches();
    await send('touchStart', [40, 90]);
    await send('touchStart', [40, 90], [100, 90]);
    for (const x of [140, 180, 220]) await send('touchMove', [40, 90], [x, 90]);
    await send('touchEnd', [40, 90]);
    await send('touchEnd');
    expect(await height()).toBeLessThan(from - 100);
    expect(await answer.textContent()).toBe(before);
    await page.touchscreen.tap(40, 90);
    expect(await answer.textContent()).not.toBe(before);
  });

  it('moves handles up and down', async () => {
    const { page } = setup;
    await open(390, 700, MOVE);
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
    const send = await touches();
    const [across, middle] = [x + width / 2, y + height / 2];
    await send('touchStart', [across, middle]);
    for (const by of [10, 25, 40]) await send('touchMove', [across, middle - by]);
    await send('touchEnd');
    await expect.poll(async () => (await place())[2]).toBeGreaterThan(from[2]! + 30);
    expect((await place()).slice(0, 2)).toEqual(from.slice(0, 2));
    // The address follows soon after: until it does, the same link leads nowhere.
    await expect.poll(() => new URL(page.url()).hash).not.toBe(MOVE);
  });

  it('moves a handle by the finger that took it alone', async () => {
    const { page } = setup;
    await open(390, 700, MOVE);
    const handle = page.getByRole('button', { name: /^Start of the move/ });
    const place = () => handle.getAttribute('aria-label');
    const { x, y, width, height } = (await handle.boundingBox())!;
    const [first, second] = [
      [x + width / 2 - 8, y + height / 2],
      [x + width / 2 + 8, y + height / 2],
    ] as const;
    const send = await touches();
    await send('touchStart', first);
    await send('touchStart', first, second);
    const before = await place();
    await send('touchMove', first, [second[0] + 60, second[1] + 30]);
    expect(await place()).toBe(before);
    await send('touchMove', [first[0] + 60, first[1] + 30], [second[0] + 60, second[1] + 30]);
    await expect.poll(place).not.toBe(before);
    await send('touchEnd');
  });

  it('has all tools in a row where it is upright, and all games of a map', async () => {
    const { page } = setup;
    const rows = (selector: string): Promise<number> =>
      page.locator(selector).evaluateAll((all) => {
        const tops = all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top);
        return new Set(tops).size;
      });
    // The game that has most tools.
    for (const width of [320, 360]) {
      await open(width, 740, '#map=house&format=ufoai');
      expect(await rows('.tool')).toBe(1);
    }
    await page.getByRole('button', { name: /^Map:/ }).tap();
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
  });

  it('says what a tool is for, and what it answers in one line', async () => {
    const { page } = setup;
    await open(360, 740, '#map=arena&format=quake3');
    const height = (): Promise<number> => page.locator('footer').evaluate((line) => line.clientHeight);
    const before = await height();
    await page.getByRole('button', { name: 'Shoot' }).tap();
    await page.locator('footer').getByText('Stopped after 515.83 of 640.16 units').waitFor();
    expect(await height()).toBe(before);
    expect(await page.getByText('Click in the view to shoot from the eye').isVisible()).toBe(true);
  });

  it('has all of a message in reach where the view is low', async () => {
    const { page } = setup;
    await open(320, 568, '#map=arena&format=quake3&tool=shoot');
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

  it('has room for the view and for all tools where it is on its side', async () => {
    const { page } = setup;
    // The game that has most tools.
    await open(667, 375, '#map=house&format=ufoai&tool=shoot');
    await page.locator('.tool-outcome').waitFor();
    for (const [width, height] of [
      [667, 375],
      [844, 390],
    ] as const) {
      await setup.resize(width, height);
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

  it('flies as long as a finger rests on the stick', async () => {
    const { page } = setup;
    await open(320, 420, '#map=arena&format=quake3&mode=fly');
    const eye = () => page.evaluate(() => window.bspkitPlayground!.view.position);
    const from = await eye();
    const send = await touches();
    const { x, y, width, height } = (await page.locator('.stick-base').boundingBox())!;
    await send('touchStart', [x + width / 2, y + 0.2 * height]);
    // A frame after a rest counts as a sixtieth of a second: 8 units.
    await expect
      .poll(async () => Math.hypot(...(await eye()).map((at, k) => at - from[k]!)))
      .toBeGreaterThan(64);
    await send('touchEnd');
  });

  it('flies down as long as a button is held', async () => {
    const { page } = setup;
    await open(320, 420, '#map=arena&format=quake3&mode=fly');
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

  it('keeps the stick for the first finger on it, until that one is lifted', async () => {
    const { page } = setup;
    await open(320, 420, '#map=arena&format=quake3&mode=fly');
    await page.evaluate(() => window.bspkitPlayground!.freeze());
    const send = await touches();
    const { x, y, width, height } = (await page.locator('.stick-base').boundingBox())!;
    const points = [-0.3, 0.2].map((down, id) => [x + width / 2, y + height * (0.5 + down), id] as const);
    const knob = () => page.locator('.stick-knob').evaluate(({ style }) => style.translate);
    await page.evaluate(() => {
      const base = document.querySelector('.stick-base')!;
      base.addEventListener('pointerup', () => base.setAttribute('data-lifted', ''));
    });
    await send('touchStart', points[0]!);
    await expect.poll(knob).not.toBe('');
    const held = await knob();
    await send('touchStart', ...points);
    await send('touchEnd', points[1]!);
    await page.locator('.stick-base[data-lifted]').waitFor();
    expect(await knob()).toBe(held);
    await send('touchEnd');
    await expect.poll(knob).toBe('0rem');
  });

  it('crouches by a tap, with a thumb on the stick, until the next tap or jump', async () => {
    const { page } = setup;
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
      await open(320, 420, `#map=arena&format=${format}&mode=walk`);
      await page.evaluate(() => window.bspkitPlayground!.freeze());
      const [x, y, standing] = await advance(1);
      const send = await touches();
      const middle = async (selector: string, id: number) => {
        const box = (await page.locator(selector).boundingBox())!;
        return [box.x + box.width / 2, box.y + box.height / 2 - (id === 0 ? 40 : 0), id] as const;
      };
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
      await expect.poll(() => page.locator('.status-state').textContent()).toMatch(/crouched$/);
      await crouch.tap();
      expect(await crouches()).toBe('false');
      expect((await advance(0.5))[2]).toBeCloseTo(standing!, 1);
      await crouch.press('Enter');
      expect(await crouches()).toBe('true');
      await page.getByRole('button', { name: 'Jump' }).tap();
      expect(await crouches()).toBe('false');
    }
    // In Quake nobody crouches.
    await open(320, 420, '#map=arena&format=quake1&mode=walk');
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

  setup.saysNothing();
});
