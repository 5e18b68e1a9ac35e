import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PerspectiveCamera, Vector3 } from 'three';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('dist/main.js', import.meta.resolve('@bspkit/cli/package.json')));
const executablePath = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
const WEBGL = ['--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader'];

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(executablePath))(`the viewer, in ${executablePath}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-viewer-'));
  const [publicDir, outDir] = [join(folder, 'public'), join(folder, 'dist')];
  const map = join(publicDir, 'arena.bsp');
  const said: string[] = [];
  let server: PreviewServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    mkdirSync(publicDir);
    execFileSync(process.execPath, [cli, 'compile', 'demo:arena', '--format', 'quake3', '--out', map]);
    await build({ root, publicDir, logLevel: 'error', build: { outDir } });
    server = await preview({ root, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...WEBGL] });
    page = await browser.newPage({ viewport: { width: 640, height: 480 } });
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(server.resolvedUrls!.local[0]!);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  it('draws the map, and hits what Node hits', async () => {
    await page.waitForFunction("document.querySelector('canvas').width === 640");
    const output = page.locator('output');
    await page.mouse.click(320, 240);
    const shot = JSON.parse((await output.getAttribute('data-shot'))!);
    const world = createQuake3World(readQuake3(readFileSync(map)));
    const { endPos, fraction } = world.ray().trace(shot.start, shot.end);
    expect(fraction).toBeLessThan(1);
    expect(shot.hit).toEqual([...endPos]);
    expect(await output.textContent()).toMatch(/^textures\/arena\/trim at /);
    // Surfaces in their colours, without the text: a picture of nothing has not half as many bytes.
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 400 } });
    expect(picture.length).toBeGreaterThan(5000);
    expect(said).toEqual([]);
  });

  it('hits the same by Enter in the middle, and is turned by keys', async () => {
    const output = page.locator('output');
    const middle = await output.getAttribute('data-shot');
    await output.evaluate((element) => element.removeAttribute('data-shot'));
    const view = page.getByRole('main').getByRole('application', { name: /^A hall/ });
    await view.press('Enter');
    expect(await output.getAttribute('data-shot')).toBe(middle);
    await view.press('ArrowLeft');
    await view.press('Enter');
    expect(await output.getAttribute('data-shot')).not.toBe(middle);
    await view.press('ArrowRight');
  });

  it('hits what can move as well: the lift', async () => {
    // The page's camera, and the lift's top.
    const camera = new PerspectiveCamera(65, 640 / 480);
    camera.position.set(-460, 340, 470);
    camera.lookAt(60, 60, -60);
    camera.updateMatrixWorld();
    const { x, y } = new Vector3(-60, 16, -340).project(camera);
    await page.mouse.click(320 * (1 + x), 240 * (1 - y));
    const output = page.locator('output');
    await expect.poll(() => output.textContent()).toMatch(/^textures\/arena\/\w+ at -\S+ 3\S+ 16\.1$/);
    expect(said).toEqual([]);
  });

  it('fills a window that becomes higher, or lower', async () => {
    for (const height of [600, 300]) {
      await page.setViewportSize({ width: 640, height });
      await page.waitForFunction(`document.querySelector('canvas').clientHeight === ${height}`);
    }
    expect(said).toEqual([]);
  });
});
