import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { leanPackages } from './build/lean-packages.ts';
import { leanThree } from './build/lean-three.ts';
import { licences } from './build/licences.ts';
import { offline } from './build/offline.ts';
import { policy } from './build/policy.ts';
import { sharedWorkers } from './build/shared-workers.ts';

const conditions = ['@bspkit/source', ...defaultClientConditions];

/** Paths are relative, so that the page can be published under any address. */
export default defineConfig({
  base: './',
  plugins: [leanThree(), leanPackages(), sharedWorkers(), policy(), offline(), licences()],
  resolve: {
    conditions,
    alias: [{ find: /^three$/, replacement: fileURLToPath(import.meta.resolve('three/src/Three.js')) }],
  },
  build: {
    target: 'es2022',
    modulePreload: false,
    sourcemap: true,
    chunkSizeWarningLimit: 600,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What several tools need is one file, as most of its parts are too small to be packed well.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'tools', test: /\/src\/tools\/(dom|state|run|draw\/|query\/)/, minShareCount: 2 }],
        },
      },
    },
  },
  worker: { format: 'es' },
  preview: { host: '127.0.0.1' },
  server: { host: '127.0.0.1' },
});
