// Tests all workspaces in one run, and ends with one line that sums it, also when some tests fail.
//
//   test.mjs         the sources, which need no build
//   test.mjs --e2e   what users get: tarballs, the command, pages in browsers, other engines; builds first
//   test.mjs --all   both
//
// Anything else is passed on to Vitest: parts of paths, `-t` and part of a title.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { summarize } from './test-summary.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const report = `${root}test-report.json`;
const run = (script, ...args) =>
  spawnSync(process.execPath, [`${root}node_modules/${script}`, ...args], { cwd: root, stdio: 'inherit' })
    .status === 0;

const args = process.argv.slice(2);
const kind = ['--e2e', '--all'].find((name) => args.includes(name));
const rest = args.filter((arg) => arg !== kind);
const inSources = ['sources', 'measuring'];
const built = ['e2e', 'measuring-e2e'];
const projects = { '--e2e': built, '--all': [...inSources, ...built] }[kind] ?? inSources;

// An old report must not be mistaken for that of a run that did not happen.
rmSync(report, { force: true });
const isBuilt = kind === undefined || run('turbo/bin/turbo', 'run', 'build', '--output-logs=errors-only');
const isPassed =
  isBuilt && run('vitest/vitest.mjs', 'run', ...projects.flatMap((name) => ['--project', name]), ...rest);
const isTitled = rest.some((arg) => /^(-t|--testNamePattern)\b/.test(arg));
const isWhole = summarize(root, report, rest.length === 0 ? projects : [], isTitled);
process.exitCode = isPassed && isWhole ? 0 : 1;
