import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { readBake } from '@bspkit/bake';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { REDIS_SERVER, startRedis } from '@bspkit/testkit/redis';
import { toyMap } from '@bspkit/testkit/toy';
import { buildSync } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { bspkitIn, type Run, shell } from './bspkit.ts';
import { startIn } from './started.ts';

// Formats that the environment names, in the built command.

// In the repository, where Node finds the packages that the format is written with.
const folder = temporaryFolder(afterAll, resolve(import.meta.dirname, '../node_modules/.cache'));

writeFileSync(join(folder, 'toy.bsp'), toyMap());
/** Writes a module made of the toy format's sources. */
function writeModule(name: string, exported: string): void {
  const { outputFiles } = buildSync({
    stdin: { contents: exported, resolveDir: import.meta.dirname },
    ...{ bundle: true, write: false, format: 'esm', external: ['@bspkit/core'] },
  });
  writeFileSync(join(folder, name), outputFiles[0]!.contents);
}
writeModule('toy.mjs', `export { toyFormat as default } from '@bspkit/testkit/toy'`);
writeModule('list.mjs', `import { toyFormat } from '@bspkit/testkit/toy'; export default [toyFormat]`);
writeFileSync(join(folder, 'none.mjs'), 'export const format = 1;');
writeFileSync(join(folder, 'five.mjs'), 'export default 5;');
writeFileSync(join(folder, 'typo.mjs'), 'export default {');
writeFileSync(join(folder, 'never.mjs'), 'await new Promise(() => {});');
writeFileSync(
  join(folder, 'bare.mjs'),
  `export default { id: 'bare', name: 'Bare', versions: [], detect() {}, loadReader() {}, load: () => ({ id: 'bare' }) };`,
);
writeFileSync(
  join(folder, 'unnamed.mjs'),
  'export default { versions: [], detect() {}, loadReader() {}, load() {} };',
);
writeFileSync(
  join(folder, 'half.mjs'),
  `export default { id: 'half', name: 'Half', versions: [], detect() {} };`,
);

const withFormats = (formats: string, line: string): Promise<Run> =>
  shell(`cd '${folder}'; ${line}`, { BSPKIT_FORMATS: formats });

/** The same in this process, which cannot load modules that import our packages. */
const withFormatsHere = (formats: string, ...args: string[]): Promise<Run> =>
  bspkitIn({ env: { BSPKIT_FORMATS: formats }, cwd: folder }, ...args);

describe('formats that BSPKIT_FORMATS names', () => {
  it('have their maps described, and traced with options of their own', async () => {
    const line =
      'bspkit info toy.bsp; bspkit trace toy.bsp --from 160,160,128 --to 160,160,-128 --mask water';
    const { status, stdout, stderr } = await withFormats('toy.mjs', line);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^toy\.bsp {2}Toy \(TOYB 1\)/);
    expect(stdout).toMatch(/contents +water/);
  });

  it('are opened by threads', async () => {
    const line = 'bspkit bake toy.bsp --kind exposure --step 64 --jobs 2 --out';
    const done = { status: 0, stdout: '', stderr: '' };
    expect(await withFormats(join(folder, 'list.mjs'), `${line} list.bake`)).toEqual(done);
    const baked = readBake(readFileSync(join(folder, 'list.bake')));
    expect(baked).toMatchObject({ job: { kind: 'exposure' }, missing: 0 });
    const header = { game: 'toy', map: 'toy', kind: 'boxes', columns: ['number'] };
    const rows = [header, [1], ...Array.from({ length: 5000 }, () => [0])];
    writeFileSync(join(folder, 'rows.ndjson'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const batch = 'bspkit batch --maps . --queries rows.ndjson --out - --jobs 2';
    const { status, stdout, stderr } = await withFormats('toy.mjs', batch);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n').slice(1, 3)).toEqual(['[1,[544,544,16]]', '[0,[544,544,16]]']);
  });

  const title = `are opened by workers at a queue${REDIS_SERVER ? '' : ': skipped, redis-server is not installed'}`;
  it.skipIf(!REDIS_SERVER)(title, async () => {
    const redis = await startRedis();
    // However long the bake takes to come there: a worker that ends when there is nothing to do may have ended by then.
    const formats = { BSPKIT_FORMATS: join(folder, 'toy.mjs') };
    const worker = startIn(formats, 'worker', '--queue', redis.url, '--jobs', '1');
    try {
      const bake = `bspkit bake toy.bsp --kind exposure --step 64 --out queue.bake --queue ${redis.url}`;
      const { status, stderr } = await withFormats('toy.mjs', bake);
      expect(stderr).not.toContain('failed');
      expect(status).toBe(0);
      expect(readBake(readFileSync(join(folder, 'queue.bake')))).toMatchObject({ missing: 0 });
      worker.process.kill('SIGTERM');
      expect(await worker.ended, worker.said()).toBe(0);
      expect(worker.said()).not.toContain('failed');
    } finally {
      worker.process.kill('SIGKILL');
      await redis.remove();
    }
  });

  it.each([
    ['missing.mjs', /^bspkit: BSPKIT_FORMATS: missing\.mjs: no such file\n$/],
    ['.', /^bspkit: BSPKIT_FORMATS: \.: is a folder\n$/],
    ['none.mjs', /: none\.mjs: it must export a format, or a list of them, as default\n$/],
    ['five.mjs', /: five\.mjs: formats\[0\]\.detect must be a function, got undefined\n$/],
    ['bare.mjs', /: bare\.mjs: format\.read must be a function, got undefined\n$/],
    ['unnamed.mjs', /: unnamed\.mjs: formats\[0\]\.id must be a string, got undefined\n$/],
    ['typo.mjs', /: typo\.mjs: .*; node --check typo\.mjs shows where\n$/],
    ['half.mjs', /: half\.mjs: formats\[0\]\.loadReader must be a function, got undefined\n$/],
  ])('are refused by the name of their file: %s', async (formats, why) => {
    const { status, stderr } = await withFormatsHere(formats, 'info', 'toy.bsp');
    expect(status).toBe(2);
    expect(stderr).toMatch(why);
  });

  it('are refused by the name of the file that has an id again', async () => {
    const { status, stderr } = await withFormats(`toy.mjs${delimiter}list.mjs`, 'bspkit info toy.bsp');
    expect(status).toBe(2);
    expect(stderr).toMatch(/: list\.mjs: formats must have one entry for each id, got 'toy' twice\n$/);
  });

  it('that are missing still allow help and version', async () => {
    for (const [line, shown] of [
      ['--version', /^\d+\.\d+\.\d+\n$/],
      ['--help', /^Usage: bspkit /],
      ['help trace', /^Usage: bspkit trace /],
    ] as const) {
      const { status, stdout, stderr } = await withFormatsHere('missing.mjs', ...line.split(' '));
      expect({ status, stderr }).toEqual({
        status: 0,
        stderr: 'bspkit: BSPKIT_FORMATS: missing.mjs: no such file\n',
      });
      expect(stdout).toMatch(shown);
    }
  });

  it('that are missing end a command with an option called as the one for the version', async () => {
    const compile = 'compile demo:arena --format quake1 --version 30 --out version.bsp';
    const { status, stderr } = await withFormatsHere('missing.mjs', ...compile.split(' '));
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'bspkit: BSPKIT_FORMATS: missing.mjs: no such file\n',
    });
    expect(existsSync(join(folder, 'version.bsp'))).toBe(false);
  });

  it('that never load do not end the command silently', async () => {
    const { status, stderr } = await withFormats('never.mjs', 'bspkit info toy.bsp');
    expect({ status, stderr }).toEqual({
      status: 13,
      stderr: 'bspkit: something that was waited for never came\n',
    });
  });
});
