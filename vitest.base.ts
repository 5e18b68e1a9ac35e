import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

const conditions = ['@bspkit/source', ...defaultServerConditions];

/** All package.json files: transformed modules import the files that these name, and are transformed again when one changes. */
const manifests = ['packages', 'apps', 'apps/examples']
  .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name, 'package.json')))
  .filter((path) => existsSync(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('');

const ALL = '**/test/**/*.test.ts';

/** Tests that measure what compiled code does, which other tests in the same process would influence. */
const MEASURING = '**/test/**/{allocation,*.allocation}.test.ts';

/**
 * Tests of what users get: packed tarballs, the command in processes of its own, pages in browsers, other JavaScript
 * engines. They need a build.
 */
const E2E = '**/test/**/*.e2e.test.ts';

/** Those of them that measure what compiled code does. */
const MEASURING_E2E = '**/test/**/allocation.e2e.test.ts';

const ELSEWHERE = ['**/node_modules/**', '**/dist/**'];

/** The main number of V8's version. From 12 on it has Maglev, a third compiler between the other two. */
const V8 = Number.parseInt(process.versions.v8, 10);

/**
 * V8 compiles as soon as it decides to, not when another thread finds the time for it, and decides sooner: code that newer
 * versions keep in Maglev, their compiler before the last, boxes numbers, for a million calls where it runs rarely.
 */
const AT_ONCE = [
  '--no-concurrent-recompilation',
  V8 < 12 ? '--interrupt-budget=15000' : '--invocation-count-for-turbofan=500',
];

/**
 * Most files are short: their code runs a few times, so compiling it plainly at once is faster than interpreting it first, and
 * optimizing it pays off later than V8 expects, and less. Half of the processor time was spent on that, in threads beside the
 * tests. So it begins at four times the usual budget, where Maglev does not come before it, and inlines little.
 */
const COMPILING = [
  '--always-sparkplug',
  '--max-inlined-bytecode-size-cumulative=150',
  ...(V8 < 12 ? ['--interrupt-budget=270000'] : []),
];

/**
 * What lives for a single test fits into 64 MB, which the collector then need not copy; what all of them leave, into 256 MB, which
 * it then rarely goes through. It has no threads: they would wait for each other where tests keep all cores busy.
 */
const COLLECTING = [
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--initial-old-space-size=256',
  '--single-threaded-gc',
];

/**
 * Appended to every module. `vitest.setup.ts` defines what it calls, which takes the values that are exported then for the only
 * ones; tests that measure run without it.
 */
const MODULE_END = '\n;globalThis.quickenExports?.(__vite_ssr_exports__);\n';
const SETUP = join(ROOT, 'vitest.setup.ts');

/** An export that can be assigned again. */
const CHANGING = /^export (let|var) /m;

/**
 * How a workspace is tested, and at the root all of them in one run: with our packages' sources, so no build is needed first.
 * Test files share one process per core and what it has loaded, since loading takes longer than most tests; those that measure
 * each have a process to themselves.
 */
export function tests(): ViteUserConfig {
  const folder = process.cwd();
  const projects = [
    {
      name: 'sources',
      include: [ALL],
      exclude: [...ELSEWHERE, MEASURING, E2E],
      isolate: false,
      execArgv: [...COMPILING, ...COLLECTING],
      setupFiles: [SETUP, join(ROOT, 'vitest.unbuilt.ts')],
    },
    // Compiler and test runner allocate too; what really allocates does so every time.
    { name: 'measuring', include: [MEASURING], exclude: ELSEWHERE, retry: 2, execArgv: AT_ONCE },
    // What most of them load, to drive browsers and processes, takes longer than many a test. Where other work keeps all cores
    // busy, each of their processes gets a small share of one.
    {
      name: 'e2e',
      include: [E2E],
      exclude: [...ELSEWHERE, MEASURING_E2E],
      isolate: false,
      execArgv: [...COMPILING, ...COLLECTING],
      setupFiles: [SETUP],
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
    { name: 'measuring-e2e', include: [MEASURING_E2E], exclude: ELSEWHERE, retry: 2, execArgv: AT_ONCE },
  ];
  return defineConfig({
    root: ROOT,
    cacheDir: join(folder, 'node_modules/.vite'),
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    plugins: [
      {
        name: 'manifests',
        configureVitest: ({ experimental_defineCacheKeyGenerator: define }) => define(() => manifests),
      },
      {
        name: 'quick-exports',
        enforce: 'post',
        transform: (code, id) =>
          id.endsWith('.ts') && !CHANGING.test(code) ? { code: code + MODULE_END, map: null } : undefined,
      },
    ],
    test: {
      dir: folder,
      projects: projects.map((test) => ({ extends: true, test })),
      // One per core, as the process that hands out the files has little to do.
      maxWorkers: '100%',
      reporters: ['default', 'json'],
      outputFile: { json: join(folder, 'test-report.json') },
      testTimeout: 60_000,
      // Removing a project with everything that it installed takes a while on busy machines.
      hookTimeout: 60_000,
      expect: { poll: { timeout: 30_000 } },
      experimental: { fsModuleCache: true },
    },
  });
}
