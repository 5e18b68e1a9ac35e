import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { expectWritten } from '@bspkit/testkit/written';
import { describe, expect, it } from 'vitest';
import { apiText, strictFields, typedEntries } from '../src/api.ts';
import { PUBLISHED, ROOT } from '../src/sources.ts';

const FOLDER = join(ROOT, 'packages/conformance/api');

/** Packages that can be imported; one that is only a command has no types. */
const LIBRARIES = PUBLISHED.filter((workspace) => typedEntries(workspace).length > 0);

const fileName = (path: string): string => `${basename(path)}.md`;

describe('public types', () => {
  it.each(LIBRARIES.map((workspace) => [workspace.path, workspace] as const))(
    '%s: are as recorded',
    async (path, workspace) => {
      const text = apiText(workspace);
      expect(text.match(/\b_\w+/g) ?? [], 'internal names').toEqual([]);
      const advice = `It has the public types of ${path}, whose changes go with a changeset.`;
      await expectWritten(text, join(FOLDER, fileName(path)), advice);
    },
  );

  it.each(LIBRARIES.map((workspace) => [workspace.path, workspace] as const))(
    '%s: let users with exactOptionalPropertyTypes pass undefined for what may be left out',
    (_, workspace) => expect(strictFields(apiText(workspace))).toEqual([]),
  );

  it('are recorded for no other packages', () => {
    // For a new package, the record is written when this file's tests are over.
    const names = LIBRARIES.map(({ path }) => fileName(path));
    expect(readdirSync(FOLDER).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('the text of public types', () => {
  const root = temporaryFolder();

  /** The text of a package with these files of types. */
  function textOf(name: string, files: Readonly<Record<string, string>>): string {
    const folder = join(root, name);
    mkdirSync(folder);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    const entry = (file: string): object => ({
      '@bspkit/source': './src.ts',
      import: { types: `./${file}.d.ts`, default: `./${file}.js` },
      require: { types: `./${file}.d.cts`, default: `./${file}.cjs` },
    });
    const exports = { './extra': entry('extra'), '.': entry('index'), './package.json': './package.json' };
    return apiText({ path: name, folder, manifest: { name: 'toy', version: '1.0.0', exports } });
  }

  const expected = `# Public types of toy

Written by \`npm run api\`; a test compares. Not edited by hand.

## toy

\`\`\`ts
export {
  Vec3,
} from '@bspkit/core';

class Body extends Base<Size> {
  #private;
  readonly size: Size;
  move(to: Vec3): this;
}

type Size = [x: number, y: number];
function createBody(size: Size): Body;
\`\`\`

## toy/extra

\`\`\`ts
export * from '@bspkit/other';

export {
  Size,
} from 'toy';

const LIMIT = 8;
\`\`\`

## Mentioned by these, not exported

\`\`\`ts
abstract class Base<S> {
  protected readonly base: S;
}
\`\`\`
`;

  it('is the same however they were bundled', () => {
    const single = textOf('single', {
      'index.d.ts': `import { Vec3 } from "@bspkit/core";
/** A size. */
type Size = [x: number, y: number];
declare abstract class Base<S> { protected readonly base: S; }
type Unused = string;
declare class Body extends Base<Size> {
  private _moves: Hidden;
  /** Its size. */
  readonly size: Size;
  move(to: Vec3): this;
}
type Hidden = number;
declare function createBody(size: Size): Body;
export { Body, type Size, createBody, type Vec3 };`,
      'extra.d.ts': `import { Size } from "./index.js";
export * from "@bspkit/other";
export declare const LIMIT = 8;
export { type Size };`,
    });
    expect(single).toBe(expected);
    const chunks = textOf('chunks', {
      'chunk-1.d.ts': `import { Vec3 as V } from "@bspkit/core";
import { t as Base$1 } from "./chunk-2.js";
declare function createBody(size: Size$2): Body;
declare class Body extends Base$1<Size$2> { readonly size: Size$2; move(to: V): this; private _moves; }
declare type Size$2 = [x: number, y: number];
export { createBody as b, Body as a, Size$2 as n };`,
      'chunk-2.d.ts': `declare abstract class Base$1<S> { protected readonly base: S }
export { Base$1 as t };`,
      'index.d.ts': `import { n as Size, b as createBody, a as Body } from "./chunk-1.js";
import { Vec3 } from "@bspkit/core";
export { type Vec3, createBody, type Body, type Size };`,
      'extra.d.ts': `import { n as Size } from "./chunk-1.js";
declare const LIMIT = 8;
export { LIMIT, type Size };
export * from "@bspkit/other";`,
    });
    expect(chunks).toBe(expected);
  });

  it('is refused where two types have one name, or one is missing', () => {
    const twice = {
      'index.d.ts': `import { a as Point$1 } from "./chunk.js";
type Point = string;
export declare function one(): Point;
export declare function two(): Point$1;`,
      'chunk.d.ts': 'type Point$1 = number; export { Point$1 as a };',
      'extra.d.ts': '',
    };
    expect(() => textOf('twice', twice)).toThrow('two types that users see are called Point');
    expect(() => textOf('missing', { 'index.d.ts': '' })).toThrow('extra.d.ts is missing: npm run build');
    const nowhere = { 'index.d.ts': 'export { A } from "./extra.js";', 'extra.d.ts': '' };
    expect(() => textOf('nowhere', nowhere)).toThrow('exports A');
  });
});
