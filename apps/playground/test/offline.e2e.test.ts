import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceWorker } from '../build/offline.ts';
import { CHROMIUM, launch } from './browser.ts';

// The service worker alone, with pages of a few letters.

/** What its server has at each address. */
const files: Record<string, string> = {};
let server: Server;
let browser: Browser;
let origin: string;

/** Puts a release of a page there, whose script is named after its version. */
const release = (path: string, text: string, version: string): void => {
  const script = `assets/page-${version}.js`;
  files[path] = `<title>${text}</title><script type="module" src="./${script}"></script>`;
  files[path + script] = `// ${text}`;
  files[`${path}service-worker.js`] = serviceWorker(['./', `./${script}`], version);
};

/** What the service workers of all pages have kept: the title of each page, by its address. */
const kept = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const titles: Record<string, string> = {};
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        if (!request.url.endsWith('/')) continue;
        const text = await (await cache.match(request))!.text();
        titles[new URL(request.url).pathname] = text.replace(/<[^>]*>/g, '');
      }
    }
    return titles;
  });

/** Goes to a page, and waits until its newest service worker is at work. */
const visit = async (page: Page, path: string): Promise<void> => {
  await page.goto(origin + path);
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('./service-worker.js');
    await registration.update();
    const worker = registration.installing ?? registration.waiting ?? registration.active!;
    while (worker.state !== 'activated') {
      // Nobody else has the page open: it would wait for that.
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (worker.state === 'installed' && registration.active) return;
      // Gives up, and leaves all as it was.
      if (worker.state === 'redundant') return;
    }
  });
};

describe.skipIf(!existsSync(CHROMIUM))(
  `the service worker${existsSync(CHROMIUM) ? '' : ': skipped, Chromium is not installed'}`,
  () => {
    beforeAll(async () => {
      server = createServer(({ url }, response) => {
        const text = files[new URL(url!, 'http://localhost').pathname];
        const isScript = url!.endsWith('.js');
        // As GitHub Pages serves them: browsers need not ask for ten minutes.
        response.writeHead(text === undefined ? 404 : 200, {
          'content-type': isScript ? 'text/javascript' : 'text/html',
          'cache-control': 'max-age=600',
        });
        response.end(text);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      browser = await launch();
    });
    afterAll(async () => {
      await browser?.close();
      server?.closeAllConnections();
      server?.close();
    });

    it('keeps a new release as the server has it, not as the browser remembers it', async () => {
      const page = await browser.newPage();
      release('/', 'first', '1');
      await visit(page, '/');
      expect(await kept(page)).toEqual({ '/': 'first' });
      release('/', 'second', '2');
      await visit(page, '/');
      expect(await kept(page)).toEqual({ '/': 'second' });
      await page.close();
    });

    it('keeps no page of another release than its files, as servers have while one is on its way to them', async () => {
      const page = await browser.newPage();
      release('/moved/', 'first', '1');
      await visit(page, '/moved/');
      const { '/moved/': first, '/moved/assets/page-1.js': script } = files;
      release('/moved/', 'second', '2');
      files['/moved/'] = first!;
      delete files['/moved/assets/page-1.js'];
      await visit(page, '/moved/');
      await page.goto('about:blank');
      // Whole, as it was kept, though the server has its script no more.
      await page.goto(`${origin}/moved/`);
      expect(await page.evaluate(async () => (await fetch('./assets/page-1.js')).text())).toBe(script);
      release('/moved/', 'second', '2');
      await visit(page, '/moved/');
      await page.goto('about:blank');
      await page.goto(`${origin}/moved/`);
      expect(await page.title()).toBe('second');
      await page.close();
    });

    it('has the page at the address of its file too, as links on the documentation site name it', async () => {
      const page = await browser.newPage();
      release('/', 'first', '1');
      await visit(page, '/');
      for (const address of ['/index.html', '/index.html?from=guides#tool=shoot', '/?from=guides']) {
        await page.goto(origin + address);
        expect(await page.title(), address).toBe('first');
      }
      await page.close();
    });

    it('leaves the page to the network where the browser has no storage any more', async () => {
      const page = await browser.newPage();
      release('/refused/', 'first', '1');
      files['/refused/service-worker.js'] += `onmessage = ({ source }) => {
        caches.open = () => Promise.reject(new DOMException('Unexpected internal error.', 'UnknownError'));
        source.postMessage('refused');
      };`;
      await visit(page, '/refused/');
      await page.evaluate(async () => {
        const { active } = (await navigator.serviceWorker.getRegistration())!;
        const refused = new Promise((go) => navigator.serviceWorker.addEventListener('message', go));
        navigator.serviceWorker.startMessages();
        active!.postMessage('refuse');
        await refused;
      });
      release('/refused/', 'second', '2');
      await page.goto(`${origin}/refused/?from=network`);
      expect(await page.title()).toBe('second');
      await page.close();
    });

    it('leaves what other pages of the server have kept', async () => {
      const page = await browser.newPage();
      for (const [path, version] of [
        ['/', '1'],
        ['/old/', '2'],
      ] as const) {
        release(path, path, version);
        await visit(page, path);
      }
      expect(await kept(page)).toEqual({ '/': '/', '/old/': '/old/' });
      await page.close();
    });
  },
);
