import { existsSync } from 'node:fs';
import { arenaQuake3 } from '@bspkit/fixtures';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { AS_IT_IS, CHROMIUM, dropAll, goTo, holdMap, newUser, openPage, pasteOver } from './browser.ts';
import { setUpPage } from './page-setup.ts';
import { BOX, toolPage } from './tools/tool-page.ts';

/** What has the focus: what it is called, or what it is. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.id || element?.getAttribute('aria-label') || element?.tagName || '';
  });

const VIEW = /^The map in three dimensions/;

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`the page for all hands, eyes and screens (${CHROMIUM})`, () => {
  const setup = setUpPage();
  const { openTool, saidOf } = toolPage(setup);

  /** Does something in a window of its own. */
  const elsewhere = async (work: (page: Page) => Promise<void>): Promise<void> => {
    const context = await newUser(setup.browser, { serviceWorkers: 'block' });
    try {
      await work((await openPage(context)).page);
    } finally {
      await context.close();
    }
  };

  it('says one thing at a time of how to move', async () => {
    const hints = setup.page.locator('.hint:visible');
    expect(await hints.allTextContents()).toEqual([expect.stringMatching(/^Drag to turn/)]);
    expect(await setup.page.locator('.crosshair').isVisible()).toBe(false);
    await setup.show('#map=arena&format=quake3&mode=walk');
    expect(await hints.allTextContents()).toEqual([expect.stringMatching(/^W A S D/)]);
  });

  it('keeps the focus where something is, as tools are opened and closed from the panel', async () => {
    const { page } = setup;
    await setup.follow('#map=arena&format=quake3&tool=shoot');
    const explain = page.getByRole('button', { name: 'Take it apart' });
    await explain.press('1');
    expect(await focused(page)).toMatch(VIEW);
    await page.keyboard.press('1');
    await explain.press('Enter');
    expect(await focused(page)).toBe('tool-title');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Close tool');
    await page.getByRole('button', { name: 'Close tool' }).press('Enter');
    expect(
      await page.getByRole('button', { name: 'Take apart' }).evaluate((a) => a === document.activeElement),
    ).toBe(true);
    // Handles in the view go with their tool, too.
    await openTool('arena', 'quake3', 'shoot');
    await page.locator('.tool-handle').last().focus();
    await page.keyboard.press('2');
    expect(await focused(page)).toMatch(VIEW);
  });

  it('gives the focus back after a choice of maps', async () => {
    const { page } = setup;
    await page.locator('.view canvas').focus();
    for (const key of ['Escape', 'Enter']) {
      await dropAll(page, { 'a.bsp': arenaQuake3(), 'b.bsp': arenaQuake3() });
      const dialog = page.getByRole('dialog', { name: 'Which of these 2 files?' });
      await dialog.waitFor();
      await page.keyboard.press(key);
      await dialog.waitFor({ state: 'detached' });
      expect(await focused(page)).toMatch(VIEW);
    }
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'a.bsp');
  });

  it('gives the focus to the view as a message goes that had it', async () => {
    const { page } = setup;
    for (const goes of ['is closed', 'is taken back']) {
      await dropAll(page, { 'empty.bsp': new Uint8Array(0) });
      const close = page.getByRole('button', { name: 'Close message' });
      await close.focus();
      if (goes === 'is closed') await page.keyboard.press('Enter');
      else await setup.follow(`#map=arena&format=quake3&view=${goes.length},0,64,0,0`);
      await close.waitFor({ state: 'hidden' });
      expect(await focused(page), goes).toMatch(VIEW);
    }
  });

  it('reads out steps, except while they play', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'explain', { q: BOX });
    const step = page.locator('.tool-step');
    const isRead = async () => (await step.getAttribute('aria-live')) === 'polite';
    expect(await isRead()).toBe(true);
    const play = page.getByRole('button', { name: 'Play' });
    await play.press('Enter');
    await page
      .locator('.tool-step-title')
      .getByText(/^(?!1 )/)
      .waitFor();
    expect(await isRead()).toBe(false);
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    expect(await isRead()).toBe(true);
    expect(await saidOf()).toBe(`${await page.locator('.tool-step-title').textContent()}.`);
  });

  it('says what is wrong with a text, and has it with the text', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'edit');
    const area = page.getByRole('textbox', { name: 'Text of the map' });
    const described = () =>
      area.evaluate((field) => document.getElementById(field.getAttribute('aria-describedby')!)!.textContent);
    const text = await area.inputValue();
    expect(await described()).toBe('');
    await pasteOver(area, `nonsense ${text}`);
    await page.locator('.tool-problem').waitFor();
    expect(await described()).toMatch(/^Line 1, /);
    // Said once, and not in the line at the bottom, which it would fill.
    const speaking = page.locator('.panel').getByRole('status');
    expect(await speaking.allTextContents()).toEqual([await described()]);
    expect(await saidOf()).not.toMatch(/^Line/);
    await pasteOver(area, text);
    await page.locator('.tool-problem').waitFor({ state: 'hidden' });
    expect(await described()).toBe('');
    await expect.poll(saidOf).toBe(`Compiled. ${await page.locator('.tool-outcome').textContent()}.`);
    expect(await speaking.textContent()).toBe('');
  });

  it('has what is wrong with an end with its field', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot');
    const field = page.getByRole('textbox', { name: 'From' });
    await field.fill('here');
    await page.keyboard.press('Tab');
    const problem = await field.evaluate(
      (input) => document.getElementById(input.getAttribute('aria-describedby')!)!.textContent,
    );
    expect(problem).toBe('From must be three numbers, such as 0 0 64.');
  });

  it('says what the picture shows, and lets screen readers pass arrow keys on to handles', async () => {
    const { page } = setup;
    const shown = () =>
      page
        .getByRole('application', { name: VIEW })
        .evaluate((canvas) => document.getElementById(canvas.getAttribute('aria-describedby')!)!.textContent);
    const handles = page.getByRole('application', { name: 'Handles' });
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    expect(await shown()).toBe(`${await page.locator('.tool-outcome').textContent()}.`);
    expect(await handles.getByRole('button').count()).toBe(2);
    await page.getByRole('button', { name: 'Close tool' }).press('Enter');
    expect(await shown()).toMatch(/^arena: Quake 3/);
    expect(await handles.count()).toBe(0);
  });

  it('is walked through with Tab, each control once and none passed over, with the focus in sight', async () => {
    const { page } = setup;
    for (const [map, format, tool, state] of [
      ['arena', 'quake3', 'explain', { q: BOX }],
      ['arena', 'quake3', 'edit'],
      ['house', 'ufoai', 'sight'],
    ] as const) {
      await openTool(map, format, tool, state);
      await page.locator('.panel-body').locator('textarea, select, .tool-step-line').first().waitFor();
      const count = await page.evaluate(() => {
        document.body.setAttribute('tabindex', '-1');
        document.body.focus();
        document.body.removeAttribute('tabindex');
        const controls = 'a[href], button:enabled, input, select, textarea, summary, canvas';
        return [...document.querySelectorAll<HTMLElement>(controls)].filter((one) => one.checkVisibility())
          .length;
      });
      const walked: string[] = [];
      const unseen: string[] = [];
      for (let k = 0; k < count; k++) {
        await page.keyboard.press('Tab');
        const [name, isSeen] = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement & { number?: number };
          element.number ??= Math.random();
          // The text's frame is around its line numbers, too.
          const framed = element.closest<HTMLElement>('.tool-editor') ?? element;
          const style = getComputedStyle(framed);
          const reach = Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset);
          const { left, right } = framed.getBoundingClientRect();
          let isSeen = style.outlineStyle !== 'none' && !style.outlineColor.endsWith(', 0)');
          for (let box = framed.parentElement; box && isSeen; box = box.parentElement) {
            if (getComputedStyle(box).overflowX === 'visible') continue;
            const frame = box.getBoundingClientRect();
            isSeen = left - reach > frame.left - 1 && right + reach < frame.right + 1;
          }
          return [`${element.number} ${element.tagName} ${element.className}`, isSeen] as const;
        });
        walked.push(name);
        if (!isSeen) unseen.push(name);
      }
      expect(new Set(walked).size, tool).toBe(count);
      expect(unseen, tool).toEqual([]);
    }
  });

  it('has fields, hints and thumbs in colours that stand out enough', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot');
    await page.locator('summary').click();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const ratios = await page.evaluate(() => {
        type Color = readonly number[];
        const read = (text: string): Color => text.match(/[\d.]+/g)!.map(Number);
        /** One over another. */
        const over = ([r, g, b, a = 1]: Color, below: Color): Color =>
          [r!, g!, b!].map((part, k) => a * part + (1 - a) * below[k]!);
        const light = (color: Color): number =>
          color.slice(0, 3).reduce((sum, part, k) => {
            const x = part / 255;
            return (
              sum + [0.2126, 0.7152, 0.0722][k]! * (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
            );
          }, 0);
        const contrast = (one: Color, other: Color): number => {
          const [high, low] = [light(one), light(other)].sort((a, b) => b - a) as [number, number];
          return (high + 0.05) / (low + 0.05);
        };
        const of = (name: string, part?: string) => getComputedStyle(document.querySelector(name)!, part);
        const panel = read(of('.panel').backgroundColor);
        const field = of('.panel-body input[placeholder]');
        const inside = read(field.backgroundColor);
        const edge = read(field.borderTopColor);
        // A map that is as bright as it can be.
        const onWhite = (name: string): number => {
          const { color, backgroundColor } = of(name);
          return contrast(read(color), over(read(backgroundColor), [255, 255, 255]));
        };
        return {
          edges: [contrast(edge, panel), contrast(edge, inside)],
          texts: [
            contrast(read(of('.panel-body input[placeholder]', '::placeholder').color), inside),
            ...['.hint', '.speed', '.stick-jump'].map(onWhite),
          ],
        };
      });
      expect(Math.min(...ratios.edges), colorScheme).toBeGreaterThanOrEqual(3);
      expect(Math.min(...ratios.texts), colorScheme).toBeGreaterThanOrEqual(4.5);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
  });

  it('has more contrast for those who ask for it', async () => {
    const { page } = setup;
    const colors = () =>
      page.evaluate(() => {
        const { color, borderLeftColor } = getComputedStyle(document.querySelector('.panel')!);
        return [borderLeftColor, getComputedStyle(document.querySelector('.status')!).color].map(
          (each) => each === color,
        );
      });
    await openTool('arena', 'quake1', 'shoot');
    expect(await colors()).toEqual([false, false]);
    await page.emulateMedia({ contrast: 'more' });
    expect(await colors()).toEqual([true, true]);
    await page.emulateMedia({ contrast: null });
  });

  it('shows its help so that it can be read and closed on all screens', async () => {
    const { page } = setup;
    for (const [width, height] of [
      [1280, 800],
      [800, 600],
      [640, 800],
      [480, 800],
      [360, 740],
    ] as const) {
      await setup.resize(width, height);
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keys and pointer' });
      const found = await help.evaluate((dialog) => {
        const lacks = [dialog.scrollWidth - dialog.clientWidth, dialog.scrollHeight - dialog.clientHeight];
        // Keys that are pressed together are on one line.
        const isBroken = [...dialog.querySelectorAll('dt span')].some(
          (keys) => keys.getClientRects().length > 1,
        );
        dialog.scrollTo(0, dialog.scrollHeight);
        const close = dialog.querySelector('button')!.getBoundingClientRect();
        return { lacks, isBroken, isClosable: close.top >= 0 && close.bottom < innerHeight };
      });
      expect(found, String(width)).toMatchObject({ isBroken: false, isClosable: true });
      expect(found.lacks[0], String(width)).toBe(0);
      if (width === 1280) expect(found.lacks[1]).toBe(0);
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'hidden' });
    }
    await setup.resize(800, 500);
  });

  it('has targets that are large enough for fingers', async () => {
    const move = { q: 'ellipsoid:16,16,28;-256,-200,100;-100,-150,-50', r: 0, s: -1 };
    for (const [tool, state] of [['explain'], ['explain', move], ['compare']] as const) {
      await openTool('arena', 'quake3', tool, state);
      const targets = setup.page
        .locator('.tool-check, .tool-step-line, .tool-rounds button')
        .filter({ visible: true });
      expect(await targets.count()).toBeGreaterThan(1);
      const heights = await targets.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().height),
      );
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    }
  });

  it('begins its help with the mouse', async () => {
    const { page } = setup;
    await page.getByRole('button', { name: 'Keys and pointer (?)' }).click();
    expect(await page.locator('.help h3').first().textContent()).toBe('Mouse');
    expect(await page.locator('.help section').first().textContent()).not.toContain('Two fingers');
    await page.keyboard.press('Escape');
  });

  it('is read by scrolling one way at 400 %, with all of it in reach', async () => {
    const { page } = setup;
    await setup.resize(320, 256);
    await setup.show('#map=house&format=ufoai');
    await page.getByRole('button', { name: 'Paths' }).click();
    await page.locator('.tool-fields dd').first().waitFor();
    expect(
      await page.locator('#tool-title').evaluate((title) => title.getBoundingClientRect().bottom),
    ).toBeLessThan(256);
    const { isWide, cut, view } = await page.evaluate(() => {
      const all = ['html', '.bar', '.map-name', '.tools', '.panel', '.status', '.status-said'];
      const boxes = all.map((name) => document.querySelector(name)!);
      return {
        isWide: boxes.some((box) => box.scrollWidth > box.clientWidth && box.clientWidth > 0),
        cut: boxes
          .slice(1)
          .flatMap((box, k) =>
            box.scrollHeight > box.clientHeight + 1 && box.clientHeight > 0 ? [all[k + 1]] : [],
          ),
        view: document.querySelector('.view')!.clientHeight,
      };
    });
    expect({ isWide, cut }).toEqual({ isWide: false, cut: [] });
    expect(view).toBeGreaterThan(120);
    await setup.resize(800, 500);
  });

  it('grows with the font of the user', async () => {
    const { page } = setup;
    // So wide that the panel is as wide as its text asks for.
    await setup.resize(2200, 900);
    const browser = await setup.context.newCDPSession(page);
    const sizesAt = async (standard: number): Promise<number[]> => {
      await browser.send('Page.setFontSizes', { fontSizes: { standard } });
      await openTool('arena', 'quake3', 'edit');
      await page.locator('.tool-editor-numbers').waitFor();
      return page.evaluate(() =>
        [
          '.map-button',
          '.tool .icon',
          '.panel',
          '.tool-editor-numbers',
          '.tool-editor-block',
          '.tool-handle',
        ].map((name) => {
          const box = document.querySelector(name)!.getBoundingClientRect();
          return name === '.panel' ? box.width : box.height;
        }),
      );
    };
    const large = await sizesAt(24);
    const usual = await sizesAt(16);
    expect(large.map((size) => Math.round(size))).toEqual(usual.map((size) => Math.round(1.5 * size)));
    await setup.resize(800, 500);
  });

  it('prints the picture and the panel, black on white', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot');
    await page.locator('.tool-outcome').waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const shown = await page.evaluate(() => {
      const paper = document.querySelector<HTMLCanvasElement>('.paper')!;
      const { width, height } = paper;
      const { data } = paper.getContext('2d')!.getImageData(0, 0, width, height);
      const at = (x: number, y: number): number[] => [
        ...data.slice(4 * (width * y + x), 4 * (width * y + x) + 3),
      ];
      const style = getComputedStyle(document.querySelector('.tool-outcome')!);
      const panel = document.querySelector('.panel')!;
      return {
        corner: at(2, 2),
        isDrawn: at(width >> 1, height >> 1).some((part) => part < 250),
        text: [style.color, getComputedStyle(document.body).backgroundColor],
        isWhole:
          panel.scrollHeight <= panel.clientHeight &&
          panel.getBoundingClientRect().top >= paper.getBoundingClientRect().bottom,
      };
    });
    expect(shown).toEqual({
      corner: [255, 255, 255],
      isDrawn: true,
      text: ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'],
      isWhole: true,
    });
    for (const name of ['.tools', '.modes', '.icon-button', '.tool-handle', '.tool-button'])
      expect(await page.locator(name).filter({ visible: true }).count(), name).toBe(0);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await page.locator('.paper').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  });

  it('shows what has to wait for the first map', async () => {
    await elsewhere(async (page) => {
      const go = await holdMap(page);
      const opened = goTo(page, setup.site.url);
      const waiting = ['Shoot', 'Compare', 'Orbit', 'Fly', 'Walk', 'View options'].map((name) =>
        page.getByRole('button', { name }),
      );
      await page.locator('.view').waitFor();
      for (const button of waiting) expect(await button.isDisabled()).toBe(true);
      // The keys for the same wait with them, and do not do half of it.
      for (const key of ['1', 'm', 'x', '[']) await page.keyboard.press(key);
      expect(await page.locator('.hint:visible, .crosshair:visible').count()).toBe(0);
      go();
      await opened;
      for (const button of waiting) expect(await button.isEnabled()).toBe(true);
      expect(await page.evaluate(() => window.bspkitPlayground!.link())).toMatch(
        /^#map=arena&format=quake3&mode=orbit&view=[-\d.,]*$/,
      );
    });
  });

  it('is as bright as the system before it has its scripts', async () => {
    await elsewhere(async (page) => {
      await page.route('**/*.js', (route) => route.abort());
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(setup.site.url);
        const colors = await page.evaluate(() => {
          const [page, text] = [document.body, document.querySelector('.waiting')!].map((element) =>
            getComputedStyle(element),
          );
          return [page!.backgroundColor, page!.color, text!.color];
        });
        const areLight = colors.map((color) => Number(/\d+/.exec(color)![0]) > 128);
        const isLight = colorScheme === 'light';
        expect(areLight).toEqual([isLight, !isLight, !isLight]);
      }
    });
  });

  it('is as bright as the system again, once the theme was switched back', async () => {
    await elsewhere(async (page) => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await goTo(page, setup.site.url);
      const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
      const said = page.locator('footer [role=status]');
      const button = page.getByRole('button', { name: 'Dark or light' });
      await button.click();
      expect([await theme(), await said.textContent()]).toEqual([
        'light',
        'Light theme; switch again to follow your system.',
      ]);
      // What was chosen stays, also on the next visit.
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await theme()).toBe('light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await goTo(page, setup.site.url);
      expect(await theme()).toBe('light');
      await page.keyboard.press('n');
      expect([await theme(), await said.textContent()]).toEqual([
        'dark',
        'Dark theme, following your system.',
      ]);
      await page.emulateMedia({ colorScheme: 'light' });
      await expect.poll(theme).toBe('light');
    });
  });

  it('shows what is chosen where the system sets the colours', async () => {
    const { page } = setup;
    await page.emulateMedia({ forcedColors: 'active' });
    await setup.show('#map=arena&format=quake3');
    for (const name of ['Fly', 'Shoot']) {
      const button = page.getByRole('button', { name, exact: true });
      const plain = await button.screenshot(AS_IT_IS);
      // As the page sets it, and without the focus, which shows anyway.
      await button.evaluate((element) => element.setAttribute('aria-pressed', 'true'));
      expect(plain.equals(await button.screenshot(AS_IT_IS))).toBe(false);
      await button.evaluate((element) => element.setAttribute('aria-pressed', 'false'));
    }
    await page.emulateMedia({ forcedColors: null });
  });

  setup.saysNothing();
});
