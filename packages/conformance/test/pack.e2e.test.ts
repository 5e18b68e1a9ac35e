import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { arenaQuake3 } from '@bspkit/fixtures';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { examplesIn, testFilesIn } from '@bspkit/testkit/readme';
import { FORMATS } from 'bspkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMPILERS, installWithNpm, installWithPnpm, packAll, runNode, type Tarball } from '../src/pack.ts';
import { PUBLISHED, ROOT, readManifest } from '../src/sources.ts';
import { buildDriver, checkExamples, FOLLOWED, READERS, runVitest, writeExamples } from './readers.ts';

// Packages as users get them. Every README is followed in a project of its own that installs what the README says and nothing
// else: its examples must compile against the published types and print what they say.

/** What a package has at an entry, for a kind of module. */
interface Entry {
  readonly default: string;
}

/** Entries of packages that are libraries: `@bspkit/core/format`. */
const ENTRIES = PUBLISHED.flatMap(({ manifest }) =>
  Object.keys(manifest.exports ?? {})
    .filter((entry) => entry !== './package.json')
    .map((entry) => manifest.name + entry.slice(1)),
);

/** Those that can be required too. Vitest cannot, and so nothing that imports it. */
const REQUIRED = ENTRIES.filter((entry) => {
  const { manifest } = PUBLISHED.find(({ manifest: { name } }) => `${entry}/`.startsWith(`${name}/`))!;
  return JSON.stringify(manifest.exports).includes('"require"');
});

/** Finds functions and classes that go by another name, which consoles and debuggers would show: `_class [BspError]: …`. */
const MISNAMED = `
const misnamedIn = (entry, exports) =>
  Object.entries(exports)
    .filter(([name, value]) => typeof value === 'function' && value.name !== name)
    .map(([name, value]) => entry + ': ' + name + ' is called ' + value.name);
`;
/**
 * What a CommonJS project sees: names of exports by entry, whether errors of all packages share a class, and which entries are others
 * by their paths, where `exports` is not looked at.
 */
const COMMONJS = `${MISNAMED}
const entries = ${JSON.stringify(REQUIRED)};
const names = Object.fromEntries(entries.map((entry) => [entry, Object.keys(require(entry)).sort()]));
const errors = entries.map((entry) => require(entry).BspError).filter((error) => error !== undefined);
const modules = Object.values(require.cache).filter(({ filename }) => filename.includes('@bspkit'));
const slow = modules.flatMap(({ filename, exports }) =>
  Object.entries(Object.getOwnPropertyDescriptors(exports))
    .filter(([, { get }]) => get !== undefined)
    .map(([name]) => filename + ' ' + name));
const counts = { errors: errors.length, modules: modules.length };
const { join } = require('node:path');
const strangers = entries.filter((entry) => require(join(__dirname, 'node_modules', entry)) !== require(entry));
const misnamed = entries.flatMap((entry) => misnamedIn(entry, require(entry)));
console.log(JSON.stringify({ names, classes: new Set(errors).size, ...counts, slow, strangers, misnamed }));
`;
const MODULES = `${MISNAMED}
import { readFileSync } from 'node:fs';
const entries = ${JSON.stringify(ENTRIES)};
const names = {};
const errors = new Set();
const strangers = [];
const misnamed = [];
for (const entry of entries) {
  const exports = await import(entry);
  names[entry] = Object.keys(exports).sort();
  const folder = new URL('node_modules/' + entry + '/', import.meta.url);
  const { module, main } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  if (new URL(module ?? main, folder).href !== import.meta.resolve(entry)) strangers.push(entry);
  if (exports.BspError) errors.add(exports.BspError);
  misnamed.push(...misnamedIn(entry, exports));
}
console.log(JSON.stringify({ names, classes: errors.size, strangers, misnamed }));
`;

/** Types that the compiler infers, and must name when it writes declarations. */
const INFERRED = `
import { createWorld, openBsp, readBsp } from 'bspkit';
export const open = async (bytes: Uint8Array) => openBsp(bytes);
export const named = async (bytes: Uint8Array) => openBsp(bytes, { format: 'quake3' });
export const read = async (bytes: Uint8Array) => readBsp(bytes);
export const create = async (bytes: Uint8Array) => createWorld(await readBsp(bytes));
export const ray = async (bytes: Uint8Array) => (await openBsp(bytes)).ray();
export const model = async (bytes: Uint8Array) => (await named(bytes)).model(1);
`;
/** The same for a pnpm project, which does not see core unless it installs it. */
const INFERRED_ALONE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    FORMATS.map(({ id }) => [
      id,
      `
import { contentsNames, explain, surfaceNames, type ${id[0]!.toUpperCase()}${id.slice(1)}World } from '@bspkit/${id}';
export const door = (world: ${id[0]!.toUpperCase()}${id.slice(1)}World) => world.model(1).box([0, 0, 0], [1, 1, 1]);
export const names = [contentsNames, surfaceNames];
export const explained = (...move: Parameters<typeof explain>) => explain(...move);
`,
    ]),
  ),
  scene: `
import { createScene, withPose } from '@bspkit/scene';
export const posed = withPose(createScene().ray());
`,
};

/** The parts that these tests read. */
interface SourceMap {
  readonly file?: string;
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

/** Data for places where shared memory is refused: the network, files and pictures. */
const SENT = `
import { type MemoryStore, pointBytes } from '@bspkit/bake';
import { type Drawing, toPng } from '@bspkit/bake/picture';
import type { CompiledMap } from '@bspkit/compile';
import type { EmbeddedTexture, LightmapAtlas, UnsharedBytes } from '@bspkit/core';
import * as movement from '@bspkit/movement';
import type { Quake2World } from '@bspkit/quake2';
import type { Quake3World } from '@bspkit/quake3';
import { encodeRouting, type UfoaiRouting } from '@bspkit/ufoai';

export function send(socket: WebSocket, state: movement.PlayerState): void {
  socket.send(movement.packState(state));
  socket.send(movement.packQuakeWorldCommand(movement.createQuakeWorldCommand()));
  socket.send(movement.packQuake2Command(movement.createQuake2Command()));
  socket.send(movement.packQuake3Command(movement.createQuake3Command()));
  socket.send(movement.packState(state, new Uint8Array(1000)));
}

export function sendSight(socket: WebSocket, quake2: Quake2World, quake3: Quake3World): void {
  for (const world of [quake2, quake3]) {
    socket.send(world.areaBits(0));
    socket.send(world.clusterPvs(0) ?? '');
  }
  socket.send(quake2.clusterPhs(0));
}

export async function save(map: CompiledMap, table: UfoaiRouting, drawing: Drawing, store: MemoryStore): Promise<Blob> {
  return new Blob([map.bytes, encodeRouting(table), await toPng(drawing), store.bytes(), pointBytes([1, 2, 3])]);
}

export const post = (picture: LightmapAtlas | EmbeddedTexture): Promise<Response> =>
  fetch('/', { method: 'POST', body: picture.pixels });

export const pack = (state: movement.PlayerState, bytes?: Uint8Array): Uint8Array => movement.packState(state, bytes);
export const named: UnsharedBytes = new Uint8Array(1);
`;

/** Mistakes in the format of the guide: what is written there, what in its place, and what a report says. */
const MISTAKES: readonly (readonly [right: string, wrong: string, message: string])[] = [
  [
    'return this.inner.entities();',
    'return [...this.inner.entities()];',
    'world.entities() returns another array each time',
  ],
  ['return this.inner.contents(point);', 'return 0;', 'world.contents(point) is [ 0 ] where a ray is free'],
  [
    'quake3.explain(tracer, start, end)',
    'quake3.explain(tracer, end, start)',
    'explain answers differently from trace of ray, on the way from',
  ],
];

const wrappedInMine = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from('MINE'.padEnd(16)), bytes]);

describe('packed packages', () => {
  const folder = temporaryFolder();
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
      installWithPnpm(pnpm, READERS, tarballs),
      buildDriver(driver),
    ]);
    for (const reader of READERS) await writeExamples(join(pnpm, reader.name), reader);
  });

  it.each(PUBLISHED.map(({ manifest, folder: home }) => [manifest.name, home] as const))(
    '%s: contains what it needs and no tests',
    (name, home) => {
      const { files } = tarballs.find((tarball) => tarball.name === name)!;
      for (const needed of ['package.json', 'README.md', 'LICENSE']) expect(files).toContain(needed);
      const { exports = {}, bin = {} } = readManifest(home);
      const targets = JSON.stringify([exports, bin]).match(/\.\/dist\/[^"]+/g) ?? [];
      for (const target of targets) expect(files).toContain(target.slice(2));
      // What an earlier build left would be found there, too.
      const others = Object.keys(exports).filter((entry) => !/^\.(\/package\.json)?$/.test(entry));
      const folders = files.filter((file) => /^[^/]+\/package\.json$/.test(file));
      expect(folders.sort()).toEqual(others.map((entry) => `${entry.slice(2)}/package.json`).sort());
      for (const folder of folders) {
        const { browser } = JSON.parse(readFileSync(join(home, folder), 'utf8')) as { browser?: string };
        const { node, import: esm } = exports[`./${posix.dirname(folder)}`] as Record<string, Entry>;
        expect(browser && posix.join(posix.dirname(folder), browser), folder).toBe(
          node && esm!.default.slice(2),
        );
      }
      expect(files.filter((file) => /(^|\/)(test|node_modules|\.turbo)\//.test(file))).toEqual([]);
    },
  );

  it.each(PUBLISHED.map(({ manifest }) => manifest.name))(
    '%s: has source maps whose sources are found wherever the package is installed',
    (name) => {
      const { files } = tarballs.find((tarball) => tarball.name === name)!;
      const home = join(npm, 'node_modules', name);
      const maps = files
        .filter((file) => /\.c?js\.map$/.test(file))
        .map((path): [string, SourceMap] => [path, JSON.parse(readFileSync(join(home, path), 'utf8'))]);
      expect(maps.flatMap(([, { sources }]) => sources).length).toBeGreaterThan(0);
      const isFound = (path: string, source: string, content: string | null | undefined): boolean =>
        source.startsWith('.') && (!!content || files.includes(posix.join(posix.dirname(path), source)));
      const lost = maps.flatMap(([path, { file, sources, sourcesContent }]) => [
        ...(file === undefined || file === posix.basename(path, '.map') ? [] : [`${path} is of ${file}`]),
        ...sources
          .filter((source, k) => !isFound(path, source, sourcesContent?.[k]))
          .map((source) => `${path} names ${source}`),
      ]);
      expect(lost).toEqual([]);
    },
  );

  it.each(READERS.map((reader) => [reader.name, reader] as const))(
    'the README of %s says what to install',
    (_, { installs, manifest, examples, tests }) => {
      expect(installs.length).toBeGreaterThan(0);
      if (manifest) expect(installs).toContain(manifest.name);
      if (!manifest?.bin) expect(examples.length + tests.length).toBeGreaterThan(0);
    },
  );

  it('have types for every example, as modules and as CommonJS', async () => {
    const requires = REQUIRED.map((entry, k) => `import entry${k} = require('${entry}');\nvoid entry${k};\n`);
    writeFileSync(join(npm, 'requires.cts'), requires.join(''));
    const imports = ENTRIES.map((entry, k) => `import * as entry${k} from '${entry}';\nvoid entry${k};\n`);
    writeFileSync(join(npm, 'imports.mts'), imports.join(''));
    writeFileSync(join(npm, 'node10.ts'), imports.join(''));
    writeFileSync(join(npm, 'inferred.mts'), INFERRED);
    writeFileSync(join(npm, 'sent.mts'), SENT);
    for (const [name, code] of Object.entries(INFERRED_ALONE)) {
      writeFileSync(join(pnpm, name, 'inferred.mts'), code);
    }
    const common = { module: 'nodenext', target: 'es2022', lib: ['es2022'], noEmit: true };
    // What `tsc --init` writes.
    const initial = {
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
      ...{ verbatimModuleSyntax: true, isolatedModules: true, noUncheckedSideEffectImports: true },
      ...{ moduleDetection: 'force', skipLibCheck: true },
    };
    const withNode = { ...common, types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };
    const projects = {
      // Checks our declarations too, which users' compilers usually skip, without Node and with an older language.
      'tsconfig.entries.json': {
        compilerOptions: {
          ...common,
          ...{ types: [], lib: ['es2020'], strict: true, exactOptionalPropertyTypes: true },
          ...{ skipLibCheck: false, skipDefaultLibCheck: true },
        },
        include: ['npm/requires.cts', 'npm/imports.mts'],
      },
      // The same for TypeScript that does not know `exports`: its default for CommonJS before version 6; version 7 has no such
      // mode.
      'tsconfig.node10.json': {
        compilerOptions: {
          ...{ module: 'commonjs', moduleResolution: 'node10', target: 'es2020', lib: ['es2020'], types: [] },
          ...{ noEmit: true, strict: true, skipLibCheck: false, skipDefaultLibCheck: true },
        },
        include: ['npm/node10.ts'],
      },
      // Compiled as libraries and projects that reference each other are. Nothing else may be imported here.
      'tsconfig.inferred.json': {
        compilerOptions: { ...common, ...initial, types: [], declaration: true },
        include: ['npm/inferred.mts'],
      },
      'tsconfig.sent.json': {
        compilerOptions: { ...common, ...initial, types: [], lib: ['es2022', 'dom'] },
        include: ['npm/sent.mts'],
      },
      'tsconfig.alone.json': {
        compilerOptions: { ...common, ...initial, types: [], declaration: true },
        include: ['pnpm/*/inferred.mts'],
      },
      'tsconfig.json': {
        compilerOptions: { ...withNode, ...initial },
        include: ['pnpm/*/example-*.ts'],
      },
      // Examples in JavaScript state fewer types than strict ones would have to.
      'jsconfig.json': {
        compilerOptions: { ...withNode, allowJs: true, checkJs: true, skipLibCheck: true, strict: false },
        include: ['pnpm/*/example-*.js', 'pnpm/*/*.test.js'],
      },
    };
    for (const [name, project] of Object.entries(projects)) {
      writeFileSync(join(folder, name), JSON.stringify(project));
    }
    // All in one process, which reads what they share once: a compiler takes most of its time to start.
    const { 5: five, 7: seven } = COMPILERS;
    const { 'tsconfig.node10.json': _, ...known } = projects;
    const checks = [
      runNode(five, ['--build', ...Object.keys(projects)], folder),
      runNode(seven, ['--build', ...Object.keys(known)], folder),
    ];
    expect(await Promise.all(checks)).toEqual(['', '']);
  });

  it.each(FOLLOWED.map((reader) => [reader.name, reader] as const))(
    'the examples of %s print what they say, and its tests pass',
    (_, reader) => checkExamples(driver, join(pnpm, reader.name), reader),
  );

  it('can be required and imported, with the same exports and one error class', async () => {
    writeFileSync(join(npm, 'requires.cjs'), COMMONJS);
    writeFileSync(join(npm, 'imports.mjs'), MODULES);
    const required = JSON.parse(await runNode('requires.cjs', [], npm));
    const imported = JSON.parse(await runNode('imports.mjs', [], npm));
    const both = REQUIRED.map((entry) => [entry, imported.names[entry]]);
    expect(required.names).toEqual(Object.fromEntries(both));
    for (const entry of ENTRIES) expect(imported.names[entry].length, entry).toBeGreaterThan(0);
    expect(required.errors).toBeGreaterThan(1);
    expect([required.classes, imported.classes]).toEqual([1, 1]);
    expect([required.strangers, imported.strangers]).toEqual([[], []]);
    expect([required.misnamed, imported.misnamed]).toEqual([[], []]);
    // Imports from another file are looked up at every call, in kernels too: so they must be values, not getters. The umbrella
    // re-exports core through getters, but nothing that traces imports the umbrella.
    expect(required.modules).toBeGreaterThan(REQUIRED.length);
    expect(required.slow).toEqual([]);
  });

  it('are enough to write a format and to check it, which names a mistake', async () => {
    const guide = readFileSync(join(ROOT, 'apps/docs/guides/adding-a-format.md'), 'utf8');
    const [format] = examplesIn(guide)[0]!.code.split(/^const bytes/m);
    const [test] = testFilesIn(guide);
    // One run of all: most of the time of a run is its start.
    const home = join(npm, 'own-format');
    const write = (name: string, code: string): void => {
      const folder = join(home, name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'mine.js'), `${code}\nexport { mine };\n`);
      writeFileSync(join(folder, test!.name), test!.code);
    };
    write('right', format!);
    for (const [k, [right, wrong]] of MISTAKES.entries()) {
      expect(format, right).toContain(right);
      write(`mistake-${k}`, format!.replace(right, wrong));
    }
    writeFileSync(join(home, 'arena.mine'), wrappedInMine(arenaQuake3()));
    writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module' }));
    const report = await runVitest(npm, home).then(
      () => 'passed',
      (error: Error) => error.message,
    );
    expect(report).toMatch(/^ ✓ right\/\S+ \(\d{2,} tests\)/m);
    expect(report).toContain(`Test Files  ${MISTAKES.length} failed | 1 passed (${MISTAKES.length + 1})`);
    // Each mistake is all that a report names, so that its author need not look for the cause.
    const failures = report.split(/^ FAIL +/m).slice(1);
    for (const [k, [, , message]] of MISTAKES.entries()) {
      const own = failures.filter((text) => text.startsWith(`mistake-${k}/`));
      expect(own).toEqual([expect.stringContaining(message)]);
    }
  });

  it('include a command that runs', async () => {
    // The umbrella has one too, but that one only looks for this one, or asks npm for it.
    const { name, manifest } = READERS.find((reader) => reader.manifest?.name === '@bspkit/cli')!;
    const [path] = Object.values(manifest?.bin ?? {});
    const script = join(pnpm, name, 'node_modules', manifest!.name, path!);
    const answer = await runNode(script, ['info', 'demo:arena', '--json'], pnpm);
    expect(Object.keys(JSON.parse(answer)).length).toBeGreaterThan(0);
  });
});
