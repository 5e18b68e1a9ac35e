// Writes the pictures of the README, by the built command: node packages/bake/scripts/pictures.mjs
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
const FOLDER = fileURLToPath(new URL('../pictures/', import.meta.url));

const PICTURES = {
  exposure: ['--kind', 'exposure', '--step', '16', '--level', '1'],
  occlusion: ['--kind', 'occlusion', '--step', '8', '--rays', '512', '--distance', '256', '--level', '2'],
};

mkdirSync(FOLDER, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'bspkit-pictures-'));
try {
  for (const [name, options] of Object.entries(PICTURES)) {
    const files = ['--out', join(scratch, `${name}.bake`), '--svg', join(FOLDER, `${name}.svg`)];
    execFileSync(process.execPath, [MAIN, 'bake', 'demo:arena', ...options, '--width', '900', ...files]);
    console.log(`pictures/${name}.svg`);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
