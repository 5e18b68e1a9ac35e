import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arenaQuake1, arenaQuake2, arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import { BROWSERS, reportOf, skippedWithout } from '@bspkit/testkit/browsers';
import { expectWritten } from '@bspkit/testkit/written';
import { build } from 'esbuild';
import { describe, it } from 'vitest';
import { DIST } from './browser.ts';

/** The built page, with our maps, and the module that leads through it. */
async function siteFiles(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>([
    ['maps/quake1.bsp', arenaQuake1()],
    ['maps/quake2.bsp', arenaQuake2()],
    ['maps/quake3.bsp', arenaQuake3()],
    ['maps/ufoai.bsp', houseUfoai()],
  ]);
  for (const name of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const path = join(name.parentPath, name.name);
    files.set(
      path
        .slice(DIST.length)
        .replace(/^[\\/]/, '')
        .replaceAll('\\', '/'),
      readFileSync(path),
    );
  }
  const entry = fileURLToPath(new URL('tour.ts', import.meta.url));
  const bundle = await build({ entryPoints: [entry], bundle: true, write: false, format: 'esm' });
  files.set('page.js', bundle.outputFiles[0]!.contents);
  return files;
}

const files = siteFiles();

describe('the page', () => {
  for (const browser of BROWSERS) {
    it.skipIf(browser.missing !== '')(
      `opens maps, walks and shows its tools without a complaint in ${browser.name}${skippedWithout(browser)}`,
      async () => {
        const stops = (await reportOf(browser, await files)) as string[];
        // Where players come to is the same in every browser, bit for bit.
        await expectWritten(`${stops.join('\n')}\n`, join(import.meta.dirname, 'tour.txt'));
      },
    );
  }
});
