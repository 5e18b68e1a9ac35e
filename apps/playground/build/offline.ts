import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Adds the service worker to the build, with the list of all files that the page may ask for. */
export function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const hash = createHash('sha256');
        const files = Object.keys(bundle).filter((name) => !name.endsWith('.map'));
        for (const name of files.sort()) {
          const file = bundle[name]!;
          hash.update(name).update(file.type === 'chunk' ? file.code : file.source);
        }
        const list = ['./', ...files.filter((name) => name !== 'index.html').map((name) => `./${name}`)];
        const source = serviceWorker(list, hash.digest('hex').slice(0, 12));
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
      },
    },
  };
}

/** The service worker that keeps these files, by their addresses, under a name of its own. */
export const serviceWorker = (files: readonly string[], version: string): string =>
  readFileSync(new URL('./service-worker.js', import.meta.url), 'utf8')
    .replace("'__FILES__'", JSON.stringify(files))
    .replace('__VERSION__', version);
