import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles a script for Node into a file, which it returns: workers cannot load our sources, which are TypeScript. It is CommonJS if
 * the file's name ends so.
 *
 * @param code - of the script, which can import from our sources.
 * @param from - URL of the module whose folder it imports from.
 */
export async function bundleScript(outfile: string, code: string, from: string): Promise<string> {
  await build({
    stdin: { contents: code, loader: 'ts', resolveDir: fileURLToPath(new URL('.', from)) },
    outfile,
    bundle: true,
    format: extname(outfile) === '.cjs' ? 'cjs' : 'esm',
    platform: 'node',
    conditions: ['@bspkit/source'],
    logLevel: 'error',
  });
  return outfile;
}
