import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { boxBrush, formatMap } from '@bspkit/compile';
import { type BspWorld, entityModel, entityVector } from '@bspkit/core';
import { arenaQuake1, arenaQuake2, arenaQuake3, fixtureText } from '@bspkit/fixtures';
import {
  createQuake2Mover,
  createQuake2State,
  createQuake3Mover,
  createQuake3State,
  createQuakeWorldMover,
  createQuakeWorldState,
  type Quake2Command,
  type Quake3Command,
  type QuakeWorldCommand,
} from '@bspkit/movement';
import { createQuake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { createScene } from '@bspkit/scene';
import { writePak } from '@bspkit/testkit/pak';
import { gzipSync, strToU8, zipSync } from 'fflate';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../src/tools/index.ts';
import {
  CHROMIUM,
  DIST,
  drop,
  dropAll,
  goTo,
  launch,
  noticeOf,
  openPage,
  type Site,
  serve,
} from './browser.ts';
import { bakeCells } from './tools/bakes.ts';
import { openFixture } from './tools/maps.ts';

const OUTPUT = fileURLToPath(new URL('../test-output/', import.meta.url));

const hasBrowser = existsSync(CHROMIUM);

/** What the page may load until the arena is drawn, packed by brotli, in bytes. Formats and tools come when they are used. */
const FIRST_LOAD = 250_000;

/** Packed soon rather than well: a tenth more than servers make of it. */
const packedSize = (bytes: Uint8Array): number =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;

const mapOf = (page: Page) => page.evaluate(() => window.bspkitPlayground!.map);

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
describe.runIf(hasBrowser)(`the page in a browser (${CHROMIUM})`, () => {
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let said: string[];
  /** Paths of what was loaded until the arena was drawn. */
  const loaded = new Set<string>();

  beforeAll(async () => {
    [site, browser] = await Promise.all([serve(), launch()]);
    context = await browser.newContext({ viewport: { width: 800, height: 500 }, colorScheme: 'dark' });
    ({ page, said } = await openPage(context));
    const note = (request: Request): void => {
      if (!request.serviceWorker()) loaded.add(new URL(request.url()).pathname);
    };
    page.on('request', note);
    await goTo(page, site.url);
    page.off('request', note);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it('opens with the arena drawn', async () => {
    mkdirSync(OUTPUT, { recursive: true });
    await page.screenshot({ path: `${OUTPUT}/arena.png` });
    expect(await mapOf(page)).toMatchObject({ name: 'arena', format: 'quake3' });
    const { colors, deviation } = await look(page);
    // A gradient alone has some 40 colours and deviates by 10.
    expect(colors).toBeGreaterThan(150);
    expect(deviation).toBeGreaterThan(20);
  });

  it('loads no more than it needs for that', () => {
    const files = [...loaded].map((path) => (path === '/' ? 'index.html' : path));
    expect(files.some((path) => path.includes('worker'))).toBe(true);
    const sizes = files.map((path) => packedSize(readFileSync(join(DIST, path))));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD);
  });

  it('has a name for every control', async () => {
    const nameless = await page.evaluate(() =>
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
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys and pointer' });
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain(`1 … ${TOOLS.length}open the tools`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // What had the focus in it may have it until the next frame; keys are for the view by then.
    const isTaken = await page.evaluate(() => {
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

  describe('walking 5 seconds along a wall', () => {
    // Towards a wall at an angle, with a jump: keys as a player presses them, time by the clock of the test.
    const walk = async () => {
      await page.evaluate(() => {
        const hook = window.bspkitPlayground!;
        hook.freeze();
        hook.setView({ position: [-256, 0, 60], yaw: 160, pitch: 5 });
        hook.setMode('walk');
        hook.record(true);
      });
      const start = await page.evaluate(() => window.bspkitPlayground!.walker!.origin);
      await page.keyboard.down('w');
      await page.evaluate(() => window.bspkitPlayground!.advance(2));
      await page.keyboard.down(' ');
      await page.evaluate(() => window.bspkitPlayground!.advance(0.5));
      await page.keyboard.up(' ');
      await page.keyboard.down('d');
      await page.evaluate(() => window.bspkitPlayground!.advance(2.5));
      await page.keyboard.up('d');
      await page.keyboard.up('w');
      const end = await page.evaluate(() => {
        const hook = window.bspkitPlayground!;
        const commands = hook.record(false);
        hook.record(false);
        return { ...hook.walker!, commands };
      });
      return { start, ...end };
    };
    // The arena's lift and doors, and where they stand.
    const movers = (world: BspWorld) =>
      world.entities().flatMap((entity) => {
        const model = entityModel(entity);
        return model === undefined ? [] : [[model, entityVector(entity, 'origin') ?? [0, 0, 0]] as const];
      });
    const far = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, k) => x - b[k]!));

    it('ends in Quake 3 where Node ends with the same commands, bit for bit', async () => {
      await page.evaluate(() => window.bspkitPlayground!.setMode('fly'));
      const { start, origin, velocity, commands, name } = await walk();
      expect(name).toBe('Quake 3 movement');
      expect(commands).toHaveLength(625);
      const world = createQuake3World(readQuake3(arenaQuake3()));
      const scene = createScene(world, { rules: 'quake3' });
      for (const [model, origin] of movers(world)) scene.add(world.model(model), { origin });
      const mover = createQuake3Mover({ trace: scene, contents: world });
      const state = createQuake3State();
      state.origin.set(start);
      state.commandTime = (commands[0] as Quake3Command).serverTime - 8;
      for (const command of commands) mover.move(state, command as Quake3Command);
      expect([...state.origin]).toEqual(origin);
      expect([...state.velocity]).toEqual(velocity);
      expect(far(start, origin)).toBeGreaterThan(200);
    });

    /** The same place in another game. */
    const changeGame = async (format: string): Promise<void> => {
      await page.evaluate(() => window.bspkitPlayground!.setMode('fly'));
      const view = await page.evaluate(() => window.bspkitPlayground!.view);
      await page.getByRole('button', { name: /^Map:/ }).click();
      await page.locator(`[data-map=arena][data-format=${format}]`).click();
      await page.waitForFunction((id) => window.bspkitPlayground!.map?.format === id, format);
      // The space bar jumps then; it does not open the menu again.
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('CANVAS');
      expect(await page.evaluate(() => window.bspkitPlayground!.view)).toEqual(view);
    };

    it('ends in Quake 2 where Node ends with the same commands, bit for bit', async () => {
      await changeGame('quake2');
      const { start, origin, velocity, commands, name } = await walk();
      expect(name).toBe('Quake 2 movement');
      const world = createQuake2World(readQuake2(arenaQuake2()));
      const scene = createScene(world, { rules: 'quake2' });
      for (const [model, origin] of movers(world)) scene.add(world.model(model), { origin });
      const mover = createQuake2Mover({ trace: scene, contents: world });
      const state = createQuake2State();
      state.origin.set(start.map((x) => 8 * x));
      state.snapInitial = 1;
      for (const command of commands) mover.move(state, command as Quake2Command);
      expect([...state.origin].map((x) => x / 8)).toEqual(origin);
      expect([...state.velocity].map((x) => x / 8)).toEqual(velocity);
      expect(far(start, origin)).toBeGreaterThan(200);
    });

    it('ends in Quake where Node ends with the same commands, bit for bit', async () => {
      await changeGame('quake1');
      const { start, origin, velocity, commands } = await walk();
      const world = createQuake1World(readQuake1(arenaQuake1()));
      const mover = createQuakeWorldMover(world);
      for (const [model, origin] of movers(world)) mover.add(world.model(model), origin);
      const state = createQuakeWorldState();
      state.origin.set(start);
      for (const command of commands) mover.move(state, command as QuakeWorldCommand);
      expect([...state.origin]).toEqual(origin);
      expect([...state.velocity]).toEqual(velocity);
      expect(far(start, origin)).toBeGreaterThan(200);
    });
  });

  it('says what is wrong with files, and keeps the map', async () => {
    const arena = arenaQuake3();
    const files: readonly (readonly [string, Uint8Array, RegExp])[] = [
      ['cut.bsp', arena.subarray(0, 5000), /cut\.bsp could not be opened.*the file has 5000 bytes/],
      ['empty.bsp', new Uint8Array(0), /the file is empty/i],
      [
        'photo.png',
        Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
        /photo\.png could not be opened.*bspkit reads/,
      ],
      ['other.map', strToU8('{\n"classname" "worldspawn"\n{\n( 0 0 0 )\n'), /line \d/i],
      ['sounds.pk3', zipSync({ 'sound/a.wav': new Uint8Array(9) }), /contains no \.bsp or \.map/],
      ['half.pk3', zipSync({ 'maps/a.bsp': arena }).subarray(0, 900), /damaged or cut off/],
      [
        'scripts.pk3',
        zipSync({
          'maps/a.map': strToU8('{}'),
          'scripts/a.shader': new Uint8Array(2 ** 25),
          'scripts/b.shader': new Uint8Array(2 ** 25 + 1),
        }),
        /its shader scripts unpack to more than 64 MB/i,
      ],
      ['bad.bsp.gz', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3), /damaged or cut off/],
    ];
    const before = await mapOf(page);
    for (const [name, bytes, reason] of files) {
      await drop(page, name, bytes);
      expect(await noticeOf(page), name).toMatch(reason);
      await page.getByRole('button', { name: 'Close message' }).click();
    }
    expect(await mapOf(page)).toEqual(before);
  });

  it('asks which map of an archive is meant', async () => {
    const readme = strToU8('no map');
    const archive = zipSync({
      'readme.txt': readme,
      'maps/one.bsp': arenaQuake1(),
      'maps/two.bsp': arenaQuake3(),
    });
    await drop(page, 'pack.pk3', archive);
    const chooser = page.getByRole('dialog', { name: '2 maps in pack.pk3' });
    await chooser.waitFor();
    expect(await page.evaluate(() => document.activeElement!.textContent)).toMatch(/^one\.bsp/);
    await page.keyboard.press('Escape');
    await chooser.waitFor({ state: 'detached' });
    await page.waitForFunction(() =>
      /: .* triangles\.$/.test(document.querySelector('.status-said')!.textContent!),
    );
    await drop(page, 'pack.pk3', archive);
    await chooser.getByRole('button', { name: /two/ }).click();
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'two.bsp');
    expect(await mapOf(page)).toMatchObject({ format: 'quake3' });
    expect(await page.evaluate(() => window.bspkitPlayground!.link())).toMatch(/^#file=two\.bsp&/);
  });

  it('asks which of several files is meant', async () => {
    const before = await mapOf(page);
    const files = { 'first.bsp': arenaQuake1(), 'second.bsp': arenaQuake3() };
    const chooser = page.getByRole('dialog', { name: 'Which of these 2 files?' });
    await dropAll(page, files);
    await chooser.getByRole('button', { name: 'Cancel' }).click();
    await chooser.waitFor({ state: 'detached' });
    expect(await mapOf(page)).toEqual(before);
    await dropAll(page, files);
    await chooser.getByRole('button', { name: /second/ }).click();
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'second.bsp');
    expect(await mapOf(page)).toMatchObject({ format: 'quake3' });
  });

  it('leaves out what cannot be opened, and says so', async () => {
    await dropAll(page, {
      'photo.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
      nameless: arenaQuake1(),
      'notes.txt': strToU8('no map'),
    });
    expect(await noticeOf(page)).toMatch(/^Left out: photo\.png, notes\.txt.*None of them is a map/);
    expect(await mapOf(page)).toMatchObject({ name: 'nameless', format: 'quake1' });
    await dropAll(page, { 'photo.png': strToU8('a'), 'notes.txt': strToU8('b') });
    await page.getByText('2 files could not be opened', { exact: true }).waitFor();
    expect(await noticeOf(page)).toContain('None of them is a map');
    await page.getByRole('button', { name: 'Close message' }).click();
  });

  it('opens a map together with its bake', async () => {
    const arena = await openFixture('arena', 'quake3');
    const bake = await bakeCells(arena, 'exposure');
    await dropAll(page, { 'a.bake': bake, 'b.bake': bake, 'baked.bsp': arena.bytes });
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'baked.bsp');
    await page.getByText('Where players are seen most', { exact: true }).waitFor();
    expect(await noticeOf(page)).toMatch(/^Left out: b\.bake.*One bake is shown at a time/);
    await page.getByRole('button', { name: 'Close message' }).click();
    await page.getByRole('button', { name: 'Close tool' }).click();
  });

  it('reads what materials of a text are from the shader scripts beside it', async () => {
    const text = strToU8(fixtureText('arena'));
    const script = strToU8('textures/arena/floor\n{\n  surfaceparm nodraw\n}\n');
    await page.evaluate(() => {
      location.hash = '#map=arena&format=quake3';
    });
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'arena');
    const trianglesOf = async (
      name: string,
      files: Readonly<Record<string, Uint8Array>>,
    ): Promise<number> => {
      await dropAll(page, files);
      await page.waitForFunction((to) => window.bspkitPlayground!.map?.name === to, name);
      return page.evaluate(() => window.bspkitPlayground!.map!.triangles);
    };
    const plain = await trianglesOf('plain.map', { 'plain.map': text });
    const beside = await trianglesOf('beside.map', { 'walls.shader': script, 'beside.map': text });
    expect(beside).toBeLessThan(plain);
    const archive = zipSync({ 'scripts/walls.shader': script, 'maps/inside.map': text });
    expect(await trianglesOf('inside.map', { 'source.pk3': archive })).toBe(beside);
    // Changed text is compiled with them too.
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Text of the map' });
    await editor.fill(`${fixtureText('arena')}\n{\n"classname" "light"\n"origin" "0 0 99"\n}\n`);
    await page.getByRole('status').getByText('Compiled').waitFor();
    expect(await page.evaluate(() => window.bspkitPlayground!.map!.triangles)).toBe(beside);
    await page.getByRole('button', { name: 'Close tool' }).click();
    await drop(page, 'walls.shader', script);
    expect(await noticeOf(page)).toContain('Drop it together with the .map');
    await page.getByRole('button', { name: 'Close message' }).click();
    await dropAll(page, { 'open.map': text, 'broken.shader': strToU8('a {\n{\n') });
    expect(await noticeOf(page)).toMatch(/^open\.map could not be opened.*In broken\.shader, line \d/);
    await page.getByRole('button', { name: 'Close message' }).click();
  });

  it('opens what a link says, and writes it again', async () => {
    const hash =
      '#map=house&format=ufoai&mode=fly&view=100,-200,96.5,30,12&color=contents&show=hidden&cut=128';
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    await page.waitForFunction(() => window.bspkitPlayground!.mode === 'fly');
    expect(await page.evaluate(() => window.bspkitPlayground!.link())).toBe(hash);
    await page.screenshot({ path: `${OUTPUT}/house.png` });
  });

  /** Goes to another link on the same page, as one pasted into the address bar. */
  const follow = (hash: string): Promise<void> =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);

  it('opens a link as a new page does, whatever was set before', async () => {
    await follow('#map=arena&format=quake3&mode=walk&color=slope&show=sky&cut=all&tool=shoot');
    await page.waitForFunction(() => window.bspkitPlayground!.tool === 'shoot');
    const plain = '#map=arena&format=quake3&mode=orbit&view=-900,-1800,2200,56,44';
    await follow(plain);
    await page.waitForFunction(() => window.bspkitPlayground!.mode === 'orbit');
    expect(await page.evaluate(() => window.bspkitPlayground!.link())).toBe(plain);
    // What the address said before is followed again.
    await page.goBack();
    // A tool is open before it has loaded its part of the link.
    await expect
      .poll(() => page.evaluate(() => window.bspkitPlayground!.link()))
      .toMatch(/mode=walk&.*&color=slope&show=sky&cut=all&tool=shoot&/);
  });

  it('takes back what it said of a link when the next one is followed', async () => {
    await follow(`#map=arena&format=quake3&lines=${encodeURIComponent('[[8,"( broken"]]')}`);
    expect(await noticeOf(page)).toContain('The changes in this link do not compile');
    await follow('#map=arena&format=quake3');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await follow(`#map=arena&format=quake3&lines=${encodeURIComponent('[[99999,""]]')}`);
    expect(await noticeOf(page)).toContain('It changes lines that the map does not have');
    await follow('#map=arena&format=quake3');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  it('survives links that no page wrote', async () => {
    await follow(`#map=arena&format=quake1&tool=hulls&state=${encodeURIComponent('{"hull":1.5}')}`);
    await page
      .getByRole('status')
      .getByText(/\d faces: the map grown by the box/)
      .waitFor();
    await page.getByRole('button', { name: 'Close tool' }).click();
  });

  it('writes and reads for which game a text was compiled', async () => {
    await follow('#map=arena&format=quake2');
    await page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'quake2');
    const text = strToU8(fixtureText('arena'));
    await drop(page, 'own.map', text);
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'own.map');
    const link = await page.evaluate(() => window.bspkitPlayground!.link());
    expect(link).toMatch(/^#file=own\.map&format=quake2&/);
    // Whoever gets the link may look at something of another game.
    await follow('#map=house&format=ufoai');
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    await follow(link);
    expect(await noticeOf(page)).toContain('This link is for own.map');
    await drop(page, 'own.map', text);
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'own.map');
    expect(await mapOf(page)).toMatchObject({ format: 'quake2' });
  });

  it('asks no more which map is meant when another file is dropped', async () => {
    const bytes = arenaQuake1();
    await drop(page, 'pack.pk3', zipSync({ 'maps/one.bsp': bytes, 'maps/two.bsp': bytes }));
    const chooser = page.getByRole('dialog', { name: '2 maps in pack.pk3' });
    await chooser.waitFor();
    await drop(page, 'three.bsp', bytes);
    await chooser.waitFor({ state: 'detached' });
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'three.bsp');
  });

  it('draws again when the browser gives the graphics card back', async () => {
    const other = await browser.newContext({ viewport: { width: 800, height: 500 } });
    const lossy = (await openPage(other)).page;
    await goTo(lossy, site.url);
    await lossy.evaluate(() => {
      const extension = document
        .querySelector('canvas')!
        .getContext('webgl2')!
        .getExtension('WEBGL_lose_context')!;
      Object.assign(window, { restore: () => extension.restoreContext() });
      extension.loseContext();
    });
    expect(await noticeOf(lossy)).toContain('The view was lost');
    const before = await lossy.locator('canvas').screenshot();
    // Another map is not to be seen either.
    await drop(lossy, 'other.bsp', arenaQuake2());
    await lossy.waitForFunction(() => window.bspkitPlayground!.map?.name === 'other.bsp');
    expect(await noticeOf(lossy)).toContain('The view was lost');
    await lossy.evaluate('restore()');
    await lossy.getByRole('alert').waitFor({ state: 'hidden' });
    // Nobody moves.
    await expect
      .poll(async () => (await lossy.locator('canvas').screenshot()).length)
      .toBeGreaterThan(2 * before.length);
    await other.close();
  });

  it('closes a menu when the focus leaves it', async () => {
    for (const [name, id] of [
      [/^Map:/, 'map-menu'],
      ['View options', 'view-menu'],
    ] as const) {
      const button = page.getByRole('button', { name });
      const menu = page.locator(`#${id}`);
      await button.press('Enter');
      await page.keyboard.press('Tab');
      expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      // Its button does not close it, and then open it again.
      await button.click();
      await menu.waitFor({ state: 'hidden' });
      await button.press('Enter');
      await menu.waitFor();
      for (let k = 0; k < 30 && (await menu.isVisible()); k++) await page.keyboard.press('Tab');
      expect(await menu.isVisible()).toBe(false);
    }
  });

  it('sees all of the map in whatever room there is, unless somebody moved the eye', async () => {
    const position = () => page.evaluate(() => window.bspkitPlayground!.view.position);
    await follow('#map=arena&format=quake3');
    // Once the link is followed, the page writes where the eye is.
    await expect.poll(() => page.evaluate(() => window.bspkitPlayground!.link())).toContain('view=');
    const before = await position();
    // High and narrow: from farther away it is seen all the same.
    await page.setViewportSize({ width: 360, height: 640 });
    await expect.poll(async () => (await position())[2]).toBeGreaterThan(before[2] + 100);
    await page.setViewportSize({ width: 800, height: 500 });
    await expect.poll(position).toEqual(before);
    // A panel takes some of the room, too.
    const shoot = page.getByRole('button', { name: 'Shoot' });
    await shoot.click();
    await expect.poll(position).not.toEqual(before);
    await shoot.click();
    await expect.poll(position).toEqual(before);
    await page.evaluate(() => window.bspkitPlayground!.setView({ position: [1, 2, 900], yaw: 5, pitch: 6 }));
    await shoot.click();
    await page.locator('.tool-outcome').waitFor();
    await shoot.click();
    expect(await position()).toEqual([1, 2, 900]);
  });

  it('names map and game on a narrow screen, too', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    const button = page.getByRole('button', { name: /^Map:/ });
    expect(await button.locator('.map-format').isVisible()).toBe(true);
    expect(await button.locator('.icon').last().isVisible()).toBe(true);
    const bar = await page.locator('.bar').evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(bar[0]).toBeLessThanOrEqual(bar[1]!);
    await page.screenshot({ path: `${OUTPUT}/narrow.png` });
    await page.setViewportSize({ width: 800, height: 500 });
  });

  it('leaves the keys to the view after a click with the mouse', async () => {
    await follow('#map=arena&format=quake3&mode=walk');
    await page.waitForFunction(() => window.bspkitPlayground!.mode === 'walk');
    const shoot = page.getByRole('button', { name: 'Shoot' });
    await shoot.click();
    await page.keyboard.press(' ');
    expect(await shoot.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Close tool' }).click();
    await page.keyboard.press(' ');
    expect(await shoot.getAttribute('aria-pressed')).toBe('false');
    // Who pressed it with a key can press it again.
    await shoot.press(' ');
    await page.keyboard.press(' ');
    expect(await shoot.getAttribute('aria-pressed')).toBe('false');
  });

  it('shows the mode in use in its own colours under the pointer, too', async () => {
    const colorOf = (name: string): Promise<string> =>
      page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).color);
    await page.mouse.move(400, 300);
    await expect.poll(() => colorOf('Walk')).not.toBe(await colorOf('Fly'));
    const color = await colorOf('Walk');
    await page.getByRole('button', { name: 'Walk' }).hover();
    expect(await colorOf('Walk')).toBe(color);
  });

  it.each([
    ['map=nope&format=quake2', 'a map that this page does not have: nope. Here is the arena.'],
    ['map=arena&format=nope', 'a game that this page does not know: nope. Here is Quake 3.'],
    ['map=arena&format=quake3&tool=nope', 'a tool that this page does not have: nope.'],
    ['map=arena&format=quake3&tool=hulls', 'Its tool, Hulls, is not for this map.'],
    ['map=arena&format=quake3&mode=swim&tool=shoot&state={', 'parts that cannot be read: mode, state.'],
    ['map=arena&format=quake3&show=sky,nope&cut=', 'parts that cannot be read: cut, show.'],
  ])('says what of %s it cannot show', async (hash, problem) => {
    await follow('#map=house&format=ufoai');
    await page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'ufoai');
    await follow(`#${hash}`);
    expect(await noticeOf(page)).toContain('Not all of this link can be shown');
    expect(await noticeOf(page)).toContain(problem);
    await follow('#map=arena&format=quake3');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  it('says that a file is not the one of the link', async () => {
    await follow('#file=dm1.bsp&mode=fly&view=10,20,30,40,5');
    expect(await noticeOf(page)).toContain('This link is for dm1.bsp');
    await drop(page, 'dm2.bsp', arenaQuake1());
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'dm2.bsp');
    expect(await noticeOf(page)).toMatch(/^This is not dm1\.bsp.*does not hold for dm2\.bsp/);
    // The link is still there.
    await page.goBack();
    await page.getByText('This link is for dm1.bsp').waitFor();
    await follow('#map=arena&format=quake3');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  it('keeps what is changed in the map that stands in for a file', async () => {
    await follow('#file=dm1.bsp&format=quake2');
    expect(await noticeOf(page)).toContain('This link is for dm1.bsp');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Text of the map' });
    await editor.press('Control+Home');
    await page.keyboard.type('( wrong');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => location.hash)).toMatch(/^#map=arena&format=quake2&/);
    await page.goBack();
    await page.getByText('This link is for dm1.bsp').waitFor();
    await page.goForward();
    await expect.poll(() => editor.inputValue()).toMatch(/^\( wrong/);
    await editor.press('Control+Home');
    for (let k = 0; k < '( wrong'.length; k++) await page.keyboard.press('Delete');
    await page.locator('.tool-problem').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Close tool' }).click();
  });

  it('waits for the file of a link no longer when another link is followed', async () => {
    await follow('#file=mine.bsp');
    expect(await noticeOf(page)).toContain('This link is for mine.bsp');
    await follow('#map=arena&format=quake3');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    const link = await page.evaluate(() => {
      window.bspkitPlayground!.setMode('fly');
      return window.bspkitPlayground!.link();
    });
    expect(link).toMatch(/^#map=arena&format=quake3&mode=fly&/);
  });

  it('tells whose file a link is about', async () => {
    await page.evaluate(() => {
      location.hash = '#file=mine.bsp&mode=fly&view=10,20,30,40,5';
    });
    expect(await noticeOf(page)).toContain('This link is for mine.bsp');
    await drop(page, 'mine.bsp', arenaQuake3());
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'mine.bsp');
    await page.waitForFunction(() => window.bspkitPlayground!.view.yaw === 40);
    expect(await page.evaluate(() => window.bspkitPlayground!.view.position)).toEqual([10, 20, 30]);
    // Another link to it, while it is open, keeps it.
    await page.evaluate(() => {
      location.hash = '#file=mine.bsp&mode=fly&view=10,20,30,50,5';
    });
    await page.waitForFunction(() => window.bspkitPlayground!.view.yaw === 50);
    expect(await mapOf(page)).toMatchObject({ name: 'mine.bsp' });
  });

  it.each([
    ['mine.bsp', 'mine.bsp.gz', gzipSync(arenaQuake3())],
    ['one.bsp', 'pack.pk3', zipSync({ 'maps/one.bsp': arenaQuake3() })],
    ['one.bsp', 'pak0.pak', writePak(['maps/one.bsp', arenaQuake3()])],
  ])('takes the %s of a link out of %s', async (file, name, bytes) => {
    await page.evaluate((to) => {
      location.hash = to;
    }, `#map=arena&format=quake1`);
    await page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'quake1');
    await page.evaluate((to) => {
      location.hash = to;
    }, `#file=${file}&mode=fly&view=10,20,30,60,5`);
    expect(await noticeOf(page)).toContain(`This link is for ${file}`);
    await drop(page, name, bytes);
    await page.waitForFunction(() => window.bspkitPlayground!.view.yaw === 60);
    expect(await mapOf(page)).toMatchObject({ name: file, format: 'quake3' });
  });

  it('shows what the compiler warns of', async () => {
    const text = formatMap({
      entities: [
        { properties: { classname: 'worldspawn' }, brushes: [boxBrush([0, 0, 0], [64, 64, 64])] },
        { properties: { classname: 'light', origin: '0 0 200' } },
      ],
    });
    await page.evaluate(() => {
      location.hash = '#map=arena&format=quake1';
    });
    await page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'quake1');
    await drop(page, 'open.map', strToU8(text));
    expect(await noticeOf(page)).toMatch(
      /open\.map was compiled, with warnings.*the map leaks: light at \(0 0 200\) stands/,
    );
    await drop(page, 'odd.map', strToU8(`${text}${'{\n"origin" "1"\n}\n'.repeat(2)}`));
    await page.getByText('odd.map was compiled').waitFor();
    expect(await noticeOf(page)).toMatch(/ And 2 more\.$/);
    await page.getByRole('button', { name: 'Close message' }).click();
  });

  it('says on touch screens how to look around, until somebody does', async () => {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 700 },
      isMobile: true,
      hasTouch: true,
    });
    const { page: other } = await openPage(phone);
    await goTo(other, `${site.url}#map=arena&format=quake3&mode=walk`);
    const hint = other.getByText('Drag to look around', { exact: true });
    await hint.waitFor();
    const touch = await phone.newCDPSession(other);
    const send = (type: string, ...xs: number[]): Promise<unknown> =>
      touch.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: xs.map((x) => ({ x, y: 300 })),
      });
    await send('touchStart', 200);
    await send('touchMove', 240);
    await send('touchMove', 280);
    await send('touchEnd');
    await hint.waitFor({ state: 'hidden' });
    await other.getByRole('button', { name: 'Orbit' }).tap();
    await other.getByRole('button', { name: 'Walk' }).tap();
    expect(await hint.isVisible()).toBe(false);
    await phone.close();
  });

  it('gives up a large map when another one is wanted', async () => {
    // Some thousand boxes, each in the way of many others: more than ten seconds' work.
    const place = (k: number, scale: number): number => Math.floor((k * scale) % 997);
    const brushes = Array.from({ length: 6000 }, (_, k) => {
      const mins = [place(k, 7.31), place(k, 3.77), place(k, 5.13)];
      return boxBrush(
        mins,
        mins.map((x) => x + 90),
      );
    });
    const large = formatMap({ entities: [{ properties: { classname: 'worldspawn' }, brushes }] });
    await drop(page, 'large.map', strToU8(large));
    await drop(page, 'small.bsp', arenaQuake3());
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'small.bsp', undefined, {
      timeout: 10_000,
    });
  });

  it('starts the compiler again when it could not be fetched', async () => {
    const other = await browser.newContext({ serviceWorkers: 'block' });
    const flaky = (await openPage(other)).page;
    await flaky.route('**/assets/worker-*', (route) => route.abort(), { times: 1 });
    await flaky.goto(site.url);
    expect(await noticeOf(flaky)).toContain('The compiler could not be started');
    await drop(flaky, 'arena.bsp', arenaQuake3());
    await flaky.waitForFunction(() => window.bspkitPlayground!.map?.name === 'arena.bsp');
    await other.close();
  });

  it('opens without a network, once it has been there', async () => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await site.close();
    await goTo(page, `${site.url}?again#map=torture&format=quake3`);
    expect(await mapOf(page)).toMatchObject({ name: 'torture', format: 'quake3' });
    expect((await look(page)).colors).toBeGreaterThan(50);
  });

  it('said nothing on the console', () => {
    expect(said).toEqual([]);
  });
});
