import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { bundlers, type Chunk, sizeOf } from './bundlers.ts';

// What ends up in the bundles of those who use us. Sizes are told, and held against the README's table, but not judged:
// budgets are for what is built.

const RAY = `
  import { createQuake3World, readQuake3 } from '@bspkit/quake3';
  export const look = (bytes, from, to) => createQuake3World(readQuake3(bytes)).ray().trace(from, to);`;

const EXPLAIN = `export { explain } from '@bspkit/quake3';`;

const OPEN = `export { openBsp } from 'bspkit';`;

const DETECT = `export { detectBsp } from 'bspkit';`;

const CORE = `export { createTrace } from 'bspkit';`;

/** Parts of the Quake 3 package that a ray has no need of. */
const NOT_FOR_RAYS = /^quake3\/src\/(explain|reference.*|tutorial|box-entity)\.ts$/;

const modulesOf = (chunks: readonly Chunk[]): string[] =>
  chunks.flatMap(({ modules }) => [...modules.keys()]);
const packagesOf = (chunks: readonly Chunk[]): string[] =>
  [...new Set(modulesOf(chunks).map((path) => path.split('/')[0]!))].sort();

const told: string[] = [];

/** Tells the size of a bundle, and for Vite looks whether the README is still right about it. */
function tell(bundler: string, what: string, chunks: readonly Chunk[]): void {
  const { minified, brotli } = sizeOf(chunks);
  told.push(`${bundler}, ${what}: ${minified} bytes minified, ${brotli} with brotli`);
  if (bundler !== 'vite') return;
  const row = readme.split('\n').find((line) => line.replaceAll('`', '').startsWith(`| ${what} `));
  const [, , ...cells] = row?.split('|') ?? [];
  const [saidMinified, saidBrotli] = cells.map((cell) => 1000 * Number.parseFloat(cell));
  expect(Math.abs(saidMinified! / minified - 1), `${what}, minified: ${minified}`).toBeLessThan(0.25);
  expect(Math.abs(saidBrotli! / brotli - 1), `${what}, brotli: ${brotli}`).toBeLessThan(0.25);
}

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

afterAll(() => {
  process.stdout.write(`\n${told.join('\n')}\n`);
});

describe.each(Object.entries(bundlers))('a bundle by %s', (name, bundle) => {
  it('of a ray through Quake 3 maps holds that format and nothing it has no need of', async () => {
    const { initial, later } = await bundle(RAY);
    tell(name, 'a ray by @bspkit/quake3 alone', initial);
    expect(later).toEqual([]);
    expect(packagesOf(initial)).toEqual(['core', 'quake3']);
    expect(modulesOf(initial)).toContain('quake3/src/trace-brush.ts');
    expect(modulesOf(initial).filter((path) => NOT_FOR_RAYS.test(path))).toEqual([]);
    // The listing of patches is a method of the world, which bundlers keep whole.
    expect(initial[0]!.modules.get('quake3/src/patches.ts') ?? 0).toBeLessThan(3000);
  });

  it('has the reference when it is asked for', async () => {
    const modules = modulesOf((await bundle(EXPLAIN)).initial);
    expect(modules.filter((path) => NOT_FOR_RAYS.test(path))).toContain('quake3/src/reference.ts');
  });

  it('of openBsp has the formats in files of their own, loaded when needed', async () => {
    const { initial, later } = await bundle(OPEN);
    tell(name, 'openBsp before a map is opened', initial);
    expect(packagesOf(initial)).toEqual(['bspkit', 'core']);
    for (const format of ['quake1', 'quake3', 'ufoai']) {
      const own = later.filter((chunk) => packagesOf([chunk]).includes(format));
      expect(own.length).toBeGreaterThan(0);
      tell(name, `what openBsp loads for ${format}`, own);
      expect(packagesOf(own).filter((name) => name !== 'core')).toEqual([format]);
    }
  });

  it('of detectBsp holds no format', async () => {
    const { initial, later } = await bundle(DETECT);
    tell(name, 'detectBsp', initial);
    expect(later).toEqual([]);
    expect(modulesOf(initial)).toEqual(
      expect.arrayContaining(['bspkit/src/detect.ts', 'bspkit/src/foreign.ts']),
    );
    expect(packagesOf(initial).filter((name) => name !== 'core')).toEqual(['bspkit']);
  });

  it('of what core has holds core only', async () => {
    const { initial, later } = await bundle(CORE);
    expect(later).toEqual([]);
    expect(packagesOf(initial)).toEqual(['core']);
  });
});
