import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { FORMATS as LISTED } from 'bspkit';
import { describe, expect, it } from 'vitest';
import {
  findCycles,
  importsOf,
  PUBLISHED,
  packageOf,
  ROOT,
  readSources,
  type SourceFile,
  WORKSPACES,
  type Workspace,
} from '../src/sources.ts';

// How the repository is built, as tests: so what docs say about it stays true.

const sources = readSources();
const named = new Map(WORKSPACES.map((workspace) => [workspace.manifest.name, workspace]));
const sourcesOf = ({ path }: Workspace): SourceFile[] =>
  sources.filter(({ workspace }) => workspace.path === path);

/** Packages that are imported in a workspace's `src`, including types, each with a file that imports it. */
function importedBy(workspace: Workspace): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, imports } of sourcesOf(workspace)) {
    for (const { from } of imports) {
      const name = packageOf(from);
      if (name !== undefined) found.set(name, path);
    }
  }
  return found;
}

/** Formats: workspaces with a descriptor. */
const FORMATS = WORKSPACES.filter(({ path }) =>
  sources.some((file) => file.path === `${path}/src/descriptor.ts`),
).map(({ path }) => path);

/**
 * Every workspace is on a floor and imports from floors below its own, so that dependencies point one way. A new workspace must
 * be given a place here.
 */
const FLOORS: readonly (readonly string[])[] = [
  // Code that knows nothing about maps: arithmetic and replacing files; bundled into whatever uses it.
  ['packages/geometry', 'packages/replace'],
  ['packages/core'],
  // Walks that several formats share, the parts of pools, and answers in words for apps; bundled into them.
  ['packages/brushes', 'packages/workers', 'packages/words'],
  // Packages that know core, but no format.
  [
    ...FORMATS,
    'packages/scene',
    'packages/movement',
    'packages/ellipsoid',
    'packages/compare',
    'packages/compile',
    'packages/check-format',
    'packages/rows',
  ],
  // The one list of formats.
  ['packages/bspkit'],
  // Whole-map answers for maps of any format.
  ['packages/bake'],
  // For tests and demos.
  ['packages/fixtures', 'packages/testkit'],
  ['apps/bench', 'apps/cli', 'apps/playground', 'packages/conformance'],
  // Tries out what it tells people to type.
  ['apps/docs'],
];

/** Code that distributes work to many machines: only for Node. */
const QUEUES = 'packages/bake/src/queue';

/** Third-party libraries whose types need neither Node nor a browser. */
const NEUTRAL = new Set(['fast-png']);

/** Programs that show how the packages are used; nothing imports them. */
const EXAMPLES = 'apps/examples/';

const floorOf = (path: string): number =>
  path.startsWith(EXAMPLES) ? FLOORS.length : FLOORS.findIndex((floor) => floor.includes(path));

/** Files of a format that are functions over its worlds and files: bundles contain only those that are called. */
const OVER_WORLDS =
  /^(exact|reference)\/|^(explain|info|light|lightmaps|mesh|polygons|rows|surface|tutorial)\.ts$/;

/** The files of a package that an entry brings into a bundle: what it imports as values, and what those import. */
function broughtIn(entry: string): Set<string> {
  const reached = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const { from, typeOnly, lazy } of sources.find((source) => source.path === file)!.imports) {
      if (from.startsWith('.') && !typeOnly && !lazy) waiting.push(posix.join(posix.dirname(file), from));
    }
  }
  return reached;
}

describe('imports', () => {
  it('form no cycle of files in any src, types and lazy imports aside', () => {
    expect(findCycles(sources)).toEqual([]);
  });

  it('would be noticed if they formed one', () => {
    const file = (path: string, text: string) => ({ path, imports: importsOf(path, text) });
    const [a, b, c] = [
      file('x/a.ts', "import { b } from './b.ts';"),
      file('x/b.ts', "export * from './c.ts';\nimport type { A } from './a.ts';"),
      file('x/c.ts', "import './a.ts';"),
    ];
    expect(findCycles([a, b, c])).toEqual([['x/a.ts', 'x/b.ts', 'x/c.ts']]);
    expect(findCycles([a, b])).toEqual([]);
    expect(findCycles([a, b, file('x/c.ts', "const load = () => import('./a.ts');")])).toEqual([]);
    expect(findCycles([a, b, file('x/c.ts', "import type { A } from './a.ts';")])).toEqual([]);
    expect(findCycles([a, b, file('x/c.ts', "import { type A } from './a.ts';")])).toHaveLength(1);
    expect(findCycles([file('x/d.ts', "import './d.ts';")])).toEqual([['x/d.ts']]);
    expect(importsOf('x/e.ts', "type A = import('./a.ts').A; void import('./b.ts');")).toEqual([
      { from: './a.ts', typeOnly: true, lazy: false },
      { from: './b.ts', typeOnly: false, lazy: true },
    ]);
  });

  it.each(WORKSPACES.map((workspace) => [workspace.path, workspace] as const))(
    '%s: points downwards',
    (path, workspace) => {
      const floor = floorOf(path);
      expect(floor, 'has no place in FLOORS').toBeGreaterThanOrEqual(0);
      for (const [name, file] of importedBy(workspace)) {
        const target = named.get(name);
        if (target) expect(floorOf(target.path), `${file} imports ${name}`).toBeLessThan(floor);
      }
    },
  );

  it('of the umbrella include every format that has a folder', () => {
    const listed = LISTED.map(({ id }) => `packages/${id}`);
    expect(FORMATS, 'formats with a folder; the list is packages/bspkit/src/formats.ts').toEqual(
      listed.sort(),
    );
  });

  it('of a format reach only core', () => {
    expect(FORMATS.length).toBeGreaterThan(0);
    for (const path of FORMATS) {
      const names = [...importedBy(WORKSPACES.find((workspace) => workspace.path === path)!).keys()];
      const shared = ['@bspkit/core', '@bspkit/geometry', '@bspkit/brushes'];
      expect(names.filter((name) => !shared.includes(name))).toEqual([]);
    }
  });

  it.each(FORMATS)('of the main entry of %s bring in nothing that only its descriptor needs', (path) => {
    const reached = broughtIn(`${path}/src/index.ts`);
    expect(reached.size).toBeGreaterThan(20);
    const names = ['format', 'descriptor', 'info', 'rows', 'tracers'].map((name) => `${path}/src/${name}.ts`);
    expect(names.filter((name) => reached.has(name))).toEqual([]);
  });

  it.each(FORMATS)('of the light half of %s bring in nothing but what recognises files', (path) => {
    const light = ['format', 'identity'].map((name) => `${path}/src/${name}.ts`);
    expect([...broughtIn(light[0]!)].sort()).toEqual(light);
    const imports = sources.filter((file) => light.includes(file.path)).flatMap((file) => file.imports);
    const others = imports.filter(({ from, typeOnly }) => !typeOnly && !from.startsWith('.'));
    expect(others.map(({ from }) => from)).toEqual(['@bspkit/core/detect']);
  });

  it.each(FORMATS)('of what reads and builds in %s bring in no functions over worlds', (path) => {
    const reached = [...broughtIn(`${path}/src/file.ts`), ...broughtIn(`${path}/src/world.ts`)];
    const inside = reached.map((file) => file.slice(`${path}/src/`.length));
    expect(inside).toContain('layout.ts');
    expect(inside.filter((file) => OVER_WORLDS.test(file))).toEqual([]);
  });

  it('that browsers load look behind in no regular expression: Safari could not read the file before 16.4', () => {
    const seen = sources.filter(
      ({ path }) => !path.includes('/node/') && !/^packages\/conformance|^apps\/(?!playground)/.test(path),
    );
    expect(seen.length).toBeGreaterThan(100);
    expect(seen.filter(({ text }) => /\(\?<[=!]/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('of kernels and everything else under packages need no Node', () => {
    // What tests use runs where they do.
    const tools = ['check-format', 'fixtures', 'testkit', 'conformance'].map((name) => `packages/${name}/`);
    // What is only for Node, by a condition in the package's exports, is in folders of that name.
    const libraries = sources.filter(
      ({ path }) =>
        path.startsWith('packages/') &&
        !path.includes('/node/') &&
        !path.startsWith(QUEUES) &&
        !tools.some((tool) => path.startsWith(tool)),
    );
    for (const { path, imports } of libraries) {
      for (const { from, typeOnly } of imports) {
        if (!typeOnly) expect(from.includes('/node/'), `${path} imports ${from}`).toBe(false);
      }
    }
    for (const { path, imports } of libraries) {
      for (const { from } of imports) expect(from.startsWith('node:'), `${path} imports ${from}`).toBe(false);
      // Types of other libraries may bring in Node's, and then all files that are checked together would have them.
      for (const { from } of imports) {
        const name = packageOf(from);
        expect(name === undefined || named.has(name) || NEUTRAL.has(name), `${path} imports ${from}`).toBe(
          true,
        );
      }
    }
  });
});

describe('builds', () => {
  it('are not taken from a cache after a script at the top level that makes them has changed', () => {
    const { globalDependencies } = JSON.parse(readFileSync(join(ROOT, 'turbo.json'), 'utf8')) as {
      globalDependencies: readonly string[];
    };
    const paths = ['tsup.base.ts', ...PUBLISHED.map(({ path }) => `${path}/package.json`)];
    const texts = paths.map((path) => readFileSync(join(ROOT, path), 'utf8'));
    // In packages, `scripts/` is a folder of their own.
    const found = texts.flatMap((text, k) => [
      ...text.matchAll(k === 0 ? /\b(scripts\/[\w-]+\.\w+)/g : /\.\.\/\.\.\/(scripts\/[\w-]+\.\w+)/g),
    ]);
    const scripts = new Set(found.map(([, script]) => script!));
    expect(scripts.size).toBeGreaterThan(2);
    expect(globalDependencies).toEqual(expect.arrayContaining([...scripts]));
  });
});

describe('threads of Node', () => {
  it('are created by `new` with a literal file name: for any other, deployment tools include all files around it', () => {
    // Next.js is one of them, and its build then fails at declarations for CommonJS.
    const threads = sources.filter(({ imports }) =>
      imports.some(({ from, typeOnly }) => from === 'node:worker_threads' && !typeOnly),
    );
    const published = threads.filter(({ path }) => path.startsWith('packages/'));
    const made = published.flatMap(({ text }) => text.match(/\bnew Worker\(.*/g) ?? []);
    expect(made.length).toBeGreaterThan(0);
    for (const call of made) {
      expect(call).toMatch(
        /^new Worker\(join\(dirname\(fileURLToPath\(import\.meta\.url\)\), '[\w-]+\.js'\),/,
      );
    }
  });
});

describe('manifests', () => {
  it.each(PUBLISHED.map((workspace) => [workspace.path, workspace] as const))(
    '%s: list what the package imports, and nothing private',
    (_, { manifest, ...workspace }) => {
      const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifest;
      const used = importedBy({ manifest, ...workspace });
      // Private packages are bundled, together with what they import.
      for (const name of [...used.keys()]) {
        const target = named.get(name);
        if (!target?.manifest.private) continue;
        expect(Object.keys(devDependencies), name).toContain(name);
        for (const [inner, file] of importedBy(target)) used.set(inner, file);
      }
      for (const [name, file] of used) {
        if (named.get(name)?.manifest.private) continue;
        expect(Object.keys({ ...dependencies, ...peerDependencies }), `${file} imports ${name}`).toContain(
          name,
        );
      }
      for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
        expect(named.get(name)?.manifest.private ?? false, `${name} is private`).toBe(false);
        expect([...used.keys()], 'imports what it depends on').toContain(name);
      }
    },
  );
});

/** Other names of a game than its format's, and the paths of files that may say them. */
const MORE_NAMES: readonly (readonly [id: string, name: RegExp, own: RegExp])[] = [
  ['quake1', /half-?life/i, /halflife/],
  ['quake3', /quake live/i, /quake3/],
  ['ufoai', /alien invasion/i, /ufoai/],
];

/** A game: its names, and the paths of files that may say them. */
interface Game {
  readonly names: readonly RegExp[];
  readonly own: readonly RegExp[];
}

/** The names of a format's game: its name, and its id as it appears in packages, classes and functions. */
function gameOf({ id, name }: { readonly id: string; readonly name: string }): Game {
  const parts = name.match(/[A-Za-z]+|\d+/g)!;
  // A name of one word may be a word of its own, or the start of one, as SiN is: it counts as spelled.
  const title = id[0]!.toUpperCase() + id.slice(1);
  const word = new RegExp(`(?<![A-Z])(?:${name}|${title})(?![a-z])|@bspkit/${id}\\b`);
  const more = MORE_NAMES.filter(([of]) => of === id);
  return {
    names: [
      parts.length > 1 ? new RegExp(`${parts.join('[ :-]*')}|${id}`, 'i') : word,
      ...more.map(([, other]) => other),
    ],
    own: [new RegExp(`\\b${id}`), ...more.map(([, , path]) => path)],
  };
}

const GAMES: readonly Game[] = LISTED.map(gameOf);

/** Names of games in a line of a file whose path does not contain them. */
const namesIn = (games: readonly Game[], path: string, line: string): string[] =>
  games
    .filter(({ own }) => !own.some((part) => part.test(path)))
    .flatMap(({ names }) => names.flatMap((name) => name.exec(line)?.[0] ?? []));

/**
 * Files that may name games that their paths don't name: lists of formats, and what files are recognized by. Except for test
 * data, nothing else in any `src` or at the top level may, in code, text or comments: whoever adds a format changes only its own
 * package and these lists.
 */
const LISTS: readonly string[] = [
  // The umbrella's list: what openBsp opens.
  'packages/bspkit/src/formats.ts',
  // The compiler's list of targets.
  'packages/compile/src/targets.ts',
  // The list of engines whose merging rules a scene can follow.
  'packages/scene/src/rules/index.ts',
  // Which code answers the rows recorded for scenes, by game.
  'packages/scene/src/rules/rows.ts',
  // The list of engines whose players exist, of what answers rows recorded for them, and of their states.
  'packages/movement/src/engines/index.ts',
  'packages/movement/src/engines/rows.ts',
  'packages/movement/src/engines/states.ts',
  // The games whose players the benchmark measures.
  'apps/bench/src/movement/games.ts',
  // The list of what the playground knows about games: whose players walk, and whose storeys, hulls and cells it draws.
  'apps/playground/src/games/index.ts',
  // What files are by their first bytes, including those that are never opened: data for error messages.
  'packages/core/src/format/signatures.ts',
  // The packages with free maps of each game.
  'scripts/maps.mjs',
  // Size limits for bundles that move the players of one game.
  '.size-limit.mjs',
];

/** Scripts and settings at the top level. */
const TOP = ['', 'scripts/'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => /\.(ts|mts|mjs)$/.test(name))
    .map((name) => ({ path: folder + name, text: readFileSync(join(ROOT, folder, name), 'utf8') })),
);

/** Test data, our own maps and recorded rows, and examples of using a package. */
const FREE: readonly string[] = ['packages/fixtures/', 'apps/docs/', EXAMPLES];

describe('names of games', () => {
  it('appear only in files whose paths name the game, and in lists', () => {
    expect(TOP.length).toBeGreaterThan(5);
    const found = [...sources, ...TOP]
      .filter(({ path }) => !LISTS.includes(path) && !FREE.some((folder) => path.startsWith(folder)))
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, k) => namesIn(GAMES, path, line).map((name) => `${path}:${k + 1}: ${name}`)),
      );
    expect(found).toEqual([]);
  });

  it('appear in each of the lists', () => {
    for (const path of LISTS) {
      const file = [...sources, ...TOP].find((source) => source.path === path);
      expect(file, path).toBeDefined();
      expect(
        GAMES.some(({ names }) => names.some((name) => name.test(file!.text))),
        path,
      ).toBe(true);
    }
  });

  it('come from the list of formats, whatever a new one is called', () => {
    const more = [
      { id: 'sin', name: 'SiN' },
      { id: 'hexen2', name: 'Hexen II' },
    ];
    const ids = more.map(({ id }) => id);
    const games = [...LISTED.filter(({ id }) => !ids.includes(id)), ...more].map(gameOf);
    const found = (line: string, path = 'packages/scene/src/scene.ts') => namesIn(games, path, line);
    for (const line of ['Math.sin(x)', 'sinCos(x)', 'Since then', 'the sine', "'using sin'"])
      expect(found(line)).toEqual([]);
    expect(found('maps of SiN too')).toEqual(['SiN']);
    expect(found('const world = createSinWorld(file)')).toEqual(['Sin']);
    expect(found("import '@bspkit/sin/format'")).toEqual(['@bspkit/sin']);
    expect(found('as in Hexen II')).toEqual(['Hexen II']);
    expect(found('quake2Rules, and Half-Life, and UFO: AI')).toEqual(['Half-Life', 'quake2', 'UFO: AI']);
    expect(found('as in SiN', 'packages/sin/src/world.ts')).toEqual([]);
    expect(found('quake2', 'packages/sin/src/world.ts')).toEqual(['quake2']);
  });
});
