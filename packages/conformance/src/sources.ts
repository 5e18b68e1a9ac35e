import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

// The repository as tests see it: its packages, their source files and the imports between them.

/** The repository's root. */
export const ROOT: string = fileURLToPath(new URL('../../..', import.meta.url));

/** The contents of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A workspace. */
export interface Workspace {
  /** From the root: `packages/core`. */
  readonly path: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/** All workspaces, in order of path. */
export const WORKSPACES: readonly Workspace[] = ['apps', 'apps/examples', 'packages'].flatMap((group) =>
  readdirSync(join(ROOT, group))
    .sort()
    .map((name) => `${group}/${name}`)
    .filter((path) => existsSync(join(ROOT, path, 'package.json')))
    .map((path) => {
      const folder = join(ROOT, path);
      return { path, folder, manifest: readManifest(folder) };
    }),
);

/** Workspaces that are published. */
export const PUBLISHED: readonly Workspace[] = WORKSPACES.filter(({ manifest }) => !manifest.private);

/** The package.json of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** An import or re-export. */
export interface SourceImport {
  /** As written: `./file.ts`, `@bspkit/core/format`. */
  readonly from: string;
  /** Removed by compiling: `import type`, `export type`. An import whose braces contain only types still loads the file. */
  readonly typeOnly: boolean;
  /** `import()`: loads when it is called, so nothing waits for it while modules are loaded. */
  readonly lazy: boolean;
}

/** A file in a workspace's `src`. */
export interface SourceFile {
  /** From the root: `packages/core/src/index.ts`. */
  readonly path: string;
  readonly workspace: Workspace;
  readonly text: string;
  readonly imports: readonly SourceImport[];
}

/** A file that is parsed when somebody asks for its imports, as that takes most of the time. */
class ReadFile implements SourceFile {
  readonly path: string;
  readonly workspace: Workspace;
  readonly text: string;
  private _imports: readonly SourceImport[] | undefined;

  constructor(path: string, workspace: Workspace, text: string) {
    this.path = path;
    this.workspace = workspace;
    this.text = text;
  }

  get imports(): readonly SourceImport[] {
    this._imports ??= importsOf(this.path, this.text);
    return this._imports;
  }
}

let sources: readonly SourceFile[] | undefined;

/** All files in `src` of all workspaces, read once. */
export function readSources(): readonly SourceFile[] {
  sources ??= WORKSPACES.flatMap((workspace) => {
    const folder = join(workspace.folder, 'src');
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|mjs|js)$/.test(name))
      .sort()
      .map((name) => {
        const file = join(folder, name);
        const text = readFileSync(file, 'utf8');
        const path = relative(ROOT, file).replaceAll('\\', '/');
        return new ReadFile(path, workspace, text);
      });
  });
  return sources;
}

/** What a file imports, including types in code (`import('x').Y`). */
export function importsOf(path: string, text: string): SourceImport[] {
  const found: SourceImport[] = [];
  const add = (specifier: ESTree.Expression | null, typeOnly: boolean, lazy = false): void => {
    if (specifier?.type === 'Literal') found.push({ from: String(specifier.value), typeOnly, lazy });
  };
  const program = parse(path, text);
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') add(node.source, node.importKind === 'type');
    if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration')
      add(node.source, node.exportKind === 'type');
  }
  if (text.includes('import(')) {
    new Visitor({
      ImportExpression: ({ source }) => add(source, false, true),
      TSImportType: ({ source }) => add(source, true),
    }).visit(program);
  }
  return found;
}

/** The syntax tree of a file. TypeScript itself would take several times as long to load and to parse all files. */
export function parse(path: string, text: string): ESTree.Program {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`);
  return program;
}

/** The package of an import from a registry or a workspace: `@bspkit/core` for `@bspkit/core/format`. */
export function packageOf(from: string): string | undefined {
  if (from.startsWith('.') || from.startsWith('node:')) return undefined;
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Groups of files that import each other in a cycle, each sorted; types and lazy imports do not count. */
export function findCycles(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): string[][] {
  const known = new Set(files.map(({ path }) => path));
  const edges = new Map<string, string[]>();
  for (const { path, imports } of files) {
    const targets = imports
      .filter(({ from, typeOnly, lazy }) => from.startsWith('.') && !typeOnly && !lazy)
      .map(({ from }) => relative(ROOT, resolve(ROOT, dirname(path), from)).replaceAll('\\', '/'))
      .filter((target) => known.has(target));
    edges.set(path, targets);
  }
  // Tarjan's strongly connected components.
  const [order, lowest] = [new Map<string, number>(), new Map<string, number>()];
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path)!);
    stack.push(path);
    for (const target of edges.get(path)!) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1 || edges.get(path)!.includes(path)) cycles.push(group.sort());
  };
  for (const path of edges.keys()) if (!order.has(path)) visit(path);
  return cycles;
}
