import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

const conditions = ['@bspkit/source', ...defaultServerConditions];

/** Tests that measure what compiled code does, which other tests in the same process would change. */
const MEASURING = 'test/allocation.test.ts';

/** All package.json: transformed modules import the files that these say, and are transformed anew when one changes. */
const manifests = ['packages', 'apps', 'apps/examples']
  .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name, 'package.json')))
  .filter((path) => existsSync(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('');

/**
 * How every workspace is tested: our packages from their sources, so no build is needed first. Test files share one
 * process and what it has loaded, since loading takes longer than most tests; those that measure have one for themselves.
 * Workspaces share what has been transformed, which takes a root in common.
 */
export function tests(overrides: ViteUserConfig['test'] = {}): ViteUserConfig {
  const folder = process.cwd();
  const shared = { name: 'tests', include: ['test/**/*.test.ts'], exclude: [MEASURING], isolate: false };
  const alone = { name: 'measuring', include: [MEASURING] };
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
    ],
    test: {
      dir: folder,
      projects: (existsSync(MEASURING) ? [shared, alone] : [shared]).map((test) => ({ extends: true, test })),
      reporters: ['default', 'json'],
      outputFile: { json: join(folder, 'test-report.json') },
      testTimeout: 60_000,
      experimental: { fsModuleCache: true },
      ...overrides,
    },
  });
}
