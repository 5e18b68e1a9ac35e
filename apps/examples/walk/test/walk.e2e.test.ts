import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createQuake3World, entityModel, entityVector, MASK_PLAYERSOLID, readQuake3 } from '@bspkit/quake3';
import { createScene } from '@bspkit/scene';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('dist/main.js', import.meta.resolve('@bspkit/cli/package.json')));
const executablePath = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
const WEBGL = ['--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader'];

interface Player {
  readonly origin: readonly number[];
  readonly yaw: number;
  readonly ground: number;
  /** Milliseconds that were played. */
  readonly time: number;
}

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(executablePath))(`the walk, in ${executablePath}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-walk-'));
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

  const look = (): Promise<Player> =>
    page.evaluate(
      `({
        origin: Array.from(player.origin),
        yaw: player.angles[1],
        ground: player.ground,
        time: player.commandTime,
      })`,
    ) as Promise<Player>;

  /** Holds a key until the player is as wanted, and returns where the player was meanwhile. */
  async function hold(
    key: string,
    isDone: (player: Player) => boolean | Promise<boolean>,
  ): Promise<Player[]> {
    const seen: Player[] = [];
    await page.keyboard.down(key);
    try {
      await expect
        .poll(async () => await isDone(seen[seen.push(await look()) - 1]!), { interval: 30, timeout: 30_000 })
        .toBe(true);
    } finally {
      await page.keyboard.up(key);
    }
    return seen;
  }

  it('begins on the floor, and draws the map', async () => {
    // The map's spawn is a little higher: the player falls first.
    await page.waitForFunction('globalThis.player');
    await expect.poll(async () => (await look()).origin).toEqual([-256, 0, 24.125]);
    // Surfaces in their colours, without the text: a picture of nothing has not half as many bytes.
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 400 } });
    expect(picture.length).toBeGreaterThan(3000);
    expect(said).toEqual([]);
  });

  it('walks while W is held, as far as the door, and never into anything', async () => {
    const world = createQuake3World(readQuake3(readFileSync(map)));
    const solids = createScene(world);
    for (const entity of world.entities()) {
      const model = entityModel(entity);
      if (model) solids.add(world.model(model), { origin: entityVector(entity, 'origin') ?? [0, 0, 0] });
    }
    const box = solids.box([-15, -15, -24], [15, 15, 32], { mask: MASK_PLAYERSOLID });
    const { origin: start } = await look();
    const { entity, endPos } = box.trace(start, [1000, start[1]!, start[2]!]);
    expect(entity).toBeGreaterThan(0);
    const isThere = ({ origin }: Player): boolean => Math.abs(origin[0]! - endPos[0]!) < 0.05;
    const seen = await hold('w', isThere);
    const { time } = seen.at(-1)!;
    seen.push(...(await hold('w', (player) => player.time > time + 300)));
    for (const { origin } of seen) expect(box.trace(origin, origin).startSolid).toBe(false);
    const last = seen.at(-1)!;
    expect(isThere(last)).toBe(true);
    expect(last.origin.slice(1)).toEqual(start.slice(1));
    expect(said).toEqual([]);
  });

  it('jumps with Space, and lands again', async () => {
    const [floor] = (await look()).origin.slice(2);
    // The page itself looks at every frame: a jump can be over between two questions from here.
    await page.evaluate(`(() => {
      globalThis.highest = { z: -Infinity };
      const watch = () => {
        const [z, ground] = [player.origin[2], player.ground];
        if (z > highest.z) globalThis.highest = { z, ground };
        requestAnimationFrame(watch);
      };
      watch();
    })()`);
    const highest = (): Promise<{ z: number; ground: number }> =>
      page.evaluate('highest') as Promise<{ z: number; ground: number }>;
    await hold(' ', async () => (await highest()).z > floor! + 20);
    expect((await highest()).ground).toBe(-1);
    await expect.poll(async () => (await look()).origin[2]).toBe(floor);
    expect((await look()).ground).toBe(0);
    expect(said).toEqual([]);
  });

  it('turns with the mouse, once the page has it', async () => {
    await page.mouse.click(320, 240);
    await page.waitForFunction('document.pointerLockElement !== null');
    await page.mouse.move(220, 240);
    await expect.poll(async () => (await look()).yaw).toBeCloseTo(12, 1);
    const [x] = (await look()).origin;
    await hold('s', ({ origin }) => origin[0]! < x! - 20);
    expect((await look()).origin[1]).toBeLessThan(-2);
    expect(said).toEqual([]);
  });

  it('turns by the arrow keys, without a mouse', async () => {
    await page
      .getByRole('main')
      .getByRole('img', { name: /^What the player sees/ })
      .waitFor();
    const from = (await look()).yaw;
    await hold('ArrowLeft', ({ yaw }) => yaw !== from);
  });

  it('fills a window that becomes higher, or lower', async () => {
    for (const height of [600, 300]) {
      await page.setViewportSize({ width: 640, height });
      await page.waitForFunction(`document.querySelector('canvas').clientHeight === ${height}`);
    }
    expect(said).toEqual([]);
  });
});
