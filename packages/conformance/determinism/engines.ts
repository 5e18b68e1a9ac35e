import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BROWSERS, missingAt, reportOf } from '@bspkit/testkit/browsers';
import quickJs from '@jitl/quickjs-wasmfile-release-sync';
import { build } from 'esbuild';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import ts from 'typescript';
import { ROOT } from '../src/sources.ts';
import { given } from './maps.ts';

// The program in each JavaScript engine that is available.

/** Something that runs the program. */
export interface Engine {
  readonly name: string;
  /** Why it cannot run; empty if it can. */
  readonly missing: string;
  /** Whether it only interprets, which takes a hundred times as long. */
  readonly interprets?: boolean;
  /** Hashes by name, after this many traces per shape. */
  run(count: number): Promise<Record<string, string>>;
}

const entry = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Makes something when it is first asked for, and keeps it: bundling takes half a second. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The program as a module that Node and its like run. */
const program = once(async (): Promise<string> => {
  const bundle = await build({
    entryPoints: [entry('main.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['@bspkit/source'],
    // This is how our own maps are found.
    define: { 'import.meta.url': JSON.stringify(`file://${ROOT}packages/fixtures/src/index.ts`) },
  });
  return bundle.outputFiles[0]!.text;
});

/** Runs that program, preceded by more code, with a command that accepts such a file, and reads its output. */
async function runFile(
  command: string,
  counts: readonly number[],
  before = '',
): Promise<Record<string, string>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-determinism-'));
  try {
    const file = join(folder, 'main.mjs');
    writeFileSync(file, `${before}\n${await program()}`);
    // What makes tests faster here makes this faster, too.
    const flags = command === process.execPath ? process.execArgv : [];
    const { stdout } = await promisify(execFile)(command, [...flags, file, ...counts.map(String)], {
      maxBuffer: 2 ** 24,
    });
    return stdout
      .trim()
      .split('\n\n')
      .map((list) =>
        Object.fromEntries(
          list.split('\n').map((line) => {
            const space = line.indexOf(' ');
            return [line.slice(space + 1), line.slice(0, space)];
          }),
        ),
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same for one number of traces. */
const runOnce = async (command: string, count: number, before?: string): Promise<Record<string, string>> =>
  (await runFile(command, [count], before))[0]!;

/** Hashes in Node after each of these numbers of traces per shape, in ascending order: one run has them all. */
export const inNode = (counts: readonly number[]): Promise<Record<string, string>[]> =>
  runFile(process.execPath, counts);

/** The program as a script that leaves a global `bspkit`, for where there are no modules. */
const script = once(async (): Promise<string> => {
  const bundle = await build({
    entryPoints: [entry('answers.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bspkit',
    conditions: ['@bspkit/source'],
    // A browser has nothing of Node: what would need it must not be in the bundle.
    platform: 'browser',
  });
  return bundle.outputFiles[0]!.text;
});

/** A call of that script with our maps in it. */
function call(count: number): string {
  const { maps, sources } = given();
  const texts = maps.map(({ format, bytes }) => [format, Buffer.from(bytes).toString('hex')]);
  return `bspkit.answers({
    maps: ${JSON.stringify(texts)}.map(([format, text]) => ({
      format,
      bytes: Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16)),
    })),
    sources: ${JSON.stringify(sources)},
  }, [${count}]).then((lists) => lists[0])`;
}

/** Runs the program in an engine's own shell, which has neither Node nor a page around it. */
async function runShell(
  command: string,
  count: number,
  lower = (code: string): string => code,
): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-determinism-'));
  try {
    const file = join(folder, 'main.js');
    const print = '(found) => print(JSON.stringify(found)), (error) => print(error, error.stack)';
    writeFileSync(file, lower(`${await script()}\n${call(count)}.then(${print});\n`));
    const { stdout } = await promisify(execFile)(command, [file], { maxBuffer: 2 ** 24 });
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is missing in Hermes 0.12, the last version whose shell is on npm. */
const FOR_HERMES = `
globalThis.WeakRef = function (target) { this.deref = () => target; };
const at = { value(index) { return this[index < 0 ? index + this.length : index]; } };
for (const kind of [Array, String, Object.getPrototypeOf(Int8Array)]) Object.defineProperty(kind.prototype, 'at', at);
`;

/** Runs the program in Hermes, which has no WebAssembly, and no classes: React Native's compiler turns these into functions. */
const runHermes = (command: string, count: number): Promise<Record<string, string>> =>
  runShell(command, count, (code) => {
    const compilerOptions = { allowJs: true, target: ts.ScriptTarget.ES5, downlevelIteration: true };
    return ts.transpileModule(FOR_HERMES + code, { compilerOptions, fileName: 'main.js' }).outputText;
  });

/** Runs the program in QuickJS, which only interprets and has no WebAssembly. It is itself compiled to WebAssembly. */
async function runQuickJs(count: number): Promise<Record<string, string>> {
  const vm = (await newQuickJSWASMModuleFromVariant(quickJs)).newContext();
  const code = `${await script()}\n${call(count)}.then(JSON.stringify);`;
  const found = vm.unwrapResult(vm.evalCode(code)).consume((promise) => vm.resolvePromise(promise));
  vm.runtime.executePendingJobs().dispose();
  const hashes = vm.unwrapResult(await found).consume((text) => JSON.parse(vm.getString(text)));
  vm.dispose();
  return hashes;
}

/** An engine that is an executable, whose path an environment variable may give: then it must exist. */
function engineAt(
  name: string,
  variable: string,
  usual: string,
  run: (path: string, count: number) => Promise<Record<string, string>>,
): Engine {
  const path = process.env[variable] ?? usual;
  return { name, missing: missingAt(path, variable), run: (count) => run(path, count) };
}

/** SpiderMonkey's shell from Debian's packages, whose name includes the version. */
function spiderMonkey(): string {
  const [newest] = (existsSync('/usr/bin') ? readdirSync('/usr/bin') : [])
    .filter((name) => /^js\d+$/.test(name))
    .sort((a, b) => Number(b.slice(2)) - Number(a.slice(2)));
  return `/usr/bin/${newest ?? 'js102'}`;
}

/** Nodes of other versions, or for another processor: an emulator's script, say. Used only if asked for. */
const OTHER_NODES = (process.env.BSPKIT_NODE ?? '').split(delimiter).filter((path) => path !== '');

/**
 * Node, which is always there, and others: without kernels in WebAssembly, V8 of another version, JavaScriptCore,
 * QuickJS, SpiderMonkey, Hermes.
 */
export const ENGINES: readonly [Engine, ...Engine[]] = [
  { name: 'Node', missing: '', run: (count) => runOnce(process.execPath, count) },
  {
    name: 'Node without WebAssembly',
    missing: '',
    run: (count) => runOnce(process.execPath, count, 'delete globalThis.WebAssembly;'),
  },
  ...OTHER_NODES.map((path) => ({
    name: `Node of ${path}`,
    missing: missingAt(path, 'BSPKIT_NODE'),
    run: (count: number) => runOnce(path, count),
  })),
  engineAt('Bun', 'BSPKIT_BUN', join(ROOT, 'node_modules/.bin/bun'), runOnce),
  { name: 'QuickJS', missing: '', interprets: true, run: runQuickJs },
  engineAt('SpiderMonkey', 'BSPKIT_SPIDERMONKEY', spiderMonkey(), runShell),
  {
    ...engineAt(
      'Hermes',
      'BSPKIT_HERMES',
      join(ROOT, 'node_modules/hermes-engine-cli/linux64-bin/hermes'),
      runHermes,
    ),
    interprets: true,
  },
  ...BROWSERS.map((browser) => ({
    name: browser.name,
    missing: browser.missing,
    run: async (count: number): Promise<Record<string, string>> => {
      const page = `${await script()}\nexport const report = () => ${call(count)};\n`;
      const options = { patience: 200_000 + count };
      return (await reportOf(browser, new Map([['page.js', page]]), options)) as Record<string, string>;
    },
  })),
];
