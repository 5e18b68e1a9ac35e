import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BROWSERS, skippedWithout } from '@bspkit/testkit/browsers';
import { describe, expect, it } from 'vitest';
import { place } from '../src/place.ts';

const run = (...args: string[]): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, [place('../dist/pages.js'), ...args]);

describe('pages', () => {
  for (const browser of BROWSERS) {
    const skipped = skippedWithout(browser);
    it.skipIf(skipped !== '')(`begin in Node and in ${browser.name}${skipped}`, async () => {
      const { stdout } = await run(
        '--maps',
        'quake3/arena',
        '--processes',
        '1',
        '--in',
        `node,${browser.name}`,
      );
      const rows = stdout
        .split('\n')
        .flatMap((line) => (line.startsWith('quake3/') ? [line.split(/ +/)] : []));
      expect(rows.map(([, engine]) => engine)).toEqual(['Node', browser.name]);
      for (const [, , load, first, compiling, instances, rest] of rows) {
        for (const ms of [load, first, rest]) expect(Number(ms)).toBeGreaterThan(0);
        // Each rounded.
        expect(Number(compiling) + Number(instances)).toBeLessThanOrEqual(Number(first) + 0.2);
      }
    });
  }

  it('tell what they take', async () => {
    expect((await run('--help')).stdout).toMatch(/^Measures how bspkit begins/);
    await expect(run('--processes', '0')).rejects.toThrow(
      "--processes must be a whole number, 1 or more, got '0'",
    );
    // With the help, and without a stack.
    await expect(run('--nonsense')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Unknown option '--nonsense'.*\n\nMeasures how bspkit begins/),
    });
    // Before it takes minutes.
    const write = ['--write', fileURLToPath(import.meta.url), '--in', 'Mosaic'];
    await expect(run(...write)).rejects.toThrow('the page has no place for figures of bench:pages');
    await expect(run('--in', 'Mosaic')).rejects.toThrow("which are here, not 'Mosaic'");
  });
});
