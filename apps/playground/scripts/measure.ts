// How soon the arena is there, and what a frame costs the page's own thread: `npm run measure [file.bsp[.gz]…]`.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { goTo, launch, openPage, serve } from '../test/browser.ts';

const OPENINGS = 5;
const FRAMES = 300;

const site = await serve();
const browser = await launch();
try {
  const times: number[] = [];
  for (let k = 0; k < OPENINGS; k++) {
    // A new context has nothing in its cache.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const { page } = await openPage(context);
    await goTo(page, site.url);
    times.push(await page.evaluate(() => performance.getEntriesByName('map-drawn')[0]!.startTime));
    await context.close();
  }
  console.log(`arena drawn after navigation: ${round(median(times))} ms (${times.map(round).join(', ')})`);

  const { page } = await openPage(await browser.newContext({ viewport: { width: 1280, height: 800 } }));
  await goTo(page, site.url);
  await measure(page);
  for (const file of process.argv.slice(2)) {
    const bytes = readFileSync(file).toString('base64');
    await page.evaluate(
      async ([name, text]) => {
        // The page's policy forbids fetching a data: address.
        const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
        await window.bspkitPlayground!.openFile(new File([bytes], name));
      },
      [basename(file), bytes] as const,
    );
    await measure(page);
  }
} finally {
  await browser.close();
  await site.close();
}

/** Frames of somebody who walks in circles, and jumps. */
async function measure(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.bspkitPlayground!.freeze();
    window.bspkitPlayground!.setMode('walk');
  });
  for (const key of ['w', 'ArrowLeft', ' ']) await page.keyboard.down(key);
  await page.evaluate((count) => window.bspkitPlayground!.measure(count), FRAMES);
  const { work, draw } = await page.evaluate((count) => window.bspkitPlayground!.measure(count), FRAMES);
  for (const key of ['w', 'ArrowLeft', ' ']) await page.keyboard.up(key);
  const map = await page.evaluate(() => window.bspkitPlayground!.map!);
  const tell = (name: string, list: readonly number[]): string =>
    `${name} ${round(mean(list))} ms (most ${round(Math.max(...list))})`;
  console.log(`${map.name}, ${map.triangles} triangles: ${tell('work', work)}, ${tell('draw calls', draw)}`);
}

/** Browsers round times, so that most frames take none. */
function mean(list: readonly number[]): number {
  return list.reduce((sum, x) => sum + x, 0) / list.length;
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[list.length >> 1]!;
}

function round(x: number): number {
  return Math.round(x * 100) / 100;
}
