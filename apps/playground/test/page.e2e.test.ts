import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { boxBrush, compileMap } from '@bspkit/compile';
import { arenaQuake2 } from '@bspkit/fixtures';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../src/tools/index.ts';
import { AS_IT_IS, CHROMIUM, DIST, drop, goTo, newUser, noticeOf, openPage } from './browser.ts';
import { setUpPage } from './page-setup.ts';

const OUTPUT = fileURLToPath(new URL('../test-output/', import.meta.url));

/** What the page may load until the arena is drawn, packed by brotli, in bytes. Formats and tools come when they are used. */
const FIRST_LOAD = 267_100;

/** Packed soon rather than well: a tenth more than servers make of it. */
const packedSize = (bytes: Uint8Array): number =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;

/** How the canvas looks: how many of its pixels are of the map, and how many different colours there are. */
const look = (page: Page): Promise<{ colors: number; deviation: number }> =>
  page.evaluate(() => {
    window.bspkitPlayground!.measure(1);
    const picture = new OffscreenCanvas(160, 100).getContext('2d')!;
    picture.drawImage(document.querySelector('canvas')!, 0, 0, 160, 100);
    const { data } = picture.getImageData(0, 0, 160, 100);
    const colors = new Set<number>();
    let [sum, squares] = [0, 0];
    for (let k = 0; k < data.length; k += 4) {
      const brightness = (data[k]! + data[k + 1]! + data[k + 2]!) / 3;
      sum += brightness;
      squares += brightness * brightness;
      colors.add(((data[k]! >> 3) << 10) | ((data[k + 1]! >> 3) << 5) | (data[k + 2]! >> 3));
    }
    const count = data.length / 4;
    return { colors: colors.size, deviation: Math.sqrt(squares / count - (sum / count) ** 2) };
  });

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`the page in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ serviceWorkers: 'allow' });

  it('opens with the arena drawn', async () => {
    mkdirSync(OUTPUT, { recursive: true });
    await setup.page.screenshot({ ...AS_IT_IS, path: `${OUTPUT}/arena.png` });
    expect(await setup.map()).toMatchObject({ name: 'arena', format: 'quake3' });
    const { colors, deviation } = await look(setup.page);
    // A gradient alone has some 40 colours and deviates by 10.
    expect(colors).toBeGreaterThan(150);
    expect(deviation).toBeGreaterThan(20);
  });

  it('loads no more than it needs for that', () => {
    const files = [...setup.loaded].map((path) => (path === '/' ? 'index.html' : path));
    expect(files.some((path) => path.includes('worker'))).toBe(true);
    const sizes = files.map((path) => packedSize(readFileSync(join(DIST, path))));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD);
  });

  it('has a name for every control', async () => {
    const nameless = await setup.page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, textarea, canvas, dialog, aside')]
        .filter((element) => {
          const labels = (element as HTMLInputElement).labels?.length ?? 0;
          const by = element.getAttribute('aria-labelledby');
          const text = element instanceof HTMLButtonElement ? element.textContent : '';
          return !(
            element.getAttribute('aria-label') ||
            labels ||
            text ||
            (by && document.getElementById(by))
          );
        })
        .map((element) => element.outerHTML),
    );
    expect(nameless).toEqual([]);
  });

  it('shows the keys on ?, and closes them on Escape', async () => {
    await setup.page.keyboard.press('?');
    const dialog = setup.page.getByRole('dialog', { name: 'Keys and pointer' });
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain(`1 … ${TOOLS.length}open the tools`);
    // Buttons of the mouse are no keys.
    expect(await dialog.locator('kbd', { hasText: /^(Left|Right)$/ }).count()).toBe(0);
    await setup.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // What had the focus in it may have it until the next frame; keys are for the view by then.
    const isTaken = await setup.page.evaluate(() => {
      const press = (type: string): boolean => {
        const event = new KeyboardEvent(type, { code: 'KeyW', bubbles: true, cancelable: true });
        return !document.querySelector('dialog button')!.dispatchEvent(event);
      };
      const isDown = press('keydown');
      press('keyup');
      return isDown;
    });
    expect(isTaken).toBe(true);
  });

  it('draws again when the browser gives the graphics card back', async () => {
    const other = await newUser(setup.browser);
    const lossy = (await openPage(other)).page;
    await goTo(lossy, setup.site.url);
    await lossy.evaluate(() => {
      const extension = document
        .querySelector('canvas')!
        .getContext('webgl2')!
        .getExtension('WEBGL_lose_context')!;
      Object.assign(window, { restore: () => extension.restoreContext() });
      extension.loseContext();
    });
    expect(await noticeOf(lossy)).toContain('The view was lost');
    const before = await lossy.locator('canvas').screenshot(AS_IT_IS);
    // Another map is not to be seen either.
    await drop(lossy, 'other.bsp', arenaQuake2());
    await lossy.waitForFunction(() => window.bspkitPlayground!.map?.name === 'other.bsp');
    expect(await noticeOf(lossy)).toContain('The view was lost');
    await lossy.evaluate('restore()');
    await lossy.getByRole('alert').waitFor({ state: 'hidden' });
    // Nobody moves.
    await expect
      .poll(async () => (await lossy.locator('canvas').screenshot(AS_IT_IS)).length)
      .toBeGreaterThan(2 * before.length);
    await other.close();
  });

  it('says what it needs where nothing can be drawn', async () => {
    const other = await newUser(setup.browser);
    await other.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    const { page } = await openPage(other);
    await page.goto(setup.site.url);
    expect(await noticeOf(page)).toMatch(/needs WebGL 2.*Hardware acceleration may be off/);
    await other.close();
  });

  it('is quiet where it may not keep anything', async () => {
    const context = await newUser(setup.browser, { serviceWorkers: 'allow' });
    const { page, said } = await openPage(context);
    await page.addInitScript(() => {
      const forbid = (): never => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      };
      Object.defineProperty(window, 'localStorage', { get: forbid });
      ServiceWorkerContainer.prototype.register = async () => {
        performance.mark('asked');
        return forbid();
      };
    });
    await goTo(page, setup.site.url);
    await page.keyboard.press('n');
    await page.waitForFunction(() => performance.getEntriesByName('asked').length > 0);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(said).toEqual([]);
    await context.close();
  });

  it('closes a menu when the focus leaves it', async () => {
    for (const [name, id] of [
      [/^Map:/, 'map-menu'],
      ['View options', 'view-menu'],
    ] as const) {
      const button = setup.page.getByRole('button', { name });
      const menu = setup.page.locator(`#${id}`);
      await button.press('Enter');
      await setup.page.keyboard.press('Tab');
      expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      // Its button does not close it, and then open it again.
      await button.click();
      await menu.waitFor({ state: 'hidden' });
      await button.press('Enter');
      await menu.waitFor();
      for (let k = 0; k < 30 && (await menu.isVisible()); k++) await setup.page.keyboard.press('Tab');
      expect(await menu.isVisible()).toBe(false);
    }
  });

  it('says what colours mean', async () => {
    const { page } = setup;
    await page.getByRole('button', { name: 'View options' }).click();
    const meant = page.locator('#view-menu li');
    expect(await meant.count()).toBe(0);
    await page.getByRole('radio', { name: 'Contents' }).check();
    expect(await meant.allTextContents()).toEqual(expect.arrayContaining(['solid', 'water']));
    await page.getByRole('radio', { name: 'Texture' }).check();
    expect(await page.getByRole('checkbox', { name: 'Lightmaps (none in this map)' }).isDisabled()).toBe(
      true,
    );
    await page.keyboard.press('Escape');
  });

  it('sees all of the map in whatever room there is, unless somebody moved the eye', async () => {
    const position = () => setup.page.evaluate(() => window.bspkitPlayground!.view.position);
    await setup.follow('#map=arena&format=quake3');
    // Once the link is followed, the page writes where the eye is.
    await expect.poll(() => setup.page.evaluate(() => window.bspkitPlayground!.link())).toContain('view=');
    const before = await position();
    // High and narrow: from farther away it is seen all the same.
    await setup.page.setViewportSize({ width: 360, height: 640 });
    await expect.poll(async () => (await position())[2]).toBeGreaterThan(before[2] + 100);
    await setup.page.setViewportSize({ width: 800, height: 500 });
    await expect.poll(position).toEqual(before);
    // A panel takes some of the room, too.
    const shoot = setup.page.getByRole('button', { name: 'Shoot' });
    await shoot.click();
    await expect.poll(position).not.toEqual(before);
    await shoot.click();
    await expect.poll(position).toEqual(before);
    await setup.page.evaluate(() =>
      window.bspkitPlayground!.setView({ position: [1, 2, 900], yaw: 5, pitch: 6 }),
    );
    await shoot.click();
    await setup.page.locator('.tool-outcome').waitFor();
    await shoot.click();
    expect(await position()).toEqual([1, 2, 900]);
  });

  it('is as sharp as the screen that its window comes to', async () => {
    const { page } = setup;
    const { width, height } = page.viewportSize()!;
    // The view keeps its size, as on another screen. Only with that of the window does Chromium say here that there is one.
    const view = page.locator('.view');
    await view.evaluate((element: HTMLElement) => {
      element.style.cssText = 'height: 300px; align-self: start';
    });
    const size = () =>
      view.locator('canvas').evaluate((canvas) => {
        const { width, clientWidth, height, clientHeight } = canvas as HTMLCanvasElement;
        return [width / clientWidth, height / clientHeight].map((ratio) => Math.round(10 * ratio) / 10);
      });
    await expect.poll(size).toEqual([0.5, 0.5]);
    const client = await setup.context.newCDPSession(page);
    for (const ratio of [2, 1.5, 1]) {
      for (const high of [height - 1, height]) {
        const metrics = { width, height: high, deviceScaleFactor: ratio, mobile: false };
        await client.send('Emulation.setDeviceMetricsOverride', metrics);
      }
      await expect.poll(size).toEqual([ratio, ratio]);
    }
    await client.detach();
    await view.evaluate((element) => element.removeAttribute('style'));
  });

  it('names map and game on a narrow screen, too', async () => {
    await setup.page.setViewportSize({ width: 360, height: 640 });
    const button = setup.page.getByRole('button', { name: /^Map:/ });
    expect(await button.locator('.map-format').isVisible()).toBe(true);
    expect(await button.locator('.icon').last().isVisible()).toBe(true);
    const bar = await setup.page
      .locator('.bar')
      .evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(bar[0]).toBeLessThanOrEqual(bar[1]!);
    await setup.page.screenshot({ ...AS_IT_IS, path: `${OUTPUT}/narrow.png` });
    await setup.page.setViewportSize({ width: 800, height: 500 });
  });

  it('names its menus and leads to the guides where there is room for that', async () => {
    const words = setup.page.locator('.guides, .bar .icon-button span').filter({ visible: true });
    for (const [width, expected] of [
      [1280, ['Guides', 'View', 'Link']],
      [800, ['Guides']],
      [390, []],
    ] as const) {
      await setup.page.setViewportSize({ width, height: 500 });
      expect(await words.allTextContents(), String(width)).toEqual(expected);
      const bar = await setup.page.locator('.bar').evaluate((box) => box.scrollWidth - box.clientWidth);
      expect(bar, String(width)).toBe(0);
    }
    await setup.page.setViewportSize({ width: 800, height: 500 });
  });

  it('leaves the keys to the view after a click with the mouse', async () => {
    await setup.follow('#map=arena&format=quake3&mode=walk');
    await setup.page.waitForFunction(() => window.bspkitPlayground!.mode === 'walk');
    const shoot = setup.page.getByRole('button', { name: 'Shoot' });
    await shoot.click();
    await setup.page.keyboard.press(' ');
    expect(await shoot.getAttribute('aria-pressed')).toBe('true');
    await setup.page.getByRole('button', { name: 'Close tool' }).click();
    await setup.page.keyboard.press(' ');
    expect(await shoot.getAttribute('aria-pressed')).toBe('false');
    // Who pressed it with a key can press it again.
    await shoot.press(' ');
    await setup.page.keyboard.press(' ');
    expect(await shoot.getAttribute('aria-pressed')).toBe('false');
  });

  it('shows the mode in use in its own colours under the pointer, too', async () => {
    const colorOf = (name: string): Promise<string> =>
      setup.page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).color);
    await setup.page.mouse.move(400, 300);
    await expect.poll(() => colorOf('Walk')).not.toBe(await colorOf('Fly'));
    const color = await colorOf('Walk');
    await setup.page.getByRole('button', { name: 'Walk' }).hover();
    expect(await colorOf('Walk')).toBe(color);
  });

  it('leaves the mouse alone while a tool is open, even where that is on its way', async () => {
    const context = await newUser(setup.browser);
    const { page } = await openPage(context);
    await goTo(page, `${setup.site.url}#map=arena&format=quake3&mode=fly`);
    let load = (): void => {};
    const held = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route('**/assets/*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Shoot' }).click();
    await page.evaluate(() => {
      HTMLCanvasElement.prototype.requestPointerLock = async function () {
        this.dataset.captured = 'yes';
      };
    });
    const captured = () => page.locator('.view canvas[data-captured]').count();
    await page.mouse.click(400, 300);
    expect(await captured()).toBe(0);
    load();
    await page.locator('.tool-outcome').waitFor();
    await page.getByRole('button', { name: 'Close tool' }).click();
    await page.mouse.click(400, 300);
    expect(await captured()).toBe(1);
    await context.close();
  });

  it('captures the mouse by two clicks, the second while the browser is asked, and lets go of it when a reset leads back to orbit', async () => {
    const { page } = setup;
    const isCaptured = (is: boolean) =>
      page.waitForFunction((so) => (document.pointerLockElement !== null) === so, is);
    await setup.follow('#map=arena&format=quake3&mode=fly');
    await page.waitForFunction(() => window.bspkitPlayground!.mode === 'fly');
    // An error that this throws is on the console, where the last test of this file finds it.
    await page.mouse.dblclick(400, 300);
    await isCaptured(true);
    await page.keyboard.press('r');
    expect(await page.evaluate(() => window.bspkitPlayground!.mode)).toBe('orbit');
    await isCaptured(false);
  });

  it('takes the mouse only where it turns the view, and gives it back to those who read', async () => {
    const { page } = setup;
    await setup.follow('#map=arena&format=quake3&mode=orbit');
    await page.waitForFunction(() => window.bspkitPlayground!.mode === 'orbit');
    const captured = (is: boolean) =>
      page.waitForFunction((so) => (document.pointerLockElement !== null) === so, is);
    await page.keyboard.press('l');
    await page.getByRole('status').getByText('only captured in fly and walk').waitFor();
    await page.keyboard.press('m');
    await page.keyboard.press('l');
    await captured(true);
    await page.keyboard.press('?');
    await captured(false);
    await page.getByRole('dialog', { name: 'Keys and pointer' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
  });

  it('says so where there is no ground to walk on', async () => {
    const { page } = setup;
    const fog = boxBrush([-64, -64, 0], [64, 64, 512], { material: 'common/fog' });
    const source = { entities: [{ properties: { classname: 'worldspawn' }, brushes: [fog] }] };
    await drop(page, 'fog.bsp', compileMap(source, { format: 'quake3' }).bytes);
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'fog.bsp');
    const said = page.getByRole('status').getByText('Nobody can walk in this map.');
    const isOrbit = async (): Promise<void> => {
      await said.waitFor();
      expect(await page.evaluate(() => window.bspkitPlayground!.mode)).toBe('orbit');
      expect(await page.getByRole('button', { pressed: true }).allTextContents()).toEqual(['Orbit']);
    };
    await page.getByRole('button', { name: 'Walk' }).click();
    await isOrbit();
    // Who flies may fall, but not for good.
    await setup.follow('#file=fog.bsp&mode=fly&view=60,60,600,0,0');
    await page.waitForFunction(() => window.bspkitPlayground!.mode === 'fly');
    await page.keyboard.press('x');
    await said.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Walk' }).click();
    await page.evaluate(() => window.bspkitPlayground!.advance(10));
    await isOrbit();
  });

  it('opens without a network, once it has been there', async () => {
    await setup.page.evaluate(() => navigator.serviceWorker.ready);
    await setup.context.setOffline(true);
    await setup.site.close();
    await goTo(setup.page, `${setup.site.url}?again#map=torture&format=quake3`);
    expect(await setup.map()).toMatchObject({ name: 'torture', format: 'quake3' });
    expect((await look(setup.page)).colors).toBeGreaterThan(50);
  });

  setup.saysNothing();
});
