import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from '@bspkit/testkit/folder';
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

/** Whether there has been a release. */
const isReleased = PUBLISHED.some(({ manifest }) => manifest.version !== '0.0.0');

describe.skipIf(process.platform === 'win32')('the next version', () => {
  const folder = temporaryFolder();
  const changesets = join(folder, '.changeset');
  mkdirSync(join(folder, 'packages/core'), { recursive: true });
  mkdirSync(join(folder, 'scripts'));
  cpSync(join(ROOT, 'scripts/version.mjs'), join(folder, 'scripts/version.mjs'));
  // Stands in for changesets, which would take seconds: it lists what it is left with.
  writeFileSync(join(folder, 'npx'), '#!/bin/sh\n[ "$*" = "changeset version" ] && ls .changeset\n');
  chmodSync(join(folder, 'npx'), 0o755);
  cpSync(join(ROOT, '.changeset'), changesets, { recursive: true });

  /** The changesets that a version is made of, and the exit code. */
  function versionAfter(version: string): {
    readonly status: number | null;
    readonly left: readonly string[];
  } {
    writeFileSync(join(changesets, 'some-mending.md'), "---\n'@bspkit/core': patch\n---\n\nMended.\n");
    writeFileSync(join(folder, 'packages/core/package.json'), JSON.stringify({ version }));
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
    const { status, stdout } = spawnSync(process.execPath, [join(folder, 'scripts/version.mjs')], {
      ...{ encoding: 'utf8', env },
    });
    const left = stdout.split('\n').filter((line) => /^[\w-]+\.md$/.test(line));
    return { status, left: left.sort() };
  }

  it('is made of all changesets, if it is not the first', () => {
    expect(versionAfter('0.1.0')).toEqual({ status: 0, left: [...files, 'some-mending.md'].sort() });
  });

  it.skipIf(isReleased)('is made of one changeset of each package, if it is the first', () => {
    const own = published.map((name) => `${name.replace('@bspkit/', '')}.md`);
    expect(versionAfter('0.0.0')).toEqual({ status: 0, left: own.sort() });
  });
});
