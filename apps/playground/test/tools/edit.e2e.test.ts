import { existsSync } from 'node:fs';
import { fixtureText } from '@bspkit/fixtures';
import { capitalized, outcomeText } from '@bspkit/words';
import { describe, expect, it } from 'vitest';
import { createTracer } from '../../src/tools/query/query.ts';
import { CHROMIUM, drop } from '../browser.ts';
import { setUpPage } from '../page-setup.ts';
import { openText } from './maps.ts';
import { toolPage } from './tool-page.ts';

describe.runIf(existsSync(CHROMIUM))(`the editor in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 900, height: 560 } });
  const { openTool, shot } = toolPage(setup);

  it('shows the sides of brushes in whole lines on a large screen', async () => {
    const { page } = setup;
    await setup.resize(1440, 900);
    await openTool('arena', 'quake3', 'edit');
    const sides = fixtureText('arena')
      .split('\n')
      .filter((line) => line.startsWith('('));
    const longest = Math.max(...sides.slice(0, 100).map((line) => line.length));
    const columns = await page.locator('.tool-editor-area').evaluate((area: HTMLElement) => {
      const { font, paddingLeft } = getComputedStyle(area);
      const context = document.createElement('canvas').getContext('2d')!;
      context.font = font;
      return (area.clientWidth - 2 * Number.parseFloat(paddingLeft)) / context.measureText('0').width;
    });
    expect(columns).toBeGreaterThanOrEqual(longest);
    await setup.resize(900, 560);
  });

  it('compiles what is typed, retraces, and underlines mistakes', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'edit', { q: 'ray;0,-200,100;0,-200,-100' });
    const outcome = page.locator('.tool-outcome');
    const first = await outcome.textContent();
    expect(first).toBe('Stopped after 99.87 of 200 units');
    // The floor below, found by its top as the compiler's source has it.
    const text = fixtureText('arena');
    const top = '( -512 -512 0 ) ( -512 128 0 ) ( 512 128 0 )';
    const line = text.slice(0, text.indexOf(top)).split('\n').length;
    await page.evaluate((at) => {
      const area = document.querySelector('textarea')!;
      area.focus();
      area.setSelectionRange(at, at);
    }, text.indexOf(top) + 5);
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await page.waitForFunction(() => document.querySelector('.tool-outcome')!.textContent!.includes('91.8'));
    const raised = top.replaceAll(' 0 )', ' 8 )');
    const edited = text.replace(top, raised);
    expect(await page.locator('textarea').inputValue()).toBe(edited);
    const changes = [[line, edited.split('\n')[line - 1]]];
    await page.waitForFunction(
      (lines) => decodeURIComponent(location.hash).includes(`lines=${lines}`),
      JSON.stringify(changes),
    );
    const { format, world } = await openText(edited, 'quake3');
    const ray = createTracer(format, world, { kind: 'ray', size: [], options: {} });
    expect(await outcome.textContent()).toBe(
      capitalized(outcomeText(ray.trace([0, -200, 100], [0, -200, -100]), 200)),
    );
    await shot('edit');

    const map = await page.evaluate(() => window.bspkitPlayground!.map);
    await page.keyboard.press('Home');
    await page.keyboard.type('( wrong');
    const problem = page.locator('.tool-problem');
    await problem.waitFor();
    expect(await problem.textContent()).toContain(`Line ${line}`);
    const mark = await page.locator('.tool-editor-error').evaluate((error) => ({
      text: error.textContent,
      line: Number.parseFloat((error as HTMLElement).style.top) + 1,
      under: getComputedStyle(error).textDecorationLine,
    }));
    expect(mark).toEqual({ text: `( wrong${edited.split('\n')[line - 1]}`, line, under: 'underline' });
    expect(await page.evaluate(() => window.bspkitPlayground!.map)).toEqual(map);
    expect(await outcome.textContent()).toContain('91.8');
    for (let k = 0; k < '( wrong'.length; k++) await page.keyboard.press('Backspace');
    await problem.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+z');
  });

  it('draws edited maps by the programs that are on the graphics card already', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'edit', { q: 'ray;0,-200,100;0,-200,-100' });
    await page.evaluate(() => {
      const { prototype } = WebGL2RenderingContext;
      const { linkProgram } = prototype;
      document.body.dataset.links = '0';
      prototype.linkProgram = function (program) {
        document.body.dataset.links = String(Number(document.body.dataset.links) + 1);
        linkProgram.call(this, program);
      };
    });
    await page.locator('textarea').press('Control+Home');
    await page.keyboard.insertText('// mine');
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    await setup.resize(899, 560);
    expect(await page.evaluate(() => document.body.dataset.links)).toBe('0');
    await setup.resize(900, 560);
  });

  it('says that there is no compiler, also where nothing has been typed yet', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot');
    await page.evaluate(() => {
      Worker.prototype.postMessage = () => {
        throw new Error('nobody is there');
      };
    });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('.tool-problem').getByText('Nobody is there').waitFor();
    await page.reload();
  });

  it('keeps what is typed faster than maps are made of it', async () => {
    const { page, context } = setup;
    await openTool('arena', 'quake3', 'edit');
    const area = page.locator('textarea');
    const first = await area.inputValue();
    const machine = await context.newCDPSession(page);
    await machine.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await area.press('Control+Home');
    const typed = '// abcdefghij';
    await page.keyboard.type(typed, { delay: 50 });
    await page.keyboard.press('Enter');
    await machine.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.waitForFunction(
      (text) => location.hash.includes('tool=edit') && document.querySelector('textarea')!.value === text,
      `${typed}\n${first}`,
    );
    await page.getByRole('button', { name: 'Revert' }).click();
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    expect(await area.inputValue()).toBe(first);
  });

  it('takes back what was said of the text that was opened, once there is another', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot');
    // Without the floor to the north.
    const text = fixtureText('arena').replace(/\/\/ brush 1\n\{[^}]*\}\n/, '');
    await drop(page, 'leaks.map', new TextEncoder().encode(text));
    const notice = page
      .locator('.notice')
      .filter({ hasText: 'leaks.map was compiled for Quake 3 (IBSP 46), with warnings' });
    await notice.waitFor();
    await page.locator('.view canvas').focus();
    await page.keyboard.press('4');
    const warnings = page.locator('.tool-warnings');
    await warnings.getByText('the map leaks').waitFor();
    expect(await notice.isVisible()).toBe(true);
    // A bullet stands on the baseline of its item: that of the first of several lines.
    const { baseline, height } = await warnings
      .locator('li')
      .first()
      .evaluate((item) => {
        const probe = document.createElement('i');
        probe.style.display = 'inline-block';
        item.prepend(probe);
        const { top, height } = item.querySelector('button')!.getBoundingClientRect();
        const baseline = probe.getBoundingClientRect().bottom - top;
        probe.remove();
        return { baseline, height };
      });
    expect(height).toBeGreaterThan(30);
    expect(baseline).toBeLessThan(height / 2);
    await page.locator('textarea').press('Control+Home');
    await page.keyboard.insertText('// still');
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    await notice.waitFor({ state: 'hidden' });
    // Where it begins in the text is a click away.
    const leak = warnings.getByRole('button', { name: 'the map leaks' });
    const line = Number(/^Line (\d+)/.exec((await leak.textContent())!)![1]);
    await leak.click();
    const before = await page.locator('textarea').evaluate((area) => {
      const { value, selectionStart } = area as HTMLTextAreaElement;
      return value.slice(0, selectionStart);
    });
    expect(before.split('\n')).toHaveLength(line);
    await page.getByRole('button', { name: 'Revert' }).click();
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
  });

  it('leaves what was said of other files, though the text is another one by then', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'edit');
    await drop(page, 'odd.bsp', new TextEncoder().encode('odd'));
    const notice = page.locator('.notice').filter({ hasText: 'odd.bsp could not be opened' });
    await notice.waitFor();
    await page.locator('textarea').press('Control+Home');
    await page.keyboard.insertText('// mine');
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
    expect(await notice.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Close message' }).click();
    await page.getByRole('button', { name: 'Revert' }).click();
    await page.waitForFunction(() => !location.hash.includes('lines='));
  });

  it('keeps what was edited when the map is opened in another game', async () => {
    const { page } = setup;
    const area = page.locator('textarea');
    const choose = async (format: string): Promise<void> => {
      await page.getByRole('button', { name: /^Map:/ }).click();
      await page.locator(`[data-map=arena][data-format=${format}]`).click();
      await page.waitForFunction((to) => window.bspkitPlayground!.map?.format === to, format);
    };
    const compiled = page.locator('.panel .tool-hint').getByText('Compiled');
    await openTool('arena', 'quake3', 'edit');
    const first = await area.inputValue();
    // A link can hold one of them, and not the other, which has another number of lines.
    for (const typed of ['// mine', '// mine\n']) {
      await area.press('Control+Home');
      await page.keyboard.insertText(typed);
      await compiled.waitFor();
      await choose('quake2');
      expect(await area.inputValue()).toBe(typed + first);
      await choose('quake1');
      expect(await area.inputValue()).toBe(typed + first);
      // As it came it is a button away, and where it is chosen in the game that it is open in.
      await page.getByRole('button', { name: 'Revert' }).click();
      await compiled.waitFor();
      await choose('quake3');
      expect(await area.inputValue()).toBe(first);
    }
  });

  it('undoes, redoes and reverts by buttons', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'edit');
    const area = page.locator('textarea');
    const first = await area.inputValue();
    await area.press('Control+Home');
    // In one piece, as one Undo takes it back: what is typed, browsers divide as they see fit.
    await page.keyboard.insertText('// mine');
    const changed = `// mine${first}`;
    const press = async (name: string): Promise<string> => {
      await page.getByRole('button', { name, exact: true }).click();
      return area.inputValue();
    };
    expect(await press('Undo')).toBe(first);
    expect(await press('Redo')).toBe(changed);
    expect(await press('Revert')).toBe(first);
    expect(await press('Undo')).toBe(changed);
    await press('Revert');
    await page.locator('.panel .tool-hint').getByText('Compiled').waitFor();
  });

  it('takes a map of another game for another one, though its text is the same', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'edit');
    const area = page.locator('textarea');
    const status = page.locator('.panel .tool-hint');
    const first = await area.inputValue();
    const compiled = (text: string) =>
      page.waitForFunction(
        (lines) => decodeURIComponent(location.hash).includes('lines=') === lines,
        text !== first,
      );
    await area.press('Control+Home');
    await page.keyboard.insertText('// mine');
    await compiled('');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await compiled(first);
    // What does not compile stays with the game that it was typed in.
    await area.press('Control+Home');
    await page.keyboard.insertText('( wrong');
    await page.locator('.tool-problem').waitFor();
    await page.getByRole('button', { name: /^Map:/ }).click();
    await page.locator('[data-map=arena][data-format=quake2]').click();
    await page.waitForFunction(() => window.bspkitPlayground!.map?.format === 'quake2');
    expect(await area.inputValue()).toBe(first);
    expect(await status.textContent()).toBe('Click a surface to find it in the text.');
    expect(await page.locator('.tool-problem').isVisible()).toBe(false);
    await page.goBack();
    await expect.poll(() => area.inputValue()).toBe(`( wrong${first}`);
    await page.locator('.tool-problem').waitFor();
    await page.getByRole('button', { name: 'Revert' }).click();
    await status.getByText('Compiled').waitFor();
  });

  it('changes the map as a link of an edit says', async () => {
    const { page } = setup;
    const text = fixtureText('arena').split('\n');
    const at = text.findIndex((line) => line.startsWith('( -512 -512 0 ) ( -512 128 0 ) ( 512 128 0 )'));
    const raised = text[at]!.replaceAll(' 0 )', ' 16 )');
    await openTool('house', 'ufoai', 'edit');
    // Whatever the tool is.
    const lines = `&lines=${encodeURIComponent(JSON.stringify([[at + 1, raised]]))}`;
    for (const tool of ['edit', 'shoot']) {
      await openTool('arena', 'quake3', tool, { q: 'ray;0,-200,100;0,-200,-100' }, lines);
      await page.waitForFunction(() =>
        document.querySelector('.tool-outcome')?.textContent?.includes('83.8'),
      );
    }
    // What does not compile is said, and the map is as it came.
    const broken = `&lines=${encodeURIComponent(JSON.stringify([[at + 1, '( oops']]))}`;
    await openTool('arena', 'quake3', 'shoot', { q: 'ray;0,-200,100;0,-200,-100' }, broken);
    await page.getByText('The changes in this link do not compile').waitFor();
    // A link without them shows the map as it came.
    await openTool('arena', 'quake3', 'shoot', { q: 'ray;0,-200,100;0,-200,-100' });
    await page.waitForFunction(() => document.querySelector('.tool-outcome')?.textContent?.includes('99.8'));
  });

  setup.saysNothing();
});
