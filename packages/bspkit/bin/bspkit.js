#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

// The command line is a package of its own, @bspkit/cli, on which this library does not depend. So that `npx bspkit …` works all
// the same, this runs it if it is installed, or has npm fetch it (which asks first) if npm runs us.

const CLI = '@bspkit/cli';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const args = process.argv.slice(2);

/** The program of an installed @bspkit/cli, as seen from a file. */
function findProgram(from) {
  try {
    const manifest = createRequire(from).resolve(`${CLI}/package.json`);
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.bspkit);
  } catch {
    return undefined;
  }
}

const program = findProgram(import.meta.url) ?? findProgram(join(process.cwd(), 'package.json'));
const npm = process.env.npm_execpath ?? '';

if (program) await import(pathToFileURL(program).href);
else if (basename(npm) === 'npm-cli.js') {
  const command = [npm, 'exec', `--package=${CLI}@${version}`, '--', 'bspkit', ...args];
  const { status, error } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (error) throw error;
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(`bspkit: the command line is the package ${CLI}: npx ${[CLI, ...args].join(' ')}\n`);
  process.exitCode = 2;
}
