import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { defaultClientConditions, build as vite } from 'vite';

const packages = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE = '@bspkit/source';

/** A file of a bundle. */
export interface Chunk {
  readonly name: string;
  /** Files that it imports, and those that it loads when needed. */
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  readonly code: string;
  /** Bytes of each module that it holds any of, by path: `quake3/src/file.ts`. */
  readonly modules: ReadonlyMap<string, number>;
}

/** What a module's text becomes. */
interface Bundle {
  /** What is loaded at once, the entry first. */
  readonly initial: readonly Chunk[];
  /** What may be loaded later. Files that nothing refers to, which esbuild leaves lying about, are in neither. */
  readonly later: readonly Chunk[];
}

/** Bundles a module's text, minified, from our sources. */
export type Bundler = (code: string) => Promise<Bundle>;

export const bundlers: Readonly<Record<string, Bundler>> = {
  esbuild: (code) =>
    inFolder(code, async (entry) => {
      const { metafile, outputFiles } = await esbuild({
        entryPoints: [entry],
        outdir: packages,
        bundle: true,
        minify: true,
        splitting: true,
        format: 'esm',
        target: 'es2022',
        metafile: true,
        write: false,
        conditions: [SOURCE],
        logLevel: 'silent',
      });
      const outputs = Object.entries(metafile.outputs);
      const main = outputs.find(([, { entryPoint }]) => entryPoint && resolve(entryPoint) === entry)!;
      const chunks = outputs.map(([path, { inputs, imports }]) => ({
        name: path,
        imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path),
        dynamicImports: imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
        code: outputFiles.find((file) => file.path === resolve(path))!.text,
        modules: sizes(Object.entries(inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput])),
      }));
      return follow(chunks, main[0]);
    }),

  vite: (code) =>
    inFolder(code, async (entry, root) => {
      const built = await vite({
        root,
        configFile: false,
        logLevel: 'silent',
        resolve: { conditions: [SOURCE, ...defaultClientConditions] },
        build: {
          write: false,
          target: 'es2022',
          modulePreload: false,
          rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' },
        },
      });
      const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
      const chunks = outputs.flatMap((output) => {
        if (output.type !== 'chunk') return [];
        const lengths = Object.entries(output.modules).map(
          ([input, { renderedLength }]): [string, number] => [input, renderedLength],
        );
        const { fileName: name, imports, dynamicImports, code } = output;
        return [{ name, imports, dynamicImports, code, modules: sizes(lengths) }];
      });
      return follow(chunks, outputs.find((output) => output.type === 'chunk' && output.isEntry)!.fileName);
    }),
};

/** Sorts files by how they are reached from the entry. */
function follow(chunks: readonly Chunk[], entry: string): Bundle {
  const reach = (names: string[], next: (chunk: Chunk) => readonly string[]): Chunk[] => {
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name)) continue;
      seen.add(name);
      names.push(...next(chunks.find((chunk) => chunk.name === name)!));
    }
    return [...seen].map((name) => chunks.find((chunk) => chunk.name === name)!);
  };
  const initial = reach([entry], ({ imports }) => imports);
  const all = reach([entry], ({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  return { initial, later: all.filter((chunk) => !initial.includes(chunk)) };
}

/** Puts the code into a file of this package, so that its imports resolve. */
async function inFolder<T>(code: string, work: (entry: string, folder: string) => Promise<T>): Promise<T> {
  const cache = join(packages, 'bspkit/node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'bundle-'));
  try {
    const entry = join(folder, 'main.ts');
    writeFileSync(entry, code);
    return await work(entry, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sizes(inputs: readonly [path: string, bytes: number][]): Map<string, number> {
  const own = inputs.map(([path, bytes]): [string, number] => [relative(packages, resolve(path)), bytes]);
  return new Map(own.filter(([path, bytes]) => bytes > 0 && /^\w+\/src\//.test(path)));
}

/** Size of some files together, as they are and as servers send them. */
export function sizeOf(chunks: readonly Chunk[]): { minified: number; brotli: number } {
  const total = (size: (code: string) => number): number =>
    chunks.reduce((sum, { code }) => sum + size(code), 0);
  return {
    minified: total((code) => Buffer.byteLength(code)),
    brotli: total((code) => brotliCompressSync(code).length),
  };
}
