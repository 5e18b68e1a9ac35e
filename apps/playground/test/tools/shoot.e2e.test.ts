import { existsSync } from 'node:fs';
import { arenaQuake1 } from '@bspkit/fixtures';
import { capitalized, outcomeText } from '@bspkit/words';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { answerLines } from '../../src/tools/query/answer.ts';
import { createTracer, readQuery } from '../../src/tools/query/query.ts';
import { CHROMIUM, drop } from '../browser.ts';
import { setUpPage } from '../page-setup.ts';
import { openFixture } from './maps.ts';
import { BOX, toolPage } from './tool-page.ts';

describe.runIf(existsSync(CHROMIUM))(`shots in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 900, height: 560 } });
  const { belowUsualScreen, openTool, stateOf, answerOf, outcomeOf, shot } = toolPage(setup);
  let arena: OpenMap;

  beforeAll(async () => {
    arena = await openFixture('arena', 'quake3');
  });

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
    expect(await outcomeOf()).toBe(outcome);
    expect(await answerOf()).toEqual(lines);
  };

  it('answers what a link asks as Node does', async () => {
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    expect((await stateOf()).q).toBe(BOX);
    expect(await outcomeOf()).toMatch(/^Stopped after \d+\.\d+ of 631\.97 units$/);
    expect((await answerOf()).hit).toMatch(/^the world, brush \d+, side \d+$/);
    await agrees();
    await shot('shoot');
    expect(await belowUsualScreen()).toBe(0);
  });

  it('shoots at a click at what is shown there: from the eye, or where what is above is cut away', async () => {
    const { page } = setup;
    const view = await page.locator('.view canvas').boundingBox();
    await page.mouse.click(view!.x + view!.width * 0.75, view!.y + view!.height * 0.22);
    const query = String((await stateOf()).q);
    expect(query).not.toBe(BOX);
    const eye = await page.evaluate(() => window.bspkitPlayground!.view.position);
    const { start, end } = readQuery(query, arena.format)!;
    // The eye is above the roof, which is cut away at 224.
    expect(eye[2]).toBeGreaterThan(500);
    // And the box is 32 high, below the roof at 256.
    expect(start[2]).toBeGreaterThan(220);
    expect(start[2]).toBeLessThan(224);
    const [way, shot] = [start.map((x, k) => x - eye[k]!), end.map((x, k) => x - start[k]!)];
    const cosine =
      way.reduce((sum, x, k) => sum + x * shot[k]!, 0) / (Math.hypot(...way) * Math.hypot(...shot));
    expect(cosine).toBeGreaterThan(0.9999);
    // Something that is shown, not the roof or the sky.
    expect((await answerOf()).texture).toBe('textures/arena/brick');
    await agrees();
    const far = await outcomeOf();
    await page.locator('.view canvas').focus();
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    // A key that is held down is one shot, as a button is.
    for (let k = 0; k < 3; k++) await page.keyboard.down('g');
    await page.keyboard.up('g');
    expect(await entries()).toBe(before + 1);
    expect(await outcomeOf()).not.toBe(far);
    await agrees();
  });

  it('leads back from shot to shot, and goes on shooting where the browser takes no more of them', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    const { x, y, width, height } = (await page.locator('.view canvas').boundingBox())!;
    const queries = [BOX];
    for (const part of [0.5, 0.7]) {
      await page.mouse.click(x + width * part, y + height * 0.55);
      queries.push(String((await stateOf()).q));
    }
    expect(new Set(queries).size).toBe(3);
    const isAt = (k: number) => expect.poll(stateOf).toEqual({ q: queries[k] });
    await page.goBack();
    await isAt(1);
    await page.goBack();
    await isAt(0);
    await page.goForward();
    await isAt(1);
    await agrees();
    await page.evaluate(() => {
      history.pushState = () => {
        throw new DOMException('too many calls', 'SecurityError');
      };
    });
    await page.mouse.click(x + width * 0.3, y + height * 0.55);
    await page.evaluate(() => Reflect.deleteProperty(history, 'pushState'));
    expect(queries).not.toContain((await stateOf()).q);
    await agrees();
  });

  it('retraces while a handle is dragged, and with keys', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot', { q: 'ray;0,-256,56;300,300,40' });
    const before = await outcomeOf();
    const handle = page.getByRole('button', { name: /^End of the move/ });
    const box = (await handle.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y + 20);
    await page.mouse.move(x - 120, y + 40);
    const during = await outcomeOf();
    await page.mouse.up();
    expect(during).not.toBe(before);
    await agrees();
    await handle.focus();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Shift+ArrowLeft');
    expect(readQuery(String((await stateOf()).q), arena.format)!.end[2]).toBe(56);
    await agrees();
  });

  it('keeps hold of a handle out of the view, and moves it no other way than it is told', async () => {
    const { page } = setup;
    const far = readQuery('ray;0,-256,56;0,-256,3000', arena.format)!;
    await openTool(
      'arena',
      'quake3',
      'shoot',
      { q: 'ray;0,-256,56;0,-256,3000' },
      '&mode=orbit&view=0,0,800,90,80',
    );
    const handle = page.locator('.tool-handle-end');
    const endOf = async () => readQuery(String((await stateOf()).q), arena.format)!.end;
    await handle.evaluate((button: HTMLElement) => {
      button.hidden = false;
      button.focus();
    });
    await page.keyboard.press('Shift+ArrowRight');
    const [x, ...others] = await endOf();
    expect([Math.abs(x! - far.end[0]!), ...others]).toEqual([1, -256, 3000]);
    for (const key of ['ArrowLeft', 'PageDown']) {
      await page.keyboard.press(key);
      await page.evaluate(() => new Promise((go) => requestAnimationFrame(go)));
    }
    expect(await handle.evaluate((button) => button === document.activeElement)).toBe(true);
    expect((await endOf())[2]).toBe(3000 - 16);
    // Nobody sees it there.
    await page.locator('.view canvas').focus();
    await page.keyboard.press('x');
    await expect.poll(() => handle.isVisible()).toBe(false);
    await page.keyboard.press('x');
    await page.keyboard.press('x');
  });

  it('takes every shape, and says what is wrong with a size', async () => {
    const { page } = setup;
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
      expect(await outcomeOf()).toBe('No answer while something below is wrong');
      expect(await answerOf()).toEqual({});
    }
    await type('Radius', '24');
    expect(await alert.count()).toBe(0);
    expect(await isInvalid('Radius')).toBe('false');
    expect((await stateOf()).q).toMatch(/^sphere:24;/);
    await agrees();
    // What an option is for is there to read, and not as the command has it.
    const options = page.locator('.tool-options');
    expect(await options.textContent()).toContain('Exact sphere (exact) truly round at edges and corners');
    expect(await options.textContent()).toContain('Curved patches (curves) untick to ignore curved patches');
    expect(await page.getByLabel('Radius').getAttribute('inputmode')).toBe('decimal');
    // What a shape is, where its name does not say it.
    const about = page.locator('#mover-about');
    expect(await about.isVisible()).toBe(false);
    // What needs no size says what it takes then, also once its field is empty again.
    await page.getByLabel('Shape').selectOption('ellipsoid');
    expect(await about.textContent()).toBe("an ellipsoid, among the map's polygons");
    await type('Radii', '8 8 8');
    expect(await page.getByLabel('Radii').getAttribute('placeholder')).toBe("the player's");
    await page.getByLabel('Shape').selectOption('box');
    expect(await about.isVisible()).toBe(false);
    // Phones have no signs and spaces among their decimals.
    expect(await page.getByLabel('Lowest corner').getAttribute('inputmode')).toBe('text');
    await type('Highest corner', '');
    expect(await alert.textContent()).toMatch(/^Highest corner must be three numbers/);
    expect([await isInvalid('Lowest corner'), await isInvalid('Highest corner')]).toEqual(['false', 'true']);
    // A form that is filled in anew has nothing wrong with it.
    await page.getByLabel('Shape').selectOption('ray');
    expect(await alert.count()).toBe(0);
    await agrees();
  });

  it('says which options are other than by default, and keeps those that the next shape has too', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot', { q: 'sphere:16;0,0,100;400,0,100' });
    await page.getByText('Options', { exact: true }).click();
    const set = async (name: RegExp, isOn: boolean): Promise<unknown> => {
      await page.getByRole('checkbox', { name }).setChecked(isOn);
      await agrees();
      return (await stateOf()).q;
    };
    expect(await set(/^Curved patches/, false)).toBe('sphere:16;curves=false;0,0,100;400,0,100');
    expect(await set(/^Exact sphere/, true)).toBe('sphere:16;curves=false;exact=true;0,0,100;400,0,100');
    await page.getByLabel('Shape').selectOption('ray');
    expect((await stateOf()).q).toBe('ray;curves=false;0,0,100;400,0,100');
    expect(await set(/^Curved patches/, true)).toBe('ray;0,0,100;400,0,100');
    await page.getByLabel('Shape').selectOption('sphere');
    expect(await page.getByRole('checkbox', { name: /^Exact sphere/ }).isChecked()).toBe(false);
  });

  it('asks again with all that the form says once a field that was in the way of another is right', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot', { q: 'ray;0,0,100;400,0,100' });
    await page.getByText('Options', { exact: true }).click();
    const alert = page.locator('.panel [role=alert]:visible');
    const [ORIGIN, MODEL] = ['Position of the model (origin)', 'Model instead of the world (model)'];
    const type = async (name: string, text: string): Promise<void> => {
      await page.getByLabel(name, { exact: true }).fill(text);
      await page.getByLabel(name, { exact: true }).press('Enter');
    };
    await type(ORIGIN, '0 0 64');
    expect(await alert.textContent()).toMatch(/^Origin /);
    await type(MODEL, '1');
    expect(await alert.count()).toBe(0);
    expect(await page.getByLabel(ORIGIN, { exact: true }).getAttribute('aria-invalid')).toBe('false');
    expect((await stateOf()).q).toBe('ray;origin=0,0,64;model=1;0,0,100;400,0,100');
    await agrees();
    // What is wrong with a field in itself is so whatever others say.
    await type(ORIGIN, 'here');
    await type(MODEL, '2');
    expect(await alert.textContent()).toMatch(/^Position of the model \(origin\): /);
  });

  it('says what is wrong with an end, until it is put right or set in the view', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    const alert = page.locator('.panel [role=alert]:visible');
    await page.getByLabel('From', { exact: true }).fill('0 0');
    await page.getByLabel('To', { exact: true }).fill('here');
    await page.getByLabel('To', { exact: true }).press('Enter');
    expect(await alert.textContent()).toBe(
      'From must be three numbers, such as 0 0 64. To must be three numbers, such as 0 0 64.',
    );
    expect(await answerOf()).toEqual({});
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

  it('shows numbers with all their digits, and changes none but those that are typed', async () => {
    const { page } = setup;
    const ask = (height: number): string =>
      `box:-15.000001,-15,-24,15,15,${height};0.12345679,-256,56;300,300,40`;
    await openTool('arena', 'quake3', 'shoot', { q: ask(32) });
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('0.12345679 -256 56');
    expect(await page.getByLabel('Lowest corner').inputValue()).toBe('-15.000001 -15 -24');
    await page.getByLabel('Highest corner').fill('15 15 33');
    await page.getByLabel('Highest corner').press('Enter');
    expect((await stateOf()).q).toBe(ask(33));
  });

  it('has the ends of another map, whatever was typed before', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    const from = page.getByLabel('From', { exact: true });
    await from.fill('0 0');
    await from.press('Enter');
    await drop(page, 'mine.bsp', arenaQuake1());
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'mine.bsp');
    expect(await page.locator('.panel [role=alert]:visible').count()).toBe(0);
    const [start] = (await stateOf()).q!.toString().split(';').slice(-2);
    expect(await from.inputValue()).toBe(start!.replaceAll(',', ' '));
    expect(await from.getAttribute('aria-invalid')).toBe('false');
  });

  it('shoots at what is shown from outside, through walls that are only seen from behind', async () => {
    const { page } = setup;
    const view = async () => (await page.locator('.view canvas').boundingBox())!;
    for (const format of ['quake1', 'quake3']) {
      // From high above the roof, of which one sees nothing from there; straight down to the floor.
      await openTool('arena', format, 'shoot', { q: BOX }, '&mode=orbit&view=0,0,2000,90,89&cut=all');
      const { x, y, width, height } = await view();
      await page.mouse.click(x + width / 2, y + height / 2);
      const { end } = await answerOf();
      expect(Math.abs(Number(end!.split(' ')[2])), format).toBeLessThan(40);
    }
    // Who flies shoots from the eye.
    await openTool('arena', 'quake3', 'shoot', { q: BOX }, '&mode=fly&view=0,0,2000,90,89');
    const { x, y, width, height } = await view();
    await page.mouse.click(x + width / 2, y + height / 2);
    expect(readQuery(String((await stateOf()).q), arena.format)!.start).toEqual([0, 0, 2000]);
  });

  it('puts handles side by side where their points are behind each other', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot', { q: 'ray;0,0,300;0,0,0' }, '&mode=orbit&view=0,0,800,90,89');
    const view = (await page.locator('.view canvas').boundingBox())!;
    await page.mouse.click(view.x + view.width * 0.5, view.y + view.height * 0.5);
    const before = readQuery(String((await stateOf()).q), arena.format)!;
    for (const [name, end] of [
      [/^Start of the move/, 'start'],
      [/^End of the move/, 'end'],
    ] as const) {
      const box = (await page.getByRole('button', { name }).boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 4, y - 30);
      await page.mouse.move(x + 8, y - 60);
      await page.mouse.up();
      const after = readQuery(String((await stateOf()).q), arena.format)!;
      expect(after[end], end).not.toEqual(before[end]);
    }
  });

  it('breaks names of textures after their slashes', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    expect(await page.locator('.tool-fields dd', { hasText: 'textures/' }).innerHTML()).toMatch(
      /^textures\/<wbr>arena\/<wbr>\w+$/,
    );
  });

  setup.saysNothing();
});
