import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { arenaQuake1, arenaQuake3, fixtureText } from '@bspkit/fixtures';
import { writePak } from '@bspkit/testkit/pak';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { AS_IT_IS, CHROMIUM, drop, noticeOf } from './browser.ts';
import { setUpPage } from './page-setup.ts';

const OUTPUT = fileURLToPath(new URL('../test-output/', import.meta.url));

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`links of the page, in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage();

  it('opens what a link says, and writes it again', async () => {
    const hash =
      '#map=house&format=ufoai&mode=fly&view=100,-200,96.5,30,12&color=contents&show=hidden&cut=128';
    await setup.follow(hash);
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    await setup.page.waitForFunction(() => window.bspkitPlayground!.mode === 'fly');
    expect(await setup.page.evaluate(() => window.bspkitPlayground!.link())).toBe(hash);
    const cut = () => setup.page.locator('output[for=cut]').textContent();
    expect(await cut()).toBe('1 to 2');
    await setup.page.screenshot({ ...AS_IT_IS, path: `${OUTPUT}/house.png` });
    // Within the fourth level.
    await setup.show('#map=arena&format=ufoai');
    expect(await cut()).toBe('z = 224');
  });

  it('opens a link as a new page does, whatever was set before', async () => {
    await setup.follow('#map=arena&format=quake3&mode=walk&color=slope&show=sky&cut=all&tool=shoot');
    await setup.page.waitForFunction(() => window.bspkitPlayground!.tool === 'shoot');
    const plain = '#map=arena&format=quake3&mode=orbit&view=-900,-1800,2200,56,44';
    await setup.follow(plain);
    await setup.page.waitForFunction(() => window.bspkitPlayground!.mode === 'orbit');
    expect(await setup.page.evaluate(() => window.bspkitPlayground!.link())).toBe(plain);
    // What the address said before is followed again.
    await setup.page.goBack();
    // A tool is open before it has loaded its part of the link.
    await expect
      .poll(() => setup.page.evaluate(() => window.bspkitPlayground!.link()))
      .toMatch(/mode=walk&.*&color=slope&show=sky&cut=all&tool=shoot&/);
  });

  it('opens a link without a view as a new page does, where the panel of a tool made the view upright', async () => {
    const { page } = setup;
    const size = page.viewportSize()!;
    await setup.resize(900, 700);
    const plain = '#map=arena&format=quake3';
    await setup.show(plain);
    const view = () => page.evaluate(() => window.bspkitPlayground!.view);
    const before = await view();
    await setup.show(`${plain}&tool=shoot`);
    const beside = await view();
    await setup.show(`${plain}&mode=fly`);
    await setup.show(plain);
    expect(await view()).toEqual(before);
    // With the tool, too, whose panel was there when the link was followed.
    await setup.show(`${plain}&tool=shoot`);
    await setup.show(`${plain}&tool=explain`);
    expect(await view()).toEqual(beside);
    await setup.show(plain);
    expect(await view()).toEqual(before);
    await setup.resize(size.width, size.height);
  });

  it('goes around what a link shows, not what was seen before', async () => {
    const { page } = setup;
    await setup.show('#map=arena&format=quake3&mode=fly&view=0,-256,60,90,89');
    await setup.show('#map=arena&format=quake3&mode=orbit&view=-900,-1800,2200,56,44');
    const eye = () => page.evaluate(() => window.bspkitPlayground!.view.position);
    const from = await eye();
    await page.mouse.move(400, 300);
    await page.mouse.wheel(0, -200);
    // A quarter of the way to the floor, which is some 3,000 units away.
    await expect
      .poll(async () => Math.hypot(...(await eye()).map((x, k) => x - from[k]!)))
      .toBeGreaterThan(500);
  });

  it('takes back what it said of a link when the next one is followed', async () => {
    await setup.follow(`#map=arena&format=quake3&lines=${encodeURIComponent('[[8,"( broken"]]')}`);
    expect(await noticeOf(setup.page)).toContain('The changes in this link do not compile');
    await setup.follow('#map=arena&format=quake3');
    await setup.page.getByRole('alert').waitFor({ state: 'hidden' });
    await setup.follow(`#map=arena&format=quake3&lines=${encodeURIComponent('[[99999,""]]')}`);
    expect(await noticeOf(setup.page)).toContain('It changes lines that the map does not have');
    await setup.follow('#map=arena&format=quake3');
    await setup.page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  it('survives links that no page wrote', async () => {
    await setup.follow(`#map=arena&format=quake1&tool=hulls&state=${encodeURIComponent('{"hull":1.5}')}`);
    await setup.page
      .getByRole('status')
      .getByText(/\d faces: the map grown by the box/)
      .waitFor();
    // Nor do values that cannot be converted to text or numbers break a tool.
    const odd = { toString: 1, valueOf: 1 };
    for (const [tool, map, state] of [
      ['explain', 'map=arena&format=quake3', { r: odd, s: odd }],
      ['compare', 'map=arena&format=quake3', { count: odd, tracers: [odd], role: odd }],
      ['sight', 'map=house&format=ufoai', { clips: [odd], levels: odd }],
      ['paths', 'map=house&format=ufoai', { from: odd, limit: odd, size: odd }],
    ] as const) {
      await setup.show(`#${map}&tool=${tool}&state=${encodeURIComponent(JSON.stringify(state))}`);
      expect(await setup.page.getByRole('alert').filter({ hasText: 'could not' }).count()).toBe(0);
    }
    await setup.page.getByRole('button', { name: 'Close tool' }).click();
  });

  it('writes and reads for which game a text was compiled', async () => {
    // It has curves, as only one game's maps have.
    const text = strToU8(fixtureText('arena'));
    await drop(setup.page, 'own.map', text);
    await setup.page.getByRole('alert').getByRole('button', { name: 'Quake 2' }).click();
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'quake2');
    const link = await setup.page.evaluate(() => window.bspkitPlayground!.link());
    expect(link).toMatch(/^#file=own\.map&format=quake2&/);
    // Whoever gets the link may look at something of another game.
    await setup.follow('#map=house&format=ufoai');
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    await setup.follow(link);
    expect(await noticeOf(setup.page)).toContain('This link is for own.map');
    await drop(setup.page, 'own.map', text);
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'own.map');
    expect(await setup.map()).toMatchObject({ format: 'quake2' });
  });

  it.each([
    ['map=nope&format=quake2', 'a map that this page does not have: nope. Here is the arena.'],
    ['map=arena&format=nope', 'a game that this page does not know: nope. Here is Quake 3.'],
    ['map=arena&format=quake3&tool=nope', 'a tool that this page does not have: nope.'],
    ['map=arena&format=quake3&tool=hulls', 'Hulls: this map has no clip hulls.'],
    ['map=arena&format=quake3&mode=swim&tool=shoot&state={', 'Parts that cannot be read: mode, state.'],
    ['map=arena&format=quake3&show=sky,nope&cut=', 'Parts that cannot be read: cut, show.'],
    ['map=arena&format=quake3&mode=walk&view=9000,0,100,0,0', 'Nobody can walk from the link’s viewpoint.'],
  ])('says what of %s it cannot show', async (hash, problem) => {
    await setup.follow('#map=house&format=ufoai');
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'ufoai');
    await setup.follow(`#${hash}`);
    expect(await noticeOf(setup.page)).toContain('Not all of this link can be shown');
    expect(await noticeOf(setup.page)).toContain(problem);
    await setup.follow('#map=arena&format=quake3');
    await setup.page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  it('says that a file is not the one of the link', async () => {
    await setup.follow('#file=dm1.bsp&mode=fly&view=10,20,30,40,5');
    expect(await noticeOf(setup.page)).toContain('This link is for dm1.bsp');
    await drop(setup.page, 'dm2.bsp', arenaQuake1());
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'dm2.bsp');
    expect(await noticeOf(setup.page)).toMatch(/^This is not dm1\.bsp.*does not hold for dm2\.bsp/);
    // The link is still there.
    await setup.page.goBack();
    await setup.page.getByText('This link is for dm1.bsp').waitFor();
    await setup.follow('#map=arena&format=quake3');
    await setup.page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  it('keeps what is changed in the map that stands in for a file', async () => {
    await setup.follow('#file=dm1.bsp&format=quake2');
    expect(await noticeOf(setup.page)).toContain('This link is for dm1.bsp');
    await setup.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = setup.page.getByRole('textbox', { name: 'Text of the map' });
    await editor.press('Control+Home');
    await setup.page.keyboard.type('( wrong');
    await setup.page.getByRole('alert').waitFor({ state: 'hidden' });
    expect(await setup.page.evaluate(() => location.hash)).toMatch(/^#map=arena&format=quake2&/);
    await setup.page.goBack();
    await setup.page.getByText('This link is for dm1.bsp').waitFor();
    await setup.page.goForward();
    await expect.poll(() => editor.inputValue()).toMatch(/^\( wrong/);
    await editor.press('Control+Home');
    for (let k = 0; k < '( wrong'.length; k++) await setup.page.keyboard.press('Delete');
    await setup.page.locator('.tool-problem').waitFor({ state: 'hidden' });
    await setup.page.getByRole('button', { name: 'Close tool' }).click();
  });

  it('says what a copied link does not contain', async () => {
    const { page } = setup;
    await setup.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = async (): Promise<string> => {
      const said = page.locator('footer [role=status]');
      // Something else is said before.
      await page.evaluate(() => document.dispatchEvent(new Event('pointerlockerror')));
      const before = await said.textContent();
      await page.getByRole('button', { name: 'Copy a link to this view' }).click();
      await expect.poll(() => said.textContent()).not.toBe(before);
      // Also where whoever pressed the button looks.
      expect(await page.locator('.said-below').textContent()).toBe(await said.textContent());
      await page.locator('.said-below').waitFor();
      return (await said.textContent())!;
    };
    await setup.follow('#map=arena&format=quake3&tool=edit');
    const editor = page.getByRole('textbox', { name: 'Text of the map' });
    await editor.waitFor();
    expect(await copy()).toBe('Copied the link.');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toBe(page.url());
    // Also where the browser takes no more changes of the address, as it does after many shots.
    await page.evaluate(() => {
      history.replaceState = () => {
        throw new DOMException('too many calls', 'SecurityError');
      };
      window.bspkitPlayground!.setView({ position: [9, 8, 7], yaw: 6, pitch: 5 });
    });
    expect(await copy()).toBe('Copied the link.');
    expect(await copied()).toContain('view=9,8,7,6,5');
    expect(page.url()).not.toContain('view=9,8,7,6,5');
    await page.evaluate(() => Reflect.deleteProperty(history, 'replaceState'));
    await page.mouse.click(400, 300);
    await page.locator('.said-below').waitFor({ state: 'hidden' });
    // A line more is more than links hold; what does not compile is in none.
    for (const [key, typed, shown] of [
      ['Control+End', '\n', page.locator('.panel .tool-hint').getByText('Compiled')],
      ['Control+Home', '( wrong', page.locator('.tool-problem')],
    ] as const) {
      await editor.press(key);
      // In one piece, as one Undo takes it back: what is typed, browsers divide as they see fit.
      await page.keyboard.insertText(typed);
      await shown.waitFor();
      expect(await copy()).toMatch(/^Copied the link\. It cannot hold all of your changes/);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.locator('.tool-problem').waitFor({ state: 'hidden' });
    }
    await drop(page, 'copied.bsp', arenaQuake3());
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'copied.bsp');
    expect(await copy()).toMatch(/^Copied the link\. It does not contain your file/);
    await setup.follow('#map=arena&format=quake3');
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'arena');
  });

  it('waits for the file of a link no longer when another link is followed', async () => {
    await setup.follow('#file=mine.bsp');
    expect(await noticeOf(setup.page)).toContain('This link is for mine.bsp');
    await setup.follow('#map=arena&format=quake3');
    await setup.page.getByRole('alert').waitFor({ state: 'hidden' });
    const link = await setup.page.evaluate(() => {
      window.bspkitPlayground!.setMode('fly');
      return window.bspkitPlayground!.link();
    });
    expect(link).toMatch(/^#map=arena&format=quake3&mode=fly&/);
  });

  it('tells whose file a link is about', async () => {
    await setup.follow('#file=mine.bsp&mode=fly&view=10,20,30,40,5');
    expect(await noticeOf(setup.page)).toContain('This link is for mine.bsp');
    // It still is after something that could not be opened, and phones have nothing to drop.
    await drop(setup.page, 'notes.txt', strToU8('see mine.bsp'));
    await setup.page.getByText('notes.txt could not be opened', { exact: true }).waitFor();
    expect(await noticeOf(setup.page)).toContain('This link is for mine.bsp');
    const [chooser] = await Promise.all([
      setup.page.waitForEvent('filechooser'),
      setup.page.getByRole('alert').getByRole('button', { name: 'Open a file…' }).click(),
    ]);
    const buffer = Buffer.from(arenaQuake3());
    await chooser.setFiles({ name: 'mine.bsp', mimeType: 'application/octet-stream', buffer });
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'mine.bsp');
    await setup.page.waitForFunction(() => window.bspkitPlayground!.view.yaw === 40);
    expect(await setup.page.evaluate(() => window.bspkitPlayground!.view.position)).toEqual([10, 20, 30]);
    // Another link to it, while it is open, keeps it.
    await setup.follow('#file=mine.bsp&mode=fly&view=10,20,30,50,5');
    await setup.page.waitForFunction(() => window.bspkitPlayground!.view.yaw === 50);
    expect(await setup.map()).toMatchObject({ name: 'mine.bsp' });
  });

  it.each([
    ['mine.bsp', 'mine.bsp.gz', gzipSync(arenaQuake3())],
    ['one.bsp', 'pack.pk3', zipSync({ 'maps/one.bsp': arenaQuake3() })],
    ['one.bsp', 'pak0.pak', writePak(['maps/one.bsp', arenaQuake3()])],
  ])('takes the %s of a link out of %s', async (file, name, bytes) => {
    await setup.follow(`#map=arena&format=quake1`);
    await setup.page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'quake1');
    await setup.follow(`#file=${file}&mode=fly&view=10,20,30,60,5`);
    expect(await noticeOf(setup.page)).toContain(`This link is for ${file}`);
    await drop(setup.page, name, bytes);
    await setup.page.waitForFunction(() => window.bspkitPlayground!.view.yaw === 60);
    expect(await setup.map()).toMatchObject({ name: file, format: 'quake3' });
  });

  setup.saysNothing();
});
