import { defaultServerConditions } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const conditions = ['@bspkit/source', ...defaultServerConditions];

/** How every workspace is tested: our packages from their sources, so no build is needed first. */
export function tests(overrides: ViteUserConfig['test'] = {}): ViteUserConfig {
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      include: ['test/**/*.test.ts'],
      reporters: ['default', 'json'],
      outputFile: { json: 'test-report.json' },
      testTimeout: 60_000,
      ...overrides,
    },
  });
}
