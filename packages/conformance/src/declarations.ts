import ts from 'typescript';

// One declaration: what it mentions, and how it is shown.

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

export const modifiersOf = (node: ts.Node): ts.SyntaxKind[] =>
  (ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []).map(({ kind }) => kind);

const isPrivate = (node: ts.Node): boolean => modifiersOf(node).includes(ts.SyntaxKind.PrivateKeyword);

/** Names that a declaration mentions where users see it. */
export function mentionedBy(statement: ts.Node): string[] {
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
 *
 * @param own - the name that it declares.
 */
export function printDeclaration(
  statement: ts.Statement,
  own: string,
  rename: (name: string) => string,
): string {
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
          return isOwn || renamed.has(node) ? ts.factory.createIdentifier(rename(node.text)) : node;
        }
        const open = ts.isClassDeclaration(node) ? withoutPrivates(node) : node;
        const shown = ts.visitEachChild(open, visit, context);
        const isShort = ts.isTupleTypeNode(shown) && shown.elements.length <= 4;
        return isShort ? ts.setEmitFlags(shown, ts.EmitFlags.SingleLine) : shown;
      };
      return visit(root)!;
    },
  ]);
  const text = printer.printNode(ts.EmitHint.Unspecified, transformed[0]!, statement.getSourceFile());
  return text.replace(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
}

/** A class with one `#private` for all of its private members. */
function withoutPrivates(node: ts.ClassDeclaration): ts.ClassDeclaration {
  const { factory } = ts;
  const { modifiers, name, typeParameters, heritageClauses } = node;
  const members = node.members.filter((member) => !isPrivate(member));
  if (members.length === node.members.length) return node;
  const hidden = factory.createPropertyDeclaration(
    ...([undefined, factory.createPrivateIdentifier('#private'), undefined, undefined, undefined] as const),
  );
  return factory.updateClassDeclaration(
    ...([node, modifiers, name, typeParameters, heritageClauses, [hidden, ...members]] as const),
  );
}

/** Whether an identifier is the name that a statement declares, not the name of a member in it. */
const declares = (statement: ts.Node, { parent }: ts.Identifier): boolean =>
  parent === statement || (ts.isVariableDeclaration(parent) && parent.parent.parent === statement);
