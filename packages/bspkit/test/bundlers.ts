import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { decode } from '@jridgewell/sourcemap-codec';
import { build as esbuild } from 'esbuild';
import { type Plugin, build as vite } from 'vite';

const packages = fileURLToPath(new URL('../..', import.meta.url));

/** A file of a bundle. */
export interface Chunk {
  readonly name: string;
  /** Files that it imports, and those that it loads when needed. */
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  readonly code: string;
  /** Bytes that it contains from each of our sources, by path: `quake3/src/file.ts`. */
  readonly modules: ReadonlyMap<string, number>;
}

/** What bundling a module produces. */
interface Bundle {
  /** What is loaded at once, entry first. */
  readonly initial: readonly Chunk[];
  /**
   * What loading each lazy file adds: the file itself, and every import of it that is not there yet. Files that nothing refers
   * to, which esbuild leaves lying about, are in neither list.
   */
  readonly later: readonly (readonly Chunk[])[];
}

/**
 * Bundles the text of a module, minified, from our packages as built: what users get. Source maps tell how much of our sources is
 * left in it.
 */
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
        sourcemap: 'external',
        metafile: true,
        write: false,
        logLevel: 'silent',
      });
      const textOf = (path: string): string => outputFiles.find((file) => file.path === resolve(path))!.text;
      const outputs = Object.entries(metafile.outputs).filter(([path]) => !path.endsWith('.map'));
      const main = outputs.find(([, { entryPoint }]) => entryPoint && resolve(entryPoint) === entry)!;
      const chunks = outputs.map(([path, { imports }]) => ({
        name: path,
        imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path),
        dynamicImports: imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
        code: textOf(path),
        modules: ownSources(JSON.parse(textOf(`${path}.map`)), textOf(path), dirname(resolve(path))),
      }));
      return follow(chunks, main[0]);
    }),

  vite: (code) =>
    inFolder(code, async (entry, root) => {
      const built = await vite({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [withMaps],
        build: {
          write: false,
          sourcemap: 'hidden',
          target: 'es2022',
          modulePreload: false,
          rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' },
        },
      });
      const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
      const chunks = outputs.flatMap((output) => {
        if (output.type !== 'chunk') return [];
        const { fileName: name, imports, dynamicImports, code, map } = output;
        return [
          {
            name,
            imports,
            dynamicImports,
            code,
            modules: ownSources(map, code, dirname(resolve(root, 'dist', name))),
          },
        ];
      });
      return follow(chunks, outputs.find((output) => output.type === 'chunk' && output.isEntry)!.fileName);
    }),
};

/** Sorts files by how they are reached from the entry. */
function follow(chunks: readonly Chunk[], entry: string): Bundle {
  const loaded = (first: string): Chunk[] => {
    const names = new Set([first]);
    for (const name of names) for (const next of named(name).imports) names.add(next);
    return [...names].map(named);
  };
  const named = (name: string): Chunk => chunks.find((chunk) => chunk.name === name)!;
  const initial = loaded(entry);
  const needed = new Set(initial.flatMap(({ dynamicImports }) => dynamicImports));
  const later = [...needed].map((name) => loaded(name).filter((chunk) => !initial.includes(chunk)));
  return { initial, later };
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

/** Vite reads no maps of what it bundles. */
const withMaps: Plugin = {
  name: 'with-maps',
  load(id) {
    if (!id.startsWith(packages) || !existsSync(`${id}.map`)) return null;
    return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
  },
};

interface SourceMap {
  readonly sources: readonly (string | null)[];
  readonly mappings: string;
}

/**
 * How much of our sources a file contains, according to its map. That a map lists a source says little: bundlers list all they
 * read.
 */
function ownSources(map: SourceMap | null, code: string, folder: string): Map<string, number> {
  const sizes = new Map<string, number>();
  const lines = code.split('\n');
  for (const [row, places] of decode(map?.mappings ?? '').entries()) {
    for (const [k, [column, source]] of places.entries()) {
      if (source === undefined) continue;
      const path = relative(packages, resolve(folder, map!.sources[source]!));
      const end = places[k + 1]?.[0] ?? lines[row]!.length;
      if (/^\w+\/src\//.test(path)) sizes.set(path, (sizes.get(path) ?? 0) + end - column);
    }
  }
  return sizes;
}

/** Total size of some files, as they are and as servers send them. */
export function sizeOf(chunks: readonly Chunk[]): { minified: number; brotli: number } {
  const total = (size: (code: string) => number): number =>
    chunks.reduce((sum, { code }) => sum + size(code), 0);
  return {
    minified: total((code) => Buffer.byteLength(code)),
    brotli: total((code) => brotliCompressSync(code).length),
  };
}
