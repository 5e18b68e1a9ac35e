import { type ESTree, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { parse, readSources } from '../src/sources.ts';

// The language leaves the last bits of Math.sin, Math.hypot, Math.pow and the like to each engine, and those of `**` as well. No
// answer may depend on such a bit: maps compile to the same bytes, and traces give the same bits, everywhere.

/** What the language defines to the last bit, and constants. */
const EXACT = new Set(
  'E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs ceil clz32 floor fround imul max min round sign sqrt trunc'.split(
    ' ',
  ),
);

/** Files that may use some of the other functions, and why no answer depends on them. */
const ALLOWED: Readonly<Record<string, { readonly uses: readonly string[]; readonly because: string }>> = {
  'apps/bench/src/against/verdict.ts': {
    uses: ['Math.exp', 'Math.log'],
    because: 'means of ratios of times, rounded when they are printed',
  },
  'apps/bench/src/report/summary.ts': {
    uses: ['Math.exp', 'Math.log'],
    because: 'means of times, rounded when they are printed',
  },
  'apps/cli/src/commands/demo.ts': {
    uses: ['Math.cos', 'Math.hypot', 'Math.sin'],
    because: 'aims the rays of a demonstration, and prints distances in whole units',
  },
  'apps/cli/src/explain-svg.ts': { uses: ['Math.hypot'], because: 'draws: which way a move leads' },
  'apps/cli/src/picture.ts': { uses: ['Math.hypot'], because: 'draws: how many steps a line takes' },
  'apps/cli/src/slice-picture.ts': {
    uses: ['**', 'Math.hypot', 'Math.log10'],
    because: 'draws: margins, arrow heads and the scale',
  },
  'apps/cli/src/slice.ts': {
    uses: ['Math.cos', 'Math.hypot', 'Math.sin'],
    because: 'draws: which way a slice looks, and the outline of an ellipsoid',
  },
  'apps/cli/src/trace-text.ts': { uses: ['Math.hypot'], because: 'prints how far a move came, rounded' },
  'apps/examples/prediction/src/client.ts': {
    uses: ['Math.cos', 'Math.hypot', 'Math.sin'],
    because: 'draws, and adds up how far the player came',
  },
  'packages/core/src/format/sha256.ts': {
    uses: ['**'],
    because: 'powers of whole numbers of any size, which are exact',
  },
  'packages/testkit/src/crafted/files.ts': {
    uses: ['Math.cos', 'Math.sin'],
    because: 'makes maps that are costly or refused',
  },
};

/** Folders that only draw: no answer comes from them, so any of the other functions will do. */
const DRAWING: readonly string[] = ['app', 'camera', 'tools', 'view'].map(
  (name) => `apps/playground/src/${name}/`,
);

/** The text of a file that uses any of them matches this; parsing all files would take longer. */
const MAYBE = new RegExp(
  `\\bMath\\b(?!\\.(?:${[...EXACT].join('|')})\\b)|(?<![/*]|(?<![\\w.])2 )\\*\\*(?![*/])`,
);

/** Uses in a file of what is not exact: `Math.sin`, `**`, or `Math` where it is passed on as a whole. */
function inexact(path: string, text: string): string[] {
  const found = new Set<string>();
  if (!MAYBE.test(text)) return [];
  /** Places where `Math` is the object of a named member, or somebody else's member. */
  const seen = new Set<ESTree.Node>();
  new Visitor({
    MemberExpression({ object, property, computed }) {
      // `globalThis.Math` is checked where it occurs; `something.Math` is not ours to judge.
      if (!computed && !isNamed(object, 'globalThis')) seen.add(property);
      if (computed || !isNamed(object, 'Math')) return;
      seen.add(object);
      const name = (property as ESTree.IdentifierName).name;
      if (!EXACT.has(name)) found.add(`Math.${name}`);
    },
    Identifier(node) {
      if (node.name === 'Math' && !seen.has(node)) found.add('Math');
    },
    BinaryExpression({ operator, left }) {
      // Powers of two are exact doubles.
      if (operator === '**' && !(left.type === 'Literal' && left.value === 2)) found.add('**');
    },
    AssignmentExpression({ operator }) {
      if (operator === '**=') found.add('**');
    },
  }).visit(parse(path, text));
  return [...found].sort();
}

const isNamed = (node: ESTree.Node, name: string): boolean =>
  node.type === 'Identifier' && node.name === name;

describe('functions whose last bits the language leaves open', () => {
  it('are used only where no answer depends on them', () => {
    const uses = new Map(
      readSources()
        .filter(({ path }) => !DRAWING.some((folder) => path.startsWith(folder)))
        .map(({ path, text }) => [path, inexact(path, text)] as const)
        .filter(([, names]) => names.length > 0),
    );
    expect(Object.fromEntries(uses)).toEqual(
      Object.fromEntries(Object.entries(ALLOWED).map(([path, allowed]) => [path, allowed.uses])),
    );
  });

  it.each([
    ['Math.hypot(x, y)', 'Math.hypot'],
    ['f(Math.sin(x))', 'Math.sin'],
    ["Math['cos'](x)", 'Math'],
    ['const { sin } = Math', 'Math'],
    ['const m = globalThis.Math', 'Math'],
    ['[x].map(Math.cbrt)', 'Math.cbrt'],
    ['x ** 2', '**'],
    ['x **= 0.5', '**'],
    ['10 ** k', '**'],
  ])('would be seen: %s', (text, name) => expect(inexact('x.ts', text)).toEqual([name]));

  it.each([
    'Math.sqrt(x) * Math.PI',
    '2 ** -24',
    'Math.fround(x)',
    'type T = typeof Number',
    '// Math.sin(x)',
  ])('are not: %s', (text) => expect(inexact('x.ts', text)).toEqual([]));
});
