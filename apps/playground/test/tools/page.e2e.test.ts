import { existsSync, readFileSync } from 'node:fs';
import { arenaQuake1 } from '@bspkit/fixtures';
import { capitalized, outcomeText } from '@bspkit/words';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { hullFacesOf } from '../../src/games/index.ts';
import { nearestCell, wayTo } from '../../src/tools/paths/routes.ts';
import { answerLines } from '../../src/tools/query/answer.ts';
import { createTracer, readQuery } from '../../src/tools/query/query.ts';
import { CHROMIUM, drop, goTo, newUser, openPage } from '../browser.ts';
import { setUpPage, show } from '../page-setup.ts';
import { openFixture } from './maps.ts';
import { BOX, toolPage } from './tool-page.ts';

/** A Quake 1 map whose first hull is a well with 2,000 walls: each is cut by all before it. */
function withWell(map: Uint8Array): Uint8Array {
  const WALLS = 2000;
  const lump = (k: number, at: number): number =>
    new DataView(map.buffer, map.byteOffset).getInt32(4 + 8 * k + at, true);
  const [PLANES, CLIP_NODES, MODELS] = [1, 9, 14];
  const end = Math.ceil(map.length / 4) * 4;
  const [numPlanes, numNodes] = [lump(PLANES, 4) / 20, lump(CLIP_NODES, 4) / 8];
  const planesEnd = end + 20 * (numPlanes + WALLS);
  const made = new Uint8Array(planesEnd + 8 * (numNodes + WALLS));
  made.set(map);
  const view = new DataView(made.buffer);
  const move = (k: number, to: number, length: number): void => {
    made.set(map.subarray(lump(k, 0), lump(k, 0) + lump(k, 4)), to);
    view.setInt32(4 + 8 * k, to, true);
    view.setInt32(8 + 8 * k, length, true);
  };
  move(PLANES, end, planesEnd - end);
  move(CLIP_NODES, planesEnd, made.length - planesEnd);
  for (let k = 0; k < WALLS; k++) {
    const angle = 2 * Math.PI * ((k * 0.618) % 1);
    const plane = end + 20 * (numPlanes + k);
    for (const [at, x] of [Math.cos(angle), Math.sin(angle), 0, 500].entries())
      view.setFloat32(plane + 4 * at, x, true);
    view.setInt32(plane + 16, 3, true);
    const node = planesEnd + 8 * (numNodes + k);
    view.setInt32(node, numPlanes + k, true);
    view.setInt16(node + 4, -2, true);
    view.setInt16(node + 6, k + 1 < WALLS ? numNodes + k + 1 : -1, true);
  }
  view.setInt32(lump(MODELS, 0) + 40, numNodes, true);
  return made;
}

describe.runIf(existsSync(CHROMIUM))(`the tools in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 900, height: 560 } });
  const { belowUsualScreen, openTool, stateOf, answerOf, outcomeOf, saidOf, shot } = toolPage(setup);
  let arena: OpenMap;

  beforeAll(async () => {
    arena = await openFixture('arena', 'quake3');
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
      await page.mouse.click(view!.x + view!.width * 0.5, view!.y + view!.height * 0.55);
      const query = String((await stateOf()).q);
      expect(query).not.toBe(BOX);
      const eye = await page.evaluate(() => window.bspkitPlayground!.view.position);
      const { start, end } = readQuery(query, arena.format)!;
      // The eye is above the roof, which is cut away at 224.
      expect(eye[2]).toBeGreaterThan(500);
      // And the box is 32 high, below the roof at 240.
      expect(start[2]).toBe(208);
      const [way, shot] = [start.map((x, k) => x - eye[k]!), end.map((x, k) => x - start[k]!)];
      const cosine =
        way.reduce((sum, x, k) => sum + x * shot[k]!, 0) / (Math.hypot(...way) * Math.hypot(...shot));
      expect(cosine).toBeGreaterThan(0.9999);
      // Something that is shown, not the roof or the sky.
      expect((await answerOf()).texture).toBe('textures/arena/metal');
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
      expect(await options.textContent()).toContain('Exacttruly round at edges and corners');
      expect(await options.textContent()).toContain('Curvesif not: ignore curved patches');
      expect(await page.getByLabel('Radius').getAttribute('inputmode')).toBe('decimal');
      // What needs no size says what it takes then, also once its field is empty again.
      await page.getByLabel('Shape').selectOption('ellipsoid');
      await type('Radii', '8 8 8');
      expect(await page.getByLabel('Radii').getAttribute('placeholder')).toBe("the player's");
      await page.getByLabel('Shape').selectOption('box');
      // Phones have no signs and spaces among their decimals.
      expect(await page.getByLabel('Lowest corner').getAttribute('inputmode')).toBe('text');
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

    it('asks again with all that the form says once a field that was in the way of another is right', async () => {
      const { page } = setup;
      await openTool('arena', 'quake3', 'shoot', { q: 'ray;0,0,100;400,0,100' });
      await page.getByText('Options', { exact: true }).click();
      const alert = page.locator('.panel [role=alert]:visible');
      const type = async (name: string, text: string): Promise<void> => {
        await page.getByLabel(name, { exact: true }).fill(text);
        await page.getByLabel(name, { exact: true }).press('Enter');
      };
      await type('Origin', '0 0 64');
      expect(await alert.textContent()).toMatch(/^Origin /);
      await type('Model', '1');
      expect(await alert.count()).toBe(0);
      expect(await page.getByLabel('Origin', { exact: true }).getAttribute('aria-invalid')).toBe('false');
      expect((await stateOf()).q).toBe('ray;origin=0,0,64;model=1;0,0,100;400,0,100');
      await agrees();
      // What is wrong with a field in itself is so whatever others say.
      await type('Origin', 'here');
      await type('Model', '2');
      expect(await alert.textContent()).toMatch(/^Origin: /);
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
  });

  it('says in the status line what the tool at hand has to say', async () => {
    const { page } = setup;
    const summary = /^arena: Quake 3 \(IBSP 46\), [\d,]+ triangles\.$/;
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    expect(await saidOf()).toBe(await outcomeOf());
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
    expect(await saidOf()).toBe(await outcomeOf());
    // What is wrong with a link is more than what comes of another move.
    await openTool('arena', 'quake3', 'shoot', { q: 'sphere:-8;0,0,0;1,1,1' });
    expect(await saidOf()).toMatch(/^The move in the link cannot be used/);
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

  it('says where its words are explained', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'explain', { q: BOX });
    const glossary = readFileSync(new URL('../../../docs/guides/glossary.md', import.meta.url), 'utf8');
    const title = /^title: (.*)$/m.exec(glossary)![1];
    expect(await page.getByRole('link', { name: 'Glossary' }).getAttribute('href')).toMatch(
      new RegExp(`/documents/${title}\\.html$`),
    );
  });

  it('does by a key what a tap in the middle of the view does, in every tool', async () => {
    const { page } = setup;
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
    // The game's rules come after the tool.
    await page.waitForFunction(() => document.querySelector('.tool-outcome')!.textContent !== '');
    await page.locator('.view canvas').focus();
    await page.keyboard.press('g');
    expect(await said.textContent()).toBe(await outcomeOf());
    expect((await stateOf()).to).not.toEqual([134, 132, 2]);
    // Into the sky.
    await openTool('arena', 'quake3', 'edit', undefined, '&mode=orbit&view=0,0,9000,90,-80');
    await page.locator('.view canvas').focus();
    await page.keyboard.press('g');
    expect(await said.textContent()).toBe('In the middle of the view there is nothing for this tool.');
  });

  /** What is drawn, without what lies over it. */
  const picture = (): Promise<string> =>
    setup.page.evaluate(() => {
      window.bspkitPlayground!.measure(1);
      const small = new OffscreenCanvas(160, 120).getContext('2d')!;
      small.drawImage(document.querySelector('canvas')!, 0, 0, 160, 120);
      return small.getImageData(0, 0, 160, 120).data.join();
    });

  it('draws all faces of the hull that a link names, as solid as the slider says', async () => {
    const { page } = setup;
    await openTool('arena', 'quake1', 'hulls', { hull: 2 });
    const map = await openFixture('arena', 'quake1');
    const { hullFaces } = await hullFacesOf(map)!();
    const faces = `${hullFaces(map.world, 2).length} faces`;
    expect(faces).not.toBe(`${hullFaces(map.world, 1).length} faces`);
    await page.locator('.panel').getByText(faces).waitFor();
    expect(await page.getByRole('radio', { name: /^Hull 2: 64/ }).isChecked()).toBe(true);
    const solid = await picture();
    await shot('hulls');
    await page.getByRole('slider', { name: 'Opacity' }).fill('10');
    expect((await picture()) === solid).toBe(false);
  });

  it('draws nothing of the hull before where the faces of another take too long', async () => {
    const { page } = setup;
    await openTool('arena', 'quake1', 'hulls');
    const said = page.locator('.panel [role=status]');
    await page
      .locator('.panel')
      .getByText(/^\d+ faces/)
      .waitFor();
    await drop(page, 'well.bsp', withWell(arenaQuake1()));
    await page
      .locator('.panel')
      .getByText(/^The faces of a hull take cuts/)
      .waitFor();
    const shown = await picture();
    expect(await said.textContent()).toMatch(/as no compiled map does/);
    // What is not there looks the same at any opacity.
    await page.getByRole('slider', { name: 'Opacity' }).fill('10');
    expect((await picture()) === shown).toBe(true);
  });

  it('draws hulls over liquids, so that a link shows the same to everybody', async () => {
    const { context, site } = setup;
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
    await page.waitForFunction((before) => !location.hash.includes(before), 'to%22:[368,80,4]');
    const to = ((await stateOf()).to as number[])!;
    expect(await outcomeOf()).toBe(outcome(nearestCell(cells, to)));
    expect(await saidOf()).toBe(await outcomeOf());
    // A click there starts from it, arrow keys go to the next cell.
    await page.mouse.down();
    await page.mouse.up();
    expect((await stateOf()).from).toEqual(to);
    expect(await saidOf()).toBe('The start');
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

  it('says so when a tool cannot be loaded, and loads it with a new page', async () => {
    const { browser, site } = setup;
    // Without its service worker, which keeps all files.
    const own = await newUser(browser, { serviceWorkers: 'block' });
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

  it('leaves nothing behind in the view', async () => {
    const { page } = setup;
    await page.getByRole('button', { name: 'Close tool' }).click();
    expect(await page.locator('.overlay *').count()).toBe(0);
  });

  setup.saysNothing();
});
