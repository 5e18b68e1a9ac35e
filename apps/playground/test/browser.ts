import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHROMIUM_ARGUMENTS } from '@bspkit/testkit/browsers';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';

/** The browser of the tests. */
export const CHROMIUM: string = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';

export const DIST: string = fileURLToPath(new URL('../dist', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** The built page, on a port of this machine. */
export interface Site {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the built page. Throws when there is none. */
export async function serve(): Promise<Site> {
  if (!existsSync(join(DIST, 'index.html'))) {
    throw new Error('there is no build of the page: npx turbo build --filter=@bspkit/playground');
  }
  const server: Server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url!, 'http://localhost').pathname));
    const file = join(DIST, path === '/' ? 'index.html' : path);
    if (!file.startsWith(DIST) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    // As Vite's own server does: the service worker finds what it has kept all the same.
    const headers = { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', vary: 'Origin' };
    response.writeHead(200, headers);
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A browser that draws the map without a graphics card, and the rest of the page as it does without any: in half the time. */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [...CHROMIUM_ARGUMENTS, '--enable-unsafe-swiftshader'],
  });

/**
 * A user of that browser. Less is drawn for one whose window is small and has half the pixels, and who does not want to see things
 * move. No service worker keeps all files for later, which takes a third as long as opening the page.
 */
export const newUser = (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> =>
  browser.newContext({
    viewport: { width: 800, height: 500 },
    deviceScaleFactor: 0.5,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...options,
  });

/**
 * What the browser says of its own way to bring a picture that was drawn without a graphics card to the screen, and Playwright of
 * what keeps service workers out.
 */
const SAID_BY_OTHERS = ['GPU stall due to ReadPixels', 'Service Worker registration blocked by Playwright'];

/** A page of that browser, and everything that it says: there should be nothing. */
export async function openPage(context: BrowserContext): Promise<{ page: Page; said: string[] }> {
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => {
    const isOurs = !SAID_BY_OTHERS.some((text) => message.text().includes(text));
    if (isOurs) said.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => said.push(`error: ${error.message}`));
  return { page, said };
}

/** How pictures of the page are taken: Playwright would hide the caret by a style of its own, which the page's policy forbids. */
export const AS_IT_IS = { caret: 'initial' } as const;

/** Goes to the page and waits until its map is drawn. */
export async function goTo(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await drawn(page);
}

/** Waits until the page's map is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => window.bspkitPlayground !== undefined);
  await page.evaluate(() => window.bspkitPlayground!.ready);
  await page.waitForFunction(() => performance.getEntriesByName('map-drawn').length > 0);
}

/** Waits for the notice and returns its text. */
export async function noticeOf(page: Page): Promise<string> {
  const notice = page.getByRole('alert');
  await notice.waitFor();
  return (await notice.textContent())!;
}

const isList: (files: object) => files is readonly (readonly [string, Uint8Array])[] = Array.isArray;

/** Drops files onto the page, which gets them as text: a megabyte as numbers takes ten seconds. */
export const dropAll = (
  page: Page,
  files: Readonly<Record<string, Uint8Array>> | readonly (readonly [name: string, bytes: Uint8Array])[],
): Promise<void> =>
  page.evaluate(
    (texts) => {
      const transfer = new DataTransfer();
      for (const [name, text] of texts) {
        transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
      }
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
    },
    (isList(files) ? files : Object.entries(files)).map(
      ([name, bytes]) => [name, Buffer.from(bytes).toString('base64')] as const,
    ),
  );

/** Puts a long text in place of another one, as if pasted: Playwright's own `fill` inserts line by line, which takes seconds. */
export const pasteOver = (editor: Locator, text: string): Promise<void> =>
  editor.evaluate((field: HTMLTextAreaElement, pasted) => {
    field.focus();
    field.value = pasted;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
  }, text);

/** One file. */
export const drop = (page: Page, name: string, bytes: Uint8Array): Promise<void> =>
  dropAll(page, { [name]: bytes });

/** Keeps the first map of a page on its way until the function that it returns is called. */
export async function holdMap(page: Page): Promise<() => void> {
  let go = (): void => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route('**/assets/worker-*', async (route) => {
    await held;
    await route.continue();
  });
  return go;
}
