import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { defineConfig, type Options } from 'tsup';

type Config = ReturnType<typeof defineConfig>;
type Plugin = NonNullable<Options['plugins']>[number];

/** Names of constants, by our convention. */
const CONSTANT = /^(?:[A-Z][A-Z0-9_]*|f\d*)$/;

/**
 * V8 folds the constants of our kernels only where they are `const`, and neither imported nor exported. Bundling makes
 * them `var`, and splitting lets files import them from each other: every use is then a read from memory, and kernels
 * are 5 to 20 % slower. So they become `const` again, and what crosses files is a copy.
 */
const keepConstants: Plugin = {
  name: 'keep-constants',
  renderChunk: (code, { map }) => ({
    code: copyConstants(
      code.replace(/^var (?=(\w+) = )/gm, (keyword, name) => (CONSTANT.test(name) ? 'const ' : keyword)),
    ),
    map: map ?? null,
  }),
};

/** Has a file read copies of the constants that it shares with others. Lines stay where they are, for source maps. */
function copyConstants(code: string): string {
  const edit = (statement: string, imports: boolean): string => {
    const copies: string[] = [];
    const edited = statement.replace(
      /(\w+)(?: as (\w+))?(?=,|\s*\})/g,
      (item, name: string, alias = name) => {
        const here = imports ? alias : name;
        // One that is only declared or passed on is not read.
        if (!CONSTANT.test(here) || code.split(new RegExp(`\\b${here}\\b`), 4).length < 4) return item;
        copies.push(imports ? `${here} = $${here}` : `${here}$ = ${here}`);
        return imports ? `${name} as $${here}` : `${here}$ as ${alias}`;
      },
    );
    if (copies.length === 0) return statement;
    const declaration = `const ${copies.join(', ')};`;
    return imports ? `${edited} ${declaration}` : `${declaration} ${edited}`;
  };
  return code
    .replace(/^import \{[^}]*\} from "\.\/[^"]+";/gm, (statement) => edit(statement, true))
    .replace(/^export \{[^}]*\};/gm, (statement) => edit(statement, false));
}

/**
 * Writes the types of a package's entries, bundled as its code is: from what the sources annotate, file by file, which
 * `isolatedDeclarations` allows. The compiler would need ten times as long; it checks types in `npm run check`.
 */
async function bundleTypes(entry: Record<string, string>): Promise<void> {
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
  for (const extension of ['js', 'cjs']) {
    await bundle.write({
      dir: 'dist',
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `[name]-[hash].${extension}`,
    });
  }
  await bundle.close();
}

/**
 * What one module imports and another exports on comes twice, the second time as `Name$1`, which editors would show.
 * Comments lose a space, and a member's its line.
 */
function tidyTypes(code: string): string {
  const twice = /\b(\w+), \1 as \1\$1\b/g;
  const names = [...code.matchAll(twice)].map(([, name]) => name as string);
  const once = names.reduce((text, name) => text.replaceAll(`${name}$1`, name), code.replace(twice, '$1'));
  return once.replace(/^( *)\*/gm, '$1 *').replace(/^( *)(.*;) (\/\*\*.*\*\/)$/gm, '$1$2\n$1$3');
}

/** How every published package is built: ESM, CJS and types for both, with source maps. */
export function library(
  entry: Record<string, string> = { index: 'src/index.ts' },
  options: Pick<Options, 'esbuildOptions'> = {},
): Config {
  return defineConfig({
    entry,
    format: ['esm', 'cjs'],
    // Entries share what they have in common, in CommonJS too: an error class must not be there twice.
    splitting: true,
    sourcemap: true,
    clean: true,
    target: 'es2022',
    plugins: [keepConstants],
    onSuccess: () => bundleTypes(entry),
    ...options,
  });
}

/** How a Node application is built: one ESM tree with our private workspaces inside. */
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
