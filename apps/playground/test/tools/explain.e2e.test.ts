import { existsSync } from 'node:fs';
import { capitalized, outcomeText } from '@bspkit/words';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { boundsPlanes } from '../../src/tools/draw/polygons.ts';
import { Walk } from '../../src/tools/explain/walk.ts';
import { createTracer, readQuery } from '../../src/tools/query/query.ts';
import { CHROMIUM } from '../browser.ts';
import { setUpPage } from '../page-setup.ts';
import { openFixture } from './maps.ts';
import { BOX, toolPage } from './tool-page.ts';

describe.runIf(existsSync(CHROMIUM))(`taking apart in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 900, height: 560 } });
  const { belowUsualScreen, openTool, stateOf, saidOf, shot } = toolPage(setup);
  let arena: OpenMap;

  beforeAll(async () => {
    arena = await openFixture('arena', 'quake3');
  });

  it('takes a trace apart, step by step', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    await page.getByRole('button', { name: 'Take it apart' }).click();
    await page.locator('.tool-step-title').waitFor();
    const { format, world } = arena;
    const query = readQuery(BOX, format)!;
    const explanation = format.explain(createTracer(format, world, query), query.start, query.end);
    const walk = new Walk(explanation, () => boundsPlanes(world.bounds));
    const stops = walk.stops(false);
    const title = page.locator('.tool-step-title');
    expect(await title.textContent()).toBe(`1 / ${stops.length} · node 0`);
    const colors = page.locator('.tool-swatches span');
    expect(await colors.allTextContents()).toEqual(['split plane', 'piece', 'move']);
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
    expect(await colors.allTextContents()).toEqual(['brush', 'widened brush', 'piece', 'move']);
    await shot('explain');
    expect(await belowUsualScreen()).toBe(0);
    // The list of steps takes the height that is there.
    const lines = page.locator('.tool-steps button');
    const few = await lines.count();
    await setup.resize(900, 1300);
    await expect.poll(() => lines.count()).toBeGreaterThan(few + 8);
    const spare = await page.locator('.panel').evaluate((panel) => {
      const { bottom } = panel.querySelector('.tool-row:last-child')!.getBoundingClientRect();
      return panel.getBoundingClientRect().bottom - bottom;
    });
    expect(spare).toBeLessThan(40);
    await shot('explain-high');
    await setup.resize(900, 560);
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

  it('marks in the bar also what begins where the move ends', async () => {
    const { page } = setup;
    // Where this begins to enter brushes, it is at its end.
    await openTool('arena', 'quake3', 'explain', { q: 'ray;0,0,64;512,0,64', s: 12, all: true });
    const text = page.locator('.tool-bar-text');
    await text.getByText('inside nowhere').waitFor();
    const outside = await page.locator('.tool-bar').evaluate((bar) => {
      const { right } = bar.getBoundingClientRect();
      return bar.querySelector('.tool-bar-inside')!.getBoundingClientRect().right - right;
    });
    expect(outside).toBeLessThan(0.1);
  });

  it('says whose frame the planes of inline models are in, where these stand elsewhere', async () => {
    const { page } = setup;
    await openTool('arena', 'ufoai', 'explain', { q: 'ray;models=all;436,0,60;636,0,60' });
    const detail = page.locator('.tool-step-detail');
    expect(await detail.textContent()).not.toContain('frame');
    const slider = page.getByRole('slider', { name: 'Step' });
    const last = Number(await slider.getAttribute('max'));
    await slider.fill(String(last - 1));
    expect(await detail.textContent()).toMatch(/^Side \d+ of .* This plane is in the frame of model \*2\.$/);
    await slider.fill(String(last));
    expect(await detail.textContent()).not.toContain('frame');
  });

  it('takes apart the method of the 2003 tutorial, polygon by polygon', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'explain', {
      q: 'ellipsoid:16,16,28;tutorial=true;0,-256,32;0,512,32',
    });
    expect(await page.locator('.tool-summary').textContent()).toMatch(
      /\d+ polygons, \d+ sides; \d+ skipped\.$/,
    );
    const hit = page.locator('.tool-step-line.is-polygon.is-hit').first();
    while ((await hit.count()) === 0) await page.getByRole('button', { name: 'Step forward' }).click();
    await hit.click();
    expect(await page.locator('.tool-step-title').textContent()).toMatch(/· polygon \d+$/);
    const colors = await page.locator('.tool-swatches span').allTextContents();
    expect(colors).toEqual(["polygon's plane", 'widened polygon', 'piece', 'move']);
    await shot('explain-polygon');
  });

  it('takes apart the exact sweep of an ellipsoid, by faces, edges and corners', async () => {
    const { page } = setup;
    const q = 'ellipsoid:16,16,28;0,-256,56;300,300,40';
    await openTool('arena', 'quake3', 'shoot', { q });
    await page.getByRole('button', { name: 'Take it apart' }).click();
    await expect
      .poll(() => page.locator('.tool-summary').textContent())
      .toMatch(/\d+ polygons, \d+ features\.$/);
    const touched = page
      .locator('.tool-step-line.is-feature')
      .filter({ hasText: /edge \d touched/ })
      .first();
    for (let k = 0; k < 40 && (await touched.count()) === 0; k++) {
      await page.getByRole('button', { name: 'Step forward' }).click();
    }
    await touched.click();
    expect(await page.locator('.tool-step-title').textContent()).toMatch(/· edge \d$/);
    const colors = await page.locator('.tool-swatches span').allTextContents();
    expect(colors).toEqual(['polygon', 'edge', 'piece', 'move']);
    await shot('explain-feature');
  });

  it('takes apart a whole move of an ellipsoid, round by round', async () => {
    const { page } = setup;
    const q = 'ellipsoid:16,16,28;-256,-200,100;-100,-150,-50';
    const { format, world } = arena;
    const query = readQuery(q, format)!;
    const told = format.explainMove!(createTracer(format, world, query), query.start, query.end);
    const walks = told.rounds.map((round) => new Walk(round, () => boundsPlanes(world.bounds)));
    const stops = walks.reduce((sum, walk) => sum + 1 + walk.stops(false).length, 0);
    const title = page.locator('.tool-step-title');
    const detail = page.locator('.tool-step-detail');
    const whole = page.getByRole('checkbox', { name: 'The whole move' });
    await openTool('arena', 'quake3', 'explain', { q });
    expect(await whole.isChecked()).toBe(false);
    expect(await page.getByRole('group', { name: 'Rounds' }).isVisible()).toBe(false);
    await whole.focus();
    await page.keyboard.press('Space');
    expect(await title.textContent()).toBe(`1 / ${stops} · round 1`);
    expect(await saidOf()).toBe('3 rounds: nothing is in the way.');
    expect(await page.locator('.tool-summary').textContent()).toMatch(
      /: 3 rounds: nothing is in the way\. \d+ polygons, /,
    );
    expect((await detail.textContent())!.replace(/polygon \d+/, 'polygon #')).toBe(
      'From -256 -200 100 to -100 -150 -50. Touches: the face of polygon #, z = 0, at 0.48. Stops: after 106.57 of 222.12 units, at -181.15 -176.01 28.03. Then: along it: 85.22 of the 115.55 units left, to -100 -150 28.03.',
    );
    expect(await page.locator('.tool-swatches span').allTextContents()).toEqual(['round', 'move']);
    expect(await stateOf()).toEqual({ q, r: 0, s: -1 });
    await shot('explain-move');
    expect(await belowUsualScreen()).toBe(0);
    // Round by round, by their buttons; each has its steps after it.
    const second = page.getByRole('button', { name: 'Round 2', exact: true });
    await second.focus();
    await page.keyboard.press('Enter');
    expect(await second.getAttribute('aria-current')).toBe('true');
    expect(await second.evaluate((a) => a === document.activeElement)).toBe(true);
    expect(await title.textContent()).toMatch(/· round 2$/);
    expect((await detail.textContent())!.replace(/polygon \d+/, 'polygon #')).toContain(
      'Touches: edge 1 of polygon #, (-0.452 -0.892 0) · p = 209.7, at 0.220741.',
    );
    expect(await belowUsualScreen()).toBe(0);
    await page.keyboard.press('.');
    expect(await title.textContent()).toMatch(/· round 2, face$/);
    expect(await stateOf()).toEqual({ q, r: 1, s: walks[1]!.stops(false)[0] });
    const edge = page
      .locator('.tool-step-line.is-feature', { hasText: 'edge 1 touched at 0.220741' })
      .first();
    while ((await edge.count()) === 0) await page.keyboard.press('.');
    await edge.click();
    expect(await page.locator('.tool-swatches span').allTextContents()).toEqual([
      'polygon',
      'edge',
      'piece',
      'move',
    ]);
    await shot('explain-move-step');
    const state = await stateOf();
    // The last stop is what the last round found.
    await page.getByRole('slider', { name: 'Step' }).press('End');
    expect(await title.textContent()).toMatch(new RegExp(`^${stops} / ${stops} · round 3`));
    // The link leads to the same step; one to a round that is not there, to the first.
    await openTool('arena', 'quake3', 'explain', state);
    expect([await whole.isChecked(), await title.textContent()]).toEqual([
      true,
      expect.stringMatching(/· round 2, edge 1$/),
    ]);
    await openTool('arena', 'quake3', 'explain', { q, r: 9, s: 3 });
    expect(await title.textContent()).toBe(`1 / ${stops} · round 1`);
    await whole.uncheck();
    expect(await title.textContent()).toMatch(/^1 \/ \d+ · face$/);
    expect(await stateOf()).toEqual({ q, s: 0 });
    // What does not slide has no whole moves, whatever the link says.
    await openTool('arena', 'quake3', 'explain', { q: BOX, r: 1, s: 2 });
    expect([await whole.isVisible(), await title.textContent()]).toEqual([
      false,
      expect.stringMatching(/· \w+ \d+$/),
    ]);
    expect(await stateOf()).not.toHaveProperty('r');
  });

  it("takes apart a whole move by the tutorial's method, and after a click another one", async () => {
    const { page } = setup;
    const q = 'ellipsoid:16,16,28;tutorial=true;-256,-200,100;-100,-150,-50';
    await openTool('arena', 'quake3', 'explain', { q, r: 1, s: -1 });
    expect(await page.locator('.tool-step-title').textContent()).toMatch(/· round 2$/);
    expect(await page.locator('.tool-step-detail').textContent()).toMatch(
      /^From .*\. Hits: polygon \d+, z = 0, at 0\.48, facing -0\.6753\. Then: its end is pushed out by 78 units, to -164\.19 -177\.51 28\.$/,
    );
    expect(await page.locator('.tool-swatches span').allTextContents()).toEqual(['round', 'move', 'pushes']);
    await shot('explain-move-pushes');
    await setup.resize(390, 800);
    await shot('explain-move-narrow');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await setup.resize(900, 560);
    const view = (await page.locator('.view canvas').boundingBox())!;
    await page.mouse.click(view.x + view.width * 0.5, view.y + view.height * 0.55);
    expect(await stateOf()).toMatchObject({ r: 0, s: -1 });
    expect((await stateOf()).q).not.toBe(q);
    expect(await saidOf()).toMatch(/^(\d rounds?: )?(nothing|still) /);
    await page.goBack();
    await expect.poll(stateOf).toEqual({ q, r: 1, s: -1 });
    // The state is back before the tool is there again.
    await expect.poll(() => page.locator('.tool-step-title').textContent()).toMatch(/· round 2$/);
    // After the rounds, which the summary counts, there is a button for the check.
    const buttons = await page.getByRole('group', { name: 'Rounds' }).getByRole('button').allTextContents();
    expect(buttons.at(-1)).toBe('check');
    expect(await saidOf()).toMatch(new RegExp(`^${buttons.length - 1} rounds?: `));
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    expect(await page.locator('.tool-step-title').textContent()).toMatch(/· check$/);
    expect(await page.locator('.tool-step-detail').textContent()).toMatch(
      /^From .*\. Ends: nothing is in the way\.$/,
    );

    // One that the five rounds do not get out of the way.
    const stuck = 'ellipsoid:16,16,28;tutorial=true;-296,-91,193;-406,390,33';
    await openTool('arena', 'quake3', 'explain', { q: stuck, r: 5, s: -1 });
    expect(await saidOf()).toBe('5 rounds: still in the way, so back to the start.');
    await setup.resize(390, 800);
    await shot('explain-move-check');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await setup.resize(900, 560);
  });

  it('has no steps to go to once a shot has none, and says why', async () => {
    const { page } = setup;
    const errors: string[] = [];
    const note = ({ message }: Error): void => void errors.push(message);
    page.on('pageerror', note);
    const problem = page.locator('.panel [role=alert]');
    const q = 'ellipsoid:16,16,28;0,-256,56;300,300,40';
    await openTool('arena', 'quake3', 'explain', { q }, '&mode=fly&view=0,0,3000,90,-80');
    expect(await problem.isVisible()).toBe(false);
    const view = (await page.locator('.view canvas').boundingBox())!;
    await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2);
    expect(await problem.textContent()).toBe('There are no polygons near the move.');
    for (const key of ['.', ',', 'n', 'n']) await page.keyboard.press(key);
    await setup.resize(900, 700);
    await setup.resize(900, 560);
    expect(await problem.isVisible()).toBe(true);
    expect(errors).toEqual([]);
    page.off('pageerror', note);
    await openTool('arena', 'quake3', 'explain', { q: 'ray;0,0,64;0,0,64' });
    expect(await problem.textContent()).toBe(
      'The move has length zero, or comes near nothing that may stop it.',
    );
  });

  it('takes apart a shot from the eye at a click', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'explain', { q: BOX, s: 9 });
    const view = (await page.locator('.view canvas').boundingBox())!;
    await page.mouse.click(view.x + view.width * 0.5, view.y + view.height * 0.55);
    const { q, s } = await stateOf();
    expect(s).toBe(0);
    const { format, world } = arena;
    const { kind, size, start, end } = readQuery(String(q), format)!;
    expect({ kind, size }).toEqual({ kind: 'box', size: [-15, -15, -24, 15, 15, 32] });
    const trace = createTracer(format, world, readQuery(String(q), format)!).trace(start, end);
    // From where the map is shown, as it is cut away above, and there is room for the box.
    expect(start[2]).toBeGreaterThan(190);
    expect(start[2]).toBeLessThan(225);
    expect(trace.startSolid).toBe(false);
    const length = Math.hypot(...start.map((x, k) => end[k]! - x));
    expect(await saidOf()).toBe(`${capitalized(outcomeText(trace, length))}.`);
    expect(await page.locator('.tool-summary').textContent()).toContain(outcomeText(trace, length));
    // Back and Forward lead from shot to shot, to the step that was looked at.
    await page.goBack();
    await expect.poll(stateOf).toEqual({ q: BOX, s: 9 });
    await page.goForward();
    await expect.poll(stateOf).toEqual({ q, s: 0 });
    // The other tools are about the same shot.
    await page.getByRole('button', { name: 'Shoot', exact: true }).click();
    await page.locator('.tool-outcome').waitFor();
    expect((await stateOf()).q).toBe(q);
  });

  setup.saysNothing();
});
