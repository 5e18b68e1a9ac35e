import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHROMIUM_ARGUMENTS } from '@bspkit/testkit/browsers';
import { type Browser, chromium, type Page } from 'playwright-core';
import { Application } from 'typedoc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CHROMIUM = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`the search of the site, in a browser (${CHROMIUM})`, () => {
  let site: string;
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
        '/** A guide about `@bspkit/core` and others. */\nexport const other = 1;\n',
    );
    const app = await Application.bootstrap({
      entryPoints: [join(site, 'index.ts')],
      customJs: fileURLToPath(new URL('../page.js', import.meta.url)),
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
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/index.html`);
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
});
