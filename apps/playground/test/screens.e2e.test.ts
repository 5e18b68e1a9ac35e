import { existsSync } from 'node:fs';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { AS_IT_IS, CHROMIUM, goTo, holdMap, newUser, openPage } from './browser.ts';
import { setUpPage } from './page-setup.ts';
import { toolPage } from './tools/tool-page.ts';

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`the page for all eyes and screens (${CHROMIUM})`, () => {
  const setup = setUpPage();
  const { openTool } = toolPage(setup);

  /** Does something in a window of its own. */
  const elsewhere = async (
    work: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<void> => {
    const context = await newUser(setup.browser, options);
    try {
      await work((await openPage(context)).page);
    } finally {
      await context.close();
    }
  };

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

  it('has a crosshair that is seen on any grey', async () => {
    const look = async (page: Page): Promise<void> => {
      await goTo(page, `${setup.site.url}#map=arena&format=quake3&mode=fly`);
      for (const ground of [0, 128, 255]) {
        await page.evaluate((grey) => {
          document.querySelector<HTMLElement>('.view canvas')!.hidden = true;
          document.querySelector<HTMLElement>('.view')!.style.background = `rgb(${grey} ${grey} ${grey})`;
        }, ground);
        const bytes = [...(await page.locator('.crosshair').screenshot(AS_IT_IS))];
        const difference = await page.evaluate(
          async ([data, grey]) => {
            const bitmap = await createImageBitmap(new Blob([Uint8Array.from(data)]));
            const { width, height } = bitmap;
            const context = new OffscreenCanvas(width, height).getContext('2d')!;
            context.drawImage(bitmap, 0, 0);
            const greens = context.getImageData(0, 0, width, height).data.filter((_, k) => k % 4 === 1);
            return Math.max(...Array.from(greens, (green) => Math.abs(green - grey)));
          },
          [bytes, ground] as const,
        );
        expect(difference, `on ${ground}`).toBeGreaterThan(60);
      }
    };
    // With half of the pixels its edges would not be seen.
    await elsewhere(look, { deviceScaleFactor: 1 });
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
    for (const [tool, state] of [['explain'], ['explain', move], ['compare'], ['shoot']] as const) {
      await openTool('arena', 'quake3', tool, state);
      const targets = setup.page
        .locator('.tool-check, .tool-step-line, .tool-rounds button, .tool-slider, .panel button, summary')
        .filter({ visible: true });
      expect(await targets.count()).toBeGreaterThan(1);
      const heights = await targets.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().height),
      );
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    }
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
        apart: [...panel.children].map(
          (part) =>
            (part.nextElementSibling?.getBoundingClientRect().top ?? Infinity) -
              part.getBoundingClientRect().bottom >
            5,
        ),
        edge: getComputedStyle(panel).borderLeftWidth,
      };
    });
    expect(shown).toEqual({
      apart: [true, true, true],
      edge: '0px',
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

  it.each<[string, (route: Route) => Promise<void>]>([
    ['are blocked', (route) => route.abort()],
    [
      'the browser cannot read',
      (route) => route.fulfill({ contentType: 'text/javascript', body: 'export const = 1;' }),
    ],
  ])('says after a while that it has not loaded, and what to do, where its scripts %s', async (_, answer) => {
    await elsewhere(async (page) => {
      await page.route('**/*.js', answer);
      await page.goto(setup.site.url);
      const late = page.getByText('The page has not loaded yet. Reload it');
      expect([await page.getByText('Loading…').isVisible(), await late.isVisible()]).toEqual([true, false]);
      for (const [time, isLate] of [
        [9990, false],
        [10_000, true],
      ] as const) {
        await page.evaluate((milliseconds) => {
          const [animation] = document.getAnimations();
          animation!.pause();
          animation!.currentTime = milliseconds;
        }, time);
        expect(await late.isVisible()).toBe(isLate);
      }
    });
    expect(await setup.page.locator('.waiting').count()).toBe(0);
  });

  it('says what it needs where scripts are off, and not that it is loading', async () => {
    const context = await newUser(setup.browser, { javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.goto(setup.site.url);
      const said = page.locator('noscript');
      const { x, y, width, height } = (await said.boundingBox())!;
      expect([Math.round(x + width / 2), Math.round(y + height / 2)]).toEqual([400, 262]);
      expect(await page.locator('.waiting p:visible').count()).toBe(0);
    } finally {
      await context.close();
    }
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
      // What is chosen in another tab goes for this one too.
      const other = await page.context().newPage();
      await other.goto(`${setup.site.url}service-worker.js`);
      await other.evaluate(() => localStorage.setItem('bspkit-theme', 'dark'));
      await expect.poll(theme).toBe('dark');
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
