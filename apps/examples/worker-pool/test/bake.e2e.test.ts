import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../bake.js', import.meta.url));
const cli = fileURLToPath(new URL('dist/main.js', import.meta.resolve('@bspkit/cli/package.json')));

it('bakes the same on all cores as on one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-bake-'));
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  run(cli, 'compile', 'demo:arena', '--format', 'quake3', '--out', 'arena.bsp');
  const [alone, together, differing, ...picture] = run(script, 'arena.bsp', '16').trimEnd().split('\n');
  rmSync(folder, { recursive: true });
  const rays = 128 * 64 * 64;
  expect(alone).toMatch(new RegExp(`^one thread: ${rays} rays in \\d+ ms$`));
  expect(together).toMatch(new RegExp(`^${availableParallelism()} threads: ${rays} rays in \\d+ ms$`));
  expect(differing).toBe('0 answers differ');
  // The gallery fills the north-west corner; the middle of the hall is open; along the east wall it is half dark.
  expect(picture).toHaveLength(16);
  expect(picture[1]!.slice(0, 3)).toBe('███');
  expect(picture[6]!.slice(14, 26)).toBe(' '.repeat(12));
  expect(picture[5]!.at(-1)).toBe('▒');
});
