import { defineConfig } from 'tsup';
import { application } from '../../../tsup.base.ts';

export default defineConfig([
  application(['src/main.ts']) as object,
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
