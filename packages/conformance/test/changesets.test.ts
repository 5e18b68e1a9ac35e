import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PUBLISHED, ROOT } from '../src/sources.ts';

const files = readdirSync(`${ROOT}.changeset`).filter((name) => name.endsWith('.md') && name !== 'README.md');

/** Packages that are published, by name. */
const published = PUBLISHED.map(({ manifest }) => manifest.name);

describe('changesets', () => {
  it.each(files)('%s: names packages that are published, and says something', (name) => {
    const text = readFileSync(`${ROOT}.changeset/${name}`, 'utf8');
    const [, bumps, summary] =
      /^---\n((?:'[^']+': (?:major|minor|patch)\n)+)---\n\n(\S[\s\S]+)$/.exec(text) ?? [];
    expect(summary).toBeTypeOf('string');
    for (const [, packageName] of bumps!.matchAll(/'([^']+)'/g)) expect(published).toContain(packageName);
  });

  it('are found', () => {
    expect(published).toContain('@bspkit/core');
  });
});
