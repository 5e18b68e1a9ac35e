import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_TARGETS } from '@bspkit/compile';
import { compileFixture, FIXTURES } from '@bspkit/fixtures';
import { engineMapNames, readEngineMap } from '@bspkit/fixtures/engine';
import { examplesIn, type ReadmeExample, testFilesIn } from '@bspkit/testkit/readme';
import { FORMATS } from 'bspkit';
import { build, transform } from 'esbuild';
import { expect } from 'vitest';
import { type Project, runNode } from '../src/pack.ts';
import { type Manifest, PUBLISHED, ROOT, readManifest } from '../src/sources.ts';

// People who follow READMEs: each in a project of its own that installs what the README says and nothing else.

/** A README, and the project of a user who follows it. */
export interface Reader extends Project {
  readonly folder: string;
  readonly examples: readonly ReadmeExample[];
  /** Files of tests, which Vitest runs. */
  readonly tests: readonly { readonly name: string; readonly code: string }[];
  readonly manifest: Manifest | undefined;
}

/** One for each README. */
export const READERS: readonly Reader[] = [
  { folder: ROOT, manifest: undefined, name: 'project' },
  ...PUBLISHED.map(({ folder, path, manifest }) => ({ folder, manifest, name: path.split('/')[1]! })),
].map(({ folder, ...rest }) => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const lines = [...readme.matchAll(/^npm (?:install|i)((?: +[^\s#]+)+)/gm)].map(([, names]) =>
    names!.trim(),
  );
  const words = lines.flatMap((line) => line.split(/ +/)).filter((word) => !word.startsWith('-'));
  // A folder of a clone stands for the package in it.
  const installs = words.map((word) => {
    const found = PUBLISHED.find((one) => word.endsWith(`/bspkit/${one.path}`));
    return found?.manifest.name ?? word;
  });
  const code = { examples: examplesIn(readme), tests: testFilesIn(readme) };
  return { ...rest, folder, installs: [...new Set(installs)], ...code };
});

/** Those whose README has examples, or tests. */
export const FOLLOWED: readonly Reader[] = READERS.filter(
  ({ examples, tests }) => examples.length + tests.length > 0,
);

/** Maps that examples read: each in the package's format if it has one, otherwise in the map's own. */
function writeMaps(folder: string, { manifest }: Reader): void {
  const format = FORMATS.find(({ id }) => manifest?.name === `@bspkit/${id}`);
  const own = COMPILE_TARGETS.find(({ id }) => id === format?.id);
  if (format && !own) writeKept(folder, format.id);
  else {
    for (const { name, format } of FIXTURES) {
      writeFileSync(join(folder, `${name}.bsp`), compileFixture(name, own?.id ?? format).bytes);
    }
  }
  // For READMEs that need maps of several games.
  writeFileSync(join(folder, 'arena1.bsp'), compileFixture('arena', 'quake1').bytes);
  writeFileSync(join(folder, 'arena2.bsp'), compileFixture('arena', 'quake2').bytes);
}

/** Maps of a format that nothing compiles for: those kept as files. */
function writeKept(folder: string, id: string): void {
  const names = engineMapNames(id);
  const problem = `examples of ${id} need maps: put some into packages/${id}/test/maps (arena.bsp.gz)`;
  expect(names, problem).not.toEqual([]);
  for (const name of names) writeFileSync(join(folder, basename(name)), readEngineMap(name));
}

/** Puts a README's examples into its project, both as they are and as JavaScript, with the maps that they read. */
export async function writeExamples(folder: string, reader: Reader): Promise<void> {
  writeMaps(folder, reader);
  for (const { line, language, code } of reader.examples) {
    const { code: plain } = await transform(code, { loader: 'ts', format: 'esm' });
    writeFileSync(join(folder, `example-${line}.${language}`), code);
    writeFileSync(join(folder, `example-${line}.mjs`), plain);
  }
  for (const { name, code } of reader.tests) writeFileSync(join(folder, name), code);
}

/** Bundles the program that runs examples, so that it needs nothing from the project that they are in. */
export async function buildDriver(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('../src/run-examples.ts', import.meta.url))],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile },
    conditions: ['@bspkit/source'],
  });
}

/**
 * Runs the tests in a folder by a project's Vitest, and returns what it reports. Throws with the report if tests fail. However long
 * they take, they must not be those that fail: on a busy machine some take longer than Vitest lets them by default. Files share a
 * process, since loading takes longer than most of them.
 */
export function runVitest(project: string, folder: string): Promise<string> {
  const home = join(project, 'node_modules/vitest');
  const options = ['run', '--no-color', '--no-isolate', '--testTimeout=1'];
  return runNode(join(home, readManifest(home).bin!.vitest!), options, folder);
}

/** Runs a README's tests and examples in its project; they must pass, and print what they say. */
export async function checkExamples(driver: string, folder: string, reader: Reader): Promise<void> {
  const { examples, tests } = reader;
  if (tests.length > 0) {
    const report = await runVitest(folder, folder);
    for (const { name } of tests) expect(report).toContain(`✓ ${name}`);
  }
  if (examples.length === 0) return;
  const files = examples.map(({ line }) => join(folder, `example-${line}.mjs`));
  // Run in a single thread: on exit, Node sometimes waits for a compiler thread that waits for it
  // (https://github.com/nodejs/node/issues/54918).
  const output = await runNode('--single-threaded', [driver, ...files], folder);
  const printed = JSON.parse(output) as Record<string, string[]>;
  for (const [k, { line, prints }] of examples.entries()) {
    const lines = printed[files[k]!]!;
    expect(lines.length, `line ${line}`).toBeGreaterThan(0);
    if (prints.length > 0) expect(lines, `line ${line}`).toEqual(prints);
  }
}
