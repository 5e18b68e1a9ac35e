import { existsSync } from 'node:fs';
import { defaultServerConditions } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const conditions = ['@bspkit/source', ...defaultServerConditions];

/** Tests that measure what compiled code does, which other tests in the same process would change. */
const MEASURING = 'test/allocation.test.ts';

/**
 * How every workspace is tested: our packages from their sources, so no build is needed first. Test files share one
 * process and what it has loaded, since loading takes longer than most tests; those that measure have one for themselves.
 */
export function tests(overrides: ViteUserConfig['test'] = {}): ViteUserConfig {
  const shared = { name: 'tests', include: ['test/**/*.test.ts'], exclude: [MEASURING], isolate: false };
  const alone = { name: 'measuring', include: [MEASURING] };
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      projects: (existsSync(MEASURING) ? [shared, alone] : [shared]).map((test) => ({ extends: true, test })),
      reporters: ['default', 'json'],
      outputFile: { json: 'test-report.json' },
      testTimeout: 60_000,
      ...overrides,
    },
  });
}
