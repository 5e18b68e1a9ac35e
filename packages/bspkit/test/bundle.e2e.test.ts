import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { FORMATS } from '../src/index.ts';
import { bundlers, type Chunk, sizeOf } from './bundlers.ts';

// What ends up in users' bundles. Sizes are printed, and the README's table must match them.

/**
 * Reading, building and a ray: what everybody needs. Only packages that the README lists are here, so a new one may be missing.
 */
const RAYS: Readonly<Record<string, string>> = {
  quake1: `
    import { createQuake1World, readQuake1 } from '@bspkit/quake1';
    export const look = (bytes, from, to) => createQuake1World(readQuake1(bytes)).ray().trace(from, to);`,
  quake2: `
    import { createQuake2World, readQuake2 } from '@bspkit/quake2';
    export const look = (bytes, from, to) => createQuake2World(readQuake2(bytes)).ray().trace(from, to);`,
  quake3: `
    import { createQuake3World, readQuake3 } from '@bspkit/quake3';
    export const look = (bytes, from, to) => createQuake3World(readQuake3(bytes)).ray().trace(from, to);`,
  ufoai: `
    import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
    export const look = (bytes, from, to) => createUfoaiWorld([{ file: readUfoai(bytes) }]).ray().trace(from, to);`,
};

/** Parts of a format that a ray does not need, in whichever format they exist. */
const NOT_FOR_RAYS =
  /\/src\/(descriptor|format|info|rows|tracers|explain|polygons|hull-polygons|surface|box-entity|note|tutorial)\.ts$|\/src\/(reference|exact)\/|\/patches\/list\.ts$/;

/** Parts that only a descriptor contains. What formats share of @bspkit/brushes is built as one file, so it is not checked. */
const DESCRIPTOR =
  /^(?!brushes\/)\w+\/src\/(descriptor|info|rows|tracers|explain|polygons|surface|reference\/.*)\.ts$/;

const EXPLAIN = `export { explain } from '@bspkit/quake3';`;
const OPEN = `export { openBsp } from 'bspkit';`;
const DETECT = `export { detectBsp } from 'bspkit';`;
const CORE = `export { createTrace } from 'bspkit';`;

/** Leftovers of fewer bytes than this are constants that nothing uses: esbuild keeps some. */
const LEFT_OVER = 64;

const modulesOf = (chunks: readonly Chunk[]): string[] =>
  chunks.flatMap(({ modules }) => [...modules].flatMap(([path, size]) => (size < LEFT_OVER ? [] : [path])));
const packagesOf = (chunks: readonly Chunk[]): string[] =>
  [...new Set(modulesOf(chunks).map((path) => path.split('/')[0]!))].sort();

const told: string[] = [];

/** Prints the size of a bundle, and for Vite checks whether the README is still right about it. */
function tell(bundler: string, what: string, chunks: readonly Chunk[]): void {
  const { minified, brotli } = sizeOf(chunks);
  told.push(`${bundler}, ${what}: ${minified} bytes minified, ${brotli} with brotli`);
  if (bundler !== 'vite') return;
  const row = readme.split('\n').find((line) => line.replaceAll('`', '').startsWith(`| ${what} `));
  const lacking = `packages/bspkit/README.md has no row "| ${what} |": ${minified} minified, ${brotli} brotli`;
  expect(row, lacking).toBeDefined();
  const [, , ...cells] = row!.split('|');
  const [saidMinified, saidBrotli] = cells.map((cell) => 1000 * Number.parseFloat(cell));
  expect(Math.abs(saidMinified! / minified - 1), `${what}, minified: ${minified}`).toBeLessThan(0.05);
  expect(Math.abs(saidBrotli! / brotli - 1), `${what}, brotli: ${brotli}`).toBeLessThan(0.05);
}

/** What all formats use, each as much as it needs. */
const SHARED = ['core', 'geometry', 'brushes'];

/** Checks that of formats only the light halves are there. */
function expectLight(chunks: readonly Chunk[]): void {
  const ids: readonly string[] = FORMATS.map(({ id }) => id);
  const ofFormats = modulesOf(chunks).filter((path) => ids.includes(path.split('/')[0]!));
  expect(ofFormats.filter((path) => !/\/src\/(format|identity|detect)\.ts$/.test(path))).toEqual([]);
}

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

afterAll(() => {
  process.stdout.write(`\n${told.join('\n')}\n`);
});

describe.each(Object.entries(bundlers))('a bundle by %s', (name, bundle) => {
  it.each(Object.entries(RAYS))(
    'of a ray by %s contains that format and nothing that it does not need',
    async (id, code) => {
      const { initial, later } = await bundle(code);
      tell(name, `a ray by @bspkit/${id} alone`, initial);
      expect(later).toEqual([]);
      expect(packagesOf(initial).filter((used) => !SHARED.includes(used))).toEqual([id]);
      expect(modulesOf(initial).some((path) => path.startsWith(`${id}/src/kernel/`))).toBe(true);
      expect(modulesOf(initial).filter((path) => NOT_FOR_RAYS.test(path))).toEqual([]);
    },
  );

  it('has the reference when it is asked for', async () => {
    const modules = modulesOf((await bundle(EXPLAIN)).initial);
    expect(modules.some((path) => path.startsWith('quake3/src/reference/'))).toBe(true);
  });

  it('of openBsp has each format in files of its own, loaded when needed', async () => {
    const { initial, later } = await bundle(OPEN);
    tell(name, 'openBsp before a map is opened', initial);
    expectLight(initial);
    for (const { id } of FORMATS) {
      // The descriptor is loaded when a tool asks for it with `formatOf`.
      const readers = later.filter((chunks) => {
        const modules = modulesOf(chunks);
        return modules.includes(`${id}/src/world.ts`) && !modules.includes(`${id}/src/descriptor.ts`);
      });
      expect(readers).toHaveLength(1);
      const [own] = readers as [readonly Chunk[]];
      expect(modulesOf(own).filter((path) => DESCRIPTOR.test(path))).toEqual([]);
      tell(name, `what openBsp loads for ${id}`, own);
      expect(packagesOf(own).filter((used) => !SHARED.includes(used))).toEqual([id]);
    }
  });

  it('of detectBsp contains no format', async () => {
    const { initial } = await bundle(DETECT);
    tell(name, 'detectBsp', initial);
    expectLight(initial);
  });

  it('of what core exports contains only core', async () => {
    const { initial, later } = await bundle(CORE);
    expect(later).toEqual([]);
    expect(packagesOf(initial)).toEqual(['core']);
  });
});
