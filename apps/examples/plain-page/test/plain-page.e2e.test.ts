import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { server } from '../server.js';

const map = fileURLToPath(new URL('../arena.bsp', import.meta.url));
const cli = fileURLToPath(new URL('dist/main.js', import.meta.resolve('@bspkit/cli/package.json')));
const executablePath = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(executablePath))(`the page, in ${executablePath}`, () => {
  beforeAll(async () => {
    execFileSync(process.execPath, [cli, 'compile', 'demo:arena', '--format', 'quake3', '--out', map]);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  it('looks at a map from above, and says what is there', async () => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const page = await browser.newPage({ viewport: { width: 857, height: 600 } });
    const said: string[] = [];
    page.on('pageerror', (error) => said.push(error.message));
    page.on('requestfailed', (request) => said.push(request.url()));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // The canvas is as wide as the page: two units of the map a pixel.
    await page.waitForFunction("document.querySelector('canvas').onpointermove");
    const { mins, maxs } = createQuake3World(readQuake3(readFileSync(map))).bounds;
    await page.mouse.move((-64 - mins[0]) / 2, (maxs[1] - 320) / 2);
    const text = await page.locator('output').textContent();
    const picture = page.getByRole('main').getByRole('img', { name: /^A hall .* from above/ });
    expect(await picture.count()).toBe(1);
    const pixels = await page.evaluate(
      "new Set(document.querySelector('canvas').getContext('2d').getImageData(0, 0, 400, 200).data).size",
    );
    await browser.close();
    // The world alone: the floor below the lift.
    expect(text).toMatch(/^textures\/arena\/floor at -6\d 3[12]\d 0$/);
    expect(pixels).toBeGreaterThan(8);
    expect(said).toEqual([]);
  });

  it('is all that its server gives out', async () => {
    const { port } = server.address() as AddressInfo;
    const status = async (path: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/${path}`)).status;
    expect(await status('page.js')).toBe(200);
    expect(await status('nothing.js')).toBe(404);
    expect(await status('test')).toBe(404);
    expect(await status('/')).toBe(404);
    expect(await status('node_modules/@bspkit/quake3/dist')).toBe(404);
    expect(await status('..%2f..%2f..%2fpackage.json')).toBe(404);
    expect(await status('node_modules/@bspkit/nothing/index.js')).toBe(404);
  });
});
