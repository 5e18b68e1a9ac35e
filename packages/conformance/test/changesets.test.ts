import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const files = readdirSync(`${root}/.changeset`).filter(
  (name) => name.endsWith('.md') && name !== 'README.md',
);

/** Packages that are published, by name. */
const published = ['packages', 'apps']
  .flatMap((group) => readdirSync(`${root}/${group}`).map((name) => `${root}/${group}/${name}/package.json`))
  .map((path) => JSON.parse(readFileSync(path, 'utf8')) as { name: string; private?: boolean })
  .filter((manifest) => !manifest.private)
  .map((manifest) => manifest.name);

describe('changesets', () => {
  it.each(files)('%s: names packages that are published, and says something', (name) => {
    const text = readFileSync(`${root}/.changeset/${name}`, 'utf8');
    const [, bumps, summary] =
      /^---\n((?:'[^']+': (?:major|minor|patch)\n)+)---\n\n(\S[\s\S]+)$/.exec(text) ?? [];
    expect(summary).toBeTypeOf('string');
    for (const [, packageName] of bumps!.matchAll(/'([^']+)'/g)) expect(published).toContain(packageName);
  });

  it('are looked at', () => {
    expect(published).toContain('@bspkit/core');
  });
});
