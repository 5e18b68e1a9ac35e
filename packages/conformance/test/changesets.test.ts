import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PUBLISHED, ROOT } from '../src/sources.ts';

const files = readdirSync(`${ROOT}.changeset`).filter((name) => name.endsWith('.md') && name !== 'README.md');

/** Packages that are published, by name. */
const published = PUBLISHED.map(({ manifest }) => manifest.name);

/** Names of a changeset's packages, and what it says; `undefined` if it is not written as `npm run changeset` does, or by hand. */
function parse(text: string): { readonly names: readonly string[]; readonly summary: string } | undefined {
  const [, bumps, summary] =
    /^---\n((?:(?:'[^']+'|"[^"]+"): (?:major|minor|patch)\n)+)---\n\n(\S[\s\S]+)$/.exec(text) ?? [];
  if (bumps === undefined) return undefined;
  return { names: [...bumps.matchAll(/^["'](.+)["']:/gm)].map(([, name]) => name!), summary: summary! };
}

describe('changesets', () => {
  it.each(files)('%s: names packages that are published, and says something', (name) => {
    const found = parse(readFileSync(`${ROOT}.changeset/${name}`, 'utf8'));
    const form =
      "begins with ---, a line such as '@bspkit/core': minor for each package, ---, an empty line, and then text";
    expect(found, `a changeset ${form}`).toBeDefined();
    for (const packageName of found!.names) expect(published).toContain(packageName);
  });

  it('may be as npm run changeset writes them', () => {
    const text = '---\n"@bspkit/core": minor\n"bspkit": patch\n---\n\nTracers.\n';
    expect(parse(text)).toEqual({ names: ['@bspkit/core', 'bspkit'], summary: 'Tracers.\n' });
    expect(parse(text.replaceAll('"', "'"))).toEqual(parse(text));
    for (const wrong of [text.replace('minor', 'none'), text.replace('Tracers.\n', ''), text.slice(4)])
      expect(parse(wrong)).toBeUndefined();
  });

  it('are found', () => {
    expect(published).toContain('@bspkit/core');
  });
});
