import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../src/sources.ts';

// What CI says of a pull request, with programs that stand in for size-limit and git.

const folder = temporaryFolder();

function program(name: string, lines: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`);
  chmodSync(join(folder, name), 0o755);
}

const bundle = (name: string, size: number, sizeLimit: number): object => ({
  ...{ name, size, sizeLimit, passed: size <= sizeLimit },
});

/** What is printed, and the exit code, for bundles and what git prints. */
function summaryOf(
  bundles: readonly object[],
  git = 'true',
): { status: number | null; stdout: string; stderr: string } {
  writeFileSync(join(folder, 'sizes.json'), JSON.stringify(bundles));
  // It is asked where its budgets are, wherever the script is started.
  const asked = '[ "$*" = "size-limit --json" ] && [ -f .size-limit.mjs ]';
  program('npx', `${asked} && cat '${join(folder, 'sizes.json')}'`);
  program('git', git);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const script = join(ROOT, 'scripts/pull-request.mjs');
  return spawnSync(process.execPath, [script, 'main'], { encoding: 'utf8', env, cwd: folder });
}

describe.skipIf(process.platform === 'win32')('the summary of a pull request', () => {
  it('has the sizes and their budgets, and says that types are the same', () => {
    const { status, stdout } = summaryOf([bundle('core', 2980, 3000), bundle('all', 12_345, 12_345)]);
    expect(stdout).toContain('| core | 2,980 B | 3,000 B |  |\n| all | 12,345 B | 12,345 B |  |\n');
    expect(stdout).toMatch(/## Public types\n\nNo changes\.\n/);
    expect(status).toBe(0);
  });

  it('fails where one of several is over its budget', () => {
    const { status, stdout } = summaryOf([bundle('core', 3001, 3000), bundle('all', 1, 2)]);
    expect(stdout).toContain('| core | 3,001 B | 3,000 B | **over** |\n| all | 1 B | 2 B |  |\n');
    expect(status).toBe(1);
  });

  it('has what differs from the revision in public types, for which it demands a changeset', () => {
    const types = '+++ b/packages/conformance/api/core.md\n+function added(): void;';
    const summary = (changeset: string) =>
      summaryOf(
        [bundle('core', 1, 2)],
        `case "$*" in
"diff main -- packages/conformance/api") echo "${types}";;
"diff --unified=1000 main -- .changeset") echo "${changeset}";;
*) exit 1;;
esac`,
      );
    const lacking = '**No changeset says what changes in core.**';
    for (const name of ["+'@bspkit/core'", " '@bspkit/core'", "+'core'"]) {
      const { status, stdout } = summary(`+---\n${name}: minor\n+---`);
      expect(stdout).toContain(`## Public types\n\n\`\`\`\`diff\n${types}\n\`\`\`\``);
      expect(status).toBe(0);
    }
    for (const name of ["-'@bspkit/core'", "+'@bspkit/bake'", "+'@bspkit/core-2'", 'core']) {
      const { status, stdout } = summary(`+---\n${name}: minor\n+---`);
      expect(stdout).toContain(`## Public types\n\n${lacking}\n\n`);
      expect(status).toBe(1);
    }
  });

  it('asks for a revision as it was given, also where commands are scripts for a shell', () => {
    writeFileSync(join(folder, 'sizes.json'), JSON.stringify([bundle('core', 1, 2)]));
    // As the shell of Windows, which takes ^ for an escape.
    program('cmd', `for line; do :; done; eval "$(printf '%s' "$line" | tr -d '^"')"`);
    program('npx', `cat '${join(folder, 'sizes.json')}'`);
    program('git', `case "$*" in *'main^ '*) true;; *) echo "$*" >&2; exit 1;; esac`);
    const windows = `data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})`;
    const script = join(ROOT, 'scripts/pull-request.mjs');
    const { status, stderr } = spawnSync(process.execPath, ['--import', windows, script, 'main^'], {
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${folder}${delimiter}${process.env.PATH}`,
        comspec: join(folder, 'cmd'),
      },
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('says what went wrong where nothing can be said', () => {
    const lost = summaryOf([], 'echo "bad revision" >&2; exit 128');
    expect([lost.status, lost.stderr]).toEqual([1, expect.stringContaining('bad revision')]);
    program('npx', 'echo "no bundle" >&2; exit 1');
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/pull-request.mjs')], {
      ...{ encoding: 'utf8', env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` } },
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('size-limit failed\nno bundle')]);
  });
});
