import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goTo, launch, openPage, type Site, serve } from './browser.ts';

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
  /** The map that is open, as the page tells tests. */
  map(): Promise<NonNullable<Window['bspkitPlayground']>['map']>;
  /** Makes the last test of the file: that the page said nothing meanwhile. */
  saysNothing(): void;
}

/** Opens the page before the tests of the `describe` that calls this, with the arena drawn. */
export function setUpPage(viewport = { width: 800, height: 500 }): PageSetup {
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let said: string[];
  const loaded = new Set<string>();

  beforeAll(async () => {
    [site, browser] = await Promise.all([serve(), launch()]);
    context = await browser.newContext({ viewport, colorScheme: 'dark' });
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
    follow: (hash) =>
      page.evaluate((to) => {
        location.hash = to;
      }, hash),
    map: () => page.evaluate(() => window.bspkitPlayground!.map),
    saysNothing: () => it('said nothing on the console', () => expect(said).toEqual([])),
  };
}
