import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOutcome } from '@bspkit/bake/picture';
import { fixtureText } from '@bspkit/fixtures';
import { capitalized, outcomeText } from '@bspkit/words';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { placedValues } from '../../src/tools/bake/values.ts';
import { runContest } from '../../src/tools/compare/contest.ts';
import { boundsPlanes } from '../../src/tools/draw/polygons.ts';
import { Walk } from '../../src/tools/explain/walk.ts';
import { nearestCell, wayTo } from '../../src/tools/paths/routes.ts';
import { answerLines } from '../../src/tools/query/answer.ts';
import { createTracer, readQuery } from '../../src/tools/query/query.ts';
import { CHROMIUM, goTo, launch, openPage, type Site, serve } from '../browser.ts';
import { bakeCells } from './bakes.ts';
import { openFixture, openText } from './maps.ts';

const OUTPUT = fileURLToPath(new URL('../../test-output/', import.meta.url));

const BOX = 'box:-15,-15,-24,15,15,32;0,-256,56;300,300,40';

/** Names and values of the answer in the panel. */
const answerOf = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const names = [...document.querySelectorAll('.tool-fields dt')];
    return Object.fromEntries(names.map((name) => [name.textContent, name.nextElementSibling!.textContent]));
  });

const outcomeOf = async (page: Page): Promise<string> => (await page.locator('.tool-outcome').textContent())!;

describe.runIf(existsSync(CHROMIUM))(`the tools in a browser (${CHROMIUM})`, () => {
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let said: string[];
  let arena: OpenMap;

  /** Opens a tool by a link, on the same page. */
  const openTool = async (
    map: string,
    format: string,
    tool: string,
    state?: object,
    more = '',
  ): Promise<void> => {
    const asked = (state ? `&state=${encodeURIComponent(JSON.stringify(state))}` : '') + more;
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#map=${map}&format=${format}&tool=${tool}${asked}`);
    await page.waitForFunction(
      ([name, id, game]) => {
        const hook = window.bspkitPlayground!;
        const isMounted = document.querySelector('.panel-body')!.childElementCount > 0;
        return hook.tool === id && hook.map?.name === name && hook.map.format === game && isMounted;
      },
      [map, tool, format] as const,
    );
  };
  const stateOf = async (): Promise<Record<string, unknown>> => {
    const link = await page.evaluate(() => window.bspkitPlayground!.link());
    return JSON.parse(decodeURIComponent(/state=([^&]*)/.exec(link)![1]!));
  };
  const shot = (name: string) => page.screenshot({ path: `${OUTPUT}/${name}.png` });

  beforeAll(async () => {
    mkdirSync(OUTPUT, { recursive: true });
    [site, browser, arena] = await Promise.all([serve(), launch(), openFixture('arena', 'quake3')]);
    context = await browser.newContext({ viewport: { width: 900, height: 560 }, colorScheme: 'dark' });
    ({ page, said } = await openPage(context));
    await goTo(page, site.url);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  describe('shoot', () => {
    /** What Node answers to the query that the page has in its link. */
    const expected = async () => {
      const { format, world } = arena;
      const query = readQuery(String((await stateOf()).q), format)!;
      const trace = createTracer(format, world, query).trace(query.start, query.end);
      const length = Math.hypot(...query.start.map((x, k) => query.end[k]! - x));
      const lines = answerLines(format, world, trace, format.surfaceAt(world, trace));
      return { outcome: capitalized(outcomeText(trace, length)), lines: Object.fromEntries(lines) };
    };
    const agrees = async (): Promise<void> => {
      const { outcome, lines } = await expected();
      expect(await outcomeOf(page)).toBe(outcome);
      expect(await answerOf(page)).toEqual(lines);
    };

    it('answers what a link asks as Node does', async () => {
      await openTool('arena', 'quake3', 'shoot', { q: BOX });
      expect((await stateOf()).q).toBe(BOX);
      expect(await outcomeOf(page)).toMatch(/^Stopped after \d+\.\d+ of 631\.97 units$/);
      expect((await answerOf(page)).hit).toMatch(/^the world, brush \d+, side \d+$/);
      await agrees();
      await shot('shoot');
    });

    it('shoots at a click at what is shown there: from the eye, or where what is above is cut away', async () => {
      const view = await page.locator('.view canvas').boundingBox();
      await page.mouse.click(view!.x + view!.width * 0.5, view!.y + view!.height * 0.55);
      const query = String((await stateOf()).q);
      expect(query).not.toBe(BOX);
      const eye = await page.evaluate(() => window.bspkitPlayground!.view.position);
      const { start, end } = readQuery(query, arena.format)!;
      // The eye is above the roof, which is cut away at 224.
      expect(eye[2]).toBeGreaterThan(500);
      expect(start[2]).toBe(224);
      const [way, shot] = [start.map((x, k) => x - eye[k]!), end.map((x, k) => x - start[k]!)];
      const cosine =
        way.reduce((sum, x, k) => sum + x * shot[k]!, 0) / (Math.hypot(...way) * Math.hypot(...shot));
      expect(cosine).toBeGreaterThan(0.9999);
      // Something that is shown, not the roof or the sky.
      expect((await answerOf(page)).texture).toBe('textures/arena/metal');
      await agrees();
      const far = await outcomeOf(page);
      await page.locator('.view canvas').focus();
      await page.keyboard.press('g');
      expect(await outcomeOf(page)).not.toBe(far);
      await agrees();
    });

    it('retraces while a handle is dragged, and with keys', async () => {
      await openTool('arena', 'quake3', 'shoot', { q: 'ray;0,-256,56;300,300,40' });
      const before = await outcomeOf(page);
      const handle = page.getByRole('button', { name: /^End of the move/ });
      const box = (await handle.boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x - 60, y + 20);
      await page.mouse.move(x - 120, y + 40);
      const during = await outcomeOf(page);
      await page.mouse.up();
      expect(during).not.toBe(before);
      await agrees();
      await handle.focus();
      await page.keyboard.press('PageUp');
      await page.keyboard.press('Shift+ArrowLeft');
      expect(readQuery(String((await stateOf()).q), arena.format)!.end[2]).toBe(56);
      await agrees();
    });

    it('takes every shape, and says what is wrong with a size', async () => {
      const { tracers } = arena.format;
      for (const { name } of tracers.kinds) {
        await page.getByLabel('Shape').selectOption(name);
        expect(String((await stateOf()).q)).toMatch(new RegExp(`^${name}`));
        await agrees();
      }
      await page.getByLabel('Shape').selectOption('sphere');
      const alert = page.locator('.panel [role=alert]:visible');
      const type = async (name: string, text: string): Promise<void> => {
        await page.getByLabel(name, { exact: true }).fill(text);
        await page.getByLabel(name, { exact: true }).press('Enter');
      };
      const isInvalid = (name: string) => page.getByLabel(name, { exact: true }).getAttribute('aria-invalid');
      for (const wrong of ['-4', 'abc', '16,5', '']) {
        await type('Radius', wrong);
        expect(await alert.textContent()).toBe('Radius must be one number, 0 or more.');
        expect(await isInvalid('Radius')).toBe('true');
        // What was answered before is no answer to this.
        expect(await outcomeOf(page)).toBe('No answer while something below is wrong');
        expect(await answerOf(page)).toEqual({});
      }
      await type('Radius', '24');
      expect(await alert.count()).toBe(0);
      expect(await isInvalid('Radius')).toBe('false');
      expect((await stateOf()).q).toMatch(/^sphere:24;/);
      await agrees();
      await page.getByLabel('Shape').selectOption('box');
      await type('Highest corner', '');
      expect(await alert.textContent()).toMatch(/^Highest corner must be three numbers/);
      expect([await isInvalid('Lowest corner'), await isInvalid('Highest corner')]).toEqual([
        'false',
        'true',
      ]);
      // A form that is filled in anew has nothing wrong with it.
      await page.getByLabel('Shape').selectOption('ray');
      expect(await alert.count()).toBe(0);
      await agrees();
    });

    it('says what is wrong with an end, until it is put right or set in the view', async () => {
      await openTool('arena', 'quake3', 'shoot', { q: BOX });
      const alert = page.locator('.panel [role=alert]:visible');
      await page.getByLabel('From', { exact: true }).fill('0 0');
      await page.getByLabel('To', { exact: true }).fill('here');
      await page.getByLabel('To', { exact: true }).press('Enter');
      expect(await alert.textContent()).toBe(
        'From must be three numbers, such as 0 0 64. To must be three numbers, such as 0 0 64.',
      );
      expect(await answerOf(page)).toEqual({});
      expect(await page.getByRole('button', { name: 'Take it apart' }).isEnabled()).toBe(false);
      await page.getByLabel('To', { exact: true }).fill('300 300 40');
      await page.getByLabel('To', { exact: true }).press('Enter');
      expect(await alert.textContent()).toBe('From must be three numbers, such as 0 0 64.');
      expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('0 0');
      await page.locator('.view canvas').focus();
      await page.keyboard.press('g');
      expect(await alert.count()).toBe(0);
      await agrees();
    });
  });

  it('takes a trace apart, step by step', async () => {
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    await page.getByRole('button', { name: 'Take it apart' }).click();
    await page.locator('.tool-step-title').waitFor();
    const { format, world } = arena;
    const query = readQuery(BOX, format)!;
    const explanation = format.explain(createTracer(format, world, query), query.start, query.end);
    const walk = new Walk(explanation, boundsPlanes(world.bounds));
    const stops = walk.stops(false);
    const title = page.locator('.tool-step-title');
    expect(await title.textContent()).toBe(`1 / ${stops.length} · node 0`);
    const hit = stops.findIndex((number) => {
      const { step } = walk.steps[number]!;
      return step.kind === 'brush' && step.outcome === 'hit';
    });
    await page.getByRole('slider', { name: 'Step' }).fill(String(hit));
    expect(await title.textContent()).toMatch(new RegExp(`^${hit + 1} / ${stops.length} · brush \\d+$`));
    expect(await page.locator('.tool-step-detail').textContent()).toContain(': hit at 0.');
    expect(await page.locator('.tool-bar-text').textContent()).toMatch(
      /inside 0\.\d+ to .* stopped at 0\.\d+/,
    );
    await shot('explain');
    // The list of steps takes the height that is there.
    const lines = page.locator('.tool-steps button');
    const few = await lines.count();
    await page.setViewportSize({ width: 900, height: 1300 });
    await expect.poll(() => lines.count()).toBeGreaterThan(few + 8);
    const spare = await page.locator('.panel').evaluate((panel) => {
      const { bottom } = panel.querySelector('.tool-row:last-child')!.getBoundingClientRect();
      return panel.getBoundingClientRect().bottom - bottom;
    });
    expect(spare).toBeLessThan(40);
    await shot('explain-high');
    await page.setViewportSize({ width: 900, height: 560 });
    await expect.poll(() => lines.count()).toBe(few);
    await page.locator('.tool-steps button').first().click();
    await page.locator('.view canvas').focus();
    await page.keyboard.press('.');
    await page.keyboard.press('.');
    await page.keyboard.press(',');
    expect((await stateOf()).s).toBe(stops[hit - 5 + 1]);
    await page.getByRole('checkbox', { name: /skipped/ }).check();
    expect(await title.textContent()).toContain(`/ ${walk.steps.length} `);
  });

  it('compares tracers, and opens where they differ', async () => {
    const form = { role: 'body', queries: 'open', count: 2000, tracers: ['box', 'capsule'] };
    await openTool('arena', 'quake3', 'compare', form);
    await page.getByRole('button', { name: 'Compare', exact: true }).last().click();
    const rows = page.locator('.tool-table tbody tr');
    await rows.first().waitFor();
    const contest = { ...form, queries: 'open', seed: 1 } as const;
    const entrants = [{ preset: 'box' }, { preset: 'capsule' }];
    const quick = { rounds: 1, roundTime: 0 };
    const { tracers } = runContest(arena.format, arena.bytes, { ...contest, entrants }, () => {}, quick);
    const hits = await rows.locator('td:nth-of-type(1)').allTextContents();
    expect(hits).toEqual(tracers.map((report) => report.hits.toLocaleString('en')));
    const bars = page.locator('.tool-chart').last().locator('div');
    expect(await bars.allTextContents()).toEqual([
      '10%',
      `2${+(100 * (1 - tracers[1]!.agreement.share)).toPrecision(3)}%`,
    ]);
    const [none, longest] = await bars
      .locator('span')
      .evaluateAll((all) => all.map((bar) => bar.clientWidth));
    expect([none, longest! > 100]).toEqual([0, true]);
    expect((await stateOf()).ran).toBe(true);
    await page.locator('.tool-steps').scrollIntoViewIfNeeded();
    await shot('compare');
    await page.locator('.tool-steps button').first().click();
    await page.waitForFunction(() => window.bspkitPlayground!.tool === 'shoot');
    await page.locator('.tool-outcome').waitFor();
    const [worst] = tracers[1]!.agreement.worst;
    const query = readQuery(String((await stateOf()).q), arena.format)!;
    expect(query.kind).toBe('capsule');
    expect(query.start.map(Math.fround)).toEqual(worst!.start);
    expect((await answerOf(page)).fraction).toBe(String(Number(worst!.own.fraction.toFixed(6))));
  });

  it('goes on comparing while another tool is open', async () => {
    await openTool('arena', 'quake3', 'compare', { role: 'body', queries: 'planes', count: 2000 });
    const main = page.locator('.tool-button.is-main');
    // Its worker is asked only when the other tool is open.
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message) {
        Worker.prototype.postMessage = postMessage;
        Object.assign(window, { ask: () => this.postMessage(message) });
      };
    });
    await main.click();
    expect(await main.textContent()).toBe('Stop');
    await page.getByRole('button', { name: 'Shoot' }).click();
    await page.locator('.tool-outcome').waitFor();
    await page.evaluate('ask()');
    await page.getByRole('status').getByText('The comparison is done.').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.tool-table tbody tr').first().waitFor();
    expect(await main.textContent()).toBe('Compare');
    // The form is that of the run.
    expect(await stateOf()).toMatchObject({ role: 'body', queries: 'planes', count: 2000, ran: true });
    expect(await page.getByLabel('What moves').inputValue()).toBe('body');
    // Whoever stops it has no answer to come back to.
    await main.click();
    await main.click();
    await page.locator('.panel [role=status]').getByText('Stopped.').waitFor();
    await page.getByRole('button', { name: 'Shoot' }).click();
    await page.locator('.tool-outcome').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await main.waitFor();
    expect(await page.locator('.tool-table').count()).toBe(0);
  });

  it('compiles what is typed, retraces, and underlines mistakes', async () => {
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
    expect(await problem.textContent()).toContain(`line ${line}`);
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

  it('does by a key what a tap in the middle of the view does, in every tool', async () => {
    const said = page.locator('footer [role=status]');
    await openTool('arena', 'quake3', 'edit', undefined, '&mode=orbit&view=0,0,800,90,80');
    await page.locator('.view canvas').focus();
    await page.keyboard.press('g');
    expect(await said.textContent()).toMatch(/^Found in line \d+\.$/);
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
    await page.locator('.view canvas').focus();
    await page.keyboard.press('g');
    expect(await said.textContent()).toBe(await outcomeOf(page));
    expect((await stateOf()).to).not.toEqual([134, 132, 2]);
    // Into the sky.
    await openTool('arena', 'quake3', 'edit', undefined, '&mode=orbit&view=0,0,9000,90,-80');
    await page.locator('.view canvas').focus();
    await page.keyboard.press('g');
    expect(await said.textContent()).toBe('In the middle of the view there is nothing for this tool.');
  });

  it('keeps what is typed faster than maps are made of it', async () => {
    await openTool('arena', 'quake3', 'edit');
    const area = page.locator('textarea');
    const first = await area.inputValue();
    const machine = await context.newCDPSession(page);
    await machine.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await area.press('Control+Home');
    const typed = '// abcdefghijklmnopqrstuvwxyz';
    await page.keyboard.type(typed, { delay: 50 });
    await page.keyboard.press('Enter');
    await machine.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.waitForFunction(
      (text) => location.hash.includes('tool=edit') && document.querySelector('textarea')!.value === text,
      `${typed}\n${first}`,
    );
    await page.getByRole('button', { name: 'Revert' }).click();
    await page.locator('.panel [role=status]').getByText('Compiled').waitFor();
    expect(await area.inputValue()).toBe(first);
  });

  it('undoes, redoes and reverts by buttons', async () => {
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
    await page.locator('.panel [role=status]').getByText('Compiled').waitFor();
  });

  it('changes the map as a link of an edit says', async () => {
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

  it('draws hulls as solids', async () => {
    await openTool('arena', 'quake1', 'hulls', { hull: 2 });
    await page.waitForFunction(() =>
      /^\d+ faces/.test(document.querySelector('.panel [role=status]')!.textContent!),
    );
    expect(await page.getByRole('radio', { name: /^Hull 2: 64/ }).isChecked()).toBe(true);
    await shot('hulls');
  });

  it('draws hulls over liquids, so that a link shows the same to everybody', async () => {
    const { page: other } = await openPage(context);
    // From above, the bottom of the pool.
    await goTo(other, `${site.url}#map=arena&format=quake1&view=256,256,400,90,89&tool=hulls`);
    await other.getByText(/^\d+ faces/).waitFor();
    const blue = await other.evaluate(() => {
      window.bspkitPlayground!.measure(1);
      const picture = new OffscreenCanvas(9, 9).getContext('2d')!;
      picture.drawImage(document.querySelector('canvas')!, 0, 0, 9, 9);
      return picture.getImageData(4, 4, 1, 1).data[2]!;
    });
    expect(blue).toBeGreaterThan(200);
    await other.close();
  });

  it('looks from cell to cell', async () => {
    const cells = { from: [124, 130, 2], to: [134, 132, 2] };
    await openTool('house', 'ufoai', 'sight', cells);
    await page.waitForFunction(() => document.querySelector('.tool-outcome')!.textContent === 'Not seen');
    for (const level of [3, 4, 5, 6, 7, 8])
      await page.getByRole('checkbox', { name: String(level) }).uncheck();
    expect(await outcomeOf(page)).toBe('Seen');
    expect(await stateOf()).toMatchObject({ ...cells, levels: 3 });
    await shot('sight');
  });

  it('shows where one can go, and the way to the cell under the pointer', async () => {
    const state = { from: [48, 48, 4], to: [368, 80, 4], limit: 40, size: 1 };
    await openTool('house', 'ufoai', 'paths', state, '&cut=64&mode=orbit');
    // Our own map comes without a table: a worker makes it.
    await page.waitForFunction(() => document.querySelector('.tool-outcome')!.textContent !== '');
    const { format, file } = await openFixture('house', 'ufoai');
    const cells = format.routing!.cells(format.routing!.compute(file));
    const reach = cells.reach(nearestCell(cells, state.from), { limit: 40 });
    const outcome = (to: number): string =>
      `${reach.costs[to]} time units, ${wayTo(reach, to).length - 1} steps`;
    expect(await outcomeOf(page)).toBe(outcome(nearestCell(cells, state.to)));
    const within = reach.costs.filter((cost) => cost >= 0).length;
    expect(await answerOf(page)).toMatchObject({
      from: '48 48 4',
      'cells in reach': `${within} of ${cells.ways.length}`,
      table: 'computed here',
    });
    await shot('paths');
    // The start is where the handle is; from there the pointer moves some cells over the ground.
    const handle = page.getByRole('button', { name: /^Start of the paths/ });
    const box = (await handle.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2 + 50, box.y + box.height / 2 - 30);
    await page.waitForFunction((before) => !location.hash.includes(before), 'to%22:[368,80,4]');
    const to = ((await stateOf()).to as number[])!;
    expect(await outcomeOf(page)).toBe(outcome(nearestCell(cells, to)));
    // A click there starts from it, arrow keys go to the next cell.
    await page.mouse.down();
    await page.mouse.up();
    expect((await stateOf()).from).toEqual(to);
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
    expect((await answerOf(page))['cells in reach']).toBe(
      `${crouched.costs.filter((cost) => cost >= 0).length} of ${large.ways.length}`,
    );
  });

  it('shows bakes that are dropped, of the map that is open alone', async () => {
    const drop = async (name: string, bytes: Uint8Array): Promise<void> => {
      const file = [name, Buffer.from(bytes).toString('base64')] as const;
      await page.evaluate(([title, text]) => {
        const content = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
        return window.bspkitPlayground!.openFile(new File([content], title));
      }, file);
    };
    const problem = page.locator('.panel [role=alert]');
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    const exposure = await bakeCells(arena, 'exposure');
    await drop('arena.bake', exposure);
    expect(await page.evaluate(() => window.bspkitPlayground!.tool)).toBe('bake');
    expect(await outcomeOf(page)).toBe('Where players are seen most');
    const { layer } = placedValues(readOutcome(exposure), undefined);
    const [most] = layer.marks;
    expect(await answerOf(page)).toMatchObject({
      file: 'arena.bake',
      cells: String(layer.values.length),
      [most!.label]: most!.at.map((x) => String(Number(x.toFixed(1)))).join(' '),
    });
    expect(await page.locator('.bake-values span').last().textContent()).toMatch(/^\d+ %$/);
    await shot('bake');
    const view = (await page.locator('.view canvas').boundingBox())!;
    await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2);
    expect(await page.locator('.panel .tool-hint').last().textContent()).toMatch(/^[\d.]+ % at -?\d/);

    await drop('sight.bake', await bakeCells(arena, 'sight'));
    expect(await outcomeOf(page)).toBe('Where one sees most');
    await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2);
    expect(await outcomeOf(page)).toMatch(/^What is seen from -?\d/);
    await page.getByRole('button', { name: 'All points' }).click();
    expect(await outcomeOf(page)).toBe('Where one sees most');

    // Another map: what is there is taken away, and another bake of the first is refused by name.
    await openTool('house', 'ufoai', 'bake');
    await drop('arena.bake', exposure);
    await problem.filter({ hasText: 'arena.bake was made from another map than house' }).waitFor();
    expect(await page.locator('.tool-outcome').isVisible()).toBe(false);
    const broken = exposure.slice();
    broken[40]! ^= 1;
    await drop('broken.bake', broken);
    expect(await problem.textContent()).toMatch(/^broken\.bake is damaged: /);
    await drop('cut.bake', exposure.subarray(0, exposure.length - 60));
    expect(await problem.textContent()).toMatch(
      /^cut\.bake is not finished: \d+ of \d+ chunks are missing\.$/,
    );
    // Read when it is picked: it may be gone by then.
    await page.evaluate(() => {
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = async () => {
        Blob.prototype.arrayBuffer = arrayBuffer;
        throw new DOMException('the file could not be read', 'NotReadableError');
      };
    });
    const gone = { name: 'gone.bake', mimeType: '', buffer: Buffer.from(exposure) };
    await page.locator('.panel input[type=file]').setInputFiles(gone);
    await problem.filter({ hasText: 'gone.bake: The file could not be read.' }).waitFor();
    await openTool('arena', 'quake3', 'bake');
    expect(await problem.textContent()).toBe('');
  });

  it.each([['.js'], ['.css']])('says so when a tool cannot be loaded (%s), and tries again', async (kind) => {
    // Without its service worker, which keeps all files.
    const own = await browser.newContext({ serviceWorkers: 'block' });
    const view = await own.newPage();
    const errors: string[] = [];
    view.on('pageerror', ({ message }) => errors.push(message));
    let isCut = false;
    await own.route('**/assets/*', (route) =>
      isCut && route.request().url().endsWith(kind) ? route.abort() : route.continue(),
    );
    await goTo(view, site.url);
    isCut = true;
    await view.getByRole('button', { name: 'Shoot' }).click();
    const problem = view.getByRole('alert').filter({ hasText: 'It could not be loaded.' });
    await problem.waitFor();
    if (kind === '.js') {
      await view.screenshot({ path: `${OUTPUT}/lost.png` });
      isCut = false;
      await view.getByRole('button', { name: 'Try again' }).click();
      await view.locator('.panel-body .tool-field').first().waitFor();
      await view.getByRole('button', { name: 'Close tool' }).click();
      isCut = true;
      await view.getByRole('button', { name: 'Compare' }).click();
      await view.getByRole('button', { name: 'Try again' }).click();
    }
    // What fails twice may be what the browser remembers: then a new page is needed, which opens the same tool.
    const reload = view.getByRole('button', { name: 'Reload the page' });
    await reload.waitFor();
    // The address follows soon after.
    const tool = kind === '.js' ? 'Compare' : 'Shoot';
    await view.waitForFunction((id) => location.hash.includes(`tool=${id}`), tool.toLowerCase());
    isCut = false;
    await reload.click();
    await problem.waitFor({ state: 'detached' });
    await view.locator('.panel-body .tool-field').first().waitFor();
    expect(await view.locator('#tool-title').textContent()).toBe(tool);
    const body = view.locator('.panel-body');
    expect(await body.evaluate((element) => getComputedStyle(element).flexDirection)).toBe('column');
    expect(errors).toEqual([]);
    await own.close();
  });

  it('leaves nothing behind in the view', async () => {
    await page.getByRole('button', { name: 'Close tool' }).click();
    expect(await page.locator('.overlay *').count()).toBe(0);
  });

  it('said nothing on the console', () => {
    expect(said).toEqual([]);
  });
});
