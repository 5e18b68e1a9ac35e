import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../spawns.js', import.meta.url));
const cli = fileURLToPath(new URL('dist/main.js', import.meta.resolve('@bspkit/cli/package.json')));

it('finds where players begin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-commonjs-'));
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim().split('\n');
  run(cli, 'compile', 'demo:arena', '--format', 'quake1', '--out', 'arena.bsp');
  const lines = run(script);
  rmSync(folder, { recursive: true });
  // The hull keeps 1/32 of a unit from the floor.
  expect(lines).toEqual([
    'info_player_start stands at 0 -256 24.03125, 768 units from brick',
    'info_player_deathmatch stands at -256 0 24.03125, 1120 units from trim',
    'info_player_deathmatch stands at 1104 0 24.03125, 144 units from trim',
  ]);
});
