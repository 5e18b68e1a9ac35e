import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { Facts } from '../src/client.ts';
import { packCommands, unpackCommands } from '../src/protocol.ts';
import { type GameServer, startServer } from '../src/server.ts';

/** Everything runs so many times as fast as real time; BSPKIT_PREDICTION_SPEED=1 is the proof run. */
const SPEED = Number(process.env.BSPKIT_PREDICTION_SPEED ?? 25);
/** Seconds of play. */
const PLAY = 60;

const browserPath = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
const folder = mkdtempSync(join(tmpdir(), 'bspkit-prediction-'));
const script = pathToFileURL(join(folder, 'client.js'));
const bad = { delay: 100, loss: 0.05, speed: SPEED, seed: 7 };

let server: GameServer;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/client.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    conditions: ['@bspkit/source'],
  });
  writeFileSync(script, outputFiles[0]!.contents);
  server = await startServer({ port: 0, script, ...bad });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(browserPath))(`in a browser (${browserPath})`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser.close());

  it(`${PLAY} seconds of play over a bad line need no correction`, async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    const { delay, loss, speed, seed } = bad;
    await page.goto(`${server.url}?auto=${PLAY}&delay=${delay}&loss=${loss}&speed=${speed}&seed=${seed}`);
    // The proof run plays for all of this minute.
    await page.waitForFunction('facts.ended', undefined, { timeout: 230_000 });
    const facts = (await page.evaluate('facts')) as Facts;
    await page.close();
    expect(errors).toEqual([]);
    expect(facts).toMatchObject({ frames: 3750, confirmed: 3750, corrections: 0, corrected: undefined });
    // It did move, and the line was bad.
    expect(facts.way).toBeGreaterThan(2000);
    expect(facts.lost).toBeGreaterThan(facts.sent / 100);
  });

  it('neither scrolls when the player jumps, nor plays by itself on and off while P is held', async () => {
    const page = await browser.newPage({ viewport: { width: 800, height: 200 } });
    await page.goto(`${server.url}?delay=0&loss=0`);
    await page.waitForFunction('facts.frames > 0');
    expect(await page.evaluate('document.documentElement.scrollHeight > 2 * innerHeight')).toBe(true);
    await page.keyboard.press(' ');
    // A page that scrolls does so before the second frame, or has begun to.
    await page.evaluate('new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))');
    expect(await page.evaluate('scrollY')).toBe(0);
    for (let k = 0; k < 2; k++) await page.keyboard.down('p');
    await page.keyboard.up('p');
    const way = (await page.evaluate('facts.way')) as number;
    await page.waitForFunction(`facts.way > ${way + 100}`);
    await page.close();
  });

  it('shows the map in a narrow window, too', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 480 } });
    await page.goto(`${server.url}?delay=0&loss=0`);
    expect((await page.locator('canvas').boundingBox())!.width).toBeGreaterThan(250);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.close();
  });

  it('says so when the server parts with it, or goes', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    const other = await startServer({ port: 0, script, ...bad, speed: 1 });
    await page.goto(`${other.url}?speed=100`);
    await page.getByText('the client is ahead of time').waitFor();
    await page.goto(other.url);
    await page.waitForFunction('facts.frames > 0');
    await other.close();
    await page.getByText('the server has gone').waitFor();
    // A server that parts with it before it has said anything.
    await page.routeWebSocket(/./, (socket) => socket.close({ code: 1013, reason: 'the game is full' }));
    await page.goto(server.url);
    await page.getByText('the game is full').waitFor();
    await page.close();
    expect(errors).toEqual([]);
  });

  it('lets go of the keys when the window is left', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}?delay=0&loss=0`);
    // In a circle, which no wall ends.
    await page.keyboard.down('w');
    await page.keyboard.down('ArrowLeft');
    await page.waitForFunction('facts.way > 50');
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    const way = () => page.evaluate('facts.way') as Promise<number>;
    const progress = async (): Promise<number> => {
      const before = await way();
      await page.waitForTimeout(200);
      return (await way()) - before;
    };
    await expect.poll(progress).toBe(0);
    await page.close();
  });
});

describe('the server', () => {
  const command = {
    serverTime: 16,
    angles: Int32Array.of(0, 1, 65535),
    forward: 127,
    right: -128,
    up: 0,
    buttons: 2 ** 30,
  };

  it('reads commands as they were', () => {
    const commands = [
      { number: 5, command },
      { number: 6, command: { ...command, serverTime: 32 } },
    ];
    expect(unpackCommands(packCommands(commands))).toEqual(commands);
    expect(() => unpackCommands(new Uint8Array(20))).toThrow('20 bytes are no commands');
  });

  const closing = (bytes: Uint8Array): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(server.url.replace('http', 'ws'));
      socket.on('open', () => socket.send(bytes));
      socket.on('close', (_, reason) => resolve(String(reason)));
      socket.on('error', reject);
    });

  it('parts with who sends nonsense, or commands of times to come', async () => {
    expect(await closing(new Uint8Array(3))).toBe('3 bytes are no commands');
    const late = { number: 1, command: { ...command, serverTime: 1e6 } };
    expect(await closing(packCommands([late]))).toBe('the client is ahead of time');
  });

  it('serves the page, the map, and nothing else', async () => {
    const status = async (path: string) => (await fetch(new URL(path, server.url))).status;
    expect(await status('/')).toBe(200);
    expect(await status('/map.bsp')).toBe(200);
    expect(await status('/../package.json')).toBe(404);
  });
});
