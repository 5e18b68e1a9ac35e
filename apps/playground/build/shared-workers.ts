import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';

const WORKER = /new URL\('(\.[^']+)', import\.meta\.url\)(?=, \{ type: 'module')/g;

/**
 * Builds workers with the page, so that they share its chunks: by itself Vite builds each worker apart, with copies of all
 * that it imports. So they also share what tells that a chunk could not be loaded, which Vite has tell the window: a worker has none.
 */
export function sharedWorkers(): Plugin {
  return {
    name: 'shared-workers',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id.endsWith('vite/preload-helper.js'))
        return { code: code.replaceAll('window.', 'self.'), map: null };
      if (!code.includes('new Worker(')) return undefined;
      const replaced = code.replace(WORKER, (_, path: string) => {
        const reference = this.emitFile({ type: 'chunk', id: resolve(dirname(id), path) });
        return `import.meta.ROLLUP_FILE_URL_${reference}`;
      });
      return { code: replaced, map: null };
    },
  };
}
