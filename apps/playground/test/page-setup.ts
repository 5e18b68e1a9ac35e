import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goTo, launch, newUser, openPage, type Site, serve } from './browser.ts';

/** The built page in a browser, which all tests of a file use one after the other. */
export interface PageSetup {
  readonly site: Site;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Paths of what was loaded until the arena was drawn. */
  readonly loaded: ReadonlySet<string>;
  /** Goes to another link on the same page, as one pasted into the address bar. */
  follow(hash: string): Promise<void>;
  /** Does so, and waits until the page shows what the link says, its tool opened anew. It must name a map of ours and a game. */
  show(hash: string): Promise<void>;
  /** Gives the window another size, and the page the time to fit into it. */
  resize(width: number, height: number): Promise<void>;
  /** The map that is open, as the page tells tests. */
  map(): Promise<NonNullable<Window['bspkitPlayground']>['map']>;
  /** Makes the last test of the file: that the page said nothing meanwhile. */
  saysNothing(): void;
}

/** The page's own link is written before, not a moment later: the one that is followed may be what was followed last. */
const follow = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    window.bspkitPlayground?.link();
    location.hash = to;
  }, hash);

/** The view is fitted to its room in one frame, and handles are put in their places. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));

/** What {@link PageSetup.show} does, on any page. */
export async function show(page: Page, hash: string): Promise<void> {
  const asked = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  const before = await page.evaluateHandle(() => document.querySelector('.panel-body > *'));
  await follow(page, hash);
  await page.waitForFunction(
    ([{ map, format, mode = 'orbit', tool }, old]) => {
      const hook = window.bspkitPlayground!;
      const isMounted = tool === undefined || document.querySelector('.panel-body')!.childElementCount > 0;
      const isHere = hook.map?.name === map && hook.map!.format === format && hook.mode === mode;
      return isHere && hook.tool === tool && isMounted && !old?.isConnected;
    },
    [asked, before] as const,
  );
  await settled(page);
}

/** Opens the page before the tests of the `describe` that calls this, with the arena drawn. */
export function setUpPage(options: BrowserContextOptions = {}): PageSetup {
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let said: string[];
  const loaded = new Set<string>();

  beforeAll(async () => {
    [site, browser] = await Promise.all([serve(), launch()]);
    context = await newUser(browser, options);
    ({ page, said } = await openPage(context));
    const note = (request: Request): void => {
      if (!request.serviceWorker()) loaded.add(new URL(request.url()).pathname);
    };
    page.on('request', note);
    await goTo(page, site.url);
    page.off('request', note);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  return {
    get site() {
      return site;
    },
    get browser() {
      return browser;
    },
    get context() {
      return context;
    },
    get page() {
      return page;
    },
    loaded,
    follow: (hash) => follow(page, hash),
    show: (hash) => show(page, hash),
    async resize(width, height) {
      await page.setViewportSize({ width, height });
      await settled(page);
    },
    map: () => page.evaluate(() => window.bspkitPlayground!.map),
    saysNothing: () => it('said nothing on the console', () => expect(said).toEqual([])),
  };
}
