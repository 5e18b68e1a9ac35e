import { defineConfig, type Options } from 'tsup';

type Config = ReturnType<typeof defineConfig>;

/** How every published package is built: ESM, CJS and types for both, with source maps. */
export function library(entry: string[] = ['src/index.ts']): Config {
  return defineConfig({
    entry,
    format: ['esm', 'cjs'],
    dts: true,
    sourcemap: true,
    clean: true,
    target: 'es2022',
  });
}

/** How a Node application is built: one ESM tree with our private workspaces inside. */
export function application(entry: string[], options: Options = {}): Config {
  return defineConfig({
    entry,
    format: ['esm'],
    sourcemap: true,
    clean: true,
    target: 'node20',
    platform: 'node',
    ...options,
  });
}
