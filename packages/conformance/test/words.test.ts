import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../src/sources.ts';

const CONTRIBUTING = 'CONTRIBUTING.md';

/** Phrases to look for, each with what to write, from the table in CONTRIBUTING: without a colon, as the others only explain. */
const phrases = [
  ...readFileSync(join(ROOT, CONTRIBUTING), 'utf8')
    .split('### Words')[1]!
    .matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm),
]
  .flatMap(([, phrase, better]) => phrase!.split(';').map((one) => [one.trim(), better!.trim()] as const))
  .filter(([phrase]) => phrase !== 'not' && !phrase.startsWith('-') && !phrase.includes(':'));

/** All text written by people, if git can list the files. */
function texts(): { path: string; text: string }[] {
  const files = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.mjs', '*.json', '*.yml', '*.html'], {
    ...{ cwd: ROOT, encoding: 'utf8' },
  });
  return files
    .split('\n')
    .filter(
      (path) =>
        path !== '' &&
        path !== CONTRIBUTING &&
        path !== 'package-lock.json' &&
        // Written from types, without comments; and sources that would have to be compiled again after a change.
        !/^packages\/(conformance\/api|\w+\/wasm)\//.test(path) &&
        !path.endsWith('words.test.ts'),
    )
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** A packed copy of the sources has no list of its files. */
const LISTED = existsSync(join(ROOT, '.git'));

describe('commands to copy', () => {
  it.skipIf(!LISTED)('have no comment after them: zsh and cmd would take its words as arguments', () => {
    const found = texts()
      .filter(({ path }) => path.endsWith('.md'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^```sh\n(.*?)^```/gms)]
          .flatMap(([, block]) => block!.split('\n'))
          .filter((line) => /\S\s+#/.test(line))
          .map((line) => `${path}: ${line}`),
      );
    expect(found).toEqual([]);
  });
});

describe('words', () => {
  it.skipIf(!LISTED)('are those of a native speaker', () => {
    expect(phrases.length).toBeGreaterThan(20);
    // Lines are wrapped anywhere, and in comments a star or slashes follow.
    const patterns = phrases.map(([phrase]) => {
      const words = phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').split(' ');
      return new RegExp(`\\b${words.join('[\\s*/]+')}\\b`, 'i');
    });
    const found: string[] = [];
    for (const { path, text } of texts()) {
      for (const [k, pattern] of patterns.entries()) {
        const match = pattern.exec(text);
        if (!match) continue;
        const [phrase, better] = phrases[k]!;
        const line = text.slice(0, match.index).split('\n').length;
        found.push(`${path}:${line}: "${phrase}"; better: ${better} (the table is in ${CONTRIBUTING})`);
      }
    }
    expect(found).toEqual([]);
  });
});
