import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import type { Workspace } from './sources.ts';

// What a package shows its users: the declarations that its entries export, and those that these mention. Read from the built
// types, and printed so that it does not matter how they were bundled: without comments or names of chunks, and sorted.

/** A file of declarations. */
interface TypesFile {
  readonly path: string;
  /** Statements by the name that they declare: overloads, or a constant and a type of one name, are several. */
  readonly declared: Map<string, ts.Statement[]>;
  readonly imported: Map<string, Origin>;
  readonly exported: Map<string, Origin>;
  /** Modules of which everything is exported. */
  readonly stars: string[];
}

/** Where a name comes from: another module and its name there, or this file when there is no module. */
interface Origin {
  readonly from?: string;
  readonly name: string;
}

/** A name followed to where it is declared: in a file of the package, or in another package. */
type Target =
  | { readonly file: TypesFile; readonly name: string }
  | { readonly from: string; readonly name: string };

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
  const files = new Map<string, TypesFile>();
  const load = (path: string): TypesFile => {
    if (!existsSync(path)) throw new Error(`${path} is missing: npm run build`);
    if (!files.has(path)) files.set(path, readTypes(path));
    return files.get(path)!;
  };
  const follow = (file: TypesFile, name: string): Target | undefined => {
    if (file.declared.has(name)) return { file, name };
    const origin = file.imported.get(name);
    return origin && reach(file, origin);
  };
  const reach = (file: TypesFile, { from, name }: Origin): Target | undefined => {
    if (from === undefined) return follow(file, name);
    if (!from.startsWith('.')) return { from, name };
    const next = load(resolve(dirname(file.path), from.replace(/\.js$/, '.d.ts')));
    const origin = next.exported.get(name);
    return origin && reach(next, origin);
  };

  /** The declarations to show, by file and name there, each with the name that users see and the entry that lists it. */
  const shown = new Map<string, { readonly name: string; readonly entry: string }>();
  const keyOf = (target: Target): string =>
    `${'file' in target ? target.file.path : target.from} ${target.name}`;
  const nameOf = (target: Target): string =>
    shown.get(keyOf(target))?.name ?? target.name.replace(/\$\d+$/, '');

  const print = (file: TypesFile, name: string): string =>
    file.declared
      .get(name)!
      .map((statement) =>
        printed(statement, name, (used) => nameOf(follow(file, used) ?? { file, name: used })),
      )
      .join('\n');

  const sections: { title: string; parts: string[] }[] = [];
  const waiting: { file: TypesFile; name: string }[] = [];
  for (const { title, path } of typedEntries(workspace)) {
    const file = load(path);
    const own: { file: TypesFile; name: string; as: string }[] = [];
    const others = new Map<string, string[]>();
    for (const [as, origin] of file.exported) {
      const target = reach(file, origin);
      if (!target) throw new Error(`${path} exports ${as}, which is nowhere declared`);
      const before = shown.get(keyOf(target));
      const from = before?.entry ?? ('file' in target ? undefined : target.from);
      if (from !== undefined) {
        const name = before?.name ?? target.name;
        others.set(from, [...(others.get(from) ?? []), name === as ? as : `${name} as ${as}`]);
      } else if ('file' in target) {
        shown.set(keyOf(target), { name: as, entry: title });
        own.push({ ...target, as });
      }
    }
    waiting.push(...own);
    own.sort((a, b) => byName(a.as, b.as));
    const reexports = [...others]
      .sort(([a], [b]) => byName(a, b))
      .map(
        ([from, names]) =>
          `export {\n${names
            .sort(byName)
            .map((name) => `  ${name},\n`)
            .join('')}} from '${from}';`,
      );
    const stars = file.stars.sort(byName).map((from) => `export * from '${from}';`);
    sections.push({ title, parts: [...stars, ...reexports, ...own.map((one) => print(one.file, one.name))] });
  }

  /** Texts of mentioned declarations, by name: if several files contain the same one, it is shown once. */
  const inner = new Map<string, string>();
  for (const { file, name } of waiting) {
    for (const used of file.declared.get(name)!.flatMap(mentionedBy)) {
      const target = follow(file, used);
      if (!target || !('file' in target) || shown.has(keyOf(target))) continue;
      const seen = nameOf(target);
      const text = print(target.file, target.name);
      const isTaken = [...shown.values()].some((other) => other.name === seen);
      if (isTaken && inner.get(seen) !== text) {
        throw new Error(`${workspace.path}: two types that users see are called ${seen}`);
      }
      shown.set(keyOf(target), { name: seen, entry: '' });
      inner.set(seen, text);
      waiting.push(target);
    }
  }
  if (inner.size > 0) {
    const sorted = [...inner].sort(([a], [b]) => byName(a, b));
    sections.push({ title: 'Mentioned by these, not exported', parts: sorted.map(([, text]) => text) });
  }
  const texts = sections.map(({ title, parts }) => `## ${title}\n\n\`\`\`ts\n${spaced(parts)}\n\`\`\`\n`);
  return `${HEAD(workspace.manifest.name)}\n${texts.join('\n')}`;
}

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

/** The declarations, imports and exports of a file. */
function readTypes(path: string): TypesFile {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
  const file: TypesFile = { path, declared: new Map(), imported: new Map(), exported: new Map(), stars: [] };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = (statement.moduleSpecifier as ts.StringLiteral).text;
      const { name, namedBindings } = statement.importClause ?? {};
      if (name) file.imported.set(name.text, { from, name: 'default' });
      if (namedBindings && ts.isNamedImports(namedBindings)) {
        for (const { name: local, propertyName } of namedBindings.elements) {
          file.imported.set(local.text, { from, name: (propertyName ?? local).text });
        }
      }
    } else if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      const from = moduleSpecifier && (moduleSpecifier as ts.StringLiteral).text;
      if (exportClause && ts.isNamedExports(exportClause)) {
        for (const { name, propertyName } of exportClause.elements) {
          const origin = { name: (propertyName ?? name).text };
          file.exported.set(name.text, from === undefined ? origin : { ...origin, from });
        }
      } else if (from !== undefined) file.stars.push(from);
    } else {
      for (const name of declaredBy(statement)) {
        file.declared.set(name, [...(file.declared.get(name) ?? []), statement]);
        if (modifiersOf(statement).includes(ts.SyntaxKind.ExportKeyword)) file.exported.set(name, { name });
      }
    }
  }
  return file;
}

function declaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text);
  }
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name ? [name.text] : [];
}

/** The name that a type, a base class or a `typeof` starts with: `Awaited` of `Awaited<X>`, `a` of `typeof a.b`. */
function mention(node: ts.Node): ts.Identifier | undefined {
  let name: ts.Node | undefined = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isTypeQueryNode(node)
      ? node.exprName
      : ts.isExpressionWithTypeArguments(node) || ts.isComputedPropertyName(node)
        ? node.expression
        : undefined;
  while (name && !ts.isIdentifier(name)) {
    name = ts.isQualifiedName(name)
      ? name.left
      : ts.isPropertyAccessExpression(name)
        ? name.expression
        : undefined;
  }
  return name;
}

const modifiersOf = (node: ts.Node): ts.SyntaxKind[] =>
  (ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []).map(({ kind }) => kind);

const isPrivate = (node: ts.Node): boolean => modifiersOf(node).includes(ts.SyntaxKind.PrivateKeyword);

/** Names that a declaration mentions where users see it. */
function mentionedBy(statement: ts.Node): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isPrivate(node)) return;
    const name = mention(node);
    if (name) found.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

const printer = ts.createPrinter({ removeComments: true });

/**
 * A declaration without comments and modifiers, with the names that users see. Private members are not shown, except that there
 * are some, as then nothing else can take the place of the class.
 */
function printed(statement: ts.Statement, own: string, rename: (name: string) => string): string {
  const { factory } = ts;
  const renamed = new Set<ts.Node>();
  const { transformed } = ts.transform<ts.Node>(statement, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node | undefined => {
        if (node.kind === ts.SyntaxKind.DeclareKeyword || node.kind === ts.SyntaxKind.ExportKeyword) {
          return node.parent === root ? undefined : node;
        }
        const name = mention(node);
        if (name) renamed.add(name);
        if (ts.isIdentifier(node)) {
          const isName = (node.parent as ts.Node & { name?: ts.Node }).name === node;
          const isOwn = isName && node.text === own && declares(root, node);
          return isOwn || renamed.has(node) ? factory.createIdentifier(rename(node.text)) : node;
        }
        if (ts.isClassDeclaration(node)) {
          const { modifiers, name, typeParameters, heritageClauses } = node;
          const members = node.members.filter((member) => !isPrivate(member));
          const hidden = factory.createPropertyDeclaration(
            ...([
              undefined,
              factory.createPrivateIdentifier('#private'),
              undefined,
              undefined,
              undefined,
            ] as const),
          );
          const all = members.length < node.members.length ? [hidden, ...members] : members;
          const shown = factory.updateClassDeclaration(
            ...([node, modifiers, name, typeParameters, heritageClauses, all] as const),
          );
          return ts.visitEachChild(shown, visit, context);
        }
        const shown = ts.visitEachChild(node, visit, context);
        const isShort = ts.isTupleTypeNode(shown) && shown.elements.length <= 4;
        return isShort ? ts.setEmitFlags(shown, ts.EmitFlags.SingleLine) : shown;
      };
      return visit(root)!;
    },
  ]);
  const text = printer.printNode(ts.EmitHint.Unspecified, transformed[0]!, statement.getSourceFile());
  return text.replace(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
}

/** Whether an identifier is the name that a statement declares, not the name of a member in it. */
const declares = (statement: ts.Node, { parent }: ts.Identifier): boolean =>
  parent === statement || (ts.isVariableDeclaration(parent) && parent.parent.parent === statement);

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
