import { existsSync } from 'node:fs';
import { boxBrush, compileMap, formatMap, parseMap, roomBrushes } from '@bspkit/compile';
import { arenaQuake1, arenaQuake2, arenaQuake3, fixtureText } from '@bspkit/fixtures';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import {
  AS_IT_IS,
  CHROMIUM,
  drop,
  dropAll,
  holdMap,
  newUser,
  noticeOf,
  openPage,
  pasteOver,
} from './browser.ts';
import { setUpPage } from './page-setup.ts';
import { bakeCells } from './tools/bakes.ts';
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

  it('compiles text and our own maps with corners in edges where other faces end on them', async () => {
    const { page } = setup;
    const source = parseMap(fixtureText('torture'), { target: 'quake2' });
    const trianglesOf = async (name: string, bytes: Uint8Array): Promise<number | undefined> => {
      await drop(page, name, bytes);
      await page.waitForFunction((name) => window.bspkitPlayground!.map?.name === name, name);
      return (await setup.map())?.triangles;
    };
    await setup.show('#map=torture&format=quake2');
    const own = (await setup.map())?.triangles;
    const [plain, filled] = [false, true].map(
      (tjunc) => compileMap(source, { format: 'quake2', tjunc }).bytes,
    );
    const more = await trianglesOf('filled.bsp', filled!);
    expect(await trianglesOf('plain.bsp', plain!)).toBeLessThan(more!);
    expect(own).toBe(more);
    expect(await trianglesOf('text.map', strToU8(fixtureText('torture')))).toBe(more);
  });

  it('cuts away the ceiling of what was text, for one to look into its rooms', async () => {
    const { page } = setup;
    await setup.show('#map=torture&format=quake2');
    const source = parseMap(fixtureText('torture'), { target: 'quake2' });
    const cuts: (string | null)[] = [];
    for (const [name, bytes] of [
      ['file.bsp', compileMap(source, { format: 'quake2' }).bytes],
      ['text.map', strToU8(fixtureText('torture'))],
      ['house.map', strToU8(fixtureText('house'))],
    ] as const) {
      await drop(page, name, bytes);
      await page.waitForFunction((name) => window.bspkitPlayground!.map?.name === name, name);
      cuts.push(await page.locator('output[for=cut]').textContent());
    }
    // In a file of a game, ceilings are seen from inside alone. Who starts before a house sees all of it.
    expect(cuts).toEqual(['all', expect.stringMatching(/^\d+$/), 'all']);
    expect(await page.evaluate(() => window.bspkitPlayground!.link())).not.toContain('cut=');
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
    const context = await newUser(setup.browser, { serviceWorkers: 'block' });
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
    const bake = await bakeCells(arena, 'exposure');
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
        /^Left out: first\.lit, three\.lit.*whose name it has/,
      ],
      ['text.map', { 'text.map': strToU8(fixtureText('arena')) }, /Left out: three\.lit.*whose name it has/],
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

  it('reads what materials of a text are from the shader scripts beside it', async () => {
    const text = strToU8(fixtureText('arena'));
    const script = strToU8('textures/arena/floor\n{\n  surfaceparm nodraw\n}\n');
    await setup.follow('#map=arena&format=quake3');
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'arena');
    const trianglesOf = async (
      name: string,
      files: Readonly<Record<string, Uint8Array>>,
    ): Promise<number> => {
      await dropAll(setup.page, files);
      await setup.page.waitForFunction((to) => window.bspkitPlayground!.map?.name === to, name);
      return setup.page.evaluate(() => window.bspkitPlayground!.map!.triangles);
    };
    const plain = await trianglesOf('plain.map', { 'plain.map': text });
    const beside = await trianglesOf('beside.map', { 'walls.shader': script, 'beside.map': text });
    expect(beside).toBeLessThan(plain);
    const archive = zipSync({ 'scripts/walls.shader': script, 'maps/inside.map': text });
    expect(await trianglesOf('inside.map', { 'source.pk3': archive })).toBe(beside);
    // Changed text is compiled with them too.
    await setup.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = setup.page.getByRole('textbox', { name: 'Text of the map' });
    await pasteOver(editor, `${fixtureText('arena')}\n{\n"classname" "light"\n"origin" "0 0 99"\n}\n`);
    await setup.page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    expect(await setup.page.evaluate(() => window.bspkitPlayground!.map!.triangles)).toBe(beside);
    await setup.page.getByRole('button', { name: 'Close tool' }).click();
    await drop(setup.page, 'walls.shader', script);
    expect(await noticeOf(setup.page)).toContain('Drop it together with the .map');
    await setup.page.getByRole('button', { name: 'Close message' }).click();
    await dropAll(setup.page, { 'open.map': text, 'broken.shader': strToU8('a {\n{\n') });
    expect(await noticeOf(setup.page)).toMatch(/^open\.map could not be opened.*In broken\.shader, line \d/);
    await setup.page.getByRole('button', { name: 'Close message' }).click();
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

  it('compiles what is typed though a file is given up for another one meanwhile', async () => {
    const { page } = setup;
    await setup.show('#map=arena&format=quake3&tool=edit');
    await page.locator('.tool-hint').getByText('Click a surface').waitFor();
    await page.evaluate(async () => {
      const drop = (name: string): void => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['nothing'], name));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
      };
      drop('one.bsp');
      await Promise.resolve();
      const area = document.querySelector('textarea')!;
      area.value = area.value.replace('{', '{\n"message" "typed"');
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      drop('two.bsp');
    });
    await page.locator('.tool-hint').getByText('Compiled and retraced').waitFor();
  });

  it('leaves text that is dragged into a field to the field', async () => {
    await setup.show('#map=arena&format=quake3&tool=shoot');
    const isTaken = (selector: string): Promise<boolean> =>
      setup.page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData('text/plain', '0 0 64');
          const event = new DragEvent('drop', { dataTransfer, cancelable: true, bubbles: true });
          return !element.dispatchEvent(event);
        });
    expect(await isTaken('.panel input[type=text]')).toBe(false);
    expect(await isTaken('.view canvas')).toBe(true);
    await setup.page.getByRole('button', { name: 'Close tool' }).click();
  });

  it('shows what the compiler warns of', async () => {
    const text = formatMap({
      entities: [
        { properties: { classname: 'worldspawn' }, brushes: [boxBrush([0, 0, 0], [64, 64, 64])] },
        { properties: { classname: 'light', origin: '0 0 200' } },
      ],
    });
    await setup.follow('#map=arena&format=quake1');
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'quake1');
    await drop(setup.page, 'open.map', strToU8(text));
    expect(await noticeOf(setup.page)).toMatch(
      /open\.map was compiled for Quake 1 \(BSP 29\), with warnings.*the map leaks: light at \(0 0 200\) stands/,
    );
    await drop(setup.page, 'odd.map', strToU8(`${text}${'{\n"origin" "1"\n}\n'.repeat(2)}`));
    await setup.page.getByText('odd.map was compiled').waitFor();
    expect(await noticeOf(setup.page)).toMatch(/ And 2 more\. Compile it for another game:/);
    await setup.page.getByRole('button', { name: 'Close message' }).click();
  });

  it('compiles a text that is made for Half-Life with its hulls', async () => {
    const { page } = setup;
    const room = roomBrushes([0, 0, 0], [256, 256, 192], 16);
    const start = { properties: { classname: 'info_player_start', origin: '128 128 64' }, brushes: [] };
    const text = formatMap({ entities: [{ properties: { classname: 'worldspawn' }, brushes: room }, start] });
    await drop(page, 'crate.map', strToU8(`// Game: Half-Life\n${text}`));
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'crate.map');
    expect(await noticeOf(page)).toMatch(
      /^crate\.map was compiled for Quake 1 \(Half-Life BSP 30\)Its text looks made for that\./,
    );
    expect(await page.locator('.status-said').textContent()).toMatch(
      /^crate\.map: Quake 1 \(Half-Life BSP 30\), /,
    );
    await page.getByRole('button', { name: 'Close message' }).click();
  });

  it('compiles a text for the game of the map before, says so, and offers the other games', async () => {
    const { page } = setup;
    const isOpen = (format: string, name = 'mine.map') =>
      page.waitForFunction(
        ([id, called]) =>
          window.bspkitPlayground!.map?.name === called && window.bspkitPlayground!.map.format === id,
        [format, name] as const,
      );
    await setup.follow('#map=arena&format=quake3');
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'arena');
    await drop(page, 'mine.map', strToU8(fixtureText('torture')));
    await isOpen('quake3');
    expect(await noticeOf(page)).toMatch(
      /^mine\.map was compiled for Quake 3 \(IBSP 46\)A \.map does not say which game/,
    );
    const before = await page.evaluate(() => window.bspkitPlayground!.view);
    await page.getByRole('alert').getByRole('button', { name: 'Quake 2' }).click();
    await isOpen('quake2');
    expect(await page.evaluate(() => window.bspkitPlayground!.view)).toEqual(before);
    // So does the menu of maps, later.
    await page.getByRole('button', { name: /^Map:/ }).click();
    const games = page.getByRole('group', { name: 'Games to open mine.map in' });
    expect(await games.getByRole('button', { pressed: true }).textContent()).toBe('Quake 2');
    await games.getByRole('button', { name: 'Quake 1' }).click();
    await isOpen('quake1');
    await page.goBack();
    await isOpen('quake2');
    // What one game cannot have, another may; text that does not parse is for none of them.
    const rows = [0, 64, 128].map((x) => `( ${[0, 64, 128].map((y) => `( ${x} ${y} 0 0 0 )`).join(' ')} )`);
    const curve = `patchDef2\n{\nbase/floor\n( 3 3 0 0 0 )\n(\n${rows.join('\n')}\n)\n}`;
    await drop(page, 'curve.map', strToU8(`{\n"classname" "worldspawn"\n{\n${curve}\n}\n}\n`));
    await isOpen('quake3', 'curve.map');
    await page.getByRole('alert').getByRole('button', { name: 'Quake 2' }).click();
    await page.getByText('curve.map could not be compiled for Quake 2', { exact: true }).waitFor();
    expect(await noticeOf(page)).toMatch(/another game:Quake 1Quake 3/);
    // That offers the text as it was: it does not outlast an edit.
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.locator('textarea').press('Control+Home');
    await page.keyboard.insertText('// mine\n');
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await drop(page, 'wrong.map', strToU8('{\n"classname" "worldspawn"\n{\n( 0 0 0 )\n'));
    await page.getByText('wrong.map could not be opened', { exact: true }).waitFor();
    expect(await noticeOf(page)).toMatch(/openedLine 5, entity 0, brush 0, side 0: .*\.$/);
    await page.getByRole('button', { name: 'Close message' }).click();
  });

  it('compiles a text for the game that it is made for, and the same text for the game that was chosen then', async () => {
    const { page } = setup;
    await setup.follow('#map=arena&format=quake3');
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'arena');
    const text = `// Game: Quake 2\n${fixtureText('torture')}`;
    await drop(page, 'torture.map', strToU8(text));
    expect(await noticeOf(page)).toMatch(
      /^torture\.map was compiled for Quake 2 \(IBSP 38\)Its text looks made for that\..*Quake 1Quake 3/,
    );
    await page.getByRole('alert').getByRole('button', { name: 'Quake 1' }).click();
    await page.waitForFunction(() => window.bspkitPlayground!.map!.format === 'quake1');
    expect(await page.getByRole('alert').count()).toBe(0);
    // After some editing, with the view where it was.
    await page.evaluate(() => window.bspkitPlayground!.setView({ position: [1, 2, 3], yaw: 4, pitch: 5 }));
    await drop(page, 'torture.map', strToU8(`${text}// changed`));
    expect(await noticeOf(page)).toMatch(
      /^torture\.map was compiled for Quake 1 \(BSP 29\)Its text looks made for /,
    );
    expect(await page.evaluate(() => window.bspkitPlayground!.view)).toEqual({
      position: [1, 2, 3],
      yaw: 4,
      pitch: 5,
    });
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
    await drop(setup.page, 'large.map', strToU8(large));
    await drop(setup.page, 'small.bsp', arenaQuake3());
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'small.bsp', undefined, {
      timeout: 10_000,
    });
    // Nor is it said to be on its way.
    const said = setup.page.locator('footer [role=status]');
    await drop(setup.page, 'large.map', strToU8(large));
    await said.getByText('Opening large.map…').waitFor();
    await setup.follow('#file=small.bsp&color=slope');
    await said.getByText(/^small\.bsp: /).waitFor();
  });

  setup.saysNothing();
});
