import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { defineConfig, type Options } from 'tsup';
import { foldConstants } from './scripts/constants.ts';

const { join } = posix;

type Config = ReturnType<typeof defineConfig>;
type Format = 'esm' | 'cjs';
type Plugin = NonNullable<Options['plugins']>[number];

/** Bundling turns top-level `const` into `var`, which V8 neither folds nor trusts. Turned back for names of constants. */
const keepConstants: Plugin = {
  name: 'keep-constants',
  renderChunk: (code, { map }) => ({
    code: code.replace(/^var (?=(?:[A-Z][A-Z0-9_]*|f\d*) = )/gm, 'const '),
    map: map ?? null,
  }),
};

/**
 * Bundling names a class that mentions itself `_Name`, and leaves others to be named by their variable; in CommonJS, that becomes
 * `_class2`. Consoles, debuggers and heap snapshots of users would show these. In modules the variable names all of them, as
 * the next bundler would rename what has the variable's name once more; in CommonJS each has its own.
 */
const nameClasses: Plugin = {
  name: 'name-classes',
  renderChunk(code, { map }) {
    const selves = [...code.matchAll(/^var (\w+) = class _\1\b/gm)].map(([, name]) => name as string);
    const unnamed = selves.reduce(
      (text, name) =>
        text.replace(`class _${name} `, 'class ').replace(new RegExp(`\\b_${name}\\b`, 'g'), name),
      code,
    );
    const named =
      this.format === 'cjs'
        ? unnamed.replace(/^var (\w+) = class (?=extends |\{)/gm, 'var $1 = class $1 ')
        : unnamed;
    return { code: named, map: map ?? null };
  },
};

/**
 * In CommonJS, code that comes from no source of ours is mapped to the module it was made from, by its path on the machine that
 * builds, where nobody can find it. Here it is mapped to nothing instead.
 */
const mapOurSources: Plugin = {
  name: 'map-our-sources',
  buildEnd({ writtenFiles }) {
    for (const { name } of writtenFiles) if (name.endsWith('.cjs.map')) tidyMap(name);
  },
};

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
  readonly mappings: string;
}

function tidyMap(path: string): void {
  const map = JSON.parse(readFileSync(path, 'utf8')) as SourceMap;
  const kept = map.sources.flatMap((source, k) => (isAbsolute(source) ? [] : [k]));
  const lines = decode(map.mappings).map((line) =>
    line.map((place): typeof place => {
      if (place.length === 1) return place;
      const [column, source, ...rest] = place;
      const at = kept.indexOf(source);
      return at < 0 ? [column] : ([column, at, ...rest] as typeof place);
    }),
  );
  const tidy = {
    ...map,
    file: basename(path, '.map'),
    sources: kept.map((k) => map.sources[k]),
    sourcesContent: kept.map((k) => map.sourcesContent[k]),
    mappings: encode(lines),
  };
  writeFileSync(path, JSON.stringify(tidy));
}

/**
 * Writes the types of a package's entries, bundled as its code is: from what the sources annotate, file by file, which
 * `isolatedDeclarations` allows. The compiler would take ten times as long; it checks types in `npm run check`.
 */
async function bundleTypes(entry: Record<string, string>, formats: readonly Format[]): Promise<void> {
  const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entry).map(([name, path]) => [name, `./${path}`])),
    external: Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
    resolve: { conditionNames: ['@bspkit/source'] },
    experimental: { attachDebugInfo: 'none' },
    plugins: [dts({ oxc: true, emitDtsOnly: true }), { name: 'tidy', renderChunk: tidyTypes }],
  });
  for (const extension of formats.map((format) => (format === 'esm' ? 'js' : format))) {
    await bundle.write({
      dir: 'dist',
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `[name]-[hash].${extension}`,
    });
  }
  await bundle.close();
}

/**
 * What one module imports and another re-exports occurs twice, the second time as `Name$1`, which editors would show. Comments
 * lose a space, and a member's its line.
 */
function tidyTypes(code: string): string {
  const twice = /\b(\w+), \1 as \1\$1\b/g;
  const names = [...code.matchAll(twice)].map(([, name]) => name as string);
  const once = names.reduce((text, name) => text.replaceAll(`${name}$1`, name), code.replace(twice, '$1'));
  return once.replace(/^( *)\*/gm, '$1 *').replace(/^( *)(.*;) (\/\*\*.*\*\/)$/gm, '$1$2\n$1$3');
}

/** What an entry in `exports` is for those who know the field. */
interface Entry {
  readonly types: string;
  readonly default: string;
}
interface Entries {
  readonly import: Entry;
  readonly require?: Entry;
  /** Where Node gets something else than browsers do. */
  readonly node?: Omit<Entries, 'node'>;
}

/**
 * Writes a folder for each further entry of a package. What does not know `exports` looks there for `@bspkit/core/format`: Parcel
 * unless it is told to, and TypeScript, Jest and Metro as they were before.
 */
function writeFolders(): void {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Readonly<Record<string, Entries | string>>;
  };
  for (const [name, entries] of Object.entries(exports)) {
    if (name === '.' || typeof entries === 'string') continue;
    const node = entries.node ?? entries;
    const from = ({ default: path }: Entry): string => join('..', path);
    const { types } = node.require ?? node.import;
    const fields = {
      main: from(node.require ?? node.import),
      module: from(node.import),
      ...(entries.node && { browser: from(entries.import) }),
      types: join('..', types),
    };
    mkdirSync(name, { recursive: true });
    writeFileSync(join(name, 'package.json'), `${JSON.stringify(fields, undefined, 2)}\n`);
  }
}

const OWN_URL = fileURLToPath(new URL('scripts/own-url.js', import.meta.url));

/** How every published package is built: ESM, CJS and types for both, with source maps. */
export function library(
  entry: Record<string, string> = { index: 'src/index.ts' },
  formats: Format[] = ['esm', 'cjs'],
): Config {
  return defineConfig({
    entry,
    format: formats,
    // Entries share common code, in CommonJS too: an error class must not exist twice.
    splitting: true,
    sourcemap: true,
    clean: true,
    target: 'es2022',
    esbuildPlugins: [foldConstants],
    plugins: [keepConstants, nameClasses, mapOurSources],
    esbuildOptions(options, { format }) {
      if (format !== 'cjs') return;
      options.define = { ...options.define, 'import.meta.url': 'importMetaUrl' };
      options.inject = [...(options.inject ?? []), OWN_URL];
    },
    onSuccess: async () => {
      writeFolders();
      await bundleTypes(entry, formats);
    },
  });
}

/** How a Node application is built: one ESM tree with our private workspaces bundled into it. */
export function application(entry: string[], options: Options = {}): Config {
  return defineConfig({
    entry,
    format: ['esm'],
    sourcemap: true,
    clean: true,
    target: 'node20',
    platform: 'node',
    ...options,
  });
}
