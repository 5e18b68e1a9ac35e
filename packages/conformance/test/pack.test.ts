import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_TARGETS } from '@bspkit/compile';
import { compileFixture, FIXTURES } from '@bspkit/fixtures';
import { type ReadmeExample, readmeExamples } from '@bspkit/testkit/readme';
import { build, transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  installWithNpm,
  installWithPnpm,
  type Project,
  packAll,
  runNode,
  type Tarball,
  TSC,
} from '../src/pack.ts';
import { type Manifest, PUBLISHED, ROOT, readManifest } from '../src/sources.ts';

// Packages as users get them. Every README is followed in a project of its own that installs what the README says and
// nothing else: its examples must compile against the published types and print what they say.

/** A README, and the project of somebody who follows it. */
interface Reader extends Project {
  readonly folder: string;
  readonly examples: readonly ReadmeExample[];
  readonly manifest: Manifest | undefined;
}

const readers: readonly Reader[] = [
  { folder: ROOT, manifest: undefined, name: 'project' },
  ...PUBLISHED.map(({ folder, path, manifest }) => ({ folder, manifest, name: path.split('/')[1]! })),
].map(({ folder, ...rest }) => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const lines = [...readme.matchAll(/^npm (?:install|i)((?: +[^\s#]+)+)/gm)].map(([, names]) =>
    names!.trim(),
  );
  const installs = lines.flatMap((line) => line.split(/ +/)).filter((word) => !word.startsWith('-'));
  return { ...rest, folder, installs: [...new Set(installs)], examples: readmeExamples(folder) };
});

/** Entries of packages that are libraries: `@bspkit/core/format`. */
const ENTRIES = PUBLISHED.flatMap(({ manifest }) =>
  Object.keys(manifest.exports ?? {})
    .filter((entry) => entry !== './package.json')
    .map((entry) => manifest.name + entry.slice(1)),
);

/** Maps that examples read: each in the format of the package, else in its own. */
function writeMaps(folder: string, { manifest }: Reader): void {
  const own = COMPILE_TARGETS.find(({ id }) => manifest?.name === `@bspkit/${id}`);
  for (const { name, format } of FIXTURES) {
    writeFileSync(join(folder, `${name}.bsp`), compileFixture(name, own?.id ?? format).bytes);
  }
  // Where one README needs maps of two games.
  writeFileSync(join(folder, 'arena1.bsp'), compileFixture('arena', 'quake1').bytes);
}

/** What the CommonJS of a project sees: names of exports by entry, and whether errors of all packages are of one class. */
const COMMONJS = `
const entries = ${JSON.stringify(ENTRIES)};
const names = Object.fromEntries(entries.map((entry) => [entry, Object.keys(require(entry)).sort()]));
const errors = entries.map((entry) => require(entry).BspError).filter((error) => error !== undefined);
console.log(JSON.stringify({ names, classes: new Set(errors).size, errors: errors.length }));
`;
const MODULES = `
const entries = ${JSON.stringify(ENTRIES)};
const names = {};
const errors = new Set();
for (const entry of entries) {
  const exports = await import(entry);
  names[entry] = Object.keys(exports).sort();
  if (exports.BspError) errors.add(exports.BspError);
}
console.log(JSON.stringify({ names, classes: errors.size }));
`;

describe('packed packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-pack-'));
  const [npm, pnpm] = [join(folder, 'npm'), join(folder, 'pnpm')];
  const driver = join(folder, 'run-examples.mjs');
  let tarballs: Tarball[];

  beforeAll(async () => {
    for (const { folder: built, path } of PUBLISHED) {
      expect(existsSync(join(built, 'dist')), `${path} is not built: npm run build`).toBe(true);
    }
    tarballs = await packAll(join(folder, 'tarballs'));
    const all = PUBLISHED.map(({ manifest }) => manifest.name);
    await Promise.all([
      installWithNpm(npm, { name: 'npm', installs: all }, tarballs),
      installWithPnpm(pnpm, readers, tarballs),
      build({
        entryPoints: [fileURLToPath(new URL('../src/run-examples.ts', import.meta.url))],
        ...{ bundle: true, platform: 'node', format: 'esm', outfile: driver },
        conditions: ['@bspkit/source'],
      }),
    ]);
    for (const reader of readers) {
      writeMaps(join(pnpm, reader.name), reader);
      for (const { line, language, code } of reader.examples) {
        const { code: plain } = await transform(code, { loader: 'ts', format: 'esm' });
        writeFileSync(join(pnpm, reader.name, `example-${line}.${language}`), code);
        writeFileSync(join(pnpm, reader.name, `example-${line}.mjs`), plain);
      }
    }
  }, 120_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PUBLISHED.map(({ manifest, folder: home }) => [manifest.name, home] as const))(
    '%s: holds what it needs and no tests',
    (name, home) => {
      const { files } = tarballs.find((tarball) => tarball.name === name)!;
      for (const needed of ['package.json', 'README.md', 'LICENSE']) expect(files).toContain(needed);
      const { exports = {}, bin = {} } = readManifest(home);
      const targets = JSON.stringify([exports, bin]).match(/\.\/dist\/[^"]+/g) ?? [];
      for (const target of targets) expect(files).toContain(target.slice(2));
      expect(files.filter((file) => /(^|\/)(test|node_modules|\.turbo)\//.test(file))).toEqual([]);
    },
  );

  it.each(readers.map((reader) => [reader.name, reader] as const))(
    'the README of %s says what to install',
    (_, { installs, manifest, examples }) => {
      expect(installs.length).toBeGreaterThan(0);
      if (manifest) expect(installs).toContain(manifest.name);
      if (!manifest?.bin) expect(examples.length).toBeGreaterThan(0);
    },
  );

  it('have types for every example, as modules and as CommonJS', async () => {
    const requires = ENTRIES.map((entry, k) => `import entry${k} = require('${entry}');\nvoid entry${k};\n`);
    writeFileSync(join(npm, 'requires.cts'), requires.join(''));
    const imports = ENTRIES.map((entry, k) => `import * as entry${k} from '${entry}';\nvoid entry${k};\n`);
    writeFileSync(join(npm, 'imports.mts'), imports.join(''));
    const common = { module: 'nodenext', target: 'es2022', lib: ['es2022'], noEmit: true };
    const withNode = { ...common, types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };
    const projects = {
      // With our own declarations, which users' compilers skip as a rule, and where there is no Node.
      'tsconfig.entries.json': {
        compilerOptions: {
          ...common,
          ...{ types: [], strict: true, skipLibCheck: false, skipDefaultLibCheck: true },
        },
        include: ['npm/*.cts', 'npm/*.mts'],
      },
      'tsconfig.json': {
        compilerOptions: { ...withNode, strict: true, skipLibCheck: true },
        include: ['pnpm/*/example-*.ts'],
      },
      // Examples in JavaScript say less of types than strict ones would have to.
      'jsconfig.json': {
        compilerOptions: { ...withNode, allowJs: true, checkJs: true, skipLibCheck: true },
        include: ['pnpm/*/example-*.js'],
      },
    };
    const checks = Object.entries(projects).map(([name, project]) => {
      writeFileSync(join(folder, name), JSON.stringify(project));
      return runNode(TSC, ['-p', name], folder);
    });
    expect(await Promise.all(checks)).toEqual(['', '', '']);
  }, 60_000);

  it.each(
    readers.filter(({ examples }) => examples.length > 0).map((reader) => [reader.name, reader] as const),
  )('the examples of %s print what they say', async (_, { name, examples }) => {
    const files = examples.map(({ line }) => join(pnpm, name, `example-${line}.mjs`));
    const printed = JSON.parse(await runNode(driver, files, join(pnpm, name))) as Record<string, string[]>;
    for (const [k, { line, prints }] of examples.entries()) {
      const lines = printed[files[k]!]!;
      expect(lines.length, `line ${line}`).toBeGreaterThan(0);
      if (prints.length > 0) expect(lines, `line ${line}`).toEqual(prints);
    }
  });

  it('can be required and imported, with the same exports and one class of errors', async () => {
    writeFileSync(join(npm, 'requires.cjs'), COMMONJS);
    writeFileSync(join(npm, 'imports.mjs'), MODULES);
    const required = JSON.parse(await runNode('requires.cjs', [], npm));
    const imported = JSON.parse(await runNode('imports.mjs', [], npm));
    expect(required.names).toEqual(imported.names);
    for (const entry of ENTRIES) expect(required.names[entry].length, entry).toBeGreaterThan(0);
    expect(required.errors).toBeGreaterThan(1);
    expect([required.classes, imported.classes]).toEqual([1, 1]);
  });

  it('bring a command that runs', async () => {
    // The umbrella has one too, but that only finds this one, or asks npm for it.
    const { name, manifest } = readers.find((reader) => reader.manifest?.name === '@bspkit/cli')!;
    const [path] = Object.values(manifest?.bin ?? {});
    const script = join(pnpm, name, 'node_modules', manifest!.name, path!);
    const answer = await runNode(script, ['info', 'demo:arena', '--json'], pnpm);
    expect(Object.keys(JSON.parse(answer)).length).toBeGreaterThan(0);
  });
});
