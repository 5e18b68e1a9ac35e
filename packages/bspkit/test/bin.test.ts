import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it } from 'vitest';

// The command `bspkit` of this package runs that of @bspkit/cli, which is not a dependency.

const source = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string };

const folder = temporaryFolder();

/** This package as installed, far from the others. */
const installed = join(folder, 'node_modules/bspkit');
mkdirSync(installed, { recursive: true });
cpSync(join(source, 'package.json'), join(installed, 'package.json'));
cpSync(join(source, 'bin'), join(installed, 'bin'), { recursive: true });

/** A program that prints its arguments, and exits with 7. */
const ECHO = 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 7;\n';

function bspkit(env: Record<string, string>, ...args: string[]): SpawnSyncReturns<string> {
  const program = join(installed, 'bin/bspkit.js');
  return spawnSync(process.execPath, [program, ...args], { cwd: folder, env, encoding: 'utf8' });
}

describe('npx bspkit', () => {
  it('has npm fetch the command line if npm runs it', () => {
    const npm = join(folder, 'npm-cli.js');
    writeFileSync(npm, ECHO);
    const { status, stdout } = bspkit({ npm_execpath: npm }, 'info', 'a map.bsp');
    expect(JSON.parse(stdout)).toEqual([
      ...['exec', `--package=@bspkit/cli@${version}`, '--', 'bspkit', 'info', 'a map.bsp'],
    ]);
    expect(status).toBe(7);
  });

  it('says how to get it if something else runs it', () => {
    expect(bspkit({}, 'info', 'map.bsp')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'bspkit: the command line is the package @bspkit/cli: npx @bspkit/cli info map.bsp\n',
    });
  });

  it('runs the one that is installed', () => {
    const cli = join(folder, 'node_modules/@bspkit/cli');
    mkdirSync(cli, { recursive: true });
    const manifest = { name: '@bspkit/cli', type: 'module', bin: { bspkit: './main.js' } };
    writeFileSync(join(cli, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(cli, 'main.js'), ECHO);
    const { status, stdout } = bspkit({}, 'demo');
    expect([status, JSON.parse(stdout)]).toEqual([7, ['demo']]);
  });
});
