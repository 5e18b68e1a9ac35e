import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fixtureText } from '@bspkit/fixtures';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { answers } from '../browser/answers.ts';

/** Debian's place by default. */
const executablePath = process.env.BSPKIT_CHROMIUM ?? '/usr/bin/chromium';
const skipped = existsSync(executablePath)
  ? ''
  : ` (skipped: no browser at ${executablePath}, see BSPKIT_CHROMIUM)`;

describe.skipIf(skipped !== '')(`in Chromium${skipped}`, () => {
  let browser: Browser | undefined;
  afterAll(() => browser?.close());

  it('maps compile to the same bytes, and traces answer with the same bits, as in Node', async () => {
    const bundle = await build({
      entryPoints: [fileURLToPath(new URL('../browser/answers.ts', import.meta.url))],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'bspkit',
      conditions: ['@bspkit/source'],
      // A browser has none of Node: what would need it must not be in the bundle.
      platform: 'browser',
    });
    browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    });
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => errors.push(message.text()));
    await page.addScriptTag({ content: bundle.outputFiles[0]!.text });
    const source = fixtureText('arena');
    const inBrowser = await page.evaluate(`bspkit.answers(${JSON.stringify(source)})`);
    const inNode = await answers(source);
    expect(errors).toEqual([]);
    expect(inBrowser).toEqual(inNode);
    // Tracers that hit nothing would agree with anything, and with each other.
    const digests = Object.values(inNode);
    expect(digests.length).toBeGreaterThan(15);
    expect(new Set(digests).size).toBeGreaterThan(0.8 * digests.length);
  });
});
