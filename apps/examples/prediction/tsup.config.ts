import { defineConfig } from 'tsup';

export default defineConfig([
  {
    entry: ['src/main.ts'],
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    clean: true,
  },
  {
    entry: ['src/client.ts'],
    format: ['iife'],
    outDir: 'dist/page',
    platform: 'browser',
    target: 'es2022',
    // The page is one file, libraries and all.
    noExternal: [/./],
    sourcemap: true,
  },
]);
