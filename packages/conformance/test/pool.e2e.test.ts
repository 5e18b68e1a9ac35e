import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arenaQuake3 } from '@bspkit/fixtures';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageReport } from '../src/pool-page.ts';

// Pools in a browser, where memory can be shared only in pages that say so in their headers.

const CHROMIUM = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
const isThere = existsSync(CHROMIUM);
const skipped = isThere ? '' : ` (skipped: nothing at ${CHROMIUM}, see BSPKIT_CHROMIUM)`;

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

describe.skipIf(!isThere)(`a pool in Chromium${skipped}`, () => {
  let folder: string;
  let browser: Browser;
  const servers: Server[] = [];

  /** Serves the folder, with more headers, and gives the address. */
  async function serve(headers: Readonly<Record<string, string>>): Promise<string> {
    const server = createServer(({ url }, response) => {
      const file = join(folder, url!);
      if (!existsSync(file)) return void response.writeHead(404, headers).end();
      response.writeHead(200, { ...headers, 'Content-Type': TYPES[extname(file)] ?? '' });
      response.end(readFileSync(file));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`;
  }

  async function reportAt(address: string): Promise<PageReport> {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(address);
    const report = await page.evaluate('report({})');
    expect(errors).toEqual([]);
    await page.close();
    return report as PageReport;
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bspkit-page-'));
    await build({
      // Beside each other, as the built package has them.
      entryPoints: [source('../src/pool-page.ts'), source('../../bspkit/src/pool/web/worker.ts')],
      outdir: folder,
      entryNames: '[name]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['@bspkit/source'],
    });
    writeFileSync(join(folder, 'arena.bsp'), arenaQuake3());
    writeFileSync(join(folder, 'page.html'), '<script type="module" src="/pool-page.js"></script>');
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  it('shares memory where the page is isolated', async () => {
    const { same, ...report } = await reportAt(await serve(ISOLATED));
    expect(report).toEqual({
      isIsolated: true,
      isShared: true,
      traced: 5000,
      errors: ['none', 'TracePoolError worker', 'BspError truncated', 'AbortError 20'],
    });
    expect(same).toEqual(Array(16).fill(true));
  });

  it('copies elsewhere, and says so where it must not', async () => {
    const { same, ...report } = await reportAt(await serve({}));
    expect(report).toEqual({
      isIsolated: false,
      isShared: false,
      traced: 5000,
      errors: ['TracePoolError isolation', 'TracePoolError worker', 'BspError truncated', 'AbortError 20'],
    });
    expect(same).toEqual(Array(8).fill(true));
  });
});
