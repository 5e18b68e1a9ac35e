import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../src/sources.ts';

// Git for Windows converts line endings by default, and tests compare texts with what code writes.

/** A packed copy of the sources has no list of its files. */
const LISTED = existsSync(join(ROOT, '.git'));

const listed = (...options: string[]): string[] =>
  execFileSync('git', ['ls-files', ...options], { cwd: ROOT, encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('files of a clone', () => {
  it.skipIf(!LISTED)('have the same bytes, whatever the system', () => {
    const files = listed('--eol');
    expect(files.length).toBeGreaterThan(1000);
    // Line endings in the index and in this clone, attributes, and after a tab the path.
    const same = /^i\/(lf|none) .* attr\/text=auto eol=lf +\t|^i\/-text .* attr\/-text +\t/;
    expect(files.filter((file) => !same.test(file))).toEqual([]);
  });

  it.skipIf(!LISTED)('have names that differ not only in case, and that Windows allows', () => {
    const names = listed();
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    const wrong = /[^ -~]|[\\:*?"<>|]|[. ](\/|$)|(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.|\/|$)/i;
    expect(names.filter((name) => wrong.test(name))).toEqual([]);
  });
});
