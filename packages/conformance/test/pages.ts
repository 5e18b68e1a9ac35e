import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arenaQuake3 } from '@bspkit/fixtures';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';

// Pages with workers, in a browser, where memory can be shared only in pages that say so in their headers.

const CHROMIUM = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';

export const hasChromium: boolean = existsSync(CHROMIUM);
/** What a test says when it skips for want of the browser; empty when it is there. */
export const skippedWithoutChromium: string = hasChromium
  ? ''
  : ` (skipped: nothing at ${CHROMIUM}, see BSPKIT_CHROMIUM)`;

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };
/** Headers of a page whose memory can be shared. */
export const ISOLATED: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** A page that is bundled, and served in as many ways as are asked for. */
export interface TestPage {
  /** What the page's `report()` gives when it is served with more headers. Throws for errors in the page. */
  report(headers: Readonly<Record<string, string>>): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Bundles a page and its worker beside each other, as built packages have them, with the arena as `/arena.bsp`.
 *
 * @param page - the module that defines `report`, from here.
 * @param worker - that of the worker, from here.
 */
export async function openPage(page: string, worker: string): Promise<TestPage> {
  const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-page-'));
  await build({
    entryPoints: { page: source(page), worker: source(worker) },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@bspkit/source'],
  });
  writeFileSync(join(folder, 'arena.bsp'), arenaQuake3());
  writeFileSync(join(folder, 'page.html'), '<script type="module" src="/page.js"></script>');
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const servers: Server[] = [];
  return {
    async report(headers) {
      const server = createServer(({ url }, response) => {
        const file = join(folder, url!);
        if (!existsSync(file)) return void response.writeHead(404, headers).end();
        response.writeHead(200, { ...headers, 'Content-Type': TYPES[extname(file)] ?? '' });
        response.end(readFileSync(file));
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const opened = await browser.newPage();
      const errors: string[] = [];
      opened.on('pageerror', (error) => errors.push(String(error)));
      await opened.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`);
      const report = await opened.evaluate('report({})');
      await opened.close();
      if (errors.length > 0) throw new Error(errors.join('\n'));
      return report;
    },
    async close() {
      await browser.close();
      for (const server of servers) server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
