import { existsSync, readFileSync } from 'node:fs';
import { compileMap, roomBrushes } from '@bspkit/compile';
import { describe, expect, it } from 'vitest';
import { nearestCell, wayTo } from '../../src/tools/paths/routes.ts';
import { CHROMIUM, drop, goTo, newUser, openPage } from '../browser.ts';
import { setUpPage, show } from '../page-setup.ts';
import { openFixture } from './maps.ts';
import { BOX, toolPage } from './tool-page.ts';

describe.runIf(existsSync(CHROMIUM))(`the tools in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 900, height: 560 } });
  const { openTool, stateOf, answerOf, outcomeOf, saidOf, shot } = toolPage(setup);

  it('says in the status line what the tool at hand has to say', async () => {
    const { page } = setup;
    const summary = /^arena: Quake 3 \(IBSP 46\), [\d,]+ triangles\.$/;
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    expect(await saidOf()).toBe(`${await outcomeOf()}.`);
    await page.locator('.view canvas').focus();
    await page.keyboard.press('3');
    await page.locator('.tool-table, .tool-checks').first().waitFor();
    expect(await saidOf()).toMatch(summary);
    await page.keyboard.press('2');
    await page.locator('.tool-step-title').waitFor();
    expect(await saidOf()).toMatch(/^Stopped after /);
    await page.keyboard.press('2');
    expect(await saidOf()).toMatch(summary);
    // A move that is dragged has another answer. The address may still be the one from above, and would then not change.
    await openTool('arena', 'quake3', 'shoot', { q: BOX }, '&mode=orbit');
    const box = (await page.getByRole('button', { name: /^End of the move/ }).boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y + 20);
    await page.mouse.up();
    expect(await saidOf()).toBe(`${await outcomeOf()}.`);
    // What is wrong with a link is more than what comes of another move.
    await openTool('arena', 'quake3', 'shoot', { q: 'sphere:-8;0,0,0;1,1,1' });
    expect(await saidOf()).toMatch(/^The move in the link cannot be used/);
  });

  it('says where its words are explained', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'explain', { q: BOX });
    const glossary = readFileSync(new URL('../../../docs/guides/glossary.md', import.meta.url), 'utf8');
    const title = /^title: (.*)$/m.exec(glossary)![1];
    expect(await page.getByRole('link', { name: 'Glossary' }).getAttribute('href')).toMatch(
      new RegExp(`/documents/${title}\\.html$`),
    );
  });

  it('does by a key what a tap in the middle of the view does', async () => {
    const { page } = setup;
    const said = page.locator('footer [role=status]');
    await openTool('arena', 'quake3', 'edit', undefined, '&mode=orbit&view=0,0,800,90,80');
    await page.locator('.view canvas').focus();
    await page.keyboard.press('g');
    expect(await said.textContent()).toMatch(/^Found it on line \d+\.$/);
    const line = Number(/\d+/.exec((await said.textContent())!)![0]);
    const text = await page
      .locator('textarea')
      .evaluate((area) =>
        (area as HTMLTextAreaElement).value.slice(0, (area as HTMLTextAreaElement).selectionStart),
      );
    expect(text.split('\n')).toHaveLength(line);
    await openTool(
      'house',
      'ufoai',
      'sight',
      { from: [124, 130, 2], to: [134, 132, 2] },
      '&mode=orbit&view=0,0,800,90,80',
    );
    // The game's rules come after the tool.
    await page.waitForFunction(() => document.querySelector('.tool-outcome')!.textContent !== '');
    await page.locator('.view canvas').focus();
    await page.keyboard.press('g');
    expect(await said.textContent()).toBe(`${await outcomeOf()}.`);
    expect((await stateOf()).to).not.toEqual([134, 132, 2]);
    // Into the sky.
    await openTool('arena', 'quake3', 'edit', undefined, '&mode=orbit&view=0,0,9000,90,-80');
    await page.locator('.view canvas').focus();
    await page.keyboard.press('g');
    expect(await said.textContent()).toBe('There is nothing for this tool in the middle of the view.');
  });

  it('looks from cell to cell', async () => {
    const { page } = setup;
    const cells = { from: [124, 130, 2], to: [134, 132, 2] };
    await openTool('house', 'ufoai', 'sight', cells);
    await page.waitForFunction(() => document.querySelector('.tool-outcome')!.textContent === 'Not seen');
    for (const level of [3, 4, 5, 6, 7, 8])
      await page.getByRole('checkbox', { name: String(level) }).uncheck();
    expect(await outcomeOf()).toBe('Seen');
    expect(await stateOf()).toMatchObject({ ...cells, levels: 3 });
    await shot('sight');
  });

  it('shows where one can go, and the way to the cell under the pointer', async () => {
    const { page } = setup;
    const state = { from: [48, 48, 4], to: [368, 80, 4], limit: 40, size: 1 };
    await openTool('house', 'ufoai', 'paths', state, '&cut=64&mode=orbit');
    // Our own map comes without a table: a worker makes it.
    await page.waitForFunction(() => document.querySelector('.tool-outcome')!.textContent !== '');
    const { format, file } = await openFixture('house', 'ufoai');
    const cells = format.routing!.cells(format.routing!.compute(file));
    const reach = cells.reach(nearestCell(cells, state.from), { limit: 40 });
    const outcome = (to: number): string =>
      `${reach.costs[to]} time units, ${wayTo(reach, to).length - 1} steps`;
    expect(await outcomeOf()).toBe(outcome(nearestCell(cells, state.to)));
    expect(await page.getByRole('group', { name: 'Path', exact: true }).count()).toBe(1);
    const within = reach.costs.filter((cost) => cost >= 0).length;
    expect(await answerOf()).toMatchObject({
      from: '48 48 4',
      'cells in reach': `${within} of ${cells.ways.length}`,
      table: 'computed here',
    });
    await shot('paths');
    // The start is where the handle is; from there the pointer moves some cells over the ground.
    const handle = page.getByRole('button', { name: /^Start of the paths/ });
    const box = (await handle.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2 + 50, box.y + box.height / 2 - 30);
    await expect.poll(async () => (await stateOf()).to).not.toEqual(state.to);
    const to = ((await stateOf()).to as number[])!;
    expect(await outcomeOf()).toBe(outcome(nearestCell(cells, to)));
    expect(await saidOf()).toBe(`${await outcomeOf()}.`);
    // A click there starts from it, arrow keys go to the next cell.
    await page.mouse.down();
    await page.mouse.up();
    expect((await stateOf()).from).toEqual(to);
    expect(await saidOf()).toBe('The start.');
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    const next = (await stateOf()).from as number[];
    expect(Math.hypot(next[0]! - to[0]!, next[1]! - to[1]!)).toBe(32);
    // Crouched, every step costs more; two cells need more room.
    await page.getByLabel('Posture').selectOption('crouched');
    await page.getByLabel('Who walks').selectOption('2');
    const large = format.routing!.cells(format.routing!.compute(file), 2);
    const own = (await stateOf()) as { from: number[]; crouched?: boolean };
    const crouched = large.reach(nearestCell(large, own.from), { limit: 40, crouched: true });
    expect(own.crouched).toBe(true);
    expect((await answerOf())['cells in reach']).toBe(
      `${crouched.costs.filter((cost) => cost >= 0).length} of ${large.ways.length}`,
    );
  });

  it('keeps what was asked for in a map that has no room for the larger ones', async () => {
    const { page } = setup;
    await setup.show('#map=house&format=ufoai');
    // As high as the game looks: nobody stands on its roof.
    const entities = [
      {
        properties: { classname: 'worldspawn' },
        brushes: roomBrushes([0, 0, 0], [192, 32, 496], 16),
      },
      { properties: { classname: 'info_player_start', origin: '48 16 24' } },
    ];
    const { bytes } = compileMap({ entities }, { format: 'ufoai' });
    await drop(page, 'corridor.bsp', bytes);
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'corridor.bsp');
    await page.getByRole('button', { name: 'Paths' }).click();
    const size = page.getByLabel('Who walks');
    await size.waitFor();
    await page.getByRole('slider', { name: 'Time units' }).fill('7');
    const small = await stateOf();
    expect(small).toMatchObject({ size: 1, limit: 7 });
    await size.selectOption('2');
    await page.getByText('This map has no cell in which such an actor can stand.').waitFor();
    await page.getByLabel('Posture').selectOption('crouched');
    expect(await stateOf()).toEqual({ ...small, size: 2, crouched: true });
    await size.selectOption('1');
    expect(await stateOf()).toEqual({ ...small, crouched: true });
  });

  it('says so when a tool cannot be loaded, and loads it with a new page', async () => {
    const { browser, site } = setup;
    const own = await newUser(browser);
    const { page: view } = await openPage(own);
    const errors: string[] = [];
    view.on('pageerror', ({ message }) => errors.push(message));
    let cut: RegExp | undefined;
    await own.route('**/assets/*', (route) =>
      cut?.test(route.request().url()) ? route.abort() : route.continue(),
    );
    await goTo(view, site.url);
    const problem = view.getByRole('alert').filter({ hasText: 'It could not be loaded.' });
    for (const [title, map, lost, isReloaded] of [
      ['Shoot', '#map=arena&format=quake3', /\.css$/, true],
      // Nothing but what the tool needs for the game.
      ['Hulls', '#map=arena&format=quake1', /\/quake1-[^/]*\.js$/, false],
      ['Sight', '#map=house&format=ufoai', /\/ufoai-[^/]*\.js$/, false],
      ['Compare', '#map=arena&format=quake3', /\.js$/, true],
    ] as const) {
      await show(view, map);
      expect(await problem.count()).toBe(0);
      cut = lost;
      await view.getByRole('button', { name: title }).click();
      await problem.waitFor();
      if (title === 'Compare') await shot('lost', view);
      // The address follows soon after.
      const link = `tool=${title.toLowerCase()}`;
      await view.waitForFunction((part) => location.hash.includes(part), link);
      cut = undefined;
      if (!isReloaded) continue;
      // What could not be loaded is what the browser remembers: a new page is needed, which opens the same tool.
      await view.getByRole('button', { name: 'Reload the page' }).click();
      await problem.waitFor({ state: 'detached' });
      await view.locator('.panel-body .tool-field').first().waitFor();
      expect(await view.locator('#tool-title').textContent()).toBe(title);
      const body = view.locator('.panel-body');
      expect(await body.evaluate((element) => getComputedStyle(element).flexDirection)).toBe('column');
    }
    expect(errors).toEqual([]);
    await own.close();
  });

  it.each([
    ['arena', 'quake3', 'shoot', true],
    ['arena', 'quake3', 'explain', false],
    ['arena', 'quake3', 'compare', false],
    ['arena', 'quake3', 'edit', true],
    ['arena', 'quake1', 'hulls', false],
    ['house', 'ufoai', 'sight', true],
    ['house', 'ufoai', 'paths', true],
  ] as const)(
    'leaves nothing behind in the view as it is closed: %s, %s, %s',
    async (map, format, tool, hasHandles) => {
      const { page } = setup;
      await openTool(map, format, tool);
      const handles = page.locator('.overlay *');
      await expect.poll(async () => (await handles.count()) > 0).toBe(hasHandles);
      await page.getByRole('button', { name: 'Close tool' }).click();
      expect(await handles.count()).toBe(0);
      expect(await page.locator('.panel').isVisible()).toBe(false);
    },
  );

  setup.saysNothing();
});
