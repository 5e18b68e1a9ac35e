import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, brokenLinks, brokenNames, linksOf } from '../src/links.ts';
import { PUBLISHED, ROOT } from '../src/sources.ts';

// A packed copy of the sources has no list of its files.
const isListed = existsSync(join(ROOT, '.git'));
const list = (pattern: string): string[] =>
  execFileSync('git', ['ls-files', pattern], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)));

describe.skipIf(!isListed)('documents', () => {
  const documents = isListed ? list('*.md') : [];

  it('have no links to files and headings that are not there', () => {
    expect(documents.length).toBeGreaterThan(50);
    const broken = documents.flatMap((path) => brokenLinks(path).map((link) => `${path}: ${link}`));
    expect(broken).toEqual([]);
  });

  it('name files, scripts and tests that are there', () => {
    const tests = list('*.test.ts');
    // That guide adds files of its own.
    const others = documents.filter((path) => !path.endsWith('/adding-a-format.md'));
    const broken = others.flatMap((path) => brokenNames(path, tests).map((name) => `${path}: ${name}`));
    expect(broken).toEqual([]);
  });
});

describe('READMEs', () => {
  const api = join(ROOT, 'packages/conformance/api');
  const known = new Set(
    readdirSync(api).flatMap((name) => readFileSync(join(api, name), 'utf8').match(/\w+/g)!),
  );

  it('list functions, in the first columns of their tables, that packages have', () => {
    const listed = PUBLISHED.flatMap(({ path }) => {
      const text = readFileSync(join(ROOT, path, 'README.md'), 'utf8');
      const cells = [...text.matchAll(/^\| (.*?) +\|/gm)].map(([, cell]) => cell!);
      const codes = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!));
      const calls = codes.flatMap((code) => [...code.matchAll(/(?:^|\.|new )(\w+)(?=\()/g)]);
      return calls.map(([, name]) => ({ path, name: name! }));
    });
    expect(listed.length).toBeGreaterThan(200);
    const lost = listed.filter(({ name }) => !known.has(name)).map(({ path, name }) => `${path}: ${name}`);
    expect(lost).toEqual([]);
  });
});

describe('links', () => {
  it('are found in prose, in labels and in tags, and not in code', () => {
    expect(linksOf('[a](../b "c") `[c](d)`\n```\n[e](f)\n```\n[g]: ./h\n![i](j.svg) <a href="#k">')).toEqual([
      '../b',
      'j.svg',
      './h',
      '#k',
    ]);
  });

  it('lead to headings as GitHub names them', () => {
    const text = '# A `b`: c_d, [e](f)!\n## Own\n## Own\n```\n# No\n```\n<a id="here"></a>';
    expect([...anchorsOf(text)].sort()).toEqual(['a-b-c_d-e', 'here', 'own', 'own-1']);
  });
});
