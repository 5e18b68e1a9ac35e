import { join } from 'node:path';
import ts from 'typescript';
import { mentionedBy, printDeclaration } from './declarations.ts';
import type { Workspace } from './sources.ts';
import { type Declaration, type Target, TypesFiles } from './types-files.ts';

// What a package shows its users: the declarations that its entries export, and those that these mention. Read from the built
// types, and printed so that it does not matter how they were bundled: without comments or names of chunks, and sorted.

/** An entry of a package, with the conditions under which it has these types: `bspkit/pool (node)`. */
interface Entry {
  readonly title: string;
  readonly path: string;
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The entries of a package that have types, the main one first. */
export function typedEntries({ folder, manifest }: Workspace): Entry[] {
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([key, value]) =>
    typesOf(value).map(({ conditions, path }) => {
      const condition = conditions.length > 0 ? ` (${conditions.join(', ')})` : '';
      return { title: manifest.name + key.slice(1) + condition, path: join(folder, path) };
    }),
  );
  return entries.sort((a, b) => byName(a.title, b.title));
}

/** Types of the modules that an entry names, with their conditions other than `import` and `default`. */
function typesOf(
  value: unknown,
  conditions: readonly string[] = [],
): { conditions: string[]; path: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'types' && typeof inner === 'string') return [{ conditions: [...conditions], path: inner }];
    if (key === 'require' || key === '@bspkit/source') return [];
    return typesOf(inner, key === 'import' || key === 'default' ? conditions : [...conditions, key]);
  });
}

/**
 * The public types of a package as Markdown: a section per entry, declarations sorted by name.
 *
 * @throws Error when the package is not built, or a type that is not exported has the name of another.
 */
export function apiText(workspace: Workspace): string {
  const shown = new ShownTypes(workspace.path);
  const sections = typedEntries(workspace).map((entry) => shown.addEntry(entry));
  const mentioned = shown.addMentioned();
  if (mentioned.length > 0) sections.push({ title: 'Mentioned by these, not exported', parts: mentioned });
  const texts = sections.map(({ title, parts }) => `## ${title}\n\n\`\`\`ts\n${spaced(parts)}\n\`\`\`\n`);
  return `${HEAD(workspace.manifest.name)}\n${texts.join('\n')}`;
}

/** A part of the text: what is below a heading, statement by statement. */
interface Section {
  readonly title: string;
  readonly parts: readonly string[];
}

const keyOf = (target: Target): string =>
  `${'file' in target ? target.file.path : target.from} ${target.name}`;

/** The declarations that are shown, each once: by the first entry that exports it, or behind all if it is only mentioned. */
class ShownTypes {
  private readonly _path: string;
  private readonly _files = new TypesFiles();
  /** By file and name there: the name that users see, and the entry that lists it. */
  private readonly _shown = new Map<string, { readonly name: string; readonly entry: string }>();
  private readonly _exported: Declaration[] = [];

  /** @param path - the package's, for errors. */
  constructor(path: string) {
    this._path = path;
  }

  /** What an entry exports: from other packages, from entries before it, and of its own. */
  addEntry({ title, path }: Entry): Section {
    const file = this._files.load(path);
    const own: (Declaration & { readonly as: string })[] = [];
    const others = new Map<string, string[]>();
    for (const [as, origin] of file.exported) {
      const target = this._files.reach(file, origin);
      if (!target) throw new Error(`${path} exports ${as}, which is nowhere declared`);
      const before = this._shown.get(keyOf(target));
      const from = before?.entry ?? ('file' in target ? undefined : target.from);
      if (from !== undefined) {
        const name = before?.name ?? target.name;
        others.set(from, [...(others.get(from) ?? []), name === as ? as : `${name} as ${as}`]);
      } else if ('file' in target) {
        this._shown.set(keyOf(target), { name: as, entry: title });
        own.push({ ...target, as });
      }
    }
    this._exported.push(...own);
    const parts = [
      ...file.stars.sort(byName).map((from) => `export * from '${from}';`),
      ...[...others].sort(([a], [b]) => byName(a, b)).map(([from, names]) => exportText(from, names)),
      ...own.sort((a, b) => byName(a.as, b.as)).map((one) => this._print(one)),
    ];
    return { title, parts };
  }

  /** What is mentioned by what the entries export, or by what is mentioned: sorted by name. */
  addMentioned(): string[] {
    /** By name: if several files contain the same declaration, it is shown once. */
    const texts = new Map<string, string>();
    const waiting = [...this._exported];
    for (const { file, name } of waiting) {
      for (const used of file.declared.get(name)!.flatMap(mentionedBy)) {
        const target = this._files.follow(file, used);
        if (!target || !('file' in target) || this._shown.has(keyOf(target))) continue;
        const seen = this._nameOf(target);
        const text = this._print(target);
        const isTaken = [...this._shown.values()].some((other) => other.name === seen);
        if (isTaken && texts.get(seen) !== text) {
          throw new Error(`${this._path}: two types that users see are called ${seen}`);
        }
        this._shown.set(keyOf(target), { name: seen, entry: '' });
        texts.set(seen, text);
        waiting.push(target);
      }
    }
    return [...texts].sort(([a], [b]) => byName(a, b)).map(([, text]) => text);
  }

  private _print({ file, name }: Declaration): string {
    const rename = (used: string): string =>
      this._nameOf(this._files.follow(file, used) ?? { file, name: used });
    return file.declared
      .get(name)!
      .map((statement) => printDeclaration(statement, name, rename))
      .join('\n');
  }

  /** The name that users see; bundlers number those that several files have. */
  private _nameOf(target: Target): string {
    return this._shown.get(keyOf(target))?.name ?? target.name.replace(/\$\d+$/, '');
  }
}

const exportText = (from: string, names: readonly string[]): string => {
  const lines = [...names].sort(byName).map((name) => `  ${name},\n`);
  return `export {\n${lines.join('')}} from '${from}';`;
};

/** Declarations below each other, those of several lines with space around them. */
const spaced = (parts: readonly string[]): string =>
  parts
    .map((part, k) => {
      const isTall = [part, parts[k - 1] ?? part].some((one) => one.includes('\n'));
      return `${k > 0 && isTall ? '\n' : ''}${part}`;
    })
    .join('\n');

const HEAD = (name: string): string =>
  `# Public types of ${name}\n\nWritten by \`npm run api\`; a test compares. Not edited by hand.\n`;

/**
 * The fields in a package's public types that may be left out, but cannot be given as `undefined` by users with
 * `exactOptionalPropertyTypes`: as `name: type`. Methods are none.
 */
export function strictFields(text: string): string[] {
  const code = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block).join('\n');
  const fields: string[] = [];
  const visit = (node: ts.Node): void => {
    const isField = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
    if (isField && node.questionToken && node.type && !takesUndefined(node.type))
      fields.push(`${node.name.getText()}: ${node.type.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('api.d.ts', code, ts.ScriptTarget.ES2022, true));
  return fields;
}

function takesUndefined(type: ts.TypeNode): boolean {
  if (ts.isUnionTypeNode(type)) return type.types.some(takesUndefined);
  // The type of another's field is as that field is.
  return [
    ts.SyntaxKind.UndefinedKeyword,
    ts.SyntaxKind.UnknownKeyword,
    ts.SyntaxKind.IndexedAccessType,
  ].includes(type.kind);
}
