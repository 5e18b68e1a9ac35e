import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkFormat } from '@bspkit/check-format';
import type { BspFormatEntry } from '@bspkit/core/format';
import { arenaQuake1, arenaQuake3 } from '@bspkit/fixtures';
import { examplesIn } from '@bspkit/testkit/readme';

// The format that the guide writes is as the suite for formats wants them. What its example prints is tested with all others.

const folder = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(join(folder, 'guides/adding-a-format.md'), 'utf8');
const [format] = examplesIn(guide)[0]!.code.split(/^const bytes/m);

const cache = join(folder, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const place = mkdtempSync(join(cache, 'own-format-'));
const file = join(place, 'mine.ts');
writeFileSync(file, `${format}\nexport { mine };`);
const { mine } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { mine: BspFormatEntry };
rmSync(place, { recursive: true });

const wrapped = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.from('MINE'.padEnd(16)), bytes]);
await checkFormat(mine, [{ name: 'arena', bytes: wrapped(arenaQuake3()) }], {
  foreign: [arenaQuake1(), arenaQuake3()],
});
