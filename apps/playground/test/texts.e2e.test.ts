import { existsSync } from 'node:fs';
import { boxBrush, compileMap, formatMap, parseMap, roomBrushes } from '@bspkit/compile';
import { fixtureText } from '@bspkit/fixtures';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, drop, dropAll, noticeOf, pasteOver } from './browser.ts';
import { setUpPage } from './page-setup.ts';

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`texts in the page, in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage();

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
    const slider = page.locator('#cut');
    for (const [name, bytes] of [
      ['file.bsp', compileMap(source, { format: 'quake2' }).bytes],
      ['text.map', strToU8(fixtureText('torture'))],
      ['house.map', strToU8(fixtureText('house'))],
    ] as const) {
      await drop(page, name, bytes);
      await page.waitForFunction((name) => window.bspkitPlayground!.map?.name === name, name);
      cuts.push(await page.locator('output[for=cut]').textContent());
      // For those who do not see it, the slider would have the number of its step.
      expect(await slider.getAttribute('aria-valuetext')).toBe(cuts.at(-1));
    }
    // In a file of a game, ceilings are seen from inside alone. Who starts before a house sees all of it.
    expect(cuts).toEqual(['off', expect.stringMatching(/^z = \d+$/), 'all']);
    expect(await page.evaluate(() => window.bspkitPlayground!.link())).not.toContain('cut=');
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
    // What is said of another file begins apart from what can be done about this one.
    await dropAll(setup.page, { 'open.map': strToU8(text), 'note.txt': strToU8('x') });
    await setup.page.getByText('Left out: note.txt').waitFor();
    const [offers, next] = await Promise.all(
      [setup.page.locator('.notice .chips'), setup.page.getByText('Left out: note.txt')].map((part) =>
        part.boundingBox(),
      ),
    );
    expect(next!.y - offers!.y - offers!.height).toBeGreaterThan(8);
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

  setup.saysNothing();
});
