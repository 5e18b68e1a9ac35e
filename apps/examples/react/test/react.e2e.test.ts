import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('dist/main.js', import.meta.resolve('@bspkit/cli/package.json')));
const executablePath = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
const WEBGL = ['--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader'];

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(executablePath))(`the ball, in ${executablePath}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-react-'));
  const [publicDir, outDir] = [join(folder, 'public'), join(folder, 'dist')];
  const map = join(publicDir, 'arena.bsp');
  const said: string[] = [];
  let server: PreviewServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    mkdirSync(publicDir);
    execFileSync(process.execPath, [cli, 'compile', 'demo:arena', '--format', 'quake3', '--out', map]);
    vi.stubEnv('NODE_ENV', 'production');
    await build({ root, publicDir, logLevel: 'error', build: { outDir } });
    server = await preview({ root, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...WEBGL] });
    page = await browser.newPage({ viewport: { width: 640, height: 480 } });
    // React Three Fiber makes three.js warn.
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(server.resolvedUrls!.local[0]!);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  /** Where the ball is, once it has not moved for ten pictures. */
  const rest = async () => {
    const place = await page.evaluate(async () => {
      for (let [before, same] = ['', 0]; ; ) {
        await new Promise(requestAnimationFrame);
        const now = document.querySelector('canvas')?.dataset.ball ?? '';
        same = now !== '' && now === before ? same + 1 : 0;
        if (same === 10) return now;
        before = now;
      }
    });
    return place.split(' ').map(Number) as [number, number, number];
  };

  it('goes where the pointer is, and stops at what is in its way', async () => {
    const ball = createQuake3World(readQuake3(readFileSync(map))).sphere(24);
    // The middle of the floor, as long as nothing is pointed at: an eighth of a unit above it, as everywhere in this game.
    const middle = await rest();
    expect(Math.hypot(middle[0], middle[1])).toBeLessThan(0.1);
    expect(middle[2]).toBe(24.125);

    // A crate: the ball rests against it, and not in it.
    await page.mouse.move(590, 400);
    const [x, y, z] = await rest();
    expect(Math.hypot(x, y)).toBeGreaterThan(100);
    expect(ball.trace([x, y, z], [x, y, z]).startSolid).toBe(false);
    const around = [-24, 0, 24].flatMap((dx) => [-24, 0, 24].map((dy) => [x + dx, y + dy, z] as const));
    expect(Math.min(...around.map((there) => ball.trace([x, y, z], there).fraction))).toBeLessThan(0.1);
    expect(said).toEqual([]);
  });
});
