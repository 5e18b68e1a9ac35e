import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { modifiersOf } from './declarations.ts';

/** A file of declarations. */
export interface TypesFile {
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

/** A declaration in a file of the package. */
export interface Declaration {
  readonly file: TypesFile;
  readonly name: string;
}

/** A name followed to where it is declared: in a file of the package, or in another package. */
export type Target = Declaration | { readonly from: string; readonly name: string };

/** The built types of a package, through which names can be followed from file to file. */
export class TypesFiles {
  private readonly _files = new Map<string, TypesFile>();

  /** @throws Error when there is no such file, as the package is not built. */
  load(path: string): TypesFile {
    if (!existsSync(path)) throw new Error(`${path} is missing: npm run build`);
    if (!this._files.has(path)) this._files.set(path, readTypes(path));
    return this._files.get(path)!;
  }

  /** What a name means in a file; `undefined` for one that the language itself declares. */
  follow(file: TypesFile, name: string): Target | undefined {
    if (file.declared.has(name)) return { file, name };
    const origin = file.imported.get(name);
    return origin && this.reach(file, origin);
  }

  /** What a file imports or exports. */
  reach(file: TypesFile, { from, name }: Origin): Target | undefined {
    if (from === undefined) return this.follow(file, name);
    if (!from.startsWith('.')) return { from, name };
    const next = this.load(resolve(dirname(file.path), from.replace(/\.js$/, '.d.ts')));
    const origin = next.exported.get(name);
    return origin && this.reach(next, origin);
  }
}

/** The declarations, imports and exports of a file. */
function readTypes(path: string): TypesFile {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
  const file: TypesFile = { path, declared: new Map(), imported: new Map(), exported: new Map(), stars: [] };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) addImport(file, statement);
    else if (ts.isExportDeclaration(statement)) addExport(file, statement);
    else addDeclaration(file, statement);
  }
  return file;
}

function addImport({ imported }: TypesFile, { moduleSpecifier, importClause }: ts.ImportDeclaration): void {
  const from = (moduleSpecifier as ts.StringLiteral).text;
  const { name, namedBindings } = importClause ?? {};
  if (name) imported.set(name.text, { from, name: 'default' });
  if (!namedBindings || !ts.isNamedImports(namedBindings)) return;
  for (const { name: local, propertyName } of namedBindings.elements) {
    imported.set(local.text, { from, name: (propertyName ?? local).text });
  }
}

function addExport(
  { exported, stars }: TypesFile,
  { exportClause, moduleSpecifier }: ts.ExportDeclaration,
): void {
  const from = moduleSpecifier && (moduleSpecifier as ts.StringLiteral).text;
  if (exportClause && ts.isNamedExports(exportClause)) {
    for (const { name, propertyName } of exportClause.elements) {
      const origin = { name: (propertyName ?? name).text };
      exported.set(name.text, from === undefined ? origin : { ...origin, from });
    }
  } else if (from !== undefined) stars.push(from);
}

function addDeclaration({ declared, exported }: TypesFile, statement: ts.Statement): void {
  for (const name of declaredBy(statement)) {
    declared.set(name, [...(declared.get(name) ?? []), statement]);
    if (modifiersOf(statement).includes(ts.SyntaxKind.ExportKeyword)) exported.set(name, { name });
  }
}

function declaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text);
  }
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name ? [name.text] : [];
}
