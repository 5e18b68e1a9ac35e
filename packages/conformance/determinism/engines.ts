import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { ROOT } from '../src/sources.ts';
import { given } from './maps.ts';

// The program in each JavaScript engine that is there.

/** What runs the program. */
export interface Engine {
  readonly name: string;
  /** Why it cannot; empty where it can. */
  readonly missing: string;
  /** Hashes by name, after so many traces per shape. */
  run(count: number): Promise<Record<string, string>>;
}

const entry = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Runs the program's one file with a command that takes such, after some more code, and reads what it prints. */
async function runFile(command: string, count: number, before = ''): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-determinism-'));
  try {
    const outfile = join(folder, 'main.mjs');
    await build({
      entryPoints: [entry('main.ts')],
      bundle: true,
      outfile,
      format: 'esm',
      platform: 'node',
      conditions: ['@bspkit/source'],
      banner: { js: before },
      // Our own maps are found from there.
      define: { 'import.meta.url': JSON.stringify(`file://${ROOT}packages/fixtures/src/index.ts`) },
    });
    const { stdout } = await promisify(execFile)(command, [outfile, String(count)], { maxBuffer: 2 ** 24 });
    return Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => {
          const space = line.indexOf(' ');
          return [line.slice(space + 1), line.slice(0, space)];
        }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the program in a page. */
async function runPage(executablePath: string, count: number): Promise<Record<string, string>> {
  const bundle = await build({
    entryPoints: [entry('answers.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bspkit',
    conditions: ['@bspkit/source'],
    // A browser has none of Node: what would need it must not be in the bundle.
    platform: 'browser',
  });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => errors.push(message.text()));
    await page.addScriptTag({ content: bundle.outputFiles[0]!.text });
    const { maps, sources } = given();
    const texts = maps.map(({ format, bytes }) => [format, Buffer.from(bytes).toString('base64')]);
    const found = await page.evaluate(`{
      const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const maps = ${JSON.stringify(texts)}.map(([format, text]) => ({ format, bytes: bytesOf(text) }));
      bspkit.answers({ maps, sources: ${JSON.stringify(sources)} }, ${count});
    }`);
    if (errors.length > 0) throw new Error(errors.join('\n'));
    return found as Record<string, string>;
  } finally {
    await browser.close();
  }
}

/** An engine in a file, whose place an environment variable may name. */
function engineAt(
  name: string,
  variable: string,
  usual: string,
  run: (path: string, count: number) => Promise<Record<string, string>>,
): Engine {
  const path = process.env[variable] ?? usual;
  const missing = existsSync(path) ? '' : `nothing at ${path}, see ${variable}`;
  return { name, missing, run: (count) => run(path, count) };
}

/** Node, which is always there, and others: without kernels in WebAssembly, V8 of another version, JavaScriptCore. */
export const ENGINES: readonly [Engine, ...Engine[]] = [
  { name: 'Node', missing: '', run: (count) => runFile(process.execPath, count) },
  {
    name: 'Node without WebAssembly',
    missing: '',
    run: (count) => runFile(process.execPath, count, 'delete globalThis.WebAssembly;'),
  },
  // Debian's place by default.
  engineAt('Chromium', 'BSPKIT_CHROMIUM', '/usr/bin/chromium', runPage),
  engineAt('Bun', 'BSPKIT_BUN', join(ROOT, 'node_modules/.bin/bun'), runFile),
];
