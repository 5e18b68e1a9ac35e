import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHROMIUM_ARGUMENTS } from '@bspkit/testkit/browsers';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { Application } from 'typedoc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finished } from '../pages.mjs';

const CHROMIUM = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`the pages of the site, in a browser (${CHROMIUM})`, () => {
  let site: string;
  let url: string;
  let server: Server;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  /** A small site as TypeDoc makes it, with the script of ours. */
  beforeAll(async () => {
    site = mkdtempSync(join(tmpdir(), 'bspkit-search-'));
    writeFileSync(
      join(site, 'index.ts'),
      '/** A map. */\nexport function createWorld(name: string): string {\n  return name;\n}\n' +
        '/**\n * A guide about `@bspkit/core` and others.\n *\n * ```js\n * other + 1;\n * other + 2;\n * ```\n */\n' +
        'export const other = 1;\n',
    );
    const app = await Application.bootstrap({
      entryPoints: [join(site, 'index.ts')],
      customJs: fileURLToPath(new URL('../page.js', import.meta.url)),
      customCss: fileURLToPath(new URL('../style.css', import.meta.url)),
      compilerOptions: { types: [], noLib: true },
      skipErrorChecking: true,
      readme: 'none',
      disableGit: true,
      sourceLinkTemplate: 'https://example.org/{path}',
      searchInComments: true,
      logLevel: 'Error',
    });
    const project = await app.convert();
    await app.generateDocs(project!, join(site, 'dist'));
    for (const name of ['index.html', 'variables/other.html']) {
      const file = join(site, 'dist', name);
      const to = (path: string): string => (name === 'index.html' ? path : `../${path}`);
      writeFileSync(file, finished(readFileSync(file, 'utf8'), { pageOf: () => undefined, to }));
    }
    server = createServer(({ url }, response) => {
      const file = join(site, 'dist', new URL(url!, 'http://localhost').pathname);
      if (!existsSync(file)) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(readFileSync(file));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_ARGUMENTS] });
    page = await browser.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    // TypeDoc looks once nothing has been typed for a while, twice in each search here.
    await page.addInitScript('const later = setTimeout; window.setTimeout = (call) => later(call);');
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}`;
    await page.goto(`${url}/index.html`);
    await page.keyboard.press('/');
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(site, { recursive: true, force: true });
  });

  const search = async (text: string): Promise<string[]> => {
    const field = page.locator('#tsd-search-input');
    const answer = page.locator('#tsd-search-results li, #tsd-search-status strong');
    // The answer before is taken away first.
    await field.fill('');
    await expect.poll(() => answer.count()).toBe(0);
    await field.fill(text);
    await answer.first().waitFor();
    return page.locator('#tsd-search-results .text').allTextContents();
  };

  it.each([
    'createWorld',
    'createWorld(name',
    'createWorld:',
    'createWorld~',
    '^createWorld',
    '-createWorld',
  ])('finds %s', async (text) => {
    expect(await search(text)).toEqual(['createWorld']);
  });

  it('finds packages by their whole names', async () => {
    expect(await search('@bspkit/core')).toEqual(['other']);
  });

  it('says when nothing is found, and throws nothing', async () => {
    expect(await search('quux: ~zzyzx ^+')).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('leaves in the field what was typed, and selects all of it when it is opened again', async () => {
    await search('createWorld(');
    await page.keyboard.press('Escape');
    await page.locator('#tsd-search').waitFor({ state: 'hidden' });
    await page.locator('#tsd-search-trigger').click();
    const field = page.locator('#tsd-search-input');
    expect(await field.inputValue()).toBe('createWorld(');
    const selected = await field.evaluate((input) => {
      const { selectionStart, selectionEnd } = input as unknown as Record<string, number>;
      return [selectionStart, selectionEnd];
    });
    expect(selected).toEqual([0, 'createWorld('.length]);
  });

  it.each(['?.', '~', '<>'])('says that nothing is found for %s', async (signs) => {
    expect(await search(signs)).toEqual([]);
    expect(await page.locator('#tsd-search-status').textContent()).toBe(`No results found for “${signs}”`);
    expect(errors).toEqual([]);
  });

  /** Does something with another page than that of the search. */
  const inPage = async (
    name: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ): Promise<void> => {
    const context = await browser.newContext(options);
    try {
      const opened = await context.newPage();
      opened.on('pageerror', ({ message }) => errors.push(message));
      await opened.goto(`${url}/${name}`);
      await look(opened);
    } finally {
      await context.close();
    }
    expect(errors).toEqual([]);
  };

  /** What the button says after code was to be copied, and what is selected. */
  const copied = async (opened: Page): Promise<[said: string, selected: string]> => {
    const button = opened.locator('pre > button');
    await button.click();
    await expect.poll(() => button.textContent()).not.toBe('Copy');
    return [(await button.textContent())!, await opened.evaluate('String(getSelection())')];
  };

  it('copies code where the browser allows it', () =>
    inPage('variables/other.html', { permissions: ['clipboard-read', 'clipboard-write'] }, async (opened) => {
      expect(await copied(opened)).toEqual(['Copied!', '']);
      expect(await opened.evaluate('navigator.clipboard.readText()')).toBe('other + 1;\nother + 2;');
    }));

  it('selects code where there is no clipboard, and says so', () =>
    inPage('variables/other.html', {}, async (opened) => {
      await opened.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
      expect(await copied(opened)).toEqual([
        expect.stringMatching(/^Selected, but not copied/),
        'other + 1;\nother + 2;',
      ]);
    }));

  it('offers nothing that needs scripts where there are none, but a list of all pages', () =>
    inPage('variables/other.html', { javaScriptEnabled: false }, async (opened) => {
      for (const width of [1280, 320]) {
        await opened.setViewportSize({ width, height: 600 });
        for (const part of ['#tsd-search-trigger', '#tsd-toolbar-menu-trigger', '.settings', 'pre > button'])
          expect(await opened.locator(part).isVisible(), part).toBe(false);
        const list = opened.getByRole('link', { name: 'All guides and packages' });
        expect(await list.isVisible()).toBe(true);
        expect(await list.getAttribute('href')).toBe('../modules.html');
        expect(await opened.getByText('Loading').count()).toBe(0);
      }
    }));

  it('has the theme that was chosen in another page', () =>
    inPage('index.html', {}, async (opened) => {
      const other = await opened.context().newPage();
      await other.goto(`${url}/variables/other.html`);
      await other.locator('#tsd-theme').selectOption('dark', { force: true });
      await expect.poll(() => opened.locator('html').getAttribute('data-theme')).toBe('dark');
      expect(await opened.locator('#tsd-theme').inputValue()).toBe('dark');
    }));

  it('opens and closes the sidebar of narrow screens by keys and by clicks', () =>
    inPage('variables/other.html', { viewport: { width: 320, height: 600 } }, async (opened) => {
      const button = opened.getByRole('button', { name: 'Menu' });
      const sidebar = opened.locator('.col-sidebar');
      const isOpen = async (): Promise<(boolean | string | null)[]> => [
        await sidebar.isVisible(),
        await button.getAttribute('aria-expanded'),
      ];
      expect(await isOpen()).toEqual([false, 'false']);
      await button.press('Enter');
      expect(await isOpen()).toEqual([true, 'true']);
      await opened.keyboard.press('Tab');
      expect(await opened.evaluate('document.activeElement.closest(".col-sidebar") !== null')).toBe(true);
      await opened.keyboard.press('Escape');
      expect(await isOpen()).toEqual([false, 'false']);
      expect(await button.evaluate('document.activeElement.id')).toBe('tsd-toolbar-menu-trigger');
      await button.click();
      expect(await isOpen()).toEqual([true, 'true']);
      await opened.mouse.click(20, 300);
      expect(await isOpen()).toEqual([false, 'false']);
    }));
});
