/**
 * Guides import what their readers install: their examples count as sources. Files that they have readers save are in the guides
 * themselves.
 */
const examples = (text) =>
  Array.from(text.matchAll(/^```js\n(.*?)^```/gms), ([, code]) =>
    code.replace(/^import .* from '\.\/.*\n/gm, ''),
  ).join('\n');

/** The entry points. What cannot be reached from these is unused: files, exports, dependencies. */
export default {
  // The engines have some masks that are one bit of contents: CONTENTS_SOLID is MASK_SOLID.
  exclude: ['duplicates'],
  // Programs of the system.
  ignoreBinaries: [
    'apt-get',
    'dpkg-deb',
    'gcc',
    'ldd',
    'mkfifo',
    'openssl',
    'pwsh',
    'redis-server',
    'script',
    'unshare',
  ],
  compilers: { md: examples },
  workspaces: {
    '.': {
      entry: ['scripts/*.{mjs,d.mts}', '*.base.ts'],
      project: ['*.{ts,js,mjs}', 'scripts/**'],
      // Started by their paths: Bun to compare answers, pnpm to install.
      ignoreDependencies: ['bun', 'pnpm'],
    },
    'apps/*': { entry: ['src/main.ts', 'src/*-worker.ts'], project: ['**/*.{ts,mjs}'] },
    'apps/bench': { entry: ['src/{main,worker,against,page,pages}.ts'], project: ['**/*.ts'] },
    'apps/docs': { entry: ['*.mjs', 'guides/**/*.md'], project: ['**/*.{ts,mjs,md}'] },
    'apps/playground': { entry: ['scripts/*.{ts,mjs}'], project: ['**/*.{ts,mjs}'] },
    'apps/examples/*': { entry: ['*.js', 'src/main.{ts,tsx}'], project: ['**/*.{ts,tsx,js}'] },
    'packages/*': {
      entry: [
        // Kernels in AssemblyScript, and what they share.
        '{wasm,assembly}/index.ts',
        // Files that workers load.
        'src/**/worker.ts',
        '{bench,scripts}/*.{ts,mjs}',
        'determinism/main.ts',
        // Pages that tests bundle.
        'src/*-page.ts',
      ],
      project: ['**/*.{ts,mjs}'],
    },
  },
};
