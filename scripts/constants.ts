import { basename } from 'node:path';
import type { Plugin } from 'esbuild';
import { parseAst } from 'rolldown/parseAst';

// V8 folds a constant of a module only if it is a `const` that is neither imported nor exported. Bundlers turn it into a `var`,
// both ours and those of our users, and splitting lets files import it from each other: every use is then a read from memory.
// That makes kernels 20 to 35 % slower, and players 20 %. So in the files that we publish, numbers are written out, and so is
// `Math.fround`.

/** A node of a syntax tree: fields by name. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** What replaces a constant: a number, or the text of something that is always the same. */
type Constant = number | 'Math.fround';

interface File {
  readonly name: string;
  readonly code: string;
  readonly body: readonly Node[];
  /** Where names are read, and the node around them. */
  readonly reads: readonly { readonly node: Node; readonly parent: Node }[];
  /** Names that are declared once, and written to nowhere else. */
  readonly fixed: ReadonlySet<string>;
  readonly constants: Map<string, Constant>;
  /** Names in this file, by the names under which others import them. */
  readonly exports: Map<string, string>;
}

/** Writes constants out in all files of a bundle. Lines stay where they are, for source maps. */
export const foldConstants: Plugin = {
  name: 'fold-constants',
  setup(build) {
    build.onEnd(({ outputFiles = [] }) => {
      const outputs = outputFiles.filter(({ path }) => path.endsWith('js'));
      const files = outputs.map(({ path, text }) => readFile(basename(path), text));
      const byName = new Map(files.map((file) => [file.name, file]));
      // Constants of one file are computed from those of others.
      while (files.map((file) => findConstants(file, byName)).includes(true)) {}
      for (const [k, output] of outputs.entries()) {
        output.contents = new TextEncoder().encode(writeConstants(files[k]!));
      }
    });
  },
};

function readFile(name: string, code: string): File {
  const program = parseAst(code) as unknown as Node;
  const body = program.body as readonly Node[];
  const reads: { node: Node; parent: Node }[] = [];
  const declared = new Map<string, number>();
  const written = new Set<string>();
  const bindings = new Set<Node>();
  const declare = (pattern: unknown): void => {
    for (const node of namesOf(pattern)) {
      bindings.add(node);
      declared.set(nameOf(node), (declared.get(nameOf(node)) ?? 0) + 1);
    }
  };
  const visit = (node: Node, parent: Node, field: string): void => {
    if (node.type === 'Identifier') {
      if (!bindings.has(node) && !isLabel(parent, field)) reads.push({ node, parent });
      return;
    }
    if (node.type === 'VariableDeclarator') declare(node.id);
    else if (/^(Function|ArrowFunction|Class)/.test(node.type)) {
      declare(node.id);
      declare(node.params);
    } else if (node.type === 'CatchClause') declare(node.param);
    else if (/^Import.*Specifier$/.test(node.type)) declare(node.local);
    else if (node.type === 'AssignmentExpression' || /^For(In|Of)Statement$/.test(node.type)) {
      for (const target of namesOf(node.left)) written.add(nameOf(target));
    } else if (node.type === 'UpdateExpression') {
      for (const target of namesOf(node.argument)) written.add(nameOf(target));
    }
    for (const [key, value] of Object.entries(node)) {
      for (const child of [value].flat()) if (isNode(child)) visit(child, node, key);
    }
  };
  visit(program, program, '');
  const exports = new Map<string, string>();
  for (const { specifiers, source } of ofType(body, 'ExportNamedDeclaration')) {
    if (source) continue;
    for (const { local, exported } of specifiers as readonly Node[]) {
      exports.set(nameOf(exported), nameOf(local));
    }
  }
  const fixed = [...declared].filter(([text, times]) => times === 1 && !written.has(text));
  return {
    name,
    code,
    body,
    reads,
    fixed: new Set(fixed.map(([text]) => text)),
    constants: new Map(),
    exports,
  };
}

/** Finds the values of a file's constants, as far as they can be known yet. Returns whether there are more than before. */
function findConstants({ body, fixed, constants }: File, files: ReadonlyMap<string, File>): boolean {
  const before = constants.size;
  const add = (name: string, value: Constant | undefined): void => {
    if (value !== undefined && fixed.has(name)) constants.set(name, value);
  };
  for (const { specifiers, source } of ofType(body, 'ImportDeclaration')) {
    const path = (source as Node).value as string;
    const from = path.startsWith('.') ? files.get(basename(path)) : undefined;
    for (const { local, imported } of specifiers as readonly Node[]) {
      const theirs = from && imported ? from.exports.get(nameOf(imported)) : undefined;
      add(nameOf(local), theirs === undefined ? undefined : from?.constants.get(theirs));
    }
  }
  for (const { declarations } of ofType(body, 'VariableDeclaration')) {
    for (const { id, init } of declarations as readonly Node[]) {
      const { type } = id as Node;
      if (type === 'Identifier' && isNode(init)) add(nameOf(id), evaluate(init, constants));
    }
  }
  return constants.size > before;
}

/** The value of an expression, if it is a finite number or a name for `Math.fround`. */
function evaluate(node: Node, constants: ReadonlyMap<string, Constant>): Constant | undefined {
  const numberOf = (part: unknown): number => {
    const known = evaluate(part as Node, constants);
    return typeof known === 'number' ? known : Number.NaN;
  };
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'number' ? node.value : undefined;
    case 'Identifier':
      return constants.get(nameOf(node));
    case 'MemberExpression':
      if (node.computed || nameOf(node.object) !== 'Math') return undefined;
      return { fround: 'Math.fround' as const, PI: Math.PI }[nameOf(node.property)];
    case 'CallExpression': {
      if (evaluate(node.callee as Node, constants) !== 'Math.fround') return undefined;
      return finite(Math.fround(numberOf((node.arguments as readonly Node[])[0])));
    }
    case 'UnaryExpression': {
      const part = numberOf(node.argument);
      return Number.isNaN(part) ? undefined : UNARY[node.operator as string]?.(part);
    }
    case 'BinaryExpression': {
      const a = numberOf(node.left);
      const b = numberOf(node.right);
      const result = Number.isNaN(a + b) ? undefined : BINARY[node.operator as string]?.(a, b);
      return result === undefined ? undefined : finite(result);
    }
    default:
      return undefined;
  }
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

const UNARY: Readonly<Record<string, (a: number) => number>> = { '-': (a) => -a, '~': (a) => ~a };

const BINARY: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  // Powers of two are exact in every engine; others need not be.
  '**': (a, b) => (a === 2 && Number.isInteger(b) ? a ** b : Number.NaN),
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '|': (a, b) => a | b,
  '&': (a, b) => a & b,
};

function writeConstants({ code, reads, constants }: File): string {
  let text = '';
  let end = 0;
  for (const { node, parent } of [...reads].sort((a, b) => a.node.start - b.node.start)) {
    const constant = constants.get(nameOf(node));
    if (constant === undefined) continue;
    text += code.slice(end, node.start);
    if (parent.type === 'Property' && parent.shorthand) text += `${nameOf(node)}: `;
    text += constant === 'Math.fround' ? constant : textOf(constant, parent.object === node);
    end = node.end;
  }
  return text + code.slice(end);
}

function textOf(value: number, isObject: boolean): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.startsWith('-') || isObject ? `(${text})` : text;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nameOf = (node: unknown): string => (node as { readonly name: string }).name;

const ofType = (body: readonly Node[], type: string): Node[] => body.filter((node) => node.type === type);

/** The identifiers that a pattern, or a list of patterns, assigns to. */
function namesOf(pattern: unknown): Node[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesOf);
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return namesOf(pattern.properties);
    case 'Property':
      return namesOf(pattern.value);
    case 'ArrayPattern':
      return namesOf(pattern.elements);
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    case 'VariableDeclaration':
      return namesOf((pattern.declarations as readonly Node[]).map(({ id }) => id));
    default:
      return [];
  }
}

/** Whether an identifier there only names a property, a label or something that is imported or exported. */
function isLabel(parent: Node, field: string): boolean {
  if (parent.type === 'MemberExpression') return field === 'property' && !parent.computed;
  if (/^(Property|MethodDefinition|PropertyDefinition)$/.test(parent.type)) {
    return field === 'key' && !parent.computed;
  }
  return /Specifier$|^(LabeledStatement|BreakStatement|ContinueStatement|MetaProperty)$/.test(parent.type);
}
