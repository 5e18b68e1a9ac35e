import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { PUBLISHED, ROOT, readManifest } from './sources.ts';

// Packages as users get them: packed, and installed into separate projects. Whatever they depend on is packed from our
// node_modules, so that no registry is used.

const execute = promisify(execFile);

/** Settings of the npm that runs the tests must not reach the npm that a test runs. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm|pnpm)_/i.test(name) && name !== 'NODE_OPTIONS'),
);

/** Runs a Node program and returns its output. Throws with all of the output if it fails. */
export async function runNode(script: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await execute(process.execPath, [script, ...args], {
      ...{ cwd, env: environment, encoding: 'utf8', maxBuffer: 2 ** 26 },
    });
    return stdout;
  } catch (error) {
    // Without the cause, in which runners would print all of it again. The message contains what went to stderr.
    const { message, stdout } = error as Error & { stdout: string };
    throw new Error(`${message}\n${stdout}`);
  }
}

/** The npm that runs the tests, else the one that came with Node. */
const NPM = [
  process.env.npm_execpath,
  join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js'),
  join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js'),
].find((path) => path?.endsWith('npm-cli.js') && existsSync(path));
const PNPM = join(ROOT, 'node_modules/pnpm/bin/pnpm.cjs');

/** Runs npm and returns its output. A Node from npm's registry comes without npm, so something else must have named it. */
export function runNpm(args: readonly string[], cwd: string): Promise<string> {
  if (NPM === undefined) throw new Error('npm was not found: run these tests with npm or npx');
  return runNode(NPM, args, cwd);
}

/**
 * TypeScript's compilers: the one that we use, and version 7, which `npm install typescript` installs now. Of version 7 we
 * install the last preview, as both releases would have the command `tsc`.
 */
export const COMPILERS = {
  5: join(ROOT, 'node_modules/typescript/bin/tsc'),
  7: join(ROOT, 'node_modules/@typescript/native-preview/bin/tsgo'),
} as const;

/**
 * Packages for which a stand-in is installed, of the same name and version, that loads ours: they have native parts, of which npm
 * fetches those for the platform.
 */
const STOOD_IN: Readonly<Record<string, { readonly main: string; readonly bin: string }>> = {
  vitest: { main: 'dist/index.js', bin: 'vitest.mjs' },
};

/** Writes the stand-ins, and returns their folders. */
function writeStandIns(parent: string): string[] {
  return Object.entries(STOOD_IN).map(([name, { main, bin }]) => {
    const real = installedFolder(name, ROOT);
    const folder = join(parent, name);
    const url = (path: string): string => JSON.stringify(pathToFileURL(join(real, path)).href);
    const { version } = readManifest(real);
    const manifest = { name, version, type: 'module', exports: './index.js', bin: { [name]: './bin.js' } };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'index.js'), `export * from ${url(main)};\n`);
    writeFileSync(join(folder, 'bin.js'), `#!/usr/bin/env node\nimport ${url(bin)};\n`);
    return folder;
  });
}

/** Packages that ours depend on, with what these depend on, as folders in node_modules. */
function foreignFolders(): string[] {
  const ours = new Set(PUBLISHED.map(({ manifest }) => manifest.name));
  const found = new Map<string, string>();
  const visit = (from: string): void => {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = readManifest(from);
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      if (ours.has(name) || name in STOOD_IN || found.has(name)) continue;
      if (peerDependenciesMeta[name]?.optional) continue;
      found.set(name, installedFolder(name, from));
      visit(found.get(name)!);
    }
  };
  for (const { folder } of PUBLISHED) visit(folder);
  return [...found.values()];
}

/** Where a package is installed that code in a folder imports. */
function installedFolder(name: string, from: string): string {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (from === dirname(from)) throw new Error(`${name} is not installed`);
  return installedFolder(name, dirname(from));
}

/** A file made by `npm pack`. */
export interface Tarball {
  readonly name: string;
  readonly path: string;
  /** Paths of the files in it. */
  readonly files: readonly string[];
}

/** Packs all published packages and what they depend on into a folder. */
export async function packAll(folder: string): Promise<Tarball[]> {
  mkdirSync(folder, { recursive: true });
  const own = PUBLISHED.map((workspace) => workspace.folder);
  const folders = [...own, ...foreignFolders(), ...writeStandIns(join(folder, 'stand-ins'))];
  const options = ['--json', '--ignore-scripts', '--pack-destination', folder];
  const packed = JSON.parse(await runNpm(['pack', ...options, ...folders], folder)) as {
    name: string;
    filename: string;
    files: { path: string }[];
  }[];
  return packed.map(({ name, filename, files }) => {
    // Some versions of npm leave the scope's sign in the name that they print, but not in that of the file.
    const told = join(folder, filename);
    const path = existsSync(told) ? told : join(folder, filename.replace('@', '').replace('/', '-'));
    return { name, path, files: files.map((file) => file.path) };
  });
}

/** A fresh project. */
export interface Project {
  readonly name: string;
  /** Packages that it installs by name; all others are dependencies of these. */
  readonly installs: readonly string[];
}

const sourcesOf = (tarballs: readonly Tarball[], names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    tarballs.filter(({ name }) => names.includes(name)).map(({ name, path }) => [name, `file:${path}`]),
  );

function writeManifest(folder: string, manifest: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...manifest }));
}

/** Makes a project with npm. */
export async function installWithNpm(
  folder: string,
  { name, installs }: Project,
  tarballs: readonly Tarball[],
): Promise<void> {
  const overrides = sourcesOf(
    tarballs,
    tarballs.map((tarball) => tarball.name),
  );
  writeManifest(folder, { name, dependencies: sourcesOf(tarballs, installs), overrides });
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  await runNpm(['install', ...options], folder);
}

/**
 * Creates projects with pnpm, in folders with their names. They are installed side by side, but see only what they install
 * themselves: pnpm's node_modules are strict.
 */
export async function installWithPnpm(
  folder: string,
  projects: readonly Project[],
  tarballs: readonly Tarball[],
): Promise<void> {
  writeManifest(folder, { name: 'projects' });
  for (const { name, installs } of projects) {
    writeManifest(join(folder, name), { name, dependencies: sourcesOf(tarballs, installs) });
  }
  const overrides = tarballs.map(({ name, path }) => `  '${name}': 'file:${path}'\n`);
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), `packages:\n  - '*'\noverrides:\n${overrides.join('')}`);
  // A store and a cache of its own, or pnpm would expect packages here that it knows from earlier installs.
  const own = ['--store-dir', join(folder, '../store'), '--cache-dir', join(folder, '../cache')];
  await runNode(PNPM, ['install', '--offline', '--ignore-scripts', ...own], folder);
}
