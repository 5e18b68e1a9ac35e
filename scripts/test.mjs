// Runs the tests of all workspaces and ends with one line that sums them, also when some of them fail.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const run = (command, args) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;

// An old report must not stand for a run that did not happen.
for (const group of ['packages', 'apps', 'apps/examples']) {
  for (const name of readdirSync(join(root, group))) {
    rmSync(join(root, group, name, 'test-report.json'), { force: true });
  }
}

const tests = run('npx', [
  'turbo',
  'run',
  'test',
  '--continue',
  '--concurrency=100%',
  ...process.argv.slice(2),
]);
const summary = run(process.execPath, [join(root, 'scripts/test-summary.mjs')]);
process.exitCode = tests || summary;
