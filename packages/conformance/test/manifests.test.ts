import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as movement from '@bspkit/movement';
import { describe, expect, it } from 'vitest';
import { platformOf } from '../../../scripts/platforms.mjs';
import { linksOf } from '../src/links.ts';
import { PUBLISHED, ROOT, WORKSPACES } from '../src/sources.ts';

// What package registries show for each package: who, where, and a README whose links work there.

const REPOSITORY = 'https://github.com/bspkit/bspkit';

/** The order of fields in every package.json. */
const FIELDS: readonly string[] = [
  ...['name', 'version', 'private', 'description', 'keywords', 'author', 'funding', 'license'],
  ...['repository', 'homepage', 'type', 'sideEffects', 'engines', 'bin', 'files'],
  ...['main', 'module', 'types', 'exports', 'dependencies', 'peerDependencies', 'devDependencies'],
  ...['publishConfig', 'scripts'],
];

/** The main entry of a package, for those who know `exports` and those who do not. */
interface Entries {
  readonly main?: string;
  readonly module?: string;
  readonly types?: string;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, { readonly import?: Entry; readonly require?: Entry } & Entry>>;
}
interface Entry {
  readonly types: string;
  readonly default: string;
}

const readJson = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

it('package-lock.json has the hash of every package that npm installs, on any platform', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly link?: boolean; readonly integrity?: string }>>;
  };
  const installed = Object.entries(packages).filter(
    ([place, { link }]) => /(?:^|\/)node_modules\//.test(place) && !link,
  );
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
});

it('what is written into package-lock.json where npm leaves a package out says the platform as npm does', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { os?: string[]; cpu?: string[]; libc?: string[] }>>;
  };
  let count = 0;
  for (const [place, { os, cpu, libc }] of Object.entries(packages)) {
    // Others are for several processors, or for one system.
    if (cpu?.length !== 1) continue;
    count++;
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const own = platformOf(name);
    expect(own?.cpu, name).toEqual(cpu);
    // Turbo's for Linux are for Android too.
    expect(os ?? [], name).toEqual(expect.arrayContaining(own?.os ?? []));
    expect(own?.os === undefined, name).toBe(os === undefined);
    // Not all say it by name.
    if (libc && own?.libc) expect(libc, name).toEqual(own.libc);
  }
  expect(count).toBeGreaterThan(100);
  expect(platformOf('@oven/bun-windows-x64')).toEqual({ os: ['win32'], cpu: ['x64'] });
  expect(platformOf('@a/b-win32-x64-gnu')).toEqual({ os: ['win32'], cpu: ['x64'] });
  expect(platformOf('@a/b-linux-x64-musl')).toEqual({ os: ['linux'], cpu: ['x64'], libc: ['musl'] });
  expect(platformOf('@a/b-linux-arm-gnueabihf')).toEqual({ os: ['linux'], cpu: ['arm'], libc: ['glibc'] });
  expect(['esbuild', '@a/darwin-walker', 'x64-words'].map(platformOf)).toEqual([null, null, null]);
});

describe('package.json', () => {
  it.each(WORKSPACES.map(({ path, folder }) => [path, folder] as const))(
    '%s: fields in the common order, dependencies in alphabetical order',
    (_, folder) => {
      const manifest = readJson(folder);
      expect(Object.keys(manifest)).toEqual(FIELDS.filter((field) => field in manifest));
      for (const field of ['dependencies', 'devDependencies']) {
        const names = Object.keys((manifest[field] ?? {}) as object);
        expect(names, field).toEqual([...names].sort());
      }
    },
  );

  it.each(
    WORKSPACES.filter(({ path }) => path.startsWith('apps/examples/')).map(
      ({ path, folder }) => [path, folder] as const,
    ),
  )('%s: lists what its build needs, also for those who copy it out of here', (_, folder) => {
    const { devDependencies = {} } = readJson(folder) as { devDependencies?: Record<string, string> };
    // tsup lists it as an optional peer, but loads it at the start.
    if (devDependencies.tsup) expect(devDependencies).toHaveProperty('typescript');
  });

  it.each(PUBLISHED.map(({ path, folder }) => [path, folder] as const))(
    '%s: says who made it and where it is, and includes its changelog',
    (path, folder) => {
      expect(readJson(folder)).toMatchObject({
        author: `bspkit contributors (${REPOSITORY}/graphs/contributors)`,
        funding: { type: 'github', url: 'https://github.com/sponsors/bspkit' },
        license: 'MIT',
        repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: path },
        homepage: `${REPOSITORY}/tree/main/${path}#readme`,
        publishConfig: { access: 'public' },
      });
      // npm packs README and LICENSE by itself, but not this one, which is written when versions are made.
      expect(readJson(folder).files).toContain('CHANGELOG.md');
    },
  );

  it.each(PUBLISHED.map(({ path, folder }) => [path, folder] as const))(
    '%s: has the same entries for what does not know `exports`, the others in folders that builds write',
    (_, folder) => {
      const { main, module, types, files = [], exports = {} } = readJson(folder) as Entries;
      const { import: esm, require: cjs, ...only } = exports['.'] ?? {};
      const known = cjs ?? esm ?? (only as Partial<Entry>);
      expect([main, module, types]).toEqual([known.default, cjs && esm?.default, known.types]);
      const others = Object.keys(exports).filter((entry) => !/^\.(\/package\.json)?$/.test(entry));
      expect(files.includes('*/package.json')).toBe(others.length > 0);
      // A folder lies in the package itself.
      for (const entry of others) expect(entry).toMatch(/^\.\/[a-z]+$/);
    },
  );

  it.each(PUBLISHED.flatMap(({ path, manifest }) => (manifest.bin ? [[path, manifest.bin] as const] : [])))(
    '%s: its commands are files of the repository, so that npm links them in a clone, before anything is built',
    (path, bin) => {
      for (const file of Object.values(bin)) {
        expect(dirname(file)).toBe('./bin');
        expect(readFileSync(join(ROOT, path, file), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
        expect(readJson(join(ROOT, path)).files).toContain('bin');
      }
    },
  );
});

describe('README', () => {
  it.each(
    PUBLISHED.map(({ folder, path }) => [path, join(folder, 'README.md')] as const).filter(([, file]) =>
      existsSync(file),
    ),
  )('%s: links are whole addresses, as a registry’s page needs', (_, file) => {
    const text = readFileSync(file, 'utf8');
    for (const link of linksOf(text)) {
      expect(link, 'is relative, and npmjs.com has no such page').toMatch(/^(?:https:\/\/|#)/);
    }
    // A label without a link is shown in brackets.
    for (const [, label] of text.replace(/^```.*?^```$/gms, '').matchAll(/\]\[([^\]]+)\]/g)) {
      expect(text, label).toMatch(new RegExp(`^\\[${label}\\]: `, 'm'));
    }
  });
});

describe('budgets of bundles', () => {
  it('exist for each mover by itself', async () => {
    const { default: budgets } = (await import(`${ROOT}/.size-limit.mjs`)) as {
      default: readonly { readonly import?: string }[];
    };
    const movers = Object.keys(movement).filter((name) => /^create.*Mover$/.test(name));
    expect(movers.length).toBeGreaterThan(3);
    for (const mover of movers) {
      const alone = ({ import: names = '' }: { readonly import?: string }): boolean =>
        names.match(/\bcreate\w*Mover\b/g)?.join() === mover;
      expect(budgets.filter(alone), mover).toHaveLength(1);
    }
  });
});
