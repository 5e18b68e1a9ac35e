import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** A package that a module is from: its folder and its name. */
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;

/**
 * Puts the licences of others' packages beside the page that contains them, as these ask for: minified scripts keep none. The page
 * does not need the file, so it comes after what lists the files for offline use.
 */
export function licences(): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const folders = new Map<string, string>();
        for (const file of Object.values(bundle)) {
          for (const id of file.type === 'chunk' ? file.moduleIds : []) {
            const [folder, name] = PACKAGE.exec(id.replaceAll('\\', '/')) ?? [];
            if (folder !== undefined) folders.set(name!, folder);
          }
        }
        const texts = [...folders].sort().map(([name, folder]) => `${name}\n\n${licenceOf(folder)}\n`);
        const source = `The playground contains code of these packages, which are not bspkit's:\n\n${texts.join('\n\n')}`;
        this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
      },
    },
  };
}

function licenceOf(folder: string): string {
  const name = readdirSync(folder).find((file) => /^licen[cs]e(\.\w+)?$/i.test(file));
  if (name === undefined) throw new Error(`${folder} has no licence that could be put beside the page`);
  return readFileSync(`${folder}/${name}`, 'utf8').trim();
}
