import { existsSync } from 'node:fs';
import { compileMap, roomBrushes } from '@bspkit/compile';
import { arenaQuake1, arenaQuake2, arenaQuake3, fixtureText } from '@bspkit/fixtures';
import { writePak } from '@bspkit/testkit/pak';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { computeBake } from '../src/tools/bake/compute.ts';
import { AS_IT_IS, CHROMIUM, drop, dropAll, goTo, holdMap, newUser, noticeOf, openPage } from './browser.ts';
import { setUpPage } from './page-setup.ts';
import { openFixture } from './tools/maps.ts';

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`files in the page, in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage();

  it('leaves a link that is being followed alone when a file that comes meanwhile cannot be opened', async () => {
    const { page } = setup;
    await setup.follow('#map=torture&format=quake2&tool=shoot');
    await drop(page, 'zeros.bsp', new Uint8Array(4096));
    expect(await noticeOf(page)).toMatch(/^zeros\.bsp could not be opened/);
    expect(await setup.map()).toMatchObject({ name: 'torture', format: 'quake2' });
    expect(await page.evaluate(() => window.bspkitPlayground!.tool)).toBe('shoot');
    // Of two that come, the later one is opened, and none where something else is wanted by then.
    await setup.follow('#map=arena&format=quake3');
    await drop(page, 'first.bsp', arenaQuake1());
    await drop(page, 'second.bsp', arenaQuake2());
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'second.bsp');
    await setup.follow('#map=torture&format=quake2');
    await drop(page, 'third.bsp', arenaQuake1());
    await setup.show('#map=arena&format=quake3');
    expect(await setup.map()).toMatchObject({ name: 'arena', format: 'quake3' });
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
        /its shader scripts take more than 64 MB/i,
      ],
      ['bad.bsp.gz', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3), /damaged or cut off/],
    ];
    const before = await setup.map();
    for (const [name, bytes, reason] of files) {
      await drop(setup.page, name, bytes);
      expect(await noticeOf(setup.page), name).toMatch(reason);
      // Said once: the line below says what there is to say of the map that stays.
      await setup.page
        .getByRole('status')
        .getByText(/ triangles\.$/)
        .waitFor();
      await setup.page.getByRole('button', { name: 'Close message' }).click();
    }
    expect(await setup.map()).toEqual(before);
  });

  it('keeps the map, its view and its address where another one can be read, but not drawn', async () => {
    const { page } = setup;
    await setup.follow('#map=arena&format=quake3');
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'arena');
    const picture = async (): Promise<number> => {
      await page.evaluate(() => window.bspkitPlayground!.measure(1));
      return (await page.locator('.view canvas').screenshot(AS_IT_IS)).length;
    };
    const before = await picture();
    // Only drawing looks at coordinates of textures, which the last lump but six has for every vertex.
    const bytes = arenaQuake3().slice();
    const view = new DataView(bytes.buffer);
    const [first, size] = [0, 4].map((at) => view.getUint32(8 + 8 * 10 + at, true));
    for (let at = first! + 12; at < first! + size!; at += 44) view.setFloat32(at, Number.NaN, true);
    await drop(page, 'odd.bsp', bytes);
    expect(await noticeOf(page)).toMatch(/^odd\.bsp could not be opened.*coordinates of texture/);
    await page.getByRole('button', { name: 'Close message' }).click();
    expect(await picture()).toBeGreaterThan(0.9 * before);
    const link = await page.evaluate(() => {
      window.bspkitPlayground!.setView({ position: [1, 2, 3], yaw: 4, pitch: 5 });
      return window.bspkitPlayground!.link();
    });
    expect(link).toMatch(/^#map=arena&.*view=1,2,3,4,5/);
  });

  it('has a map even where a file that is dropped before the first one is broken', async () => {
    const context = await newUser(setup.browser);
    const { page } = await openPage(context);
    const go = await holdMap(page);
    await page.goto(setup.site.url);
    await page.locator('.view').waitFor();
    await drop(page, 'cut.bsp', arenaQuake3().subarray(0, 5000));
    go();
    expect(await noticeOf(page)).toContain('cut.bsp could not be opened');
    expect(await page.evaluate(() => window.bspkitPlayground!.map?.name)).toBe('arena');
    await context.close();
  });

  it('asks which map of an archive is meant', async () => {
    const readme = strToU8('no map');
    const archive = zipSync({
      'readme.txt': readme,
      'maps/one.bsp': arenaQuake1(),
      'maps/two.bsp': arenaQuake3(),
    });
    await drop(setup.page, 'pack.pk3', archive);
    const chooser = setup.page.getByRole('dialog', { name: '2 maps in pack.pk3' });
    await chooser.waitFor();
    expect(await setup.page.evaluate(() => document.activeElement!.textContent)).toMatch(/^one\.bsp/);
    await setup.page.keyboard.press('Escape');
    await chooser.waitFor({ state: 'detached' });
    await setup.page.waitForFunction(() =>
      /: .* triangles\.$/.test(document.querySelector('.status-said')!.textContent!),
    );
    await drop(setup.page, 'pack.pk3', archive);
    await chooser.getByRole('button', { name: /two/ }).click();
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'two.bsp');
    expect(await setup.map()).toMatchObject({ format: 'quake3' });
    expect(await setup.page.evaluate(() => window.bspkitPlayground!.link())).toMatch(/^#file=two\.bsp&/);
  });

  it('opens the archive in a zip, as maps are offered for download', async () => {
    const text = strToU8('no map');
    const archive = zipSync({ 'maps/one.bsp': arenaQuake1(), 'maps/three.bsp': arenaQuake3() });
    // As macOS packs it.
    const mac = { '__MACOSX/game/._three.pk3': new Uint8Array(120) };
    await drop(setup.page, 'three.zip', zipSync({ 'three.txt': text, 'game/three.pk3': archive, ...mac }));
    await setup.page
      .getByRole('dialog', { name: '2 maps in three.zip' })
      .getByRole('button', { name: /three/ })
      .click();
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'three.bsp');
    for (const [files, reason] of [
      [{ 'a.pk3': archive, 'b.pk3': archive }, /several archives; unpack it/],
      [{ 'a.zip': zipSync({ 'b.zip': zipSync({ 'c.pk3': archive }) }) }, /contains no \.bsp or \.map/],
    ] as const) {
      await drop(setup.page, 'more.zip', zipSync(files as Record<string, Uint8Array>));
      expect(await noticeOf(setup.page)).toMatch(reason);
      await setup.page.getByRole('button', { name: 'Close message' }).click();
    }
  });

  it('asks which of several files is meant', async () => {
    const before = await setup.map();
    const files = { 'first.bsp': arenaQuake1(), 'second.bsp': arenaQuake3() };
    const chooser = setup.page.getByRole('dialog', { name: 'Which of these 2 files?' });
    await dropAll(setup.page, files);
    await chooser.getByRole('button', { name: 'Cancel' }).click();
    await chooser.waitFor({ state: 'detached' });
    expect(await setup.map()).toEqual(before);
    await dropAll(setup.page, files);
    await chooser.getByRole('button', { name: /second/ }).click();
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'second.bsp');
    expect(await setup.map()).toMatchObject({ format: 'quake3' });
    // Files of different folders may have the same name.
    await dropAll(
      setup.page,
      [arenaQuake3(), arenaQuake1()].map((bytes) => ['same.bsp', bytes] as const),
    );
    await chooser.getByRole('button', { name: /same/ }).nth(1).click();
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'same.bsp');
    expect(await setup.map()).toMatchObject({ format: 'quake1' });
  });

  it('leaves out what cannot be opened, and says so', async () => {
    await dropAll(setup.page, {
      'photo.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
      nameless: arenaQuake1(),
      'notes.txt': strToU8('no map'),
    });
    expect(await noticeOf(setup.page)).toMatch(/^Left out: photo\.png, notes\.txt.*None of them is a map/);
    expect(await setup.map()).toMatchObject({ name: 'nameless', format: 'quake1' });
    await dropAll(setup.page, { 'photo.png': strToU8('a'), 'notes.txt': strToU8('b') });
    await setup.page.getByText('2 files could not be opened', { exact: true }).waitFor();
    expect(await noticeOf(setup.page)).toContain('None of them is a map');
    await setup.page.getByRole('button', { name: 'Close message' }).click();
  });

  it('opens a map together with its bake', async () => {
    const arena = await openFixture('arena', 'quake3');
    const bake = await computeBake(arena.format, arena.bytes, { kind: 'exposure', step: 96 }, () => {});
    await dropAll(setup.page, { 'a.bake': bake, 'b.bake': bake, 'baked.bsp': arena.bytes });
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'baked.bsp');
    await setup.page.getByText('Where players are seen most', { exact: true }).waitFor();
    expect(await noticeOf(setup.page)).toMatch(/^Left out: b\.bake.*One bake is shown at a time/);
    await setup.page.getByRole('button', { name: 'Close message' }).click();
    await setup.page.getByRole('button', { name: 'Close tool' }).click();
  });

  it("shows a map in the colours of a .lit file beside it, and without those of another map's", async () => {
    const { page } = setup;
    const bytes = compileMap(roomBrushes([0, 0, 0], [512, 384, 192], 16), { format: 'quake1' }).bytes;
    // All faces have the same light: dim and grey.
    const samples = 65_536;
    const map = new Uint8Array(bytes.length + samples).fill(60);
    map.set(bytes);
    const view = new DataView(map.buffer);
    view.setInt32(4 + 8 * 8, bytes.length, true);
    view.setInt32(8 + 8 * 8, samples, true);
    const [faces, length] = [4, 8].map((at) => view.getInt32(at + 8 * 7, true)) as [number, number];
    for (let at = faces; at < faces + length; at += 20) {
      map[at + 12] = 0;
      view.setInt32(at + 16, 0, true);
    }
    const lit = (count: number): Uint8Array =>
      Uint8Array.from({ length: 8 + 3 * count }, (_, k) =>
        k < 8 ? [81, 76, 73, 84, 1, 0, 0, 0][k]! : k % 3 === 1 ? 200 : 0,
      );
    /** How much more blue than red the map is, on average. */
    const bluenessOf = async (name: string, files: Readonly<Record<string, Uint8Array>>): Promise<number> => {
      await dropAll(page, files);
      await page.waitForFunction((name) => window.bspkitPlayground!.map?.name === name, name);
      return page.evaluate(() => {
        window.bspkitPlayground!.measure(1);
        const picture = new OffscreenCanvas(80, 50).getContext('2d')!;
        picture.drawImage(document.querySelector('canvas')!, 0, 0, 80, 50);
        const { data } = picture.getImageData(0, 0, 80, 50);
        return (
          data.reduce((sum, value, k) => sum + (k % 4 === 2 ? value : k % 4 === 0 ? -value : 0), 0) / 4000
        );
      });
    };
    const grey = await bluenessOf('grey.bsp', { 'grey.bsp': map });
    const blue = await bluenessOf('blue.bsp', { 'blue.lit': lit(samples), 'blue.bsp': map });
    expect(blue).toBeGreaterThan(grey + 20);
    expect(await bluenessOf('a.bsp', { 'a.pak': writePak(['a.bsp', map], ['a.lit', lit(samples)]) })).toBe(
      blue,
    );
    expect(await page.getByRole('alert').isVisible()).toBe(false);
    expect(await bluenessOf('other.bsp', { 'other.bsp': map, 'other.lit': lit(samples - 1) })).toBe(grey);
    expect(await noticeOf(page)).toMatch(/^Left out: other\.lit.*has 196605 bytes of colours/);
    await page.getByRole('button', { name: 'Close message' }).click();
    const leftOut: readonly (readonly [string, Readonly<Record<string, Uint8Array>>, RegExp])[] = [
      [
        'three.bsp',
        { 'three.bsp': arenaQuake3() },
        /^Left out: three\.litMaps of Quake 3 have no such file\./,
      ],
      [
        'two.bsp',
        { 'two.bsp': map, 'first.lit': lit(samples) },
        /^Left out: first\.lit, three\.lit.*of the same name/,
      ],
      ['text.map', { 'text.map': strToU8(fixtureText('arena')) }, /Left out: three\.lit.*of the same name/],
    ];
    for (const [name, files, says] of leftOut) {
      await dropAll(page, { ...files, 'three.lit': lit(samples) });
      await page.waitForFunction((name) => window.bspkitPlayground!.map?.name === name, name);
      expect(await noticeOf(page)).toMatch(says);
      await page.getByRole('button', { name: 'Close message' }).click();
    }
    await dropAll(page, { 'alone.lit': lit(1) });
    await page.getByText('alone.lit could not be opened', { exact: true }).waitFor();
    expect(await noticeOf(page)).toContain('Drop it together with the .bsp');
    await page.getByRole('button', { name: 'Close message' }).click();
  });

  it('asks no more which map is meant when another file is dropped', async () => {
    const bytes = arenaQuake1();
    await drop(setup.page, 'pack.pk3', zipSync({ 'maps/one.bsp': bytes, 'maps/two.bsp': bytes }));
    const chooser = setup.page.getByRole('dialog', { name: '2 maps in pack.pk3' });
    await chooser.waitFor();
    await drop(setup.page, 'three.bsp', bytes);
    await chooser.waitFor({ state: 'detached' });
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'three.bsp');
  });

  it('does not begin to ask which file is meant once another one is dropped', async () => {
    const { page } = setup;
    await page.evaluate((text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      for (const names of [['four.bsp', 'five.bsp'], ['six.bsp']]) {
        const dataTransfer = new DataTransfer();
        for (const name of names) dataTransfer.items.add(new File([bytes], name));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
      }
    }, Buffer.from(arenaQuake1()).toString('base64'));
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'six.bsp');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('gives up a map that takes long when another one is wanted', async () => {
    const other = await newUser(setup.browser);
    const { page } = await openPage(other);
    // There is one that the compiler is never done with.
    const hang = `addEventListener('message', ({ data }) => {
      if (data.text?.includes('endless')) for (console.log('endless'); ; );
    });\n`;
    await page.route('**/assets/worker-*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: hang + (await response.text()) });
    });
    await goTo(page, setup.site.url);
    const dropEndless = async (): Promise<void> => {
      const begun = page.waitForEvent('console', (message) => message.text() === 'endless');
      const text = fixtureText('arena').replace('"worldspawn"', '"worldspawn" "message" "endless"');
      await drop(page, 'endless.map', strToU8(text));
      await begun;
    };
    await dropEndless();
    await drop(page, 'small.bsp', arenaQuake3());
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'small.bsp');
    // Nor is it said to be on its way.
    const said = page.locator('footer [role=status]');
    await dropEndless();
    await said.getByText('Opening endless.map…').waitFor();
    await page.evaluate(() => {
      location.hash = '#file=small.bsp&color=slope';
    });
    await said.getByText(/^small\.bsp: /).waitFor();
    await other.close();
  });

  setup.saysNothing();
});
