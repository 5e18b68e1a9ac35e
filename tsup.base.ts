import { defineConfig, type Options } from 'tsup';

type Config = ReturnType<typeof defineConfig>;
type Plugin = NonNullable<Options['plugins']>[number];

/**
 * Bundling turns top-level `const` into `var`, and V8 then neither folds the constants of our kernels nor trusts them:
 * 8 to 14 % slower, and numbers get boxed. Turned back for names that are constants by our convention.
 */
const keepConstants: Plugin = {
  name: 'keep-constants',
  renderChunk: (code, { map }) => ({
    code: code.replace(/^var (?=(?:[A-Z][A-Z0-9_]*|f\d*) = )/gm, 'const '),
    map: map ?? null,
  }),
};

/** How every published package is built: ESM, CJS and types for both, with source maps. */
export function library(
  entry: Record<string, string> = { index: 'src/index.ts' },
  options: Pick<Options, 'esbuildOptions'> = {},
): Config {
  return defineConfig({
    entry,
    format: ['esm', 'cjs'],
    dts: true,
    // Entries share what they have in common, in CommonJS too: an error class must not be there twice.
    splitting: true,
    sourcemap: true,
    clean: true,
    target: 'es2022',
    plugins: [keepConstants],
    ...options,
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
