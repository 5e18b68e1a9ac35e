import { defaultClientConditions, defineConfig } from 'vite';

const conditions = ['@bspkit/source', ...defaultClientConditions];

/** Paths are relative, so that the page can be published under any address. */
export default defineConfig({
  base: './',
  resolve: { conditions },
  build: { target: 'es2022', modulePreload: { polyfill: false }, sourcemap: true },
  worker: { format: 'es' },
  preview: { host: '127.0.0.1' },
  server: { host: '127.0.0.1' },
});
