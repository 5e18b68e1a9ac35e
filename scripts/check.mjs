// Checks the types of all workspaces, or of those in the given folders: `check.mjs packages/core apps/cli`.
//
// Each workspace says in its own tsconfig files what sources and tests may use: Node, browsers, or neither. Those that say the
// same are one program here, so that what many of them import is checked once. Checked one by one, they take five times as long.
// Files that have not changed since the last time are not checked again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/check');
const folders = process.argv.slice(2);

const workspaces = (folders.length > 0 ? folders : ['packages', 'apps', 'apps/examples']).flatMap((folder) =>
  existsSync(join(root, folder, 'package.json')) ? [folder] : list(folder).map((name) => `${folder}/${name}`),
);
const configs = workspaces
  .flatMap((folder) => ['', 'wasm/', 'assembly/'].map((kind) => `${folder}/${kind}`))
  .flatMap((folder) => ['tsconfig.json', 'tsconfig.test.json'].map((name) => join(root, folder, name)))
  .filter((path) => existsSync(path))
  .map(read)
  // Examples have a configuration of their own, for people who copy them: it needs built packages.
  .filter(({ extended }) => extended);

if (configs.length === 0) throw new Error(`no tsconfig.json in ${folders.join(', ')}`);

/** Configurations that say the same, grouped. */
const programs = new Map();
for (const config of configs) {
  const { configFilePath: _, ...options } = config.options;
  const key = JSON.stringify(options);
  programs.set(key, [...(programs.get(key) ?? []), config]);
}

// The largest first, so that no core waits long for another one at the end.
const size = (program) => program.reduce((sum, { files }) => sum + files.length, 0);
const waiting = [...programs.values()].sort((a, b) => size(b) - size(a));
mkdirSync(cache, { recursive: true });
const results = await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = results.every(Boolean) ? 0 : 1;

function list(folder) {
  if (!existsSync(join(root, folder))) throw new Error(`there is no folder ${folder}`);
  return readdirSync(join(root, folder));
}

function read(path) {
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  if (error) throw new Error(ts.formatDiagnostic(error, ts.createCompilerHost({})));
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, join(path, '..'));
  if (errors.length > 0) throw new Error(errors.map(({ messageText }) => messageText).join('\n'));
  return { path, options, files: fileNames, extended: config.extends !== undefined };
}

/** Checks programs until none is left; returns whether all of them passed. */
async function work() {
  let isPassed = true;
  for (let program = waiting.shift(); program; program = waiting.shift()) {
    isPassed = (await check(program)) && isPassed;
  }
  return isPassed;
}

/**
 * TypeScript 7, which takes a fifth of the time; on one thread, as several would each check what all import, and a program has a
 * core to itself. What AssemblyScript declares is only understood by version 5.
 */
function compilerOf(name) {
  return /\/(assembly|wasm)\//.test(name)
    ? [join(root, 'node_modules/typescript/bin/tsc')]
    : [join(root, 'node_modules/@typescript/native-preview/bin/tsgo'), '--singleThreaded'];
}

async function check(program) {
  const [{ path }, ...others] = program;
  const name = relative(root, path).replaceAll('\\', '/');
  const config = join(cache, name.replaceAll('/', '-'));
  const compilerOptions = { incremental: true, tsBuildInfoFile: `${config}.tsbuildinfo` };
  const files = [...new Set(program.flatMap((config) => config.files))];
  writeFileSync(config, JSON.stringify({ extends: path, compilerOptions, files, include: [] }));

  const started = Date.now();
  const args = [...compilerOf(name), '-p', config, ...(process.stdout.isTTY ? ['--pretty'] : [])];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  // Printed when it ends, so that errors of two programs are not mixed.
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  const seconds = Math.round((Date.now() - started) / 1000);
  const members = others.length > 0 ? ` and ${others.length} like it` : '';
  console.log(
    `${output}${code === 0 ? 'passed' : 'FAILED'}: ${name}${members}, ${files.length} files, ${seconds} s`,
  );
  return code === 0;
}
