import { basename } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { foldConstants } from '../../../scripts/constants.ts';

/** Bundles files given by name, some of which are entries, and returns the output by entry. */
async function bundle(
  sources: Readonly<Record<string, string>>,
  entries: readonly string[] = ['index'],
): Promise<Record<string, string>> {
  const { outputFiles = [] } = await build({
    entryPoints: [...entries],
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'dist',
    write: false,
    plugins: [
      {
        name: 'sources',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /./ }, ({ path }) => ({ path: path.replace('./', ''), namespace: 'here' }));
          onLoad({ filter: /./, namespace: 'here' }, ({ path }) => ({ contents: sources[path]! }));
        },
      },
      foldConstants,
    ],
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path, '.js'), text]));
}

const one = async (source: string): Promise<string> => (await bundle({ index: source })).index!;

describe('constants in published code', () => {
  it('are inlined, however they are computed', async () => {
    const text = await one(`
      const WORDS = 4, PLACE = 3 * WORDS + (1 << 4), BELOW = -PLACE, HALF = 1 / 2, STEP = 2 ** -5, MASK = (~1 | 8) & 31;
      const RADIANS = (Math.PI * 2) / 360, ROUNDED = Math.fround(0.1), NOTHING = -0;
      export const all = () => [PLACE, BELOW, HALF, STEP, MASK, RADIANS, ROUNDED, NOTHING];
    `);
    expect(text).toContain(`[28, (-28), 0.5, 0.03125, 30, ${Math.PI / 180}, ${Math.fround(0.1)}, (-0)]`);
  });

  it('are inlined where they are imported, also across files that share them', async () => {
    const files = await bundle(
      {
        index: `import { A, B } from './shared'; export const sum = (x) => x + A + B;`,
        other: `import { B } from './shared'; export const twice = B + B; export { B };`,
        shared: `export const A = 5; export const B = A + 1;`,
      },
      ['index', 'other'],
    );
    expect(files.index).toContain('x + 5 + 6');
    expect(files.other).toContain('twice = 6 + 6;');
    expect(files.other).toMatch(/export \{\s*B,/);
  });

  it('include aliases of Math.fround; properties with the same name stay', async () => {
    const text = await one(`
      const f = Math.fround, SIZE = 2;
      export const make = (x) => ({ SIZE, f: f(x.SIZE * SIZE), text: SIZE + '', [SIZE]: SIZE.toFixed(1) });
      export class Sized { SIZE = SIZE; f() { return this.f(f(1)); } }
    `);
    expect(text).toContain('{ SIZE: 2, f: Math.fround(x.SIZE * 2), text: 2 + "", [2]: (2).toFixed(1) }');
    expect(text).toMatch(/class \{\s*SIZE = 2;/);
    expect(text).toContain('return this.f(Math.fround(1))');
  });

  it('stay names if they change, if something else has the name, and if the value is not a finite number', async () => {
    const text = await one(`
      let count = 0, DEPTH = 1, LEVEL = 2;
      const WIDTH = 7, MOST = 1 / 0, UNKNOWN = 0 / 0, TEXT = 'x', POWER = 3 ** 0.5, LIST = [1];
      export const next = () => { count++; DEPTH += 1; [LEVEL] = LIST; return count + DEPTH + LEVEL; };
      export const wide = (WIDTH) => WIDTH + MOST + UNKNOWN + POWER + TEXT;
      export const width = () => WIDTH;
    `);
    expect(text).toContain('return count + DEPTH + LEVEL;');
    expect(text).toContain('(WIDTH2) => WIDTH2 + MOST + UNKNOWN + POWER + TEXT');
    expect(text).toContain('width = () => 7;');
  });

  it('keep every line where it was', async () => {
    const source = `const A = 1;\n\nexport const a = () => {\n  return A;\n};\n`;
    const folded = await one(source);
    const plain = await build({ stdin: { contents: source }, bundle: true, format: 'esm', write: false });
    expect(folded.split('\n').length).toBeGreaterThan(4);
    expect(folded.split('\n').findIndex((line) => line.includes('return 1'))).toBe(
      plain.outputFiles[0]!.text.split('\n').findIndex((line) => line.includes('return A')),
    );
  });
});
